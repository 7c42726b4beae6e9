"""Which format a file has: chosen by its name when it is written, seen in its first bytes when it is read."""

from __future__ import annotations

import io
import zipfile
from importlib import import_module
from pathlib import Path

from pdobasis.errors import FileFormatError, PdoBasisError, SpecError, UnknownNameError
from pdobasis.files.atomic import write_atomically
from pdobasis.files.limits import MAX_BYTES
from pdobasis.files.stencil_file import StencilFile

MODULES = {
    "npz": "npz",
    "safetensors": "safetensors_file",
    "json": "stencil_json",
    "pt": "pt",
    "python": "python_source",
    "latex": "latex",
}
TEXTS = ("json", "python", "latex")
SUFFIXES = {
    ".npz": "npz",
    ".safetensors": "safetensors",
    ".json": "json",
    ".pt": "pt",
    ".py": "python",
    ".tex": "latex",
}


def format_of(path: Path, format: str | None = None) -> str:
    """The format that a name (or an option) asks for."""
    if format is not None:
        if format not in MODULES:
            raise UnknownNameError("format", format, MODULES, f"(one of {', '.join(MODULES)})")
        return format
    if path.suffix not in SUFFIXES:
        raise SpecError(f"{path}: the name has to end in one of {', '.join(SUFFIXES)}, or --format has to say it")
    return SUFFIXES[path.suffix]


def to_bytes(file: StencilFile, format: str) -> bytes:
    data: bytes = import_module(f"pdobasis.files.{MODULES[format]}").to_bytes(file)
    return data


def save(file: StencilFile, path: str | Path, format: str | None = None) -> None:
    """Write whole or not at all."""
    write_atomically(Path(path), to_bytes(file, format_of(Path(path), format)))


def load(path: str | Path) -> StencilFile:
    """Read any of the four formats; FileFormatError when it is none of them, truncated or altered."""
    try:
        data = read_bytes(Path(path))
        file: StencilFile = import_module(f"pdobasis.files.{MODULES[recognise(data)]}").from_bytes(data)
    except PdoBasisError as error:
        raise FileFormatError(f"{path}: {error}") from None
    return file


def is_stencil_file(path: Path) -> bool:
    """Whether to read it as stencils; everything else is for the reader of bases to judge."""
    try:
        with path.open("rb") as stream:
            start = stream.read(4_096)
    except OSError:
        return False
    return not start.lstrip().startswith(b"{") or b'"pdobasis-stencils"' in start


def recognise(data: bytes) -> str:
    """The format of some bytes."""
    if not data:
        raise FileFormatError("the file is empty")
    if data[:2] == b"PK":
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                names = archive.namelist()
        except zipfile.BadZipFile:
            raise FileFormatError("not a complete .npz or .pt file (truncated?)") from None
        return "pt" if any(name.endswith("/data.pkl") for name in names) else "npz"
    if data[8:9] == b"{" and int.from_bytes(data[:8], "little") < 1 << 40:
        return "safetensors"
    if data.lstrip()[:1] == b"{":
        return "json"
    raise FileFormatError("not a stencil file: expected .npz, .safetensors, .json or .pt written by pdobasis export")


def read_bytes(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise FileFormatError(f"{size:,} bytes, beyond the limit of {MAX_BYTES:,}")
        return path.read_bytes()
    except FileNotFoundError:
        raise FileFormatError("there is no such file") from None
    except OSError as error:
        raise FileFormatError(f"cannot be read ({error.strerror})") from None

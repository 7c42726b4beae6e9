"""Which format a file has: chosen by its name when it is written, seen in its first bytes when it is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pdobasis.bounds.estimate import cost
from pdobasis.errors import (
    FileFormatError,
    PdoBasisError,
    SpecError,
    UnknownNameError,
    listed,
)
from pdobasis.files import (
    json_file,
    latex,
    module_file,
    npz,
    pt,
    safetensors_file,
    sources,
    stencil_json,
)
from pdobasis.files.atomic import write_atomically
from pdobasis.files.format import Format
from pdobasis.files.json_file import parse_json
from pdobasis.files.limits import MAX_BASIS, MAX_BYTES, START
from pdobasis.files.read import read_bytes
from pdobasis.files.stencil_file import StencilFile

_KNOWN: dict[str, Format] = {}


def register(format: Format) -> None:
    """Make a format known to `save`, `load` and the command line."""
    # A suffix belongs to one format, or saving would have to guess.
    taken = {suffix for known in formats() for suffix in known.suffixes}
    if format.name in _KNOWN or taken.intersection(format.suffixes):
        raise SpecError(
            f"there is a format {format.name!r} or one with its suffixes already: take others"
        )
    _KNOWN[format.name] = format


def unregister(name: str) -> None:
    del _KNOWN[find(name).name]


@contextmanager
def registered(format: Format) -> Iterator[None]:
    """Known inside a ``with`` only."""
    register(format)
    try:
        yield
    finally:
        unregister(format.name)


def formats() -> tuple[Format, ...]:
    """All formats, in the order in which they are listed."""
    return tuple(_KNOWN.values())


def find(name: str) -> Format:
    if name not in _KNOWN:
        raise UnknownNameError("format", name, _KNOWN, f"(one of {', '.join(_KNOWN)})")
    return _KNOWN[name]


def texts() -> tuple[str, ...]:
    """The formats that can be printed."""
    return tuple(format.name for format in formats() if format.is_text)


def format_of(path: Path, format: str | None = None) -> str:
    """The format that a name (or an option) asks for."""
    if format is not None:
        return find(format).name
    by_suffix = {suffix: known.name for known in formats() for suffix in known.suffixes}
    if path.suffix not in by_suffix:
        raise SpecError(
            f"{path}: the name has to end in one of {', '.join(by_suffix)}, or format= has to say it"
        )
    return by_suffix[path.suffix]


def to_bytes(file: StencilFile, format: str) -> bytes:
    chosen = find(format)
    kind = "binary"
    if chosen.is_text:
        kind = "text"
    numbers = float(file.stencils.size)
    cost(kind, {"numbers": numbers}).require(
        f"a .{chosen.name} file of {numbers:,.0f} numbers",
        "use a smaller size= or a format that is no text, such as .npz",
    )
    return chosen.write(file)


def save(file: StencilFile, path: str | Path, format: str | None = None) -> None:
    """Write whole or not at all."""
    write_atomically(Path(path), to_bytes(file, format_of(Path(path), format)))


def load(path: str | Path) -> StencilFile:
    """Read any format that is read back; FileFormatError when it is none of them, truncated or altered."""
    try:
        return from_bytes(read_bytes(Path(path), lambda start: MAX_BYTES))
    except PdoBasisError as error:
        raise FileFormatError(f"{path}: {error}") from None


def open_file(path: Path) -> StencilFile | dict[str, Any]:
    """What is in a file, which is read once: stencils, or the mapping of a basis that is still to be proved."""
    try:
        data = read_bytes(path, _limit)
        if are_stencils(data[:START]):
            return from_bytes(data)
        return parse_json(data, (json_file.FORMAT, module_file.FORMAT))
    except PdoBasisError as error:
        raise FileFormatError(f"{path}: {error}") from None


def are_stencils(start: bytes) -> bool:
    """Whether to read it as stencils; everything else is for the reader of bases to judge."""
    # a basis is always a JSON object; a stencil file is one only if it says so at its beginning
    return not start.lstrip().startswith(b"{") or b'"pdobasis-stencils"' in start


def from_bytes(data: bytes) -> StencilFile:
    """The contents of some bytes, of whatever format."""
    if not data:
        raise FileFormatError("the file is empty")
    # The latest first: a format may claim what an older and more general one (every zip is tried as .npz) would take.
    for format in reversed(formats()):
        if (
            format.read is not None
            and format.recognise is not None
            and format.recognise(data)
        ):
            return format.read(data)
    readable = [format.suffixes[0] for format in formats() if format.read is not None]
    raise FileFormatError(
        f"not a stencil file: expected {listed(readable)} written by pdobasis export"
    )


def _limit(start: bytes) -> int:
    if are_stencils(start):
        return MAX_BYTES
    return MAX_BASIS


# The formats, in the order in which they are listed everywhere.
for _format in (
    npz.FORMAT,
    safetensors_file.FORMAT,
    stencil_json.FORMAT,
    pt.FORMAT,
    *sources.FORMATS,
    latex.FORMAT,
):
    register(_format)

"""Stencils as .npz: plain arrays that ``numpy.load`` reads with ``allow_pickle=False``.

The zip is written without compression and with a fixed date, so that the same question gives the same bytes. It is
read with our own eyes on it: only the five names, their declared sizes checked before anything is unpacked.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from pdobasis.errors import FileFormatError
from pdobasis.files.format import Format
from pdobasis.files.limits import MAX_BYTES, MAX_META
from pdobasis.files.stencil_file import ARRAYS, StencilFile, checked
from pdobasis.files.stencil_meta import parse_meta

DATE = (1980, 1, 1, 0, 0, 0)
MAX_HEADER = 10_000


def to_bytes(file: StencilFile) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, array in {**file.arrays, "meta": np.array(file.meta_text)}.items():
            part = io.BytesIO()
            npy.write_array(part, array, version=(1, 0), allow_pickle=False)
            # The date of writing would make the same contents different bytes.
            entry = zipfile.ZipInfo(f"{name}.npy", DATE)
            # Without rights the unpacked file could not be read.
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, part.getvalue())
    return stream.getvalue()


def from_bytes(data: bytes) -> StencilFile:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except zipfile.BadZipFile:
        raise FileFormatError("not a complete .npz or .pt file (truncated?)") from None
    try:
        with archive:
            entries = _entries(archive)
            arrays = {
                name: _array(archive, entry, _expect(name))
                for name, entry in entries.items()
            }
    # A RuntimeError is an entry with a password, a NotImplementedError a compression that zipfile does not know.
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
        OSError,
    ) as error:
        raise FileFormatError(f"not a complete .npz file ({error})") from None
    meta = arrays.pop("meta", None)
    if meta is None:
        raise FileFormatError(
            "the array 'meta' is missing: not written by pdobasis export"
        )
    return checked(arrays, parse_meta(str(meta.item())))


def recognise(data: bytes) -> bool:
    """Every zip is tried as .npz, unless another format (.pt) finds its own marks in it."""
    return data[:2] == b"PK"


def _entries(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The five entries; refused when they are others, repeated, or declare too much."""
    known = {f"{name}.npy": name for name in (*ARRAYS, "meta")}
    out: dict[str, zipfile.ZipInfo] = {}
    for entry in archive.infolist():
        # An entry that is not ours could be a pickle; nothing of the kind is touched.
        name = known.get(entry.filename)
        if name is None or name in out:
            raise FileFormatError(
                f"unexpected entry {entry.filename[:60]!r}: not written by pdobasis export"
            )
        out[name] = entry
    total = sum(entry.file_size for entry in out.values())
    if total > MAX_BYTES or ("meta" in out and out["meta"].file_size > MAX_META):
        raise FileFormatError(
            f"it unpacks to {total:,} bytes, beyond the limit of {MAX_BYTES:,}"
        )
    return out


def _array(
    archive: zipfile.ZipFile,
    entry: zipfile.ZipInfo,
    expect: Callable[[np.dtype[Any]], bool],
) -> NDArray[Any]:
    with archive.open(entry) as stream:
        # One byte more than declared: an entry that is longer than it says does not fit its shape.
        raw = stream.read(entry.file_size + 1)
    part = io.BytesIO(raw)
    try:
        version = npy.read_magic(part)
        if version == (1, 0):
            read = npy.read_array_header_1_0
        else:
            read = npy.read_array_header_2_0
        shape, fortran, dtype = read(part, max_header_size=MAX_HEADER)
    except (ValueError, TypeError, KeyError, SyntaxError) as error:
        raise FileFormatError(
            f"{entry.filename}: not a NumPy array ({str(error)[:80]})"
        ) from None
    if dtype.hasobject or not expect(dtype):
        raise FileFormatError(f"{entry.filename}: unexpected type {dtype}")
    # In Python's integers: a shape that was made up may overflow those of NumPy.
    count = 1
    for n in shape:
        count *= n
    body = raw[part.tell() :]
    if min(shape, default=0) < 0 or count * dtype.itemsize != len(body):
        raise FileFormatError(
            f"{entry.filename}: shape {shape} does not fit its {len(body):,} bytes (truncated?)"
        )
    # An array over bytes cannot be written and keeps all of them in memory: hence the copies.
    flat = np.frombuffer(body, dtype=dtype)
    if fortran:
        return flat.reshape(shape, order="F").copy()
    return flat.reshape(shape).copy()


def _expect(name: str) -> Callable[[np.dtype[Any]], bool]:
    if name == "meta":
        return lambda dtype: dtype.kind == "U" and dtype.itemsize > 0
    return lambda dtype: dtype == np.dtype(ARRAYS[name])


FORMAT = Format("npz", (".npz",), to_bytes, from_bytes, recognise)

"""Stencils as .npz: plain arrays that ``numpy.load`` reads with ``allow_pickle=False``.

The zip is written without compression and with a fixed date, so that the same question gives the same bytes. It is
read with our own eyes on it: only the five names, their declared sizes, types and shapes checked before anything is
unpacked.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from functools import partial
from math import prod
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from pdobasis.errors import FileFormatError
from pdobasis.files.format import Format
from pdobasis.files.limits import MAX_META
from pdobasis.files.shapes import is_shape
from pdobasis.files.stencil_file import ARRAYS, StencilFile, checked
from pdobasis.files.stencil_meta import parse_meta
from pdobasis.files.zips import BAD_ZIP, central_directory

DATE = (1980, 1, 1, 0, 0, 0)
MAX_HEADER = 10_000
_HEADER = re.compile(
    rb"\{'descr': '(?P<type>[<>|=]?[A-Za-z]\d{0,9}(?:\[[a-z]{1,2}\])?)', 'fortran_order': (?P<fortran>True|False), "
    rb"'shape': \((?P<shape>(?:\d{1,15}, ?)*(?:\d{1,15})?)\), \} *\n?"
)


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
    entries = _entries(data)
    arrays = {}
    for name, entry in entries.items():
        arrays[name] = read_array(io.BytesIO(data), entry, partial(_is_expected, name))
    meta = arrays.pop("meta", None)
    if meta is None:
        raise FileFormatError(
            "the array 'meta' is missing: not written by pdobasis export"
        )
    if meta.shape != ():
        raise FileFormatError(
            f"the array 'meta' has shape {meta.shape}, expected one text"
        )
    try:
        # by hand: what is no letter makes NumPy fail in a way that is no exception for input
        text = meta.tobytes().decode("utf-32-le").rstrip("\0")
    except UnicodeDecodeError:
        raise FileFormatError("its meta data are not text") from None
    return checked(arrays, parse_meta(text))


def recognise(data: bytes) -> bool:
    """Every zip is tried as .npz, unless another format (.pt) finds its own marks in it."""
    return data[:2] == b"PK"


def _entries(data: bytes) -> dict[str, zipfile.ZipInfo]:
    """The five entries; refused when they are others, repeated, or declare too much."""
    known = {f"{name}.npy": name for name in (*ARRAYS, "meta")}
    out: dict[str, zipfile.ZipInfo] = {}
    for entry in central_directory(data):
        # An entry that is not ours could be a pickle; nothing of the kind is touched.
        name = known.get(entry.filename)
        if name is None or name in out:
            raise FileFormatError(
                f"unexpected entry {entry.filename[:60]!r}: not written by pdobasis export"
            )
        out[name] = entry
    if "meta" in out and out["meta"].file_size > MAX_META:
        raise FileFormatError(
            f"its meta data are beyond the limit of {MAX_META:,} bytes"
        )
    return out


def read_array(
    file: IO[bytes], entry: zipfile.ZipInfo, is_expected: Callable[[str], bool]
) -> NDArray[Any]:
    """One array: its header is judged before its numbers are unpacked; ``is_expected`` judges its type, as '<f8'."""
    try:
        with zipfile.ZipFile(file) as archive, archive.open(entry) as stream:
            shape, fortran, dtype, start = _header(stream, entry, is_expected)
            # One byte more than declared: an entry that is longer than it says does not fit its shape.
            body = stream.read(entry.file_size - start + 1)
    except FileFormatError:
        raise
    # A RuntimeError is an entry with a password, a NotImplementedError a compression that zipfile does not know.
    except (*BAD_ZIP, OSError) as error:
        raise FileFormatError(f"not a complete .npz file ({str(error)[:80]})") from None
    if prod(shape) * dtype.itemsize != len(body):
        raise _does_not_fit(entry, shape)
    flat = np.frombuffer(body, dtype=dtype)
    if fortran:
        return flat.reshape(shape, order="F")
    return flat.reshape(shape)


def _header(
    stream: IO[bytes], entry: zipfile.ZipInfo, is_expected: Callable[[str], bool]
) -> tuple[tuple[int, ...], bool, np.dtype[Any], int]:
    """(shape, whether columns come first, type, bytes of the header)."""
    start = stream.read(8)
    # versions 2 and 3 have four bytes for the length where version 1 has two
    length = stream.read(2 if start[6:7] == b"\x01" else 4)
    size = int.from_bytes(length, "little")
    text = b""
    if start[:6] == b"\x93NUMPY" and size <= MAX_HEADER:
        text = stream.read(size)
    # NumPy reads it as a literal of Python; it is always written in this form
    match = _HEADER.fullmatch(text)
    if match is None:
        raise FileFormatError(
            f"{entry.filename}: not a NumPy array (its header is damaged)"
        )
    kind = match["type"].decode()
    if not is_expected(kind):
        raise FileFormatError(f"{entry.filename}: unexpected type {kind}")
    dtype = np.dtype(kind)
    fortran = match["fortran"] == b"True"
    shape = tuple(int(n) for n in match["shape"].split(b",") if n.strip())
    start_of_body = len(start) + len(length) + size
    # In Python's integers: a shape that was made up may overflow those of NumPy.
    declared = entry.file_size - start_of_body
    if not is_shape(shape) or prod(shape) * dtype.itemsize != declared:
        raise _does_not_fit(entry, shape)
    return shape, fortran, dtype, start_of_body


def _does_not_fit(entry: zipfile.ZipInfo, shape: tuple[int, ...]) -> FileFormatError:
    return FileFormatError(
        f"{entry.filename}: shape {str(shape)[:60]} does not fit its {entry.file_size:,} bytes (truncated?)"
    )


def _is_expected(name: str, kind: str) -> bool:
    if name == "meta":
        return re.fullmatch(r"<U[1-9]\d*", kind) is not None
    return kind == ARRAYS[name]


FORMAT = Format("npz", (".npz",), to_bytes, from_bytes, recognise)

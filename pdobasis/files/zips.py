"""What a zip says of itself, judged before anything in it is unpacked."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from typing import IO

from pdobasis.errors import FileFormatError
from pdobasis.files.limits import FREE_RATIO, MAX_BYTES, MAX_RATIO

MAX_ENTRIES = 64
BAD_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    IndexError,
    OverflowError,
    UnicodeError,
)
"""What zipfile raises on damaged archives, beside OSError."""


def central_directory(data: bytes) -> list[zipfile.ZipInfo]:
    """The entries; refused when they do not lie in the file, are very many, or would unpack to too much."""
    return entries_of(io.BytesIO(data), len(data), MAX_BYTES, MAX_ENTRIES)


def entries_of(
    stream: IO[bytes], length: int, most: int, many: int
) -> list[zipfile.ZipInfo]:
    """The same of an open file of this length, with limits on the bytes and the entries."""
    try:
        with zipfile.ZipFile(stream) as archive:
            entries = archive.infolist()
    except (*BAD_ZIP, OSError):
        raise FileFormatError("not a complete .npz or .pt file (truncated?)") from None
    if len(entries) > many:
        raise FileFormatError(f"a zip of {len(entries):,} entries, at most {many}")
    for entry in entries:
        outside = not 0 <= entry.header_offset < length
        if outside or not 0 <= entry.compress_size <= length or entry.file_size < 0:
            raise FileFormatError(
                "not a complete .npz or .pt file (an entry lies outside of it)"
            )
    total = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    if total > most:
        raise FileFormatError(
            f"it unpacks to {total:,} bytes, beyond the limit of {most:,}"
        )
    if total > FREE_RATIO and total > MAX_RATIO * packed:
        raise FileFormatError(
            f"it unpacks to {total:,} bytes, beyond the limit of {MAX_RATIO} times its size"
        )
    return entries

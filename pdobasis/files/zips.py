"""What a zip says of itself, judged before anything in it is unpacked."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

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
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
    except (*BAD_ZIP, OSError):
        raise FileFormatError("not a complete .npz or .pt file (truncated?)") from None
    if len(entries) > MAX_ENTRIES:
        raise FileFormatError(
            f"a zip of {len(entries):,} entries, at most {MAX_ENTRIES}"
        )
    for entry in entries:
        outside = not 0 <= entry.header_offset < len(data)
        if outside or not 0 <= entry.compress_size <= len(data) or entry.file_size < 0:
            raise FileFormatError(
                "not a complete .npz or .pt file (an entry lies outside of it)"
            )
    total = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    if total > MAX_BYTES:
        raise FileFormatError(
            f"it unpacks to {total:,} bytes, beyond the limit of {MAX_BYTES:,}"
        )
    if total > FREE_RATIO and total > MAX_RATIO * packed:
        raise FileFormatError(
            f"it unpacks to {total:,} bytes, beyond the limit of {MAX_RATIO} times its size"
        )
    return entries

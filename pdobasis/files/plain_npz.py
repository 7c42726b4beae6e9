"""Arrays of numbers in an .npz that anybody wrote, as ``numpy.savez`` does: judged before they are unpacked."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from pdobasis.errors import FileFormatError
from pdobasis.files.npz import read_array
from pdobasis.files.zips import entries_of
from pdobasis.question.regular_file import open_regular

MAX_NUMBERS = 16_000_000_000
"""Bytes that the arrays of one file may unpack to."""
MAX_ARRAYS = 10_000
NUMBERS = re.compile(r"[<>|=]?(?:[biufc]\d{1,2}|M8\[[a-z]{1,2}\])")
"""Types: truth values, numbers, dates."""


def read_plain(
    path: Path, is_wanted: Callable[[str], bool]
) -> tuple[dict[str, NDArray[Any]], list[str]]:
    """The arrays that are wanted, and the names of the others."""
    try:
        with open_regular(path) as stream:
            length = os.fstat(stream.fileno()).st_size
            entries = entries_of(stream, length, MAX_NUMBERS, MAX_ARRAYS)
            found, others = {}, []
            for entry in entries:
                name = entry.filename.removesuffix(".npy")
                if name in found:
                    raise FileFormatError(f"the array {name!r:.60} stands twice")
                if is_wanted(name):
                    found[name] = read_array(stream, entry, _is_number)
                else:
                    others.append(name)
    except OSError as error:
        raise FileFormatError(f"cannot be read ({error.strerror})") from None
    return found, others


def _is_number(kind: str) -> bool:
    return NUMBERS.fullmatch(kind) is not None

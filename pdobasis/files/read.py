"""Reading a file once, with limits that are checked before it is read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pdobasis.errors import FileFormatError
from pdobasis.files.limits import START
from pdobasis.question.regular_file import open_regular


def read_bytes(path: Path, limit: Callable[[bytes], int]) -> bytes:
    """The whole file; ``limit`` says from its first bytes how long it may be. Refusals do not name the path."""
    try:
        with open_regular(path) as stream:
            start = stream.read(START)
            # Not the size at the path, which may lead to another file by now.
            size, most = os.fstat(stream.fileno()).st_size, limit(start)
            if size > most:
                raise FileFormatError(f"{size:,} bytes, beyond the limit of {most:,}")
            # It may grow while it is read, and some files of the system say that they are empty.
            data = start + stream.read(most + 1 - len(start))
            if len(data) > most:
                raise FileFormatError(f"beyond the limit of {most:,} bytes")
            return data
    except FileNotFoundError:
        raise FileFormatError("there is no such file") from None
    except FileFormatError:
        raise
    except ValueError as error:  # a zero byte in the name
        raise FileFormatError(f"cannot be read ({error})") from None
    except OSError as error:
        raise FileFormatError(f"cannot be read ({error.strerror})") from None


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; refused where a key stands twice, since readers differ in which one they take."""
    out: dict[str, Any] = {}
    for key, value in pairs:
        if key in out:
            raise FileFormatError(f"the key {key[:60]!r} stands twice in one object")
        out[key] = value
    return out

"""Writing a file whole or not at all: a temporary name in the same folder, then a rename."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from pdobasis.errors import SpecError


def write_atomically(path: Path, data: bytes) -> None:
    """The old file or the new one, whatever happens in between; nothing else is left behind."""
    folder = path.parent
    if path.is_dir():
        raise SpecError(f"{path} is a folder: give the name of a file")
    try:
        # In the same folder: between file systems a rename is a copy, which can be cut short.
        handle, temporary = tempfile.mkstemp(
            prefix=f".{path.name}.", suffix=".part", dir=folder
        )
    except OSError as error:
        raise SpecError(f"cannot write {path}: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            # The bytes have to be on the disk before the name points at them.
            os.fsync(stream.fileno())
        # A temporary file is private; the final one has the rights that any new file has.
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as error:
        raise SpecError(f"cannot write {path}: {error.strerror}") from None
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def _umask() -> int:
    # It can be read only by setting it.
    mask = os.umask(0)
    os.umask(mask)
    return mask

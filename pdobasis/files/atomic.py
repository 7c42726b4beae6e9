"""Writing a file whole or not at all: the bytes first, on the disk and without a name; then the name, in one step."""

from __future__ import annotations

import os
import secrets
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from pdobasis.errors import SpecError

Contents = bytes | Callable[[BinaryIO], None]
"""Bytes, or who writes them: what is large need not be in memory a second time."""

PREFIX, SUFFIX = ".pdobasis-", ".part"
"""Of names that stand for a moment; what a writer that was killed leaves behind is cleared up by the next."""


def write_atomically(path: Path, data: Contents, *, clear: bool = True) -> None:
    """The old file or the new one, whatever happens in between; nothing else is left behind.

    A symbolic link is followed, and a file that is replaced keeps its mode and owner. What is no regular file (a pipe,
    a device), and what standard output is open on, is written through: a new file in its place would reach nobody.
    ``clear``: look through the folder for what killed writers left, which who writes thousands of files does once.
    """
    old = require_writable(path)
    try:
        if old is not None and not _is_replaceable(old):
            _write_through(path, old, data)
        else:
            # where the links lead: a rename would replace the link itself
            target = Path(os.path.realpath(path))
            if clear:
                clear_up(target.parent)
            _replace(target, data, old)
    except OSError as error:
        raise SpecError(f"cannot write {path}: {error.strerror}") from None


def require_writable(path: Path) -> os.stat_result | None:
    """What is there already, or None; refused where it must not be written, so that it can be asked before any work."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        reason = getattr(error, "strerror", None) or error
        raise SpecError(f"cannot write {path}: {reason}") from None
    if stat.S_ISDIR(found.st_mode):
        raise SpecError(f"{path} is a folder: give the name of a file")
    # by its bits too: for root every file can be written, and a rename asks the folder alone
    if not found.st_mode & 0o222 or not os.access(path, os.W_OK):
        raise SpecError(
            f"cannot write {path}: it is read-only (chmod u+w lifts that, or take another name)"
        )
    return found


def is_standard_stream(found: os.stat_result) -> int | None:
    """1 or 2 where it is what stdout or stderr is open on, under whatever name (/dev/stdout)."""
    for fd in (1, 2):
        try:
            if os.path.samestat(found, os.fstat(fd)):
                return fd
        except OSError:  # it is closed
            continue
    return None


def _is_replaceable(found: os.stat_result) -> bool:
    return stat.S_ISREG(found.st_mode) and is_standard_stream(found) is None


def _write_through(path: Path, found: os.stat_result, data: Contents) -> None:
    standard = is_standard_stream(found)
    if standard is None:
        # as a shell does with >: a pipe waits for its reader
        fd = os.open(path, os.O_WRONLY | os.O_NOCTTY)
    else:
        # behind what was printed: another descriptor of a regular file would begin at its start
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        fd = os.dup(standard)
    with os.fdopen(fd, "wb") as through:
        _put(through, data)


def _replace(target: Path, data: Contents, old: os.stat_result | None) -> None:
    try:
        _without_a_name(target, data, old)
    except (OSError, AttributeError):
        # a system or a file system without O_TMPFILE; a full disk is met again, and told
        with named(target.parent) as (fd, name):
            _fill(fd, data, old)
            os.replace(name, target)
    _sync_folder(target.parent)


def _put(stream: BinaryIO, data: Contents) -> None:
    if isinstance(data, bytes):
        stream.write(data)
    else:
        data(stream)


def _without_a_name(target: Path, data: Contents, old: os.stat_result | None) -> None:
    """O_TMPFILE: until it is linked the file has no name, and a kill leaves nothing."""
    folder = target.parent
    with os.fdopen(os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o666), "wb") as stream:
        fd = stream.fileno()
        _lock(fd)
        _fill(fd, data, old)
        if old is None:
            try:
                _link(fd, target)
                return
            except FileExistsError:  # somebody was faster: replaced, as any file
                pass
        # a link replaces nothing, a rename does: the only moment with a second name
        name = _fresh(folder)
        _link(fd, name)
        try:
            os.replace(name, target)
        except BaseException:
            _remove(name)
            raise


def _link(fd: int, name: Path) -> None:
    # given a descriptor of a folder, Python calls linkat, which follows the link in /proc to the file itself
    os.link(f"/proc/self/fd/{fd}", name, src_dir_fd=fd, follow_symlinks=True)


@contextmanager
def named(folder: Path) -> Iterator[tuple[int, Path]]:
    """A file with a name of its own, which is gone when this ends, unless it was renamed."""
    while True:
        name = _fresh(folder)
        fd = os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
        _lock(fd)
        # between these two calls it looked as if its writer had gone, and may have been cleared up
        if os.fstat(fd).st_nlink:
            break
        os.close(fd)
    try:
        yield fd, name
    finally:
        os.close(fd)
        _remove(name)


def _fill(fd: int, data: Contents, old: os.stat_result | None) -> None:
    if isinstance(data, bytes):
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(fd, rest) :]
    else:
        with os.fdopen(os.dup(fd), "wb") as stream:
            data(stream)
    if old is not None:
        _take_over(fd, old)
    # the bytes have to be on the disk before a name points at them
    os.fsync(fd)


def _take_over(fd: int, old: os.stat_result) -> None:
    """The owner where we may set one, and the mode of the file that is replaced."""
    with suppress(PermissionError):
        os.fchown(fd, old.st_uid, old.st_gid)
    os.fchmod(fd, stat.S_IMODE(old.st_mode))


def _sync_folder(folder: Path) -> None:
    """The new name on the disk as well; where folders cannot be synchronised it comes there a little later."""
    try:
        fd = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(fd)
    except OSError:
        pass
    finally:
        os.close(fd)


def clear_up(folder: Path) -> None:
    """Remove what killed writers left: a living one holds a lock, which ends with it, however it ends."""
    try:
        names = [
            entry.path
            for entry in os.scandir(folder)
            if entry.name.startswith(PREFIX) and entry.name.endswith(SUFFIX)
        ]
    except OSError:
        return
    for name in names:
        try:
            fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            continue
        try:
            if _lock(fd, wait=False):
                _remove(Path(name))
        finally:
            os.close(fd)


def _lock(fd: int, *, wait: bool = True) -> bool:
    """Whether we hold the lock; where there are none, nobody's file is cleared up."""
    try:
        import fcntl

        how = fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB
        fcntl.flock(fd, how)
    except (ImportError, OSError):
        return False
    return True


def _fresh(folder: Path) -> Path:
    return folder / f"{PREFIX}{secrets.token_hex(8)}{SUFFIX}"


def _remove(name: Path) -> None:
    with suppress(OSError):  # renamed, cleared up by another, or not ours to remove
        name.unlink()

"""Standard output and error that may go away: whatever becomes of them, the work is done and its verdict is told.

A reader that has gone (``| head``) is no failure: what is left to print goes nowhere. A full disk is one, and is told
at the end, with exit code 2. Where messages cannot be written, nobody can be told.
"""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TextIO


class Terminated(KeyboardInterrupt):
    """SIGTERM: as SIGINT, so that everything is cleaned up on the way out."""


class Stream(io.FileIO):
    """A descriptor that takes everything; what could not be written is remembered, unless the reader has gone."""

    def __init__(self, fd: int) -> None:
        super().__init__(fd, "wb", closefd=False)
        self.failure: OSError | None = None

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            if not isinstance(error, BrokenPipeError):
                self.failure = error
            self._leave()
            return len(data)

    def _leave(self) -> None:
        """From now on everything goes nowhere, and a writer before us in the pipe is not kept waiting."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)


@contextmanager
def standard_streams() -> Iterator[None]:
    """Inside, stdout and stderr are such streams, and SIGTERM is an exception."""
    _fill_closed()
    before = sys.stdout, sys.stderr
    out, sys.stdout = _wrapped(sys.stdout)
    _, sys.stderr = _wrapped(sys.stderr)
    handler = _on_sigterm()
    code: Any = 0
    try:
        yield
    except SystemExit as end:
        code = end.code
    finally:
        if handler is not None:
            signal.signal(signal.SIGTERM, handler)
        _flush(sys.stdout)
        if out is not None and out.failure is not None:
            # a claim that is false stays the more important news
            code = code or 2
            if sys.stderr is not None:
                reason = out.failure.strerror
                sys.stderr.write(f"Error: cannot write to stdout: {reason}\n")
        _flush(sys.stderr)
        sys.stdout, sys.stderr = before
    sys.exit(code)


def _wrapped(stream: TextIO) -> tuple[Stream | None, TextIO]:
    """The descriptor and the text over it; a stream that is none of the system's (in tests, in an editor) stays."""
    if stream is None:
        return None, stream
    try:
        stream.flush()
        raw = Stream(stream.fileno())
    except (OSError, ValueError):
        return None, stream
    text = io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=stream.encoding,
        # a terminal without the letters of mathematics shows question marks, instead of ending in an error
        errors="replace",
        line_buffering=raw.isatty() or raw.fileno() == 2,
    )
    return raw, text


def _fill_closed() -> None:
    """With stdout closed (``>&-``) the first file that is opened would become stdout."""
    for fd in (0, 1, 2):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _on_sigterm() -> Any:
    """The handler that was there before; None where none can be set, outside the main thread."""

    def terminate(number: int, frame: FrameType | None) -> None:
        raise Terminated

    try:
        return signal.signal(signal.SIGTERM, terminate)
    except ValueError:
        return None


def _flush(stream: TextIO | None) -> None:
    if stream is not None:
        stream.flush()

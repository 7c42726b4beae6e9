"""Run a command in this process, and say what is wrong with how it ended."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from click.testing import CliRunner
from pdobasis_cli import main

SECONDS = 20
"""Processor time that a small question or a small file may take, on a slow machine."""
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What a terminal would obey instead of showing."""
MAX_MESSAGE = 2_000


class TooSlow(BaseException):
    """No Exception, so that nothing in between takes it for bad input."""


@dataclass(frozen=True, slots=True)
class Outcome:
    arguments: tuple[str, ...]
    code: int
    out: str
    err: str
    crash: str
    seconds: float

    def faults(self) -> list[str]:
        """Why this is no good end: nothing for a command that was answered or refused as it should be."""
        found = []
        if self.crash:
            found.append(f"crash: {self.crash}")
        if self.code not in (0, 1, 2):
            found.append(f"exit code {self.code}")
        if "Traceback" in self.err or "Warning" in self.err:
            found.append("a traceback or a warning on stderr")
        if self.code == 2 and not self.err.strip():
            found.append("refused without a word")
        if CONTROL.search(self.out) or CONTROL.search(self.err):
            found.append("control characters reach the terminal")
        if self.code == 2 and len(self.err) > MAX_MESSAGE:
            found.append(f"a refusal of {len(self.err)} characters")
        return found


def run(arguments: Sequence[str], seconds: float = SECONDS) -> Outcome:
    start = time.process_time()
    code, out, err, crash = 0, "", "", ""
    try:
        with _limit(seconds):
            result = CliRunner().invoke(main, list(arguments))
        code, out, err = result.exit_code, result.stdout, result.stderr
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            crash = f"{type(result.exception).__name__}: {result.exception}"[:300]
    except TooSlow:
        crash = f"more than {seconds} s"
    return Outcome(tuple(arguments), code, out, err, crash, time.process_time() - start)


@contextmanager
def _limit(seconds: float) -> Iterator[None]:
    """Processor time, so that a busy machine changes nothing."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)

"""A command works in a process of its own, and a small one watches it.

Python answers Ctrl-C between two of its own steps, and an elimination in FLINT may be one step of half a minute; nor
can a budget be looked at in there. So the process that was started makes a second one for the work and waits: what it
is sent (SIGINT, SIGTERM, SIGHUP) goes on to the worker, which cleans up; a worker that does not end within a moment, or
goes beyond its budget without noticing, is killed. Where there is no fork the work is done in place.
"""

from __future__ import annotations

import atexit
import contextlib
import mmap
import os
import select
import signal
import struct
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, NoReturn

GRACE = 0.5
"""Seconds that a worker has to clean up."""
LONGER = 0.9
"""Those of a worker that said nothing of limits: it may have rows to save, and processes of its own to end."""
EVERY = 0.1
"""Seconds between two looks at the worker."""
SLACK = 1.15
"""The worker looks at its budget itself, and words it better: the watcher comes a little later."""
LATE = 2.0
"""Seconds after the end of the time, for the same reason."""
SOON = 0.01
"""Seconds until an interruption is tried again."""
INTERRUPTED = 128 + signal.SIGINT
"""The exit code of what was interrupted."""
_HEAD = struct.Struct("dddi")
_ROOM = 4096
_PASSED_ON = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if hasattr(signal, name)
)


class Board:
    """What the worker writes for the watcher to read, in memory that both have: its limits, and what it is doing."""

    def __init__(self) -> None:
        self.memory = mmap.mmap(-1, _ROOM)
        self.write(0.0, 0.0, 0.0, "")

    def write(self, deadline: float, memory: float, before: float, stage: str) -> None:
        text = stage.encode()[: _ROOM - _HEAD.size]
        self.memory[: _HEAD.size] = _HEAD.pack(deadline, memory, before, len(text))
        self.memory[_HEAD.size : _HEAD.size + len(text)] = text

    def read(self) -> tuple[float, float, float, str]:
        """(when it has to end, bytes that it may take beyond those it had before, these, the stage).

        Zeros where nothing was said.
        """
        deadline, memory, before, length = _HEAD.unpack(self.memory[: _HEAD.size])
        stage = self.memory[_HEAD.size : _HEAD.size + length]
        return deadline, memory, before, stage.decode(errors="replace")


BOARD: Board | None = None
"""In a worker: where it writes."""


TOLD = "told"
"""The stage of a worker that has said itself that it was interrupted."""


def told() -> None:
    """In a worker: it has had its last word, and the watcher need not repeat it."""
    if BOARD is not None:
        BOARD.write(0.0, 0.0, 0.0, TOLD)


def supervised(work: Callable[[], Any], is_program: bool = True) -> Any:
    """Do the work in a process of its own, and end with its exit code.

    A program ends at once; whoever calls a command from Python sees SystemExit, and goes on, alone: the worker ends.
    """
    global BOARD
    # signals are heard in the main thread alone
    if not hasattr(os, "fork") or not _is_main_thread():
        return work()
    board = Board()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, OSError, ValueError):
            stream.flush()
    parent = os.getpid()
    # a signal that comes while both get ready waits until they are
    signal.pthread_sigmask(signal.SIG_BLOCK, _PASSED_ON)
    worker = os.fork()
    if worker == 0:
        BOARD = board
        _die_with(parent)
        signal.signal(signal.SIGINT, _interrupt_once)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _PASSED_ON)
        if not is_program:
            _end_for_good(work)
    else:
        work = _Watcher(worker, board).end
    if is_program:
        return end_at_once(work)
    return work()


def end_at_once(work: Callable[[], Any]) -> Any:
    """Do the work, and end the process without taking the interpreter apart, a tenth of a short command.

    What was registered for the end is called, and what was printed is written. Where there is more to do at the end
    (threads to wait for, streams that cannot be written, an exception to tell of), Python does it.
    """
    code: Any = 0
    try:
        work()
    except SystemExit as end:
        code = end.code
    if code is None:
        code = 0
    if not isinstance(code, int) or _has_threads():
        sys.exit(code)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (AttributeError, OSError, ValueError):
            sys.exit(code)
    os._exit(code & 0xFF)


def _end_for_good(work: Callable[[], Any]) -> NoReturn:
    """Do the work of somebody else's program, which has a copy here: whatever happens, it is not gone on with."""
    code: Any = 1
    # what the program has registered for its end is not for this process
    atexit._clear()
    try:
        end_at_once(work)
    except SystemExit as end:
        code = end.code
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BaseException:
        sys.excepthook(*sys.exc_info())
    if code is not None and not isinstance(code, int):
        with contextlib.suppress(AttributeError, OSError, ValueError):
            print(code, file=sys.stderr)
        code = 1
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, OSError, ValueError):
            stream.flush()
    os._exit((code or 0) & 0xFF)


def _is_main_thread() -> bool:
    threading = sys.modules.get("threading")
    return threading is None or threading.current_thread() is threading.main_thread()


def _has_threads() -> bool:
    """Besides this one."""
    threading = sys.modules.get("threading")
    return threading is not None and threading.active_count() > 1


def _interrupt_once(number: int, frame: FrameType | None) -> None:
    # a terminal sends Ctrl-C to both processes, and the watcher passes it on: once is enough
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _interrupt(number, frame)


def _interrupt(number: int, frame: FrameType | None) -> None:
    if not _is_loading(frame):
        raise KeyboardInterrupt
    # modules in the middle of being loaded make other errors of it: it is said when they are there
    signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, SOON)


def _is_loading(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _die_with(parent: int) -> None:
    """Ask Linux to kill this process when its parent is killed; elsewhere it ends when the work is done."""
    if sys.platform != "linux":
        return
    import ctypes

    set_parent_death_signal = 1
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)
    # it may have gone before that was asked for
    if os.getppid() != parent:
        os._exit(1)


class _Watcher:
    """``asked`` is the signal that the work was asked to end by, ``since`` when."""

    def __init__(self, worker: int, board: Board) -> None:
        self.worker, self.board = worker, board
        self.asked = 0
        self.since = 0.0

    def end(self) -> NoReturn:
        sys.exit(self.wait())

    def wait(self) -> int:
        """The exit code of the worker, or what ended it."""
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        for number in (*_PASSED_ON, signal.SIGCHLD):
            # a signal that was ignored when the program was started (as nohup does) stays so
            if (
                signal.getsignal(number) is not signal.SIG_IGN
                or number is signal.SIGCHLD
            ):
                signal.signal(number, lambda number, frame: None)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _PASSED_ON)
        while True:
            done, status = os.waitpid(self.worker, os.WNOHANG)
            if done:
                return self._code(os.waitstatus_to_exitcode(status))
            for number in self._heard(reader):
                self._pass_on(number)
            message = self._overdue()
            if message is not None:
                self._kill()
                return self._say(message)

    def _heard(self, reader: int) -> bytes:
        ready, _, _ = select.select([reader], [], [], EVERY)
        if not ready:
            return b""
        return bytes(n for n in os.read(reader, 100) if n in _PASSED_ON)

    def _pass_on(self, number: int) -> None:
        if not self.asked:
            self.asked, self.since = number, time.monotonic()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.worker, number)

    def _overdue(self) -> tuple[str, int] | None:
        """(what to say, exit code) where the worker has to be killed."""
        now = time.monotonic()
        deadline, memory, before, stage = self.board.read()
        grace = GRACE
        if not deadline:
            grace = LONGER
        if self.asked and now - self.since > grace:
            word = {signal.SIGINT: "interrupted"}.get(
                signal.Signals(self.asked), "terminated"
            )
            # a worker that ends slowly, on a busy machine
            if stage == TOLD:
                word = ""
            return word, 128 + self.asked
        if deadline and now > deadline + LATE:
            return (
                f"Error: stopped, the time that was allowed is used up, while {stage}: "
                "allow more with --max-seconds, or ask for less",
                2,
            )
        used = _resident(self.worker) if memory else 0
        if used > (before + memory) * SLACK:
            return (
                f"Error: stopped at {_text(used - before)} of memory, "
                f"where {_text(memory)} are allowed, while {stage}: "
                "allow more with --max-memory, or ask for less",
                2,
            )
        return None

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.worker, signal.SIGKILL)
        os.waitpid(self.worker, 0)

    def _code(self, code: int) -> int:
        """A worker that was ended by a signal of its own or of the system says so in one line."""
        # a worker that was interrupted while it was still loading ends with 1
        if self.asked and code in (1, -self.asked):
            return 128 + self.asked
        if code >= 0:
            return code
        name = signal.Signals(-code).name
        stage = self.board.read()[3] or "starting"
        text = f"Error: the system ended the work ({name}), while {stage}"
        return self._say((f"{text}: it may have needed more memory than there is", 2))

    def _say(self, message: tuple[str, int]) -> int:
        text, code = message
        if not text:
            return code
        with contextlib.suppress(OSError):
            if sys.stderr is not None and sys.stderr.isatty():
                # the line of the progress, and the cursor that it hides
                text = f"\r\x1b[K\x1b[?25h{text}"
            os.write(2, f"{text}\n".encode())
        return code


def _text(size: float) -> str:
    """Bytes, as budgets are written; the package is not loaded for it."""
    if size >= 1e9:
        return f"{size / 1e9:.1f}GB"
    return f"{size / 1e6:.0f}MB"


def _resident(process: int) -> int:
    try:
        with open(f"/proc/{process}/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0

"""A budget of time and memory that is watched while work is done.

    with pdobasis.budget(seconds=30, memory="1GB"):
        basis = pdobasis.solve("Ih", "regular", "regular", order=2)

Stages and long loops call :func:`step` or :func:`check`; what goes beyond the budget ends there with a
:class:`~pdobasis.errors.BudgetError`. A budget belongs to the thread (or the task of asyncio) that opened it, and one
inside another never has more than the outer one has left. Without a budget nothing is watched.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf

from pdobasis.bounds.amounts import (
    allowing,
    bytes_text,
    read_bytes,
    read_seconds,
    seconds_text,
)
from pdobasis.bounds.memory import resident
from pdobasis.errors import BudgetError, SizeError
from pdobasis.values import dataclass

EVERY = 0.05
"""Seconds between two looks at the memory: each asks the system."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What is refused beforehand, when it is estimated to need more."""

    seconds: float
    memory: int


DEFAULT = Limits(60.0, 2_000_000_000)
"""Where nothing is said: a minute, and two gigabytes."""


class Watch:
    """One budget: when it ends, how much memory there may be, and what is being done.

    Memory counts from where it was when the budget was opened: what the caller holds is not ours.
    """

    def __init__(
        self, limits: Limits, seconds: float, tell: Callable[[str], None] | None
    ) -> None:
        self.limits = limits
        self.started: float = time.monotonic()
        self.seconds = seconds
        self.before: int = resident()
        self.tell = tell
        self.stage = "starting"
        self.looked: float = 0.0

    def look(self) -> None:
        """Raise when the budget is used up."""
        now = time.monotonic()
        if now - self.started > self.seconds:
            raise _out_of_time(self.seconds, self.stage)
        if now - self.looked < EVERY:
            return
        self.looked = now
        used = resident() - self.before
        if used > self.limits.memory:
            raise _out_of_memory(used, self.limits.memory, self.stage)

    def left(self) -> float:
        return self.started + self.seconds - time.monotonic()


_WATCH: ContextVar[Watch | None] = ContextVar("pdobasis budget", default=None)


@contextmanager
def budget(
    seconds: float | None = None,
    memory: str | float | None = None,
    *,
    watched_seconds: float | None = None,
    tell: Callable[[str], None] | None = None,
) -> Iterator[Watch]:
    """Work inside may take so long and need so much, and is refused beforehand where more is estimated.

    ``tell`` is told what is being done. ``watched_seconds`` ends work at another time than ``seconds``.

    >>> with budget(seconds=5, memory="1GB") as own:
    ...     step("counting", 1, 3)
    ...     own.stage
    'counting: 1 of 3'

    Parameters
    ----------
    seconds : float, optional
        What work may take; a minute where nothing is said, and then it is not watched.
    memory : str or float, optional
        Bytes, or a text such as ``1GB``.
    watched_seconds : float, optional
        When work is ended, if not after ``seconds``.
    tell : callable, optional
        Is told every stage.

    Yields
    ------
    Watch
        The budget, with its ``stage`` and the seconds that are ``left()``.

    Raises
    ------
    BudgetError
        Inside: the budget is used up.
    SizeError
        Inside: something is estimated to need more.
    """
    outer = _WATCH.get()
    limits = _limits(seconds, memory, outer)
    until = watched_seconds or (inf if seconds is None else limits.seconds)
    if outer is not None:
        until = min(until, outer.left())
        tell = tell or outer.tell
    watch = Watch(limits, until, tell)
    token = _WATCH.set(watch)
    try:
        yield watch
    finally:
        _WATCH.reset(token)


@contextmanager
def telling(tell: Callable[[str], None]) -> Iterator[None]:
    """Whoever is told of stages already is told as well; without a budget nobody is."""
    watch = _WATCH.get()
    if watch is None:
        yield
        return
    before = watch.tell

    def both(stage: str) -> None:
        tell(stage)
        if before is not None:
            before(stage)

    watch.tell = both
    try:
        yield
    finally:
        watch.tell = before


def _limits(
    seconds: float | None, memory: str | float | None, outer: Watch | None
) -> Limits:
    base = outer.limits if outer is not None else None
    time_limit = (base or DEFAULT).seconds
    room = (base or DEFAULT).memory
    if seconds is not None:
        time_limit = read_seconds(seconds)
        if base is not None:
            time_limit = min(time_limit, base.seconds)
    if memory is not None:
        room = read_bytes(memory)
        if outer is not None:
            # what was used since the outer one began is gone
            used = max(0, resident() - outer.before)
            room = max(1, min(room, outer.limits.memory - used))
    return Limits(time_limit, room)


def limits() -> Limits:
    """Those of the budget that is open, or the default ones."""
    watch = _WATCH.get()
    if watch is None:
        return DEFAULT
    return watch.limits


def check() -> None:
    """Inside a long loop: raise when the budget is used up."""
    watch = _WATCH.get()
    if watch is not None:
        watch.look()


def step(stage: str, done: int | None = None, total: int | None = None) -> None:
    """Say what is done now, and how far it is; raise when the budget is used up."""
    watch = _WATCH.get()
    if watch is None:
        return
    watch.stage = stage
    if done is not None and total is not None:
        watch.stage = f"{stage}: {done:,} of {total:,}"
    if watch.tell is not None:
        watch.tell(watch.stage)
    watch.look()


def require_room(size: float, what: str) -> None:
    """Refuse an allocation of so many bytes before it is made."""
    watch = _WATCH.get()
    room = limits().memory
    used = 0
    # small ones are seen when the next step looks
    if size < 10_000_000:
        return
    if watch is not None:
        used = max(0, resident() - watch.before)
    if used + size > room:
        raise SizeError(
            f"{what} would take {bytes_text(size)}, beyond the {bytes_text(room)} that are allowed: "
            f"ask for less, or allow it with {allowing(memory=used + size)}"
        )


def _out_of_time(seconds: float, stage: str) -> BudgetError:
    return BudgetError(
        f"stopped after {seconds_text(seconds)}, all that was allowed, while {stage}: "
        f"allow more with {allowing(seconds=3 * seconds)}, or ask for less",
        stage,
    )


def _out_of_memory(used: float, allowed: float, stage: str) -> BudgetError:
    return BudgetError(
        f"stopped at {bytes_text(used)} of memory, where {bytes_text(allowed)} are allowed, while {stage}: "
        f"allow more with {allowing(memory=3 * allowed)}, or ask for less",
        stage,
    )

"""What a piece of work will cost, and its refusal where that is beyond the limits.

A kind of work has *features*, numbers that are known before any work (unknowns, elements of the group, …), and its cost
is $\\sum_k c_k f_k$ with constants of ``constants.py``. The constants belong to the engine of the day:
``python -m benchmarks.estimates --refit`` measures, and writes them.
"""

from __future__ import annotations

from collections.abc import Mapping

from pdobasis.bounds.amounts import allowing, bytes_text, seconds_text
from pdobasis.bounds.constants import CONSTANTS
from pdobasis.bounds.watch import limits
from pdobasis.errors import SizeError
from pdobasis.values import dataclass

Features = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Estimate:
    """Seconds of a processor and bytes of memory.

    >>> print(Estimate(75, 1.5e9) + Estimate(10, 0.1e9))
    about 85 s and 1.6GB
    """

    seconds: float = 0.0
    memory: float = 0.0

    def __add__(self, other: Estimate) -> Estimate:
        return Estimate(self.seconds + other.seconds, self.memory + other.memory)

    def __mul__(self, times: float) -> Estimate:
        """The same work again and again: its memory is given back in between."""
        return Estimate(self.seconds * times, self.memory)

    def __str__(self) -> str:
        return f"about {seconds_text(self.seconds)} and {bytes_text(self.memory)}"

    def require(self, what: str, less: str) -> None:
        """Refuse the work where it is estimated to go beyond the limits; ``less`` says what to ask for instead."""
        allowed = limits()
        seconds, memory = None, None
        if self.seconds > allowed.seconds:
            seconds = 3 * self.seconds
        if self.memory > allowed.memory:
            memory = 2 * self.memory
        if seconds or memory:
            raise SizeError(
                f"{what} would take {self}, beyond the limit of {seconds_text(allowed.seconds)} and "
                f"{bytes_text(allowed.memory)}: {less}, or allow it with {allowing(seconds, memory)}"
            )


def cost(kind: str, features: Features) -> Estimate:
    """The estimate of a kind of work."""
    times, room = CONSTANTS[kind]["seconds"], CONSTANTS[kind]["memory"]
    seconds = memory = 0.0
    for name, value in features.items():
        # most features of a question are zero
        if value:
            seconds += times.get(name, 0.0) * value
            memory += room.get(name, 0.0) * value
    return Estimate(seconds, memory)

"""Seconds and bytes as people write them."""

from __future__ import annotations

import re
from math import isfinite

from pdobasis.errors import SpecError

UNITS = {"": 1, "b": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
BINARY = {"ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}
_AMOUNT = r"(\d{1,15}(?:\.\d{1,9})?)\s*([kmgt]i?)?b?"


def read_bytes(value: str | float, name: str = "memory") -> int:
    """A number of bytes, or a text with a unit.

    >>> read_bytes("2GB"), read_bytes("512 MiB"), read_bytes(1e6)
    (2000000000, 536870912, 1000000)
    """
    if isinstance(value, str):
        found = re.fullmatch(_AMOUNT, value.strip(), re.IGNORECASE)
        if found is None:
            raise SpecError(
                f"{name}={value[:40]!r}: expected bytes, as in 500MB or 2GB"
            )
        number, unit = float(found[1]), (found[2] or "").lower()
        value = number * {**UNITS, **BINARY}[unit]
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
        raise SpecError(
            f"{name}={value!r:.40}: expected bytes above 0, as in 500MB or 2GB"
        )
    if not isfinite(value):
        raise SpecError(f"{name}={value!r}: expected a finite number of bytes")
    return int(value)


def read_seconds(value: float, name: str = "seconds") -> float:
    """A time above zero; infinity lifts the limit."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not value > 0:
        raise SpecError(f"{name}={value!r:.40}: expected seconds above 0, as in 60")
    return float(value)


def bytes_text(size: float) -> str:
    """Two digits, and the unit that :func:`read_bytes` knows.

    >>> bytes_text(2_340_000_000), bytes_text(512_000_000), bytes_text(999)
    ('2.3GB', '510MB', '0.1MB')
    """
    if size >= 1e9:
        return f"{_two_digits(size / 1e9)}GB"
    return f"{_two_digits(max(size / 1e6, 0.1))}MB"


def seconds_text(seconds: float) -> str:
    """
    >>> seconds_text(0.26), seconds_text(75), seconds_text(3700), seconds_text(1e9)
    ('0.3 s', '75 s', '62 minutes', '280,000 hours')
    """
    if seconds < 1:
        return f"{seconds:.1f} s"
    if seconds < 600:
        return f"{seconds:.0f} s"
    if seconds < 36_000:
        return f"{seconds / 60:.0f} minutes"
    return f"{_two_digits(seconds / 3600)} hours"


def allowing(seconds: float | None = None, memory: float | None = None) -> str:
    """What lifts a limit, for whatever was called; on the command line the same are options.

    >>> allowing(seconds=100.5, memory=2.34e9)
    "pdobasis.budget(seconds=110, memory='2.4GB')"
    """
    given = []
    if seconds is not None:
        given.append(f"seconds={above(seconds)}")
    if memory is not None:
        wish = bytes_text(above(memory / 1e6) * 1e6).replace(",", "")
        given.append(f"memory='{wish}'")
    return f"pdobasis.budget({', '.join(given)})"


def above(value: float) -> float:
    """The next number of two digits: what to ask for if so much is needed.

    >>> above(61.2), above(1234), above(0.5)
    (62, 1300, 1)
    """
    step = 1
    while value / step > 100:
        step *= 10
    return -int(-value // step) * step


def _two_digits(value: float) -> str:
    if value < 10:
        return f"{value:.1f}"
    step = 1
    while value / step >= 100:
        step *= 10
    return f"{round(value / step) * step:,}"

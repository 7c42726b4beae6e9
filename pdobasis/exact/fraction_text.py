"""Rational numbers that strangers write: ``1/2``, ``0.25``, ``1e-3``; bounded before anything is computed."""

from __future__ import annotations

import re
from fractions import Fraction

MAX_DIGITS = 320
"""Of a numerator or a denominator: a file writes 1e-300 as a fraction."""
MAX_EXPONENT = 300
"""Powers of ten that a float holds, with room for a step."""

_DECIMAL = r"\d*\.?\d*(?:[eE][-+]?\d{1,9})?"
_NUMBER = re.compile(rf"[-+]?(?:\d+/\d+|(?=\.?\d){_DECIMAL})", re.ASCII)


def parse_fraction(text: str) -> Fraction:
    """A rational number; ValueError for anything else, ZeroDivisionError for 1/0.

    ``Fraction("1e-999999999")`` is a short text and a number that fills the memory, so its size is seen first.

    >>> parse_fraction("-3/4"), parse_fraction(" 1e-3 ")
    (Fraction(-3, 4), Fraction(1, 1000))
    """
    text = text.strip()
    if len(text) > 2 * MAX_DIGITS + 2 or not _NUMBER.fullmatch(text):
        raise ValueError(f"not a number such as 1, 0.5 or 1/3: {text[:40]!r}")
    mantissa, _, exponent = text.lower().partition("e")
    digits = max(len(part) for part in mantissa.split("/"))
    if digits > MAX_DIGITS or abs(int(exponent or "0")) > MAX_EXPONENT:
        raise ValueError(
            f"more than {MAX_DIGITS} digits, or a power of ten beyond {MAX_EXPONENT}: {text[:40]!r}"
        )
    return Fraction(text)

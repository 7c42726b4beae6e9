"""The small grammar that names of groups share: ``NAME(a,b)``, whole numbers, angles, letters with an index."""

from __future__ import annotations

import re
from fractions import Fraction

from pdobasis.errors import GroupError, SpecError
from pdobasis.groups.families import Wish
from pdobasis.values import dataclass

MAX_DIM = 24

_INDEXED = r"([CDS])_?(\d+)([vhd]?)(?:\((.*)\))?$"
_CALL = r"([A-Za-z]+\+?)(?:\((.*)\))?$"


def call(text: str) -> tuple[str, list[str]] | None:
    """``NAME`` or ``NAME(a,b)`` as the name and its arguments."""
    match = re.match(_CALL, text)
    if match is None:
        return None
    inner = match.group(2)
    if inner is None or not inner.strip():
        return match.group(1), []
    return match.group(1), [a.strip() for a in inner.split(",")]


@dataclass(frozen=True, slots=True)
class Indexed:
    """C4, D8(pi/8), D4h, S6: a letter, the order of the rotation, a suffix, the angle of a mirror line."""

    letter: str
    n: int
    suffix: str
    axis: str | None
    spatial: bool


def indexed(wish: Wish) -> Indexed | None:
    """A letter with an index, in the plane or in space; refused where there is no such group."""
    match = re.match(_INDEXED, wish.text)
    if match is None:
        return None
    letter, digits, suffix, axis = match.groups()
    # the number itself is not worth printing
    if len(digits) > 7:
        raise GroupError(
            f"{letter}{digits[:6]}...: the number is absurdly large; at most {wish.limit} elements are made"
        )
    n = int(digits)
    if n < 1:
        raise GroupError(f"{wish.text}: the rotation order has to be at least 1")
    _require_few(wish, letter, n, suffix)
    spatial = bool(suffix) or letter == "S" or wish.dim == 3
    if not spatial and wish.dim not in (None, 2):
        raise GroupError(f"{wish.text} acts in dimension 2 or 3, not {wish.dim}")
    if axis is not None and (spatial or letter != "D"):
        raise SpecError(
            f"{wish.text}: a mirror angle goes with the planar D_N and flip, as in D{n}(pi/4)"
        )
    return Indexed(letter, n, suffix, axis, spatial)


def _require_few(wish: Wish, letter: str, n: int, suffix: str) -> None:
    """Before any matrix is made: its field grows with n."""
    elements = n
    if letter == "D" or suffix:
        elements *= 2
    # twofold axes and mirrors
    if letter == "D" and suffix:
        elements *= 2
    if elements > wish.limit:
        raise GroupError(
            f"{wish.text} has at least {elements} elements, beyond the limit of {wish.limit} (max_elements= raises it)"
        )


def turns(text: str) -> Fraction:
    """An angle such as pi/4, in multiples of pi."""
    if text.strip() == "0":
        return Fraction(0)
    match = re.fullmatch(
        r"(-?)([0-9]{0,6})\*?pi(?:/([1-9][0-9]{0,5}))?", text.replace(" ", "")
    )
    if match is not None:
        sign, top, bottom = match.groups()
        angle = Fraction(int(f"{sign}{top or 1}"), int(bottom or 1))
        # a line and the line turned by pi are the same
        return angle % 1
    raise SpecError(
        f"cannot read the angle {text!r}: write a multiple of pi such as pi/4 or 3*pi/8"
    )


def angle_text(axis: Fraction) -> str:
    """The inverse of :func:`turns`."""
    text = "pi"
    if axis.numerator != 1:
        text = f"{axis.numerator}*pi"
    if axis.denominator != 1:
        text += f"/{axis.denominator}"
    return text


def whole(text: str, parts: list[str], count: int, low: int = 1) -> list[int]:
    """Dimensions: ``count`` whole numbers whose sum is one that is handled."""
    if len(parts) != count or not all(p.isascii() and p.isdigit() for p in parts):
        example = {1: "SO(3)", 2: "SO(1,3)"}[count]
        raise SpecError(
            f"{text}: expected {count} whole number{'s' * (count > 1)} in brackets, as in {example}"
        )
    # six digits are beyond every limit, and int() of very many would take its time
    values = [int(p[:6]) for p in parts]
    if any(v < low for v in values) or sum(values) > MAX_DIM:
        raise GroupError(
            f"{text}: the dimension has to be from {max(low, 1)} to {MAX_DIM}"
        )
    return values

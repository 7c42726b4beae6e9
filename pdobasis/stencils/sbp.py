r"""Derivatives with summation by parts: the classical operators of order 2 and 4 with a diagonal norm, in fractions.

With H = diag(h) > 0, B = diag(-1, 0, …, 0, 1) and S the derivative at both ends,

$$H D_1 = Q, \quad Q + Q^T = B, \qquad H D_2 = -M + B S, \quad M = M^T \ge 0:$$

what integration by parts says of ∂ and ∂². Inside, windows of 3 nodes have the order 2 and those of 5 the order 4; near
the ends, by the theorem of Kreiss and Scherer, it is half of that for ∂ (Strand 1994; Mattsson and Nordström 2004).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeVar

from pdobasis.errors import SpecError

T = TypeVar("T")
Entries = dict[tuple[int, int], Fraction]

NORMS = {3: ["1/2"], 5: ["17/48", "59/48", "43/48", "49/48"]}
"""h of the points near the lower end, in steps, by size; 1 after that."""

FIRST = {
    3: (["-1/2", "0", "1/2"], [["-1/2", "1/2"]]),
    5: (
        ["1/12", "-2/3", "0", "2/3", "-1/12"],
        [
            ["-1/2", "59/96", "-1/12", "-1/32"],
            ["-59/96", "0", "59/96"],
            ["1/12", "-59/96", "0", "59/96", "-1/12"],
            ["1/32", "0", "-59/96", "0", "2/3", "-1/12"],
        ],
    ),
}
"""Q: the row inside, and those of the first points."""

SECOND = {
    3: (["1", "-2", "1"], [["-1", "1"]]),
    5: (
        ["-1/12", "4/3", "-5/2", "4/3", "-1/12"],
        [
            ["-9/8", "59/48", "-1/12", "-1/48"],
            ["59/48", "-59/24", "59/48"],
            ["-1/12", "59/48", "-55/24", "59/48", "-1/12"],
            ["-1/48", "0", "59/48", "-59/24", "4/3", "-1/12"],
        ],
    ),
}
"""-M."""

SLOPES = {3: ["-3/2", "2", "-1/2"], 5: ["-11/6", "3", "-3/2", "1/3"]}
"""S: the derivative at the lower end."""


def sbp_norm(count: int, size: int) -> list[Fraction]:
    """h_1, …, h_N in steps: a quadrature.

    >>> [str(h) for h in sbp_norm(4, 3)]
    ['1/2', '1', '1', '1/2']
    """
    start = [Fraction(h) for h in _table(NORMS, count, size)]
    return start + [Fraction(1)] * (count - 2 * len(start)) + start[::-1]


def sbp_derivative(count: int, size: int, order: int) -> Entries:
    """H D_m on N points at distance 1, for m = 0, 1, 2."""
    if order == 0:
        return {(k, k): h for k, h in enumerate(sbp_norm(count, size))}
    if order == 1:
        return _banded(_table(FIRST, count, size), count, -1)
    if order == 2:
        entries = _banded(_table(SECOND, count, size), count, 1)
        for j, text in enumerate(SLOPES[size]):
            slope = Fraction(text)
            # B S: minus the slope at the lower end, plus that at the upper one, which is minus its mirror image.
            for place in ((0, j), (count - 1, count - 1 - j)):
                entries[place] = entries.get(place, Fraction(0)) - slope
        return {place: v for place, v in entries.items() if v}
    raise SpecError(
        f"summation by parts is there for derivatives of order 1 and 2 along an axis, not {order}: use "
        'boundary="one-sided" or a lower order'
    )


def _banded(
    table: tuple[list[str], list[list[str]]], count: int, parity: int
) -> Entries:
    """A row inside, rows near the lower end, and their mirror images (times ±1) near the upper one."""
    inside, first = table
    half = len(inside) // 2
    out: Entries = {}
    for k in range(len(first), count - len(first)):
        for j, text in enumerate(inside):
            out[k, k + j - half] = Fraction(text)
    for k, row in enumerate(first):
        for j, text in enumerate(row):
            out[k, j] = Fraction(text)
            out[count - 1 - k, count - 1 - j] = parity * Fraction(text)
    return {place: v for place, v in out.items() if v}


def _table(tables: dict[int, T], count: int, size: int) -> T:
    if size not in tables:
        raise SpecError(
            f"summation by parts is there for windows of 3 nodes (order 2) and 5 (order 4), not {size}: use size=3 or 5"
        )
    least = 2 * len(NORMS[size]) + size // 2
    if count < least:
        raise SpecError(
            f"summation by parts with windows of {size} nodes needs {least} points along an axis, got {count}"
        )
    return tables[size]

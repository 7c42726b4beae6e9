r"""$\cos(q\pi)$ and $\sqrt q$ for rational q, each in the smallest field of
ours that holds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.arithmetic import squarefree
from pdobasis.exact.array import ExactArray, exact, integers, lowest
from pdobasis.exact.cosines import places
from pdobasis.exact.field import (
    Field,
    cyclotomic,
    radical,
    square_root,
    two_cos,
)
from pdobasis.exact.integers import INT_LIMIT
from pdobasis.exact.types import IntArray

TWICE = {
    Fraction(0): 2,
    Fraction(1, 3): 1,
    Fraction(1, 2): 0,
    Fraction(2, 3): -1,
    Fraction(1): -2,
}
"""q to 2cos(q pi), where it is rational (Niven's theorem)."""


@remembered
def cosine(q: Fraction) -> ExactArray:
    """cos(q pi).

    >>> cosine(Fraction(1, 3)).fraction()
    Fraction(1, 2)
    >>> str(cosine(Fraction(2, 5)).field)
    'Q(2cos(2pi/5))'
    """
    field = cyclotomic(2 * q.denominator)
    if field.is_rational:
        q = q % 2
        doubled = integers(TWICE[min(q, 2 - q)])
        return doubled.scale(Fraction(1, 2))
    return exact(np.array(_two_cos(q, field)), 2, field)


def _two_cos(q: Fraction, field: Field) -> list[int]:
    """2cos(q pi) = 2cos(2 pi k/M) with k = q M/2."""
    k = q * field.conductor / 2
    if k.denominator == 1:
        return two_cos(int(k), field)
    # M is odd, and so is the numerator of q: cos(t) = -cos(t + pi).
    opposite = two_cos(int(k + Fraction(field.conductor, 2)), field)
    return [-v for v in opposite]


def angle_of(point: ExactArray) -> int | None:
    r"""k where the point is $(\cos, \sin)(2\pi k/M)$, M being the conductor of its field; else None.

    >>> angle_of(on_circle(7, cyclotomic(20)))
    7
    """
    m = point.field.conductor
    if m % 4 or point.denominator > 2 or point.numerators.dtype == object:
        return None
    doubled = point.numerators * (2 // point.denominator)
    k = places(m).get(doubled[0].tobytes())
    if k is None:
        return None
    # The cosine leaves two angles.
    for angle in (k, -k % m):
        if np.array_equal(doubled[1], two_cos(angle - m // 4, point.field)):
            return angle
    return None


def on_circle(k: int, field: Field) -> ExactArray:
    r"""$(\cos, \sin)(2\pi k/M)$, where 4 divides the conductor M."""
    # sin t = cos(t - pi/2)
    both = [two_cos(k, field), two_cos(k - field.conductor // 4, field)]
    return exact(np.array(both), 2, field)


def root(q: Fraction) -> ExactArray:
    """sqrt(q) for a positive rational: sqrt(a/b) = sqrt(a b) / b."""
    factor, rest = with_root(q)
    field = radical(rest)
    value = exact(np.array(square_root(rest, field)), 1, field)
    return value.scale(factor)


def times_ratios(values: ExactArray, squares: Sequence[Fraction]) -> ExactArray:
    r"""$v_{ij}\sqrt{s_i / s_j}$ for a square matrix of rational numbers, over the field of all such roots.

    >>> times_ratios(ratios([Fraction(1), Fraction(4)], [Fraction(1)] * 2), [Fraction(2), Fraction(1)])
    <ExactArray [[1, sqrt(2)], [sqrt(2), 2]]>
    """
    field = radical(*(with_root(s / squares[0])[1] for s in squares))
    rows, columns = np.nonzero(values.numerators[..., 0])
    numbers = values.numerators[rows, columns, 0].tolist()
    every: list[tuple[Fraction, int]] = []
    for i, j, v in zip(rows.tolist(), columns.tolist(), numbers, strict=True):
        factor, rest = with_root(squares[i] / squares[j])
        every.append((factor * v / values.denominator, rest))
    # fractions in lowest terms over their least common denominator are in lowest terms together
    common = lcm(*(q.denominator for q, _ in every))
    place = {r: k for k, r in enumerate(field.radicands)}
    whole = [int(q * common) for q, _ in every]
    dtype: type = np.int64
    if max(map(abs, whole), default=0) >= INT_LIMIT:
        dtype = object
    out: IntArray = np.zeros((*values.shape, field.degree), dtype=dtype)
    out[rows, columns, [place[rest] for _, rest in every]] = whole
    return lowest(out, common, field)


def with_root(q: Fraction) -> tuple[Fraction, int]:
    """(c, r) with c sqrt(r) = sqrt(q), r squarefree."""
    square, rest = squarefree(q.numerator * q.denominator)
    return Fraction(square, q.denominator), rest


def ratios(rows: Sequence[Fraction], columns: Sequence[Fraction]) -> ExactArray:
    """sqrt(u / v) for every u of the rows and v of the columns, all positive.

    >>> ratios([Fraction(1), Fraction(2)], [Fraction(2)])
    <ExactArray [[sqrt(2)/2], [1]]>
    """
    # a number of one square root each: they are put down in their places
    found: dict[Fraction, tuple[Fraction, int]] = {}
    for q in {u / v for u in rows for v in columns}:
        found[q] = with_root(q)
    field = radical(*(rest for _, rest in found.values()))
    common = lcm(*(factor.denominator for factor, _ in found.values()))
    place = {r: k for k, r in enumerate(field.radicands)}
    out = np.zeros((len(rows), len(columns), field.degree), dtype=object)
    for i, u in enumerate(rows):
        for j, v in enumerate(columns):
            factor, rest = found[u / v]
            out[i, j, place[rest]] = int(factor * common)
    return exact(out, common, field)

r"""The constraint for a rotation by an indeterminate angle, at rational points of the circle.

Every point of the plane is a multiple of $R(\varphi) e_1$, and $\rho(R(\theta + \varphi)) = \rho(R(\theta))
\rho(R(\varphi))$. So a homogeneous P satisfies (1) for all rotations when $P(c, s)\,\rho_{in}(c, s) = \rho_{out}(c, s)
P(1, 0)$ for all $c^2 + s^2 = 1$. Both sides are polynomials in c and s, trigonometric polynomials of a degree D that is
known: they are equal when they are at 2D + 1 points of the circle. Points $(u/w, v/w)$ of small height are taken, and
denominators are cleared; then all numbers are whole, and as long as they are below $2^{53}$ float64 holds them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import lcm

import numpy as np
from numpy.typing import NDArray

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray
from pdobasis.exact.integers import bound
from pdobasis.exact.types import IntArray
from pdobasis.proof.batch import Batch
from pdobasis.proof.points import powers

Power = tuple[int, int]
Circular = dict[Power, ExactArray]
"""Matrices over Q[c, s]: (power of c, power of s <= 1) to coefficients."""
Whole = NDArray[np.float64]
TRIPLES = ((3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (20, 21, 29))
"""Of Pythagoras: eight points of the circle each."""
EXACT = 1 << 53
LARGEST = 200_000
"""Numbers of P, zeros included, at all points of the circle."""


def agrees_at_points(
    batch: Batch, rho_in: Sequence[Circular], rho_out: Sequence[Circular]
) -> bool | None:
    """For the sums of these representations; None where numbers are large, or not rational."""
    matrices = [m for rho in (*rho_in, *rho_out) for m in rho.values()]
    if not all(m.field.is_rational for m in (batch.coefficients, *matrices)):
        return None
    degrees = [max(sum(e) for rho in side for e in rho) for side in (rho_in, rho_out)]
    # P adds its order on the left, and nothing on the right
    top = max(degrees[0] + batch.high, degrees[1])
    points = _points(2 * top + 1)
    if points is None or len(points) * batch.size * _places(batch) > LARGEST:
        return None
    # powers are at most this, and with them every term that is added up to a matrix
    highest = int(points[:, 2].max()) ** top
    common = lcm(*(m.denominator for m in matrices))
    if highest * common * sum(bound(m.numerators) for m in matrices) >= EXACT:
        return None
    left, a = _sum(rho_in, points, top - batch.high)
    right, b = _sum(rho_out, points, top)
    here = _monomials(points, batch.low, batch.high)
    most = bound(batch.coefficients.numerators)
    terms = here.shape[1] * max(batch.shape)
    # every number of both sides, and every sum on the way, is below this
    sides = _largest(here) * _largest(left) * b + _largest(right) * a
    if (most + 1) * terms * (sides + a + b) >= EXACT:
        return None
    return _agree(batch, here, left * b, right * a)


def _agree(batch: Batch, here: Whole, left: Whole, right: Whole) -> bool:
    """P(c, s) rho_in = rho_out P(1, 0), with rho (points, size, size) and the monomials (points, monomials)."""
    numbers = batch.coefficients.numerators[..., 0].astype(np.float64)
    place = batch.element, batch.row, batch.column
    count, (rows, columns) = len(here), batch.shape
    turned = np.zeros((count, batch.size, rows, columns))
    turned[:, *place] = here @ numbers.T
    # of the monomials of an order only the first, a power of x1, is not zero at (1, 0)
    fixed = np.zeros((rows, batch.size, columns))
    fixed[batch.row, batch.element, batch.column] = numbers @ _at_one(batch)
    one = turned.reshape(count, batch.size * rows, columns) @ left
    other = right @ fixed.reshape(rows, batch.size * columns)
    other = other.reshape(count, rows, batch.size, columns)
    found = one.reshape(count, batch.size, rows, columns)
    return np.array_equal(found, other.transpose(0, 2, 1, 3))


def _at_one(batch: Batch) -> Whole:
    """The monomials at (1, 0)."""
    alphas = powers(2, batch.low, batch.high)
    return np.asarray(alphas[:, 1] == 0, dtype=np.float64)


def _places(batch: Batch) -> int:
    rows, columns = batch.shape
    return rows * columns


def _largest(values: Whole) -> int:
    return int(np.abs(values).max(initial=0))


def _monomials(points: IntArray, low: int, high: int) -> Whole:
    """w^N c^a s^b, (points, monomials)."""
    u, v, w = (_powers(own, high) for own in points.T)
    a, b = powers(2, low, high).T
    return np.asarray(u[:, a] * v[:, b] * w[:, high - a - b])


def _sum(parts: Sequence[Circular], points: IntArray, top: int) -> tuple[Whole, int]:
    """w^top rho(c, s) of a direct sum without the denominator, (points, size, size), and the denominator."""
    denominator = lcm(*(m.denominator for rho in parts for m in rho.values()))
    u, v, w = (_powers(own, top) for own in points.T)
    sizes = [len(next(iter(rho.values()))) for rho in parts]
    out = np.zeros((len(points), sum(sizes), sum(sizes)))
    start = 0
    for rho, size in zip(parts, sizes, strict=True):
        at = np.stack([u[:, a] * v[:, b] * w[:, top - a - b] for a, b in rho])
        images = [_numerators(m, denominator) for m in rho.values()]
        own = at.T @ np.stack(images)
        end = start + size
        out[:, start:end, start:end] = own.reshape(len(points), size, size)
        start = end
    return out, denominator


def _numerators(m: ExactArray, denominator: int) -> Whole:
    """Over a common denominator, as one row."""
    numbers = m.numerators.ravel().astype(np.float64)
    return np.asarray(numbers * (denominator // m.denominator))


def _powers(values: IntArray, top: int) -> Whole:
    # whole numbers: a power in floating point need not be the nearest number
    return (values[:, None] ** np.arange(top + 1)).astype(np.float64)


@remembered
def _points(count: int) -> IntArray | None:
    """(u, v, w) with u^2 + v^2 = w^2, no two of them the same point; None where so many are not at hand.

    >>> _points(5).tolist()
    [[1, 0, 1], [-1, 0, 1], [0, 1, 1], [0, -1, 1], [3, 4, 5]]
    """
    found = list(_all_points())[:count]
    if len(found) < count:
        return None
    return np.array(found, dtype=np.int64)


def _all_points() -> Iterator[tuple[int, int, int]]:
    yield from ((1, 0, 1), (-1, 0, 1), (0, 1, 1), (0, -1, 1))
    for a, b, w in TRIPLES:
        for u, v in ((a, b), (b, a)):
            yield from ((u, v, w), (u, -v, w), (-u, v, w), (-u, -v, w))

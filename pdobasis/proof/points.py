r"""Monomials, and the points at which polynomials are compared: listed here, not where the solvers list theirs.

The order of the monomials is that of the coefficients of a symbol: $x_1$ first, $x_1^2, x_1 x_2, x_2^2$.
"""

from __future__ import annotations

from itertools import chain, combinations_with_replacement
from math import comb

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, concatenate, integers
from pdobasis.exact.integers import INT_LIMIT, bound
from pdobasis.exact.types import IndexArray, IntArray

SAFE_ORDER = 15
"""n^n fits into int64, as do the n-fold drifts of monomials on the lattice of order n."""


def number_of_monomials(dim: int, order: int) -> int:
    """Orders below 0 have none.

    >>> [number_of_monomials(3, n) for n in (-1, 0, 1, 2)]
    [0, 1, 3, 6]
    """
    if order < 0:
        return 0
    return comb(order + dim - 1, dim - 1)


@remembered
def powers(dim: int, low: int, high: int) -> IntArray:
    """The exponents of all monomials of orders ``low`` to ``high``, one row each.

    >>> powers(2, 1, 2).tolist()
    [[1, 0], [0, 1], [2, 0], [1, 1], [0, 2]]
    """
    blocks = [np.zeros((0, dim), dtype=np.int64)]
    blocks += [_of_order(dim, n) for n in range(low, high + 1)]
    out = np.concatenate(blocks)
    out.setflags(write=False)
    return out


@remembered
def _of_order(dim: int, order: int) -> IntArray:
    """Those of one order: many questions about several orders have it in common."""
    factors = np.array(_factors(dim, order), dtype=np.int64)
    shape = (number_of_monomials(dim, order), order, 1)
    return np.asarray((factors.reshape(shape) == np.arange(dim)).sum(axis=1))


@remembered
def _factors(dim: int, order: int) -> tuple[tuple[int, ...], ...]:
    """The numbers of the variables of every monomial: as sorted lists they come in the order that is wanted."""
    return tuple(combinations_with_replacement(range(dim), order))


@remembered
def where(dim: int, low: int, high: int) -> dict[tuple[int, ...], int]:
    """The position of every exponent among those of orders ``low`` to ``high``."""
    return {tuple(alpha): k for k, alpha in enumerate(powers(dim, low, high).tolist())}


@remembered
def halves(dim: int, low: int, high: int) -> tuple[IndexArray, IndexArray]:
    """Two factors of every monomial of orders ``low`` to ``high``, by their positions among those up to half of that.

    >>> [own.tolist() for own in halves(2, 1, 2)]  # x1 1, x2 1, x1 x1, x1 x2, x2 x2 with 1, x1, x2 for the factors
    [[1, 2, 1, 1, 2], [0, 0, 1, 2, 2]]
    """
    known = (_factors(dim, n) for n in range((high + 1) // 2 + 1))
    places = {own: k for k, own in enumerate(chain.from_iterable(known))}
    left, right = [], []
    for n in range(low, high + 1):
        middle = (n + 1) // 2
        # both parts of a sorted list are sorted, so that they are in the dictionary as they stand
        for own in _factors(dim, n):
            left.append(places[own[:middle]])
            right.append(places[own[middle:]])
    return np.array(left, dtype=np.int64), np.array(right, dtype=np.int64)


@remembered
def times_square(dim: int, low: int, high: int) -> IndexArray:
    """Row i: the positions of $x_i^2 x^\\alpha$ among the monomials of orders low + 2 to high + 2.

    >>> times_square(2, 1, 1).tolist()  # x1^3, x1^2 x2; x1 x2^2, x2^3
    [[0, 1], [2, 3]]
    """
    # before a monomial stand all of lower order, then those with more of x_1, with as many and more of x_2, and so on:
    # with n left for x_k, …, x_d, all that are of lower order in these
    left = powers(dim, low, high)[:, ::-1].cumsum(axis=1)[:, ::-1]
    variables = np.arange(dim)
    earlier = [
        [number_of_monomials(k + 1, n - 1) for k in range(dim, 0, -1)]
        for n in range(high + 3)
    ]
    # x_i^2 is left for x_i and all variables before it
    more = 2 * (variables[:, None] >= variables)
    found = np.array(earlier)[left + more[:, None], variables].sum(axis=2)
    return np.asarray(found - number_of_monomials(dim + 1, low + 1))


def lattice(dim: int, order: int) -> IntArray:
    r"""Integer points on which no homogeneous polynomial of order k <= n vanishes but 0: $\{|a| = n\}$.

    On the plane $x_1 + \dots + x_d = n$ it is a polynomial of order at most k in $x_2, \dots, x_d$, and the points are
    all with $x_2 + \dots + x_d \le n$: where it vanishes there it vanishes on the plane, and so on all multiples of it.
    An element is homogeneous, so that one lattice serves elements of several orders.
    """
    return powers(dim, order, order)


@remembered
def on_lattice(dim: int, low: int, high: int) -> ExactArray:
    """All monomials at all points of the lattice, (points, monomials)."""
    return evaluation(integers(lattice(dim, high)), powers(dim, low, high))


@remembered
def gradients(
    dim: int, low: int, high: int, used: tuple[int, ...] | None = None
) -> ExactArray:
    """The partial derivatives of all monomials at all points of the lattice, (points, directions, monomials).

    Or of those that are ``used``, by their positions.
    """
    alphas = powers(dim, low, high)
    if used is not None:
        alphas = alphas[list(used)]
    points = lattice(dim, high)
    if high > SAFE_ORDER:
        points = points.astype(object)
    out = []
    for i in range(dim):
        # where x_i does not occur the power is clipped, and the factor alpha_i = 0 removes it
        lowered = alphas.copy()
        lowered[:, i] = np.maximum(lowered[:, i] - 1, 0)
        out.append(np.prod(points[:, None, :] ** lowered, axis=-1) * alphas[:, i])
    return integers(np.stack(out, axis=1))


def evaluation(points: ExactArray, alphas: IntArray) -> ExactArray:
    r"""The matrix (points, monomials) of the values $y^\alpha$, for points of shape (k, d) and exponents (m, d).

    >>> evaluation(integers([[2, 3]]), powers(2, 2, 2)).numerators[..., 0].tolist()
    [[4, 6, 9]]
    """
    k, dim = points.shape
    plain = points.numerators[..., 0]
    largest = int(alphas.sum(axis=1).max(initial=0))
    # no value exceeds (the largest coordinate)^order
    if (
        points.field.is_rational
        and points.denominator == 1
        and max(bound(plain), 1) ** largest < INT_LIMIT
    ):
        return integers(np.prod(plain[:, None, :] ** alphas, axis=-1))
    steps = [integers(np.ones((k, dim), dtype=np.int64), points.field)]
    for _ in range(int(alphas.max(initial=0))):
        steps.append(steps[-1] * points)
    table = concatenate(
        [p.reshape(1, k, dim) for p in steps]
    )  # (power, point, variable)
    value = table[alphas[:, 0], :, 0]
    for i in range(1, dim):
        value = value * table[alphas[:, i], :, i]
    return value.T

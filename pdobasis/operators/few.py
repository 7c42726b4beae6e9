"""Symbols of few rational numbers, as dictionaries of Python's integers: calls of NumPy would take longer than they.

An element is the numerators of its coefficients, which span the same line whatever their denominator is.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, prod

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import exact
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.integers import narrow
from pdobasis.exact.polynomials import count, monomials, position
from pdobasis.operators.symbols import Symbols, empty

Place = tuple[int, int, int]
"""(row, column, number of the monomial)."""
Few = dict[Place, int]
"""The coefficients of an element that are not zero, in increasing order of their places."""
Table = list[list[tuple[int, int]]]
"""What a linear map makes of every monomial, over those of another order."""

MOST = 400
"""Numbers of an order, up to which this is the faster road."""


def are_few(part: Symbols) -> bool:
    values = part.coefficients
    return values.numerators.size <= MOST and values.field.is_rational


def elements_of(part: Symbols) -> list[Few]:
    out: list[Few] = [{} for _ in range(part.size)]
    lines = part.coefficients.numerators[..., 0].tolist()
    index = (side.tolist() for side in part.index)
    for k, r, c, line in zip(*index, lines, strict=True):
        own = out[k]
        for alpha, v in enumerate(line):
            if v:
                own[r, c, alpha] = v
    return out


def coprime(
    elements: Sequence[Few], dim: int, order: int, shape: tuple[int, int]
) -> Symbols:
    """As symbols, each scaled to coprime integers, the first positive (:func:`.symbols.tidy`)."""
    if not elements:
        return empty(dim, order, shape)
    index: list[tuple[int, int, int]] = []
    table: list[list[int]] = []
    size = count(dim, order)
    for k, own in enumerate(elements):
        factor = gcd(*own.values())
        if next(iter(own.values())) < 0:
            factor = -factor
        last = (-1, -1)
        for (r, c, alpha), v in own.items():
            if (r, c) != last:
                last = (r, c)
                index.append((k, r, c))
                table.append([0] * size)
            table[-1][alpha] = v // factor
    element, row, column = np.array(index, dtype=np.int64).T.copy()
    numbers = narrow(np.array(table, dtype=object)).reshape(len(table), size, 1)
    values = exact(numbers, 1, RATIONALS)
    return Symbols(dim, order, len(elements), shape, element, row, column, values)


def harmonic_part(own: Few, dim: int, order: int) -> Few:
    """The harmonic part of an element, up to a positive factor that depends on the order alone."""
    found: dict[Place, int] = {}
    table = _harmonic(dim, order)
    for (r, c, alpha), v in own.items():
        for beta, w in table[alpha]:
            found[r, c, beta] = found.get((r, c, beta), 0) + v * w
    return {place: found[place] for place in sorted(found) if found[place]}


@remembered
def _harmonic(dim: int, order: int) -> Table:
    r"""A multiple of $\Pi x^\alpha = \sum_j c_j\, r^{2j} \Delta^j x^\alpha$ for every alpha, over the monomials.

    $c_0 = 1$ and $c_j = -c_{j-1} / (2j\,(d + 2n - 2j - 2))$ (:mod:`.laplacian`), so $c_j$ times the product of all
    these denominators is a whole number.

    >>> _harmonic(2, 2)
    [[(0, 2), (2, -2)], [(1, 4)], [(0, -2), (2, 2)]]
    """
    steps = [-2 * j * (dim + 2 * order - 2 * j - 2) for j in range(1, order // 2 + 1)]
    weight = prod(steps)
    out = [{alpha: weight} for alpha in range(count(dim, order))]
    # Delta^j of every monomial, and r^{2j} of that
    down = [{alpha: 1} for alpha in range(count(dim, order))]
    for j, step in enumerate(steps, start=1):
        weight //= step
        lowering = _laplacians(dim, order - 2 * j + 2)
        down = [_linear(own, lowering) for own in down]
        up = down
        for n in range(order - 2 * j, order, 2):
            raising = _squares(dim, n)
            up = [_linear(own, raising) for own in up]
        for total, own in zip(out, up, strict=True):
            for beta, v in own.items():
                total[beta] = total.get(beta, 0) + weight * v
    # one sign for all
    sign = 1 if prod(steps) > 0 else -1
    return [sorted((beta, sign * v) for beta, v in own.items() if v) for own in out]


def _linear(polynomial: dict[int, int], table: Table) -> dict[int, int]:
    out: dict[int, int] = {}
    for alpha, v in polynomial.items():
        for beta, w in table[alpha]:
            out[beta] = out.get(beta, 0) + v * w
    return out


@remembered
def _laplacians(dim: int, order: int) -> Table:
    where = position(dim, order - 2)
    out = []
    for powers in monomials(dim, order):
        own = []
        for i, n in enumerate(powers):
            if n > 1:
                own.append((where[*powers[:i], n - 2, *powers[i + 1 :]], n * (n - 1)))
        out.append(own)
    return out


@remembered
def _squares(dim: int, order: int) -> Table:
    """r^2 times every monomial."""
    where = position(dim, order + 2)
    out = []
    for powers in monomials(dim, order):
        own = []
        for i, n in enumerate(powers):
            own.append((where[*powers[:i], n + 2, *powers[i + 1 :]], 1))
        out.append(own)
    return out


def is_multiple(a: Few, b: Few) -> bool:
    """Whether both span one line."""
    if a.keys() != b.keys():
        return False
    first = next(iter(a))
    u, v = a[first], b[first]
    return all(a[place] * v == b[place] * u for place in a)

"""Symbols of few numbers, as dictionaries of Python's integers: calls of NumPy would take longer than they.

An element is the numerators of its coefficients, which span the same line whatever their denominator is. Over a field
they are the images of numbers, whose digits are the coordinates (:mod:`pdobasis.exact.packed`): what is linear over Q
does the same to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from math import gcd, prod
from typing import TYPE_CHECKING

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import RATIONALS, Field
from pdobasis.exact.integers import bound
from pdobasis.exact.polynomials import count, monomials, position
from pdobasis.operators.symbols import Symbols, empty

if TYPE_CHECKING:
    from pdobasis.exact.packed import Packed

Place = tuple[int, int, int]
"""(row, column, number of the monomial)."""
Few = dict[Place, int]
"""The coefficients of an element that are not zero, in increasing order of their places."""
Table = list[list[tuple[int, int]]]
"""What a linear map makes of every monomial, over those of another order."""

MOST = 400
"""Coefficients of an order, up to which this is the faster road."""


def _packed(field: Field) -> Packed | None:
    if field.is_rational:
        return None
    # loaded where a field is needed, which a short command has no use for
    from pdobasis.exact.packed import packed

    return packed(field)


def are_few(part: Symbols) -> bool:
    """Over Q, or over a field whose numbers have images."""
    values = part.coefficients
    if values.numerators.size > MOST * values.field.degree:
        return False
    if values.field.is_rational:
        return True
    at = _packed(values.field)
    return at is not None and bound(values.numerators) < at.room


def are_few_rational(part: Symbols) -> bool:
    """Rational numbers, whatever field they are written in."""
    numbers, degree = part.coefficients.numerators, part.coefficients.field.degree
    if numbers.size > MOST * degree:
        return False
    return degree == 1 or not numbers[..., 1:].any()


def elements_of(part: Symbols) -> list[Few]:
    out: list[Few] = [{} for _ in range(part.size)]
    lines = images_of(part.coefficients)
    index = (side.tolist() for side in part.index)
    for k, r, c, line in zip(*index, lines, strict=True):
        own = out[k]
        for alpha, v in enumerate(line):
            if v:
                own[r, c, alpha] = v
    return out


def images_of(values: ExactArray) -> list[list[int]]:
    """The numerators of a matrix, or their images."""
    at = None
    if values.field.degree > 1 and values.numerators[..., 1:].any():
        at = _packed(values.field)
    if at is None:
        lines: list[list[int]] = values.numerators[..., 0].tolist()
        return lines
    return at.rows(values.numerators)


def coprime(
    elements: Sequence[Few],
    dim: int,
    order: int,
    shape: tuple[int, int],
    field: Field = RATIONALS,
) -> Symbols:
    """As symbols, each scaled to coprime integers, the first positive (:func:`.symbols.tidy`)."""
    if not elements:
        return empty(dim, order, shape, field)
    at = _packed(field)
    # numbers that are smaller than the digits are rational
    is_plain = at is None or all(
        -at.room < v < at.room for own in elements for v in own.values()
    )
    degree = 1 if is_plain else field.degree
    size = count(dim, order) * degree
    index: list[tuple[int, int, int]] = []
    table: list[list[int]] = []
    for k, own in enumerate(elements):
        flat = list(own.values())
        if not is_plain:
            flat = list(chain.from_iterable(_coordinates(flat, field)))
        factor = gcd(*flat)
        if next(filter(None, flat)) < 0:
            factor = -factor
        last = (-1, -1)
        start = 0
        for r, c, alpha in own:
            if (r, c) != last:
                last = (r, c)
                index.append((k, r, c))
                line = [0] * size
                table.append(line)
            # one after the other: NumPy takes a flat list in sooner than a nested one
            for j in range(degree):
                line[alpha * degree + j] = flat[start + j] // factor
            start += degree
    element, row, column = np.array(index, dtype=np.int64).T.copy()
    try:
        whole = np.array(table, dtype=np.int64)
    except OverflowError:
        whole = np.array(table, dtype=object)
    numerators = whole.reshape(len(table), -1, degree)
    values = exact(numerators, 1, RATIONALS if is_plain else field).over(field)
    return Symbols(dim, order, len(elements), shape, element, row, column, values)


def _coordinates(values: Iterable[int], field: Field) -> list[list[int]]:
    """Of the numbers of an element; times a square root where that makes the first rational."""
    at = _packed(field)
    if at is None:
        raise ValueError(f"numbers of {field} have no images")
    numbers = [at.digits(v) for v in values]
    present = [k for k, v in enumerate(numbers[0]) if v]
    if field.conductor > 1 or len(present) > 1 or not present[0]:
        return numbers
    # sqrt(a) sqrt(b) is gcd(a, b) times the root of what else they have: every coordinate goes to another place
    factor, places = field.radicands[present[0]], field.radicands
    shared = [gcd(factor, r) for r in places]
    moved = [
        places.index(factor * r // g**2) for r, g in zip(places, shared, strict=True)
    ]
    return [[own[k] * shared[k] for k in moved] for own in numbers]


def harmonic_parts(part: Symbols) -> list[Few] | None:
    """Of all elements, up to a positive factor that depends on the order alone; None where numbers are large."""
    dim, order, values = part.dim, part.order, part.coefficients
    at = _packed(values.field)
    if at is not None:
        most = max(abs(v) for line in _harmonic(dim, order) for _, v in line)
        # no coordinate has more terms than there are monomials
        if bound(values.numerators) * most * count(dim, order) >= at.room:
            return None
    return [harmonic_part(own, dim, order) for own in elements_of(part)]


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
        lowering = laplacians(dim, order - 2 * j + 2)
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
def laplacians(dim: int, order: int) -> Table:
    """Of every monomial."""
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

"""Symbols of few numbers, as dictionaries of Python's integers: calls of NumPy would take longer than they.

An element is the numerators of its coefficients, which span the same line whatever their denominator is. Over a field
they are the images of numbers, whose digits are the coordinates (:mod:`pdobasis.exact.packed`): what is linear over Q
does the same to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from math import gcd, prod
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.arithmetic import squarefree
from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import RATIONALS, Field
from pdobasis.exact.integers import bound
from pdobasis.exact.polynomials import count, monomials, position
from pdobasis.operators.symbols import Symbols, empty
from pdobasis.values import dataclass

if TYPE_CHECKING:
    from pdobasis.exact.packed import Packed

Place = tuple[int, int, int]
"""(row, column, number of the monomial)."""
Few = dict[Place, int]
"""The coefficients of an element that are not zero, in increasing order of their places."""
Key = TypeVar("Key", int, Place)
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
    if not values.is_rational:
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


def coprime_numbered(
    elements: Sequence[dict[int, int]],
    dim: int,
    order: int,
    shape: tuple[int, int],
    field: Field = RATIONALS,
    roots: Roots | None = None,
) -> Symbols:
    """The same of rational coefficients by the numbers of their places, row by row, column by column; some may be 0.

    With ``roots`` each element is scaled by these first (:class:`Roots`).
    """
    if not elements:
        return empty(dim, order, shape, field)
    places: list[int] = []
    numbers: list[int] = []
    lengths: list[int] = []
    coordinates: list[int] = []
    for number, own in enumerate(elements):
        kept = sorted(place for place, v in own.items() if v)
        values = [own[place] for place in kept]
        if roots is not None:
            values, of_field = roots.applied(number, kept, values)
            coordinates += of_field
        factor = gcd(*values)
        if values[0] < 0:
            factor = -factor
        places += kept
        numbers += [v // factor for v in values]
        lengths.append(len(kept))
    size, cells = count(dim, order), shape[0] * shape[1]
    cell, alpha = np.divmod(np.array(places, dtype=np.int64), size)
    cell += np.repeat(np.arange(0, len(elements) * cells, cells), lengths)
    # elements follow each other, and so do the cells of each
    is_first = np.ones(len(cell), dtype=bool)
    np.not_equal(cell[1:], cell[:-1], out=is_first[1:])
    try:
        every = np.array(numbers, dtype=np.int64)
    except OverflowError:
        every = np.array(numbers, dtype=object)
    line = is_first.cumsum() - 1
    table = np.zeros((int(line[-1]) + 1, size, field.degree), dtype=every.dtype)
    table[line, alpha, coordinates or 0] = every
    element, place = np.divmod(cell[is_first], cells)
    row, column = np.divmod(place, shape[1])
    coefficients = exact(table, 1, field)
    return Symbols(dim, order, len(elements), shape, element, row, column, coefficients)


@dataclass(frozen=True, slots=True, eq=False)
class Roots:
    r"""What elements are multiplied by: $\sqrt{t}\,q\sqrt{r}$, with t of an element, q and r of a place.

    ``at`` gives q and r, ``basis`` the squares of the basis of the field. Without ``own`` an element is multiplied by
    the root that makes its first number rational.
    """

    at: Callable[[int], tuple[int, int]]
    basis: tuple[int, ...]
    own: list[int] | None

    def applied(
        self, number: int, places: list[int], values: list[int]
    ) -> tuple[list[int], list[int]]:
        """And the coordinates they belong to."""
        scales = [self.at(place) for place in places]
        t = scales[0][1] if self.own is None else self.own[number]
        # few roots are different
        products = {}
        for r in {r for _, r in scales}:
            more, rest = squarefree(r * t)
            products[r] = more, self.basis.index(rest)
        out, coordinates = [], []
        for v, (q, r) in zip(values, scales, strict=True):
            more, coordinate = products[r]
            out.append(v * q * more)
            coordinates.append(coordinate)
        return out, coordinates


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


def harmonic_part(own: Few, dim: int, order: int, squares: tuple[int, ...] = ()) -> Few:
    r"""The harmonic part of an element, up to a positive factor that depends on the order alone.

    With ``squares`` c it is one in the variables $z_i = \sqrt{c_i}\,x_i$.
    """
    found: dict[Place, int] = {}
    table = _harmonic_scaled(dim, order, squares) if squares else _harmonic(dim, order)
    for (r, c, alpha), v in own.items():
        for beta, w in table[alpha]:
            found[r, c, beta] = found.get((r, c, beta), 0) + v * w
    return {place: found[place] for place in sorted(found) if found[place]}


def harmonic_numbered(
    own: dict[int, int], dim: int, order: int, squares: tuple[int, ...] = ()
) -> dict[int, int]:
    """The same by the numbers of coefficients, monomial by monomial within a place."""
    found: dict[int, int] = {}
    table = _harmonic_scaled(dim, order, squares) if squares else _harmonic(dim, order)
    for u, v in own.items():
        alpha = u % len(table)
        start = u - alpha
        for beta, w in table[alpha]:
            found[start + beta] = found.get(start + beta, 0) + v * w
    return {u: found[u] for u in sorted(found) if found[u]}


def times_square(own: Few, dim: int, order: int) -> Few:
    """r^2 times an element."""
    found: dict[Place, int] = {}
    table = raising_table(dim, order)
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
    weights = [prod(steps[j:]) for j in range(len(steps) + 1)]
    if weights[0] < 0:  # one sign for all
        weights = [-w for w in weights]
    every, where = monomials(dim, order), position(dim, order)
    out: Table = []
    for k, alpha in enumerate(every):
        # r^2 and Delta know no order of the variables: one of all monomials that differ by theirs, the first, tells
        turn = sorted(range(dim), key=lambda i: -alpha[i])
        first = where[tuple(alpha[i] for i in turn)]
        if first == k:
            out.append(_projected(k, dim, order, weights))
            continue
        back = sorted(range(dim), key=turn.__getitem__)
        moved = ((tuple(every[beta][i] for i in back), v) for beta, v in out[first])
        out.append(sorted((where[beta], v) for beta, v in moved))
    return out


def _projected(
    alpha: int, dim: int, order: int, weights: Sequence[int]
) -> list[tuple[int, int]]:
    r"""$w_0 f + r^2 (w_1 \Delta f + r^2 (w_2 \Delta^2 f + \dots))$, by Horner's rule, for a monomial f."""
    down = [{alpha: 1}]
    while down[-1]:
        down.append(_linear(down[-1], laplacians(dim, order - 2 * len(down) + 2)))
    total: dict[int, int] = {}
    for j in range(len(down) - 2, -1, -1):
        if total:
            total = _linear(total, raising_table(dim, order - 2 * j - 2))
        for beta, v in down[j].items():
            total[beta] = total.get(beta, 0) + weights[j] * v
    return sorted((beta, v) for beta, v in total.items() if v)


@remembered
def _harmonic_scaled(dim: int, order: int, squares: tuple[int, ...]) -> Table:
    r"""The same for $z_i = \sqrt{c_i}\,x_i$: what leads from $x^\alpha$ to $x^\beta$ is multiplied by
    $c^{(\alpha-\beta)/2}$.

    No power changes by an odd number, and none by more than the order: times $c^{n/2}$, rounded down, it is whole.
    """
    scales = [1] * count(dim, order)
    rest = [1] * count(dim, order)
    # c^{alpha/2} and c^{n/2 - beta/2}, rounded alike: powers that meet are even or odd together
    for i, c in enumerate(squares):
        if c > 1:
            table = [c**k for k in range(order + 1)]
            for k, alpha in enumerate(monomials(dim, order)):
                half = alpha[i] // 2
                scales[k] *= table[half]
                rest[k] *= table[order // 2 - half]
    return [
        [(beta, v * scales[alpha] * rest[beta]) for beta, v in line]
        for alpha, line in enumerate(_harmonic(dim, order))
    ]


def _linear(polynomial: dict[int, int], table: Table) -> dict[int, int]:
    out: dict[int, int] = {}
    for alpha, v in polynomial.items():
        for beta, w in table[alpha]:
            out[beta] = out.get(beta, 0) + v * w
    return out


@remembered
def laplacians(dim: int, order: int, squares: tuple[int, ...] = ()) -> Table:
    r"""Of every monomial; with ``squares`` c of those in $z_i = \sqrt{c_i}\,x_i$, whose Laplacian is the sum of
    $c_i\,\partial^2/\partial z_i^2$.
    """
    factors = squares or (1,) * dim
    where = position(dim, order - 2)
    out = []
    for powers in monomials(dim, order):
        own = []
        for i, n in enumerate(powers):
            if n > 1:
                lower = where[*powers[:i], n - 2, *powers[i + 1 :]]
                own.append((lower, factors[i] * n * (n - 1)))
        out.append(own)
    return out


@remembered
def raising_table(dim: int, order: int) -> Table:
    """r^2 times every monomial."""
    where = position(dim, order + 2)
    out = []
    for powers in monomials(dim, order):
        own = []
        for i, n in enumerate(powers):
            own.append((where[*powers[:i], n + 2, *powers[i + 1 :]], 1))
        out.append(own)
    return out


def is_multiple(a: Mapping[Key, int], b: Mapping[Key, int]) -> bool:
    """Whether both span one line; by places, or by their numbers."""
    if a.keys() != b.keys():
        return False
    first = next(iter(a))
    u, v = a[first], b[first]
    return all(a[place] * v == b[place] * u for place in a)

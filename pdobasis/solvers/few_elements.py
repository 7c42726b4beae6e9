r"""Angular elements of few rational numbers, and all their multiples by powers of $r^2$, in Python's integers.

A small question has a handful of numbers an order: every step of :class:`.module.Module` (a factor, a name, $r^2$,
one list after another) would be some calls of NumPy that take longer than the numbers do. So all of them are taken
here, and the arrays of all orders are made at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import gcd, lcm

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import lowest
from pdobasis.exact.field import RATIONALS, Field, join
from pdobasis.exact.polynomials import count
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.linear.small import first_independent
from pdobasis.operators.few import is_multiple, raising_table
from pdobasis.operators.symbols import Symbols
from pdobasis.operators.textbook_operators import angular_operators
from pdobasis.values import dataclass

Numbers = dict[int, int]
"""The coefficients of an element by the numbers of their places: row by row, column by column, monomial by monomial."""
Element = tuple[Numbers, int]
"""Numerators, and their denominator; in lowest terms."""

MOST = 600
"""Coefficients of all angular elements, up to which this is the faster road."""
DENSE = 1000
"""Coefficients of symbols of one order, zeros with them, of which it is asked whether they are few."""


@dataclass(frozen=True, slots=True, eq=False)
class FewElements:
    """Symbols of one order whose coefficients are rational, written in a field.

    Invariant: no coefficient is 0, and they come by increasing places.
    """

    dim: int
    order: int
    shape: tuple[int, int]
    field: Field
    elements: tuple[Element, ...]

    @property
    def size(self) -> int:
        return len(self.elements)

    @property
    def symbols(self) -> Symbols:
        own = _Order(self.order, self.field, list(self.elements))
        (found,) = _arrays([own], self)
        return found


def few_elements(
    found: Iterable[Numbers], dim: int, order: int, shape: tuple[int, int], field: Field
) -> FewElements:
    """Each scaled to coprime integers, the first positive; some coefficients may be 0.

    >>> from pdobasis.exact.field import RATIONALS
    >>> few_elements([{2: 4, 1: -6, 0: 0}], 2, 2, (1, 1), RATIONALS).elements
    (({1: 3, 2: -2}, 1),)
    """
    out: list[Element] = []
    for own in found:
        kept = sorted(place for place, v in own.items() if v)
        factor = gcd(*(own[place] for place in kept))
        if own[kept[0]] < 0:
            factor = -factor
        out.append(({place: own[place] // factor for place in kept}, 1))
    return FewElements(dim, order, shape, field, tuple(out))


def divided(
    found: Iterable[Numbers],
    divisors: Iterable[int],
    dim: int,
    order: int,
    shape: tuple[int, int],
    field: Field,
) -> FewElements:
    """Each divided by a positive number; no coefficient is 0."""
    out = []
    for own, over in zip(found, divisors, strict=True):
        out.append(_lowest({place: own[place] for place in sorted(own)}, over))
    return FewElements(dim, order, shape, field, tuple(out))


def from_symbols(part: Symbols) -> FewElements | None:
    """None where they are many, or not such elements."""
    values = part.coefficients
    numbers = values.numerators
    if numbers.size > DENSE * values.field.degree:
        return None
    if not values.is_rational:
        return None
    elements: list[Numbers] = [{} for _ in range(part.size)]
    size, width = count(part.dim, part.order), part.shape[1]
    index = (side.tolist() for side in part.index)
    lines = numbers[..., 0].tolist()
    for k, row, column, line in zip(*index, lines, strict=True):
        start, own = (row * width + column) * size, elements[k]
        for alpha, v in enumerate(line):
            if v:
                own[start + alpha] = v
    found = tuple(_lowest(own, values.denominator) for own in elements)
    return FewElements(part.dim, part.order, part.shape, values.field, found)


def _lowest(own: Numbers, denominator: int) -> Element:
    common = gcd(denominator, *own.values())
    if common == 1:
        return own, denominator
    return {place: v // common for place, v in own.items()}, denominator // common


def with_powers(harmonic: Sequence[FewElements]) -> tuple[Symbols, ...] | None:
    """All r^{2k} chi of every order, from the chi of every order: P_n = r^2 P_{n-2} + H_n; with textbook names.

    None where there are many numbers.
    """
    if sum(len(own) for part in harmonic for own, _ in part.elements) > MOST:
        return None
    found: list[_Order] = []
    for n, part in enumerate(harmonic):
        own = list(part.elements)
        if n < 2:
            found.append(_Order(n, part.field, _named(own, part, [])))
            continue
        below = found[n - 2]
        raising = _raising(part.dim, n - 2)
        lower = [(_raised(numbers, raising), over) for numbers, over in below.elements]
        every = lower + _named(own, part, below.elements)
        # multiples of r^2 bring the field of what they are multiples of
        found.append(_Order(n, join(below.field, part.field), every))
    return _arrays(found, harmonic[0])


def with_names(part: Symbols, lower: Symbols | None) -> Symbols | None:
    """Symbols of one order with textbook names, and ``lower`` all multiples of r^2 of this order; None where they are
    not few.
    """
    few = from_symbols(part)
    above = None if lower is None else from_symbols(lower)
    if few is None or (lower is not None and above is None):
        return None
    below: list[Element] = []
    if above is not None and part.order == 2:
        size = count(part.dim, 2)
        # r^2 Q has Q at x_1^2, which is the first monomial
        for own, over in above.elements:
            below.append(({p // size: v for p, v in own.items() if not p % size}, over))
    elements = list(few.elements)
    found = _named(elements, few, below)
    if found == elements:
        return part
    return replace(few, elements=tuple(found)).symbols


def _named(
    elements: list[Element], part: FewElements, below: list[Element]
) -> list[Element]:
    """Named operators in the place of elements that are multiples of them, or of their harmonic parts.

    ``below`` are the elements two orders below: by these times r^2 an operator may differ from its harmonic part.
    """
    known = _representatives(part.dim, part.order, part.shape)
    if not known or not elements:
        return elements
    out = list(elements)
    for k, (own, _) in enumerate(elements):
        for operator, _, _ in known:
            if is_multiple(own, operator[0]):
                out[k] = operator
                break
    if not below:
        return out
    constants = [own for own, _ in below]
    # each operator takes the place of one element at most, in the order of their names
    for operator, harmonic, trace in known:
        if not harmonic:
            continue
        for k, (own, _) in enumerate(out):
            if not is_multiple(own, harmonic):
                continue
            # operator = c chi + r^2 Q with a Q that is a combination of the elements below
            every = [*constants, trace]
            if not trace or len(first_independent(every)) < len(every):
                out[k] = operator
                break
    return out


@remembered
def _representatives(
    dim: int, order: int, shape: tuple[int, int]
) -> tuple[tuple[Element, Numbers, Numbers], ...]:
    r"""Every operator with a name and no powers of the Laplacian, its harmonic part, and Q with
    $2d\,P = \Pi + r^2 Q$, up to factors.

    Names have order 2 at most, and for these Q is the trace: $Q = \Delta P$, a matrix of numbers.
    """
    out = []
    size = count(dim, order)
    raising = _raising(dim, 0)
    # x_i^2 stands where r^2 has a term
    diagonal = set(raising[0][0])
    for flat in angular_operators(dim, order, shape):
        common = lcm(*(v.denominator for v in flat.values()))
        numbers = {}
        for row, column, alpha in sorted(flat):
            place = (row * shape[1] + column) * size + alpha
            numbers[place] = int(flat[row, column, alpha] * common)
        harmonic, trace = numbers, {}
        if order == 2:
            trace = _trace(numbers, size, diagonal)
            harmonic = {place: 2 * dim * v for place, v in numbers.items()}
            for place, v in _raised(trace, raising).items():
                harmonic[place] = harmonic.get(place, 0) - v
            harmonic = {p: harmonic[p] for p in sorted(harmonic) if harmonic[p]}
        out.append(((numbers, common), harmonic, trace))
    return tuple(out)


def _trace(numbers: Numbers, size: int, diagonal: set[int]) -> Numbers:
    """The Laplacian of an element of order 2: twice the sum of its coefficients of x_i^2, cell by cell."""
    out: Numbers = {}
    for place, v in numbers.items():
        cell, alpha = divmod(place, size)
        if alpha in diagonal:
            out[cell] = out.get(cell, 0) + 2 * v
    return {cell: v for cell, v in out.items() if v}


Raising = tuple[list[list[int]], int, int]
"""Where r^2 sends every monomial of an order; how many monomials there are, and how many two orders above."""


def _raising(dim: int, order: int) -> Raising:
    moved = [[beta for beta, _ in own] for own in raising_table(dim, order)]
    return moved, len(moved), count(dim, order + 2)


def _raised(numbers: Numbers, raising: Raising) -> Numbers:
    """r^2 times an element: no common factor comes in, since r^2 has none (Gauss)."""
    moved, size, above = raising
    out: Numbers = {}
    for place, v in numbers.items():
        cell, alpha = divmod(place, size)
        start = cell * above
        for beta in moved[alpha]:
            to = start + beta
            out[to] = out.get(to, 0) + v
    return out


@dataclass(frozen=True, slots=True, eq=False)
class _Order:
    """All elements of an order, and the field that they are written in."""

    order: int
    field: Field
    elements: list[Element]


def _arrays(parts: Sequence[_Order], like: FewElements) -> tuple[Symbols, ...]:
    """The symbols of every order, of the dimension and shape of others."""
    dim, shape = like.dim, like.shape
    cells = shape[0] * shape[1]
    written = _Written([], [], [])
    # (lines, numbers of their polynomials) before an order, and the denominator of that order
    ends: list[tuple[int, int]] = [(0, 0)]
    common: list[int] = []
    for part in parts:
        common.append(lcm(*(over for _, over in part.elements)))
        size = count(dim, part.order)
        before, first = ends[-1]
        at = first
        for k, element in enumerate(part.elements):
            at = written.add(element, k * cells, size, at, common[-1])
        ends.append((before + (at - first) // size, at))
    numbers, lines = written.arrays(ends[-1][1])
    element_of, cell = np.divmod(lines, cells)
    row, column = np.divmod(cell, shape[1])
    out = []
    for n, part in enumerate(parts):
        (low, first), (high, last) = ends[n], ends[n + 1]
        own = slice(low, high)
        table = numbers[first:last].reshape(high - low, count(dim, part.order), 1)
        values = lowest(table, common[n], RATIONALS).over(part.field)
        index = (element_of[own], row[own], column[own])
        size = len(part.elements)
        out.append(Symbols(dim, part.order, size, shape, *index, values))
    return tuple(out)


@dataclass(frozen=True, slots=True)
class _Written:
    """Polynomials one after the other: for each of them its cell (and element), and what is not zero, at its place."""

    lines: list[int]
    places: list[int]
    numbers: list[int]

    def add(
        self, element: Element, first: int, size: int, at: int, denominator: int
    ) -> int:
        """The entries of an element, from the number ``at`` on; where the next one begins."""
        own, over = element
        factor = denominator // over
        last = -1
        for place in sorted(own):
            v = own[place]
            if not v:
                continue
            cell, alpha = divmod(place, size)
            if cell != last:
                last = cell
                self.lines.append(first + cell)
                at += size
            self.places.append(at - size + alpha)
            self.numbers.append(v * factor)
        return at

    def arrays(self, size: int) -> tuple[IntArray, IndexArray]:
        """So many numbers of polynomials, and the lines."""
        try:
            values: IntArray = np.array(self.numbers, dtype=np.int64)
        except OverflowError:
            values = np.array(self.numbers, dtype=object)
        flat = np.zeros(size, dtype=values.dtype)
        flat[self.places] = values
        return flat, np.array(self.lines, dtype=np.int64)

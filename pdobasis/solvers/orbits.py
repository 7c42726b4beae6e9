r"""Solutions round orbits, where a finite group permutes the rows or columns of
P.

It is enough to know one entry (column, row) of each orbit: there P is any
solution for the *stabiliser*, and it is carried round by $P_{t\omega}(y) = F(t)
P_\omega(t^T y)$ (Frobenius reciprocity). With two regular representations the
stabiliser is trivial and no linear algebra is left.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Protocol

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, concatenate
from pdobasis.exact.polynomials import count
from pdobasis.exact.types import IndexArray
from pdobasis.groups.closure import closure
from pdobasis.groups.matrices import without_large_field
from pdobasis.operators.symbols import Index, Symbols, empty
from pdobasis.representations.representation import (
    Representation,
    all_parts,
    all_permutations,
    moves_blocks,
)
from pdobasis.solvers.batch import Task
from pdobasis.solvers.carried import Frame, Kind, carry, is_free, is_spread, spread
from pdobasis.values import dataclass

if TYPE_CHECKING:
    from pdobasis.representations.parts import Part

WORTH_BLOCKS = 1_400
"""Unknowns of a fibre, times the square of the degree, from which it is asked whether it falls into blocks."""


def round_orbits(frame: Frame) -> Symbols:
    """All solutions, orbit by orbit."""
    carried: dict[Kind, Over] = {}
    entries: list[Index] = []
    values = []
    total = 0
    for run in _runs(frame.rep_in, frame.rep_out, frame.over_in, frame.over_out):
        if run.kind not in carried:
            carried[run.kind] = _over(frame, run)
        over = carried[run.kind]
        if over.size:
            index, own = over.written(run, total)
            entries.append(index)
            values.append(own)
            total += len(run.row) * over.size
    dim = frame.group.dim
    size = (frame.rep_out.size, frame.rep_in.size)
    if not total:
        return empty(dim, frame.order, size, frame.group.field)
    (element, row, column), coefficients = entries[0], values[0]
    if len(values) > 1:
        # Runs come in the order of their elements, so entries stay sorted.
        element, row, column = map(np.concatenate, zip(*entries, strict=True))
        coefficients = concatenate(values)
    return Symbols(dim, frame.order, total, size, element, row, column, coefficients)


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Orbits of one ``kind`` that follow each other, and the entries of P over each, all (orbits, entries).

    ``row`` and ``column`` are sorted; ``order`` says which of (point, fibre) stands there, ``element`` which element of
    the group takes the first point to that point (where the fibre is one entry).
    """

    kind: Kind
    row: IndexArray
    column: IndexArray
    order: IndexArray
    element: IndexArray


@remembered
def _runs(
    rep_in: Representation, rep_out: Representation, over_in: bool, over_out: bool
) -> list[Run]:
    """All orbits: neighbours of one kind are written down together."""
    if over_in and over_out:
        free = _from_first_column(rep_in, rep_out)
        if free is not None:
            return [free]
    frame = Frame(rep_in, rep_out, over_in, over_out, 0, False, None)
    out = []
    orbits = _orbits(rep_in, rep_out, over_in, over_out)
    for kind, run in groupby(orbits, key=itemgetter(0)):
        points = np.array([own for _, own in run], dtype=np.int64)
        place = frame.places(points).reshape(len(points), -1)
        out.append(_run(kind, place, rep_in.size))
    return out


def _run(kind: Kind, place: IndexArray, width: int) -> Run:
    """From the places of the entries over every point, (orbits, entries)."""
    order = place.argsort(axis=1)
    place.sort(axis=1)
    row, column = np.divmod(place, width)
    fibre = order.shape[1] // len(kind[0])
    element = np.array(kind[0])[order // fibre]
    return Run(kind, row, column, order, element)


def _from_first_column(rep_in: Representation, rep_out: Representation) -> Run | None:
    """All orbits of entries where G takes the first column to every column by one element; None where it does not.

    The t that takes it to column c takes its entry in row r to column c: so every orbit meets every column once, the
    orbits are those of the entries of the first column, and their stabilisers are trivial.
    """
    columns = all_permutations(rep_in)
    size = len(columns)
    if rep_in.size != size:
        return None
    transversal = columns[:, 0].argsort()
    every = np.arange(size)
    if np.count_nonzero(columns[transversal, 0] != every):
        return None
    # (row of the first column, column): where its entry is taken
    rows = all_permutations(rep_out)[transversal].T
    kind = (tuple(transversal.tolist()), (0,))
    return _run(kind, rows * size + every, size)


class Over(Protocol):
    """The elements over one orbit, to be written down for all orbits of its kind."""

    @property
    def size(self) -> int:
        """How many there are."""

    def written(self, run: Run, start: int) -> tuple[Index, ExactArray]:
        """The entries of all orbits of a run, sorted and without zeros; elements are numbered from ``start`` on."""


def _over(frame: Frame, run: Run) -> Over:
    if not frame.is_entry:
        return _over_fibres(frame, run)
    # Permutations of constants are rational, whatever the group needs.
    values = without_large_field(carry(frame, run.kind))
    t, k, _, m = values.shape
    return OverPoints(k, values.reshape(t * k, m), is_free(frame, run.kind))


@dataclass(frozen=True, slots=True, eq=False)
class OverPoints:
    """Fibres of one entry, whose elements have no zeros: what is not zero is not zero when invertible matrices are
    substituted.

    ``values`` are (point, element), or (g, element) for a free orbit.
    """

    size: int
    values: ExactArray
    is_free: bool

    def written(self, run: Run, start: int) -> tuple[Index, ExactArray]:
        k, points = self.size, run.order
        if self.is_free:
            points = run.element
        count, size = run.row.shape
        # (orbit, element, point): an element has entries over its orbit, and nowhere else
        places = points[:, None] * k + np.arange(k)[:, None]
        element = np.arange(start, start + count * k).repeat(size)
        row = run.row.repeat(k, axis=0).reshape(-1)
        column = run.column.repeat(k, axis=0).reshape(-1)
        return (element, row, column), _again(self.values, places.reshape(-1))


@dataclass(frozen=True, slots=True, eq=False)
class OverFibres:
    """Fibres of many entries, by what is not zero, sorted by the element and the place ``at`` within an orbit."""

    size: int
    element: IndexArray
    at: IndexArray
    values: ExactArray

    def written(self, run: Run, start: int) -> tuple[Index, ExactArray]:
        count = len(run.row)
        first = start + self.size * np.arange(count)
        element = (first[:, None] + self.element).reshape(-1)
        row = run.row[:, self.at].reshape(-1)
        column = run.column[:, self.at].reshape(-1)
        values = self.values
        if count > 1:
            values = _again(values, np.tile(np.arange(len(self.element)), count))
        return (element, row, column), values


def _over_fibres(frame: Frame, run: Run) -> OverFibres:
    # One side alone is permuted, and points grow: every orbit has its entries in the same order.
    order = run.order[0]
    if is_spread(frame, run.kind):
        (point, element, entry), values = spread(frame, run.kind)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        rows, columns = frame.fibre
        at = rank[point * (rows * columns) + entry]
        # an invertible matrix has no column of zeros: the last element is there
        size = int(element.max()) + 1
        sort = np.argsort(element * len(order) + at)
        values = _again(without_large_field(values), sort)
        return OverFibres(size, element[sort], at[sort], values)
    parts = _parts_of_fibre(frame)
    if parts is not None:
        return _over_blocks(frame, run, parts)
    values = without_large_field(carry(frame, run.kind))
    t, k, f, m = values.shape
    values = values.reshape(t * k * f, m)
    filled = values.nonzero_mask().any(axis=1).reshape(t, k, f)
    element, at = np.nonzero(filled.transpose(1, 0, 2).reshape(k, t * f)[:, order])
    point, entry = np.divmod(order[at], f)
    return OverFibres(k, element, at, _again(values, (point * k + element) * f + entry))


def _parts_of_fibre(frame: Frame) -> tuple[Part, ...] | None:
    """Of the representation that is not permuted; None where it moves no blocks, or there is little to gain."""
    field, other = frame.field, frame.rep_out
    if frame.over_out:
        other = frame.rep_in
    size = other.size * count(frame.group.dim, frame.order)
    if size * field.degree**2 < WORTH_BLOCKS or frame.turn is not None:
        return None
    if not moves_blocks(other):
        return None
    return all_parts(other)


def _over_blocks(frame: Frame, run: Run, parts: tuple[Part, ...]) -> OverFibres:
    """Pairs of a point and a block of the fibre have orbits, too, and these small stabilisers."""
    # loaded where fibres are large
    from pdobasis.solvers.by_blocks import solve_parts

    row, column = run.row[0], run.column[0]
    sides: tuple[tuple[Part, ...], tuple[Part, ...]]
    if frame.over_in:
        sides = (_as_part(frame.rep_in, column),), parts
    else:
        sides = parts, (_as_part(frame.rep_out, row),)
    task = Task(frame.rep_in, frame.rep_out, frame.order)
    found = solve_parts(task, sides, frame.field, frame.harmonic, frame.partial_order)
    width = frame.rep_in.size
    at = np.searchsorted(row * width + column, found.row * width + found.column)
    return OverFibres(
        found.size, found.element, at, without_large_field(found.coefficients)
    )


def _as_part(rep: Representation, points: IndexArray) -> Part:
    # loaded where fibres are large
    from pdobasis.representations.parts import of_points

    own = np.unique(points)
    return of_points(own, all_permutations(rep)[:, own])


def _again(values: ExactArray, places: IndexArray) -> ExactArray:
    """The same rows again and again, and no others: still in lowest terms."""
    numbers = values.numerators.take(places, axis=0)
    return ExactArray(numbers, values.denominator, values.field)


def _orbits(
    rep_in: Representation,
    rep_out: Representation,
    over_in: bool,
    over_out: bool,
) -> list[tuple[Kind, list[int]]]:
    """Each with its points: the point (column, row) has the number column * height + row."""
    width, height = 1, 1
    # where every element takes a column or a row, as plain numbers: an orbit is some of them
    size = len(closure(rep_in.group))
    columns = rows = [[0] * size]
    if over_in:
        width, columns = rep_in.size, all_permutations(rep_in).T.tolist()
    if over_out:
        height, rows = rep_out.size, all_permutations(rep_out).T.tolist()
    backwards = range(size - 1, -1, -1)
    visited: set[int] = set()
    out = []
    for first in range(width * height):
        if first in visited:
            continue
        column, row = divmod(first, height)
        pairs = zip(columns[column], rows[row], strict=True)
        # Where every element of the group takes the point, and the first that takes it there: the last one stays.
        images = [c * height + r for c, r in pairs]
        takes = dict(zip(reversed(images), backwards, strict=True))
        visited.update(takes)
        points = sorted(takes)
        transversal = tuple(map(takes.__getitem__, points))
        stabiliser: tuple[int, ...] = (0,)
        if len(takes) < size:
            stabiliser = tuple(h for h, image in enumerate(images) if image == first)
        out.append(((transversal, stabiliser), points))
    return out

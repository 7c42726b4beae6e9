r"""Both sides of the constraint cell by cell, for finite groups whose matrices fall into pieces.

The non-zeros of $\rho_{in}(g)$ connect rows with columns. Let its connected *cells* be $A_k$, with the rows $I_k$ and
the columns $J_k$, and those of $\rho_{out}(g)$ be $B_l$, with the rows $R_l$ and the columns $C_l$. Every row and every
column is in one cell, so that $P(y)\,\rho_{in}(g) = \rho_{out}(g)\,P(g^T y)$ says for all l and k

$$P(y)[R_l, I_k]\; A_k = B_l\; P(g^T y)[C_l, J_k],$$

and where both pieces of P vanish nothing. The cells of a permutation are single ones, those of a tensor product with it
are the matrices of the other factor, again and again: pieces of P with the same pair of matrices are multiplied at
once, and nothing is sorted. Numbers are whole and exact in float64, as in :mod:`.dense`, whose denominators are used.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import lcm

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.bounds.watch import check
from pdobasis.exact.field import LARGE_DEGREE, Field
from pdobasis.exact.integers import bound
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.proof.batch import Batch, by_elements
from pdobasis.proof.dense import (
    EXACT,
    Tables,
    Whole,
    both,
    field_of,
    products_with,
    spread,
    tables_within,
    values_at,
)
from pdobasis.proof.lines import Sum
from pdobasis.proof.points import lattice
from pdobasis.proof.sparse import entries, parts, renumbered, within
from pdobasis.representations.representation import Representation
from pdobasis.values import dataclass

AT_ONCE = 200_000
"""Values of P that are held at a time, but for those of one element."""
ROOM = 400_000
"""Values of the pieces of P, their zeros with them, that are held at a time, but for those of one element."""
FILLED = 16
"""One place in so many of the pieces of P has an entry, at least: else most of the work would be zeros."""
SPARSE = 64
"""One place in so many of the cells is not zero, at least: else their zeros would be most of what is held."""
WORTH = 64
"""Entries for which a product of matrices is worth its beginning."""
CLOSE = 64
"""Places of pieces of P for each entry, up to which they are numbered in a table of all."""


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """The cells of the matrix of one generator: in which every row (column) is, and the how many-th it is there.

    Cell k is ``matrices[kind[k]]``, whole numbers (rows, columns, degree).
    """

    of_row: IndexArray
    row: IndexArray
    of_column: IndexArray
    column: IndexArray
    kind: IndexArray
    matrices: tuple[Whole, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Images:
    """Those of all generators, over one denominator; their largest number, and the longest side of a cell."""

    cells: tuple[_Cells, ...]
    denominator: int
    largest: int
    side: int


def agrees_by_cells(batch: Batch, reps_in: Sum, reps_out: Sum) -> bool | None:
    """Whether (1) holds for every generator, some elements at a time; None where cells are of no use."""
    group = reps_in[0].group
    field = field_of(batch, group, (*reps_in, *reps_out))
    # what a Lie algebra does is no product of two matrices
    if group.lie or not group.generators or field.degree > LARGE_DEGREE:
        return None
    if not len(batch.row):
        return True
    rho = both(partial(_images, field=field), reps_in, reps_out)
    tables = tables_within(batch, group, field, len(group.generators))
    if rho is None or tables is None:
        return None
    points = len(lattice(group.dim, batch.high)) * field.degree
    step = AT_ONCE // ((1 + len(group.generators)) * points)
    if WORTH * _most_pairs(rho) > min(step, len(batch.row)):
        return None
    # the step is that of entries
    for some in by_elements(batch, max(1, step * batch.size // len(batch.row))):
        verdict = _agrees(some, tables, rho, points, field)
        if verdict is not True:
            return verdict
    return True


def _agrees(
    batch: Batch,
    tables: Tables,
    rho: tuple[_Images, _Images],
    points: int,
    field: Field,
) -> bool | None:
    """For these elements; for half of them after the other where their pieces have many zeros."""
    check()
    if not len(batch.row):
        return True
    pairs = list(zip(rho[0].cells, rho[1].cells, strict=True))
    every = [_pieces(batch, a, b) for a, b in pairs]
    area = max(pieces.area for pieces in every)
    if area > FILLED * len(batch.row):
        return None
    if area * points > ROOM and batch.size > 1:
        for half in by_elements(batch, (batch.size + 1) // 2):
            verdict = _agrees(half, tables, rho, points, field)
            if verdict is not True:
                return verdict
        return True
    values = values_at(batch, tables, field, len(pairs))
    if values is None or not _is_exact(values.largest, rho, field):
        return None
    scales = rho[1].denominator, rho[0].denominator
    for k, (cells, pieces) in enumerate(zip(pairs, every, strict=True)):
        at = values.at[:, 0], values.at[:, 1 + k]
        if not _is_same(batch, at, cells, pieces, scales, field):
            return False
    return True


def _most_pairs(rho: tuple[_Images, _Images]) -> int:
    """Products of matrices for one generator, at most."""
    pairs = zip(rho[0].cells, rho[1].cells, strict=True)
    return max(len(a.matrices) * len(b.matrices) for a, b in pairs)


def _is_exact(largest: int, rho: tuple[_Images, _Images], field: Field) -> bool:
    """Whether float64 holds both sides: b P(y) A and a B P(g^T y)."""
    one, other = rho[1].denominator, rho[0].denominator
    terms = max(
        rho[0].side * one * rho[0].largest, rho[1].side * other * rho[1].largest
    )
    return largest * terms * field.degree * field.expansion < EXACT


@dataclass(frozen=True, slots=True, eq=False)
class _Pieces:
    """The pieces of P that are not zero on both sides, and the numbers of those that each entry is in, here and there.

    ``pair`` says which matrices are beside each; ``area`` how many places the pieces have.
    """

    pair: IndexArray
    here: IndexArray
    there: IndexArray
    area: int


def _pieces(batch: Batch, a: _Cells, b: _Cells) -> _Pieces:
    wide = len(b.kind) * len(a.kind)
    # (element, l, k) as one number
    first, row, column = batch.element * wide, batch.row, batch.column
    here = first + b.of_row[row] * len(a.kind) + a.of_row[column]
    there = first + b.of_column[row] * len(a.kind) + a.of_column[column]
    pieces, here, there = _numbered(here, there, batch.size * wide)
    of_out, of_in = np.divmod(pieces % wide, len(a.kind))
    pair = b.kind[of_out] * len(a.matrices) + a.kind[of_in]
    return _Pieces(pair, here, there, _area(pair, a, b))


def _is_same(
    batch: Batch,
    at: tuple[Whole, Whole],
    cells: tuple[_Cells, _Cells],
    pieces: _Pieces,
    scales: tuple[int, int],
    field: Field,
) -> bool:
    """For one generator, from the values at y and at g^T y."""
    a, b = cells
    row, column, points = batch.row, batch.column, at[0].shape[-1]
    for some in _by_pairs(pieces):
        y, x = divmod(some.pair, len(a.matrices))
        outer, inner = b.matrices[y] * scales[1], a.matrices[x] * scales[0]
        (height, width, n), (rows, columns, _) = outer.shape, inner.shape
        # what a matrix is multiplied with comes first, so that one product does for all pieces
        here = np.zeros((rows, n, height, some.count, points))
        e = some.here
        here[a.row[column[e]], :, b.row[row[e]], some.number_here] = at[0][e]
        there = np.zeros((width, n, columns, some.count, points))
        e = some.there
        there[b.column[row[e]], :, a.column[column[e]], some.number_there] = at[1][e]
        found = _times(inner.transpose(1, 0, 2), here, field)
        expected = _times(outer, there, field)
        if not np.array_equal(found.transpose(2, 1, 0, 3, 4), expected):
            return False
    return True


def _times(matrix: Whole, values: Whole, field: Field) -> Whole:
    """matrix @ values, (rows, columns, degree) times (columns, degree; …)."""
    rows, columns, n = matrix.shape
    # 1 is the first element of every basis
    if rows == columns == 1 and not matrix[0, 0, 1:].any():
        return np.asarray(values * matrix[0, 0, 0])
    # (new row, new coefficient; row, coefficient)
    whole = spread(matrix, field).transpose(0, 3, 1, 2).reshape(rows * n, columns * n)
    flat = values.reshape(columns * n, -1)
    return products_with(whole, flat).reshape(rows, *values.shape[1:])


@dataclass(frozen=True, slots=True, eq=False)
class _Some:
    """``count`` pieces with one pair of matrices; the entries in them on both sides, and in which each of these is."""

    pair: int
    count: int
    here: IndexArray | slice
    there: IndexArray | slice
    number_here: IndexArray
    number_there: IndexArray


def _by_pairs(pieces: _Pieces) -> Iterator[_Some]:
    """The pieces of each pair, numbered from 0."""
    pair, here, there = pieces.pair, pieces.here, pieces.there
    number, counts = within(pair)
    if counts[-1] == len(pair):
        every = slice(None)
        yield _Some(len(counts) - 1, len(pair), every, every, here, there)
        return
    sides = [_runs(pair[side], len(counts)) for side in (here, there)]
    for kind in np.flatnonzero(counts).tolist():
        own, other = (runs[kind] for runs in sides)
        numbers = number[here[own]], number[there[other]]
        yield _Some(kind, int(counts[kind]), own, other, *numbers)


def _runs(kinds: IndexArray, count: int) -> list[IndexArray]:
    """Where each kind is."""
    ends = np.bincount(kinds, minlength=count).cumsum()
    return np.split(np.argsort(kinds, kind="stable"), ends[:-1])


def _area(pair: IndexArray, a: _Cells, b: _Cells) -> int:
    """How many numbers the pieces of the larger side have."""
    areas = []
    for axis in (0, 1):
        sizes = [y.shape[axis] * x.shape[axis] for y in b.matrices for x in a.matrices]
        areas.append(int(np.array(sizes)[pair].sum()))
    return max(areas)


def _numbered(
    left: IndexArray, right: IndexArray, count: int
) -> tuple[IndexArray, IndexArray, IndexArray]:
    """The different numbers below ``count``, by increasing size, and the how many-th of them each one is."""
    if count > CLOSE * len(left):
        every = np.sort(np.concatenate([left, right]))
        every = every[np.diff(every, prepend=-1) > 0]
        return every, np.searchsorted(every, left), np.searchsorted(every, right)
    met = np.zeros(count, dtype=bool)
    met[left] = True
    met[right] = True
    every = np.flatnonzero(met)
    number = np.empty(count, dtype=np.int64)
    number[every] = np.arange(len(every))
    return every, number[left], number[right]


@remembered
def _images(reps: Sum, field: Field) -> _Images | None:
    """None where a row or a column is zero, where numbers are large, or cells nearly empty."""
    denominator = lcm(*(m.denominator for rep in reps for m in rep.generators))
    # a permutation has this number in the place of 1
    if denominator >= EXACT:
        return None
    found = []
    for number in range(len(reps[0].group.generators)):
        own = _cells(reps, number, denominator, field)
        if own is None:
            return None
        found.append(own)
    matrices = [m for own in found for m in own.matrices]
    largest = max(int(np.abs(m).max()) for m in matrices)
    side = max(max(m.shape[:2]) for m in matrices)
    return _Images(tuple(found), denominator, largest, side)


def _cells(reps: Sum, number: int, denominator: int, field: Field) -> _Cells | None:
    """Of the matrix of one generator."""
    start, places, values = 0, [], []
    for rep in reps:
        read = _entries(rep, number, denominator, field)
        if read is None:
            return None
        i, j, numbers = read
        places.append((i + start, j + start))
        values.append(numbers)
        start += rep.size
    rows, columns = (np.concatenate(own) for own in zip(*places, strict=True))
    if not all(np.bincount(own, minlength=start).all() for own in (rows, columns)):
        return None
    of_column = renumbered(parts(rows, columns, (start, start)))
    of_row = np.empty_like(of_column)
    of_row[rows] = of_column[columns]
    row, heights = within(of_row)
    column, widths = within(of_column)
    if int((heights * widths).sum()) > SPARSE * len(rows):
        return None
    kind = np.zeros(len(heights), dtype=np.int64)
    matrices: list[Whole] = []
    shapes = heights * (start + 1) + widths
    cell, numbers = of_row[rows], np.concatenate(values)
    for shape in sorted(set(shapes.tolist())):
        own = np.flatnonzero(shapes == shape)
        chosen = shapes[cell] == shape
        tables = np.zeros((len(own), *divmod(shape, start + 1), field.degree))
        where = np.searchsorted(own, cell[chosen])
        tables[where, row[rows[chosen]], column[columns[chosen]]] = numbers[chosen]
        # equal matrices are multiplied with at once
        known: dict[bytes, int] = {}
        for k, table in zip(own.tolist(), tables, strict=True):
            new = len(matrices)
            kind[k] = known.setdefault(table.tobytes(), new)
            if kind[k] == new:
                matrices.append(table)
    return _Cells(of_row, row, of_column, column, kind, tuple(matrices))


def _entries(
    rep: Representation, number: int, denominator: int, field: Field
) -> tuple[IndexArray, IndexArray, IntArray] | None:
    """The rows, columns and numerators of the non-zeros; None where these are beyond int64."""
    if rep.permutations is not None:
        numbers = np.zeros((rep.size, field.degree), dtype=np.int64)
        # 1 is the first element of every basis
        numbers[:, 0] = denominator
        return np.array(rep.permutations[number]), np.arange(rep.size), numbers
    i, j, values = entries(rep.generators[number])
    wide = values.over(field)
    factor, rest = divmod(denominator, wide.denominator)
    if rest or wide.numerators.dtype == object:
        return None
    if bound(wide.numerators) * factor >= EXACT:
        return None
    return i, j, wide.numerators * factor

r"""Null spaces of systems that come in stages, one for each generator.

The solutions V of the first stage $A_1$ are few, and so the second stage is a small system $A_2 V$, and so on: what
commutes with a subgroup comes first, and then what commutes with the whole group. Everything is done modulo primes, at
all places side by side, component by component; only the last result is lifted to K, and checked there exactly.

Echelon forms compose: where W and V are in reduced row echelon form, so is W V.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce

import numpy as np

from pdobasis.exact.array import concatenate
from pdobasis.exact.field import RATIONALS, join
from pdobasis.exact.types import IndexArray
from pdobasis.linear.elimination import LARGE, eliminate
from pdobasis.linear.lanes import Lanes, Residues, lanes
from pdobasis.linear.null_space import Sparse, cancel, component_labels, null_space, runs

CLASSES = (4, 16, LARGE)
"""Widths up to which components are padded to one size."""
MAX_CELLS = 6_000_000
"""Residues in the work space of components that are eliminated side by side."""


def null_space_in_stages(stages: Sequence[Sparse]) -> Sparse:
    """The solutions of all stages, as :func:`null_space` gives those of one system.

    Modulo one small prime, then two, then as many large ones as it takes.
    """
    with suppress(_TooLargeError):
        for count in (1, 2):
            found = _by_lanes(stages, count)
            if found is not None:
                return found
    return null_space(join_systems(stages))


def join_systems(systems: Sequence[Sparse]) -> Sparse:
    """All equations together."""
    if len(systems) == 1:
        return systems[0]
    shifts = np.cumsum([0, *(s.shape[0] for s in systems)])
    rows = np.concatenate([s.rows + k for s, k in zip(systems, shifts, strict=False)])
    columns = np.concatenate([s.columns for s in systems])
    values = concatenate([s.values for s in systems])
    return Sparse(rows, columns, values, (int(shifts[-1]), systems[0].shape[1]))


class _TooLargeError(Exception):
    """A component is too large to be spread out: it is left to sparse methods."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A sparse matrix in all lanes: ``values[:, k]`` stands in (rows[k], columns[k])."""

    rows: IndexArray
    columns: IndexArray
    values: Residues
    shape: tuple[int, int]


def _by_lanes(stages: Sequence[Sparse], count: int) -> Sparse | None:
    """None where the field is too large, a prime is unlucky, or the numbers are not small."""
    arithmetic = lanes(reduce(join, (stage.values.field for stage in stages), RATIONALS), count)
    if arithmetic is None:
        return None
    tables = (_table(stage, arithmetic) for stage in stages)
    solutions = _solutions(tables, arithmetic)
    values = arithmetic.lift(solutions.values) if solutions is not None else None
    if solutions is None or values is None:
        return None
    lifted = Sparse(solutions.rows, solutions.columns, values, solutions.shape)
    return lifted if all(_annihilates(stage, lifted) for stage in stages) else None


def _table(stage: Sparse, arithmetic: Lanes) -> Table | None:
    images = arithmetic.images(stage.values)
    return None if images is None else Table(stage.rows, stage.columns, images, stage.shape)


def _solutions(stages: Iterable[Table | None], arithmetic: Lanes) -> Table | None:
    """Of all stages, in all lanes; sorted by row and column."""
    solutions: Table | None = None
    for stage in stages:
        if stage is None:
            return None
        table = stage if solutions is None else _product(stage, _transposed(solutions), arithmetic)
        found = _null_space(_collapse(table, arithmetic), arithmetic)
        if found is None:
            return None
        solutions = found if solutions is None else _collapse(_product(found, solutions, arithmetic), arithmetic)
    return solutions


def _transposed(table: Table) -> Table:
    order = np.argsort(table.columns, kind="stable")
    return Table(table.columns[order], table.rows[order], table.values[:, order], table.shape[::-1])


def _product(a: Table, b: Table, arithmetic: Lanes) -> Table:
    """a @ b, b sorted by rows: all products of two entries, not added up yet."""
    entry, slot = _meetings(a.columns, b.rows, b.shape[0])
    values = arithmetic.reduce(a.values[:, entry] * b.values[:, slot])
    return Table(a.rows[entry], b.columns[slot], values, (a.shape[0], b.shape[1]))


def _meetings(wanted: IndexArray, offered: IndexArray, count: int) -> tuple[IndexArray, IndexArray]:
    """All pairs with wanted[i] = offered[j], for sorted ``offered`` below ``count``."""
    return runs(np.searchsorted(offered, np.arange(count + 1)), wanted)


def _collapse(table: Table, arithmetic: Lanes) -> Table:
    """Entries added up where they meet, zeros dropped, sorted by row and column."""
    if not len(table.rows):
        return table
    keys = table.rows * table.shape[1] + table.columns
    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], table.values[:, order]
    heads = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    if len(heads) < len(keys):
        values = arithmetic.reduce(np.add.reduceat(values, heads, axis=1))
    kept = np.flatnonzero(values.any(axis=0))
    rows, columns = np.divmod(keys[heads[kept]], table.shape[1])
    return Table(rows, columns, values[:, kept], table.shape)


def _null_space(table: Table, arithmetic: Lanes) -> Table | None:
    """Component by component, components of like size side by side."""
    width = table.shape[1]
    free = np.ones(width, dtype=bool)
    pieces: list[tuple[IndexArray, IndexArray, Residues]] = []  # (free column, pivot column, weight)
    if (table.rows[1:] != table.rows[:-1]).all():  # every equation says that an unknown is zero
        free[table.columns] = False
    else:
        parts = _Components(table)
        free[parts.zero] = False
        for members in parts.classes():
            matrices, names = parts.dense(members, len(arithmetic))
            reduced = eliminate(matrices, arithmetic)
            if reduced is None:
                return None
            free[names[reduced.pivots]] = False
            which, pivot, column = np.nonzero(reduced.weights.any(axis=0))
            weights = reduced.weights[:, which, pivot, column]
            pieces.append((names[which, column], names[which, pivot], weights))
    own = np.flatnonzero(free)
    values = np.ones((len(arithmetic), len(own)))
    if not any(len(p[0]) for p in pieces):
        return Table(np.arange(len(own)), own, values, (len(own), width))
    rows = np.concatenate([own, *(p[0] for p in pieces)])
    columns = np.concatenate([own, *(p[1] for p in pieces)])
    values = np.concatenate([values, *(p[2] for p in pieces)], axis=1)
    order = np.argsort(rows * width + columns)
    number = np.cumsum(free) - 1
    return Table(number[rows[order]], columns[order], values[:, order], (len(own), width))


class _Components:
    """The connected components of a table that has rows, with a numbering of rows and columns inside each."""

    def __init__(self, table: Table) -> None:
        self.table = table
        label = component_labels(table.rows, table.columns, table.shape)
        rows, first = np.unique(table.rows, return_index=True)
        roots, row_component = np.unique(label[table.columns[first]], return_inverse=True)
        component = np.searchsorted(roots, label)
        inside = np.flatnonzero(roots[np.minimum(component, len(roots) - 1)] == label) if len(roots) else rows
        self.heights = np.bincount(row_component, minlength=len(roots))
        self.widths = np.bincount(component[inside], minlength=len(roots))
        self.component = component[table.columns]
        self.row = _numbered(row_component)[np.searchsorted(rows, table.rows)]
        local = np.zeros(table.shape[1], dtype=np.int64)
        local[inside] = _numbered(component[inside])
        self.column = local[table.columns]
        self.names = np.zeros((len(roots), int(self.widths.max(initial=0))), dtype=np.int64)
        self.names[component[inside], local[inside]] = inside

    def classes(self) -> Iterator[IndexArray]:
        """Components of like width, to be eliminated side by side; large ones alone, single unknowns not at all."""
        low = 1
        for high in CLASSES:
            members = np.flatnonzero((self.widths > low) & (self.widths <= high))
            if len(members):
                yield members
            low = high
        for k in np.flatnonzero(self.widths > low).tolist():
            yield np.array([k])

    @property
    def zero(self) -> IndexArray:
        """Unknowns with an equation of their own, which says that they are zero."""
        return self.names[self.widths == 1, 0] if len(self.widths) else self.widths

    def dense(self, members: IndexArray, count: int) -> tuple[Residues, IndexArray]:
        """(lanes, members, rows, columns), and the names of the columns."""
        height, width = int(self.heights[members].max()), int(self.widths[members].max())
        names = self.names[members, :width]
        if count * len(members) * (height + width) * width > MAX_CELLS:
            raise _TooLargeError
        out = np.zeros((count, len(members), height, width))
        place = np.full(len(self.heights), -1)
        place[members] = np.arange(len(members))
        here = np.flatnonzero(place[self.component] >= 0)
        out[:, place[self.component[here]], self.row[here], self.column[here]] = self.table.values[:, here]
        return out, names


def _numbered(classes: IndexArray) -> IndexArray:
    """The position of every member within its class."""
    order = np.argsort(classes, kind="stable")
    ordered = classes[order]
    out = np.empty(len(classes), dtype=np.int64)
    out[order] = np.arange(len(classes)) - np.searchsorted(ordered, ordered)
    return out


def _annihilates(system: Sparse, vectors: Sparse) -> bool:
    """Whether system @ v = 0 for every row v, exactly."""
    order = np.argsort(vectors.columns, kind="stable")
    entry, slot = _meetings(system.columns, vectors.columns[order], system.shape[1])
    slot = order[slot]
    products = system.values.take(entry) * vectors.values.take(slot)
    return cancel(system.rows[entry] * vectors.shape[0] + vectors.rows[slot], products)

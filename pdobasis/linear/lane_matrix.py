"""Sparse matrices in all lanes: products, and components spread out densely."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pdobasis.exact.components import component_labels, numbered
from pdobasis.exact.scattered import meetings
from pdobasis.exact.types import IndexArray
from pdobasis.linear.elimination import LARGE
from pdobasis.linear.lanes import Lanes, Residues
from pdobasis.linear.sparse import run_starts
from pdobasis.values import dataclass

CLASSES = (4, 16, LARGE)
"""Widths up to which components are padded to one size."""


@dataclass(frozen=True, slots=True, eq=False)
class LaneMatrix:
    """``values[:, k]`` stands in (rows[k], columns[k]).

    Not a :class:`~pdobasis.linear.sparse.Sparse`, whose numbers are in K: here
    one entry is a residue for each lane.
    """

    rows: IndexArray
    columns: IndexArray
    values: Residues
    shape: tuple[int, int]

    def transposed(self) -> LaneMatrix:
        """Sorted by its rows."""
        order = np.argsort(self.columns, kind="stable")
        height, width = self.shape
        return LaneMatrix(
            self.columns[order],
            self.rows[order],
            self.values[:, order],
            (width, height),
        )

    def times(self, other: LaneMatrix, lanes: Lanes) -> LaneMatrix:
        """All products of two entries, not added up; ``other`` by rows."""
        entry, slot = meetings(self.columns, other.rows, other.shape[0])
        products = self.values[:, entry] * other.values[:, slot]
        return LaneMatrix(
            self.rows[entry],
            other.columns[slot],
            lanes.reduce(products),
            (self.shape[0], other.shape[1]),
        )

    def collapsed(self, lanes: Lanes) -> LaneMatrix:
        """Entries added up where they meet, zeros dropped, sorted."""
        if not len(self.rows):
            return self
        width = self.shape[1]
        keys = self.rows * width + self.columns
        order = np.argsort(keys, kind="stable")
        keys, values = keys[order], self.values[:, order]
        heads = run_starts(keys)
        # Residues are below 2^25, so that 2^27 of them may be added up before
        # they are reduced.
        if len(heads) < len(keys):
            values = np.add.reduceat(values, heads, axis=1)
            values = lanes.reduce(values)
        kept = np.flatnonzero(values.any(axis=0))
        rows, columns = np.divmod(keys[heads[kept]], width)
        return LaneMatrix(rows, columns, values[:, kept], self.shape)


class Components:
    """The connected components of a matrix that has rows.

    ``component``, ``row`` and ``column`` say for every entry where it stands:
    in which component, and at which place inside it. ``names[c, k]`` is the
    column of the whole matrix that is column k of component c.
    """

    def __init__(self, matrix: LaneMatrix) -> None:
        self.matrix = matrix
        label = component_labels(matrix.rows, matrix.columns, matrix.shape)
        rows, first = np.unique(matrix.rows, return_index=True)
        roots, row_component = np.unique(
            label[matrix.columns[first]], return_inverse=True
        )
        count = len(roots)
        # Columns without any entry have a label that is no root: they are
        # free, and belong to no component.
        component = np.searchsorted(roots, label)
        nearest = np.minimum(component, count - 1)
        inside = np.flatnonzero(roots[nearest] == label)
        own = component[inside]
        local = np.zeros(matrix.shape[1], dtype=np.int64)
        local[inside] = numbered(own)
        self.heights: IndexArray = np.bincount(row_component, minlength=count)
        self.widths: IndexArray = np.bincount(own, minlength=count)
        self.component: IndexArray = component[matrix.columns]
        self.column: IndexArray = local[matrix.columns]
        local_row = numbered(row_component)
        self.row: IndexArray = local_row[np.searchsorted(rows, matrix.rows)]
        widest = int(self.widths.max(initial=0))
        self.names: IndexArray = np.zeros((count, widest), dtype=np.int64)
        self.names[own, local[inside]] = inside

    def classes(self) -> Iterator[IndexArray]:
        """Components of like width, to be eliminated side by side.

        Large ones come alone, single unknowns not at all.
        """
        low = 1
        for high in CLASSES:
            is_here = (self.widths > low) & (self.widths <= high)
            members = np.flatnonzero(is_here)
            if len(members):
                yield members
            low = high
        for k in np.flatnonzero(self.widths > low).tolist():
            yield np.array([k])

    @property
    def zero(self) -> IndexArray:
        """Unknowns with an equation of their own: they are zero."""
        return np.asarray(self.names[self.widths == 1, 0])

    def size(self, members: IndexArray) -> tuple[int, int]:
        """The rows and columns that hold every one of these components."""
        height = int(self.heights[members].max())
        width = int(self.widths[members].max())
        return height, width

    def dense(self, members: IndexArray) -> tuple[Residues, IndexArray]:
        """(lanes, members, rows, columns), and the names of the columns."""
        height, width = self.size(members)
        values = self.matrix.values
        # Rows and columns of zeros pad the smaller components: they take no
        # pivots, and weigh nothing.
        out = np.zeros((len(values), len(members), height, width))
        place = np.full(len(self.heights), -1)
        place[members] = np.arange(len(members))
        here = np.flatnonzero(place[self.component] >= 0)
        member = place[self.component[here]]
        out[:, member, self.row[here], self.column[here]] = values[:, here]
        return out, self.names[members, :width]

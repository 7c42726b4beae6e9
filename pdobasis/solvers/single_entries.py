"""Elements that have one entry each: where it stands, and which polynomial of a table it is.

A group that changes nothing but signs asks nothing of two entries of P together. Then the same few polynomials stand in
many places, and what is done to all elements is done to the table.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pdobasis.exact.array import ExactArray, concatenate, lowest
from pdobasis.exact.types import IndexArray
from pdobasis.operators.laplacian import raised
from pdobasis.operators.symbols import Symbols
from pdobasis.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class SingleEntries:
    """Element k is row ``number[k]`` of the table, at (``row[k]``, ``column[k]``).

    Invariant: every row of the table is that of some element.
    """

    dim: int
    order: int
    shape: tuple[int, int]
    row: IndexArray
    column: IndexArray
    number: IndexArray
    table: ExactArray

    @property
    def size(self) -> int:
        return len(self.number)

    @property
    def symbols(self) -> Symbols:
        values = self.table.numerators.take(self.number, axis=0)
        # the numbers of the table again and again, all of them: still in lowest terms
        coefficients = lowest(values, self.table.denominator, self.table.field)
        every = np.arange(self.size)
        place = (every, self.row, self.column)
        return Symbols(
            self.dim, self.order, self.size, self.shape, *place, coefficients
        )

    def times_radius(self) -> SingleEntries:
        """r^2 P for every element."""
        moved = raised(self.table, self.dim, self.order)
        place = (self.row, self.column, self.number)
        return SingleEntries(self.dim, self.order + 2, self.shape, *place, moved)

    def followed_by(self, other: SingleEntries) -> SingleEntries:
        """Both, one after the other; of one order and shape."""
        if not self.size:
            return other
        if not other.size:
            return self
        return SingleEntries(
            self.dim,
            self.order,
            self.shape,
            np.concatenate([self.row, other.row]),
            np.concatenate([self.column, other.column]),
            np.concatenate([self.number, other.number + len(self.table)]),
            concatenate([self.table, other.table]),
        )


def with_powers(harmonic: Sequence[SingleEntries]) -> list[SingleEntries]:
    """All r^{2k} chi of every order, from the chi of every order: P_n = r^2 P_{n-2} + H_n."""
    parts: list[SingleEntries] = []
    for n, own in enumerate(harmonic):
        if n >= 2:
            own = parts[n - 2].times_radius().followed_by(own)
        parts.append(own)
    return parts


def at_places(
    places: IndexArray, rows: Sequence[IndexArray]
) -> tuple[IndexArray, IndexArray, IndexArray]:
    """(row, column, number) of elements, from (row, column) of each place and the rows of the table that stand there.

    >>> some = at_places(np.array([(0, 1), (2, 0)]), [np.array([0, 1]), np.array([1])])
    >>> [own.tolist() for own in some]
    [[0, 0, 2], [1, 1, 0], [0, 1, 1]]
    """
    lengths = list(map(len, rows))
    row, column = places.T
    return row.repeat(lengths), column.repeat(lengths), np.concatenate(rows)

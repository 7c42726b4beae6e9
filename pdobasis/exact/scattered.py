"""Matrices by their non-zeros: those of large representations have a handful in a row of a thousand.

They are arrays to everybody: who asks for ``numerators`` gets the matrix in full, and who does not never has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from pdobasis.exact.array import (
    ExactArray,
    common,
    concatenate,
    exact,
    integers,
    same_denominator,
    zeros,
)
from pdobasis.exact.field import Field
from pdobasis.exact.integers import bound, widen
from pdobasis.exact.types import IndexArray, IntArray

Shape = tuple[int, int]


class Scattered(ExactArray):
    """The entry (``rows[k]``, ``columns[k]``) is ``values[k]``, and all others are zero.

    Invariants: no value is zero, and places grow row by row; so equal matrices over one field have equal parts.

    >>> from pdobasis.exact.array import integers
    >>> m = scattered((2, 2), np.array([1, 0]), np.array([0, 1]), integers([1, 1]))
    >>> m, m.rows.tolist(), m.columns.tolist()
    (<ExactArray [[0, 1], [1, 0]]>, [0, 1], [1, 0])
    """

    __slots__ = ("_shape", "columns", "rows", "values")
    held: ClassVar[tuple[str, ...]] = ("rows", "columns", "values", "written")
    """What caches are charged for."""

    _shape: Shape
    rows: IndexArray
    columns: IndexArray
    values: ExactArray

    def __init__(
        self, shape: Shape, rows: IndexArray, columns: IndexArray, values: ExactArray
    ) -> None:
        _set_shape(self, shape)
        _set_rows(self, rows)
        _set_columns(self, columns)
        _set_values(self, values)
        _set_denominator(self, values.denominator)
        _set_field(self, values.field)

    @property
    def written(self) -> IntArray | None:
        """The matrix in full, if somebody asked for it."""
        try:
            found: IntArray = _get_numerators(self)
        except AttributeError:
            return None
        return found

    @property
    def numerators(self) -> IntArray:
        found = self.written
        if found is None:
            numbers = self.values.numerators
            found = np.zeros((*self._shape, self.field.degree), dtype=numbers.dtype)
            found[self.rows, self.columns] = numbers
            found.setflags(write=False)
            _set_numerators(self, found)
        return found

    @property
    def shape(self) -> tuple[int, ...]:
        return self._shape

    def __getitem__(self, key: Any) -> ExactArray:
        pair = None
        if self.written is None:
            pair = _places(key, self._shape)
        if pair is None:
            return super().__getitem__(key)
        i, j = pair
        own = self.rows * self._shape[1] + self.columns
        wanted = i * self._shape[1] + j
        numbers = self.values.numerators
        found = np.zeros((*wanted.shape, self.field.degree), dtype=numbers.dtype)
        if len(own):
            at = np.minimum(own.searchsorted(wanted), len(own) - 1)
            there = own[at] == wanted
            found[there] = numbers[at[there]]
        return exact(found, self.denominator, self.field)

    def transpose(self, *axes: int) -> ExactArray:
        if axes == (0, 1):
            return self
        # stable: rows stay in their order within a column
        order = np.argsort(self.columns, kind="stable")
        height, width = self._shape
        return Scattered(
            (width, height),
            self.columns[order],
            self.rows[order],
            self.values.take(order),
        )

    def over(self, field: Field) -> ExactArray:
        if field == self.field:
            return self
        return self._with(self.values.over(field))

    def __add__(self, other: ExactArray) -> ExactArray:
        if not isinstance(other, Scattered) or other.shape != self.shape:
            return super().__add__(other)
        parts, denominator, field = same_denominator([self.values, other.values])
        return gathered(
            self._shape,
            np.concatenate([self.rows, other.rows]),
            np.concatenate([self.columns, other.columns]),
            exact(np.concatenate(parts), denominator, field),
        )

    def __neg__(self) -> ExactArray:
        return self._with(-self.values)

    def scale(self, factor: Fraction | int) -> ExactArray:
        if not factor:
            return zeros(self._shape, self.field)
        return self._with(self.values.scale(factor))

    def equals(self, other: ExactArray) -> bool:
        if not isinstance(other, Scattered):
            return super().equals(other)
        a, b, _ = common(self.values, other.values)
        return (
            self.shape == other.shape
            and np.array_equal(self.rows, other.rows)
            and np.array_equal(self.columns, other.columns)
            and a.equals(b)
        )

    @property
    def is_rational(self) -> bool:
        return self.values.is_rational

    @property
    def is_zero(self) -> bool:
        return not len(self.rows)

    def nonzero_mask(self) -> IntArray:
        mask: IntArray = np.zeros(self._shape, dtype=bool)
        mask[self.rows, self.columns] = True
        return mask

    def trace(self) -> ExactArray:
        own = self.values.numerators[self.rows == self.columns]
        (wide,) = widen(own, limit=bound(own) * len(own))
        return exact(wide.sum(axis=0), self.denominator, self.field)

    def inverse(self) -> ExactArray:
        """Part by part, where rows and columns fall into parts."""
        # loaded for large duals alone
        from pdobasis.exact.division import parts_of

        found = parts_of(self.rows, self.columns, len(self))
        if len(found) == 1:
            return super().inverse()
        squares = self.values * self.values
        if len(found) == len(squares) and squares.equals(integers([1] * len(squares))):
            # a permutation up to signs
            return self.T
        known: dict[bytes, ExactArray] = {}
        rows, columns, values = [], [], []
        for i, j in found:
            own = self[i[:, None], j]
            key = own.packed_key()
            if key not in known:
                known[key] = own.inverse()
            # what takes columns to rows is taken back
            rows.append(j.repeat(len(i)))
            columns.append(np.tile(i, len(j)))
            values.append(known[key].reshape(len(i) * len(j)))
        row, column = np.concatenate(rows), np.concatenate(columns)
        return scattered(self._shape, row, column, concatenate(values))

    def __reduce__(self) -> tuple[Any, ...]:
        return Scattered, (self._shape, self.rows, self.columns, self.values)

    def _with(self, values: ExactArray) -> Scattered:
        """Other numbers at the same places, none of them zero."""
        return Scattered(self._shape, self.rows, self.columns, values)


def scattered(
    shape: Shape, rows: IndexArray, columns: IndexArray, values: ExactArray
) -> Scattered:
    """From entries in any order, each place once; some may be zero."""
    kept = values.nonzero_mask()
    if not kept.all():
        rows, columns, values = rows[kept], columns[kept], values.take(kept)
    place = rows * shape[1] + columns
    if (place[1:] < place[:-1]).any():
        order = np.argsort(place)
        rows, columns, values = rows[order], columns[order], values.take(order)
    return Scattered(shape, rows, columns, values)


def gathered(
    shape: Shape, rows: IndexArray, columns: IndexArray, values: ExactArray
) -> Scattered:
    """From entries in any order; those of one place add up."""
    if not len(rows):
        return scattered(shape, rows, columns, values)
    place = rows * shape[1] + columns
    order = np.argsort(place, kind="stable")
    ordered = place[order]
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    numbers = values.numerators
    if len(first) < len(place):
        # no sum has more terms than the longest run
        most = int(np.diff(first, append=len(place)).max())
        (wide,) = widen(numbers, limit=bound(numbers) * most)
        values = exact(
            np.add.reduceat(wide[order], first), values.denominator, values.field
        )
        rows, columns = np.divmod(ordered[first], shape[1])
        return scattered(shape, rows, columns, values)
    return scattered(shape, rows[order], columns[order], values.take(order))


def entries_of(m: ExactArray) -> Scattered:
    """A matrix by its non-zeros."""
    if isinstance(m, Scattered):
        return m
    height, width = m.shape
    rows, columns = np.nonzero(m.nonzero_mask())
    return Scattered((height, width), rows, columns, m[rows, columns])


def _places(key: Any, shape: Shape) -> tuple[IndexArray, IndexArray] | None:
    """Rows and columns of a pair of indices, as NumPy reads it; None for other keys.

    Also for one entry: who asks for these, one after the other, is better served by the matrix in full.
    """
    if not isinstance(key, tuple) or len(key) != 2:
        return None
    if not any(isinstance(k, (slice, np.ndarray)) for k in key):
        return None
    if not all(isinstance(k, (int, slice, np.ndarray, np.integer)) for k in key):
        return None
    i, j = (np.arange(size)[k] for size, k in zip(shape, key, strict=True))
    if isinstance(key[1], slice):
        i = np.asarray(i)[..., None]
    elif isinstance(key[0], slice):
        i = i.reshape(-1, *(1 for _ in np.shape(j)))
    found_i, found_j = np.broadcast_arrays(i, j)
    return found_i, found_j


def block_sum(blocks: Sequence[ExactArray]) -> Scattered:
    """Square blocks along the diagonal."""
    parts = [entries_of(block) for block in blocks]
    starts = np.cumsum([0, *(len(part) for part in parts)]).tolist()
    pairs = list(zip(parts, starts, strict=False))
    numbers, denominator, field = same_denominator([part.values for part in parts])
    return Scattered(
        (starts[-1], starts[-1]),
        np.concatenate([part.rows + start for part, start in pairs]),
        np.concatenate([part.columns + start for part, start in pairs]),
        exact(np.concatenate(numbers), denominator, field),
    )


def meetings(
    wanted: IndexArray, offered: IndexArray, count: int
) -> tuple[IndexArray, IndexArray]:
    """All pairs (i, j) with wanted[i] = offered[j], by increasing i.

    ``offered`` is sorted, and below ``count``.
    """
    starts = np.searchsorted(offered, np.arange(count + 1))
    return runs(starts, wanted)


def runs(start: IndexArray, index: IndexArray) -> tuple[IndexArray, IndexArray]:
    """All (i, position) with start[index[i]] <= position < start[index[i] + 1].

    >>> [a.tolist() for a in runs(np.array([0, 2, 3]), np.array([1, 0]))]
    [[0, 1, 1], [2, 0, 1]]
    """
    first = start[index]
    lengths = start[index + 1] - first
    which = np.repeat(np.arange(len(index)), lengths)
    # Positions count on within a run: what is added makes the first one right.
    before = np.cumsum(lengths) - lengths
    position = np.arange(len(which)) + np.repeat(first - before, lengths)
    return which, position


_set_denominator = ExactArray.__dict__["denominator"].__set__
_set_field = ExactArray.__dict__["field"].__set__
_set_numerators = ExactArray.__dict__["numerators"].__set__
_get_numerators = ExactArray.__dict__["numerators"].__get__
_set_shape = Scattered.__dict__["_shape"].__set__
_set_rows = Scattered.__dict__["rows"].__set__
_set_columns = Scattered.__dict__["columns"].__set__
_set_values = Scattered.__dict__["values"].__set__

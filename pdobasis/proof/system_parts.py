"""A system modulo p in connected parts, each numbered by itself: its rank, and its null vectors.

Many parts of the constraint are the same but for the names of their unknowns: these are solved once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from pdobasis.bounds.watch import check
from pdobasis.exact.types import IndexArray
from pdobasis.proof.equations import Triples
from pdobasis.proof.modular import SMALL_BITS, filled
from pdobasis.proof.sparse import parts
from pdobasis.values import dataclass

if TYPE_CHECKING:
    from flint import nmod_mat

SPARE = 8
"""Sums of equations beyond the number of unknowns."""

Vectors = tuple[IndexArray, IndexArray, IndexArray, int]
"""(unknown, vector, residue), and how many vectors there are."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Entries (row, column, residue) of one part; its columns are the columns ``names`` of the whole system."""

    shape: tuple[int, int]
    entries: IndexArray
    names: IndexArray

    def matrix(self, p: int) -> nmod_mat:
        return filled(self.shape, self.entries.tolist(), p)

    def sums_of_rows(self, p: int) -> nmod_mat:
        """A few more than there are columns, each of other rows with random factors; p is below 2^31."""
        height, width = self.shape
        count = width + SPARE
        factors = np.random.default_rng(height).integers(1, p, height)
        out = np.zeros((count, width), dtype=np.int64)
        rows, columns, values = self.entries.T
        np.add.at(out, (rows % count, columns), values * factors[rows] % p)
        return _matrix(out % p, p)


def numbered(entries: Triples, width: int) -> Iterator[Part]:
    """The parts of a system whose entries come row by row."""
    rows, columns, values = entries
    if not len(rows):
        return
    label = parts(rows, columns, (int(rows.max()) + 1, width))
    order = np.argsort(label[columns], kind="stable")
    row, column, value = rows[order], columns[order], values[order]
    of_part = label[column]
    first = np.flatnonzero(np.concatenate([[True], of_part[1:] != of_part[:-1]]))
    # entries come row by row, also within a part: a row begins where its number changes
    row_number = np.cumsum(np.concatenate([[0], row[1:] != row[:-1]]))
    # columns, part by part
    used = np.unique(column)
    by_part = used[np.argsort(label[used], kind="stable")]
    place_of = np.empty(width, dtype=np.int64)
    place_of[by_part] = np.arange(len(used))
    column_number = place_of[column]
    ends = np.append(first[1:], len(row))
    lengths = ends - first
    left = np.minimum.reduceat(column_number, first)
    right = np.maximum.reduceat(column_number, first) + 1
    heights = row_number[ends - 1] - row_number[first] + 1
    table = np.empty((len(row), 3), dtype=np.int64)
    table[:, 0] = row_number - np.repeat(row_number[first], lengths)
    table[:, 1] = column_number - np.repeat(left, lengths)
    table[:, 2] = value
    limits = (first, ends, left, right, heights)
    for start, end, low, high, height in zip(
        *(x.tolist() for x in limits), strict=True
    ):
        yield Part((height, high - low), table[start:end], by_part[low:high])


def ranks(entries: Triples, width: int, p: int) -> tuple[IndexArray, IndexArray]:
    """A column of every connected part, and the rank of the part."""
    columns, found = [], []
    known: dict[bytes, int] = {}
    for part in numbered(entries, width):
        columns.append(int(part.names[0]))
        # one row or column, with entries that are not zero
        if min(part.shape) == 1:
            found.append(1)
            continue
        # parts with the same numbers differ in their names alone
        key = part.entries.tobytes()
        if key not in known:
            known[key] = int(part.matrix(p).rank())
        found.append(known[key])
    return np.array(columns, dtype=np.int64), np.array(found, dtype=np.int64)


def null_vectors(entries: Triples, width: int, p: int) -> tuple[Triples, int]:
    """(column, vector, residue) of a basis of the null space, sorted by columns, and its size."""
    held = np.bincount(entries[1], minlength=width)
    alone = np.flatnonzero(held == 0)  # no equation holds them
    size = len(alone)
    found = [(alone, np.arange(size), np.ones(size, dtype=np.int64))]
    known: dict[bytes, Vectors] = {}
    for part in numbered(entries, width):
        if part.shape[1] == 1:  # the equation says that this unknown is zero
            continue
        key = part.entries.tobytes()
        if key not in known:
            check()
            known[key] = _vectors(part, p)
        column, vector, value, count = known[key]
        found.append((part.names[column], vector + size, value))
        size += count
    column, vector, value = (np.concatenate(own) for own in zip(*found, strict=True))
    order = np.argsort(column, kind="stable")
    return (column[order], vector[order], value[order]), size


def _vectors(part: Part, p: int) -> Vectors:
    table = _null_space(part, p)
    column, vector = np.nonzero(table)
    return column, vector, table[column, vector], table.shape[1]


def _null_space(part: Part, p: int) -> IndexArray:
    """A basis as the columns of a matrix.

    Few sums of the rows of a high matrix A leave few vectors V, and A V w = 0 is a narrow system, most often zero; the
    null space of A is V w, exactly, whatever rows were added up.
    """
    height, width = part.shape
    matrix = part.matrix(p)
    if height < 2 * (width + SPARE) or p.bit_length() > SMALL_BITS:
        return _basis(matrix)
    vectors = _basis(part.sums_of_rows(p))
    if not vectors.size:
        return vectors
    own = _matrix(vectors, p)
    weights = _basis(matrix * own)
    if weights.shape[1] == vectors.shape[1]:
        return vectors
    found = own * _matrix(weights, p)
    cells = np.array([int(v) for v in found.entries()], dtype=np.int64)
    return cells.reshape(width, weights.shape[1])


def _basis(matrix: nmod_mat) -> IndexArray:
    """Of its null space, as columns: e_f - sum of a_rf e_c over the pivots (r, c) of the echelon form.

    FLINT's numbers are read one by one, which takes longer than the elimination: only those that are needed.
    """
    table, rank = matrix.rref()
    width = matrix.ncols()
    pivots: list[int] = []
    column = 0
    for r in range(rank):
        while not table[r, column]:
            column += 1
        pivots.append(column)
        column += 1
    free = np.delete(np.arange(width), pivots)
    cells = [int(table[r, f]) for r in range(rank) for f in free.tolist()]
    out = np.zeros((width, len(free)), dtype=np.int64)
    out[free, np.arange(len(free))] = 1
    weights = np.array(cells, dtype=np.int64).reshape(rank, len(free))
    out[pivots] = np.where(weights, matrix.modulus() - weights, 0)
    return out


def _matrix(table: IndexArray, p: int) -> nmod_mat:
    """From an array of residues."""
    rows, columns = np.nonzero(table)
    own = (rows, columns, table[rows, columns])
    height, width = table.shape
    triples = zip(*(array.tolist() for array in own), strict=True)
    return filled((height, width), triples, p)

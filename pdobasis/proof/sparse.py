"""Sparse bookkeeping, written once more for the proof: what the solvers use for this is not used here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pdobasis.errors import ProofError
from pdobasis.exact.array import ExactArray, concatenate
from pdobasis.exact.integers import bound, widen
from pdobasis.exact.scattered import Scattered
from pdobasis.exact.types import IndexArray, IntArray

FEW = 8
"""Degrees of fields up to which coordinates are put together one by one."""
Sided = tuple[IndexArray, ExactArray]
"""Keys of places, and the values (one row each) that stand there; places may repeat."""


def balanced(
    plus: Sequence[Sided], minus: Sequence[Sided], modulus: int | None = None
) -> bool:
    """Whether the rows that share a key have the same sum on both sides, for every key; with a prime, modulo it.

    >>> from pdobasis.exact.array import integers
    >>> left, right = (np.array([7, 3, 7]), integers([2, 5, 1])), (np.array([3, 7]), integers([5, 3]))
    >>> balanced([left], [right]), balanced([left, left], [right])
    (True, False)
    """
    sides = [*plus, *minus]
    keys, values = (
        np.concatenate([k for k, _ in sides]),
        concatenate([v for _, v in sides]),
    )
    if len(keys) != len(values):
        raise ProofError(f"{len(keys)} places for {len(values)} values")
    if not len(keys):
        return True
    if modulus is not None and values.denominator % modulus == 0:
        raise ProofError(
            f"nothing can be said modulo {modulus}: it divides a denominator"
        )
    # Equal keys side by side, so that one sum over each run of them serves all.
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    # No sum has more terms than the longest run: where int64 may be too small, Python's integers take over.
    most = int(np.diff(first, append=len(keys)).max())
    (data,) = widen(values.numerators, limit=bound(values.numerators) * most)
    sign = np.ones(len(keys), dtype=np.int64)
    sign[sum(len(k) for k, _ in plus) :] = -1
    data = data[order] * sign[order].reshape(-1, *(1 for _ in data.shape[1:]))
    sums = np.add.reduceat(data, first, axis=0)
    if modulus is not None:
        sums = sums % modulus
    return not sums.any()


def nonzeros(values: ExactArray) -> tuple[IndexArray, ...]:
    """Where an array is not zero, axis by axis."""
    if isinstance(values, Scattered):
        return values.rows, values.columns
    numbers = values.numerators
    degree = values.field.degree
    if degree > FEW or numbers.dtype == object:
        return np.nonzero(numbers.any(axis=-1))
    # bit by bit: quicker than runs of a few numbers, and the same where there is one
    found = numbers[..., 0]
    for k in range(1, degree):
        found = found | numbers[..., k]
    mask = found != 0
    if mask.ndim != 2:
        return np.nonzero(mask)
    # places of a table are found faster as those of one long line
    row, column = np.divmod(mask.reshape(-1).nonzero()[0], mask.shape[1])
    return row, column


def entries(m: ExactArray) -> tuple[IndexArray, IndexArray, ExactArray]:
    """Rows, columns and values of the non-zeros of a matrix, row by row."""
    if isinstance(m, Scattered):
        return m.rows, m.columns, m.values
    i, j = nonzeros(m)
    return i, j, m[i, j]


def flat_entries(m: ExactArray) -> tuple[IndexArray, IntArray]:
    """The places of the non-zeros of a matrix, row by row as one long line, and their numerators."""
    if isinstance(m, Scattered):
        return m.rows * m.shape[1] + m.columns, m.values.numerators
    numbers = m.numerators.reshape(-1, m.field.degree)
    places = np.flatnonzero(numbers.any(axis=1))
    return places, numbers[places]


def spread(start: IndexArray, index: IndexArray) -> tuple[IndexArray, IndexArray]:
    """All (i, k) with start[index[i]] <= k < start[index[i] + 1], by increasing i.

    >>> [a.tolist() for a in spread(np.array([0, 2, 3]), np.array([1, 0]))]
    [[0, 1, 1], [2, 0, 1]]
    """
    first, last = start[index], start[index + 1]
    lengths = last - first
    which = np.repeat(np.arange(len(index)), lengths)
    # position within the own run, plus where that run starts
    behind = np.repeat(np.cumsum(lengths) - lengths, lengths)
    return which, np.arange(len(which)) - behind + np.repeat(first, lengths)


def parts(rows: IndexArray, columns: IndexArray, shape: tuple[int, int]) -> IndexArray:
    """For every column a label: columns with an entry in one row have one label.

    >>> parts(np.array([0, 0, 1, 1]), np.array([0, 2, 3, 1]), (2, 4)).tolist()
    [0, 1, 0, 1]
    """
    label = _labels(rows, columns, shape)
    # The rank is the sum of the ranks of the parts only if no row belongs to two of them. With the columns cut too
    # finely the sum is too large, and too much would be proved: so this is looked at, whoever made the labels.
    of_row = np.full(shape[0], -1)
    of_row[rows] = label[columns]
    if not np.array_equal(of_row[rows], label[columns]):
        raise ProofError("a linear system was cut through the middle of an equation")
    return label


def renumbered(label: IndexArray) -> IndexArray:
    """The same parts with the labels 0, 1, …

    >>> renumbered(np.array([0, 3, 3, 0, 4])).tolist()
    [0, 1, 1, 0, 2]
    """
    occur = np.bincount(label) > 0
    return np.asarray((np.cumsum(occur) - 1)[label])


def within(label: IndexArray) -> tuple[IndexArray, IndexArray]:
    """For every label the how many-th of its kind it is, and how many each kind has.

    >>> [own.tolist() for own in within(np.array([2, 0, 2, 2]))]
    [[0, 0, 1, 2], [1, 0, 3]]
    """
    order = np.argsort(label, kind="stable")
    counts = np.bincount(label)
    number = np.empty_like(label)
    first = np.cumsum(counts) - counts
    number[order] = np.arange(len(label)) - first[label[order]]
    return number, counts


def _labels(
    rows: IndexArray, columns: IndexArray, shape: tuple[int, int]
) -> IndexArray:
    """The smallest column connected with each: labels spread along rows until nothing changes."""
    height, width = shape
    label = np.arange(width)
    while True:
        least = np.full(height, width)
        np.minimum.at(least, rows, label[columns])
        offered = least[rows]
        if (offered == label[columns]).all():
            return label
        # A column that hears of a smaller label passes it on to the column that its old label names, too, so that
        # long chains halve in every turn.
        np.minimum.at(label, label[columns], offered)
        np.minimum.at(label, columns, offered)
        label = label[label]

r"""Null spaces of small rational systems, in Python's integers.

An equation is a row of integers up to a factor, so that elimination needs no
fractions: rows are multiplied crosswise, and divided by what their entries
share. The pivot of a row is its last unknown. With pivots c and free unknowns f
the solutions are $e_f + \sum_c w_{cf}\,e_c$, in reduced row echelon form.

This is for some hundred entries, where calls of NumPy take longer than the
numbers do; :mod:`.stages` takes what is larger, and gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import gcd, lcm
from typing import Generic, TypeVar

import numpy as np

from pdobasis.exact.array import exact
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.integers import narrow
from pdobasis.linear.sparse import Sparse

Row = dict[int, int]
"""The entries of an equation that are not zero, by unknowns."""
Key = TypeVar("Key", int, tuple[int, int, int])
"""The number of an unknown, or its place (row, column, monomial)."""


def small_null_space(stages: Sequence[Sparse]) -> Sparse:
    """The solutions of all stages, which are over Q."""
    return _solutions(echelon(_all_rows(stages)), stages[0].shape[1])


def echelon(rows: Iterable[Row]) -> dict[int, Row]:
    """The reduced equations by their pivots: a pivot is the last unknown of its row, and in no other row.

    The rows that are given are used up.

    >>> echelon([{0: 1, 2: -1}, {1: 2, 2: 4}, {0: 4, 1: 2}])
    {2: {0: -1, 2: 1}, 1: {1: 1, 0: 2}}
    """
    pivots: dict[int, Row] = {}
    for row in rows:
        _add(row, pivots)
    # A row has unknowns before its pivot only: what they are is known by then.
    for c in sorted(pivots):
        row = pivots[c]
        others = [k for k in row if k != c and k in pivots]
        if others:
            for k in others:
                row = _without(k, row, pivots[k])
            pivots[c] = _primitive(row, c)
    return pivots


def first_independent(rows: Iterable[Mapping[Key, int]]) -> list[int]:
    """The numbers of the rows that are no combination of those before them.

    >>> first_independent([{0: 1, 2: -1}, {0: 2, 2: -2}, {1: 1}])
    [0, 2]
    """
    seen: Independent[Key] = Independent()
    return [k for k, given in enumerate(rows) if seen.adds(given)]


class Independent(Generic[Key]):
    """Rows one after the other, and whether each is a combination of those before it."""

    def __init__(self) -> None:
        self._pivots: dict[Key, dict[Key, int]] = {}

    def adds(self, given: Mapping[Key, int]) -> bool:
        known = len(self._pivots)
        _add(dict(given), self._pivots)
        return len(self._pivots) > known


def null_vectors(
    pivots: dict[int, Row], unknowns: int
) -> tuple[list[list[tuple[int, int]]], int]:
    """The solutions, (unknown, numerator) in increasing order each, and the denominator of all.

    >>> null_vectors({1: {0: 2, 1: 3}}, 3)
    ([[(0, 3), (1, -2)], [(2, 3)]], 3)
    """
    vectors: dict[int, list[tuple[int, int]]] = {}
    common = lcm(1, *(row[c] for c, row in pivots.items()))
    for f in range(unknowns):
        if f not in pivots:
            vectors[f] = [(f, common)]
    for c in sorted(pivots):
        row = pivots[c]
        # x_c = - sum_f (row[f] / row[c]) x_f
        scale = -(common // row[c])
        for f, v in row.items():
            if f != c:
                vectors[f].append((c, scale * v))
    return list(vectors.values()), common


def _all_rows(stages: Sequence[Sparse]) -> Iterable[Row]:
    for stage in stages:
        yield from rows_of(stage, stage.values.numerators[:, 0].tolist())


def rows_of(stage: Sparse, numbers: Iterable[int]) -> Iterable[Row]:
    """The equations by what stands for their entries, up to factors; entries that meet are added up."""
    rows: dict[int, Row] = {}
    entries = zip(stage.rows.tolist(), stage.columns.tolist(), numbers, strict=True)
    for r, c, v in entries:
        row = rows.get(r)
        if row is None:
            rows[r] = {c: v}
        else:
            row[c] = row.get(c, 0) + v
    return rows.values()


def _add(row: dict[Key, int], pivots: dict[Key, dict[Key, int]]) -> None:
    """What is new in an equation becomes a pivot."""
    if 0 in row.values():
        row = {c: v for c, v in row.items() if v}
    while row:
        c = max(row)
        pivot = pivots.get(c)
        if pivot is None:
            pivots[c] = _primitive(row, c)
            return
        row = _without(c, row, pivot)


def _without(c: Key, row: dict[Key, int], pivot: dict[Key, int]) -> dict[Key, int]:
    """A multiple of the row less a multiple of the pivot, in which c is gone."""
    a, b = row[c], pivot[c]
    if b != 1:
        g = gcd(a, b)
        a, b = a // g, b // g
        row = {k: b * v for k, v in row.items()}
    for k, v in pivot.items():
        if k not in row:
            row[k] = -a * v
            continue
        rest = row[k] - a * v
        if rest:
            row[k] = rest
        else:
            del row[k]
    return row


def _primitive(row: dict[Key, int], c: Key) -> dict[Key, int]:
    """Without a common factor, positive at c."""
    g = 1
    # Most rows have a one, and then no common factor.
    if abs(row[c]) != 1:
        g = gcd(*row.values())
    if row[c] < 0:
        g = -g
    if g == 1:
        return row
    return {k: v // g for k, v in row.items()}


def _solutions(pivots: dict[int, Row], unknowns: int) -> Sparse:
    """Sorted by row and column."""
    vectors, common = null_vectors(pivots, unknowns)
    lengths = [len(vector) for vector in vectors]
    entries = [entry for vector in vectors for entry in vector]
    columns = np.array([c for c, _ in entries], dtype=np.int64)
    numerators = narrow(np.array([[v] for _, v in entries], dtype=object))
    return Sparse(
        np.arange(len(lengths)).repeat(lengths),
        columns,
        exact(numerators.reshape(-1, 1), common, RATIONALS),
        (len(lengths), unknowns),
    )

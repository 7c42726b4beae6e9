"""Linear equations with one solution, over a number field."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pdobasis.errors import GroupError
from pdobasis.exact.components import component_labels
from pdobasis.exact.field import Field
from pdobasis.exact.integers import bound, widen
from pdobasis.exact.types import IndexArray, IntArray

if TYPE_CHECKING:
    from flint import fmpq_mat

Fractions = tuple[IntArray, int]
"""Numerators over the field's basis, and their denominator."""


def solve_integers(a: Fractions, b: Fractions, field: Field) -> Fractions:
    """X with a X = b, exactly; GroupError when a is singular.

    A matrix over K is one over Q, n times as large: a number is replaced by
    what multiplying by it does to the basis. FLINT solves that.
    """
    (left, left_den), (right, right_den) = a, b
    n, size, columns = field.degree, left.shape[0], right.shape[1]
    (wide,) = widen(left, limit=bound(left) * field.expansion)
    # Columns of K^d as rational columns: left multiplication acts through
    # transposed tables.
    table = field.multiplication(wide).transpose(0, 3, 1, 2)
    left_q = _rational_matrix(table.reshape(size * n, size * n), left_den)
    flat = right.transpose(0, 2, 1).reshape(size * n, columns)
    right_q = _rational_matrix(flat, right_den)
    try:
        solution = left_q.solve(right_q)
    except ZeroDivisionError:
        raise GroupError("the matrix is singular") from None
    numerators, denominator = solution.numer_denom()
    cells = [int(v) for v in numerators.entries()]
    data = np.array(cells, dtype=object).reshape(size, n, columns)
    return data.transpose(0, 2, 1), int(denominator)


def parts_of(
    rows: IndexArray, columns: IndexArray, size: int
) -> list[tuple[IndexArray, IndexArray]]:
    """(rows, columns) of the parts that a square matrix falls into; GroupError where one is not square, or empty.

    >>> zigzag = np.array([0, 1, 1, 2]), np.array([1, 0, 2, 0])
    >>> [(i.tolist(), j.tolist()) for i, j in parts_of(*zigzag, 3)]
    [([1, 2], [0, 2]), ([0], [1])]
    """
    label = component_labels(rows, columns, (size, size))
    of_row = np.full(size, -1)
    of_row[rows] = label[columns]
    i, j = (np.argsort(own, kind="stable") for own in (of_row, label))
    # as many rows as columns in every part
    if not np.array_equal(of_row[i], label[j]):
        raise GroupError("the matrix is singular")
    ends = np.flatnonzero(np.diff(label[j])) + 1
    return list(zip(np.split(i, ends), np.split(j, ends), strict=True))


def _rational_matrix(values: IntArray, denominator: int) -> fmpq_mat:
    from flint import fmpq, fmpq_mat

    cells = [fmpq(int(v), denominator) for v in values.ravel()]
    height, width = values.shape
    return fmpq_mat(height, width, cells)

"""Linear equations with one solution, over a number field."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pdobasis.errors import GroupError
from pdobasis.exact.field import Field
from pdobasis.exact.integers import bound, widen
from pdobasis.exact.types import IntArray

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


def _rational_matrix(values: IntArray, denominator: int) -> fmpq_mat:
    from flint import fmpq, fmpq_mat

    cells = [fmpq(int(v), denominator) for v in values.ravel()]
    height, width = values.shape
    return fmpq_mat(height, width, cells)

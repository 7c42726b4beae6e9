"""Matrices on axes that are long enough for most rows to be copies of one: every row by elimination in fractions."""

from fractions import Fraction
from math import factorial

import numpy as np
import pytest

import pdobasis


def weights(nodes: list[Fraction], order: int) -> list[Fraction]:
    """Those that are exact on all powers below the number of nodes, by Gauss's elimination."""
    n = len(nodes)
    rows = [[x**k for x in nodes] + [Fraction(factorial(order) * (k == order))] for k in range(n)]
    for i in range(n):
        pivot = next(r for r in range(i, n) if rows[r][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [v / rows[i][i] for v in rows[i]]
        for r in range(n):
            if r != i and rows[r][i]:
                rows[r] = [a - rows[r][i] * b for a, b in zip(rows[r], rows[i], strict=True)]
    return [row[n] for row in rows]


@pytest.mark.parametrize("count", [40, 57])
@pytest.mark.parametrize("size", [3, 5])
@pytest.mark.parametrize("order", [1, 2])
def test_one_sided_rows(count: int, size: int, order: int) -> None:
    found = pdobasis.operator(f"d1^{order}").on_grid((count,), size, boundary="one-sided", spacing=Fraction(1, 3))
    expected = np.zeros((count, count))
    for k in range(count):
        length, low = size, k - size // 2
        if low < 0 or low + length > count:
            length += (length - order) % 2
            low = min(max(k - length // 2, 0), count - length)
        near = range(low, low + length)
        expected[k, low : low + length] = [float(w) for w in weights([Fraction(j - k, 3) for j in near], order)]
    assert np.array_equal(found.matrix.toarray(), expected)


@pytest.mark.parametrize(("size", "dilation"), [(3, 1), (5, 1), (3, 2)])
@pytest.mark.parametrize("shape", [(5, 7), (12, 9), (31, 40)])
def test_periodic_rows_are_rolled_arrays(shape: tuple[int, int], size: int, dilation: int) -> None:
    basis = pdobasis.solve("D4", "vector", "vector", order=2)
    matrices = basis.matrix(shape, "gauss", size, dilation=dilation)
    field = np.random.default_rng(0).standard_normal((2, *shape))
    stencils = np.asarray(basis.stencils("gauss", size=size, dilation=dilation))
    for matrix, own in zip(matrices, stencils, strict=True):
        expected = np.zeros((2, *shape))
        for o, i, a, c in np.ndindex(*own.shape):
            shift = (dilation * (size // 2 - a), dilation * (size // 2 - c))
            expected[o] += own[o, i, a, c] * np.roll(field[i], shift, (0, 1))
        assert np.abs(matrix(field) - expected).max() < 1e-12
        again = matrix.matrix.copy()
        again.has_sorted_indices = False
        assert np.array_equal(again.sorted_indices().indices, matrix.matrix.indices)
        assert matrix.matrix.nnz == np.count_nonzero(own) * np.prod(shape)


def test_an_axis_with_summation_by_parts_is_the_short_one_with_more_in_the_middle() -> None:
    short = pdobasis.operator("d1^2").on_grid((30,), 5, boundary="sbp").weighted.toarray()  # type: ignore[union-attr]
    long = pdobasis.operator("d1^2").on_grid((90,), 5, boundary="sbp").weighted.toarray()  # type: ignore[union-attr]
    assert np.array_equal(short[:15, :20], long[:15, :20])
    assert np.array_equal(short[15:, 10:], long[75:, 70:])
    middle = long[40, 35:46]
    for row in range(15, 75):
        assert np.array_equal(long[row, row - 5 : row + 6], middle)
    assert np.count_nonzero(long) == np.count_nonzero(short) + 60 * 5

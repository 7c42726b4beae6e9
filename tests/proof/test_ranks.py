"""Ranks without elimination: what has a coefficient of its own is taken away, and so on; the rest is eliminated."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpz_mat

from pdobasis.exact.array import integers
from pdobasis.exact.types import IntArray
from pdobasis.operators.symbols import Symbols, from_dense
from pdobasis.proof.batch import single
from pdobasis.proof.independent import _peeled, rank, ranks

CHAIN = [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]
"""The first owns a coefficient; without it the second does, and the last owns one from the beginning."""
CYCLE = [[1, 1, 0], [0, 1, 1], [1, 0, 1]]
DEPENDENT = [[1, -1, 0], [0, 1, -1], [-1, 0, 1]]


def symbols_of(rows: IntArray) -> Symbols:
    """Elements that have these coefficients: 1 x 1 matrices of polynomials of two variables."""
    order = rows.shape[1] - 1
    return from_dense(integers(rows).reshape(len(rows), 1, 1, order + 1), 2, order)


@pytest.mark.parametrize(
    ("rows", "owns"),
    [(CHAIN, [True, True, True]), (CYCLE, [False] * 3), (DEPENDENT, [False] * 3), ([[1, 1], [0, 0]], [True, False])],
)
def test_what_has_a_coefficient_of_its_own(rows: list[list[int]], owns: list[bool]) -> None:
    element, column = np.nonzero(np.array(rows))
    found, left = _peeled(element, column, np.array(rows).shape)
    assert found.tolist() == owns
    assert set(element[left].tolist()) == {k for k, row in enumerate(rows) if any(row) and not owns[k]}


@pytest.mark.parametrize(("rows", "expected"), [(CHAIN, 3), (CYCLE, 3), (DEPENDENT, 2), ([[1, 1], [0, 0]], 1)])
def test_ranks_of_small_systems(rows: list[list[int]], expected: int) -> None:
    assert rank(symbols_of(np.array(rows))) == expected


@pytest.mark.parametrize("seed", range(40))
def test_the_rank_is_that_of_the_whole_matrix(seed: int) -> None:
    draw = np.random.default_rng(seed)
    height, width = draw.integers(1, 12, 2)
    rows = draw.integers(-2, 3, (height, width)) * (draw.random((height, width)) < draw.random())
    # some elements are combinations of others, and some parts are there twice
    rows = np.concatenate([rows, rows[:1] + rows[-1:], rows[:2]])
    assert rank(symbols_of(rows)) == fmpz_mat(rows.tolist()).rank()


def test_like_parts_count_each() -> None:
    """Two cycles at different places, and one that is dependent: 3 + 3 + 2."""
    rows = np.zeros((9, 9), dtype=np.int64)
    for k, block in enumerate((CYCLE, CYCLE, DEPENDENT)):
        rows[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = block
    assert ranks(single(symbols_of(rows))).tolist() == [3, 0, 0, 3, 0, 0, 2, 0, 0]


def test_large_numbers_are_told_apart() -> None:
    """Beyond 64 bits as well: 2^70 (1, 1) and (1, 1) are one line, 2^70 (1, 2) and (1, 1) are not."""
    big = 1 << 70
    assert rank(symbols_of(np.array([[big, big], [1, 1]], dtype=object))) == 1
    assert rank(symbols_of(np.array([[big, 2 * big], [1, 1]], dtype=object))) == 2

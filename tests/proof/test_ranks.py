"""Ranks without elimination: what has a coefficient of its own is taken away, and so on; the rest is eliminated."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpz_mat, nmod_mat

from pdobasis.exact.array import integers
from pdobasis.exact.types import IntArray
from pdobasis.operators.symbols import Symbols, from_dense
from pdobasis.proof.batch import single
from pdobasis.proof.independent import FEW, LOW, _peeled, rank, ranks
from pdobasis.proof.small_ranks import have_full_rank

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


@pytest.mark.parametrize("seed", range(8))
def test_many_parts_of_several_heights(seed: int) -> None:
    """More than are eliminated one by one: low parts, some of them dependent, one that is high, and a zero element."""
    draw = np.random.default_rng(seed)
    shapes = [(int(h), int(w)) for h, w in draw.integers(2, 9, (30, 2))] + [(LOW + 2, 2 * LOW)]
    blocks = [
        np.concatenate([m := draw.integers(1, 4, shape), m[:1] + m[1:2]][: 1 + k % 2]) for k, shape in enumerate(shapes)
    ]
    height, width = (sum(b.shape[axis] for b in blocks) for axis in (0, 1))
    rows = np.zeros((height + 1, width), dtype=np.int64)
    top = left = 0
    expected = np.zeros(height + 1, dtype=np.int64)
    for block in blocks:
        rows[top : top + len(block), left : left + block.shape[1]] = block
        expected[top] = fmpz_mat(block.tolist()).rank()
        top, left = top + len(block), left + block.shape[1]
    assert np.count_nonzero(rows) > FEW
    found = ranks(single(symbols_of(rows)))
    assert found.sum() == fmpz_mat(rows.tolist()).rank()
    # elements that own a coefficient count one by one, so parts are compared by their sums
    heads = np.cumsum([0, *(len(b) for b in blocks)])
    assert np.add.reduceat(found, heads).tolist() == [*expected[heads[:-1]].tolist(), 0]


@pytest.mark.parametrize("seed", range(20))
def test_small_matrices_at_once(seed: int) -> None:
    """Full rank modulo a prime, of all: as FLINT finds it one by one."""
    draw = np.random.default_rng(seed)
    p, height = (5, 268435399)[seed % 2], 1 + seed % 4
    tables = draw.integers(0, min(p, 7), (3, height, height + seed % 3)) % p
    each = [nmod_mat(height, height + seed % 3, t.ravel().tolist(), p).rank() == height for t in tables]
    assert have_full_rank(tables, p) == all(each)
    assert [have_full_rank(t[None], p) for t in tables] == each


def test_residues_of_31_bits_do_not_overflow() -> None:
    """(p-1)^2 - (p-1) 1 and the like stay within int64: -1 (-1) - 1 1 is 0 modulo p, -1 (-1) - 1 2 is not."""
    p = 2147483629
    assert not have_full_rank(np.array([[[p - 1, 1], [1, p - 1]]]), p)
    assert have_full_rank(np.array([[[p - 1, 1], [2, p - 1]]]), p)

"""Systems modulo p part by part: ranks and null spaces as FLINT finds them of all equations at once."""

from __future__ import annotations

import numpy as np
import pytest
from flint import nmod_mat

from pdobasis.exact.types import IndexArray
from pdobasis.proof.equations import Triples
from pdobasis.proof.modular import filled
from pdobasis.proof.system_parts import Part, null_vectors, numbered, ranks

P = 2_147_483_629


def triples(table: IndexArray) -> Triples:
    rows, columns = np.nonzero(table)
    return rows, columns, table[rows, columns] % P


def two_rows(part: Part) -> list[tuple[int, int, int]]:
    return [(row, column, value) for row, column, value in part.entries.tolist() if row < 2]


def block_sum(blocks: list[IndexArray]) -> IndexArray:
    out = np.zeros([sum(size) for size in zip(*(b.shape for b in blocks), strict=True)], dtype=np.int64)
    row = column = 0
    for block in blocks:
        height, width = block.shape
        out[row : row + height, column : column + width] = block
        row, column = row + height, column + width
    return out


def system(seed: int) -> IndexArray:
    """Parts of several shapes, some twice, a high one of low rank, unknowns without equations; columns mixed up."""
    rng = np.random.default_rng(seed)
    high = rng.integers(-3, 4, (60, 5)) @ rng.integers(-3, 4, (5, 9))
    flat = rng.integers(1, 4, (2, 6))
    parts = [high, flat, rng.integers(1, 4, (3, 1)), flat, np.zeros((0, 3), dtype=np.int64), rng.integers(0, 3, (5, 5))]
    table = block_sum(parts)
    return table[:, rng.permutation(table.shape[1])]


@pytest.mark.parametrize("are_few", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_null_vectors_are_all_that_flint_finds(seed: int, are_few: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where sums of rows say too little: of nine columns two rows leave seven vectors."""
    if are_few:
        monkeypatch.setattr(Part, "sums_of_rows", lambda part, p: filled((2, part.shape[1]), two_rows(part), p))
    table = system(seed)
    height, width = table.shape
    (column, vector, value), size = null_vectors(triples(table), width, P)
    rank = nmod_mat(height, width, table.ravel().tolist(), P).rank()
    assert size == width - rank
    assert (np.diff(column) >= 0).all()
    found = np.zeros((width, size), dtype=object)
    found[column, vector] = value
    assert not ((table.astype(object) @ found) % P).any()
    assert nmod_mat(width, size, [int(v) for v in found.ravel()], P).rank() == size


@pytest.mark.parametrize("seed", range(5))
def test_ranks_of_parts_add_up(seed: int) -> None:
    table = system(seed)
    columns, found = ranks(triples(table), table.shape[1], P)
    assert len(set(columns.tolist())) == len(columns) == len(list(numbered(triples(table), table.shape[1])))
    height, width = table.shape
    assert found.sum() == nmod_mat(height, width, table.ravel().tolist(), P).rank()


def test_parts_that_differ_in_one_number_are_not_taken_for_the_same() -> None:
    table = block_sum([np.array([[1, 2], [2, 4]]), np.array([[1, 2], [2, 5]]), np.array([[1, 2], [2, 4]])])
    _, found = ranks(triples(table), 6, P)
    assert found.tolist() == [1, 2, 1]
    assert null_vectors(triples(table), 6, P)[1] == 2

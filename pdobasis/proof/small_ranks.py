"""Ranks of many small matrices at once, modulo a prime: every step of the elimination is one of all of them."""

from __future__ import annotations

import numpy as np

from pdobasis.exact.types import IndexArray, IntArray


def have_full_rank(tables: IntArray, p: int) -> bool:
    """Whether the rows of every matrix (first axis) are independent modulo a prime below 2^31.

    >>> have_full_rank(np.array([[[1, 2], [3, 4]], [[0, 1], [1, 0]]]), 5)
    True
    >>> have_full_rank(np.array([[[1, 2], [3, 4]], [[1, 2], [3, 6]]]), 5)
    False
    """
    which = np.arange(len(tables))
    rest = tables
    if not rest.shape[2]:
        return not rest.shape[1]
    while rest.shape[1]:
        first, rest = rest[:, 0], rest[:, 1:]
        column = (first != 0).argmax(axis=1)
        pivot = first[which, column]
        if not pivot.all():
            return False
        # a_rc (row i) - a_ic (row r) for the rows i that are left: without division, and nothing is lost since a_rc is
        # not zero; products of two residues fit into int64, and so does their difference
        factor = rest[which, :, column]
        rest = rest * pivot[:, None, None] - factor[:, :, None] * first[:, None, :]
        rest %= p
    return True


def by_heights(
    heights: IndexArray, widest: IndexArray
) -> list[tuple[IndexArray, tuple[int, int]]]:
    """The numbers of the matrices that have the same height, and the shape in which all of them have room.

    >>> [(own.tolist(), shape) for own, shape in by_heights(np.array([2, 0, 3, 2]), np.array([5, 0, 4, 7]))]
    [([0, 3], (2, 7)), ([2], (3, 4))]
    """
    found = sorted(set(heights.tolist()) - {0})
    chosen = [np.flatnonzero(heights == height) for height in found]
    return [
        (own, (height, int(widest[own].max())))
        for own, height in zip(chosen, found, strict=True)
    ]

r"""Gauss-Jordan elimination of many small matrices modulo primes, side by side.

A basis of the null space in reduced row echelon form has a vector $e_f - \sum_c (a_{rf}/a_{rc})\,e_c$ for every free
column f, over the pivots (r, c). Pivots are taken from the last column to the first, so that every vector starts at its
own free column. No division is done on the way: rows are multiplied crosswise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from flint import nmod_mat
from numpy.typing import NDArray

from pdobasis.exact.lanes import Lanes, Residues
from pdobasis.exact.types import IndexArray

LARGE = 48
"""Columns from which FLINT is faster."""


@dataclass(frozen=True, slots=True, eq=False)
class Reduced:
    """``pivots`` (matrices, columns) and ``weights`` (lanes, matrices, pivot column, free column), zero elsewhere.

    The null space of a matrix has the vectors e_f + sum_c weights[c, f] e_c.
    """

    pivots: NDArray[np.bool_]
    weights: Residues


def eliminate(matrices: Residues, lanes: Lanes) -> Reduced | None:
    """Of matrices (lanes, matrices, rows, columns); None when the lanes do not agree on the pivots."""
    if matrices.shape[3] > LARGE:
        return _by_flint(matrices, lanes)
    rows_of = _gauss_jordan(matrices, lanes)
    pivots = rows_of[0] >= 0
    if ((rows_of >= 0) != pivots).any():
        return None
    weights = np.zeros((*matrices.shape[:2], matrices.shape[3], matrices.shape[3]))
    some = np.flatnonzero(~pivots.all(axis=1) & pivots.any(axis=1))
    if len(some):
        inside = np.maximum(rows_of[:, some], 0)
        picked = np.take_along_axis(matrices[:, some], inside[..., None], axis=2)  # row of pivot c, in place c
        which, column = np.nonzero(pivots[some])
        inverse = lanes.inverses(picked[:, which, column, column])
        lines = lanes.reduce(picked[:, which, column] * -inverse[..., None])
        weights[:, some[which], column] = np.where(pivots[some[which]], 0.0, lines)
    return Reduced(pivots, weights)


def _gauss_jordan(matrices: Residues, lanes: Lanes) -> IndexArray:
    """In place; the row of every pivot column, (lanes, matrices, columns), or -1."""
    count, many, height, width = matrices.shape
    flat = matrices.reshape(count, many * height, width)
    unused = np.ones((count, many, height), dtype=bool)
    rows_of = np.full((count, many, width), -1)
    lane, matrix = (a.ravel() for a in np.indices((count, many)))
    for c in range(width - 1, -1, -1):
        column = matrices[..., c]
        candidates = (column != 0) & unused
        row = candidates.argmax(axis=2)
        found = candidates[lane, matrix, row.ravel()].reshape(count, many)
        if not found.any():
            continue
        rows_of[..., c] = np.where(found, row, -1)
        unused[lane, matrix, row.ravel()] &= ~found.ravel()
        pivot_rows = matrices[lane, matrix, row.ravel()].reshape(count, many, 1, width)
        scale = np.where(found, pivot_rows[:, :, 0, c], 1.0)
        factors = np.where(found[..., None], column, 0.0)
        factors[lane, matrix, row.ravel()] = 0.0
        matrices *= scale[:, :, None, None]
        matrices -= factors[..., None] * pivot_rows
        lanes.reduce(flat)
    return rows_of


def _by_flint(matrices: Residues, lanes: Lanes) -> Reduced | None:
    """One by one."""
    count, many, height, width = matrices.shape
    pivots = np.zeros((count, many, width), dtype=bool)
    weights = np.zeros((count, many, width, width))
    for lane in range(count):
        p = int(lanes.modulus[lane])
        for k in range(many):
            mirrored = matrices[lane, k, :, ::-1].astype(np.int64) % p
            reduced, rank = nmod_mat(height, width, mirrored.ravel().tolist(), p).rref()
            table = np.array([int(v) for v in reduced.entries()[: rank * width]]).reshape(rank, width)[:, ::-1]
            columns = width - 1 - (table[:, ::-1] != 0).argmax(axis=1)
            pivots[lane, k, columns] = True
            weights[lane, k, columns] = np.where(pivots[lane, k], 0, -table)
    if (pivots != pivots[:1]).any():
        return None
    return Reduced(pivots[0], lanes.reduce(weights.reshape(count, -1)).reshape(weights.shape))

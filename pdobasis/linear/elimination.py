r"""Gauss-Jordan elimination of many small matrices modulo primes, side by side.

A basis of the null space in reduced row echelon form has a vector $e_f - \sum_c (a_{rf}/a_{rc})\,e_c$ for every free
column f, over the pivots (r, c). Pivots are taken from the last column to the first, so that every vector starts at its
own free column. No division is done on the way: rows are multiplied crosswise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdobasis.exact.primes import sparse_matrix
from pdobasis.linear.lanes import Lanes, Residues

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
    lines = _gauss_jordan(matrices, lanes)
    found = lines.diagonal(axis1=2, axis2=3) != 0
    pivots = found[0]
    if (found != pivots).any():
        return None
    weights = np.zeros(lines.shape)
    which, column = np.nonzero(pivots & ~pivots.all(axis=1)[:, None])
    if len(which):
        inverse = lanes.inverses(lines[:, which, column, column])
        weights[:, which, column] = lanes.reduce(lines[:, which, column] * -inverse[..., None]) * ~pivots[which]
    return Reduced(pivots, weights)


def _gauss_jordan(matrices: Residues, lanes: Lanes) -> Residues:
    """The reduced rows, (lanes, matrices, columns, columns): the row with its pivot in column c stands in place c."""
    count, many, height, width = matrices.shape
    every = np.arange(count * many)
    table = np.concatenate([np.zeros((count, many, width, width)), matrices], axis=2)
    table = table.reshape(count * many, width + height, width)
    lane_of = table.reshape(count, -1)
    for c in range(width - 1, -1, -1):
        row = (table[:, width:, c] != 0).argmax(axis=1)
        pivot_rows = table[every, row + width]
        pivot = pivot_rows[:, c]
        if not pivot.any():
            continue
        none = pivot == 0
        pivot_rows *= ~none[:, None]
        change = table[:, :, c, None] * pivot_rows[:, None, :]  # wipes out the pivot row itself, too
        table *= (pivot + none)[:, None, None]
        table -= change
        lanes.reduce(lane_of)
        table[:, c] = pivot_rows
    return table[:, :width].reshape(count, many, width, width)


def _by_flint(matrices: Residues, lanes: Lanes) -> Reduced | None:
    """One by one."""
    count, many, height, width = matrices.shape
    pivots = np.zeros((count, many, width), dtype=bool)
    weights = np.zeros((count, many, width, width))
    for lane in range(count):
        p = int(lanes.modulus[lane])
        for k in range(many):
            mirrored = matrices[lane, k, :, ::-1].astype(np.int64)
            row, column = np.nonzero(mirrored)
            entries = zip(row.tolist(), column.tolist(), mirrored[row, column].tolist(), strict=True)
            reduced, rank = sparse_matrix((height, width), entries, p).rref()
            table = np.array([int(v) for v in reduced.entries()[: rank * width]]).reshape(rank, width)[:, ::-1]
            columns = width - 1 - (table[:, ::-1] != 0).argmax(axis=1)
            pivots[lane, k, columns] = True
            weights[lane, k, columns] = np.where(pivots[lane, k], 0, -table)
    if (pivots != pivots[:1]).any():
        return None
    return Reduced(pivots[0], lanes.reduce(weights.reshape(count, -1)).reshape(weights.shape))

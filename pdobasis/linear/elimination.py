r"""Gauss-Jordan elimination of many small matrices modulo primes, side by side.

A basis of the null space in reduced row echelon form has a vector $e_f - \sum_c
(a_{rf}/a_{rc})\,e_c$ for every free column f, over the pivots (r, c). Pivots
are taken from the last column to the first, so that every vector starts at its
own free column. No division is done on the way: rows are multiplied crosswise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pdobasis.bounds.watch import check
from pdobasis.exact.primes import sparse_matrix
from pdobasis.linear.dense_residues import product, reduced
from pdobasis.linear.lanes import Lanes, Residues
from pdobasis.values import dataclass

if TYPE_CHECKING:
    from flint import nmod_mat

LARGE = 48
"""Columns from which FLINT is faster."""
SPARE = 8
"""Sums of rows beyond the number of columns."""


@dataclass(frozen=True, slots=True, eq=False)
class Reduced:
    """What is left of many matrices, to read their null vectors off.

    ``pivots`` (matrices, columns) and ``weights`` (lanes, matrices, pivot
    column, free column), zero elsewhere: the null space of a matrix has the
    vectors e_f + sum_c weights[c, f] e_c.
    """

    pivots: NDArray[np.bool_]
    weights: Residues


def eliminate(matrices: Residues, lanes: Lanes) -> Reduced | None:
    """Of matrices (lanes, matrices, rows, columns).

    None when the lanes do not agree on the pivots: then one of the primes is
    unlucky, since over K there is only one answer.
    """
    if matrices.shape[3] > LARGE:
        return _by_flint(matrices, lanes)
    lines = _gauss_jordan(matrices, lanes)
    found = lines.diagonal(axis1=2, axis2=3) != 0
    pivots = found[0]
    if (found != pivots).any():
        return None
    weights = np.zeros(lines.shape)
    # Where every column is a pivot there is no free one to be weighed.
    has_free = ~pivots.all(axis=1)
    which, column = np.nonzero(pivots & has_free[:, None])
    if len(which):
        inverse = lanes.inverses(lines[:, which, column, column])
        divided = lines[:, which, column] * -inverse[..., None]
        weights[:, which, column] = lanes.reduce(divided) * ~pivots[which]
    return Reduced(pivots, weights)


def _gauss_jordan(matrices: Residues, lanes: Lanes) -> Residues:
    """The reduced rows, (lanes, matrices, columns, columns).

    The row with its pivot in column c stands in place c.
    """
    count, many, height, width = matrices.shape
    every = np.arange(count * many)
    done = np.zeros((count, many, width, width))
    table = np.concatenate([done, matrices], axis=2)
    table = table.reshape(count * many, width + height, width)
    lane_of = table.reshape(count, -1)
    for c in range(width - 1, -1, -1):
        row = (table[:, width:, c] != 0).argmax(axis=1)
        pivot_rows = table[every, row + width]
        pivot = pivot_rows[:, c]
        if not pivot.any():
            continue
        # A matrix without a pivot here is left as it is: its rows are
        # multiplied by 1, and nothing is taken away from them.
        none = pivot == 0
        pivot_rows *= ~none[:, None]
        # Every row becomes pivot * row - row[c] * pivot_row: two products of
        # residues, which float64 holds. The pivot row itself becomes zero.
        change = table[:, :, c, None] * pivot_rows[:, None, :]
        table *= (pivot + none)[:, None, None]
        table -= change
        lanes.reduce(lane_of)
        table[:, c] = pivot_rows
    return table[:, :width].reshape(count, many, width, width)


def _by_flint(matrices: Residues, lanes: Lanes) -> Reduced | None:
    """One by one."""
    count, many, _, width = matrices.shape
    pivots = np.ones((count, many, width), dtype=bool)
    weights = np.zeros((count, many, width, width))
    for lane in range(count):
        p = int(lanes.modulus[lane])
        for k in range(many):
            check()
            vectors = _null_vectors(matrices[lane, k], p)
            free = (vectors != 0).argmax(axis=1)
            pivots[lane, k, free] = False
            weights[lane, k][:, free] = vectors.T
            weights[lane, k][free] = 0
    if (pivots != pivots[:1]).any():
        return None
    return Reduced(pivots[0], weights)


def _null_vectors(matrix: Residues, p: int) -> Residues:
    """In reduced row echelon form, those of a high matrix from few sums of its rows.

    What all rows A ask of the vectors V that are left, A V w = 0, is a narrow system, most often zero; it is looked at
    until it is. Echelon forms compose, so the result is what all rows at once would give.
    """
    sums = _sums_of_rows(matrix, p)
    found = _kernel(sums, p)
    if sums is matrix:
        return found
    while len(found):
        check()
        asked = product(matrix, np.ascontiguousarray(found.T), p)
        asked = asked[asked.any(axis=1)]
        if not len(asked):
            break
        weights = _kernel(_sums_of_rows(asked, p), p)
        if len(weights) == len(found):  # an unlucky sum
            weights = _kernel(asked, p)
        found = product(weights, found, p)
    return found


def _sums_of_rows(matrix: Residues, p: int) -> Residues:
    """A few more than there are columns, each of other rows with random factors: they span nearly always the same."""
    height, width = matrix.shape
    count = width + SPARE
    if height < 2 * count:
        return matrix
    factors = np.random.default_rng(height).integers(1 - p // 2, p // 2, (height, 1))
    terms = -(-height // count)
    spread = np.zeros((terms * count, width))
    spread[:height] = reduced(matrix * factors, p)
    return reduced(spread.reshape(terms, count, width).sum(axis=0), p)


def _kernel(matrix: Residues, p: int) -> Residues:
    """The vectors e_f - sum of a_rf e_c over the pivots (r, c), centred; pivots come from the last column to the first.

    FLINT takes them from the first, so it is given the mirror image.
    """
    height, width = matrix.shape
    mirrored = matrix[:, ::-1].astype(np.int64)
    row, column = np.nonzero(mirrored)
    values = mirrored[row, column].tolist()
    entries = zip(row.tolist(), column.tolist(), values, strict=True)
    table, rank = sparse_matrix((height, width), entries, p).rref()
    pivots = _pivots(table, rank)
    free = np.delete(np.arange(width), pivots)
    # numbers are read one by one, which takes longer than the elimination: only those that are needed
    cells = [int(table[r, f]) for f in free.tolist() for r in range(rank)]
    out = np.zeros((len(free), width))
    out[np.arange(len(free)), free] = 1
    weights = -np.array(cells, dtype=np.float64).reshape(len(free), rank)
    out[:, pivots] = reduced(weights, p)
    return np.ascontiguousarray(out[::-1, ::-1])


def _pivots(table: nmod_mat, rank: int) -> list[int]:
    """Where the rows of an echelon form start: each behind the one before."""
    found: list[int] = []
    column = 0
    for r in range(rank):
        while not table[r, column]:
            column += 1
        found.append(column)
        column += 1
    return found

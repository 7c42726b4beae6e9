r"""Both sides of the constraint at points as products of whole matrices, where everything is small.

P at a point is a matrix, zeros included, and all generators stand side by side in one matrix: what :mod:`.sides` does
entry by entry, which pays where matrices are large and have few non-zeros, is one product here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import (
    ExactArray,
    RightFactor,
    common,
    exact,
    same_denominator,
)
from pdobasis.exact.matrices import batched_matmul
from pdobasis.exact.types import IndexArray
from pdobasis.proof.batch import Batch
from pdobasis.proof.lines import Sum, matrices_of

DENSE = 12_000
"""Numbers of all values for all generators, up to which matrices are taken whole."""


def is_small(batch: Batch, points: int, generators: int) -> bool:
    rows, columns = batch.shape
    return batch.size * rows * columns * points * generators <= DENSE


def rho_agrees(
    batch: Batch, here: ExactArray, there: ExactArray, reps_in: Sum, reps_out: Sum
) -> bool:
    """P(y) rho_in(g) = rho_out(g) P(g^T y) for every generator; P(g^T y) is ``there`` (generators, entries, points)."""
    left = _times_rho(whole(batch, here), reps_in)
    right = _rho_times(whole(batch, there), reps_out)
    return left.equals(right)


def _times_rho(values: ExactArray, reps: Sum) -> ExactArray:
    """P rho for every generator, (generators, elements, rows, columns, points)."""
    images = _images(reps)
    if images is None:
        return _times(values, matrices(reps)).transpose(3, 0, 1, 4, 2)
    # rho e_j = e_{p[j]}: column j of P rho is column p[j] of P
    columns = values.numerators[:, :, images]
    return exact(columns.transpose(2, 0, 1, 3, 4, 5), values.denominator, values.field)


def _rho_times(values: ExactArray, reps: Sum) -> ExactArray:
    """rho P, for a P of every generator: (generators, elements, rows, columns, points)."""
    count, size, rows, columns, points = values.shape
    images = _images(reps)
    if images is None:
        # (generator; element, column, point; row) times the transpose of rho(g)
        flat = values.transpose(0, 1, 3, 4, 2).reshape(
            count, size * columns * points, rows
        )
        found = batched_matmul(flat, matrices(reps).transpose(0, 2, 1))
        return found.reshape(count, size, columns, points, rows).transpose(
            0, 1, 4, 2, 3
        )
    # row p[i] of rho P is row i of P
    out = np.empty_like(values.numerators)
    for s, image in enumerate(images):
        out[s][:, image] = values.numerators[s]
    return exact(out, values.denominator, values.field)


def _images(reps: Sum) -> IndexArray | None:
    """Where every generator sends every index of a sum of permutations; None for other sums."""
    if not all(rep.permutations is not None for rep in reps):
        return None
    start, parts = 0, []
    for rep in reps:
        parts.append(np.array(rep.permutations, dtype=np.int64) + start)
        start += rep.size
    return np.concatenate(parts, axis=1)


def lie_agrees(
    batch: Batch, here: ExactArray, drift: ExactArray, reps_in: Sum, reps_out: Sum
) -> bool:
    """P(y) drho_in(X) = drho_out(X) P(y) + ``drift`` for every X; the last of shape (generators, entries, points)."""
    values = whole(batch, here)
    left = _times(values, lie_matrices(reps_in))
    # rho P is the transpose of P^T rho^T
    right = _times(
        values.transpose(0, 2, 1, 3), lie_matrices(reps_out).transpose(0, 2, 1)
    )
    return (left - right.transpose(0, 4, 2, 3, 1)).equals(
        whole(batch, drift).transpose(1, 2, 4, 0, 3)
    )


def _times(values: ExactArray, rho: ExactArray) -> ExactArray:
    """(elements, rows, columns, points) times all matrices: (elements, rows, points, generators, columns)."""
    size, rows, columns, points = values.shape
    values, rho, _ = common(values.transpose(0, 1, 3, 2), rho)
    count = len(rho)
    found = RightFactor(rho.transpose(1, 0, 2).reshape(columns, count * columns))(
        values
    )
    return found.reshape(size, rows, points, count, columns)


def whole(batch: Batch, values: ExactArray) -> ExactArray:
    """Values (…, entries, points) as matrices (…, elements, rows, columns, points)."""
    *outer, _, points = values.shape
    numbers = values.numerators
    shape = (*outer, batch.size, *batch.shape, points, values.field.degree)
    out = np.zeros(shape, dtype=numbers.dtype)
    out[..., batch.element, batch.row, batch.column, :, :] = numbers
    return exact(out, values.denominator, values.field)


@remembered
def matrices(reps: Sum) -> ExactArray:
    """rho(s) of the direct sum for every generator s, (generators, size, size)."""
    return _sums([matrices_of(rep) for rep in reps])


@remembered
def lie_matrices(reps: Sum) -> ExactArray:
    return _sums([rep.lie for rep in reps])


def _sums(blocks: Sequence[Sequence[ExactArray]]) -> ExactArray:
    every, denominator, field = same_denominator([m for own in blocks for m in own])
    count = len(blocks[0])
    sizes = [own[0].shape[0] for own in blocks]
    total = sum(sizes)
    out = np.zeros((count, total, total, field.degree), dtype=np.result_type(*every))
    start = 0
    for k, size in enumerate(sizes):
        end = start + size
        for s in range(count):
            out[s, start:end, start:end] = every[k * count + s]
        start = end
    return exact(out, denominator, field)

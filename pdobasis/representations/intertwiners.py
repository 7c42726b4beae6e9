r"""Intertwiners: the linear maps T between representations with $T a(g) = b(g) T$ for all g."""

from __future__ import annotations

from functools import cache

import numpy as np

from pdobasis.exact.array import ExactArray, concatenate, exact, identity
from pdobasis.exact.primes import rank_modulo
from pdobasis.exact.types import IndexArray
from pdobasis.linear.null_space import null_space
from pdobasis.linear.sparse import Sparse
from pdobasis.representations.representation import Representation


@cache
def intertwiners(a: Representation, b: Representation) -> ExactArray:
    """A basis of all T with T a(g) = b(g) T, (number, size of b, size of a)."""
    # generators and Lie generators suffice: T is then an intertwiner of their products and brackets
    pairs = [
        *zip(a.matrices(), b.matrices(), strict=True),
        *zip(a.lie, b.lie, strict=True),
    ]
    unknowns = a.size * b.size
    if not pairs:
        return identity(unknowns).reshape(unknowns, b.size, a.size)
    rows: list[IndexArray] = []
    columns: list[IndexArray] = []
    values: list[ExactArray] = []
    for k, (x, y) in enumerate(pairs):
        # (T x)[r, j] = sum_i T[r, i] x[i, j], for every row r of T
        i, j = np.nonzero(x.nonzero_mask())
        r = np.arange(b.size)[:, None]
        rows.append((r * a.size + j).ravel() + k * unknowns)
        columns.append((r * a.size + i).ravel())
        values.append(_repeated(x[i, j], b.size))
        # -(y T)[i, c] = -sum_j y[i, j] T[j, c], for every column c of T
        i, j = np.nonzero(y.nonzero_mask())
        c = np.arange(a.size)[:, None]
        rows.append((i * a.size + c).ravel() + k * unknowns)
        columns.append((j * a.size + c).ravel())
        values.append(_repeated(-y[i, j], a.size))
    shape = (len(pairs) * unknowns, unknowns)
    system = Sparse(
        np.concatenate(rows), np.concatenate(columns), concatenate(values), shape
    )
    return _dense(null_space(system)).reshape(-1, b.size, a.size)


def independent(maps: ExactArray, wanted: int) -> list[ExactArray]:
    """As many maps as wanted whose images are independent."""
    chosen: list[ExactArray] = []
    for k in range(len(maps)):
        if len(chosen) == wanted:
            break
        candidate = concatenate([*chosen, maps[k]], axis=1)
        # a full rank modulo a prime is a full rank
        if rank_modulo(candidate) == candidate.shape[1]:
            chosen.append(maps[k])
    return chosen


def _repeated(values: ExactArray, times: int) -> ExactArray:
    return values.take(np.tile(np.arange(len(values)), times))


def _dense(found: Sparse) -> ExactArray:
    values = found.values
    shape = (*found.shape, values.field.degree)
    dense = np.zeros(shape, dtype=values.numerators.dtype)
    dense[found.rows, found.columns] = values.numerators
    return exact(dense, values.denominator, values.field)

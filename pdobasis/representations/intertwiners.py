r"""Intertwiners: the linear maps T between representations with $T a(g) = b(g) T$ for all g."""

from __future__ import annotations

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, concatenate, identity
from pdobasis.exact.primes import rank_modulo
from pdobasis.groups.lie import generating_indices
from pdobasis.linear.sparse import Sparse, to_dense
from pdobasis.linear.stages import null_space_in_stages
from pdobasis.representations.representation import Representation


@remembered
def intertwiners(a: Representation, b: Representation) -> ExactArray:
    """A basis of all T with T a(g) = b(g) T, (number, size of b, size of a)."""
    # generators suffice, of the group and of its Lie algebra: T then intertwines products and brackets, too
    pairs = list(zip(a.matrices(), b.matrices(), strict=True))
    pairs += [(a.lie[k], b.lie[k]) for k in generating_indices(a.group)]
    unknowns = a.size * b.size
    if not pairs:
        return identity(unknowns).reshape(unknowns, b.size, a.size)
    systems = [_system(x, y) for x, y in pairs]
    # the sparsest first: it leaves few unknowns to the others
    stages = sorted(systems, key=lambda system: len(system.values))
    return to_dense(null_space_in_stages(stages)).reshape(-1, b.size, a.size)


def _system(x: ExactArray, y: ExactArray) -> Sparse:
    """T x = y T, for the entries of T row by row."""
    width, height = len(x), len(y)
    # (T x)[r, j] = sum_i T[r, i] x[i, j], for every row r of T
    i, j = np.nonzero(x.nonzero_mask())
    r = np.arange(height)[:, None]
    left = (r * width + j).ravel(), (r * width + i).ravel()
    # -(y T)[i, c] = -sum_j y[i, j] T[j, c], for every column c of T
    k, m = np.nonzero(y.nonzero_mask())
    c = np.arange(width)[:, None]
    right = (k * width + c).ravel(), (m * width + c).ravel()
    rows, columns = zip(left, right, strict=True)
    values = [_repeated(x[i, j], height), _repeated(-y[k, m], width)]
    unknowns = width * height
    return Sparse(
        np.concatenate(rows),
        np.concatenate(columns),
        concatenate(values),
        (unknowns, unknowns),
    )


def independent(maps: ExactArray, wanted: int) -> list[ExactArray]:
    """As many maps as wanted whose images are independent."""
    # all that there are: then only multiples of 1 commute with the irrep, and independent maps have independent images
    if len(maps) == wanted:
        return [maps[k] for k in range(wanted)]
    chosen: list[ExactArray] = []
    for k in range(len(maps)):
        if len(chosen) == wanted:
            break
        candidate = concatenate([*chosen, maps[k]], axis=1)
        # a full rank modulo a prime is a full rank
        if rank_modulo(candidate) == candidate.shape[1]:
            chosen.append(maps[k])
    return chosen


@remembered
def inclusions(
    rep: Representation, psi: Representation, multiplicity: int
) -> list[ExactArray]:
    """T_1, …, T_m from an irrep, with independent images that are all of it in ``rep``; (size of rep, size of psi)."""
    return independent(intertwiners(psi, rep), multiplicity)


@remembered
def projections(
    rep: Representation, psi: Representation, multiplicity: int
) -> list[ExactArray]:
    r"""$Q_1, \dots, Q_m$ to an irrep, with $Q_i T_j = \delta_{ij}$ for the inclusions; they vanish on other irreps.

    With U any m independent maps to the irrep and $T = (T_1, \dots, T_m)$, $Q = (UT)^{-1} U$.
    """
    ts = inclusions(rep, psi, multiplicity)
    us = [t.T for t in ts]
    # between orthogonal representations transposes are such maps; elsewhere they are looked for
    if not all(_intertwines(u, rep, psi) for u in us):
        transposed = intertwiners(rep, psi).transpose(0, 2, 1)
        us = [u.T for u in independent(transposed, multiplicity)]
    product = concatenate(us) @ concatenate(ts, axis=1)
    rows = product.inverse() @ concatenate(us)
    size = psi.size
    return [rows[k * size : (k + 1) * size] for k in range(multiplicity)]


def _intertwines(t: ExactArray, a: Representation, b: Representation) -> bool:
    """Whether T a(g) = b(g) T for all g, where the transpose of T is known to satisfy a(g) T^T = T^T b(g)."""
    pairs = [
        *zip(a.matrices(), b.matrices(), strict=True),
        *zip(a.lie, b.lie, strict=True),
    ]
    return all(_is_transposed(x, y) or _commutes_through(t, x, y) for x, y in pairs)


def _is_transposed(x: ExactArray, y: ExactArray) -> bool:
    """Whether both are symmetric, or both antisymmetric: then x T^T = T^T y is T x = y T, transposed."""
    signed = (x.T, y.T), (-x.T, -y.T)
    return any(x.equals(u) and y.equals(v) for u, v in signed)


def _commutes_through(t: ExactArray, x: ExactArray, y: ExactArray) -> bool:
    """T x = y T; x may be large, so that the thin T is the factor on the right."""
    return (x.T @ t.T).equals((y @ t).T)


def _repeated(values: ExactArray, times: int) -> ExactArray:
    return values.take(np.tile(np.arange(len(values)), times))

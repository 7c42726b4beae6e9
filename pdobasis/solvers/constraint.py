r"""The steerability constraint as a sparse linear system for the coefficients of P.

With $y = g^{-T}x$ the constraint $P(g^{-T}x) = \rho_{out}(g) P(x) \rho_{in}(g)^{-1}$ reads, without any inverse,

    $P(y)\,\rho_{in}(g) = \rho_{out}(g)\,P(g^T y)$,   and for a Lie generator
    $P\,d\rho_{in}(X) = d\rho_{out}(X)\,P + (X^T y) \cdot \nabla P$.

Unknowns are numbered (fibre, monomial); the fibre is a matrix entry, column by column.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pdobasis.exact.array import ExactArray, concatenate, integers
from pdobasis.exact.nullspace import Sparse
from pdobasis.exact.polynomials import derivation, substitution
from pdobasis.exact.types import IndexArray
from pdobasis.solvers.laplacian import laplacian


@dataclass(frozen=True, slots=True)
class Fibre:
    """Shape of the unknown matrix: ``rows`` x ``columns``; entry (r, j) is number j * rows + r."""

    rows: int
    columns: int

    @property
    def size(self) -> int:
        return self.rows * self.columns


def group_equations(fibre: Fibre, rho_in: ExactArray, rho_out: ExactArray, g: ExactArray, order: int) -> Sparse:
    """P(y) rho_in - rho_out P(g^T y) = 0."""
    moved = substitution(g.T.reshape(1, *g.shape), order)[0]
    m = moved.shape[0]
    left = _with_monomials(_from_in(fibre, rho_in), m)
    right = _product(_from_out(fibre, rho_out), _entries(moved), m)
    return _stack([left, _negated(right)], fibre.size * m)


def lie_equations(fibre: Fibre, rho_in: ExactArray, rho_out: ExactArray, x: ExactArray, order: int) -> Sparse:
    """P drho_in - drho_out P - (X^T y).grad P = 0."""
    moved = derivation(x.T, order)
    m = moved.shape[0]
    diagonal = np.arange(fibre.size)
    one = (diagonal, diagonal, integers(np.ones(fibre.size, dtype=np.int64)))
    parts = [
        _with_monomials(_from_in(fibre, rho_in), m),
        _negated(_with_monomials(_from_out(fibre, rho_out), m)),
        _negated(_product(one, _entries(moved), m)),
    ]
    return _stack(parts, fibre.size * m)


def laplace_equations(fibre: Fibre, dim: int, order: int) -> Sparse:
    """Every entry of P is harmonic."""
    moved = laplacian(dim, order)
    alpha, beta = np.nonzero(moved)
    f = np.arange(fibre.size)[:, None]
    lower = moved.shape[1]
    values = integers(np.tile(moved[alpha, beta], fibre.size))
    rows, columns = (f * lower + beta).ravel(), (f * len(moved) + alpha).ravel()
    return Sparse(rows, columns, values, (fibre.size * lower, fibre.size * len(moved)))


def vanishing_equations(fibre: Fibre, left_out: IndexArray, m: int) -> Sparse:
    """The coefficients of these monomials (of m) are zero in every entry of P."""
    columns = (np.arange(fibre.size)[:, None] * m + left_out).ravel()
    ones = integers(np.ones(len(columns), dtype=np.int64))
    return Sparse(np.arange(len(columns)), columns, ones, (len(columns), fibre.size * m))


def join_systems(systems: list[Sparse]) -> Sparse:
    """All equations together."""
    shifts = np.cumsum([0, *(s.shape[0] for s in systems)])
    rows = np.concatenate([s.rows + k for s, k in zip(systems, shifts, strict=False)])
    columns = np.concatenate([s.columns for s in systems])
    values = concatenate([s.values for s in systems])
    return Sparse(rows, columns, values, (int(shifts[-1]), systems[0].shape[1]))


Coordinates = tuple[IndexArray, IndexArray, ExactArray]


def _entries(m: ExactArray) -> Coordinates:
    rows, columns = np.nonzero(m.nonzero_mask())
    return rows, columns, m[rows, columns]


def _from_in(fibre: Fibre, rho: ExactArray) -> Coordinates:
    """(P rho)_{rj} = sum_i P_{ri} rho_{ij}: equation (j, r), unknown (i, r)."""
    i, j, values = _entries(rho)
    r = np.arange(fibre.rows)
    rows = (j[:, None] * fibre.rows + r).ravel()
    columns = (i[:, None] * fibre.rows + r).ravel()
    return rows, columns, values.take(np.repeat(np.arange(len(i)), fibre.rows))


def _from_out(fibre: Fibre, rho: ExactArray) -> Coordinates:
    """(rho P)_{aj} = sum_b rho_{ab} P_{bj}: equation (j, a), unknown (j, b)."""
    a, b, values = _entries(rho)
    j = np.arange(fibre.columns) * fibre.rows
    rows = (a[:, None] + j).ravel()
    columns = (b[:, None] + j).ravel()
    return rows, columns, values.take(np.repeat(np.arange(len(a)), fibre.columns))


def _with_monomials(part: Coordinates, m: int) -> Coordinates:
    rows, columns, values = part
    beta = np.arange(m)
    spread = np.repeat(np.arange(len(rows)), m)
    return (rows[:, None] * m + beta).ravel(), (columns[:, None] * m + beta).ravel(), values.take(spread)


def _product(fibre_part: Coordinates, moved: Coordinates, m: int) -> Coordinates:
    """Coefficient alpha of an unknown enters coefficient beta of an equation through moved[alpha, beta]."""
    rows, columns, values = fibre_part
    alpha, beta, weights = moved
    k, w = len(rows), len(alpha)
    product = (values.reshape(k, 1) * weights.reshape(1, w)).reshape(k * w)
    return (rows[:, None] * m + beta).ravel(), (columns[:, None] * m + alpha).ravel(), product


def _negated(part: Coordinates) -> Coordinates:
    return part[0], part[1], -part[2]


def _stack(parts: list[Coordinates], size: int) -> Sparse:
    rows = np.concatenate([p[0] for p in parts])
    columns = np.concatenate([p[1] for p in parts])
    return Sparse(rows, columns, concatenate([p[2] for p in parts]), (size, size))

r"""The steerability constraint as sparse linear systems for the coefficients of
P.

With $y = g^{-T}x$ the constraint $P(g^{-T}x) = \rho_{out}(g) P(x)
\rho_{in}(g)^{-1}$ reads, without any inverse,

    $P(y)\,\rho_{in}(g) = \rho_{out}(g)\,P(g^T y)$,   and for a Lie generator
    $P\,d\rho_{in}(X) = d\rho_{out}(X)\,P + (X^T y) \cdot \nabla P$.

The unknowns may be of several orders and of several blocks of P at once:
neither orders nor blocks are mixed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pdobasis.exact.array import ExactArray, concatenate, integers, stack
from pdobasis.exact.polynomials import (
    drift,
    exponents,
    substitutions_up_to,
)
from pdobasis.exact.types import IndexArray
from pdobasis.linear.sparse import Sparse, join_entries, nonzeros
from pdobasis.operators.laplacian import laplacian
from pdobasis.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Unknowns:
    """``number[row, column, monomial]`` of the coefficients of P.

    It is -1 where P is not asked for, or known to be zero. The monomials are
    those of the orders ``low`` to ``high``. ``equation`` are the numbers of all
    places of P, for the equations that stand there.
    """

    dim: int
    low: int
    high: int
    number: IndexArray
    count: int
    equation: IndexArray

    @property
    def monomials(self) -> int:
        return int(self.number.shape[2])


def group_equations(
    unknowns: Unknowns,
    rho_in: ExactArray,
    rho_out: ExactArray,
    action: Sparse,
) -> Sparse:
    """P(y) rho_in - rho_out P(g^T y) = 0.

    ``action`` is the substitution of g^T y.
    """
    left = _from_in(unknowns, rho_in)
    right = _from_out(unknowns, rho_out, action)
    return join_entries([left, right])


def lie_equations(
    unknowns: Unknowns, rho_in: ExactArray, rho_out: ExactArray, x: ExactArray
) -> Sparse:
    """P drho_in - drho_out P - (X^T y).grad P = 0."""
    # The derivative of P(g^T y) along g = 1 + tX moves monomials within their
    # order.
    powers = exponents(unknowns.dim, unknowns.low, unknowns.high)
    m = unknowns.monomials
    drifting = Sparse(*drift(x.T, powers), (m, m))
    return join_entries(
        [
            _from_in(unknowns, rho_in),
            _from_out_alone(unknowns, rho_out),
            _everywhere(unknowns, drifting),
        ]
    )


def further_equations(
    unknowns: Unknowns, harmonic: bool, partial_order: int | None
) -> list[Sparse]:
    """What is asked of every entry besides; each is kept by the whole group."""
    out = []
    if harmonic:
        out.append(laplace_equations(unknowns))
    if partial_order is not None:
        out.append(vanishing_equations(unknowns, partial_order))
    return out


def laplace_equations(unknowns: Unknowns) -> Sparse:
    """Every entry of P is harmonic."""
    alpha, beta, weights, below = _laplacians(unknowns)
    rows, columns, _ = unknowns.number.shape
    places = np.arange(rows * columns)
    # One equation for each place in P and each monomial two orders below.
    number = unknowns.number.reshape(len(places), -1)[:, alpha]
    equation = places[:, None] * max(below, 1) + beta
    is_asked = number >= 0
    weight = np.broadcast_to(weights, number.shape)[is_asked]
    shape = (len(places) * below, unknowns.count)
    return Sparse(equation[is_asked], number[is_asked], integers(weight), shape)


def _laplacians(
    unknowns: Unknowns,
) -> tuple[IndexArray, IndexArray, IndexArray, int]:
    """(alpha, beta, weight) of all orders, and the number of all beta."""
    columns, rows, values = [], [], []
    at, below = 0, 0
    for n in range(unknowns.low, unknowns.high + 1):
        table = laplacian(unknowns.dim, n)
        alpha, beta = np.nonzero(table)
        columns.append(alpha + at)
        rows.append(beta + below)
        values.append(table[alpha, beta])
        at += table.shape[0]
        below += table.shape[1]
    weights = np.concatenate(values)
    return np.concatenate(columns), np.concatenate(rows), weights, below


def vanishing_equations(unknowns: Unknowns, partial_order: int) -> Sparse:
    """The order in each variable is limited: other coefficients are zero."""
    powers = exponents(unknowns.dim, unknowns.low, unknowns.high)
    is_left_out = powers.max(axis=1, initial=0) > partial_order
    number = unknowns.number[:, :, is_left_out].ravel()
    return zero_equations(number[number >= 0], unknowns.count)


def zero_equations(number: IndexArray, count: int) -> Sparse:
    """Some of the unknowns are zero."""
    size = len(number)
    ones = integers(np.ones(size, dtype=np.int64))
    return Sparse(np.arange(size), number, ones, (size, count))


def substitutions(elements: Sequence[ExactArray], unknowns: Unknowns) -> list[Sparse]:
    r"""S with $(g^T y)^\alpha = \sum_\beta S_{\alpha\beta} y^\beta$ for every
    element, all orders; of monomials that P may have.
    """
    if not elements:
        return []
    transposed = stack(elements).transpose(0, 2, 1)
    tables = substitutions_up_to(transposed, unknowns.high)
    is_used = np.asarray((unknowns.number >= 0).any(axis=(0, 1)))
    which, rows, columns, values = [], [], [], []
    at = 0
    for table in tables[unknowns.low :]:
        size = table.shape[1]
        used = np.flatnonzero(is_used[at : at + size])
        asked = table if len(used) == size else table[:, used]
        element, alpha, beta = np.nonzero(asked.nonzero_mask())
        which.append(element)
        rows.append(used[alpha] + at)
        columns.append(beta + at)
        values.append(asked[element, alpha, beta])
        at += size
    # All elements were substituted in one batch; now each gets its own.
    element = np.concatenate(which)
    every = concatenate(values)
    alpha, beta = np.concatenate(rows), np.concatenate(columns)
    out = []
    for k in range(len(elements)):
        own = np.flatnonzero(element == k)
        out.append(Sparse(alpha[own], beta[own], every.take(own), (at, at)))
    return out


def _from_in(unknowns: Unknowns, rho: ExactArray) -> Sparse:
    """(P rho)_{rj} = sum_i P_{ri} rho_{ij}: equation (r, j), unknown (r, i)."""
    matrix = nonzeros(rho)
    equation = unknowns.equation[:, matrix.columns]
    unknown = unknowns.number[:, matrix.rows]
    slot = np.arange(len(matrix.rows))[None, :, None]
    return _asked(unknowns, equation, unknown, slot, matrix.values)


def _from_out(unknowns: Unknowns, rho: ExactArray, action: Sparse) -> Sparse:
    """-(rho P S)_{aj}: equation (a, j, beta), unknown (b, j, alpha)."""
    matrix = nonzeros(rho)
    k, w = len(matrix.rows), len(action.rows)
    equation = unknowns.equation[matrix.rows][:, :, action.columns]
    unknown = unknowns.number[matrix.columns][:, :, action.rows]
    slot = np.arange(k * w).reshape(k, 1, w)
    # Every entry of rho meets every entry of S; blocks of P share them.
    products = matrix.values.reshape(k, 1) * action.values.reshape(1, w)
    return _asked(unknowns, equation, unknown, slot, -products.reshape(k * w))


def _from_out_alone(unknowns: Unknowns, rho: ExactArray) -> Sparse:
    """-(rho P)_{aj}: equation (a, j), unknown (b, j)."""
    matrix = nonzeros(rho)
    equation = unknowns.equation[matrix.rows]
    unknown = unknowns.number[matrix.columns]
    slot = np.arange(len(matrix.rows))[:, None, None]
    return _asked(unknowns, equation, unknown, slot, -matrix.values)


def _everywhere(unknowns: Unknowns, action: Sparse) -> Sparse:
    """-(P D)_{rj}: equation (r, j, beta), unknown (r, j, alpha)."""
    equation = unknowns.equation[:, :, action.columns]
    unknown = unknowns.number[:, :, action.rows]
    slot = np.arange(len(action.rows))
    return _asked(unknowns, equation, unknown, slot, -action.values)


def _asked(
    unknowns: Unknowns,
    equation: IndexArray,
    unknown: IndexArray,
    slot: IndexArray,
    values: ExactArray,
) -> Sparse:
    """Without what is not asked for; ``slot`` says which value belongs where.

    An equation has the number of the place of P where it stands.
    """
    shape = (unknowns.count, unknowns.count)
    slot = np.broadcast_to(slot, unknown.shape)
    # Blocks are not mixed: an equation is asked for when its unknowns are.
    is_asked = unknown >= 0
    if is_asked.all():
        own = values.take(slot.ravel())
        return Sparse(equation.ravel(), unknown.ravel(), own, shape)
    own = values.take(slot[is_asked])
    return Sparse(equation[is_asked], unknown[is_asked], own, shape)

r"""The steerability constraint as sparse linear systems for the coefficients of P.

With $y = g^{-T}x$ the constraint $P(g^{-T}x) = \rho_{out}(g) P(x) \rho_{in}(g)^{-1}$ reads, without any inverse,

    $P(y)\,\rho_{in}(g) = \rho_{out}(g)\,P(g^T y)$,   and for a Lie generator
    $P\,d\rho_{in}(X) = d\rho_{out}(X)\,P + (X^T y) \cdot \nabla P$.

The unknowns may be of several orders and of several blocks of P at once: neither orders nor blocks are mixed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pdobasis.exact.array import (
    ExactArray,
    concatenate,
    integers,
    nonzeros,
    stack,
)
from pdobasis.exact.polynomials import drift, exponents, substitutions_up_to
from pdobasis.exact.types import IndexArray
from pdobasis.linear.sparse import Sparse
from pdobasis.operators.laplacian import laplacian

Coordinates = tuple[IndexArray, IndexArray, ExactArray]
"""(row, column, value) of the non-zeros of a matrix."""


@dataclass(frozen=True, slots=True, eq=False)
class Unknowns:
    """``number[row, column, monomial]`` of the coefficients of P, -1 where P is not asked for.

    The monomials are those of the orders ``low`` to ``high``.
    """

    dim: int
    low: int
    high: int
    number: IndexArray
    count: int

    @property
    def monomials(self) -> int:
        return int(self.number.shape[2])


def group_equations(
    unknowns: Unknowns,
    rho_in: ExactArray,
    rho_out: ExactArray,
    action: Coordinates,
) -> Sparse:
    """P(y) rho_in - rho_out P(g^T y) = 0, with the substitution of g^T y as ``action``."""
    return _system(
        unknowns,
        [_from_in(unknowns, rho_in), _from_out(unknowns, rho_out, action)],
    )


def lie_equations(unknowns: Unknowns, rho_in: ExactArray, rho_out: ExactArray, x: ExactArray) -> Sparse:
    """P drho_in - drho_out P - (X^T y).grad P = 0."""
    drifting = _everywhere(
        unknowns,
        drift(x.T, exponents(unknowns.dim, unknowns.low, unknowns.high)),
    )
    return _system(
        unknowns,
        [
            _from_in(unknowns, rho_in),
            _from_out_alone(unknowns, rho_out),
            drifting,
        ],
    )


def further_equations(unknowns: Unknowns, harmonic: bool, partial_order: int | None) -> list[Sparse]:
    """What is asked of every entry besides the constraint; each is kept by the whole group."""
    out = [laplace_equations(unknowns)] if harmonic else []
    return out if partial_order is None else [*out, vanishing_equations(unknowns, partial_order)]


def laplace_equations(unknowns: Unknowns) -> Sparse:
    """Every entry of P is harmonic."""
    rows, columns, values = [], [], []
    at, below = 0, 0
    for n in range(unknowns.low, unknowns.high + 1):
        table = laplacian(unknowns.dim, n)
        alpha, beta = np.nonzero(table)
        rows.append(beta + below)
        columns.append(alpha + at)
        values.append(table[alpha, beta])
        at, below = at + table.shape[0], below + table.shape[1]
    beta, alpha = np.concatenate(rows), np.concatenate(columns)
    places = np.arange(unknowns.number.shape[0] * unknowns.number.shape[1])
    number = unknowns.number.reshape(len(places), -1)[:, alpha]
    asked = number >= 0
    equation = np.broadcast_to(places[:, None] * max(below, 1) + beta, number.shape)
    weight = np.broadcast_to(np.concatenate(values), number.shape)
    return Sparse(
        equation[asked],
        number[asked],
        integers(weight[asked]),
        (len(places) * below, unknowns.count),
    )


def vanishing_equations(unknowns: Unknowns, partial_order: int) -> Sparse:
    """The order in each variable is limited: the other coefficients are zero."""
    left_out = exponents(unknowns.dim, unknowns.low, unknowns.high).max(axis=1, initial=0) > partial_order
    number = unknowns.number[:, :, left_out].ravel()
    number = number[number >= 0]
    ones = integers(np.ones(len(number), dtype=np.int64))
    return Sparse(np.arange(len(number)), number, ones, (len(number), unknowns.count))


def substitutions(elements: Sequence[ExactArray], unknowns: Unknowns) -> list[Coordinates]:
    r"""(alpha, beta, S) with $(g^T y)^\alpha = \sum_\beta S_{\alpha\beta} y^\beta$ for every element, all orders."""
    if not elements:
        return []
    tables = substitutions_up_to(stack(elements).transpose(0, 2, 1), unknowns.high)[unknowns.low :]
    parts, at = [], 0
    for table in tables:
        which, alpha, beta = np.nonzero(table.nonzero_mask())
        parts.append((which, alpha + at, beta + at, table[which, alpha, beta]))
        at += table.shape[1]
    which, alpha, beta = (np.concatenate([p[k] for p in parts]) for k in range(3))
    values = concatenate([p[3] for p in parts])
    own = [np.flatnonzero(which == k) for k in range(len(elements))]
    return [(alpha[k], beta[k], values.take(k)) for k in own]


def _from_in(unknowns: Unknowns, rho: ExactArray) -> Coordinates:
    """(P rho)_{rj} = sum_i P_{ri} rho_{ij}: equation (r, j), unknown (r, i)."""
    i, j, values = nonzeros(rho)
    equation, unknown = unknowns.number[:, j], unknowns.number[:, i]
    slot = np.broadcast_to(np.arange(len(i))[None, :, None], unknown.shape)
    return _asked(equation, unknown, slot, values)


def _from_out(unknowns: Unknowns, rho: ExactArray, action: Coordinates) -> Coordinates:
    """-(rho P S)_{aj}: equation (a, j, beta), unknown (b, j, alpha)."""
    a, b, values = nonzeros(rho)
    alpha, beta, weights = action
    k, w = len(a), len(alpha)
    equation, unknown = (
        unknowns.number[a][:, :, beta],
        unknowns.number[b][:, :, alpha],
    )
    slot = np.arange(k * w).reshape(k, 1, w)
    products = -(values.reshape(k, 1) * weights.reshape(1, w)).reshape(k * w)
    return _asked(equation, unknown, np.broadcast_to(slot, unknown.shape), products)


def _from_out_alone(unknowns: Unknowns, rho: ExactArray) -> Coordinates:
    """-(rho P)_{aj}: equation (a, j), unknown (b, j)."""
    a, b, values = nonzeros(rho)
    equation, unknown = unknowns.number[a], unknowns.number[b]
    return _asked(
        equation,
        unknown,
        np.broadcast_to(np.arange(len(a))[:, None, None], unknown.shape),
        -values,
    )


def _everywhere(unknowns: Unknowns, action: Coordinates) -> Coordinates:
    """-(P D)_{rj}: equation (r, j, beta), unknown (r, j, alpha)."""
    alpha, beta, weights = action
    equation, unknown = (
        unknowns.number[:, :, beta],
        unknowns.number[:, :, alpha],
    )
    return _asked(
        equation,
        unknown,
        np.broadcast_to(np.arange(len(alpha)), unknown.shape),
        -weights,
    )


def _asked(
    equation: IndexArray,
    unknown: IndexArray,
    slot: IndexArray,
    values: ExactArray,
) -> Coordinates:
    """Without what is not asked for; equations are numbered as the unknowns in the same place."""
    inside = unknown >= 0
    if inside.all():
        return equation.ravel(), unknown.ravel(), values.take(slot.ravel())
    return equation[inside], unknown[inside], values.take(slot[inside])


def _system(unknowns: Unknowns, parts: list[Coordinates]) -> Sparse:
    rows, columns, values = _joined(parts)
    return Sparse(rows, columns, values, (unknowns.count, unknowns.count))


def _joined(parts: list[Coordinates]) -> Coordinates:
    rows, columns = (np.concatenate([p[k] for p in parts]) for k in (0, 1))
    return (
        np.asarray(rows),
        np.asarray(columns),
        concatenate([p[2] for p in parts]),
    )

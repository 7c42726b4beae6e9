"""The solutions of one order: the null space of the linear system, in reduced echelon form."""

from __future__ import annotations

from sympy.polys.matrices import DomainMatrix

from pdobasis.reference.constraint import Constraints, Unknown, equations, unknowns
from pdobasis.reference.question import Scalar, SymbolicQuestion, power


def solve_order(
    question: SymbolicQuestion,
    order: int,
    *,
    harmonic: bool = False,
    partial_order: int | None = None,
) -> list[DomainMatrix]:
    """A basis of all steerable P of exactly this order (with ``harmonic``: of those with ΔP = 0)."""
    names = unknowns(question, order, partial_order)
    system = equations(Constraints(question, harmonic=harmonic), names)
    return [assemble(question, names, row) for row in null_space(system)]


def null_space(system: DomainMatrix) -> list[dict[int, Scalar]]:
    """Rows of the reduced echelon form of the solution space, as {column: value}."""
    width = system.shape[1]
    if not width:
        return []
    if not system.shape[0]:
        # No equations: every coefficient is free.
        return [{k: system.domain.one} for k in range(width)]
    # A second elimination: SymPy's null space is not in echelon form, and only that form is unique.
    solutions = system.to_sparse().nullspace(divide_last=True)
    reduced, pivots = solutions.rref()
    rows: list[dict[int, Scalar]] = [{} for _ in pivots]
    for (i, j), value in reduced.to_dok().items():
        rows[i][j] = value
    return rows


def assemble(
    question: SymbolicQuestion, names: list[Unknown], values: dict[int, Scalar]
) -> DomainMatrix:
    r"""$P = \sum u_{ij\alpha}\,x^\alpha E_{ij}$ with numbers for u."""
    ring = question.ring
    out: dict[int, dict[int, Scalar]] = {}
    for k, u in values.items():
        i, j, alpha = names[k]
        row = out.setdefault(i, {})
        row[j] = row.get(j, ring.zero) + power(ring.gens, alpha, ring.one) * u
    return DomainMatrix(out, question.shape, ring)


def coordinates_of(symbols: list[DomainMatrix], names: list[Unknown]) -> DomainMatrix:
    """The coefficients of symbols of one order, one row each."""
    place = {unknown: k for k, unknown in enumerate(names)}
    rows = {
        n: {
            place[i, j, alpha]: value
            for (i, j), p in symbol.to_dok().items()
            for alpha, value in p.terms()
        }
        for n, symbol in enumerate(symbols)
    }
    field = None
    if symbols:
        field = symbols[0].domain.domain
    return DomainMatrix(rows, (len(symbols), len(names)), field)


def rank(symbols: list[DomainMatrix], names: list[Unknown]) -> int:
    """The dimension of what symbols of one order span."""
    if not symbols:
        return 0
    return int(coordinates_of(symbols, names).rank())

"""Compact pairs of stencils for an operator on scalars."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import fmpq

from pdobasis.errors import SpecError
from pdobasis.exact.array import integers, zeros
from pdobasis.exact.polynomials import monomials
from pdobasis.stencils.lattice_weights import in_steps, window_nodes
from pdobasis.stencils.lattices import Lattice
from pdobasis.stencils.mehrstellen import Pair, mehrstellen
from pdobasis.stencils.moment_system import Polynomial

if TYPE_CHECKING:
    from pdobasis.algebra.operator import Operator


def compact_pair(
    operator: Operator, lattice: Any, left: Any, right: Any, accuracy: int | None
) -> Pair:
    """As `pdobasis.algebra.operator.Operator.mehrstellen` says."""
    if operator.shape != (1, 1) or not operator.cells:
        raise SpecError(
            f"a compact pair is for operators on scalars, not of shape {operator.shape}"
        )
    if lattice is None:
        lattice = Lattice.rectangular(*[1] * operator.dim)
    own = Lattice.read(lattice)
    if own.dim != operator.dim:
        raise SpecError(
            f"the operator is of dimension {operator.dim}, the lattice of {own.dim}"
        )
    symbol = _in_steps(operator, own)
    nodes = [own.shells(window_nodes(own, window)) for window in (left, right)]
    return mehrstellen(symbol, nodes[0], nodes[1], accuracy)


def _in_steps(operator: Operator, lattice: Lattice) -> Polynomial:
    """The symbol in steps of the lattice; refused if it is not rational there."""
    out: Polynomial = {}
    for order in {sum(alpha) for alpha in operator.cells[0, 0]}:
        alphas = monomials(operator.dim, order)
        total = zeros((1, len(alphas)))
        for alpha, value in operator.part(order).cells[0, 0].items():
            if not isinstance(value, fmpq):
                raise SpecError("a compact pair needs rational coefficients")
            row = integers([[int(a == alpha) for a in alphas]])
            number = Fraction(int(value.p), int(value.q))
            total = total + (row @ in_steps(lattice, order)).scale(number)
        if not total.is_rational:
            raise SpecError(
                "the operator has no rational coefficients in steps of this lattice"
            )
        for k, beta in enumerate(alphas):
            term = total[0, k].fraction()
            if term:
                out[beta] = term
    return out

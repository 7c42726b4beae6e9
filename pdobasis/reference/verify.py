r"""Verification by substitution: the constraint for group elements with symbols in them.

For every element P of a basis, $P(g^{-T}x)\,\rho_{in}(g) - \rho_{out}(g)\,P(x)$ is computed and brought to normal form
modulo the relations of the parameters of g; it has to be 0. The checks together cover the group:

* the identity component by one generic element, or by the one-parameter groups of the Lie generators, or, where these
  have no formula in polynomials, by the derivative of the constraint;
* the finite generators by themselves, or all rotations r with $r^N = 1$ together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb

from sympy.polys.matrices import DomainMatrix

from pdobasis.reference.constraint import (
    Substitution,
    finite_constraint,
    lie_constraint,
)
from pdobasis.reference.cyclic import (
    folded,
    orders_of,
    rotation_element,
    rotation_order,
    waves,
)
from pdobasis.reference.group_elements import (
    GroupElement,
    Parametrisation,
    derivative,
    generic_element,
    normal_form,
    parametrisation,
)
from pdobasis.reference.one_parameter import one_parameter_element
from pdobasis.reference.question import Functor, SymbolicQuestion, Triple, embed

MAX_TERMS = 60_000
"""Terms of the constraint for a generic element, at most: beyond, the one-parameter groups are substituted."""


@dataclass(frozen=True, slots=True, eq=False)
class Check:
    """A part of the group and how the constraint is checked on it.

    ``left_side`` is that of the constraint in normal form: zero exactly when a symbol satisfies it.
    """

    name: str
    stands_for: str
    symbolic: bool
    left_side: Callable[[DomainMatrix], DomainMatrix]
    element: GroupElement | None = None
    order: int | None = None

    def holds(self, symbol: DomainMatrix) -> bool:
        left_side = self.left_side(symbol)
        if self.order is None:
            return bool(left_side.is_zero_matrix)
        # At the N angles, waves that agree modulo N may cancel each other.
        return not any(
            folded(waves(p), self.order) for p in left_side.to_dok().values()
        )

    def orders(self, symbols: Sequence[DomainMatrix]) -> list[int] | None:
        """All N for which the symbols are steerable under r with r^N = 1; None for all of SO(2)."""
        return orders_of(
            [
                waves(p)
                for symbol in symbols
                for p in self.left_side(symbol).to_dok().values()
            ]
        )


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """What a check says of a list of symbols: ``wrong`` are the numbers of those that fail it."""

    check: Check
    wrong: tuple[int, ...]

    @property
    def holds(self) -> bool:
        return not self.wrong


def verify(
    question: SymbolicQuestion, symbols: Sequence[DomainMatrix]
) -> list[Verdict]:
    """The verdict of every check that the group of the question asks for."""
    return [
        Verdict(
            check,
            tuple(k for k, symbol in enumerate(symbols) if not check.holds(symbol)),
        )
        for check in checks(
            question, max((order_of(symbol) for symbol in symbols), default=0)
        )
    ]


def checks(question: SymbolicQuestion, order: int) -> list[Check]:
    """Checks that together say: the constraint holds for all of G; ``order`` is that of the symbols to come."""
    return [
        *_connected(question, order),
        *(_finite(question, g) for g in question.generators),
    ]


def order_of(symbol: DomainMatrix) -> int:
    return max((sum(alpha) for p in symbol.to_dok().values() for alpha in p), default=0)


def _connected(question: SymbolicQuestion, order: int) -> list[Check]:
    """The identity component."""
    if not question.lie:
        return []
    if all(_agrees(f, question.lie, side) for f, side in _sides(question)):
        family = parametrisation(question)
        if family is not None and _terms(question, family, order) <= MAX_TERMS:
            return [_substituted(question, generic_element(question, family))]
    # Products of these one-parameter groups are the whole identity component.
    return [_along(question, x) for x in question.lie]


def _terms(question: SymbolicQuestion, family: Parametrisation, order: int) -> int:
    """A bound on the terms of P(g^-T x): for all entries, monomials in x and monomials in the parameters of g."""
    degree = max(
        sum(powers)
        for p in family.pair(question.field)[0].to_dok().values()
        for powers in p
    )
    # There are C(n + m, m) monomials of degree at most n in m variables.
    parameters = comb(order * degree + len(family.parameters), len(family.parameters))
    numbers = 1
    if question.field.is_Algebraic:
        numbers = (
            len(question.field.mod.to_list()) - 1
        )  # the degree of the minimal polynomial
    rows, columns = question.shape
    return rows * columns * numbers * parameters * comb(order + question.dim - 1, order)


def _along(question: SymbolicQuestion, x: Triple) -> Check:
    element = one_parameter_element(question, x)
    if element is not None:
        return _substituted(question, element)
    what = f"exp(t {x.name}) to first order in t, which decides for a connected group"
    return Check(x.name, what, False, lambda symbol: lie_constraint(symbol, x))


def _finite(question: SymbolicQuestion, g: Triple) -> Check:
    order = rotation_order(g.base)
    # Rotations of order 1 and 2 are 1 and -1, which need no angle.
    if order is not None and order > 2:
        turn = rotation_element(question, g, order)
        if turn is not None:
            return _substituted(question, turn, order)
    single = GroupElement(
        g.name, f"the generator {g.name}", g.base, g.base.inv(), g.rho_in, g.rho_out
    )
    return _substituted(question, single)


def _substituted(
    question: SymbolicQuestion, element: GroupElement, order: int | None = None
) -> Check:
    parameters = ()
    if element.g.domain.is_PolynomialRing:
        parameters = element.g.domain.symbols
    ring = question.field[(*parameters, *question.variables)]
    substitution = Substitution(element.inverse.transpose(), ring, question.dim)
    # Embedded once, since the constraint is asked of every element of a basis.
    images = Triple(
        element.name,
        element.g,
        embed(element.rho_in, ring),
        embed(element.rho_out, ring),
    )

    def left_side(symbol: DomainMatrix) -> DomainMatrix:
        return normal_form(
            finite_constraint(symbol, substitution, images),
            element.relations,
            len(parameters),
        )

    return Check(
        element.name, element.stands_for, bool(parameters), left_side, element, order
    )


def _sides(question: SymbolicQuestion) -> list[tuple[Functor | None, str]]:
    return [(question.in_functor, "rho_in"), (question.out_functor, "rho_out")]


def _agrees(functor: Functor | None, lie: tuple[Triple, ...], side: str) -> bool:
    """A formula is that of the representation when it has its derivative: a connected group leaves no choice."""
    return functor is not None and all(
        (derivative(functor, x.base) - getattr(x, side)).is_zero_matrix for x in lie
    )

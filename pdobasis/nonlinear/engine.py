r"""Terms as a question of order 0: linear maps $\bigotimes \mathrm{Sym}^m(V \otimes \mathrm{Sym}^n) \to V_{out}$.

The components $T_{i_1 \le \dots \le i_m}$ of $j^{\otimes m}$ are the monomials of j, so the columns of such a map are
the coefficients of a term. It works for every group and every representation, and its certificate is the engine's.
"""

from __future__ import annotations

from itertools import product
from math import comb

from pdobasis.answer.solve import solve_problem
from pdobasis.bounds.estimate import Estimate, cost
from pdobasis.errors import SizeError
from pdobasis.exact.array import ExactArray, identity
from pdobasis.exact.matrices import kronecker
from pdobasis.exact.polynomials import count, monomials
from pdobasis.exact.scalars import number
from pdobasis.nonlinear.independent import Components
from pdobasis.nonlinear.orbits import coordinates
from pdobasis.nonlinear.polynomials import Monomial, Polynomial
from pdobasis.nonlinear.question import Multidegree, TermsQuestion
from pdobasis.proof.certificate import Certificate
from pdobasis.proof.lines import matrices_of
from pdobasis.question.field_type import FieldType
from pdobasis.question.problem import Problem
from pdobasis.representations.representation import Representation, from_term
from pdobasis.representations.terms import Dual, Symmetric, Tensor, Term, Vector

MAX_SIZE = 1500
"""Monomials of one multidegree that the engine is asked about."""


def problem(question: TermsQuestion, m: Multidegree) -> Problem:
    """The question of order 0 whose answers are the terms of one multidegree."""
    # before any matrix of that size is made
    estimate(question, m)
    parts = []
    for jet, power in m.factors:
        rep = question.fields[jet.field].rep
        parts.append(_power(_jets(rep, jet.order), power))
    whole = parts[0]
    for part in parts[1:]:
        whole = _tensor(whole, part)
    sides = FieldType.of([whole]), FieldType.of([question.out])
    return Problem(question.group, *sides, order=0)


def estimate(question: TermsQuestion, m: Multidegree) -> Estimate:
    """Of asking the engine; refused where no engine would take it."""
    size = number_of_monomials(question, m)
    if size > MAX_SIZE:
        raise SizeError(
            f"{question.label(m)} has {size} monomials, beyond the {MAX_SIZE} that the engine takes: "
            "lower degree=, derivatives= or max_total="
        )
    unknowns = float(size * question.out.size)
    return cost("terms", {"cubes": unknowns**3, "squares": unknowns**2})


def number_of_monomials(question: TermsQuestion, m: Multidegree) -> int:
    total = 1
    for jet, power in m.factors:
        size = question.fields[jet.field].rep.size
        size *= count(question.group.dim, jet.order)
        # multisets of that many coordinates
        total *= comb(size + power - 1, power)
    return total


def engine_terms(
    question: TermsQuestion, m: Multidegree
) -> tuple[list[Components], Certificate]:
    """All terms of one multidegree by the null space, in echelon form, with the engine's proof."""
    basis = solve_problem(problem(question, m), method="direct")
    names = monomials_of(question, m)
    terms = []
    for element in basis.elements:
        components: tuple[Polynomial, ...] = tuple({} for _ in range(question.out.size))
        for (r, c), values in sorted(element.entries.items()):
            components[r][names[c]] = number(values[0])
        terms.append(components)
    return terms, basis.certificate


def monomials_of(question: TermsQuestion, m: Multidegree) -> list[Monomial]:
    """The monomial of every column, in the order of tensor products and symmetric powers."""
    options = []
    for jet, power in m.factors:
        own = coordinates(question, jet.field, jet.order, jet.time)
        words = []
        for alpha in monomials(len(own), power):
            words.append([own[i] for i, n in enumerate(alpha) for _ in range(n)])
        options.append(words)
    return [
        tuple(sorted(c for word in choice for c in word))
        for choice in product(*options)
    ]


def _jets(rep: Representation, order: int) -> Representation:
    if not order:
        return rep
    covector = from_term(rep.group, Dual(Vector()), "dual(vector)")
    return _tensor(rep, _power(covector, order))


def _tensor(a: Representation, b: Representation) -> Representation:
    group = a.group
    spec = f"tensor({a.spec}, {b.spec})"
    if a.term is not None and b.term is not None:
        return from_term(group, Tensor(a.term, b.term), spec)
    pairs = zip(matrices_of(a), matrices_of(b), strict=True)
    generators = tuple(kronecker(x, y) for x, y in pairs)
    lie = tuple(
        kronecker(x, _one(b)) + kronecker(_one(a), y)
        for x, y in zip(a.lie, b.lie, strict=True)
    )
    return Representation(
        group, spec, a.size * b.size, generators, lie, own=True, hypothesis=a.hypothesis
    )


def _power(rep: Representation, n: int) -> Representation:
    if n == 1:
        return rep
    spec = f"sym({n}, {rep.spec})"
    if rep.term is not None:
        return from_term(rep.group, Symmetric(n, rep.term), spec)
    # a formula at a matrix that is given: the symmetric power of rho(g) itself
    at = Symmetric(n, _Itself())
    generators = tuple(at.at(x) for x in matrices_of(rep))
    lie = tuple(at.derivative(x) for x in rep.lie)
    size = len(monomials(rep.size, n))
    return Representation(
        rep.group, spec, size, generators, lie, own=True, hypothesis=rep.hypothesis
    )


def _one(rep: Representation) -> ExactArray:
    return identity(rep.size)


class _Itself(Term):
    def at(self, g: ExactArray) -> ExactArray:
        return g

    def derivative(self, x: ExactArray) -> ExactArray:
        return x

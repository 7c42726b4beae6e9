r"""Euler operators: a polynomial f is a divergence $\partial_a F_a$ exactly if $E_u f = 0$ for every field,

$$E_u f = \sum_\alpha (-\partial)^\alpha \frac{\partial f}{\partial(\partial^\alpha u)}.$$
"""

from __future__ import annotations

from collections.abc import Sequence

from pdobasis.bounds.watch import check
from pdobasis.nonlinear.independent import Chooser, Components, field_of_terms
from pdobasis.nonlinear.polynomials import Polynomial, add_to, total_derivative
from pdobasis.nonlinear.question import TermsQuestion
from pdobasis.nonlinear.result import Term


def varied(question: TermsQuestion, terms: Sequence[Term]) -> list[Term]:
    """Terms with a field in them: constants alone are no divergence, and vary with nothing."""
    fields = question.fields
    return [
        term
        for term in terms
        if not all(fields[jet.field].constant for jet in term.multidegree.jets)
    ]


def representatives(question: TermsQuestion, terms: Sequence[Term]) -> list[Term]:
    """Terms that are independent modulo divergences, those with the lowest derivatives first."""
    images = [euler(question, term.components) for term in terms]
    order = sorted(range(len(terms)), key=lambda k: _highest(terms[k]))
    chooser = Chooser(len(terms) + 8, field_of_terms(images))
    chosen = [k for k in order if chooser.takes(images[k])]
    return [terms[k] for k in sorted(chosen)]


def _highest(term: Term) -> int:
    return max(c.order + c.time for p in term.components for m in p for c in m)


def euler(question: TermsQuestion, components: Components) -> Components:
    """The Euler operators of every component: those of one field after the other, times as they stand."""
    check()
    out = []
    for polynomial in components:
        for f, field in enumerate(question.fields):
            if field.constant:
                continue
            highest = question.derivatives if question.time else 0
            for c in range(field.rep.size):
                for time in range(highest + 1):
                    out.append(_euler(polynomial, f, c, time))
    return tuple(out)


def _euler(polynomial: Polynomial, field: int, component: int, time: int) -> Polynomial:
    partial: dict[tuple[int, ...], Polynomial] = {}
    for monomial, value in polynomial.items():
        for c in dict.fromkeys(monomial):
            if (c.field, c.component, c.time) != (field, component, time):
                continue
            k = monomial.index(c)
            rest = monomial[:k] + monomial[k + 1 :]
            own = partial.setdefault(c.alpha, {})
            add_to(own, {rest: value * monomial.count(c)})
    out: Polynomial = {}
    for alpha, own in partial.items():
        for axis, order in enumerate(alpha):
            for _ in range(order):
                own = total_derivative(own, axis)
        add_to(out, own, (-1) ** sum(alpha))
    return out

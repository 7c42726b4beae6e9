r"""Euler operators: a polynomial f is a divergence $\partial_a F_a$ exactly if $E_u f = 0$ for every field,

$$E_u f = \sum_\alpha (-\partial)^\alpha \frac{\partial f}{\partial(\partial^\alpha u)}.$$
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

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
    """Terms that are independent modulo total derivatives, in time too; those with the lowest derivatives first."""
    images = [variations(question, term.components) for term in terms]
    order = sorted(range(len(terms)), key=lambda k: _highest(terms[k]))
    chooser = Chooser(len(terms) + 8, field_of_terms(images))
    chosen = [k for k in order if chooser.takes(images[k])]
    return [terms[k] for k in sorted(chosen)]


def _highest(term: Term) -> int:
    return max(c.order + c.time for p in term.components for m in p for c in m)


def euler(question: TermsQuestion, components: Components) -> Components:
    """The Euler operators in space of every component: a field and each of its derivatives in t are varied alone."""
    check()
    out = []
    for polynomial in components:
        for f, c in _varied_components(question):
            parts = _partial(polynomial, f, c)
            for time in range(question.derivatives + 1 if question.time else 1):
                own = {key: p for key, p in parts.items() if key[1] == time}
                out.append(_integrated(own, question.constants))
    return tuple(out)


def variations(question: TermsQuestion, components: Components) -> Components:
    """The Euler operators in space and time, which derivatives in t of densities do not survive either."""
    check()
    out = []
    for polynomial in components:
        for f, c in _varied_components(question):
            parts = _partial(polynomial, f, c)
            out.append(_integrated(parts, question.constants, in_time=True))
    return tuple(out)


def _varied_components(question: TermsQuestion) -> Iterator[tuple[int, int]]:
    for f, field in enumerate(question.fields):
        if not field.constant:
            yield from ((f, c) for c in range(field.rep.size))


Parts = dict[tuple[tuple[int, ...], int], Polynomial]


def _partial(polynomial: Polynomial, field: int, component: int) -> Parts:
    """∂f/∂(∂_t^k ∂^α u_c) by (α, k)."""
    partial: Parts = {}
    for monomial, value in polynomial.items():
        for c in dict.fromkeys(monomial):
            if (c.field, c.component) != (field, component):
                continue
            k = monomial.index(c)
            rest = monomial[:k] + monomial[k + 1 :]
            own = partial.setdefault((c.alpha, c.time), {})
            add_to(own, {rest: value * monomial.count(c)})
    return partial


def _integrated(
    parts: Parts, constants: Collection[int], in_time: bool = False
) -> Polynomial:
    """Σ (-∂)^α of the parts, and (-∂_t)^k with ``in_time``."""
    out: Polynomial = {}
    for (alpha, time), own in parts.items():
        axes: list[int | None] = [a for a, n in enumerate(alpha) for _ in range(n)]
        if in_time:
            axes += [None] * time
        for axis in axes:
            own = total_derivative(own, axis, constants)
        add_to(out, own, (-1) ** len(axes))
    return out

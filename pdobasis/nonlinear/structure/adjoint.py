r"""Self-adjoint and skew linear parts: with $f_c = \sum a_{cc'\alpha} \partial^\alpha u_{c'}$ the adjoint has

$$a^*_{cc'\alpha} = (-1)^{|\alpha|} a_{c'c\alpha}.$$
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pdobasis.nonlinear.independent import Components
from pdobasis.nonlinear.polynomials import Polynomial, add_to
from pdobasis.nonlinear.question import TermsQuestion
from pdobasis.nonlinear.result import Term


def linear_terms(question: TermsQuestion, terms: Sequence[Term]) -> list[Term]:
    """Those of degree 1 in a field like the output."""
    alike = {
        k
        for k, field in enumerate(question.fields)
        if field.rep == question.out and not field.constant
    }
    return [
        term
        for term in terms
        if term.multidegree.degree == 1 and term.multidegree.jets[0].field in alike
    ]


def adjoint_condition(sign: int) -> Callable[[Components], Components]:
    """P - sign P*, which vanishes for self-adjoint (sign 1) or skew (-1) operators."""

    def difference(components: Components) -> Components:
        out = tuple(dict(p) for p in components)
        for c, polynomial in enumerate(_adjoint(components)):
            add_to(out[c], polynomial, -sign)
        return out

    return difference


def _adjoint(components: Components) -> Components:
    out: tuple[Polynomial, ...] = tuple({} for _ in components)
    for c, polynomial in enumerate(components):
        for (j,), value in polynomial.items():
            turned = j._replace(component=c)
            # one sign for every derivative, in time as well
            add_to(out[j.component], {(turned,): value}, (-1) ** (j.order + j.time))
    return out

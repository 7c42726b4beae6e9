"""Multidegrees of given polynomials."""

from __future__ import annotations

from pdobasis.nonlinear.independent import Components
from pdobasis.nonlinear.polynomials import Monomial
from pdobasis.nonlinear.question import Jet, Multidegree


def multidegrees_of(components: Components) -> list[Multidegree]:
    """Those of all monomials, in the order of :meth:`TermsQuestion.multidegrees`."""
    found = {_multidegree(monomial) for p in components for monomial in p}
    return sorted(found, key=lambda m: (m.degree, m.total, m.jets))


def _multidegree(monomial: Monomial) -> Multidegree:
    jets = [Jet(c.field, c.order, c.time) for c in monomial]
    jets.sort(key=lambda j: (j.field, j.total, j.time))
    return Multidegree(tuple((jet, jets.count(jet)) for jet in dict.fromkeys(jets)))

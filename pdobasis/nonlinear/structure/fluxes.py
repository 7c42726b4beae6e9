"""Terms that are divergences: of one flux where there is such a one, and sums of terms."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from pdobasis.errors import SpecError
from pdobasis.nonlinear.degrees import multidegrees_of
from pdobasis.nonlinear.independent import Chooser, Components, field_of_terms
from pdobasis.nonlinear.null_vectors import null_vectors
from pdobasis.nonlinear.polynomials import (
    Polynomial,
    add_to,
    total_derivative,
)
from pdobasis.nonlinear.result import Term, Terms
from pdobasis.nonlinear.structure.combine import sums_of
from pdobasis.nonlinear.structure.variation import euler, varied
from pdobasis.representations.representation import Representation, from_term
from pdobasis.representations.terms import Tensor, Vector


def divergence_terms(terms: Terms) -> list[Term]:
    """A basis of the divergences, as many as the Euler operators leave."""
    question = terms.question
    own = varied(question, list(terms))
    rows = null_vectors([euler(question, term.components) for term in own])
    candidates = [*_simple_divergences(terms), *sums_of(question, own, rows)]
    every = [term.components for term in candidates]
    chooser = Chooser(len(rows) + 8, field_of_terms(every))
    found: list[Term] = []
    for term in candidates:
        if len(found) < len(rows) and chooser.takes(term.components):
            found.append(term)
    return found


def _simple_divergences(terms: Terms) -> list[Term]:
    """Divergences of single fluxes, with one derivative fewer, all of whose multidegrees are asked for.

    They are equivariant, so they are in the span of the terms, which are complete.
    """
    from pdobasis.nonlinear.find import find_terms

    question = terms.question
    if question.out.term is None or not question.derivatives:
        return []
    fluxes = replace(
        question, derivatives=question.derivatives - 1, out=_with_vector(question.out)
    )
    if question.max_total is not None:
        fluxes = replace(fluxes, max_total=max(0, question.max_total - 1))
    if question.scaling is not None:
        # a divergence divides by a length
        lower = question.scaling.out + question.scaling.length
        fluxes = replace(fluxes, scaling=replace(question.scaling, out=lower))
    asked = {block.multidegree for block in terms.blocks}
    out = []
    for flux in find_terms(fluxes):
        components = _divergence(flux.components, question.out.size, question.constants)
        made = multidegrees_of(components)
        if made and asked.issuperset(made):
            text = f"div[{flux.text}]"
            latex = rf"\mathrm{{div}}\left[{flux.latex()}\right]"
            out.append(Term(question, made[0], components, text, latex))
    return out


def _with_vector(out: Representation) -> Representation:
    if out.term is None:
        raise SpecError(f"{out.spec} has no formula")
    # F_a moves like the vector, so that ∂_a F_a moves like the output
    spec = f"tensor({out.spec}, vector)"
    return from_term(out.group, Tensor(out.term, Vector()), spec)


def _divergence(flux: Components, size: int, constants: Collection[int]) -> Components:
    dim = len(flux) // size
    out: tuple[Polynomial, ...] = tuple({} for _ in range(size))
    for k, polynomial in enumerate(flux):
        c, axis = divmod(k, dim)
        add_to(out[c], total_derivative(polynomial, axis, constants))
    return out

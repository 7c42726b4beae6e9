"""The reduced echelon form of terms: canonical, whoever found them."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, lcm

from flint import fmpq, fmpq_mat

from pdobasis.errors import SpecError
from pdobasis.exact.scalars import Number, Surd, simplest
from pdobasis.nonlinear.independent import Components
from pdobasis.nonlinear.polynomials import Monomial, Polynomial, combination

Place = tuple[int, Monomial]


def places_of(terms: Sequence[Components]) -> list[Place]:
    """All places (component, monomial) that are not zero somewhere, in order."""
    found = {
        (c, monomial)
        for components in terms
        for c, polynomial in enumerate(components)
        for monomial in polynomial
    }
    return sorted(found)


def is_rational(terms: Sequence[Components]) -> bool:
    return not any(isinstance(v, Surd) for t in terms for p in t for v in p.values())


def matrix_of(terms: Sequence[Components], places: Sequence[Place]) -> fmpq_mat:
    """One row for each term."""
    entries = []
    for term in terms:
        for c, monomial in places:
            value = term[c].get(monomial, fmpq(0))
            if isinstance(value, Surd):
                raise SpecError("this needs terms with rational coefficients")
            entries.append(value)
    return fmpq_mat(len(terms), len(places), entries)


def echelon(terms: Sequence[Components]) -> list[Components]:
    """The reduced echelon form: the first place of each is 1 there, and 0 in all others."""
    if not terms:
        return []
    places = places_of(terms)
    if not is_rational(terms):
        return _echelon_with_roots(terms, places)
    reduced, rank = matrix_of(terms, places).rref()
    out = []
    for k in range(rank):
        components: tuple[Polynomial, ...] = tuple({} for _ in terms[0])
        for j, (c, monomial) in enumerate(places):
            if reduced[k, j]:
                components[c][monomial] = reduced[k, j]
        out.append(components)
    return out


def _echelon_with_roots(
    terms: Sequence[Components], places: Sequence[Place]
) -> list[Components]:
    """Gauss and Jordan over a number field, for the few terms of one multidegree."""
    rest = list(terms)
    done: list[tuple[Place, Components]] = []
    for place in places:
        c, monomial = place
        k = next((k for k, term in enumerate(rest) if term[c].get(monomial)), None)
        if k is None:
            continue
        row = rest.pop(k)
        row = combined([row], [1 / row[c][monomial]])
        rest = [_without(term, row, place) for term in rest]
        done = [(own, _without(term, row, place)) for own, term in done]
        done.append((place, row))
    return [sorted_term(term) for _, term in done]


def _without(term: Components, row: Components, place: Place) -> Components:
    value = term[place[0]].get(place[1])
    if not value:
        return term
    return combined([term, row], [fmpq(1), -value])


def sorted_term(term: Components) -> Components:
    """Monomials in order, and rational numbers as such."""
    return tuple({m: simplest(v) for m, v in sorted(p.items())} for p in term)


def whole(term: Components) -> Components:
    """A rational term as a multiple with coprime integers."""
    if not is_rational([term]):
        return term
    values = [v for p in term for v in p.values() if isinstance(v, fmpq)]
    if not values:
        return term
    denominator = lcm(*(int(v.q) for v in values))
    content = gcd(*(int(v.p) * denominator // int(v.q) for v in values))
    factor = fmpq(denominator, content)
    return tuple({m: v * factor for m, v in p.items()} for p in term)


def combined(terms: Sequence[Components], weights: Sequence[Number]) -> Components:
    size = len(terms[0])
    return tuple(
        combination((w, t[c]) for w, t in zip(weights, terms, strict=True))
        for c in range(size)
    )

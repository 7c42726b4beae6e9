"""The reduced echelon form of terms: canonical, whoever found them."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, lcm

from flint import fmpq, fmpq_mat

from pdobasis.errors import SpecError
from pdobasis.exact.scalars import Number, Surd
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
    """Terms with rational coefficients; others stay as they are, which is the engine's echelon form already."""
    if not terms or not is_rational(terms):
        return list(terms)
    places = places_of(terms)
    reduced, rank = matrix_of(terms, places).rref()
    out = []
    for k in range(rank):
        components: tuple[Polynomial, ...] = tuple({} for _ in terms[0])
        for j, (c, monomial) in enumerate(places):
            if reduced[k, j]:
                components[c][monomial] = reduced[k, j]
        out.append(components)
    return out


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

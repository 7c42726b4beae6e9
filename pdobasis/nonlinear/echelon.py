"""The reduced echelon form of terms: canonical, whoever found them."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, lcm

from flint import fmpq, fmpq_mat

from pdobasis.errors import SpecError
from pdobasis.exact.scalars import Number, Radical, Surd, float_of, simplest
from pdobasis.nonlinear.independent import Components
from pdobasis.nonlinear.polynomials import Monomial, Polynomial, combination, reading

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
    """Monomials in the order in which one writes them, and rational numbers as such."""
    out = []
    for p in term:
        ordered = sorted(p, key=lambda m: sorted(map(reading, m)))
        out.append({m: simplest(p[m]) for m in ordered})
    return tuple(out)


def whole(term: Components) -> Components:
    """A multiple in coprime integers, the first positive; of roots as few as a root in front can leave.

    >>> from pdobasis.nonlinear.polynomials import Coordinate
    >>> x, y = ((Coordinate(0, k, ()),) for k in range(2))
    >>> whole(({x: fmpq(-1, 2), y: fmpq(3, 4)},))[0][y]
    -3
    """
    values = [v for p in term for v in p.values()]
    if not values or any(_is_nested(v) for v in values):
        return term
    parts = [value_parts(v) for v in values]
    radicands = sorted({r for own in parts for r in own})
    # √3 a + 3 b is √3 (a + √3 b): each root in front is tried
    best = min((_integers(term, r) for r in radicands), key=_roots_in)
    first = next(v for p in best for v in p.values())
    return combined([best], [fmpq(-1)]) if float_of(first) < 0 else best


def value_parts(value: Number) -> dict[int, fmpq]:
    """{r: q} of the sum of q √r."""
    if isinstance(value, Radical):
        return value.parts
    if isinstance(value, Surd):
        raise SpecError("this needs sums of square roots")
    return {1: value}


def _is_nested(value: Number) -> bool:
    return isinstance(value, Surd) and not isinstance(value, Radical)


def _integers(term: Components, radicand: int) -> Components:
    """The multiple of term √radicand whose parts are coprime integers."""
    if radicand > 1:
        term = combined([term], [Radical({radicand: fmpq(1)})])
    every = [q for p in term for v in p.values() for q in value_parts(v).values()]
    denominator = lcm(*(int(q.q) for q in every))
    content = gcd(*(int(q.p) * denominator // int(q.q) for q in every))
    return combined([term], [fmpq(denominator, content)])


def _roots_in(term: Components) -> tuple[int, int]:
    """How many roots, and how large the integers are."""
    parts = [value_parts(v) for p in term for v in p.values()]
    roots = sum(r > 1 for own in parts for r in own)
    return roots, sum(abs(int(q.p)) for own in parts for q in own.values())


def combined(terms: Sequence[Components], weights: Sequence[Number]) -> Components:
    size = len(terms[0])
    return tuple(
        combination((w, t[c]) for w, t in zip(weights, terms, strict=True))
        for c in range(size)
    )

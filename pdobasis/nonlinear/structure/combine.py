"""Combinations of terms: null vectors over any number field, and how sums are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gcd, lcm

from flint import fmpq

from pdobasis.algebra.linear import relations
from pdobasis.errors import ProofError
from pdobasis.exact.scalars import Number, Surd, simplest, text_of
from pdobasis.nonlinear.degrees import multidegrees_of
from pdobasis.nonlinear.echelon import (
    combined,
    is_rational,
    matrix_of,
    places_of,
)
from pdobasis.nonlinear.independent import Components, pivots
from pdobasis.nonlinear.names import name_of_sum
from pdobasis.nonlinear.polynomials import Coordinate
from pdobasis.nonlinear.question import TermsQuestion
from pdobasis.nonlinear.result import Term
from pdobasis.nonlinear.sparser import sparser

Row = list[Number]


def units(number: int) -> list[Row]:
    return [[fmpq(int(i == k)) for i in range(number)] for k in range(number)]


def restricted(
    terms: Sequence[Term],
    rows: Sequence[Row],
    condition: Callable[[Components], Components],
) -> list[Row]:
    """Of the combinations ``rows`` of terms those that a linear condition sends to zero."""
    if not rows:
        return []
    every = [term.components for term in terms]
    images = [condition(_combined(every, row)) for row in rows]
    out = []
    for weights in null_vectors(images):
        total: Row = [fmpq(0)] * len(terms)
        for w, row in zip(weights, rows, strict=True):
            if w:
                total = [t + w * v for t, v in zip(total, row, strict=True)]
        out.append(total)
    return out


def _combined(every: Sequence[Components], row: Row) -> Components:
    used = [k for k, w in enumerate(row) if w]
    if len(used) == 1 and row[used[0]] == 1:
        return every[used[0]]
    return combined([every[k] for k in used], [row[k] for k in used])


def null_vectors(images: Sequence[Components]) -> list[Row]:
    """Combinations that vanish, in reduced echelon form: the last term of each has the weight 1."""
    if is_rational(images):
        return _rational_null_vectors(images)
    # over a larger field a few places decide; what they say is checked at all of them
    places = pivots(images)
    vectors = []
    for image in images:
        own = ((place, image[place[0]].get(place[1])) for place in places)
        vectors.append({place: value for place, value in own if value})
    found = [[simplest(w) for w in row] for row in relations(vectors)]
    for row in found:
        if any(_combined(images, row)):
            raise ProofError("a null vector could not be proved (please report this)")
    return found


def _rational_null_vectors(images: Sequence[Components]) -> list[Row]:
    places = places_of(images)
    number = len(images)
    if not places:
        return units(number)
    reduced, rank = matrix_of(images, places).transpose().rref()
    leading = []
    for r in range(rank):
        leading.append(next(j for j in range(number) if reduced[r, j]))
    out = []
    for j in sorted(set(range(number)) - set(leading)):
        row: Row = [fmpq(0)] * number
        row[j] = fmpq(1)
        for r, pivot in enumerate(leading):
            row[pivot] = -reduced[r, j]
        out.append(row)
    return out


def sums_of(
    question: TermsQuestion, terms: Sequence[Term], rows: Sequence[Row]
) -> list[Term]:
    """The combinations, by their first terms, of as few terms as pairs of them can be made."""
    # a combination is a linear polynomial in the terms
    linear: list[Components] = []
    for row in rows:
        linear.append(({(Coordinate(k, 0, ()),): w for k, w in enumerate(row) if w},))
    found = []
    for (polynomial,) in sparser(linear):
        weights: Row = [fmpq(0)] * len(terms)
        for (unit,), w in polynomial.items():
            weights[unit.field] = w
        found.append(weights)
    found.sort(key=lambda row: [k for k, w in enumerate(row) if w])
    return [sum_of(question, terms, row) for row in found]


def sum_of(question: TermsQuestion, terms: Sequence[Term], weights: Row) -> Term:
    """A combination of terms; its multidegree is the first of those that occur."""
    used = [term for term, w in zip(terms, weights, strict=True) if w]
    if len(used) == 1:
        return used[0]
    factors = _coprime([w for w in weights if w])
    components = combined([term.components for term in used], factors)
    text = _joined([term.text for term in used], factors)
    latex = _joined([term.latex() for term in used], factors)
    name = name_of_sum([term.name for term in used], factors, question.group.dim)
    first, *_ = multidegrees_of(components)
    return Term(question, first, components, text, latex, name)


def _coprime(factors: Sequence[Number]) -> list[Number]:
    """A multiple in coprime integers, the first of them positive; with roots the first is 1."""
    rational = [w for w in factors if not isinstance(w, Surd)]
    if len(rational) < len(factors):
        return [w / factors[0] for w in factors]
    bottom = lcm(*(int(w.q) for w in rational))
    top = gcd(*(int(w.p) * bottom // int(w.q) for w in rational))
    if rational[0] < 0:
        top = -top
    return [w * fmpq(bottom, top) for w in rational]


def _joined(texts: Sequence[str], factors: Sequence[Number]) -> str:
    out = ""
    for text, factor in zip(texts, factors, strict=True):
        sign, front = "+", f"({text_of(factor)}) "
        if not isinstance(factor, Surd):
            sign = "-" if factor < 0 else "+"
            front = "" if abs(factor) == 1 else f"{abs(factor)} "
        if out:
            out += f" {sign} {front}{text}"
        else:
            out = f"{'-' if sign == '-' else ''}{front}{text}"
    return out

"""Combinations of terms: null vectors over any number field, and how sums are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gcd, lcm

from flint import fmpq

from pdobasis.exact.scalars import Number, Surd, text_of
from pdobasis.nonlinear.degrees import multidegrees_of
from pdobasis.nonlinear.echelon import combined
from pdobasis.nonlinear.independent import Components
from pdobasis.nonlinear.names import name_of_sum
from pdobasis.nonlinear.null_vectors import Row, null_vectors, weighted
from pdobasis.nonlinear.polynomials import Coordinate
from pdobasis.nonlinear.question import TermsQuestion
from pdobasis.nonlinear.result import Term
from pdobasis.nonlinear.sparser import sparser


def restricted(
    terms: Sequence[Term],
    rows: Sequence[Row],
    condition: Callable[[Components], Components],
) -> list[Row]:
    """Of the combinations ``rows`` of terms those that a linear condition sends to zero."""
    if not rows:
        return []
    every = [term.components for term in terms]
    images = [condition(weighted(every, row)) for row in rows]
    out = []
    for weights in null_vectors(images):
        total: Row = [fmpq(0)] * len(terms)
        for w, row in zip(weights, rows, strict=True):
            if w:
                total = [t + w * v for t, v in zip(total, row, strict=True)]
        out.append(total)
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

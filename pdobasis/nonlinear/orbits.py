"""Orbit sums: the terms of groups that only permute coordinates and change their signs, with coefficients ±1."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import TypeVar

from flint import fmpq

from pdobasis.exact.polynomials import monomials
from pdobasis.exact.scalars import Number
from pdobasis.nonlinear.independent import Components
from pdobasis.nonlinear.polynomials import Coordinate, Monomial, Polynomial
from pdobasis.nonlinear.proof import Judge
from pdobasis.nonlinear.question import Multidegree, TermsQuestion

Place = tuple[int, Monomial]
K = TypeVar("K")


def orbit_sums(judge: Judge, m: Multidegree) -> list[Components] | None:
    """None where the group does more than permute and change signs."""
    seen: dict[Place, int] = {}
    out = []
    if judge.lie_moves:
        return None
    for c, monomial in _places(judge.question, m):
        if (c, monomial) in seen:
            continue
        orbit = _orbit(judge, (c, monomial))
        if orbit is None:
            return None
        signs, is_consistent = orbit
        seen.update(signs)
        if is_consistent:
            out.append(_components(judge.question.out.size, signs))
    return out


def permutes(judge: Judge) -> bool:
    """Whether the group only permutes coordinates and changes signs, so that there are orbit sums."""
    question = judge.question
    if judge.lie_moves or any(_single(row) is None for rho in judge.out for row in rho):
        return False
    # derivatives of order 1 show what happens to those of higher order
    every = [
        c
        for f in range(len(question.fields))
        for order in (0, 1)
        for c in coordinates(question, f, order, 0)
    ]
    return all(
        _single(dict(move(c))) is not None for move in judge.moves for c in every
    )


def coordinates(
    question: TermsQuestion, field: int, order: int, time: int
) -> list[Coordinate]:
    size = question.fields[field].rep.size
    alphas = monomials(question.group.dim, order)
    return [Coordinate(field, c, alpha, time) for c in range(size) for alpha in alphas]


def all_monomials(question: TermsQuestion, m: Multidegree) -> Iterator[Monomial]:
    options = []
    for jet, power in m.factors:
        own = coordinates(question, jet.field, jet.order, jet.time)
        options.append(combinations_with_replacement(own, power))
    for choice in product(*map(list, options)):
        yield tuple(sorted(c for part in choice for c in part))


def _places(question: TermsQuestion, m: Multidegree) -> Iterator[Place]:
    every = list(all_monomials(question, m))
    for c in range(question.out.size):
        for monomial in every:
            yield c, monomial


def _orbit(judge: Judge, start: Place) -> tuple[dict[Place, int], bool] | None:
    """The signs along the orbit of e_c j^M under f -> rho_out(g)^-1 f(g ·), and whether they agree."""
    signs = {start: 1}
    waiting = [start]
    is_consistent = True
    while waiting:
        c, monomial = waiting.pop()
        for move, rho in zip(judge.moves, judge.out, strict=True):
            # f_c(gj) = sum rho_cc' f_c'(j): the coefficient of row c moves to the row c' that rho_cc' joins it to
            target = _single(rho[c])
            word: list[Coordinate] = []
            factor = 1
            for coordinate in monomial:
                found = _single(dict(move(coordinate)))
                if found is None:
                    return None
                word.append(found[0])
                factor *= found[1]
            if target is None:
                return None
            place = (target[0], tuple(sorted(word)))
            sign = signs[c, monomial] * factor * target[1]
            if place not in signs:
                signs[place] = sign
                waiting.append(place)
            elif signs[place] != sign:
                is_consistent = False
    return signs, is_consistent


def _single(row: dict[K, Number]) -> tuple[K, int] | None:
    """The only entry of a row, when it is 1 or -1."""
    if len(row) != 1:
        return None
    ((key, value),) = row.items()
    if value == 1:
        return key, 1
    if value == -1:
        return key, -1
    return None


def _components(size: int, signs: dict[Place, int]) -> Components:
    out: tuple[Polynomial, ...] = tuple({} for _ in range(size))
    for (c, monomial), sign in sorted(signs.items()):
        out[c][monomial] = fmpq(sign)
    return out

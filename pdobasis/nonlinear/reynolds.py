r"""Terms of finite groups that do more than permute coordinates: orbit sums of the part that does, then the rest.

Let H be the elements of G that permute the coordinates up to signs (of the icosahedron: those that it shares with the
cube). Every term of G is a combination of orbit sums of H, which are few, and the others of its generators are linear
equations for the weights: $f(gj) = \rho_{out}(g) f(j)$, exactly. H is found in floats, since nothing depends on it:
what is found is proved by substitution, and counted by Molien's formula.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from pdobasis.bounds.estimate import Estimate, cost
from pdobasis.bounds.watch import check
from pdobasis.exact.numbers import to_float
from pdobasis.exact.polynomials import count
from pdobasis.exact.scalars import Number, Radical, Surd, rows
from pdobasis.nonlinear.action import move_of
from pdobasis.nonlinear.independent import Components
from pdobasis.nonlinear.null_vectors import null_vectors, weighted
from pdobasis.nonlinear.orbits import orbit_sums
from pdobasis.nonlinear.polynomials import add_to, combination, substitution
from pdobasis.nonlinear.proof import Judge
from pdobasis.nonlinear.question import Multidegree, TermsQuestion
from pdobasis.proof.lines import matrices_of

Matrix = NDArray[np.float64]
Element = tuple[Matrix, ...]
"""On space, on every field, on the output."""
MOST_ELEMENTS = 240


def signed_part(judge: Judge) -> tuple[Judge, int] | None:
    """The judge of H, by some generators of it, and its order; None where numbers are no square roots."""
    question = judge.question
    if (
        judge.lie_moves
        or not question.group.is_finite
        or not _has_square_roots(question)
    ):
        return None
    every = _elements(_generators(question))
    if every is None:
        return None
    signed = [g for g in every if all(_is_signed(m) for m in g)]
    chosen = _few(signed)
    moves = tuple(move_of(list(map(_rows, g[1:-1])), _rows(g[0])) for g in chosen)
    outs = [_rows(g[-1]) for g in chosen]
    return replace(judge, moves=moves, out=outs, wider=None), len(signed)


def finite_terms(judge: Judge, part: Judge, m: Multidegree) -> list[Components] | None:
    """All terms of one multidegree."""
    sums = orbit_sums(part, m)
    if sums is None:
        return None
    images = []
    for term in sums:
        check()
        images.append(_residues(judge, term))
    return [weighted(sums, row) for row in null_vectors(images)]


def estimate_finite(question: TermsQuestion, m: Multidegree, order: int) -> Estimate:
    """``order`` is that of H: so many times fewer are the unknowns."""
    monomials, spread = 1.0, 1.0
    for jet, power in m.factors:
        own = question.fields[jet.field].rep.size * count(question.group.dim, jet.order)
        spread *= float(own) ** power
        for k in range(power):
            monomials *= (own + k) / (k + 1)
    places = monomials * question.out.size
    unknowns = places / order
    features = {"products": places * min(spread, monomials), "cubes": unknowns**3}
    return cost("finite terms", features | {"places": places})


def _residues(judge: Judge, term: Components) -> Components:
    """f(gj) - rho(g) f(j) for every generator that H has not."""
    out = []
    for move, rho in zip(judge.moves, judge.out, strict=True):
        for c, own in enumerate(term):
            rest = substitution(own, move)
            right = combination((value, term[k]) for k, value in rho[c].items())
            add_to(rest, right, -1)
            out.append(rest)
    return tuple(out)


def _has_square_roots(question: TermsQuestion) -> bool:
    """Arithmetic with other numbers is left to the engine."""
    reps = [*(field.rep for field in question.fields), question.out]
    matrices = [x for rep in reps for x in matrices_of(rep)]
    return not any(
        isinstance(value, Surd) and not isinstance(value, Radical)
        for x in (*matrices, *question.group.on_space)
        for row in rows(x)
        for value in row.values()
    )


def _generators(question: TermsQuestion) -> list[Element]:
    reps = [*(field.rep for field in question.fields), question.out]
    images = [[to_float(x) for x in matrices_of(rep)] for rep in reps]
    space = [to_float(g) for g in question.group.on_space]
    return list(zip(space, *images, strict=True))


def _elements(generators: Sequence[Element]) -> list[Element] | None:
    """All products; None where they are too many."""
    if not generators:
        return None
    one: Element = tuple(np.eye(len(x)) for x in generators[0])
    known = {_key(one): one}
    waiting = [one]
    while waiting:
        g = waiting.pop()
        for s in generators:
            new = tuple(a @ b for a, b in zip(s, g, strict=True))
            if _key(new) not in known:
                known[_key(new)] = new
                waiting.append(new)
        if len(known) > MOST_ELEMENTS:
            return None
    return list(known.values())


def _few(elements: Sequence[Element]) -> list[Element]:
    """Some that generate them all."""
    chosen: list[Element] = []
    reached = {_key(elements[0])}
    for g in sorted(elements, key=_key):
        if _key(g) not in reached:
            chosen.append(g)
            reached = {_key(h) for h in _elements(chosen) or ()}
    return chosen


def _key(g: Element) -> tuple[int, ...]:
    return tuple(
        v for m in g for v in np.rint(m * 1e6).astype(np.int64).ravel().tolist()
    )


def _is_signed(m: Matrix) -> bool:
    whole = np.rint(m)
    is_whole = bool(np.abs(m - whole).max() < 1e-9)
    return is_whole and bool((np.abs(whole).sum(axis=0) == 1).all())


def _rows(m: Matrix) -> list[dict[int, Number]]:
    return [{j: fmpq(round(v)) for j, v in enumerate(row) if round(v)} for row in m]

r"""Theorem: every steerable symbol, of whatever order, is one combination $\sum_k q_k(\theta)\,D_k$ of the generators.

Let A be the polynomials in the primary invariants $\theta$, S all polynomials, $c = c_{out} c_{in}$, and M the
steerable symbols, a part of $S^c$. What is looked at:

1. $\theta$ and $D_k$ are steerable, and $\theta$ is a regular sequence (:mod:`pdobasis.proof.parameters`);
2. the $D_k$ are independent over K *modulo* $(\theta) S^c$;
3. in every order up to a bound (:mod:`pdobasis.proof.bounded`) there are as many products $\theta^a D_k$ as an
   independent count of M.

From 2 they are independent over A. If $\sum_k q_k(\theta) D_k = 0$ with orders that fit, collect the terms by their
degree in $\theta$: the lowest gives a relation in $(\theta)^m S^c / (\theta)^{m+1} S^c$, which for a regular sequence
is $S^c / (\theta) S^c$ once for every monomial $\theta^a$ of degree m; so all its coefficients vanish, by 2.

So the products in 3 are independent, and as many as there are: they are all of M up to the bound. Beyond it M has no
further generators: for finite groups the series of the products and that of M are quotients of polynomials of degree at
most the bound by the same $\prod (1 - t^{d_i})$, and agree up to it, hence everywhere; for Lie groups what is steerable
beyond it lies in $(\theta) S^c$, so it is $\theta$ times something steerable of lower order.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import product

import numpy as np

from pdobasis.errors import ExactnessError
from pdobasis.exact.types import IndexArray
from pdobasis.operators.block import Block
from pdobasis.operators.symbols import Symbols
from pdobasis.proof.arithmetic import require_arithmetic
from pdobasis.proof.batch import Found, batches, found_blocks, single, summands
from pdobasis.proof.bounded import BY_MOLIEN, BY_WEIGHTS, last_order
from pdobasis.proof.certificate import Certificate
from pdobasis.proof.claim import Claim
from pdobasis.proof.counting import count_pdos
from pdobasis.proof.equivariant import equivariant, is_equivariant
from pdobasis.proof.hypothesis import hypothesis
from pdobasis.proof.parameters import (
    ATTEMPTS,
    ideal,
    matrix_modulo,
    parameters,
    quotient_series,
)
from pdobasis.question.problem import Problem
from pdobasis.representations.representation import Representation


def prove_all_orders(
    problem: Problem,
    primary: Sequence[Symbols],
    blocks: Sequence[Block],
    trivial: Representation,
) -> Certificate:
    """``problem.order`` is the largest order of a generator; ``trivial`` the representation of the invariants."""
    require_arithmetic(problem.field)
    found = found_blocks(problem, blocks)
    reps = (*summands(problem.in_type), *summands(problem.out_type))
    holds = _are_invariant(primary, trivial) and _are_steerable(problem, found)
    claims = [
        hypothesis(reps),
        equivariant(problem, holds, None),
        parameters(primary, problem.group.dim),
        _independent(problem, primary, found),
        _complete(problem, primary, found),
    ]
    return Certificate(tuple(claims))


def _are_invariant(primary: Sequence[Symbols], trivial: Representation) -> bool:
    side = (trivial,)
    for theta in primary:
        if theta.size != 1 or theta.shape != (1, 1) or len(theta.element) != 1:
            return False
        if theta.order < 1 or not is_equivariant(single(theta), side, side):
            return False
    return trivial.size == 1


def _are_steerable(problem: Problem, found: Sequence[Found]) -> bool:
    if not all(all(block.formed) for block in found):
        return False
    reps_in = tuple(summands(problem.in_type))
    reps_out = tuple(summands(problem.out_type))
    shape = (sum(r.size for r in reps_out), sum(r.size for r in reps_in))
    placed = [part for block in found for part in block.placed()]
    return all(
        is_equivariant(batch, reps_in, reps_out) for batch in batches(placed, shape)
    )


def _independent(
    problem: Problem, primary: Sequence[Symbols], found: Sequence[Found]
) -> Claim:
    numbers, ranks = _zeros(problem), _zeros(problem)
    for block in found:
        for n, part in enumerate(block.parts):
            numbers[n] += block.copies * part.size
            # blocks stand in different places of P, so that their ranks add up
            ranks[n] += block.copies * rank_modulo_ideal(part, primary)
    return Claim(
        "independent",
        bool((numbers == ranks).all()),
        "over the primary invariants: exact rank modulo them, attained modulo a prime",
        (("found", tuple(numbers.tolist())), ("ranks", tuple(ranks.tolist()))),
    )


def rank_modulo_ideal(part: Symbols, primary: Sequence[Symbols]) -> int:
    r"""A lower bound on the rank of the elements in $S^c / (\theta) S^c$.

    The rank of $(\theta)_n$ modulo a prime may be too small, never that of it and the elements together too large; so
    the first has to be what it is for a regular sequence.
    """
    if not part.size:
        return 0
    best = 0
    for number in range(ATTEMPTS):
        with suppress(ExactnessError):  # the prime divides a denominator
            best = max(best, _rank_at(part, primary, number))
        if best == part.size:
            break
    return best


def _rank_at(part: Symbols, primary: Sequence[Symbols], number: int) -> int:
    field = part.coefficients.field
    own = ideal(primary, part.dim, part.order, number, field)
    degrees = [theta.order for theta in primary]
    if len(own.free) != quotient_series(part.dim, degrees, part.order)[-1]:
        return 0
    rows, columns = part.shape
    table = np.zeros((part.size, rows * columns, len(own.free)), dtype=np.int64)
    table[part.element, part.row * columns + part.column] = own.remainders(part)
    # a column that no element uses adds nothing to the rank
    flat = table.reshape(part.size, -1)
    used = flat.any(axis=0)
    return int(matrix_modulo(flat[:, used], own.at.prime).rank())


def _complete(
    problem: Problem, primary: Sequence[Symbols], found: Sequence[Found]
) -> Claim:
    ins, outs = list(summands(problem.in_type)), list(summands(problem.out_type))
    pairs = sorted((block.in_index, block.out_index) for block in found)
    holds = pairs == list(product(range(len(ins)), range(len(outs))))
    bound = last_order(problem.group, primary, ins, outs)
    if bound is None:
        return Claim("complete", None, "no bound on the orders of generators is known")
    last = max(bound, problem.order)
    counted = np.zeros(last + 1, dtype=np.int64)
    how: dict[str, None] = {}
    for block in found:
        hoped = products(block, primary, last)
        counts = count_pdos(block.rep_in, block.rep_out, last, hoped=hoped)
        how[counts.how] = None
        counted += block.copies * np.array(counts.numbers)
        holds = holds and counts.numbers == hoped
    why = BY_WEIGHTS
    if problem.group.is_finite:
        why = BY_MOLIEN
    text = (
        f"{'; '.join(how)}, up to order {last}; nothing new beyond order {bound} {why}"
    )
    return Claim("complete", holds, text, (("counted", tuple(counted.tolist())),))


def products(block: Found, primary: Sequence[Symbols], order: int) -> tuple[int, ...]:
    r"""How many $\theta^a D_k$ there are of every order."""
    out = [0] * (order + 1)
    for n, part in enumerate(block.parts):
        out[n] = part.size
    for theta in primary:
        for n in range(theta.order, order + 1):
            out[n] += out[n - theta.order]
    return tuple(out)


def _zeros(problem: Problem) -> IndexArray:
    return np.zeros(problem.order + 1, dtype=np.int64)

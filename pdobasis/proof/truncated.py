r"""Theorem: the elements are a basis of the subspace of solutions that a truncation names.

They are equivariant and independent, and they lie in the subspace; so their number $b_n$ is at most its dimension,
which is at most an independent count $N_n$ of it. $b_n = N_n$ proves that they span it. "Of M" is the count of all
solutions.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from pdobasis.operators.symbols import Symbols
from pdobasis.proof import framed, graded, offsets
from pdobasis.proof.batch import Found
from pdobasis.proof.claim import Claim
from pdobasis.proof.complete import harmonic, is_harmonic
from pdobasis.proof.counting import BY_NULLITY, Counts, count_pdos
from pdobasis.proof.module import is_orthogonal
from pdobasis.proof.nullity import nullities
from pdobasis.question.frames import frame_side
from pdobasis.question.problem import Problem
from pdobasis.question.truncation import Truncation

BY_FREQUENCIES = "a count of frequencies from characters"


def truncated(
    problem: Problem,
    truncation: Truncation,
    blocks: Sequence[Found],
    sides: tuple[int, int],
) -> Claim:
    """Every pair of the ``sides`` summands once, with as many elements of each order as the subspace has."""
    holds = sorted((b.in_index, b.out_index) for b in blocks) == list(
        product(range(sides[0]), range(sides[1]))
    )
    if truncation.kept is not None or problem.kernel:
        holds = holds and is_orthogonal(problem.group)
    counted = np.zeros(problem.order + 1, dtype=np.int64)
    every = np.zeros(problem.order + 1, dtype=np.int64)
    how: dict[str, None] = {}
    exact = True
    for block in blocks:
        sizes = tuple(part.size for part in block.parts)
        counts = count_within(problem, truncation, block, sizes)
        all_there_are = _everything(problem, block)
        counted += block.copies * np.array(counts.numbers)
        every += block.copies * np.array(all_there_are.numbers)
        exact = exact and all_there_are.exact
        how[counts.how] = None
        holds = holds and sizes == counts.numbers and all(block.formed)
        holds = holds and all(
            is_within(problem, truncation, block, part) for part in block.parts
        )
    of = "of" if exact else "of at most"
    text = (
        f"{int(counted.sum())} {of} {int(every.sum())} elements: truncated to {truncation.text}; "
        f"all are within it, as many as there are by {'; '.join(how)}"
    )
    figures = (
        ("counted", tuple(counted.tolist())),
        ("of", tuple(every.tolist())),
    )
    return Claim("truncated", holds, text, figures)


def is_within(
    problem: Problem, truncation: Truncation, block: Found, part: Symbols
) -> bool:
    """Whether all elements of a part are in the subspace."""
    n, limit = part.order, truncation.max_offset
    if not part.size:
        return True
    if problem.kernel and not is_harmonic(part):
        return False
    if limit is not None and not offsets.is_within(part, block.rep_out, limit):
        return False
    if truncation.kept is not None:
        powers = [k for k in range(n // 2 + 1) if _keeps(truncation, n - 2 * k, k)]
        return graded.is_within(part, powers)
    if truncation.frame is not None:
        side = frame_side(block.rep_in, block.rep_out, truncation.frame, problem.order)
        return side is not None and framed.is_within(part, side, truncation.frame)
    return True


def count_within(
    problem: Problem, truncation: Truncation, block: Found, hoped: Sequence[int]
) -> Counts:
    """The dimension of the subspace for every order, or a bound from above; ``hoped`` as in :func:`count_pdos`."""
    frame = truncation.frame
    if frame is not None:
        side = frame_side(block.rep_in, block.rep_out, frame, problem.order)
        bounds = framed.numbers_within(
            block.rep_in, block.rep_out, side or "out", frame, problem.order, hoped
        )
        return Counts(bounds, BY_NULLITY, exact=False)
    angular = _angular(problem, truncation, block)
    numbers = []
    for n in range(problem.order + 1):
        # r^2 is invariant, so every power of it repeats the angular elements
        powers = range(1 if problem.kernel else n // 2 + 1)
        kept = [k for k in powers if _keeps(truncation, n - 2 * k, k)]
        numbers.append(sum(angular.numbers[n - 2 * k] for k in kept))
    return Counts(tuple(numbers), angular.how, angular.exact)


def _keeps(truncation: Truncation, angular: int, power: int) -> bool:
    # the pairs themselves: were the method of the same name wrong, solver and proof would both ask another question
    return truncation.kept is None or (angular, power) in truncation.kept


def _everything(problem: Problem, block: Found) -> Counts:
    """How many solutions there are of each order, or a bound from above."""
    if problem.kernel:
        return _angular(problem, Truncation(), block)
    return count_pdos(block.rep_in, block.rep_out, problem.order)


def _angular(problem: Problem, truncation: Truncation, block: Found) -> Counts:
    """How many harmonic solutions there are of each order."""
    rep_in, rep_out, order = block.rep_in, block.rep_out, problem.order
    if truncation.max_offset is not None:
        numbers = offsets.angular_numbers(rep_in, rep_out, order, truncation.max_offset)
        return Counts(numbers, BY_FREQUENCIES)
    counts = count_pdos(rep_in, rep_out, order)
    if counts.exact:
        return Counts(harmonic(counts.numbers), counts.how)
    # a difference of bounds is no bound: harmonic solutions are counted by themselves
    numbers = nullities(rep_in, rep_out, range(order + 1), harmonic=True)
    return Counts(numbers, BY_NULLITY, exact=False)

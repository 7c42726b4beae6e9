r"""Theorem: the elements are all there are. Their number is that of an independent count.

Let $d_n$ be the true number of order n, $b_n$ the number of elements (proved equivariant and independent), $N_n$ the
count. Then $b_n \le d_n \le N_n$, with $d_n = N_n$ for characters and $d_n \le N_n$ for a nullity modulo a prime. So
$b_n = N_n$ proves completeness, however bad the bound might have been.

*Kernels* ask for harmonic polynomials. With $h_n$ their true number, Fischer's decomposition says
$d_n = h_n + h_{n-2} + h_{n-4} + \dots$, and what is compared is $b_n = N_n - N_{n-2}$. A difference of two upper bounds
is no bound: alone it proves nothing. But if it holds for *every* order up to n, the sums telescope,

$$b_n + b_{n-2} + b_{n-4} + \dots = N_n \ge d_n = h_n + h_{n-2} + \dots,$$

and since $b_k \le h_k$ for every k, all are equal. So the orders are judged together, and so are all blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, product

import numpy as np

from pdobasis.operators.symbols import Symbols
from pdobasis.proof.batch import Found
from pdobasis.proof.claim import Claim
from pdobasis.proof.counting import BY_NULLITY, Counts, count_pdos
from pdobasis.proof.module import is_orthogonal
from pdobasis.proof.points import number_of_monomials, powers
from pdobasis.question.problem import Problem
from pdobasis.representations.representation import Representation


def complete(
    problem: Problem, blocks: Sequence[Found], sides: tuple[int, int]
) -> Claim:
    """Every pair of different summands once, with as many elements of each order as there are; ``sides`` summands."""
    holds = sorted((b.in_index, b.out_index) for b in blocks) == list(
        product(range(sides[0]), range(sides[1]))
    )
    counted = np.zeros(problem.order + 1, dtype=np.int64)
    how: dict[str, None] = {}
    if (
        problem.kernel
    ):  # Fischer's decomposition is one of representations only where r^2 is invariant
        holds = holds and is_orthogonal(problem.group)
    for block in blocks:
        sizes = tuple(block.places * part.size for part in block.parts)
        # the sizes are only hoped for: they decide when to stop looking for better bounds, never what a bound is
        counts = count_asked(problem, block.rep_in, block.rep_out, sizes)
        counted += block.copies * np.array(counts.numbers)
        how[counts.how] = None
        holds = holds and sizes == counts.numbers and all(block.formed)
        holds = holds and all(is_asked_for(problem, part) for part in block.parts)
    return Claim(
        "complete", holds, "; ".join(how), (("counted", tuple(counted.tolist())),)
    )


def count_asked(
    problem: Problem,
    rep_in: Representation,
    rep_out: Representation,
    hoped: Sequence[int] | None = None,
) -> Counts:
    """The number of elements of each order that the question asks for; ``hoped`` as in :func:`count_pdos`."""
    if problem.partial_order is not None:
        from pdobasis.proof.nullity import nullities

        numbers = nullities(
            rep_in, rep_out, range(problem.order + 1), problem.partial_order, hoped
        )
        return Counts(numbers, BY_NULLITY, exact=False)
    if not problem.kernel:
        return count_pdos(rep_in, rep_out, problem.order, hoped=hoped)
    if hoped is not None:
        hoped = with_powers(hoped)
    counts = count_pdos(rep_in, rep_out, problem.order, hoped=hoped)
    return Counts(
        harmonic(counts.numbers),
        f"{counts.how}; harmonic, so less those of order n - 2",
        counts.exact,
    )


def harmonic(numbers: Sequence[int]) -> tuple[int, ...]:
    """All of order n less all of order n - 2.

    >>> harmonic((1, 2, 3, 4))
    (1, 2, 2, 2)
    """
    return tuple(n - lower for n, lower in zip(numbers, (0, 0, *numbers), strict=False))


def with_powers(numbers: Sequence[int]) -> tuple[int, ...]:
    """The other way: how many there are with the powers of r^2 in front of them.

    >>> with_powers((1, 2, 2, 2))
    (1, 2, 3, 4)
    """
    out = list(numbers)
    for parity in (0, 1):
        out[parity::2] = accumulate(out[parity::2])
    return tuple(out)


def is_asked_for(problem: Problem, part: Symbols) -> bool:
    """Whether all entries are harmonic (kernels), and within the limit on the order in each variable."""
    if problem.partial_order is not None:
        alphas = powers(problem.group.dim, part.order, part.order)
        left_out = (
            alphas.max(axis=1, initial=0) > problem.partial_order
        )  # the largest power of a variable
        if part.coefficients.numerators[:, left_out].any():
            return False
    return not problem.kernel or is_harmonic(part)


def is_harmonic(part: Symbols) -> bool:
    """The sum of second derivatives, monomial by monomial, in Python integers."""
    if part.coefficients.shape[1] != number_of_monomials(part.dim, part.order):
        return False
    # the denominator and the basis of K do not matter for being zero
    values = part.coefficients.numerators.astype(object)
    total: dict[tuple[int, ...], object] = {}
    for k, alpha in enumerate(powers(part.dim, part.order, part.order).tolist()):
        for i, power in enumerate(alpha):
            if power > 1:
                beta = (*alpha[:i], power - 2, *alpha[i + 1 :])
                total[beta] = total.get(beta, 0) + power * (power - 1) * values[:, k]
    return not any(v.any() for v in total.values())  # type: ignore[attr-defined]

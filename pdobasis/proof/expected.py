r"""What a question asks for besides equivariance, and how many such elements there are.

Kernels ask for harmonic polynomials: as representations of $G \le O(d)$ those of order n are all of order n less all of
order n - 2. A limit on the order in each variable leaves out monomials.
"""

from __future__ import annotations

from collections.abc import Sequence

from pdobasis.exact.polynomials import monomials
from pdobasis.operators.symbols import Symbols
from pdobasis.proof.counting import Counts, count_pdos
from pdobasis.proof.nullity import nullities
from pdobasis.question.problem import Problem
from pdobasis.representations.representation import Representation


def count_asked(
    problem: Problem, rep_in: Representation, rep_out: Representation, hoped: Sequence[int] | None = None
) -> Counts:
    """The number of elements of each order that the question asks for; ``hoped`` as in :func:`count_pdos`."""
    if problem.partial_order is not None:
        numbers = nullities(rep_in, rep_out, range(problem.order + 1), problem.partial_order, hoped)
        return Counts(numbers, "nullity modulo a prime (an upper bound that is attained)")
    counts = count_pdos(rep_in, rep_out, problem.order, hoped=None if problem.kernel else hoped)
    if not problem.kernel:
        return counts
    differences = tuple(v - (counts.numbers[n - 2] if n >= 2 else 0) for n, v in enumerate(counts.numbers))
    return Counts(differences, f"{counts.how}; harmonic, so less those of order n - 2")


def is_asked_for(problem: Problem, part: Symbols) -> bool:
    """Whether all entries are harmonic (kernels), and within the limit on the order in each variable."""
    alphas = monomials(part.dim, part.order)
    if problem.partial_order is not None:
        left_out = [k for k, alpha in enumerate(alphas) if max(alpha) > problem.partial_order]
        if part.coefficients.numerators[:, left_out].any():
            return False
    return not problem.kernel or _is_harmonic(part)


def _is_harmonic(part: Symbols) -> bool:
    """The sum of second derivatives, monomial by monomial, in Python integers."""
    values = part.coefficients.numerators.astype(object)
    total: dict[tuple[int, ...], object] = {}
    for k, alpha in enumerate(monomials(part.dim, part.order)):
        for i, power in enumerate(alpha):
            if power > 1:
                beta = (*alpha[:i], power - 2, *alpha[i + 1 :])
                total[beta] = total.get(beta, 0) + power * (power - 1) * values[:, k]
    return not any(v.any() for v in total.values())  # type: ignore[attr-defined]

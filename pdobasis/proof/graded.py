r"""Theorem: which PDOs lie in $\bigoplus r^{2k} \mathcal{H}_{n-2k}$ over some k.

On $r^{2k} \mathcal{H}_l$, l + 2k = n, the operator $r^2 \Delta$ is the number $\lambda_k = 2k\,(2n - 2k + d - 2)$.
These grow with k as long as 2k <= n: $\lambda_{k+1} - \lambda_k = 2\,(2(n - 2k) + d - 4) \ge 2d$ for n - 2k >= 2. So
they differ, a polynomial is in the sum over some k exactly if $\prod_k (r^2 \Delta - \lambda_k)$ takes it to 0, and
in one summand exactly if one factor does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, integers
from pdobasis.operators.symbols import Symbols
from pdobasis.proof.batch import Found
from pdobasis.proof.claim import Claim
from pdobasis.proof.points import powers, where
from pdobasis.question.problem import Problem

HOW = "every element is r^2k times harmonic polynomials of its angular order, exactly"


def graded(problem: Problem, blocks: Sequence[Found]) -> Claim | None:
    """The angular orders and Laplacian powers of a filtered basis; None where its elements carry none."""
    blocks = [block for block in blocks if any(part.size for part in block.parts)]
    if not blocks or any(block.structure is None for block in blocks):
        return None
    holds = all(_is_graded(block, problem.kernel) for block in blocks)
    return Claim("graded", holds, HOW)


def is_within(part: Symbols, kept: Iterable[int]) -> bool:
    """Whether all elements are in the sum over these powers k."""
    values = part.coefficients
    for k in kept:
        values = _shifted(values, part.dim, part.order, k)
    return values.is_zero


def _is_graded(block: Found, kernel: bool) -> bool:
    structure = block.structure or ()
    if len(structure) != len(block.parts) or not all(block.formed):
        return False
    for n, (part, described) in enumerate(zip(block.parts, structure, strict=True)):
        if len(described) != part.size:
            return False
        for s in described:
            low = 0 <= 2 * s.laplacian_power <= n * (not kernel)
            if not low or s.angular_order + 2 * s.laplacian_power != n:
                return False
        of_entries = np.array([s.laplacian_power for s in described], dtype=np.int64)
        of_entries = of_entries[part.element]
        for k in np.unique(of_entries).tolist():
            own = part.coefficients.take(np.flatnonzero(of_entries == k))
            if not _shifted(own, part.dim, n, k).is_zero:
                return False
    return True


def _shifted(values: ExactArray, dim: int, order: int, k: int) -> ExactArray:
    """(r^2 Laplacian - lambda_k) of every row of coefficients."""
    eigenvalue = 2 * k * (2 * order - 2 * k + dim - 2)
    table = _radius_laplacian(dim, order)
    return values @ integers(table - eigenvalue * np.eye(len(table), dtype=np.int64))


@remembered
def _radius_laplacian(
    dim: int, order: int
) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Row alpha holds r^2 Laplacian x^alpha."""
    places = where(dim, order, order)
    alphas = powers(dim, order, order).tolist()
    out = np.zeros((len(alphas), len(alphas)), dtype=np.int64)
    for row, alpha in enumerate(alphas):
        for i, power in enumerate(alpha):
            if power < 2:
                continue
            # two less of x_i, and then two more of any variable
            for j in range(dim):
                beta = list(alpha)
                beta[i] -= 2
                beta[j] += 2
                out[row, places[tuple(beta)]] += power * (power - 1)
    return out

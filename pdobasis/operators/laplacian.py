r"""The three maps of the Fischer decomposition $\mathcal{P}_n = \mathcal{H}_n
\oplus r^2 \mathcal{P}_{n-2}$, on coefficient rows.

All of them commute with O(d), so they map steerable symbols to steerable
symbols.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import lcm

import numpy as np

from pdobasis.exact.array import ExactArray, RightFactor, integers
from pdobasis.exact.polynomials import count, monomials, position
from pdobasis.exact.types import IntArray
from pdobasis.operators.symbols import Symbols


@cache
def laplacian(dim: int, order: int) -> IntArray:
    """Row alpha holds Δ x^alpha over the monomials of order - 2."""
    lower = {}
    if order >= 2:
        lower = position(dim, order - 2)
    out = np.zeros((count(dim, order), len(lower)), dtype=np.int64)
    for a, alpha in enumerate(monomials(dim, order)):
        for i, power in enumerate(alpha):
            if power >= 2:
                beta = _shifted(alpha, i, -2)
                out[a, lower[beta]] += power * (power - 1)
    return out


@cache
def radius(dim: int, order: int) -> IntArray:
    """Row alpha holds r^2 x^alpha over the monomials of order + 2."""
    upper = position(dim, order + 2)
    out = np.zeros((count(dim, order), len(upper)), dtype=np.int64)
    for a, alpha in enumerate(monomials(dim, order)):
        for i in range(dim):
            out[a, upper[_shifted(alpha, i, 2)]] += 1
    return out


def _shifted(alpha: tuple[int, ...], i: int, step: int) -> tuple[int, ...]:
    return (*alpha[:i], alpha[i] + step, *alpha[i + 1 :])


@cache
def harmonic_projection(dim: int, order: int) -> ExactArray:
    r"""$\Pi p = \sum_j c_j\, r^{2j} \Delta^j p$, acting on rows.

    With $c_0 = 1$ and $c_j = -c_{j-1} / (2j\,(d + 2n - 2j - 2))$.

    >>> found = harmonic_projection(2, 2)
    >>> found.numerators[..., 0].tolist(), found.denominator
    ([[1, 0, -1], [0, 2, 0], [-1, 0, 1]], 2)
    """
    # The recursion for c_j makes the Laplacian of the sum vanish term by term;
    # Python integers, since factorials grow.
    down = np.eye(count(dim, order), dtype=object)
    weight = Fraction(1)
    terms = [(weight, down)]
    for j in range(1, order // 2 + 1):
        step = laplacian(dim, order - 2 * j + 2)
        down = down @ step.astype(object)
        weight = -weight / (2 * j * (dim + 2 * order - 2 * j - 2))
        up = down
        for n in range(order - 2 * j, order, 2):
            up = up @ radius(dim, n).astype(object)
        terms.append((weight, up))
    common = lcm(*(w.denominator for w, _ in terms))
    total = sum(int(w * common) * m for w, m in terms)
    return integers(total).scale(Fraction(1, common))


def times_radius(part: Symbols) -> Symbols:
    """r^2 P for every element; as PDOs, the Laplacian of them."""
    values = part.coefficients
    # r^2 has whole coefficients: every basis element of K is moved alike.
    table = integers(radius(part.dim, part.order), values.field)
    return Symbols(
        part.dim,
        part.order + 2,
        part.size,
        part.shape,
        part.element,
        part.row,
        part.column,
        RightFactor(table)(values),
    )


def project(part: Symbols) -> ExactArray:
    """The harmonic parts of all entries."""
    return part.coefficients @ harmonic_projection(part.dim, part.order)


def is_harmonic(part: Symbols) -> bool:
    table = integers(laplacian(part.dim, part.order))
    return (part.coefficients @ table).is_zero

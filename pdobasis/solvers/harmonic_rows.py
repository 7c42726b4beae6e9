r"""Bases of the harmonic polynomials of one order, without any linear algebra.

A harmonic polynomial is known by its terms in which $x_d$ stands once at most (Cauchy and Kovalevskaya): for every
monomial $x^\alpha = x^{\alpha'} x_d^a$ with $a \le 1$ there is one that has no other such term,

$$\chi_\alpha = \sum_j (-1)^j \frac{x_d^{2j+a}}{(2j+a)!}\,\Delta'^j x^{\alpha'},$$

with $\Delta'$ in the other variables. The other monomials of $\chi_\alpha$ come after $x^\alpha$, so these are the
reduced echelon form of all harmonic polynomials. All monomials of $\chi_\alpha$ have the parity of $\alpha$, variable
by variable.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial, gcd, lcm

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, lowest
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.integers import INT_LIMIT
from pdobasis.exact.polynomials import count, monomials, position
from pdobasis.operators.few import harmonic_part

Polynomial = dict[int, int]
"""Numerators by the numbers of the monomials."""


@remembered
def leading(dim: int, order: int) -> tuple[int, ...]:
    r"""The monomials $x^\alpha$ with $\alpha_d \le 1$, by their numbers.

    >>> leading(2, 3), leading(3, 2)  # x1^3, x1^2 x2; x1^2, x1 x2, x1 x3, x2^2, x2 x3
    ((0, 1), (0, 1, 2, 3, 4))
    """
    every = enumerate(monomials(dim, order))
    return tuple(k for k, alpha in every if alpha[-1] <= 1)


@remembered
def echelon_rows(dim: int, order: int, chosen: tuple[int, ...]) -> ExactArray:
    r"""The $\chi_\alpha$ of some of the leading monomials, over all monomials.

    >>> echelon_rows(2, 3, (0, 1))  # x1^3 - 3 x1 x2^2 and x1^2 x2 - x2^3 / 3
    <ExactArray [[1, 0, -3, 0], [0, 1, 0, -1/3]]>
    """
    polynomials, denominators = _over_their_own(dim, order, chosen)
    whole = lcm(*denominators)
    # the first number is 1 and the others need their denominators: these are lowest terms
    scaled = [
        {k: v * (whole // own) for k, v in polynomial.items()}
        for polynomial, own in zip(polynomials, denominators, strict=True)
    ]
    return rows_of(scaled, count(dim, order), whole)


def harmonic_polynomials(dim: int, order: int) -> ExactArray:
    """All of them."""
    return echelon_rows(dim, order, leading(dim, order))


def coprime_rows(
    dim: int, order: int, chosen: Sequence[int], is_projected: bool
) -> list[Polynomial]:
    r"""The same scaled to coprime integers, the first positive; or ``is_projected`` the harmonic parts of $x^\alpha$.

    >>> coprime_rows(2, 3, (0, 1), False)
    [{0: 1, 2: -3}, {1: 3, 3: -1}]
    """
    if not is_projected or order < 2:
        return _over_their_own(dim, order, chosen)[0]
    # Harmonic parts of monomials are dependent as these are modulo r^2, and the last monomial of a multiple of r^2 is
    # a multiple of x_d^2: those of the leading ones are a basis, and every other is a combination of some before it.
    out = []
    for k in chosen:
        found = harmonic_part({(0, 0, k): 1}, dim, order)
        out.append(coprime({beta: v for (_, _, beta), v in found.items()}))
    return out


def coprime(polynomial: Polynomial) -> Polynomial:
    """Scaled to coprime integers, the first positive."""
    factor = gcd(*polynomial.values())
    if next(iter(polynomial.values())) < 0:
        factor = -factor
    return {k: v // factor for k, v in polynomial.items()}


def rows_of(
    polynomials: Sequence[Polynomial], width: int, denominator: int = 1
) -> ExactArray:
    """As an array, of numbers in lowest terms."""
    rows = [i for i, own in enumerate(polynomials) for _ in own]
    columns = [k for own in polynomials for k in own]
    values = [v for own in polynomials for v in own.values()]
    largest = max(map(abs, values), default=0)
    dtype = np.int64 if largest < INT_LIMIT else object
    out = np.zeros((len(polynomials), width, 1), dtype=dtype)
    out[rows, columns, 0] = values
    return lowest(out, denominator, RATIONALS)


def _over_their_own(
    dim: int, order: int, chosen: Sequence[int]
) -> tuple[list[Polynomial], list[int]]:
    """Coprime numerators, and the denominators of the polynomials, which are their first numerators."""
    every, powers = _falling(dim, order), [a[-1] for a in monomials(dim, order)]
    polynomials, denominators = [], []
    for k in chosen:
        own = every[k]
        below = {b: factorial(b) for b in {powers[beta] for beta in own}}
        whole = lcm(
            *(below[powers[b]] // gcd(v, below[powers[b]]) for b, v in own.items())
        )
        polynomials.append({b: v * whole // below[powers[b]] for b, v in own.items()})
        denominators.append(whole)
    return polynomials, denominators


@remembered
def _falling(dim: int, order: int) -> dict[int, Polynomial]:
    r"""$\chi_\alpha$ over the $x^{\beta'} x_d^b / b!$, which are whole numbers.

    By $\chi_\alpha = x^\alpha - \sum_{i<d} \alpha_i (\alpha_i - 1) \iint \chi_{\alpha - 2e_i}$, over $x_d$ twice.
    """
    lower: dict[int, Polynomial] = {}
    where: dict[tuple[int, ...], int] = {}
    twice: list[int] = []
    if order >= 2:
        lower, where = _falling(dim, order - 2), position(dim, order - 2)
        upper = position(dim, order)
        twice = [upper[*a[:-1], a[-1] + 2] for a in monomials(dim, order - 2)]
    every = monomials(dim, order)
    out = {}
    for k in leading(dim, order):
        alpha = every[k]
        own = {k: 1}
        for i, power in enumerate(alpha[:-1]):
            if power > 1:
                below = where[*alpha[:i], power - 2, *alpha[i + 1 :]]
                factor = power * (power - 1)
                for beta, v in lower[below].items():
                    at = twice[beta]
                    own[at] = own.get(at, 0) - factor * v
        out[k] = dict(sorted(own.items()))
    return out

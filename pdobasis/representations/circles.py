r"""One-parameter groups that close to a circle, exactly: their weights and their exponentials.

X generates a circle when it is diagonalisable over C with eigenvalues $\pm i \sqrt s\, k$ for whole numbers k and one
number $s > 0$: then $e^{tX} = 1$ at $t = 2\pi/\sqrt s$, if the k have no common factor. With the projections $\Pi_k$
onto the eigenspaces of $X^2 = -s k^2$, which are polynomials in $X^2$,

$$e^{2\pi q X/\sqrt s} = \sum_k \cos(2\pi q k)\,\Pi_k + \sin(2\pi q k)\,X \Pi_k/(k \sqrt s).$$

Whatever floats suggest is proved by substitution into the minimal polynomial.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import gcd, lcm

import numpy as np

from pdobasis.exact.arithmetic import squarefree
from pdobasis.exact.array import ExactArray, identity, zeros
from pdobasis.exact.numbers import to_float
from pdobasis.exact.roots import cosine
from pdobasis.exact.text import parse_number
from pdobasis.groups.eigenvalues import eigenvalues
from pdobasis.groups.matrices import sine

MAX_WEIGHT = 1_000_000
CLOSE = 1e-6
LOOSE = 1e-3
"""Where floats cannot tell, an eigenvalue counts as imaginary rather than not."""


@dataclass(frozen=True, slots=True)
class Circle:
    """X with eigenvalues ±i√s k for exactly the ``weights`` k >= 0."""

    x: ExactArray
    square: ExactArray
    weights: tuple[int, ...]


def circle(x: ExactArray) -> Circle | None:
    """What X is as the generator of a circle; None when its one-parameter group does not close (or X = 0)."""
    values = eigenvalues(x)
    scale = np.abs(values).max(initial=0.0)
    # A bounded one-parameter group has imaginary eigenvalues only.
    if scale == 0 or np.abs(values.real).max() > CLOSE * scale:
        return None
    unit = min(v for v in np.abs(values.imag) if v > CLOSE * scale)
    ratios = [
        Fraction(abs(v) / unit).limit_denominator(MAX_WEIGHT) for v in values.imag
    ]
    common = lcm(*(q.denominator for q in ratios))
    wholes = [int(q * common) for q in ratios]
    divisor = gcd(*wholes)
    if common > MAX_WEIGHT or max(wholes) // divisor > MAX_WEIGHT:
        return None
    # Only without a common factor is 2π/√s the first return to 1.
    counted = [k // divisor for k in wholes]
    # tr X^2 = -s (sum of k^2) gives s exactly
    square = -(x @ x).trace().scale(Fraction(1, sum(k * k for k in counted)))
    weights = tuple(sorted(set(counted)))
    if not annihilates(x, square, weights):
        return None
    return Circle(x, square, weights)


def may_turn(x: ExactArray) -> bool:
    """Whether all eigenvalues look imaginary, so that a circle may have been missed."""
    values = eigenvalues(x)
    scale = np.abs(values).max(initial=0.0)
    return bool(scale > 0 and np.abs(values.real).max() <= LOOSE * scale)


def whole_weights(y: ExactArray, square: ExactArray) -> tuple[int, ...] | None:
    r"""The k with eigenvalues $\pm i\sqrt s\,k$ of Y, when Y is diagonalisable and all of them are whole numbers."""
    root = float(np.sqrt(to_float(square)))
    values = eigenvalues(y) / root
    if (
        np.abs(values.real).max(initial=0.0) > CLOSE**0.5
        or np.abs(values.imag).max(initial=0.0) > MAX_WEIGHT
    ):
        return None
    # a defective matrix has eigenvalues that floats scatter: rounding takes them back, and the substitution decides
    weights = tuple(sorted({abs(round(v)) for v in values.imag}))
    return weights if annihilates(y, square, weights) else None


def annihilates(x: ExactArray, square: ExactArray, weights: tuple[int, ...]) -> bool:
    r"""Whether $\prod_k (X^2 + s k^2) = 0$, with X itself for k = 0: X is diagonalisable with these eigenvalues."""
    one = identity(x.shape[0])
    product = one
    for k in weights:
        # For k = 0 a factor X^2 would let nilpotent parts pass, and X does not.
        factor = x @ x + one * square.scale(k * k).reshape(1, 1) if k else x
        product = product @ factor
        if product.is_zero:
            return True
    return product.is_zero


def exponential(
    x: ExactArray, square: ExactArray, weights: tuple[int, ...], turns: Fraction
) -> ExactArray | None:
    r"""$e^{2\pi q X/\sqrt s}$ for q = ``turns``; None where $\sqrt s$ is not the root of a rational number."""
    root = _root(square)
    if root is None:
        return None
    total = zeros(x.shape)
    for k in weights:
        projection = _projection(x, square, weights, k)
        total = total + projection * cosine(2 * turns * k).reshape(1, 1)
        if k:
            slope = sine(2 * turns * k) * root.scale(
                1 / (k * square.fraction())
            )  # 1/√s = √s/s
            total = total + (x @ projection) * slope.reshape(1, 1)
    return total


def _projection(
    x: ExactArray, square: ExactArray, weights: tuple[int, ...], k: int
) -> ExactArray:
    r"""$\Pi_k = \prod_{l \ne k} (X^2 + s l^2)/(s(l^2 - k^2))$."""
    one = identity(x.shape[0])
    factors = []
    for other in weights:
        if other != k:
            shifted = x @ x + one * square.scale(other * other).reshape(1, 1)
            factors.append(
                shifted.scale(1 / (square.fraction() * (other * other - k * k)))
            )
    return reduce(lambda a, b: a @ b, factors, one)


def _root(square: ExactArray) -> ExactArray | None:
    """√s for a rational s."""
    # The first basis element of a field is 1, so a rational number has no other.
    if not square.is_rational:
        return None
    s = square.fraction()
    # √(p/q) = √(pq)/q needs the root of a whole number only.
    outer, inner = squarefree(s.numerator * s.denominator)
    return parse_number(f"sqrt({inner})").scale(Fraction(outer, s.denominator))

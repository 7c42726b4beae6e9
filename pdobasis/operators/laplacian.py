r"""The three maps of the Fischer decomposition $\mathcal{P}_n = \mathcal{H}_n
\oplus r^2 \mathcal{P}_{n-2}$, on coefficient rows.

All of them commute with O(d), so they map steerable symbols to steerable
symbols.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, exact, integers, lowest
from pdobasis.exact.integers import bound, widen
from pdobasis.exact.polynomials import (
    count,
    exponents,
    monomials,
    position,
    times_powers,
)
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.operators.symbols import Symbols


@remembered
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


@remembered
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


@remembered
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
    moved = raised(part.coefficients, part.dim, part.order)
    return Symbols(
        part.dim,
        part.order + 2,
        part.size,
        part.shape,
        part.element,
        part.row,
        part.column,
        moved,
    )


def project(part: Symbols) -> ExactArray:
    r"""The harmonic parts of all entries, as :func:`harmonic_projection` takes them.

    Term by term, since its matrix has more numbers than most symbols, and by Horner's rule:
    $f + r^2 (w_1 \Delta f + r^2 (w_2 \Delta^2 f + \dots))$.
    """
    n, weight = part.order, Fraction(1)
    down = part.coefficients
    terms = [down]
    for j in range(1, n // 2 + 1):
        down = _lowered(down, part.dim, n - 2 * j + 2)
        if down.is_zero:
            break
        weight = -weight / (2 * j * (part.dim + 2 * n - 2 * j - 2))
        terms.append(down.scale(weight))
    total = terms.pop()
    while terms:
        total = terms[-1] + raised(total, part.dim, n - 2 * len(terms))
        terms.pop()
    return total


def _lowered(values: ExactArray, dim: int, order: int) -> ExactArray:
    """Δ of every row of coefficients."""
    # At most d terms with factors below n^2 meet in a monomial.
    limit = bound(values.numerators) * dim * order**2
    (wide,) = widen(values.numerators, limit=limit)
    shape = (len(wide), count(dim, order - 2), values.field.degree)
    out: IntArray = np.zeros(shape, dtype=wide.dtype)
    powers = exponents(dim, order, order)
    for i, places in enumerate(_squares(dim, order - 2)):
        # x_i^2 x^beta stands at places[beta], and loses its square.
        power = powers[places, i]
        out += wide[:, places] * (power * (power - 1))[:, None]
    return exact(out, values.denominator, values.field)


def raised(values: ExactArray, dim: int, order: int) -> ExactArray:
    """r^2 times every row of coefficients."""
    (wide,) = widen(values.numerators, limit=bound(values.numerators) * dim)
    shape = (len(wide), count(dim, order + 2), values.field.degree)
    out: IntArray = np.zeros(shape, dtype=wide.dtype)
    for places in _squares(dim, order):
        # Different monomials stay different: nothing meets within one variable.
        out[:, places] += wide
    # Gauss: r^2 has no common factor, so that the product has that of the other factor.
    return lowest(out, values.denominator, values.field)


@remembered
def _squares(dim: int, order: int) -> tuple[IndexArray, ...]:
    """Where x_i^2 times each monomial stands, for every i."""
    return tuple(times_powers(dim, order, 2))


def is_harmonic(part: Symbols) -> bool:
    table = integers(laplacian(part.dim, part.order))
    return (part.coefficients @ table).is_zero

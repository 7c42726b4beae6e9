r"""Real solid harmonics $r^l Y_{lm}$ as exact polynomials, and the irreps of SO(3) and O(3) that they span.

With polar axis $z$ and $m = -l, \dots, l$: $\Pi_{l|m|}(z, r^2)$ times $\mathrm{Im}(x + iy)^{|m|}$ for $m < 0$ and
$\mathrm{Re}(x + iy)^m$ for $m \ge 0$, no Condon-Shortley sign. Three bases by name:

* ``e3nn`` (default): orthonormal, with $(x, y, z) = (x_3, x_1, x_2)$; then $l = 1$ is the vector $(x_1, x_2, x_3)$;
* ``standard``: orthonormal, with $(x, y, z) = (x_1, x_2, x_3)$; then $l = 1$ is $(x_2, x_3, x_1)$;
* ``rational``: the axes of e3nn without the normalisation, so that all matrices are rational.

$D(g)$ is defined by $Y(gx) = D(g) Y(x)$.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial, lcm, perm, prod
from operator import mul

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, exact, integers, stack, zeros
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.polynomials import (
    count,
    derivation,
    monomials,
    position,
    substitution,
)
from pdobasis.exact.roots import ratios, root, times_ratios
from pdobasis.groups.matrices import determinant
from pdobasis.representations.terms import Term
from pdobasis.values import dataclass

Exponents = tuple[int, int, int]
CONVENTIONS = ("e3nn", "standard", "rational")
AXES = {"e3nn": (2, 0, 1), "standard": (0, 1, 2), "rational": (2, 0, 1)}


@dataclass(frozen=True, slots=True)
class Spherical(Term):
    r"""The irrep of order l of O(3) with inversion acting as $(-1)^{\text{parity}}$; restricts to SO(3)."""

    degree: int
    parity: int
    convention: str = "e3nn"

    def at(self, g: ExactArray) -> ExactArray:
        if self.degree == 0:
            value = integers([[1]], g.field)
        elif self.degree == 1:
            value = self._vector(g)
        else:
            value = self._of_order(g)
        # harmonics of order l have the parity of l; the other one is a factor det(g) away
        if (self.degree + self.parity) % 2:
            value = value * determinant(g).reshape(1, 1)
        return value

    def _of_order(self, g: ExactArray) -> ExactArray:
        """By itself for harmonics of order 2 and more."""
        # loaded for these, as below
        from pdobasis.representations.harmonic_actions import mirrored

        known = mirrored(self.degree, g, AXES[self.convention])
        if known is not None:
            return self._scaled(known)
        return self._coordinates(substitution(g.reshape(1, 3, 3), self.degree)[0])

    def derivative(self, x: ExactArray) -> ExactArray:
        if self.degree == 0:
            return zeros((1, 1), x.field)
        if self.degree == 1:
            return self._vector(x)
        from pdobasis.representations.harmonic_actions import turned

        known = turned(self.degree, x, AXES[self.convention])
        if known is not None:
            return self._scaled(known)
        return self._coordinates(derivation(x, self.degree))

    @property
    def effort(self) -> int:
        return self.degree

    def _vector(self, g: ExactArray) -> ExactArray:
        """The harmonics of order 1 are y, z, x."""
        x, y, z = AXES[self.convention]
        order = np.array([y, z, x])
        return g[order[:, None], order]

    def _coordinates(self, moved: ExactArray) -> ExactArray:
        """D from Y(gx) = D Y(x), read off by what is dual to the harmonics; then scaled."""
        axes = AXES[self.convention]
        return self._scaled(
            rational_harmonics(self.degree, axes) @ moved @ _dual(self.degree, axes)
        )

    def _scaled(self, value: ExactArray) -> ExactArray:
        """From the harmonics without normalisation to those of the convention."""
        if self.convention == "rational":
            return value
        if value.field.is_rational:
            every = range(-self.degree, self.degree + 1)
            return times_ratios(value, [norm(self.degree, m) for m in every])
        return value * _rescaling(self.degree)


def solid_harmonics(degree: int, convention: str = "e3nn") -> ExactArray:
    """Rows m = -l … l: coefficients over the monomials of order l in x1, x2, x3."""
    rows = rational_harmonics(degree, AXES[convention])
    if convention == "rational":
        return rows
    norms = stack([root(norm(degree, m)) for m in range(-degree, degree + 1)])
    return rows * norms.reshape(2 * degree + 1, 1)


@remembered
def rational_harmonics(degree: int, axes: tuple[int, int, int]) -> ExactArray:
    """The harmonics without normalisation, for (x, y, z) at these coordinates."""
    out = np.zeros((2 * degree + 1, count(3, degree), 1), dtype=object)
    for row, terms in zip(out, whole_harmonics(degree, axes), strict=True):
        row[list(terms), 0] = list(terms.values())
    return exact(out, 2**degree, RATIONALS)


@remembered
def whole_harmonics(
    degree: int, axes: tuple[int, int, int]
) -> tuple[dict[int, int], ...]:
    """The same times $2^l$, which is whole: by the numbers of their monomials."""
    place = position(3, degree)
    # where the powers of the three coordinates stand among x, y and z
    first, second, third = map(axes.index, range(3))
    return tuple(
        {place[p[first], p[second], p[third]]: v for p, v in _terms(degree, m).items()}
        for m in range(-degree, degree + 1)
    )


@remembered
def _dual(degree: int, axes: tuple[int, int, int]) -> ExactArray:
    r"""B with $Y B = 1$.

    For Fischer's $\langle x^\alpha, x^\beta \rangle = \alpha!\,\delta_{\alpha\beta}$ the harmonics are orthogonal:
    O(3) leaves it as it is, and no weight of the rotations about z occurs twice.
    """
    rows = rational_harmonics(degree, axes)
    numbers: list[list[int]] = rows.numerators[..., 0].tolist()
    weights = [prod(map(factorial, alpha)) for alpha in monomials(3, degree)]
    columns = []
    for row in numbers:
        own = [v * w for v, w in zip(row, weights, strict=True)]
        square = sum(map(mul, row, own))
        columns.append([Fraction(v * rows.denominator, square) for v in own])
    common = lcm(*(v.denominator for column in columns for v in column))
    whole = [[int(v * common) for v in column] for column in columns]
    return exact(np.array(whole, dtype=object)[..., None], common, RATIONALS).T


def _terms(degree: int, m: int) -> dict[Exponents, int]:
    """The harmonic times 2^l as {(powers of x, y, z): coefficient}."""
    k = abs(m)
    terms: dict[Exponents, int] = {}
    for (a, b), planar in _circle(k, imaginary=m < 0).items():
        for i in range((degree - k) // 2 + 1):
            rest = degree - 2 * i - k
            weight = _legendre(degree, k, i) * planar
            for (u, v, w), c in _radius(i).items():
                key = (a + 2 * u, b + 2 * v, rest + 2 * w)
                terms[key] = terms.get(key, 0) + weight * c
    return terms


def _legendre(degree: int, k: int, i: int) -> int:
    r"""The coefficient of $z^{l-2i-k} r^{2i}$ in $2^l\,\Pi_{lk}$, the k-th derivative of the Legendre polynomial."""
    legendre = comb(degree, i) * comb(2 * degree - 2 * i, degree)
    own = legendre * perm(degree - 2 * i, k)
    return -own if i % 2 else own


def _circle(k: int, *, imaginary: bool) -> dict[tuple[int, int], int]:
    """Re or Im of (x + iy)^k as {(power of x, power of y): coefficient}."""
    # odd powers of iy are imaginary, and i^2 = -1
    first = int(imaginary)
    return {(k - i, i): (-1) ** (i // 2) * comb(k, i) for i in range(first, k + 1, 2)}


def _radius(i: int) -> dict[Exponents, int]:
    """(x^2 + y^2 + z^2)^i over halved exponents, by the multinomial theorem."""
    out = {}
    for u in range(i + 1):
        for v in range(i + 1 - u):
            out[u, v, i - u - v] = comb(i, u) * comb(i - u, v)
    return out


@remembered
def _rescaling(degree: int) -> ExactArray:
    """The factors of the entries of D between the rational and the orthonormal basis."""
    norms = [norm(degree, m) for m in range(-degree, degree + 1)]
    return ratios(norms, norms)


def norm(degree: int, m: int) -> Fraction:
    """The square of the factor that makes the rational harmonics orthonormal, up to one common factor."""
    k = abs(m)
    square = Fraction(factorial(degree - k), factorial(degree + k))
    # over the circle, the mean of cos^2 and of sin^2 is 1/2, that of 1 is 1
    if k:
        square *= 2
    return square

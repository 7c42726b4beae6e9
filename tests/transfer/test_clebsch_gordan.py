"""The invariants of three irreps are Wigner's 3j symbols in a real basis (SymPy is the reference)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import factorial

import pytest
import sympy
from sympy.physics.quantum.cg import CG
from sympy.physics.wigner import clebsch_gordan, wigner_3j

from pdobasis.representations.harmonics import norm
from pdobasis.solvers.spherical import invariant, racah_sum

TRIPLES = [t for t in product(range(4), range(4), range(4)) if abs(t[0] - t[1]) <= t[2] <= t[0] + t[1]]


@pytest.mark.parametrize("degrees", [(1, 1, 0), (1, 1, 1), (1, 2, 1), (2, 2, 2), (2, 3, 3), (1, 2, 3)])
def test_racahs_sum_is_the_3j_symbol(degrees: tuple[int, int, int]) -> None:
    a, b, c = degrees
    shares = factorial(a + b - c) * factorial(a - b + c) * factorial(-a + b + c)
    triangle = sympy.Rational(shares, factorial(a + b + c + 1))
    for alpha, beta in product(range(-a, a + 1), range(-b, b + 1)):
        gamma = -alpha - beta
        if abs(gamma) > c:
            continue
        root = triangle
        for degree, m in zip(degrees, (alpha, beta, gamma), strict=True):
            root *= factorial(degree + m) * factorial(degree - m)
        value = sympy.Rational(racah_sum(degrees, (alpha, beta, gamma)), shares)
        ours = sympy.Integer(-1) ** (a - b - gamma) * sympy.sqrt(root) * value
        assert sympy.simplify(ours - wigner_3j(a, b, c, alpha, beta, gamma)) == 0


@pytest.mark.parametrize("degrees", TRIPLES[:14])
def test_the_invariant_is_the_3j_symbol_in_the_real_basis(degrees: tuple[int, int, int]) -> None:
    r"""With the unitary change $Y_{\pm m} \to$ Re, Im and without Condon-Shortley signs, up to one factor."""
    tensor = invariant(*degrees)
    changes = [_real_from_complex(degree) for degree in degrees]
    orders = [range(-degree, degree + 1) for degree in degrees]
    expected = {}
    for real in product(*orders):
        total = 0
        for complex_ in product(*({m, -m} for m in real)):
            if sum(complex_) == 0:
                weight = wigner_3j(*degrees, *complex_)
                for change, a, b in zip(changes, real, complex_, strict=True):
                    weight *= change[a, b]
                total += weight
        expected[real] = sympy.simplify(total)
    ours = {
        real: sympy.Integer(tensor.get((real[0] + degrees[0], real[1] + degrees[1], real[2] + degrees[2]), 0))
        / sympy.sqrt(sympy.prod([_rational(norm(degree, m)) for m, degree in zip(real, degrees, strict=True)]))
        for real in product(*orders)
    }
    pivot = next(k for k, v in expected.items() if v != 0)
    factor = sympy.simplify(ours[pivot] / expected[pivot])
    assert factor != 0
    assert all(sympy.simplify(ours[k] - factor * v) == 0 for k, v in expected.items())


def test_a_clebsch_gordan_coefficient_from_the_tables() -> None:
    """<1 1; 1 -1 | 2 0> = 1/sqrt(6), as printed by the Particle Data Group."""
    assert CG(1, 1, 1, -1, 2, 0).doit() == clebsch_gordan(1, 1, 2, 1, -1, 0) == 1 / sympy.sqrt(6)
    value = racah_sum((1, 1, 2), (1, -1, 0))
    shares = factorial(0) * factorial(2) * factorial(2)
    assert Fraction(value, shares) == Fraction(1, 1) / (factorial(0) * factorial(2) * factorial(2))


def _real_from_complex(degree: int) -> dict[tuple[int, int], sympy.Expr]:
    """coefficient[a, b] of the complex Y_b (with Condon-Shortley sign) in the real Y_a without."""
    root, i = sympy.sqrt(2), sympy.I
    out = {(0, 0): sympy.Integer(1)}
    for m in range(1, degree + 1):
        out[m, m], out[m, -m] = (-1) ** m / root, 1 / root
        out[-m, m], out[-m, -m] = (-1) ** m / (i * root), -1 / (i * root)
    return out


def _rational(q: Fraction) -> sympy.Rational:
    return sympy.Rational(q.numerator, q.denominator)

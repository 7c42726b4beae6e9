"""What is done in Python integers, so that a small question does not load FLINT: the same as FLINT."""

import random
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx, fmpq, fmpz, fmpz_poly, nmod, nmod_mat

from pdobasis.exact.arithmetic import cyclotomic_coefficients, factors, is_prime, root_modulo
from pdobasis.exact.array import exact
from pdobasis.exact.echelon import echelon
from pdobasis.exact.field import cyclotomic
from pdobasis.exact.fixed_point import scaled_cosines, scaled_root
from pdobasis.exact.roots import angle_of, on_circle
from pdobasis.groups.matrices import rotation
from pdobasis.proof.modular import rank_of
from pdobasis.representations.terms import Planar, _power

STRONG = (
    2_047,
    1_373_653,
    25_326_001,
    3_215_031_751,
    3_474_749_660_383,
    341_550_071_728_321,
    3_825_123_056_546_413_051,
)
"""The least composite numbers that pass for the first 1, 2, … prime bases."""


def test_primes_are_those_of_flint() -> None:
    draw = random.Random(0)
    numbers = [*range(-3, 2_000), *STRONG, 2**61 - 1, 2**89 - 1, 2**89 + 1]
    numbers += [draw.randrange(1 << bits) for bits in (20, 32, 48, 61, 70, 90) for _ in range(60)]
    assert [n for n in numbers if is_prime(n)] == [n for n in numbers if n > 1 and fmpz(n).is_prime()]


def test_factors_are_those_of_flint() -> None:
    for n in (*range(1, 600), 2**20, 1_046_527, 2**20 + 7, 10**12 + 39):
        assert factors(n) == [(int(p), int(e)) for p, e in fmpz(n).factor()]


def test_cyclotomic_polynomials_are_those_of_flint() -> None:
    for m in (*range(1, 130), 385, 1155):
        assert cyclotomic_coefficients(m) == [int(c) for c in fmpz_poly.cyclotomic(m).coeffs()]


@pytest.mark.parametrize("p", [17, 97, 257, 2_305_843_009_213_693_921, 2_305_843_009_213_689_601])
def test_roots_modulo_a_prime(p: int) -> None:
    for a in (1, 4, 9, 2, 3, 5, 7):
        if pow(a, (p - 1) // 2, p) == 1:
            root = root_modulo(a, p)
            assert root * root % p == a
            assert root == min(int(nmod(a, p).sqrt()), p - int(nmod(a, p).sqrt()))


@pytest.mark.parametrize(("m", "count"), [(8, 2), (20, 4), (5, 2), (796, 198), (4000, 800)])
@pytest.mark.parametrize("bits", [10, 128, 300])
def test_cosines_are_off_by_less_than_one(m: int, count: int, bits: int) -> None:
    saved, ctx.prec = ctx.prec, 600
    try:
        for k, value in enumerate(scaled_cosines(m, count, bits)):
            error = arb.cos_pi_fmpq(fmpq(2 * k, m)) * 2 * arb(2) ** bits - value
            assert abs(error) < 1
    finally:
        ctx.prec = saved
    assert abs(Fraction(scaled_root(7, bits), 2**bits) ** 2 - 7) < Fraction(6, 2**bits)


def test_small_echelon_forms_are_those_of_flint() -> None:
    draw, p = random.Random(1), 101
    for height, width in ((1, 1), (2, 5), (5, 2), (6, 6), (9, 12)):
        for zeros in (0.2, 0.8):
            rows = [[0 if draw.random() < zeros else draw.randrange(p) for _ in range(width)] for _ in range(height)]
            reduced, rank = nmod_mat(height, width, [v for row in rows for v in row], p).rref()
            found, pivots = echelon(rows, p)
            assert found == [[int(reduced[i, j]) for j in range(width)] for i in range(rank)]
            assert [next(j for j, v in enumerate(row) if v) for row in found] == pivots
            triples = [(i, j, v) for i, row in enumerate(rows) for j, v in enumerate(row)]
            assert rank_of((height, width), triples, p) == rank


@pytest.mark.parametrize("m", [5, 16, 20, 84])
def test_a_turn_is_found_by_its_cosine(m: int) -> None:
    """Both quadrants of every cosine; what is no point of the circle is none."""
    field = cyclotomic(m * 4)
    for k in range(4 * m):
        assert angle_of(on_circle(k, field)) == k
    off = on_circle(3, field).numerators.copy()
    off[1] += 1
    assert angle_of(exact(off, 2, field)) is None


@pytest.mark.parametrize("turns", [Fraction(1, 16), Fraction(3, 40), Fraction(5, 7)])
@pytest.mark.parametrize("k", [0, 1, 2, 5, 11])
def test_powers_of_turns_are_products(turns: Fraction, k: int) -> None:
    g = rotation(turns)
    expected = rotation(Fraction(0))
    for _ in range(k):
        expected = expected @ g
    assert Planar(k).at(g).equals(expected)
    cosine, sine = _power(g, k)
    assert cosine.equals(expected[0, 0])
    assert sine.equals(expected[1, 0])


def test_a_small_question_does_not_load_flint_or_scipy() -> None:
    code = (
        "import sys, pdobasis; print(pdobasis.solve('D8', 'regular', 'trivial'));"
        "sys.exit(any(name in sys.modules for name in ('flint', 'scipy', 'sympy', 'torch', 'yaml')))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


def test_numpy_integers_are_not_needed() -> None:
    assert echelon(np.array([[2, 4], [1, 2]]).tolist(), 7) == ([[1, 2]], [0])

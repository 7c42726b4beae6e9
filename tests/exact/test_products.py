"""Products in fields of large degree: term by term, coordinate by coordinate, and by matrices they are the same."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from pdobasis.exact.array import ExactArray, exact, integers, spread, stack
from pdobasis.exact.field import Field, cyclotomic, fold, radical
from pdobasis.exact.matrices import batched_matmul
from pdobasis.exact.numbers import to_float
from pdobasis.exact.primes import split_prime
from pdobasis.exact.roots import cosine, root

FIELDS = [
    cyclotomic(37),
    cyclotomic(796),  # that of C199
    cyclotomic(360),
    cyclotomic(420),  # three odd primes: b_e is a sum of many for e >= n
    radical(2, 3, 5, 7, 11),
    radical(6, 10, 14, 33, 13),
]
DENSITIES = [0.02, 0.5, 1.0]


def _random(field: Field, density: float, *shape: int, seed: int = 1) -> ExactArray:
    rng = np.random.default_rng(seed)
    values = rng.integers(-5, 6, (*shape, field.degree))
    values = values * (rng.random(values.shape) < density)
    return exact(values, 3, field)


def _by_matrices(a: ExactArray, b: ExactArray) -> ExactArray:
    """Every number of b as the matrix of its multiplication."""
    table = spread(b.numerators, b.field)
    rows = a.numerators[..., None, :] @ table
    return exact(rows[..., 0, :], a.denominator * b.denominator, a.field)


@pytest.mark.parametrize("density", DENSITIES)
@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_products_are_those_of_multiplication_matrices(field: Field, density: float) -> None:
    a, b = _random(field, density, 3, 4), _random(field, density, 3, 4, seed=2)
    expected = _by_matrices(a, b)
    assert (a * b).equals(expected)
    assert (b * a).equals(expected)
    # one factor for all numbers, and numbers that int64 does not hold
    assert (a * b[0, 0]).equals(_by_matrices(a, stack([stack([b[0, 0]] * 4)] * 3)))
    assert (a.scale(10**14) * b.scale(10**9)).equals(expected.scale(10**23))


@pytest.mark.parametrize("density", DENSITIES)
@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_products_of_matrices_are_sums_of_products(field: Field, density: float) -> None:
    a, c = _random(field, density, 3, 4), _random(field, density, 4, 2, seed=3)
    cells = a.reshape(3, 4, 1) * c.reshape(1, 4, 2)
    total = exact(cells.numerators.sum(axis=1), cells.denominator, field)
    assert (a @ c).equals(total)
    d, e = _random(field, density, 2, 3, 4), _random(field, density, 2, 4, 5, seed=4)
    together = batched_matmul(d, e)
    assert all(together[k].equals(d[k] @ e[k]) for k in range(2))


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_floats_agree_with_products(field: Field) -> None:
    a, b = _random(field, 0.1, 5), _random(field, 0.1, 5, seed=2)
    assert np.allclose(to_float(a * b), to_float(a) * to_float(b), rtol=1e-12)


def test_a_trace_beyond_int64_is_no_smaller() -> None:
    large = 1 << 62
    assert integers(np.diag([large] * 4)).trace().fraction() == 4 * large


def test_rotations_add_their_angles() -> None:
    """2 cos(a) cos(b) = cos(a + b) + cos(a - b), in a field of degree 996."""
    a, b = Fraction(2, 997), Fraction(500, 997)
    twice = (cosine(a) * cosine(b)).scale(2)
    assert twice.equals(cosine(a + b) + cosine(a - b))
    assert (cosine(a) * integers(3)).equals(cosine(a).scale(3))


def test_roots_multiply_by_their_common_factor() -> None:
    roots = stack([root(Fraction(p)) for p in (2, 3, 5, 7, 11, 13)])
    assert roots.field.degree == 64
    assert (roots * roots).equals(integers([2, 3, 5, 7, 11, 13]))


@pytest.mark.parametrize("field", FIELDS[:3], ids=str)
def test_the_bound_on_growth_holds(field: Field) -> None:
    units = np.eye(field.degree, dtype=np.int64)
    largest = np.abs(field.multiplication(units)).sum(axis=0).max()
    assert field.expansion >= largest or field.degree <= 64
    assert fold(field)[0].tolist() == units[0].tolist()


@pytest.mark.parametrize("field", [cyclotomic(37), radical(2, 3, 5)], ids=str)
def test_the_first_place_is_one_of_all(field: Field) -> None:
    prime = split_prime(field, 0)
    assert prime.first in prime.places

"""The points and monomials of the proof: its own list, in the order that symbols have."""

from __future__ import annotations

import numpy as np
import pytest
import sympy

from pdobasis.exact.array import exact, integers
from pdobasis.exact.field import RATIONALS, Field, cyclotomic, radical
from pdobasis.exact.polynomials import exponents
from pdobasis.proof.points import evaluation, halves, lattice, number_of_monomials, powers, times_square
from pdobasis.proof.sparse import nonzeros


@pytest.mark.parametrize(("dim", "order"), [(1, 4), (2, 5), (3, 4), (4, 3)])
def test_no_homogeneous_polynomial_vanishes_on_the_lattice(dim: int, order: int) -> None:
    points = lattice(dim, order)
    assert len(points) == number_of_monomials(dim, order)
    for lower in range(order + 1):
        table = evaluation(integers(points), powers(dim, lower, lower)).numerators[..., 0]
        assert sympy.Matrix(table.tolist()).rank() == number_of_monomials(dim, lower)


@pytest.mark.parametrize("dim", [1, 2, 3, 5])
def test_both_roads_list_the_monomials_in_one_order(dim: int) -> None:
    assert np.array_equal(powers(dim, 0, 4), exponents(dim, 0, 4))


def test_r_squared_times_a_monomial() -> None:
    """r^2 x1 = x1^3 + x1 x2^2, and r^2 x2 = x1^2 x2 + x2^3."""
    assert times_square(2, 1, 1).tolist() == [[0, 1], [2, 3]]
    assert times_square(2, 0, 1).tolist() == [[0, 3, 4], [2, 5, 6]]


@pytest.mark.parametrize("dim", [1, 2, 3, 4])
@pytest.mark.parametrize(("low", "high"), [(0, 2), (1, 3), (0, 5), (4, 4), (7, 7)])
def test_halves_multiply_to_the_whole(dim: int, low: int, high: int) -> None:
    known = powers(dim, 0, (high + 1) // 2)
    left, right = halves(dim, low, high)
    assert (known[left] + known[right]).tolist() == powers(dim, low, high).tolist()


@pytest.mark.parametrize("field", [RATIONALS, radical(5), cyclotomic(16)])
@pytest.mark.parametrize("shape", [(7,), (5, 6), (0, 3), (3, 0), (4, 3, 2)])
def test_places_that_are_not_zero(field: Field, shape: tuple[int, ...]) -> None:
    numbers = np.random.default_rng(1).integers(-1, 2, (*shape, field.degree))
    found = nonzeros(exact(numbers, 1, field))
    wanted = np.nonzero(numbers.any(axis=-1))
    assert [own.tolist() for own in found] == [own.tolist() for own in wanted]

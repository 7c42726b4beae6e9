"""The points and monomials of the proof: its own list, in the order that symbols have."""

from __future__ import annotations

import numpy as np
import pytest
import sympy

from pdobasis.exact.array import integers
from pdobasis.exact.polynomials import exponents
from pdobasis.proof.points import evaluation, lattice, number_of_monomials, powers, times_square


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
    assert times_square(2, 1).tolist() == [[0, 1], [2, 3]]

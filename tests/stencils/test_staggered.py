"""The Arakawa C-grid: velocities on the faces of a cell, pressure in its middle."""

from fractions import Fraction
from math import factorial
from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis.measure.grid_symmetry import grid_equivariance
from pdobasis.stencils import (
    Grid,
    GridError,
    IncompatibleOffsetsError,
    Layout,
    ShapeError,
    check_places,
    finite_difference,
    gaussian,
    rbf_fd,
    signed_permutations,
    staggered,
    staggered_defect,
)
from pdobasis.stencils.errors import StencilTooSmallError
from pdobasis.stencils.sampled import sample

H = Fraction(1, 2)
FACES, MIDDLE = ((H, Fraction(0)), (Fraction(0), H)), ((Fraction(0), Fraction(0)),)
ALPHAS = [(1, 0), (0, 1)]
DIVERGENCE = np.array([[[[1.0, 0], [0, 1]]]])
GRADIENT = np.swapaxes(DIVERGENCE, 1, 2)
METHODS: dict[str, Any] = {
    "fd": finite_difference,
    "gauss": lambda alphas, grid: gaussian(alphas, grid, 0.8, normalize="moments"),
    "phs3": lambda alphas, grid: rbf_fd(alphas, grid, "phs3"),
}


def test_the_divergence_of_the_c_grid_is_the_difference_of_the_faces() -> None:
    stencils = staggered(METHODS["fd"], ALPHAS, Grid.regular(2, 3), MIDDLE, FACES)
    w = stencils.combine(DIVERGENCE)
    assert w[0, 0, 0].tolist() == [[0, 0, 0], [-1, 1, 0], [0, 0, 0]]
    assert w[0, 0, 1].tolist() == [[0, -1, 0], [0, 1, 0], [0, 0, 0]]
    gradient = staggered(METHODS["fd"], ALPHAS, Grid.regular(2, 3), FACES, MIDDLE).combine(GRADIENT)
    assert gradient[0, 0, 0].tolist() == [[0, 0, 0], [0, -1, 1], [0, 0, 0]]


@pytest.mark.parametrize("layout", ["grid", "image"])
@pytest.mark.parametrize("size", [3, 5])
@pytest.mark.parametrize("method", METHODS)
def test_every_symmetry_of_the_square_holds(method: str, size: Any, layout: Layout) -> None:
    grid = Grid.regular(2, size, spacing="1/2", layout=layout)
    down, up = (
        staggered(METHODS[method], ALPHAS, grid, MIDDLE, FACES),
        staggered(METHODS[method], ALPHAS, grid, FACES, MIDDLE),
    )
    for g in signed_permutations(2):
        check_places(g, g, FACES)
        assert staggered_defect(down.combine(DIVERGENCE), down.grids, g, np.eye(1), g) <= 1e-15
        assert staggered_defect(up.combine(GRADIENT), up.grids, g, g, np.eye(1)) <= 1e-15


def test_a_shifted_stencil_fails() -> None:
    stencils = staggered(METHODS["fd"], ALPHAS, Grid.regular(2, 3), MIDDLE, FACES)
    w = np.roll(stencils.combine(DIVERGENCE), 1, axis=-1)
    assert staggered_defect(w, stencils.grids, np.diag([-1, 1]), np.eye(1), np.diag([-1, 1])) > 0.5


def test_places_that_the_group_does_not_exchange_are_refused() -> None:
    turn = np.array([[0, -1], [1, 0]])
    with pytest.raises(IncompatibleOffsetsError, match="component 2 to component 1"):
        check_places(turn, turn, ((H, Fraction(0)), (Fraction(0), Fraction(0))))
    check_places(np.diag([-1, 1]), np.diag([-1, 1]), ((H, Fraction(0)), (Fraction(0), Fraction(0))))


def test_refusals() -> None:
    with pytest.raises(GridError, match="odd"):
        staggered(METHODS["fd"], ALPHAS, Grid.regular(2, 4), MIDDLE, FACES)
    with pytest.raises(GridError, match="1/2"):
        staggered(METHODS["fd"], ALPHAS, Grid.regular(2, 3), MIDDLE, [(Fraction(1, 3), Fraction(0))])
    with pytest.raises(ShapeError):
        staggered(METHODS["fd"], ALPHAS, Grid.regular(2, 3), MIDDLE, FACES).combine(GRADIENT)


@pytest.mark.parametrize(("method", "options"), [("fd", {}), ("gauss", {"normalize": "moments"})])
def test_the_laplacian_of_the_c_grid(method: str, options: dict[str, Any]) -> None:
    """From one face to the other there is ∂1∂2 alone: for it the four nodes around the target are enough."""
    basis = pdobasis.solve("D4", "vector", "vector", order=2)
    found = sample(basis, method, 3, in_offsets=FACES, out_offsets=FACES, **options)
    for w, c, order in zip(found.stencils, found.coefficients, found.orders, strict=True):
        alphas = [(a, b) for a, b in found.monomials.tolist() if a + b <= order]
        for row, column in np.ndindex(2, 2):
            x, y = found.node_grid(row, column).coordinates().T
            # Every moment up to its order is that of the operator: D x^a y^b = a! b! times its coefficient.
            moments = [w[row, column].ravel() @ (x**a * y**b) for a, b in alphas]
            expected = [factorial(a) * factorial(b) for a, b in alphas] * c[row, column, : len(alphas)]
            np.testing.assert_allclose(moments, expected, atol=1e-12)
    assert len(grid_equivariance(found)) == 7
    assert all(symmetry.defect <= 1e-14 for symmetry in grid_equivariance(found))


def test_too_few_nodes_between_two_places_name_an_odd_size() -> None:
    basis = pdobasis.solve("D4", "vector", "trivial", order=3)
    with pytest.raises(StencilTooSmallError, match=r"size 3 has 2: use a larger stencil \(size=5\)"):
        sample(basis, "fd", 3, in_offsets=FACES)
    assert sample(basis, "fd", 5, in_offsets=FACES).stencils.shape[0] == basis.dimension

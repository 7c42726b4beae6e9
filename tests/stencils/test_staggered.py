"""The Arakawa C-grid: velocities on the faces of a cell, pressure in its middle."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

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

H = Fraction(1, 2)
FACES, MIDDLE = ((H, Fraction(0)), (Fraction(0), H)), ((Fraction(0), Fraction(0)),)
ALPHAS = [(1, 0), (0, 1)]
DIVERGENCE = np.array([[[[1.0, 0], [0, 1]]]])
GRADIENT = np.swapaxes(DIVERGENCE, 1, 2)
METHODS = {
    "fd": lambda grid: finite_difference(ALPHAS, grid),
    "gauss": lambda grid: gaussian(ALPHAS, grid, 0.8, normalize="moments"),
    "phs3": lambda grid: rbf_fd(ALPHAS, grid, "phs3"),
}


def test_the_divergence_of_the_c_grid_is_the_difference_of_the_faces() -> None:
    stencils = staggered(METHODS["fd"], Grid.regular(2, 3), MIDDLE, FACES)
    w = stencils.combine(DIVERGENCE)
    assert w[0, 0, 0].tolist() == [[0, 0, 0], [-1, 1, 0], [0, 0, 0]]
    assert w[0, 0, 1].tolist() == [[0, -1, 0], [0, 1, 0], [0, 0, 0]]
    gradient = staggered(METHODS["fd"], Grid.regular(2, 3), FACES, MIDDLE).combine(GRADIENT)
    assert gradient[0, 0, 0].tolist() == [[0, 0, 0], [0, -1, 1], [0, 0, 0]]


@pytest.mark.parametrize("layout", ["grid", "image"])
@pytest.mark.parametrize("size", [3, 5])
@pytest.mark.parametrize("method", METHODS)
def test_every_symmetry_of_the_square_holds(method: str, size: Any, layout: Layout) -> None:
    grid = Grid.regular(2, size, spacing="1/2", layout=layout)
    down, up = (
        staggered(METHODS[method], grid, MIDDLE, FACES),
        staggered(METHODS[method], grid, FACES, MIDDLE),
    )
    for g in signed_permutations(2):
        check_places(g, g, FACES)
        assert staggered_defect(down.combine(DIVERGENCE), down.grids, g, np.eye(1), g) <= 1e-15
        assert staggered_defect(up.combine(GRADIENT), up.grids, g, g, np.eye(1)) <= 1e-15


def test_a_shifted_stencil_fails() -> None:
    stencils = staggered(METHODS["fd"], Grid.regular(2, 3), MIDDLE, FACES)
    w = np.roll(stencils.combine(DIVERGENCE), 1, axis=-1)
    assert staggered_defect(w, stencils.grids, np.diag([-1, 1]), np.eye(1), np.diag([-1, 1])) > 0.5


def test_places_that_the_group_does_not_exchange_are_refused() -> None:
    turn = np.array([[0, -1], [1, 0]])
    with pytest.raises(IncompatibleOffsetsError, match="component 1 to component 0"):
        check_places(turn, turn, ((H, Fraction(0)), (Fraction(0), Fraction(0))))
    check_places(np.diag([-1, 1]), np.diag([-1, 1]), ((H, Fraction(0)), (Fraction(0), Fraction(0))))


def test_refusals() -> None:
    with pytest.raises(GridError, match="odd"):
        staggered(METHODS["fd"], Grid.regular(2, 4), MIDDLE, FACES)
    with pytest.raises(GridError, match="1/2"):
        staggered(METHODS["fd"], Grid.regular(2, 3), MIDDLE, [(Fraction(1, 3), Fraction(0))])
    with pytest.raises(ShapeError):
        staggered(METHODS["fd"], Grid.regular(2, 3), MIDDLE, FACES).combine(GRADIENT)

"""Stencils of vector fields are equivariant under every symmetry of the grid, reflections included.

A test through scalars alone cannot see a stencil that is turned by a quarter; gradient and divergence can.
"""

from typing import Any

import numpy as np
import pytest

from pdobasis.stencils import (
    Grid,
    Layout,
    NotAGridSymmetryError,
    ShapeError,
    combine,
    equivariance_defect,
    finite_difference,
    gaussian,
    grid_point_group,
    moments,
    multi_indices,
    rbf_fd,
    signed_permutations,
    transform_stencil,
)
from pdobasis.stencils.multi_index import factorials

METHODS: dict[str, Any] = {
    "fd": finite_difference,
    "gauss": lambda alphas, grid: gaussian(alphas, grid, 1.1),
    "gauss moments": lambda alphas, grid: gaussian(alphas, grid, 1.1, normalize="moments"),
    "phs3": lambda alphas, grid: rbf_fd(alphas, grid, "phs3", degree=2),
    "multiquadric": lambda alphas, grid: rbf_fd(alphas, grid, "multiquadric", epsilon=0.9),
}
CASES = [(2, 3), (2, 5), (2, 7), (2, 4), (3, 3)]
TRIVIAL = np.ones((1, 1))


def operators(dim: int) -> Any:
    """(name, coefficients (1, c_out, c_in, monomials), vectors out?, vectors in?)."""
    alphas = multi_indices(dim, 2)
    first = [alphas.index(tuple(int(i == j) for i in range(dim))) for j in range(dim)]
    second = [[alphas.index(tuple((i == j) + (i == k) for i in range(dim))) for j in range(dim)] for k in range(dim)]
    gradient, hessian = np.zeros((1, dim, 1, len(alphas))), np.zeros((1, dim, dim, len(alphas)))
    laplacian = np.zeros((1, 1, 1, len(alphas)))
    for j in range(dim):
        gradient[0, j, 0, first[j]] = 1
        laplacian[0, 0, 0, second[j][j]] = 1
        for k in range(dim):
            hessian[0, j, k, second[j][k]] = 1
    divergence = np.swapaxes(gradient, 1, 2)
    named = [("gradient", gradient, True, False), ("divergence", divergence, False, True)]
    return alphas, [*named, ("grad div", hessian, True, True), ("laplacian", laplacian, False, False)]


def worst_defect(dim: int, size: Any, layout: Layout, method: str, change: Any = lambda w: w, names: Any = None) -> Any:
    grid = Grid.regular(dim, size, layout=layout)
    alphas, table = operators(dim)
    monomials = METHODS[method](alphas, grid).weights
    return max(
        equivariance_defect(
            change(combine(coefficients, monomials)), g, g if out else TRIVIAL, g if into else TRIVIAL, layout
        )
        for name, coefficients, out, into in table
        if names is None or name in names
        for g in signed_permutations(dim)
    )


@pytest.mark.parametrize("layout", ["grid", "image"])
@pytest.mark.parametrize(("dim", "size"), CASES)
@pytest.mark.parametrize("method", METHODS)
def test_every_element_of_the_point_group_holds(dim: int, size: Any, layout: Layout, method: str) -> None:
    assert worst_defect(dim, size, layout, method) <= 1e-15


@pytest.mark.parametrize("layout", ["grid", "image"])
@pytest.mark.parametrize("size", [3, 5])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["gradient", "divergence"])
def test_stencils_turned_by_a_quarter_fail(size: Any, layout: Layout, method: str, name: str) -> None:
    def turn(w: Any) -> Any:
        return np.rot90(w, axes=(-2, -1))

    assert worst_defect(2, size, layout, method, turn, [name]) > 1


@pytest.mark.parametrize("name", ["gradient", "divergence"])
def test_the_wrong_layout_fails(name: str) -> None:
    grid = Grid.regular(2, 3, layout="image")
    alphas, table = operators(2)
    coefficients, out = next((c, out) for n, c, out, _ in table if n == name)
    w = combine(coefficients, finite_difference(alphas, grid).weights)
    turn = np.array([[0, -1], [1, 0]])
    rho_out, rho_in = (turn, TRIVIAL) if out else (TRIVIAL, turn)
    assert equivariance_defect(w, turn, rho_out, rho_in, "grid") > 1
    assert equivariance_defect(w, turn, rho_out, rho_in, "image") == 0


def test_a_turned_cube_stencil_fails_too() -> None:
    def turn(w: Any) -> Any:
        return np.rot90(w, axes=(-2, -1))

    assert worst_defect(3, 3, "grid", "fd", turn, ["gradient"]) > 1


@pytest.mark.parametrize("layout", ["grid", "image"])
@pytest.mark.parametrize("dim", [1, 2, 3])
def test_moving_a_stencil_moves_its_nodes(dim: int, layout: Layout) -> None:
    grid = Grid.regular(dim, 3, layout=layout)
    nodes = np.array(grid.nodes(), dtype=int)
    w = np.arange(3.0**dim)
    at = {tuple(node): value for node, value in zip(nodes, w, strict=True)}
    for g in signed_permutations(dim):
        moved = transform_stencil(w.reshape(grid.array_shape), g, layout).ravel()
        for node, value in zip(nodes, moved, strict=True):
            assert value == at[tuple(g.T @ node)]


def test_it_is_a_group_action() -> None:
    w = np.random.default_rng(0).random((2, 3, 3, 3))
    group = list(signed_permutations(3))
    for g, h in zip(group, group[::-1], strict=True):
        assert np.array_equal(transform_stencil(transform_stencil(w, h), g), transform_stencil(w, g @ h))


POINT_GROUPS = [  # arguments, order of the point group
    ({"dim": 2, "size": 3}, 8),
    ({"dim": 2, "size": (3, 5)}, 4),
    ({"dim": 2, "size": 3, "spacing": (1, 2)}, 4),
    ({"dim": 2, "size": 3, "offset": ("1/2", 0)}, 2),
    ({"dim": 2, "size": 3, "offset": ("1/2", "-1/2")}, 2),
    ({"dim": 3, "size": 4}, 48),
    ({"dim": 3, "size": (3, 3, 5)}, 16),
]


@pytest.mark.parametrize(("arguments", "order"), POINT_GROUPS)
def test_point_groups_of_grids(arguments: Any, order: int) -> None:
    assert len(grid_point_group(Grid.regular(**arguments))) == order


def test_one_sigma_per_axis_breaks_the_square_only() -> None:
    grid = Grid.regular(2, 5)
    w = gaussian([(1, 0), (0, 1)], grid, (1.0, 2.0)).weights[:, None]
    mirror, swap = np.diag([1, -1]), np.array([[0, 1], [1, 0]])
    assert equivariance_defect(w[None], mirror, mirror, TRIVIAL) == 0
    assert equivariance_defect(w[None], swap, swap, TRIVIAL) > 0.1


def test_axes_that_are_exchanged_with_a_sign() -> None:
    grid = Grid.regular(2, 3, offset=("1/2", "-1/2"))
    alphas = multi_indices(2, 2)
    expected = [[factorials(a) * (a == b) for b in alphas] for a in alphas]
    for method in ("fd", "phs3"):
        assert np.allclose(moments(METHODS[method](alphas, grid), alphas), expected, atol=1e-12)


def test_refusals() -> None:
    w = np.zeros((1, 1, 3, 5))
    with pytest.raises(NotAGridSymmetryError, match="sizes"):
        transform_stencil(w, [[0, 1], [1, 0]])
    with pytest.raises(NotAGridSymmetryError, match="signed permutation"):
        transform_stencil(w, [[0.6, 0.8], [-0.8, 0.6]])
    with pytest.raises(NotAGridSymmetryError):
        transform_stencil(w, [[1, 1], [0, 0]])
    with pytest.raises(ShapeError):
        transform_stencil(np.zeros(3), np.eye(2))
    with pytest.raises(ShapeError):
        equivariance_defect(w, np.eye(2), np.eye(2), np.eye(1))

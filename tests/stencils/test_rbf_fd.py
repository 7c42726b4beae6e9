"""RBF-FD agrees with a dense solution in 60 digits, on grids and on clouds."""

from typing import Any

import mpmath  # type: ignore[import-untyped, unused-ignore]
import numpy as np
import pytest

from pdobasis.stencils import (
    DegreeTooHighError,
    Grid,
    IllConditionedError,
    Layout,
    NonSmoothCentreError,
    ShapeError,
    StencilError,
    finite_difference,
    moments,
    multi_indices,
    rbf_fd,
    rbf_fd_cloud,
)
from pdobasis.stencils.multi_index import factorials

mp = mpmath.mp.clone()
mp.dps = 60

ORACLES: dict[str, Any] = {
    "phs3": lambda s, e: s ** (mp.mpf(3) / 2),
    "phs5": lambda s, e: s ** (mp.mpf(5) / 2),
    "gaussian": lambda s, e: mp.exp(-e * e * s),
    "multiquadric": lambda s, e: mp.sqrt(1 + e * e * s),
    "inverse_multiquadric": lambda s, e: 1 / mp.sqrt(1 + e * e * s),
    "wendland_c2": lambda s, e: max(1 - e * mp.sqrt(s), 0) ** 4 * (4 * e * mp.sqrt(s) + 1),
}


def oracle(name: str, nodes: Any, alpha: tuple[int, ...], epsilon: float, degree: int) -> Any:
    """The whole system in 60 digits, derivatives of phi by numerical differentiation on a tiny step."""
    e = mp.mpf(epsilon)
    phi = ORACLES[name]
    points = [[mp.mpf(c.numerator) / c.denominator for c in node] for node in nodes]
    betas = multi_indices(2, degree)
    n, size = len(points), len(points) + len(betas)
    matrix, right = mp.zeros(size, size), mp.zeros(size, 1)
    h = mp.mpf(10) ** -14
    for i, p in enumerate(points):
        for j, q in enumerate(points):
            matrix[i, j] = phi(sum((a - b) ** 2 for a, b in zip(p, q, strict=True)), e)
        for j, beta in enumerate(betas):
            matrix[i, n + j] = matrix[n + j, i] = mp.fprod(c**b for c, b in zip(p, beta, strict=True))
        right[i] = difference(lambda x, y, p=p: phi((x - p[0]) ** 2 + (y - p[1]) ** 2, e), alpha, h)
    for j, beta in enumerate(betas):
        right[n + j] = factorials(alpha) if beta == alpha else 0
    solution = mp.lu_solve(matrix, right)
    return np.array([float(solution[i]) for i in range(n)])


def difference(f: Any, alpha: tuple[int, ...], h: Any) -> Any:
    """Central differences, whose error of order h is far below 1e-9."""
    total = mp.mpf(0)
    for i in range(alpha[0] + 1):
        for j in range(alpha[1] + 1):
            x, y = (mp.mpf(alpha[0]) / 2 - i) * h, (mp.mpf(alpha[1]) / 2 - j) * h
            total += (-1) ** (i + j) * mp.binomial(alpha[0], i) * mp.binomial(alpha[1], j) * f(x, y)
    return total / h ** sum(alpha)


CASES = [
    ("phs3", 3, 1.0, 2), ("phs3", 3, 1.0, -1), ("phs3", 5, 1.0, 2), ("phs5", 5, 1.0, 4),
    ("gaussian", 3, 0.7, -1), ("gaussian", 3, 0.7, 2), ("multiquadric", 3, 1.3, 0),
    ("inverse_multiquadric", 4, 1.0, 2), ("wendland_c2", 3, 0.3, 1),
]  # fmt: skip


@pytest.mark.parametrize(("name", "size", "epsilon", "degree"), CASES)
def test_a_dense_solution_in_sixty_digits_agrees(name: str, size: Any, epsilon: float, degree: int) -> None:
    grid = Grid.regular(2, size, spacing="1/2")
    alphas = [(1, 0), (1, 1), (0, 2)]
    stencils = rbf_fd(alphas, grid, name, epsilon=epsilon, degree=degree)
    for i, alpha in enumerate(alphas):
        expected = oracle(name, grid.nodes(), alpha, epsilon, degree)
        assert np.max(np.abs(stencils.weights[i].ravel() - expected)) < 1e-9 * np.max(np.abs(expected))


@pytest.mark.parametrize("layout", ["grid", "image"])
@pytest.mark.parametrize(("phi", "size", "order"), [("phs3", 3, 2), ("phs5", 5, 4), ("multiquadric", 5, 3)])
def test_augmented_stencils_are_exact_on_polynomials(phi: str, size: Any, order: int, layout: Layout) -> None:
    alphas = multi_indices(2, order)
    grid = Grid.regular(2, size, spacing=("1/2", 1), layout=layout)
    expected = [[factorials(a) * (a == b) for b in alphas] for a in alphas]
    assert np.allclose(moments(rbf_fd(alphas, grid, phi), alphas), expected, atol=1e-10)


def test_in_one_dimension_with_full_augmentation_it_is_the_finite_difference() -> None:
    grid = Grid.regular(1, 5, spacing="1/4")
    assert np.allclose(rbf_fd([(1,), (2,)], grid, degree=4).weights, finite_difference([(1,), (2,)], grid).weights)


def test_grid_refusals() -> None:
    grid = Grid.regular(2, 3)
    with pytest.raises(NonSmoothCentreError, match="phs5"):
        rbf_fd([(3, 0)], grid, degree=2)
    assert np.isfinite(rbf_fd([(3, 0)], Grid.regular(2, 4), degree=3).weights).all()
    with pytest.raises(DegreeTooHighError, match=r"size=5.*degree=2"):
        rbf_fd([(1, 0)], grid, degree=3)
    with pytest.raises(IllConditionedError, match="condition number") as caught:
        rbf_fd([(1, 0)], Grid.regular(2, 5), "gaussian", epsilon=0.01)
    assert caught.value.condition > 1e10
    with pytest.raises(StencilError, match="epsilon"):
        rbf_fd([(1, 0)], grid, "gaussian", epsilon=0.0)
    with pytest.raises(StencilError, match="degree"):
        rbf_fd([(1, 0)], grid, degree=-2)


def test_the_condition_number_is_reported() -> None:
    condition = rbf_fd([(1, 0)], Grid.regular(2, 3)).condition
    assert condition is not None
    assert 1 < condition < 1e4


@pytest.mark.parametrize("phi", ["phs3", "gaussian", "multiquadric", "wendland_c4"])
def test_a_cloud_of_grid_points_gives_the_stencil_of_the_grid(phi: str) -> None:
    grid = Grid.regular(2, 3, spacing="1/8")
    alphas = multi_indices(2, 2)
    points = np.concatenate([grid.coordinates() + np.array([10, 20]), [[50.0, 50.0]]])
    cloud = rbf_fd_cloud(points, [[10.0, 20.0]], alphas, neighbours=9, phi=phi, epsilon=4.0)
    dense = np.zeros((len(alphas), 9))
    dense[:, cloud.indices[0]] = cloud.weights[0]
    expected = rbf_fd(alphas, grid, phi, epsilon=4.0).weights.reshape(len(alphas), -1)
    assert np.max(np.abs(dense - expected)) < 1e-9 * np.max(np.abs(expected))


def test_clouds_differentiate_polynomials_exactly_and_functions_well() -> None:
    rng = np.random.default_rng(0)
    points, targets = rng.random((3000, 2)), rng.random((700, 2))
    alphas = multi_indices(2, 2)
    cloud = rbf_fd_cloud(points, targets, alphas, neighbours=20)
    assert cloud.indices.shape == (700, 20)
    assert cloud.weights.shape == (700, 6, 20)
    assert np.allclose(cloud.apply(points[:, 0] * points[:, 1])[:, alphas.index((1, 1))], 1)
    result = cloud.apply(np.sin(3 * points[:, 0]))[:, alphas.index((1, 0))]
    assert np.max(np.abs(result - 3 * np.cos(3 * targets[:, 0]))) < 0.02


def test_near_the_limit_the_condition_number_is_exact() -> None:
    points = np.random.default_rng(5).random((12, 2)) - 0.5
    scale = 1 / 2  # a power of two above the largest coordinate
    radii = np.linalg.norm((points[:, None] - points[None]) / scale, axis=-1)
    plane = np.column_stack([np.ones(12), points / scale])
    exact = np.linalg.cond(np.block([[radii**3, plane], [plane.T, np.zeros((3, 3))]]))
    target = np.zeros((1, 2))
    fine = rbf_fd_cloud(points, target, [(1, 0)], neighbours=12, max_condition=exact * 1.001)
    assert fine.condition is not None
    assert fine.condition[0] == pytest.approx(exact, rel=1e-9)
    with pytest.raises(IllConditionedError) as caught:
        rbf_fd_cloud(points, target, [(1, 0)], neighbours=12, max_condition=exact * 0.999)
    assert caught.value.condition == pytest.approx(exact, rel=1e-9)
    rough = rbf_fd_cloud(points, target, [(1, 0)], neighbours=12).condition
    assert rough is not None
    assert exact / 100 < rough[0] < exact * 100


def test_chunks_and_threads_do_not_change_the_result() -> None:
    rng = np.random.default_rng(0)
    points = rng.random((300, 3))
    one = rbf_fd_cloud(points, points, [(1, 0, 0), (0, 1, 1)], neighbours=22, workers=1)
    two = rbf_fd_cloud(points, points, [(1, 0, 0), (0, 1, 1)], neighbours=22, chunk_bytes=1, workers=2)
    assert np.array_equal(one.weights, two.weights)


def test_scaling_the_cloud_scales_the_weights() -> None:
    points = np.random.default_rng(1).random((100, 2))
    alphas = [(1, 0), (0, 2)]
    one = rbf_fd_cloud(points, points[:5], alphas, neighbours=15)
    small = rbf_fd_cloud(points * 2.0**-20, points[:5] * 2.0**-20, alphas, neighbours=15)
    assert np.array_equal(one.weights * [[[2.0**20], [2.0**40]]], small.weights)


def test_cloud_refusals() -> None:
    rng = np.random.default_rng(0)
    points = rng.random((50, 2))
    with pytest.raises(DegreeTooHighError, match="neighbours=12"):
        rbf_fd_cloud(points, points, [(2, 0)], neighbours=5)
    with pytest.raises(StencilError, match="between 1 and the number of points 50"):
        rbf_fd_cloud(points, points, [(1, 0)], neighbours=51)
    with pytest.raises(ShapeError, match="coordinates"):
        rbf_fd_cloud(points, rng.random((4, 3)), [(1, 0)], neighbours=9)
    with pytest.raises(ShapeError, match="shape"):
        rbf_fd_cloud(points[:, 0], points, [(1, 0)], neighbours=9)
    with pytest.raises(StencilError, match="row 1"):
        rbf_fd_cloud([[0.0, 0], [np.nan, 1]], points, [(1, 0)], neighbours=1)
    with pytest.raises(NonSmoothCentreError):
        rbf_fd_cloud(points, points, [(3, 0)], neighbours=20)
    line = np.stack([np.linspace(0, 1, 50), np.zeros(50)], axis=1)
    with pytest.raises(IllConditionedError, match=r"target \d+.*condition number"):
        rbf_fd_cloud(line, line, [(1, 0)], neighbours=9)
    with pytest.raises(IllConditionedError, match="condition number inf"):
        rbf_fd_cloud(line, line, [(1, 0)], neighbours=9, max_condition=np.inf)
    with pytest.raises(IllConditionedError, match="repeated"):
        rbf_fd_cloud(np.repeat(points, 2, axis=0), points, [(1, 0)], neighbours=9)
    with pytest.raises(IllConditionedError):
        rbf_fd_cloud(points, points, [(1, 0)], neighbours=15, phi="gaussian", epsilon=0.01)

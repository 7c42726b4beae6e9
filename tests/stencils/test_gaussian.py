"""Gaussian derivatives: the right sign, scipy's numbers, and exact moments when asked for."""

from typing import Any

import numpy as np
import pytest
from scipy.ndimage import correlate, gaussian_filter  # type: ignore[import-untyped, unused-ignore]

from pdobasis.stencils import (
    DegreeTooHighError,
    Grid,
    IllConditionedError,
    Layout,
    ShapeError,
    StencilError,
    StencilTooSmallError,
    gaussian,
    gaussian_cloud,
    moments,
    multi_indices,
)
from pdobasis.stencils.multi_index import factorials


def exact_moments(alphas: Any, betas: Any) -> Any:
    return np.array([[factorials(a) * (a == b) for b in betas] for a in alphas], dtype=float)


@pytest.mark.parametrize("layout", ["grid", "image"])
def test_applied_to_a_coordinate_the_first_derivative_is_plus_one(layout: Layout) -> None:
    stencils = gaussian([(1, 0), (0, 1)], Grid.regular(2, 15, layout=layout), 1.3)
    assert np.allclose(moments(stencils, [(1, 0), (0, 1)]), np.eye(2), atol=1e-5)


def test_a_large_stencil_takes_the_moments_of_a_gaussian() -> None:
    stencils = gaussian([(0, 0), (1, 0), (2, 0)], Grid.regular(2, 31, spacing=(0.5, 0.25)), (1.0, 0.5))
    rows = moments(stencils, [(0, 0), (2, 0), (0, 2)])
    assert np.allclose(rows[0], [1, 1, 0.25], atol=1e-8)
    assert np.allclose(rows[2], [0, 2, 0], atol=1e-8)
    assert moments(stencils, [(2, 2)])[2, 0] == pytest.approx(2 * 0.25, abs=1e-8)


@pytest.mark.parametrize("alpha", multi_indices(2, 3))
def test_scipy_agrees_on_a_large_stencil(alpha: tuple[int, ...]) -> None:
    sigma = (2.0, 2.5)
    image = np.random.default_rng(0).normal(size=(64, 64))
    theirs = gaussian_filter(image, sigma[::-1], order=alpha[::-1], truncate=9, mode="wrap")
    stencils = gaussian([alpha], Grid.regular(2, 37), sigma)
    ours = correlate(image, stencils.weights[0], mode="wrap")
    assert np.max(np.abs(ours - theirs)) < 1e-7 * max(1, np.max(np.abs(theirs)))


@pytest.mark.parametrize("layout", ["grid", "image"])
@pytest.mark.parametrize(
    ("size", "sigma", "order"),
    [(3, 0.7, 2), (5, 1.3, 4), ((5, 7), (0.8, 2.0), 4), ((3, 3, 3), 1.0, 2), ((4, 4), 1.0, 3)],
)
def test_normalized_stencils_are_exact_up_to_their_order(size: Any, sigma: Any, order: int, layout: Layout) -> None:
    dim = 2 if isinstance(size, int) else len(size)
    grid = Grid.regular(dim, size, spacing="1/2", layout=layout)
    alphas = multi_indices(dim, order)
    result = moments(gaussian(alphas, grid, sigma, normalize="moments"), alphas)
    for row, alpha in zip(result, alphas, strict=True):
        known = [i for i, beta in enumerate(alphas) if sum(beta) <= sum(alpha)]
        assert np.allclose(row[known], exact_moments([alpha], alphas)[0][known], atol=1e-10)


def test_mixed_orders_need_only_enough_points_along_each_axis() -> None:
    grid = Grid.regular(2, 3)
    stencils = gaussian([(2, 1), (2, 2)], grid, 1.0, normalize="moments")
    betas = multi_indices(2, 3)
    assert np.allclose(moments(stencils, betas), [[2.0 * (b == (2, 1)) for b in betas], [0.0] * len(betas)], atol=1e-12)


def test_the_correction_vanishes_where_nothing_is_missing() -> None:
    grid = Grid.regular(2, 25)
    alphas = multi_indices(2, 1)
    plain, exact = gaussian(alphas, grid, 1.2), gaussian(alphas, grid, 1.2, normalize="moments")
    assert np.allclose(plain.weights, exact.weights, atol=1e-9)


def test_refusals() -> None:
    grid = Grid.regular(2, 3)
    with pytest.raises(StencilTooSmallError, match="size=5"):
        gaussian([(3, 0)], grid, 1.0, normalize="moments")
    with pytest.raises(IllConditionedError, match="sigma"):
        gaussian([(2, 0)], grid, 0.1, normalize="moments")
    with pytest.raises(StencilError, match="vanishes"):
        gaussian([(1, 0)], Grid.regular(2, 4), 1e-3, normalize="moments")
    with pytest.raises(StencilError, match="positive"):
        gaussian([(1, 0)], grid, 0.0)
    with pytest.raises(StencilError, match="moments"):
        gaussian([(1, 0)], grid, 1.0, normalize="mean")  # type: ignore[arg-type]


def test_a_cloud_of_grid_points_gives_the_stencil_of_the_grid() -> None:
    grid = Grid.regular(2, 5, spacing="1/2")
    points = grid.coordinates()
    alphas = multi_indices(2, 2)
    volumes = np.full(len(points), float(grid.cell_volume))
    for normalize in (None, "moments"):
        cloud = gaussian_cloud(
            points, np.zeros((1, 2)), alphas, 0.6, neighbours=25, volumes=volumes, normalize=normalize
        )
        dense = np.zeros((len(alphas), 25))
        dense[:, cloud.indices[0]] = cloud.weights[0]
        expected = gaussian(alphas, grid, 0.6, normalize=normalize).weights.reshape(len(alphas), -1)
        assert np.allclose(dense, expected, atol=1e-11)


def test_normalized_clouds_differentiate_polynomials() -> None:
    rng = np.random.default_rng(3)
    points, targets = rng.random((400, 2)), 0.2 + 0.6 * rng.random((50, 2))
    alphas = multi_indices(2, 2)
    cloud = gaussian_cloud(points, targets, alphas, 0.1, neighbours=20, normalize="moments")
    values = 1 + 2 * points[:, 0] - points[:, 1] + 3 * points[:, 0] * points[:, 1] + points[:, 1] ** 2
    result = cloud.apply(values)
    assert np.allclose(result[:, alphas.index((1, 1))], 3)
    assert np.allclose(result[:, alphas.index((0, 2))], 2)
    plain = gaussian_cloud(points, targets, [(0, 0)], 0.1, neighbours=20)
    assert np.allclose(plain.weights.sum(axis=-1), 1)


def test_cloud_refusals() -> None:
    points = np.random.default_rng(0).random((30, 2))
    with pytest.raises(DegreeTooHighError):
        gaussian_cloud(points, points, [(2, 0)], 1.0, neighbours=5, normalize="moments")
    with pytest.raises(ShapeError, match="one entry per point"):
        gaussian_cloud(points, points, [(1, 0)], 1.0, neighbours=5, volumes=np.ones(3))
    with pytest.raises(StencilError, match="vanishes"):
        gaussian_cloud(points, points + 5, [(1, 0)], 1e-3, neighbours=5)

"""Neighbours that are equally far are all taken: a cloud keeps its symmetries."""

from typing import Any

import numpy as np
import pytest

from pdobasis.stencils import gaussian_cloud, rbf_fd_cloud
from pdobasis.stencils.cloud import neighbourhoods


def grid(n: int) -> np.ndarray:
    line = np.arange(n) - (n - 1) / 2
    return np.stack(np.meshgrid(line, line, indexing="xy"), -1).reshape(-1, 2)


def test_counts_are_whole_shells() -> None:
    """Points of the square lattice by distance: 1, 5, 9, 13, 21, 25, ... (OEIS A000328 and its shells)."""
    points = grid(41)
    for asked, expected in [(1, 1), (2, 5), (5, 5), (6, 9), (10, 13), (14, 21), (20, 21), (22, 25), (26, 29), (30, 37)]:
        near = neighbourhoods(points, [[0.0, 0.0]], asked)
        assert near.counts.tolist() == [expected]
        assert len(set(near.indices[0, :expected].tolist())) == expected
        distances = np.linalg.norm(points[near.indices[0, :expected]], axis=1)
        assert (np.diff(distances) > -1e-12).all()
    # No ties: nothing changes, and nothing is longer than asked for.
    scattered = np.random.default_rng(0).random((300, 3))
    near = neighbourhoods(scattered, scattered, 20)
    assert near.indices.shape == (300, 20)
    assert (near.counts == 20).all()
    expected_rows = np.argsort(((scattered[:, None] - scattered) ** 2).sum(-1), axis=1)[:, :20]
    assert np.array_equal(np.sort(near.indices, axis=1), np.sort(expected_rows, axis=1))


@pytest.mark.parametrize("neighbours", [10, 14, 20, 23])
@pytest.mark.parametrize(
    ("method", "options"),
    [(rbf_fd_cloud, {}), (gaussian_cloud, {"sigma": 1.0}), (gaussian_cloud, {"sigma": 1.2, "normalize": "moments"})],
)
def test_a_grid_taken_as_a_cloud_keeps_its_quarter_turns(method: Any, options: dict[str, Any], neighbours: int) -> None:
    """f(x) -> f(g^-1 x) permutes the points; (1, 0) becomes (0, 1) and (2, 0) becomes (0, 2)."""
    points = grid(15)
    alphas = [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)]
    stencils = method(points, points, alphas, neighbours=neighbours, **options)
    values = np.random.default_rng(1).normal(size=(15, 15))
    found = stencils.apply(values.reshape(-1)).reshape(15, 15, 6)
    turned = stencils.apply(np.rot90(values).reshape(-1)).reshape(15, 15, 6)
    # rot90 takes (x, y) to (y, -x) here: df/dx of the turned function is -df/dy or df/dy of the other, turned.
    expected = np.rot90(found)
    scale = np.abs(found).max()
    assert np.abs(turned[..., 0] - expected[..., 0]).max() <= 1e-11 * scale
    assert np.abs(np.abs(turned[..., 1]) - np.abs(expected[..., 2])).max() <= 1e-10 * scale
    assert np.abs(turned[..., 3] - expected[..., 5]).max() <= 1e-10 * scale
    assert np.abs(turned[..., 4] + expected[..., 4]).max() <= 1e-10 * scale


def test_a_circle_around_a_target() -> None:
    angles = 2 * np.pi * np.arange(12) / 12
    circle = np.concatenate([[[0.0, 0.0]], np.stack([np.cos(angles), np.sin(angles)], 1)])
    near = neighbourhoods(circle, [[0.0, 0.0]], 7)
    assert near.counts.tolist() == [13]
    found = rbf_fd_cloud(circle, [[0.0, 0.0]], [(2, 0), (0, 2)], neighbours=7, degree=2)
    laplacian = found.weights[0].sum(0)
    assert np.ptp(laplacian[1:]) < 1e-10

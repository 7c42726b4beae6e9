"""Sparse matrices of operators on point clouds: against dense sums, polynomials, symmetry, and Poisson's equation."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse.linalg import spsolve

import pdobasis
from pdobasis.algebra.operator import of_element
from pdobasis.stencils import rbf_fd_cloud


def scattered(count: int, dim: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).random((count, dim))


@pytest.mark.parametrize(
    "question",
    [
        ("O(2)", "trivial", "vector", 1),
        ("SO(2)", "vector", "vector", 2),
        ("O(3)", "vector", "trivial", 1),
        ("SO(3)", "vector", "vector", 1),
        ("D4", "trivial", "regular", 2),
    ],
)
def test_rows_are_sums_over_components_derivatives_and_neighbours(question: tuple[Any, ...]) -> None:
    """Entry by entry, from the definition."""
    basis = pdobasis.solve(*question)
    dim, alphas = basis.problem.group.dim, basis.monomials()
    points, targets = scattered(60, dim), 0.2 + 0.6 * scattered(7, dim, 1)
    found = basis.on_cloud(points, 24, targets=targets)
    degree = max(sum(a) for e in basis for p in of_element(e).cells.values() for a in p)
    phi = "phs3" if degree < 3 else "phs5"
    stencils = rbf_fd_cloud(points, targets, alphas, neighbours=24, phi=phi, degree=degree)
    for coefficients, own in zip(basis.coefficients(), found, strict=True):
        c_out, c_in = coefficients.shape[:2]
        dense = np.zeros((c_out, 7, c_in, 60))
        for o, i, m in np.argwhere(coefficients):
            for t in range(7):
                np.add.at(dense[o, t, i], stencils.indices[t], coefficients[o, i, m] * stencils.weights[t, m])
        assert np.abs(own.matrix.toarray() - dense.reshape(c_out * 7, -1)).max() < 1e-9 * np.abs(dense).max()
        # It says that its rows are sorted: sorting a copy, which does not know that, changes nothing.
        other = own.matrix.copy()
        other.has_sorted_indices = False
        other.sort_indices()
        assert np.array_equal(other.indices, own.matrix.indices)
    assert found.condition is not None
    assert (found.condition > 1).all()


def test_polynomials_up_to_the_degree_are_exact() -> None:
    points = scattered(200, 2)
    x, y = points.T
    gradient = pdobasis.solve("O(2)", "trivial", "vector", 1).on_cloud(points, 20, degree=3)[0]
    found = gradient((x**3 - x * y**2)[None])
    assert np.abs(found - [3 * x**2 - y**2, -2 * x * y]).max() < 1e-8
    laplacian = pdobasis.operator("d1^2 + d2^2").on_cloud(points, 20, degree=3)
    assert np.abs(laplacian((x**3 + y**3)[None])[0] - 6 * x - 6 * y).max() < 1e-7


def test_a_grid_as_a_cloud_keeps_all_its_symmetries() -> None:
    """Ties are whole: permuting the points by g is multiplying the vectors by g."""
    line = np.arange(9.0) - 4
    points = np.stack(np.meshgrid(line, line), -1).reshape(-1, 2)
    basis = pdobasis.solve("D4", "trivial", "vector", 1)
    for g in ([[0, -1], [1, 0]], [[1, 0], [0, -1]], [[0, 1], [1, 0]]):
        where = {tuple(p): k for k, p in enumerate(points)}
        moved = [where[tuple(np.array(g) @ p)] for p in points]
        for own in basis.on_cloud(points, 20):
            a = own.matrix.toarray().reshape(2, 81, 81)
            turned = np.einsum("ij,jtn->itn", g, a)
            assert np.abs(a[:, moved][:, :, moved] - turned).max() < 1e-12


def disc(rings: int) -> tuple[np.ndarray, np.ndarray]:
    """Rings of points on the disc, and a mask of those on its rim."""
    parts = [np.zeros((1, 2))]
    for k in range(1, rings + 1):
        angle = 2 * np.pi * (np.arange(6 * k) + 0.5 * (k % 2)) / (6 * k)
        parts.append(k / rings * np.stack([np.cos(angle), np.sin(angle)], 1))
    points = np.concatenate(parts)
    return points, np.isclose(np.linalg.norm(points, axis=1), 1)


def test_poisson_on_a_disc_with_ghosts_converges() -> None:
    """u - Δu = f with given derivatives along the normal, closed by one layer of ghosts."""
    errors = []
    for rings in (10, 20):
        points, rim = disc(rings)
        normals = points[rim]
        basis = pdobasis.solve("O(2)", "trivial", "trivial", 2)
        cloud = basis.on_cloud(points, 30, degree=4, phi="phs5", boundary=rim, normals=3 * normals)
        assert cloud.ghosts is not None
        assert len(cloud.points) == len(points) + rim.sum()
        system = cloud.bordered(cloud[0].matrix - cloud[1].matrix)
        x, y = points.T
        u = np.sin(2 * x + y)
        slope = (np.cos(2 * x + y)[rim, None] * [2.0, 1.0] * normals).sum(1)
        found = spsolve(system.tocsc(), np.concatenate([6 * u, slope]))[: len(points)]
        errors.append(np.abs(found - u).max())
    assert errors[1] < 2e-4
    assert np.log2(errors[0] / errors[1]) > 3


@pytest.mark.parametrize("power", [1, 2, 3])
def test_hyperviscosity_is_a_power_of_the_laplacian_that_damps(power: int) -> None:
    """On a lattice H e^{ikx} is -h^(2p-1) |k|^2p e^{ikx}, up to O(k^2), for smooth waves, and negative for all."""
    h = 0.5
    line = h * (np.arange(21.0) - 10)
    points = np.stack(np.meshgrid(line, line), -1).reshape(-1, 2)
    cloud = pdobasis.solve("O(2)", "trivial", "vector", 1).on_cloud(
        points, 45, targets=np.zeros((1, 2)), hyperviscosity=power
    )
    for k in ([0.4, 0.0], [0.3, 0.3], [np.pi / h, 0.0], [np.pi / h, np.pi / h]):
        found = float((cloud.hyperviscosity @ np.cos(points @ k))[0])
        exact = -(h ** (2 * power - 1)) * np.dot(k, k) ** power
        assert found < 0
        if k[0] < 1:
            assert found == pytest.approx(exact, rel=0.2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda b, p: b.on_cloud(p, 2), "use neighbours="),
        (lambda b, p: b.on_cloud(p[:, :1], 12), "coordinates"),
        (lambda b, p: b.on_cloud(p, 12, method="fd"), "fd has no clouds"),
        (lambda b, p: b.on_cloud(p, 12, method="gauss"), "need sigma"),
        (lambda b, p: b.on_cloud(p, 12, sigma=2), "no option 'sigma'"),
        (lambda b, p: b.on_cloud(p, 12, boundary=[1]), "both boundary="),
        (lambda b, p: b.on_cloud(p, 12, boundary=[50], normals=[[1, 0]]), "numbers of points"),
        (lambda b, p: b.on_cloud(p, 12, boundary=[5], normals=[[0, 0]]), "not zero"),
        (lambda b, p: b.on_cloud(p, 12, boundary=[5], normals=[1, 0]), "one vector for each"),
        (lambda b, p: b.on_cloud(p, 12, hyperviscosity=9), "from 1 to 6"),
        (lambda b, p: b.on_cloud(p, 12).bordered(), "needs ghosts"),
        (lambda b, p: b.on_cloud(p, 12)[0](np.zeros(50)), "takes fields of shape"),
        (lambda b, p: b.on_cloud(p, 60), "number of points 50"),
    ],
)
def test_what_makes_no_sense_is_refused(call: Any, message: str) -> None:
    basis = pdobasis.solve("O(2)", "trivial", "vector", 1)
    with pytest.raises(pdobasis.PdoBasisError, match=message):
        call(basis, scattered(50, 2))

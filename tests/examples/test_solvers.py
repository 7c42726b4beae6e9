"""The solvers of examples/, in a reduced form: what docs/solvers.md says of them is seen here on smaller grids."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from examples import (
    cavity,
    cubic_crystal,
    gray_scott,
    hexagonal_heat,
    poisson_disc,
    spherical_wave,
    taylor_green,
)

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("order", [2, 4])
def test_vortices_converge_with_the_order_of_the_stencils(order: int) -> None:
    found = taylor_green.errors(order, [12, 24, 48], t=0.5)
    assert all(abs(p - order) < 0.15 for p in taylor_green.observed(found)), found


def test_flows_have_no_divergence() -> None:
    scheme = taylor_green.Scheme.of_order(4, 16)
    assert np.abs(scheme.divergence(scheme.run(0.2))).max() < 1e-12
    noise = np.random.default_rng(0).standard_normal((2, 16, 16))
    assert np.abs(scheme.divergence(noise)).max() > 1
    assert np.abs(scheme.divergence(scheme.projected(noise))).max() < 1e-12


def test_the_cavity_is_that_of_the_table() -> None:
    psi, u, v, steps = cavity.solve(41)
    du, dv = cavity.against_table(u, v)
    assert steps < 10
    assert np.abs(du).max() < 0.006
    assert np.abs(dv).max() < 0.007
    assert psi.min() == pytest.approx(-0.1034, abs=0.002)


def test_without_a_lid_nothing_flows(monkeypatch: pytest.MonkeyPatch) -> None:
    wall = cavity._wall
    monkeypatch.setattr(cavity, "_wall", lambda n, h: (wall(n, h)[0], np.zeros(n * n)))
    assert np.abs(cavity.solve(17)[0]).max() == 0


@pytest.mark.parametrize(("degree", "least"), [(4, 3.0), (6, 5.0)])
def test_poisson_converges_with_the_degree(degree: int, least: float) -> None:
    sizes, errors = [], []
    for count in (400, 1500):
        points, error = poisson_disc.solve(count, degree)
        sizes.append(len(points))
        errors.append(np.abs(error).max())
    assert 2 * np.log(errors[0] / errors[1]) / np.log(sizes[1] / sizes[0]) > least


def test_the_right_side_is_the_laplacian() -> None:
    import sympy

    x, y = sympy.symbols("x y")
    u = sympy.exp(x) * sympy.cos(2 * y) + sympy.sin(3 * x + y)
    laplacian = sympy.lambdify((x, y), sympy.diff(u, x, 2) + sympy.diff(u, y, 2))
    points = np.array([[0.3, -0.2], [0.7, 0.1]])
    assert np.allclose(poisson_disc.right_side(points), laplacian(*points.T))
    assert np.allclose(poisson_disc.exact(points), sympy.lambdify((x, y), u)(*points.T))


def test_plane_waves_have_christoffels_slowness() -> None:
    for wave in ((3, 0), (3, 2), (2, 2)):
        for which in (0, 1):
            errors = []
            for size in (3, 5):
                found, expected = cubic_crystal.measured_slowness(48, size, wave, which, steps=40)
                errors.append(abs(found / expected - 1))
            assert errors[1] < 1.5e-3
            assert errors[1] < errors[0] / 5


def test_christoffel_along_the_axis_and_the_diagonal() -> None:
    """The textbook velocities: C11 and C44 along [100]; (C11 + C12 + 2 C44)/2 and (C11 - C12)/2 along [110]."""
    c11, c12, c44, rho = cubic_crystal.C11, cubic_crystal.C12, cubic_crystal.C44, cubic_crystal.DENSITY
    assert np.allclose(cubic_crystal.christoffel(np.array([1.0, 0.0]))[0] * rho, [c44, c11])
    diagonal = cubic_crystal.christoffel(np.array([1.0, 1.0]))[0] * rho
    assert np.allclose(diagonal, [(c11 - c12) / 2, (c11 + c12 + 2 * c44) / 2])


def test_heat_on_a_hexagonal_lattice_is_round() -> None:
    coarse, fine = hexagonal_heat.compare(12), hexagonal_heat.compare(24)
    assert fine["hexagonal"][1] < fine["square"][1] / 100
    # of order 2 as a whole, of order 4 in what is not round
    assert 3 < coarse["hexagonal"][0] / fine["hexagonal"][0] < 5
    assert coarse["hexagonal"][1] / fine["hexagonal"][1] > 10
    assert 2.5 < coarse["square"][1] / fine["square"][1] < 6


def test_a_front_is_rounder_with_the_isotropic_laplacian(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gray_scott, "REGION", 80)
    plain, isotropic = (gray_scott.front(gray_scott.run(800, n)) for n in (None, 4))
    assert plain[1] / plain[0] > 1.15
    assert abs(isotropic[1] / isotropic[0] - 1) < 0.08


def test_a_spherical_wave_is_round_with_the_isotropic_laplacian() -> None:
    found = spherical_wave.compare(40, 12.0)
    assert found["isotropic"][1] < found["plain"][1] / 8


def test_every_solver_has_its_picture_on_the_page() -> None:
    text = (ROOT / "docs" / "solvers.md").read_text()
    for name in (
        "taylor-green",
        "cavity",
        "poisson-disc",
        "cubic-crystal",
        "hexagonal-heat",
        "gray-scott",
        "spherical-wave",
    ):
        assert f"](solvers/{name}.png)" in text
        assert (ROOT / "docs" / "solvers" / f"{name}.png").stat().st_size < 150_000
        assert f"examples/{name.replace('-', '_')}.py" in text

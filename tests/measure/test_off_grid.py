"""The off-grid error in closed form: against a hand-made formula, an integral over frequencies, and interpolation."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray
from pdobasis_cli import main

import pdobasis
from pdobasis.errors import SpecError
from pdobasis.exact.array import ExactArray
from pdobasis.exact.numbers import to_float
from pdobasis.measure import off_grid_error, off_grid_errors, overall, rotation_errors
from pdobasis.measure.commutator import commutator
from pdobasis.measure.derivative_error import derivative_error
from pdobasis.measure.elements import off_grid_elements
from pdobasis.measure.off_grid import filter_space
from pdobasis.stencils import Grid, finite_difference, gaussian, multi_indices, rbf_fd
from pdobasis.stencils.sampled import Sampled, matrix_at, sample


def stencils(group: str, source: str, target: str, order: int, method: str, size: Any, **options: Any) -> Sampled:
    return sample(pdobasis.solve(group, source, target, order), method, size, **options)


def turn(angle: float) -> NDArray[np.float64]:
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return np.array([[c, -s], [s, c]])


@pytest.mark.parametrize("width", [0.7, 1.5, 3.0, 20.0])
def test_the_five_point_laplacian_turned_by_45_degrees(width: float) -> None:
    """By hand: with C(t) = exp(-t / 4w²) of the squared distance t, the eight outer points of the two stencils have

    |difference|² = 2 (4 + 8 C(2) + 4 C(4)) - 2 · 8 (C(2 - √2) + C(2 + √2)), |one|² = 20 - 32 C(1) + 8 C(2) + 4 C(4).
    """
    grid = Grid.regular(2, 3)
    laplacian = np.array([[0.0, 1, 0], [1, -4, 1], [0, 1, 0]]).reshape(1, 1, 1, 9)

    def c(squared: float) -> float:
        return float(np.exp(-squared / (4 * width**2)))

    one = np.eye(1)
    missed, whole = commutator(laplacian, grid.coordinates(), turn(45), one, one, width)
    # At a width of 20 the formula by hand loses ten digits, which the sum of squares does not.
    loss = 1e-14 * 20 / whole
    root = np.sqrt(2)
    by_hand = 2 * (4 + 8 * c(2) + 4 * c(4)) - 16 * (c(2 - root) + c(2 + root))
    assert missed == pytest.approx(by_hand, rel=1e-10, abs=loss * whole)
    assert whole == pytest.approx(20 - 32 * c(1) + 8 * c(2) + 4 * c(4), rel=1e-10, abs=loss * whole)


def by_quadrature(
    filters: NDArray[np.float64],
    nodes: NDArray[np.float64],
    g: NDArray[np.float64],
    rho_in: NDArray[np.float64],
    rho_out: NDArray[np.float64],
    width: float,
) -> tuple[float, float]:
    """The integral of |Ŵ(g^{-T}k) ρ_in - ρ_out Ŵ(k)|² over frequencies with density ∝ exp(-w²|k|²), by Gauss and Hermite."""
    points, weights = np.polynomial.hermite.hermgauss(48)
    dim = nodes.shape[1]
    k = np.stack(np.meshgrid(*(points / width,) * dim, indexing="ij"), -1).reshape(-1, dim)
    density = np.prod(np.stack(np.meshgrid(*(weights,) * dim, indexing="ij")), axis=0).ravel() / np.pi ** (dim / 2)

    def symbol(k: NDArray[np.float64]) -> NDArray[np.complex128]:
        return np.asarray(np.einsum("eoin,kn->keoi", filters, np.exp(1j * k @ nodes.T)))

    turned = rho_out @ symbol(k)
    missed = symbol(k @ np.linalg.inv(g)) @ rho_in - turned
    return tuple(float(density @ (np.abs(v) ** 2).sum(axis=(1, 2, 3))) for v in (missed, turned))  # type: ignore[return-value]


@pytest.mark.parametrize("matrices", ["orthogonal", "any"])
@pytest.mark.parametrize("width", [1.0, 3.0])
def test_it_is_an_integral_over_frequencies(matrices: str, width: float) -> None:
    rng = np.random.default_rng(3)
    filters = rng.standard_normal((2, 3, 2, 20))
    nodes = Grid.regular(2, (5, 4), spacing=(1, "3/4")).coordinates()
    g, rho_in, rho_out = turn(31.0), turn(62.0), np.eye(3)
    if matrices == "any":
        g, rho_in, rho_out = (rng.standard_normal((n, n)) for n in (2, 2, 3))
    found = commutator(filters, nodes, g, rho_in, rho_out, width)
    assert found == pytest.approx(by_quadrature(filters, nodes, g, rho_in, rho_out, width), rel=1e-9)


QUESTIONS = [
    ("C16", "trivial", "regular", 2, "gauss", 5),
    ("D8", "vector", "irrep(1,2) + trivial", 2, "fd", 3),
    ("O(2)", "vector", "irrep(1,2)", 3, "rbffd", 5),
    ("SO(3)", "trivial", "vector", 1, "fd", 3),
    ("I", "vector", "vector", 1, "gauss", 3),
]


def missed_and_whole(sampled: Sampled, g: ExactArray) -> tuple[float, float]:
    rho_in, rho_out = (matrix_at(fields, g) for fields in (sampled.problem.in_type, sampled.problem.out_type))
    filters, nodes = filter_space(sampled.stencils), sampled.grid.coordinates()
    return commutator(filters, nodes, to_float(g), rho_in, rho_out, 3.0)


@pytest.mark.parametrize("question", QUESTIONS)
def test_symmetries_of_the_grid_before_or_after_change_nothing(question: tuple[Any, ...]) -> None:
    """W k = k W for them, and k f is as likely as f: the error is a function on K \\ G / K, and the same for g and 1/g."""
    sampled = stencils(*question)
    off = off_grid_elements(sampled.problem.group, sampled.grid)
    assert off
    on = [g for g in pdobasis.group({2: "C4", 3: "T"}[sampled.grid.dim]).elements if g in sampled.problem.group][:6]
    for g in off[:2]:
        missed, whole = missed_and_whole(sampled, g)
        assert missed > 1e-12 * whole
        for k in on:
            for same in (k @ g, g @ k, (k @ g).inverse()):
                assert missed_and_whole(sampled, same) == pytest.approx((missed, whole), rel=1e-6)


@pytest.mark.parametrize("question", QUESTIONS)
def test_for_symmetries_of_the_grid_it_is_rounding(question: tuple[Any, ...]) -> None:
    sampled = stencils(*question)
    for k in pdobasis.group({2: "C4", 3: "T"}[sampled.grid.dim]).elements[:6]:
        if k in sampled.problem.group:
            missed, whole = missed_and_whole(sampled, k)
            assert missed <= 1e-28 * whole


def test_which_elements_leave_the_grid() -> None:
    square, oblong = Grid.regular(2, 3), Grid.regular(2, (3, 5))
    counts = {
        ("C4", square): 0, ("D4", square): 0, ("C8", square): 1, ("C16", square): 3, ("D8", square): 1, ("C5", square): 4,
        ("SO(2)", square): 3, ("O(2)", square): 3, ("C4", oblong): 1, ("D4", oblong): 1, ("SO(2)", oblong): 7,
        ("Oh", Grid.regular(3, 3)): 0, ("I", Grid.regular(3, 3)): 4, ("SO(3)", Grid.regular(3, 3)): 3,
        ("O(1)", Grid.regular(1, 3)): 0,
    }  # fmt: skip
    found = {(name, grid): len(off_grid_elements(pdobasis.group(name), grid)) for name, grid in counts}
    assert found == counts


def test_where_every_element_fits_the_grid_there_is_no_error() -> None:
    for question in (("D4", "vector", "vector", 2, "gauss", 5), ("O(1)", "trivial", "vector", 1, "fd", 3)):
        sampled = stencils(*question)
        assert off_grid_errors(sampled) == ()
        assert off_grid_error(sampled) == 0.0


def test_an_oblong_stencil_does_not_know_quarter_turns() -> None:
    found = off_grid_errors(stencils("D4", "trivial", "vector", 2, "fd", (3, 5)))
    assert [f.label for f in found] == ["rotation by 90°"]
    assert found[0].error > 1e-3


def test_it_belongs_to_the_space_of_filters_not_to_its_basis() -> None:
    """Two solvers, and random recombinations, of one space."""
    one, two = (
        sample(pdobasis.solve("C8", "vector", "irrep(2) + trivial", 3, method=method), "gauss", 5)
        for method in ("direct", "transfer")
    )
    assert not np.array_equal(one.stencils, two.stencils)
    assert off_grid_error(one) == pytest.approx(off_grid_error(two), rel=1e-9)
    mixed = np.tensordot(np.random.default_rng(0).standard_normal((one.elements,) * 2), one.stencils, 1)
    assert off_grid_error(replace(one, stencils=mixed)) == pytest.approx(off_grid_error(one), rel=1e-9)


def test_a_regular_input_repeats_the_filters_of_a_scalar_one() -> None:
    """W(h, h') = ψ(h⁻¹h') turned by h: as many independent filters as elements, each as round as from a scalar."""
    scalar, regular = (
        off_grid_error(stencils("C8", source, "regular", 2, "fd", 3)) for source in ("trivial", "regular")
    )
    assert regular == pytest.approx(scalar, rel=1e-10)


def test_the_error_falls_with_the_square_of_the_width() -> None:
    """A second order of accuracy; small errors are not drowned in rounding, since squares are added."""
    sampled = stencils("SO(2)", "trivial", "vector", 1, "fd", 3)
    errors = [off_grid_error(sampled, width=width) for width in (1e2, 1e3, 1e4)]
    assert errors[2] < 1e-8
    assert [a / b for a, b in pairwise(errors)] == pytest.approx([100, 100], rel=1e-2)


MEASURED = [
    (3, 2, "fd", {}), (3, 2, "rbffd", {}), (3, 2, "gauss", {}), (3, 2, "gauss", {"sigma": 0.78, "normalize": "moments"}),
    (5, 3, "fd", {}), (5, 3, "gauss", {"sigma": 1.3}), (5, 3, "gauss", {"sigma": 1.3, "normalize": "moments"}),
]  # fmt: skip


@pytest.mark.parametrize(("size", "order", "method", "options"), MEASURED)
def test_interpolation_finds_the_same_order_of_magnitude(size: int, order: int, method: str, options: Any) -> None:
    """Smooth blobs have widths of 3 to 6, rough ones of 1.2 to 2.4; medians of ratios there, a ratio of means here."""
    sampled = stencils("C16", "trivial", "regular", order, method, size, **options)
    for field, width in (("smooth", 3.0), ("rough", 1.5)):
        measured = overall(rotation_errors(sampled, runs=5, seeds=2, field=field)).median
        assert 0.4 < off_grid_error(sampled, width=width) / measured < 2.5


DERIVATIVES = [("gauss", 5, 3), ("gauss", 3, 1), ("fd", 5, 2), ("rbffd", 5, 3), ("gauss", (5, 3), 2), ("fd", (5, 7), 3)]


@pytest.mark.parametrize(("method", "size", "order"), DERIVATIVES)
@pytest.mark.parametrize("width", [1.5, 3.0])
def test_derivatives_by_themselves_are_scalars_to_regular_fields(
    method: str, size: Any, order: int, width: float
) -> None:
    """A filter of C16 from a scalar to a regular field is one derivative, turned by all elements."""
    alphas, grid = multi_indices(2, order), Grid.regular(2, size)
    weights = {
        "gauss": lambda: gaussian(alphas, grid, sigma=1.3),
        "fd": lambda: finite_difference(alphas, grid),
        "rbffd": lambda: rbf_fd(alphas, grid, "phs5"),
    }[method]()
    options: dict[str, dict[str, Any]] = {"gauss": {"sigma": 1.3}, "rbffd": {"phi": "phs5"}, "fd": {}}
    whole = off_grid_error(stencils("C16", "trivial", "regular", order, method, size, **options[method]), width)
    assert derivative_error(weights, width) == pytest.approx(whole, rel=1e-5)


def test_derivatives_in_space_and_on_a_line() -> None:
    """Around x3 derivatives along it are as round as their factors, which dilutes the error of the plane."""
    assert derivative_error(gaussian(multi_indices(1, 3), Grid.regular(1, 5), sigma=1.3)) == 0.0
    plane, space = (derivative_error(gaussian(multi_indices(d, 2), Grid.regular(d, 3), sigma=0.78)) for d in (2, 3))
    assert 0.5 * plane < space < plane


def test_stencils_for_the_other_sense_of_rotation_are_far_off() -> None:
    sampled = stencils("C16", "trivial", "vector", 1, "fd", 3)
    assert off_grid_error(sampled) < 3e-2
    mirrored = replace(sampled, grid=sampled.grid.with_layout("image"))
    assert off_grid_error(mirrored) > 0.3


def test_layout_and_spacing_do_not_matter() -> None:
    """The width counts samples, whatever their distance is called."""
    plain, image, fine = (
        off_grid_error(stencils("C8", "trivial", "vector", 2, "fd", 5, **options))
        for options in ({}, {"layout": "image"}, {"spacing": "1/8"})
    )
    assert image == pytest.approx(plain, rel=1e-9)
    assert fine == pytest.approx(plain, rel=1e-9)


COMMAND = ["error", "--group", "C16", "--in", "trivial", "--out", "vector", "--order", "1", "--stencil", "fd", "--size", "3",
           "--seeds", "1", "--runs", "1"]  # fmt: skip


def test_the_command_prints_the_same_number() -> None:
    sampled = stencils("C16", "trivial", "vector", 1, "fd", 3)
    for width in (3.0, 2.0):
        found = json.loads(CliRunner().invoke(main, [*COMMAND, "--field-width", str(width), "--json"]).stdout)[
            "off_grid"
        ]
        assert found["error"] == off_grid_error(sampled, width)
        assert [e["label"] for e in found["elements"]] == [f.label for f in off_grid_errors(sampled)]
    printed = CliRunner().invoke(main, COMMAND).stdout
    assert f"Off-grid error: {off_grid_error(sampled):.2e}" in printed


def test_the_command_refuses_a_width_in_one_line() -> None:
    result = CliRunner().invoke(main, [*COMMAND, "--field-width", "-1"])
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].startswith("Error: the width of a field is a positive number")


def test_refusals() -> None:
    sampled = stencils("C8", "trivial", "vector", 1, "fd", 3)
    for width in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(SpecError, match="width"):
            off_grid_error(sampled, width=width)
    with pytest.raises(SpecError, match="use a larger width"):
        off_grid_error(sampled, width=0.01)
    staggered = sample(pdobasis.solve("D4", "trivial", "vector", 1), "fd", 3, out_offsets=[["1/2", 0], [0, "1/2"]])
    with pytest.raises(SpecError, match="staggered"):
        off_grid_error(staggered)

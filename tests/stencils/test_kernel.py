"""Sampled kernels: equivariant, band-limited, and only the mean at the origin."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from pdobasis_cli import main

import pdobasis
from pdobasis.files.formats import load, save
from pdobasis.files.stencil_file import contents
from pdobasis.layers.request import sampled
from pdobasis.stencils import (
    Grid,
    KernelError,
    Layout,
    MultiIndexError,
    ShapeError,
    StencilError,
    equivariance_defect,
    sampled_kernels,
    signed_permutations,
)
from pdobasis.stencils.sampled import sample

EXPONENTS = [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)]
ONE, X, Y = np.eye(6)[:3]
COS2, SIN2 = np.array([0, 0, 0, 1.0, 0, -1]), np.array([0, 0, 0, 0, 2.0, 0])
VECTOR_TO_VECTOR = np.array([[[ONE, 0 * ONE], [0 * ONE, ONE]], [[COS2, SIN2], [SIN2, -COS2]]])
SCALAR_TO_VECTOR = np.array([[[X], [Y]]])


@pytest.mark.parametrize("layout", ["grid", "image"])
def test_kernels_are_equivariant_under_the_square(layout: Layout) -> None:
    grid = Grid.regular(2, 5, layout=layout)
    for coefficients, trivial_in in ((VECTOR_TO_VECTOR, False), (SCALAR_TO_VECTOR, True)):
        kernels = sampled_kernels(EXPONENTS, coefficients, grid, [0.0, 1.0, 2.0], 0.6)
        for g in signed_permutations(2):
            assert equivariance_defect(kernels.weights, g, g, np.eye(1) if trivial_in else g, layout) <= 1e-15


@pytest.mark.parametrize("layout", ["grid", "image"])
def test_kernels_turned_by_a_quarter_fail(layout: Layout) -> None:
    kernels = sampled_kernels(EXPONENTS, SCALAR_TO_VECTOR, Grid.regular(2, 5, layout=layout), [1.0, 2.0], 0.6)
    turned = np.rot90(kernels.weights, axes=(-2, -1))
    assert max(equivariance_defect(turned, g, g, np.eye(1), layout) for g in signed_permutations(2)) > 1


def test_values_at_the_nodes() -> None:
    kernels = sampled_kernels(EXPONENTS, SCALAR_TO_VECTOR, Grid.regular(2, 3), [1.0], [0.5])
    diagonal = np.exp(-((np.sqrt(2) - 1) ** 2) / 0.5) / np.sqrt(2)
    expected = [[-diagonal, 0, diagonal], [-1, 0, 1], [-diagonal, 0, diagonal]]
    assert np.allclose(kernels.weights[0, 0, 0], expected)
    assert np.allclose(kernels.weights[0, 1, 0], np.transpose(expected))


def test_the_origin_keeps_only_the_mean() -> None:
    kernels = sampled_kernels(EXPONENTS, VECTOR_TO_VECTOR, Grid.regular(2, 5), [1.0], 1.0)
    centre = kernels.weights[:, :, :, 2, 2]
    assert np.allclose(centre[0], np.eye(2) * np.exp(-0.5))
    assert not centre[1].any()


LIMITS = [(3.0, [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2)]), (1.5, [(0, 0), (0, 1), (0, 2), (1, 2)]), (None, 6)]


@pytest.mark.parametrize(("limit", "kept"), LIMITS)
def test_the_band_limit_cuts_high_frequencies_on_small_rings(limit: Any, kept: Any) -> None:
    kernels = sampled_kernels(EXPONENTS, VECTOR_TO_VECTOR, Grid.regular(2, 5), [0, 1, 2], 0.6, band_limit=limit)
    pairs = list(zip(kernels.elements, kernels.rings, strict=True))
    assert len(pairs) == kept if isinstance(kept, int) else pairs == kept


def test_the_band_limit_is_about_cells() -> None:
    grid = Grid.regular(2, 5, spacing=2)
    kernels = sampled_kernels(EXPONENTS, VECTOR_TO_VECTOR, grid, [1.0], 0.6)
    assert kernels.elements == (0,)


def test_refusals() -> None:
    grid = Grid.regular(2, 3)
    with pytest.raises(KernelError, match="mixes the degrees"):
        sampled_kernels(EXPONENTS, (ONE + X)[None, None, None], grid, [1.0], 0.5)
    with pytest.raises(KernelError, match="widths"):
        sampled_kernels(EXPONENTS, SCALAR_TO_VECTOR, grid, [1.0], [0.5, 0.5])
    with pytest.raises(KernelError, match="radii"):
        sampled_kernels(EXPONENTS, SCALAR_TO_VECTOR, grid, [-1.0], 0.5)
    for radii, widths, said in (
        ([100.0], 0.5, "reach"),
        ([], 0.5, "one radius"),
        (["x"], 0.5, "radii"),
        ([1.0], "q", "widths"),
    ):
        with pytest.raises(StencilError, match=said):
            sampled_kernels(EXPONENTS, SCALAR_TO_VECTOR, grid, radii, widths)  # type: ignore[arg-type]
    with pytest.raises(ShapeError):
        sampled_kernels(EXPONENTS, SCALAR_TO_VECTOR[..., :5], grid, [1.0], 0.5)
    with pytest.raises(MultiIndexError):
        sampled_kernels([(1, 0, 0)], np.ones((1, 1, 1, 1)), grid, [1.0], 0.5)


UNLIMITED = [((), (2, 2)), ((("band_limit", 3.0),), (2, 2)), ((("band_limit", None),), (4, 4))]
"""SO(2), scalars to vectors, on the rings of radius 0 and 1: angular order 1 stays on the inner one only without limit."""


@pytest.mark.parametrize(("options", "kept"), UNLIMITED)
def test_no_band_limit_is_a_value_of_its_own(options: Any, kept: tuple[int, int]) -> None:
    basis = pdobasis.solve("SO(2)", "trivial", "irrep(1)", order=1)
    layer = sampled(basis, "kernel", (3, 3), **dict(options))
    elements = sum(len(pair.orders) for pair in layer.pairs)
    assert (len(basis.stencils("kernel", size=3, **dict(options))), elements) == kept


def test_a_file_without_band_limit_is_read_back_and_proved(tmp_path: Path) -> None:
    basis = pdobasis.solve("SO(2)", "trivial", "irrep(1)", order=1)
    made = contents(basis, sample(basis, "kernel", 3, band_limit=None))
    save(made, tmp_path / "free.npz")
    again = load(tmp_path / "free.npz").sampled()
    assert dict(again.options)["band_limit"] is None
    assert np.array_equal(again.stencils, made.sampled().stencils)
    assert CliRunner().invoke(main, ["verify", str(tmp_path / "free.npz")]).exit_code == 0


@pytest.mark.parametrize(("text", "elements"), [("none", 4), ("3", 2), (None, 2)])
def test_the_command_line_knows_none(text: str | None, elements: int, tmp_path: Path) -> None:
    words = [
        "export",
        "--group",
        "SO(2)",
        "--in",
        "trivial",
        "--out",
        "irrep(1)",
        "--order",
        "1",
        "--stencil",
        "kernel",
    ]
    words += ["--size", "3", "-o", str(tmp_path / "free.npz")]
    if text is not None:
        words += ["--band-limit", text]
    assert CliRunner().invoke(main, words).exit_code == 0
    assert load(tmp_path / "free.npz").sampled().elements == elements
    refused = CliRunner().invoke(main, [*words, "--band-limit", "nothing"])
    assert refused.exit_code == 2
    assert "expected a number, or none" in refused.stderr

"""Weights are numbers: an option that leads to none is refused by its name, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest

import pdobasis
from pdobasis.stencils.finite import NotFiniteError
from pdobasis.stencils.sampled import sample
from tests.fuzz.harness import run

QUESTION = ["export", "--group", "C4", "--in", "trivial", "--out", "vector", "--order", "2", "--size", "5"]


@pytest.mark.parametrize("stencil", ["gauss", "fd", "rbffd", "kernel"])
@pytest.mark.parametrize("spacing", ["1e-200", "1e-160", "1e200"])
def test_a_spacing_beyond_the_range_of_floats(stencil: str, spacing: str, tmp_path: Path) -> None:
    for name in ("x.json", "x.npz"):
        found = run([*QUESTION, "--stencil", stencil, "--spacing", spacing, "-o", str(tmp_path / name)])
        assert found.faults() == []
        if found.code == 2:
            assert "--spacing" in found.err
            assert list(tmp_path.iterdir()) == []
            continue
        # what is written is proved again, so it is finite
        assert run(["verify", str(tmp_path / name)]).code == 0
        (tmp_path / name).unlink()


@pytest.mark.parametrize(
    ("stencil", "option", "values"),
    [
        ("gauss", "--sigma", ["1e-200", "1e200", "1e-320", "nan", "inf", "-1"]),
        ("kernel", "--band-limit", ["inf", "nan", "-inf"]),
        ("kernel", "--radii", ["1e300", "nan,1", "inf"]),
        ("kernel", "--widths", ["1e-300", "nan", "inf"]),
        ("rbffd", "--epsilon", ["nan", "inf", "0"]),
    ],
)
def test_the_option_that_caused_it_is_named(stencil: str, option: str, values: list[str]) -> None:
    for value in values:
        found = run([*QUESTION, "--stencil", stencil, f"{option}={value}", "--format", "json"])
        assert found.faults() == []
        assert found.code == 2
        assert "NaN" not in found.out


@pytest.mark.parametrize(
    ("option", "value"),
    [("--epsilon", "1e300"), ("--epsilon", "1e-300"), ("--dilation", "1000"), ("--dilation", "1" + "0" * 30)],
)
@pytest.mark.parametrize("stencil", ["fd", "gauss", "rbffd"])
def test_far_values_are_answered_or_refused(stencil: str, option: str, value: str) -> None:
    for phi in ("gaussian", "phs", None):
        arguments = [*QUESTION, "--stencil", stencil, option, value, "--format", "json"]
        if phi and stencil == "rbffd":
            arguments += ["--phi", phi]
        found = run(arguments)
        assert found.faults() == []
        assert "NaN" not in found.out
        assert "Infinity" not in found.out


def test_the_library_refuses_as_well() -> None:
    basis = pdobasis.solve("C4", "trivial", "vector", 2)
    with pytest.raises(NotFiniteError, match="sigma=1e"):
        sample(basis, "gauss", 5, sigma=1e200)
    with pytest.raises(NotFiniteError, match="spacing=1e"):
        basis.stencils("fd", 3, spacing=1e-200)


@pytest.mark.parametrize("options", [["--sigma", "1e-3"], ["--sigma", "1e120"], ["--size", "1"]])
def test_a_derivative_whose_weights_all_vanish_is_refused(options: list[str], tmp_path: Path) -> None:
    """Finite numbers, and the derivative of nothing."""
    found = run([*QUESTION, "--stencil", "gauss", *options, "-o", str(tmp_path / "x.npz")])
    assert found.code == 2
    assert "all weights of a derivative vanish with --sigma" in found.err
    assert list(tmp_path.iterdir()) == []

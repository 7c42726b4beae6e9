"""Terms on arrays: axes instead of spacings, and how equivariant they are as they are computed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis.errors import SpecError
from pdobasis.nonlinear.measured import random_elements, simple_elements


def test_axes_give_the_spacing() -> None:
    found = pdobasis.terms("O(2)", {"u": "vector"}, "vector", 2, 2)
    x, y = np.arange(12) * 0.5 - 1, np.arange(8) * 0.25
    u = np.random.default_rng(0).normal(size=(2, 8, 12))
    for stencil in ("spectral", "fd"):
        expected = found.evaluate({"u": u}, (0.5, 0.25), stencil=stencil)
        assert np.allclose(found.evaluate({"u": u}, grid=(x, y), stencil=stencil), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("grid", "says"),
    [
        ([[0, 1, 3], [0, 1, 2]], "x1 is not uniform"),
        ([[0, 1, 2]], "one axis for each of 2"),
        ([[0, 1, 2], [0, 1, 2, 3]], "have"),
        ([[0, 1, 2], [2, 1, 0]], "increasing"),
    ],
)
def test_axes_that_do_not_fit_are_refused(grid: list[list[float]], says: str) -> None:
    found = pdobasis.terms("O(2)", {"u": "vector"}, "vector", 2, 1)
    with pytest.raises(SpecError, match=says):
        found.evaluate({"u": np.ones((2, 3, 3))}, grid=grid)


@pytest.mark.parametrize("group", ["O(2)", "SO(2)", "D4", "C4"])
@pytest.mark.parametrize("stencil", ["spectral", "fd"])
def test_quarter_turns_of_a_grid_leave_only_rounding(group: str, stencil: str) -> None:
    fields = {"u": "vector", "S": "sym(2, vector)"}
    found = pdobasis.terms(group, fields, "vector", 2, 1, constants={"g": "vector"})
    rng = np.random.default_rng(1)
    arrays = {"u": rng.normal(size=(2, 12, 12)), "S": rng.normal(size=(3, 12, 12)), "g": np.array([1.0, 2.0])}
    assert found.equivariance_error(arrays, stencil=stencil).max() < 1e-11


def test_random_elements_of_a_cloud() -> None:
    found = pdobasis.terms("O(3)", {"u": "vector"}, "vector", 2, 1)
    rng = np.random.default_rng(2)
    x = rng.uniform(-1, 1, (150, 3))
    u = np.stack([x[:, 1] ** 2, np.sin(x[:, 0]), x[:, 2] * x[:, 0]])
    assert found.equivariance_error({"u": u}, points=x, neighbours=30).max() < 1e-6


def test_what_is_not_equivariant_is_seen() -> None:
    # terms of C2, which has no quarter turns, under those of O(2): u1 alone is no vector
    found = pdobasis.terms("C2", {"u": "vector"}, "vector", 1, 0)
    question = pdobasis.terms("O(2)", {"u": "vector"}, "vector", 1, 0).question
    turned = [g for g in simple_elements(question) if abs(g.space[0, 1]) > 0.5]
    assert turned
    u = np.random.default_rng(3).normal(size=(2, 8, 8))
    from dataclasses import replace

    other = replace(found, question=question)
    assert other.equivariance_error({"u": u}).max() > 0.1


def test_random_elements_multiply_as_the_group_does() -> None:
    question = pdobasis.terms("O(3)", {"S": "sym(2, vector)"}, "vector", 1, 0).question
    for g in random_elements(question, 5, 0):
        assert np.allclose(g.space @ g.space.T, np.eye(3))
        assert np.allclose(g.space, g.out)
        s = np.array([[1.0, 2, 3], [2, 4, 5], [3, 5, 6]])
        upper = np.triu_indices(3)
        assert np.allclose((g.space @ s @ g.space.T)[upper], g.fields["S"] @ s[upper])


def test_differences_have_names() -> None:
    plane = pdobasis.terms("O(2)", {"h": "trivial"}, "trivial", 2, 2, structure="divergence")
    assert plane[-1].name == "twice the Hessian determinant"
    space = pdobasis.terms("O(3)", {"u": "vector"}, "trivial", 2, 1, structure="divergence")
    assert space[-1].name == "twice the Q-criterion"


def test_a_term_that_cancels_is_measured_by_what_cancels() -> None:
    # p is harmonic: u_i Δp is zero but for rounding, which is no error of equivariance
    found = pdobasis.terms("O(2)", {"u": "vector", "p": "trivial"}, "vector", 2, 2, max_total=2)
    points = np.random.default_rng(0).uniform(-1, 1, (120, 2))
    x, y = points.T
    fields = {"u": np.stack([x * y, x - y]), "p": x**2 - y**2}
    assert found.equivariance_error(fields, points=points, stencil="rbffd").max() < 1e-9


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"points": np.zeros((9, 2)), "stencil": "gauss"}, "sigma"),
        ({"points": np.zeros((9, 2)), "stencil": "rbffd", "sigma": 1.0}, "has no option"),
        ({"stencil": "fd", "sigma": 1.0}, "has no option"),
        ({"spacing": [1, 2, 3]}, "spacing"),
    ],
)
def test_options_that_do_not_fit_are_refused(options: dict[str, Any], says: str) -> None:
    found = pdobasis.terms("O(2)", {"p": "trivial"}, "trivial", 1, 2)
    p = np.zeros(9) if "points" in options else np.zeros((9, 9))
    with pytest.raises(SpecError, match=says):
        found.evaluate({"p": p}, **options)


def test_complex_fields_are_refused() -> None:
    found = pdobasis.terms("O(2)", {"p": "trivial"}, "trivial", 1, 2)
    with pytest.raises(SpecError, match="two fields"):
        found.evaluate({"p": np.zeros((9, 9), dtype=complex)})


def test_tensors_that_do_not_fit_are_refused() -> None:
    torch = pytest.importorskip("torch")
    from pdobasis.nn import TermsFunction

    found = pdobasis.terms("O(2)", {"u": "vector"}, "vector", 2, 1, time=True)
    u = torch.zeros(2, 4, 4)
    with pytest.raises(SpecError, match="need u_t"):
        TermsFunction(found)({"u": u})
    with pytest.raises(SpecError, match=r"u needs the shape \(…, 2, n, n\)"):
        TermsFunction(found)({"u": u[0], "u_t": u})
    with pytest.raises(SpecError, match="spacing"):
        TermsFunction(found, [1, 2, 3])
    nothing = pdobasis.terms("O(2)", {"h": "trivial"}, "vector", 1, 0)
    assert TermsFunction(nothing)({"h": torch.zeros(7, 1, 4, 4)}).shape == (0, 7, 2, 4, 4)


def test_source_takes_constants_and_one_spacing() -> None:
    found = pdobasis.terms("O(2)", {"h": "trivial"}, "vector", 2, 1, constants={"g": "vector"})
    names: dict[str, Any] = {}
    exec(found.python_source(), names)  # noqa: S102
    h = np.random.default_rng(0).normal(size=(1, 8, 8))
    jets = names["derivatives"]({"h": h, "g": [0.5, -2.0]}, 0.3)
    values = [[np.broadcast_to(c, (8, 8)) for c in row] for row in names["terms"](jets)]
    np.testing.assert_allclose(values, found.evaluate({"h": h, "g": [0.5, -2.0]}, spacing=0.3), atol=1e-10)

"""Terms on arrays: axes instead of spacings, and how equivariant they are as they are computed."""

from __future__ import annotations

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

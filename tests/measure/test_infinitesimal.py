"""PDOs as the infinitesimal limit of Gaussian kernels: order 2 in sigma, over several fields and seeds."""

from __future__ import annotations

import numpy as np
import pytest

import pdobasis
from pdobasis.answer.solve import solve_problem
from pdobasis.errors import GroupError
from pdobasis.exact.array import integers
from pdobasis.measure import gaussian_limit
from pdobasis.question.own_group import build_group
from pdobasis.question.problem import Problem
from pdobasis.question.text import parse_field_type

QUESTIONS = [
    ("SO(2)", "vector", "vector", 2),
    ("D4", "trivial", "trivial", 4),
    ("C4", "regular", "vector", 1),
    ("SO(3)", "vector", "vector", 1),
]


@pytest.mark.parametrize(("group", "in_rep", "out_rep", "order"), QUESTIONS)
def test_the_error_falls_with_the_square_of_sigma(group: str, in_rep: str, out_rep: str, order: int) -> None:
    runs = gaussian_limit(pdobasis.solve(group, in_rep, out_rep, order), seeds=range(3))
    assert len(runs) == 9
    for run in runs:
        assert run.errors[-1] < 0.05
        assert 1.95 < run.rates[-1] < 2.05
        errors = np.array(run.errors)
        assert (np.diff(errors) < 0).all()


def test_a_group_that_keeps_another_length() -> None:
    """The Gaussian of the invariant form, not the round one."""
    group = build_group("skew C6", {"g": integers([[1, -1], [1, 0]])}, {})
    fields = parse_field_type("vector", group)
    basis = solve_problem(Problem(group, fields, fields, 2))
    for run in gaussian_limit(basis, seeds=range(2)):
        assert 1.9 < run.rates[-1] < 2.1


def test_a_wrong_sign_is_seen() -> None:
    """Cross-correlation in the place of convolution turns the sign of odd orders, and then nothing converges."""
    basis = pdobasis.solve("O(2)", "trivial", "vector", order=1)
    x = np.array([[0.3, -0.2]])
    gradient = basis.gaussian_kernels().at(x, 1.0)[0, 0, :, 0]
    assert np.sign(gradient).tolist() == [-1, 1]


def test_a_group_without_a_length() -> None:
    with pytest.raises(GroupError, match="no quadratic form"):
        gaussian_limit(pdobasis.solve("SL(2)", "vector", "trivial", order=1))

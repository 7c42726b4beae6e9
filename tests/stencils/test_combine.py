"""Stencils of a basis are one matrix product of stencils of monomials."""

from typing import Any

import numpy as np
import pytest

from pdobasis.stencils import (
    Grid,
    ShapeError,
    combine,
    finite_difference,
    gaussian,
    moments,
    rbf_fd,
    rbf_fd_cloud,
)


def test_it_is_the_sum_over_monomials() -> None:
    rng = np.random.default_rng(0)
    coefficients, weights = rng.random((5, 3, 2, 6)), rng.random((6, 4, 5))
    result = combine(coefficients, weights)
    assert result.shape == (5, 3, 2, 4, 5)
    assert np.allclose(result, np.einsum("eoim,myx->eoiyx", coefficients, weights), rtol=1e-14)


@pytest.mark.parametrize(("left", "right"), [((1, 1, 1, 2), (3, 3, 3)), ((1, 1, 2), (2, 3)), ((1, 1, 1, 2), (2,))])
def test_shapes_that_do_not_fit_are_refused(left: Any, right: Any) -> None:
    with pytest.raises(ShapeError):
        combine(np.zeros(left), np.zeros(right))


def test_an_empty_basis_has_empty_stencils() -> None:
    assert combine(np.zeros((0, 2, 2, 3)), np.zeros((3, 5, 5))).shape == (0, 2, 2, 5, 5)


def test_no_monomials_and_no_targets_are_no_trouble() -> None:
    grid = Grid.regular(2, 3)
    for stencils in (
        finite_difference([], grid),
        gaussian([], grid, 1.0, normalize="moments"),
        rbf_fd([], grid),
    ):
        assert stencils.weights.shape == (0, 3, 3)
        assert moments(stencils, [(1, 0)]).shape == (0, 1)
    cloud = rbf_fd_cloud(np.random.default_rng(0).random((9, 2)), np.empty((0, 2)), [(1, 0)], neighbours=5)
    assert cloud.weights.shape == (0, 1, 5)

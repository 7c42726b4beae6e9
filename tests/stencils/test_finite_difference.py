"""Finite differences are exact, as fractions."""

from fractions import Fraction
from math import factorial, prod
from typing import Any

import numpy as np
import pytest
import sympy  # type: ignore[import-untyped, unused-ignore]
from hypothesis import given, settings
from hypothesis import strategies as st

from pdobasis.stencils import (
    Grid,
    Layout,
    RepeatedNodeError,
    StencilError,
    StencilTooSmallError,
    finite_difference,
    fornberg_weights,
    gaussian,
    multi_indices,
)

KNOWN = [  # order, size, weights, accuracy
    (1, 3, "-1/2 0 1/2", 2),
    (2, 3, "1 -2 1", 2),
    (1, 5, "1/12 -2/3 0 2/3 -1/12", 4),
    (2, 5, "-1/12 4/3 -5/2 4/3 -1/12", 4),
    (3, 5, "-1/2 1 0 -1 1/2", 2),
    (4, 5, "1 -4 6 -4 1", 2),
    (1, 2, "-1 1", 2),
    (0, 2, "1/2 1/2", 2),
    (0, 3, "0 1 0", None),
    (1, 4, "1/24 -9/8 9/8 -1/24", 4),
]


@pytest.mark.parametrize(("order", "size", "weights", "accuracy"), KNOWN)
def test_the_stencils_everyone_knows(order: int, size: Any, weights: str, accuracy: int | None) -> None:
    stencils = finite_difference([(order,)], Grid.regular(1, size))
    assert [str(w) for w in stencils.exact(0)] == weights.split()
    assert stencils.accuracy == (accuracy,)


fractions = st.fractions(min_value=-5, max_value=5, max_denominator=12)


@given(st.lists(fractions, min_size=1, max_size=7, unique=True), fractions, st.data())
@settings(derandomize=True, max_examples=60, deadline=None)
def test_weights_agree_with_sympy_on_random_nodes(nodes: Any, target: Any, data: Any) -> None:
    order = data.draw(st.integers(0, len(nodes) - 1))
    ours = fornberg_weights(nodes, order, target)
    points = [sympy.Rational(x.numerator, x.denominator) for x in nodes]
    theirs = sympy.finite_diff_weights(order, points, sympy.Rational(target.numerator, target.denominator))
    for m in range(order + 1):
        assert [Fraction(int(w.p), int(w.q)) for w in theirs[m][-1]] == list(ours[m])


@pytest.mark.parametrize("layout", ["grid", "image"])
@pytest.mark.parametrize("size", [(3, 5), (4, 3), (5, 5), (2, 3, 4), (3, 3, 3)])
def test_exact_on_every_monomial_of_degree_below_the_size(size: Any, layout: Layout) -> None:
    grid = Grid.regular(len(size), size, spacing=["1/2", "3", "2/7"][: len(size)], dilation=2, layout=layout)
    alphas = [a for a in multi_indices(grid.dim, 3) if all(k < n for k, n in zip(a, size, strict=True))]
    stencils = finite_difference(alphas, grid)
    nodes = grid.nodes()
    for i, alpha in enumerate(alphas):
        weights = stencils.exact(i).ravel()
        for beta in np.ndindex(*size):
            moment = sum(
                w * prod(x**b for x, b in zip(node, beta, strict=True)) for w, node in zip(weights, nodes, strict=True)
            )
            assert moment == (prod(factorial(a) for a in alpha) if alpha == beta else 0)


def test_floats_are_the_fractions_rounded_once() -> None:
    stencils = finite_difference(multi_indices(2, 4), Grid.regular(2, 7, spacing="1/3"))
    for i in range(len(stencils.alphas)):
        assert np.array_equal(stencils.weights[i], stencils.exact(i).astype(float))


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("accuracy", [2, 4])
def test_findiff_agrees(order: int, accuracy: int | None) -> None:
    findiff = pytest.importorskip("findiff")
    theirs = findiff.coefficients(deriv=order, acc=accuracy)["center"]["coefficients"]
    stencils = finite_difference([(order,)], Grid.regular(1, len(theirs)))
    assert np.allclose(stencils.weights[0], theirs, rtol=1e-9, atol=1e-9)
    assert stencils.accuracy == (accuracy,)


def test_convergence_has_the_reported_order() -> None:
    for size, alpha in [(5, (1, 1)), (5, (2, 0)), (4, (1, 0)), (3, (2, 1))]:
        errors = []
        for h in (Fraction(1, 8), Fraction(1, 16)):
            grid = Grid.regular(2, size, spacing=h)
            stencils = finite_difference([alpha], grid)
            x = grid.coordinates()
            value = np.sum(stencils.weights[0].ravel() * np.exp(x[:, 0] + x[:, 1] / 2))
            errors.append(abs(value - 0.5 ** alpha[1]))
        assert np.log2(errors[0] / errors[1]) == pytest.approx(stencils.accuracy[0], abs=0.1)


SMALLEST = [(1, 1, 3), (2, 1, 3), (3, 3, 5), (4, 3, 5), (2, 2, 4), (3, 2, 4), (5, 4, 6)]


@pytest.mark.parametrize(("order", "size", "smallest"), SMALLEST)
def test_too_small_a_grid_is_refused_with_a_size_that_works(order: int, size: Any, smallest: int) -> None:
    with pytest.raises(StencilTooSmallError, match=f"size={smallest}") as caught:
        finite_difference([(0, order)], Grid.regular(2, (7, size)))
    assert (caught.value.axis, caught.value.smallest) == (1, smallest)
    finite_difference([(0, order)], Grid.regular(2, (7, smallest)))
    with pytest.raises(StencilTooSmallError):
        finite_difference([(0, order)], Grid.regular(2, (7, smallest - 2)))


def test_nodes_must_be_distinct_and_enough() -> None:
    with pytest.raises(RepeatedNodeError, match="twice"):
        fornberg_weights([Fraction(1), Fraction(2), Fraction(1)], 1)
    with pytest.raises(StencilTooSmallError):
        fornberg_weights([Fraction(1), Fraction(2)], 2)


def test_results_cannot_be_changed_and_only_differences_are_rational() -> None:
    stencils = finite_difference([(1,)], Grid.regular(1, 3))
    with pytest.raises(ValueError, match="read-only"):
        stencils.weights[0, 0] = 1
    with pytest.raises(StencilError, match="rational"):
        gaussian([(1,)], Grid.regular(1, 3), 1.0).exact(0)


def test_nine_cubed_is_a_tensor_product() -> None:
    stencils = finite_difference([(2, 2, 2)], Grid.regular(3, 9))
    assert stencils.weights.shape == (1, 9, 9, 9)
    assert stencils.exact(0)[4, 4, 4] == finite_difference([(2,)], Grid.regular(1, 9)).exact(0)[4] ** 3

"""Moments and convergence: what is promised by theory is what is measured."""

from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis.measure import consistency, convergence
from pdobasis.stencils import finite_difference
from pdobasis.stencils.multi_index import MultiIndex
from pdobasis.stencils.sampled import Sampled, sample

CASES: list[tuple[str, str, str, int, str, int, dict[str, Any]]] = [
    ("D4", "trivial", "vector", 3, "fd", 5, {}),
    ("O(2)", "vector", "vector", 2, "fd", 3, {"spacing": "1/2"}),
    ("O(3)", "vector", "vector", 2, "fd", 3, {}),
    ("D4", "trivial", "vector", 3, "rbffd", 5, {"phi": "phs5"}),
    ("C4", "trivial", "trivial", 2, "rbffd", 5, {"phi": "gaussian", "epsilon": 1.0}),
    ("D4", "trivial", "vector", 3, "gauss", 5, {"normalize": "moments"}),
    ("D4", "vector", "trivial", 1, "fd", 3, {"in_offsets": [("1/2", 0), (0, "1/2")]}),
    ("D4", "trivial", "trivial", 2, "fd", 4, {}),  # an even size: the target lies between the nodes
]


def make(case: tuple[Any, ...]) -> Sampled:
    group, in_rep, out_rep, order, method, size, options = case
    return sample(pdobasis.solve(group, in_rep, out_rep, order), method, size, **options)


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c[0]}-{c[4]}{c[5]}")
def test_the_observed_order_is_the_one_that_the_moments_promise(case: tuple[Any, ...]) -> None:
    sampled = make(case)
    found, rates = consistency(sampled), convergence(sampled)
    assert found is not None
    assert rates is not None
    for p, rate in zip(found.accuracy, rates, strict=True):
        if p is None:
            assert rate.rate is None
        else:
            assert p >= 1
            assert rate.rate == pytest.approx(p, abs=0.35)


def test_the_orders_of_finite_differences_are_those_of_the_exact_weights() -> None:
    sampled = make(("D4", "trivial", "vector", 3, "fd", 5, {}))
    alphas: list[MultiIndex] = [tuple(a) for a in sampled.monomials.tolist()]
    exact = dict(zip(alphas, finite_difference(alphas, sampled.grid).accuracy, strict=True))
    found = consistency(sampled)
    assert found is not None
    for e, p in enumerate(found.accuracy):
        used = [a for k, a in enumerate(alphas) if np.any(sampled.coefficients[e, ..., k])]
        assert p == min(order for order in (exact[a] for a in used) if order is not None)


def test_the_gradient_gives_one_on_its_own_coordinate_and_nothing_else() -> None:
    found = consistency(make(("D4", "trivial", "vector", 1, "fd", 3, {})))
    assert found is not None
    x1, x2, square = (found.monomials.index(b) for b in ((1, 0), (0, 1), (2, 0)))
    assert found.given[0, 0, 0, [x1, x2, square]].tolist() == [1, 0, 0]
    assert found.given[0, 1, 0, [x1, x2, square]].tolist() == [0, 1, 0]
    assert np.array_equal(found.given[..., :3], found.expected[..., :3])


def test_plain_gaussians_are_not_consistent_and_have_the_right_sign() -> None:
    sampled = make(("D4", "trivial", "vector", 1, "gauss", 5, {"sigma": 1.3}))
    found = consistency(sampled)
    assert found is not None
    assert found.accuracy == (0,)
    given = found.given[0, 0, 0, found.monomials.index((1, 0))]
    assert 0.5 < given < 1  # what a truncation at 1.5 sigma leaves of +1
    wide = consistency(make(("D4", "trivial", "vector", 1, "gauss", 15, {"sigma": 1.3})))
    assert wide is not None
    assert wide.given[0, 0, 0, found.monomials.index((1, 0))] == pytest.approx(1, abs=1e-5)


def test_kernels_are_no_derivatives() -> None:
    sampled = make(("D4", "trivial", "vector", 1, "kernel", 5, {}))
    assert consistency(sampled) is None
    assert convergence(sampled) is None

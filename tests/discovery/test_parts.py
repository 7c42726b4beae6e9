"""Integration by parts is an identity: the parts, differentiated, are the term."""

from __future__ import annotations

import pytest
from flint import fmpq

import pdobasis
from pdobasis.discovery.parts import by_parts
from pdobasis.nonlinear.polynomials import Coordinate, Polynomial, add_to, is_same, total_derivative


def put_together(parts: dict[tuple[int, ...], Polynomial]) -> Polynomial:
    out: Polynomial = {}
    for alpha, flux in parts.items():
        own = flux
        for axis, order in enumerate(alpha):
            for _ in range(order):
                own = total_derivative(own, axis)
        add_to(out, own)
    return out


@pytest.mark.parametrize(
    ("group", "fields", "out", "degree", "derivatives"),
    [
        ("O(2)", {"u": "vector"}, "vector", 3, 2),
        ("O(2)", {"u": "trivial"}, "trivial", 3, 4),
        ("SO(3)", {"u": "vector", "p": "trivial"}, "vector", 2, 2),
    ],
)
def test_parts_are_the_term(group: str, fields: dict[str, str], out: str, degree: int, derivatives: int) -> None:
    found = pdobasis.terms(group, fields, out, degree, derivatives, max_total=derivatives)
    dim = found.question.group.dim
    for term in found:
        for polynomial in term.components:
            assert is_same(put_together(by_parts(polynomial, dim)), polynomial), term.text


@pytest.mark.parametrize(
    ("alphas", "left"),
    [
        ([(2, 0)], 0),  # ∂₁²u
        ([(0, 0), (1, 0)], 0),  # u ∂₁u = ½ ∂₁u²
        ([(0, 0), (0, 0), (0, 1)], 0),  # u² ∂₂u
        ([(1, 0), (2, 0)], 1),  # ∂₁u ∂₁²u = ½ ∂₁(∂₁u)²
        ([(0, 0), (2, 0)], 1),  # u ∂₁²u = ½ ∂₁²u² - (∂₁u)²
        ([(1, 0), (1, 0)], 1),  # (∂₁u)² stays
    ],
)
def test_how_many_derivatives_stay_on_the_data(alphas: list[tuple[int, int]], left: int) -> None:
    monomial = tuple(sorted(Coordinate(0, 0, alpha) for alpha in alphas))
    parts = by_parts({monomial: fmpq(1)}, 2)
    highest = max(c.order for flux in parts.values() for m in flux for c in m)
    assert highest == left


def test_the_divergence_form_of_advection_of_two_components() -> None:
    """u₂ ∂₂u₁ is no divergence: it stays as it is."""
    u1d = Coordinate(0, 0, (0, 1))
    u2 = Coordinate(0, 1, (0, 0))
    assert by_parts({(u1d, u2): fmpq(1)}, 2) == {(0, 0): {(u1d, u2): fmpq(1)}}

"""Ericksen and Leslie: the stress of a nematic liquid crystal with a unit director n, linear in A = sym ∂u and N.

Leslie's stress has six viscosities α1, …, α6: n n (n·A n), N n, n N, A, (A n) n, n (A n). By Parodi five of them are
independent, as many as the dissipation quadratic in A and N has coefficients. |n| = 1, n·N = 0, and a pressure is left
out; n and -n are the same. Here: terms for all n, then n = e3, then the rank of what is left.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import pdobasis
from pdobasis.exact.scalars import float_of
from pdobasis.nonlinear.polynomials import Coordinate, Monomial
from pdobasis.nonlinear.result import Term

Matrix = NDArray[np.float64]
STRESS = "tensor(vector, vector)"
NEMATIC = {"n": "vector", "A": "2e", "N": "vector"}


def rank_at_e3(terms: list[Term], pressure: bool) -> int:
    """The rank of the terms as functions of the other fields, at n = e3 and N·n = 0; modulo δ_ij times anything."""
    columns: dict[Monomial, int] = {}
    rows = []
    for term in terms:
        left: dict[tuple[int, int], float] = {}
        for c, polynomial in enumerate(term.components):
            for monomial, value in polynomial.items():
                if any(is_zero(term, j) for j in monomial):
                    continue
                rest = tuple(j for j in monomial if field(term, j) != "n")
                place = c, columns.setdefault(rest, len(columns))
                left[place] = left.get(place, 0.0) + float_of(value)
        rows.append(left)
    size = len(terms[0].components)
    table = np.zeros((len(rows), size, len(columns)))
    for k, left in enumerate(rows):
        for (c, column), number in left.items():
            table[k, c, column] = number
    if pressure:
        # the trace-free part: components 11, 22, 33 of nine
        table[:, [0, 4, 8]] -= table[:, [0, 4, 8]].mean(axis=1, keepdims=True)
    return int(np.linalg.matrix_rank(table.reshape(len(rows), -1), tol=1e-9))


def field(term: Term, j: Coordinate) -> str:
    return term.question.fields[j.field].name


def is_zero(term: Term, j: Coordinate) -> bool:
    """n1 = n2 = 0 and N3 = 0."""
    name = field(term, j)
    return (name == "n" and j.component != 2) or (name == "N" and j.component == 2)


def linear_in(found: pdobasis.Terms, names: str, power: int) -> list[Term]:
    """Terms with so many factors among these fields."""
    fields = found.question.fields
    return [t for t in found if sum(fields[j.field].name in names for j in t.multidegree.jets) == power]


def mean(function: Callable[[Matrix], float]) -> float:
    """Over the group of a director along e3: rotations about it, mirrors that contain it, and -1."""
    values = []
    for t in 2 * np.pi * np.arange(24) / 24:
        g = np.eye(3)
        g[:2, :2] = [[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]
        for mirror in (np.eye(3), np.diag([1.0, -1.0, 1.0])):
            values += [function(sign * g @ mirror) for sign in (1, -1)]
    return float(np.mean(values))


def strain(g: Matrix) -> float:
    """Symmetric and trace-free."""
    return float((np.trace(g) ** 2 + np.trace(g @ g)) / 2 - 1)


def rate(g: Matrix) -> float:
    """N n: a transverse vector that changes its sign with n."""
    return float((np.trace(g) - g[2, 2]) * g[2, 2])


def both(g: Matrix) -> float:
    return strain(g) + rate(g)


def square(g: Matrix) -> float:
    return float((both(g) ** 2 + both(g @ g)) / 2)


def stress(g: Matrix) -> float:
    return float(np.trace(g)) ** 2


def test_the_stress_has_six_viscosities_of_leslie() -> None:
    found = pdobasis.terms("O(3)", NEMATIC, STRESS, 5, 0, weights="A=1,N=1,out=1")
    assert found.holds
    # by hand: A; δ n·N, n N, N n; |n|² A, (A n) n, n (A n), δ n·A n; those times |n|², and n n (n·A n)
    expected = {"A": 1, "n · N": 3, "n² · A": 4, "n⁴ · A": 5}
    assert {label: found.dimensions[label] for label in expected} == expected
    assert not [label for label in found.dimensions if label in ("n · A", "n² · N", "n³ · A")]
    assert rank_at_e3(linear_in(found, "AN", 1), pressure=True) == 6
    assert mean(lambda g: both(g) * (stress(g) - 1)) == pytest.approx(6)


def test_the_dissipation_has_five_coefficients_as_parodi_says() -> None:
    # A:A, |A n|², (n·A n)², N², N·A n
    found = pdobasis.terms("O(3)", NEMATIC, "trivial", 6, 0, weights="A=1,N=1,out=2")
    assert found.holds
    assert rank_at_e3(linear_in(found, "AN", 2), pressure=False) == 5
    assert mean(square) == pytest.approx(5)


def test_the_stress_linear_in_the_gradient_of_the_velocity() -> None:
    # without incompressibility and without frame indifference: all of ∂u instead of A and N
    found = pdobasis.terms("O(3)", {"u": "vector"}, STRESS, 5, 1, constants={"n": "vector"}, max_total=1)
    assert found.dimensions["∂u"] == 3
    terms = [t for t in linear_in(found, "u", 1) if t.multidegree.total == 1]
    assert rank_at_e3(terms, pressure=False) == 10
    assert mean(lambda g: stress(g) ** 2) == pytest.approx(10)

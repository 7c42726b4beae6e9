"""SO(3) and O(3) without square roots: the same elements as through orthonormal irreps, over the same fields."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

import numpy as np
import pytest

from pdobasis.answer.solve import ask
from pdobasis.exact.array import ExactArray, integers
from pdobasis.representations.rational_bases import rational_basis
from pdobasis.representations.representation import Representation
from pdobasis.solvers import rotations
from pdobasis.solvers.transfer import solve_module

QUESTIONS = [
    ("O(3)", "sym(2, vector)", "vector", 2),
    ("O(3)", "tensor(vector, vector, vector)", "sym(2, vector)", 2),
    ("SO(3)", "sym(2, irrep(2))", "tensor(irrep(2), vector)", 2),
    ("SO(3)", "dual(sym(2, irrep(2)))", "alt(2, irrep(2))", 2),
    ("SO(3)", "irrep(3,rational)", "tensor(irrep(2), vector)", 3),
    ("SO(3)", "alt(2, irrep(3))", "sym(3, vector)", 1),
    ("O(3)", "dual(tensor(irrep(1,3), det))", "alt(2, irrep(0,2))", 1),
]


def sides(group: str, source: str, target: str) -> tuple[Representation, Representation]:
    problem = ask(group, source, target, 0)
    return problem.in_type.distinct[0], problem.out_type.distinct[0]


@pytest.mark.parametrize(("group", "source", "target", "order"), QUESTIONS)
def test_elements_are_those_of_orthonormal_irreps(
    group: str, source: str, target: str, order: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = sides(group, source, target)
    found = solve_module(*both, order)
    assert found.size
    asked = []
    monkeypatch.setattr(rotations, "meeting", lambda *given: asked.append(given))
    plain = solve_module(*both, order)
    assert asked
    for own, other in zip(found.angular, plain.angular, strict=True):
        assert own.symbols.equals(other.symbols)
        assert own.symbols.coefficients.field == other.symbols.coefficients.field
        assert own.irreps == other.irreps


@pytest.mark.parametrize(
    "source",
    ["vector", "irrep(3)", "dual(irrep(2))", "tensor(irrep(2), vector)", "sym(3, irrep(2))", "alt(2, irrep(3))"],
)
def test_a_rational_basis_is_one(source: str) -> None:
    rep, _ = sides("SO(3)", source, "trivial")
    found = rational_basis(rep)
    assert found is not None
    assert found.rep.field.is_rational
    for x, y in zip(rep.lie, found.rep.lie, strict=True):
        # D y D^-1 = x, and both sides are squared entry by entry: D^2 is rational
        scales = _column(found.squares) * _row([1 / v for v in found.squares])
        assert (y * y * scales).equals(x * x)
        # y leaves M as it is: M y is antisymmetric
        moved = _column(found.metric) * y
        assert moved.T.equals(-moved)


def _row(values: Sequence[Fraction]) -> ExactArray:
    common = lcm(*(v.denominator for v in values))
    whole = [int(v * common) for v in values]
    return integers(np.array(whole, dtype=object)).scale(Fraction(1, common))


def _column(values: Sequence[Fraction]) -> ExactArray:
    return _row(values).reshape(-1, 1)


def test_other_representations_have_none() -> None:
    standard, _ = sides("SO(3)", "irrep(2,standard)", "vector")
    assert rational_basis(standard) is None
    planar, _ = sides("SO(2)", "vector", "vector")
    assert rational_basis(planar) is None


def test_small_ones_with_large_numbers_stay_in_their_bases() -> None:
    """Their maps come from a linear system, which is lifted from more primes there; those of large ones do not."""
    orders = range(3)
    for large in ("tensor(sym(2, vector), tensor(vector, irrep(5)))", "tensor(irrep(7), irrep(7))", "sym(2, irrep(6))"):
        assert rotations.meeting(*sides("SO(3)", large, "trivial"), orders) is not None
        assert rotations.meeting(*sides("SO(3)", "trivial", large), orders) is not None
    assert rotations.meeting(*sides("SO(3)", "irrep(12)", "trivial"), orders) is None
    assert rotations.meeting(*sides("SO(3)", "trivial", "irrep(12)"), orders) is None

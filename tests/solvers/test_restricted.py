"""Finite groups asked as all rotations are: the very symbols, fields and labels of the road without them, and no further
than that holds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pdobasis.answer.solve import ask, solve
from pdobasis.groups import lie
from pdobasis.groups.classical import orthogonal, special_orthogonal
from pdobasis.groups.group import Group
from pdobasis.question.problem import Problem
from pdobasis.representations.representation import Representation
from pdobasis.solvers import known_irreps, transfer
from pdobasis.solvers.module import Module
from pdobasis.solvers.restricted import restricted
from pdobasis.solvers.transfer import solve_modules

QUESTIONS = [
    ("C16", "alt(2, vector)", "det", 2),
    ("C5", "dual(vector)", "vector", 2),
    ("C7", "dual(vector)", "dual(irrep(2))", 3),
    ("C24", "dual(tensor(trivial, vector))", "vector", 3),
    ("D5", "dual(vector)", "alt(2, vector)", 3),
    ("D8(pi/8)", "dual(vector)", "vector", 4),
    ("D12", "tensor(det, det)", "dual(vector)", 1),
]


def module_of(problem: Problem) -> Module:
    rep_in, rep_out = problem.in_type.distinct[0], problem.out_type.distinct[0]
    (found,) = solve_modules([(rep_in, rep_out)], problem.order)
    return found


def told(module: Module) -> list[Any]:
    """All that is known of it, to the byte."""
    out: list[Any] = []
    for own in module.angular:
        part = own.symbols
        values = part.coefficients
        numbers = values.field, values.denominator, values.numerators.tolist()
        out.append((own.irreps, part.size, *(side.tolist() for side in part.index), *numbers))
    return out


@pytest.mark.parametrize(("group", "source", "target", "order"), QUESTIONS)
def test_the_same_bytes_as_without(
    group: str, source: str, target: str, order: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = ask(group, source, target, order)
    # which comes first in the plane
    monkeypatch.setattr(known_irreps, "between_irreps", lambda *given: None)
    asked: list[object] = []
    as_rotations = transfer._as_rotations

    def noting(*args: Any) -> Any:
        asked.append(as_rotations(*args))
        return asked[-1]

    monkeypatch.setattr(transfer, "_as_rotations", noting)
    found = told(module_of(problem))
    assert any(asked)
    monkeypatch.setattr(transfer, "_as_rotations", lambda *args: None)
    assert found == told(module_of(problem))


@pytest.mark.parametrize(
    ("group", "whole", "source", "target", "order"),
    [
        ("C5", "SO(2)", "dual(vector)", "vector", 3),
        ("D7", "O(2)", "dual(vector)", "vector", 5),
    ],
)
def test_beyond_the_group_leaves_more(group: str, whole: str, source: str, target: str, order: int) -> None:
    """The first order with a symbol that not all rotations leave is the first that is not asked of them."""
    for n in (order - 1, order):
        problem = ask(group, source, target, n)
        rep_in, rep_out = problem.in_type.distinct[0], problem.out_type.distinct[0]
        is_asked = restricted(rep_in, rep_out, n) is not None
        dimensions = {solve(g, source, target, order=n, method="direct").dimension for g in (group, whole)}
        assert is_asked is (len(dimensions) == 1) is (n < order)


def _first(group: str, spec: str) -> Representation:
    return ask(group, spec, "trivial", 0).in_type.distinct[0]


@pytest.mark.parametrize(
    ("group", "spec"),
    [
        ("I", "vector"),
        ("C4", "vector"),  # rational
        ("D3d", "vector"),
        ("C8", "irrep(4)"),  # a half turn is none of all rotations
    ],
)
def test_who_is_not_asked(group: str, spec: str) -> None:
    one, other = _first(group, spec), _first(group, "trivial")
    assert restricted(one, other, 0) is None


@pytest.mark.parametrize("group", [special_orthogonal(3), orthogonal(3), special_orthogonal(5)], ids=str)
def test_what_generates_rotations_is_what_a_search_finds(group: Group) -> None:
    known = lie.generating_indices.__wrapped__(group)
    assert known == lie.generating_indices.__wrapped__(replace(group, term=None))

"""Square roots that only scale rows and columns are taken out before a system is solved, and change nothing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import pdobasis.linear.lane_stages as stages
import pdobasis.linear.null_space as module
from pdobasis.exact.array import matrix
from pdobasis.exact.text import parse_number
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.group import Group
from pdobasis.linear.gauge import find_gauge
from pdobasis.linear.null_space import null_space
from pdobasis.linear.sparse import Sparse
from pdobasis.representations.representation import Representation
from pdobasis.solvers.direct import solve_block

Rep = Callable[[Group | str, str], Representation]


def sparse(rows: list[list[str]]) -> Sparse:
    dense = matrix([[parse_number(v) for v in row] for row in rows])
    i, j = np.nonzero(dense.nonzero_mask())
    return Sparse(i, j, dense[i, j], (len(rows), len(rows[0])))


def test_a_system_by_hand() -> None:
    """sqrt(2) x + y = 0 and sqrt(6) x + 3 sqrt(3) y - 2 z = 0: (1, -sqrt 2, -sqrt 6)."""
    system = sparse([["sqrt(2)", "1", "0"], ["sqrt(6)", "3*sqrt(3)", "-2"]])
    assert find_gauge(system) is not None
    found = null_space(system)
    assert found.columns.tolist() == [0, 1, 2]
    expected = matrix([[parse_number(v) for v in ("1", "-sqrt(2)", "-sqrt(6)")]])
    assert found.values.reshape(1, 3).equals(expected)


@pytest.mark.parametrize("rows", [[["sqrt(2)", "1"], ["1", "1"]], [["1 + sqrt(2)", "1"]], [["2", "1"]]])
def test_systems_without_a_gauge(rows: list[list[str]]) -> None:
    system = sparse(rows)
    assert find_gauge(system) is None


def test_every_part_of_a_system_has_a_scaling_of_its_own() -> None:
    """sqrt(2) x + y = 0 beside sqrt(3) z + w = 0."""
    system = sparse([["sqrt(2)", "1", "0", "0"], ["0", "0", "sqrt(3)", "1"]])
    gauge = find_gauge(system)
    assert gauge is not None
    assert gauge.rational(system).values.field.is_rational
    found = gauge.restore(null_space(gauge.rational(system)))
    expected = matrix([[parse_number(v) for v in ("1", "-sqrt(2)", "1", "-sqrt(3)")]])
    assert found.values.reshape(1, 4).equals(expected)


QUESTIONS = [
    ("SO(3)", "irrep(2)", "irrep(2)", 2),
    ("SO(3)", "irrep(1)", "irrep(3)", 3),
    ("O(3)", "3e", "2e", 2),
    ("Oh", "irrep(Eg)", "irrep(T2u)", 3),
    ("SO(3)", "tensor(irrep(3), vector)", "irrep(4)", 1),
]


@pytest.mark.parametrize(("group", "a", "b", "order"), QUESTIONS)
def test_the_answer_is_the_same_with_and_without(
    group: str, a: str, b: str, order: int, rep: Rep, monkeypatch: pytest.MonkeyPatch
) -> None:
    g = parse_group(group)
    with_gauge = solve_block(rep(g, a), rep(g, b), order)
    monkeypatch.setattr(module, "find_gauge", lambda system: None)
    monkeypatch.setattr(stages, "find_gauge", lambda system: None)
    without = solve_block(rep(g, a), rep(g, b), order)
    assert with_gauge.size
    assert with_gauge.equals(without)

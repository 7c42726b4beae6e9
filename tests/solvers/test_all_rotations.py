"""The constraint of many turns as that of all rotations: the same null space, number by number, and only where it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from pdobasis.answer.solve import ask
from pdobasis.linear.sparse import Sparse
from pdobasis.linear.stages import null_space_in_stages
from pdobasis.solvers.all_rotations import by_all_rotations
from pdobasis.solvers.batch import Batch, Task
from pdobasis.solvers.together import _constraint, _solutions


def batch_of(group: str, source: str, target: str, orders: Sequence[int]) -> Batch:
    problem = ask(group, source, target, max(orders))
    (a,), (b,) = problem.in_type.distinct, problem.out_type.distinct
    return Batch([Task(a, b, n) for n in orders])


def entries(found: Sparse) -> tuple[object, ...]:
    values = found.values
    return found.shape, found.rows.tolist(), found.columns.tolist(), values.numerators.tolist(), values.denominator


@pytest.mark.parametrize(
    ("group", "source", "target"),
    [
        ("C7", "vector", "vector"),
        ("C8", "irrep(3)", "det"),
        ("C37", "sym(2, vector)", "vector"),
        ("D9", "vector", "sym(2, vector)"),
        ("D41", "tensor(sym(2, vector), vector)", "irrep(1,3)"),
        ("D12", "det", "irrep(1,2)"),
        ("C9v", "vector", "sym(2, vector)"),
        ("D9h", "vector", "vector"),
    ],
)
def test_the_solutions_are_those_of_the_turn_itself(group: str, source: str, target: str) -> None:
    batch = batch_of(group, source, target, (0, 1, 2, 3))
    systems = by_all_rotations(batch)
    assert systems is not None
    found = null_space_in_stages(systems)
    found = replace(found, values=found.values.over(batch.field))
    expected = null_space_in_stages(_constraint(batch, batch.unknowns, []))
    assert found.values.field == expected.values.field
    assert entries(found) == entries(expected)


@pytest.mark.parametrize(
    ("group", "source", "target", "order"),
    [
        ("C5", "vector", "vector", 3),  # 1 + 1 + 3: a turn of weight 5 is none
        ("D8", "trivial", "trivial", 8),
        ("C8", "irrep(4)", "trivial", 1),  # a half turn, and no irrep of SO(2)
        ("C5", "regular", "trivial", 1),  # no formula
        ("D8(pi/8)", "vector", "vector", 1),  # no rational mirror
        ("C4", "vector", "vector", 1),  # rational as it is
        ("I", "vector", "vector", 1),
        ("D12d", "vector", "vector", 1),  # a turn and a mirror at once
        ("D5h", "sym(3, vector)", "vector", 1),
    ],
)
def test_where_it_is_not_that_of_all_rotations(group: str, source: str, target: str, order: int) -> None:
    assert by_all_rotations(batch_of(group, source, target, [order])) is None


def test_weights_of_the_turn_are_multiples_of_its_order_where_there_are_more() -> None:
    """Of order 3 C5 has two maps between vectors, of weight 2 + 3, where SO(2) has none."""
    batch = batch_of("C5", "vector", "vector", (0, 1, 2, 3))
    found = _solutions(batch, False, None)
    orders = np.searchsorted(
        batch.starts, found.columns[np.searchsorted(found.rows, np.arange(found.shape[0]))], "right"
    )
    assert np.bincount(orders - 1).tolist() == [2, 0, 4, 2]

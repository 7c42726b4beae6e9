"""The echelon form of the constraint through irreps of SO(3) and O(3): that of the linear system, number by number."""

from __future__ import annotations

import numpy as np
import pytest

import pdobasis
from pdobasis.answer.solve import ask
from pdobasis.linear import lifted_span
from pdobasis.linear.stages import null_space_in_stages
from pdobasis.solvers import through_irreps as module
from pdobasis.solvers.batch import Batch, Task
from pdobasis.solvers.through_irreps import through_irreps
from pdobasis.solvers.together import _constraint


def batch_of(group: str, source: str, target: str, order: int) -> Batch:
    problem = ask(group, source, target, order)
    (a,), (b,) = problem.in_type.distinct, problem.out_type.distinct
    return Batch([Task(a, b, order)])


@pytest.mark.parametrize(
    ("group", "source", "target", "order"),
    [
        ("SO(3)", "tensor(irrep(2), irrep(3))", "irrep(2)", 0),
        ("SO(3)", "irrep(2)", "tensor(irrep(2), irrep(3))", 1),
        ("SO(3)", "tensor(vector, vector)", "tensor(vector, vector)", 2),
        ("SO(3)", "trivial", "sym(2, irrep(3))", 4),
        ("SO(3)", "alt(2, irrep(2))", "trivial", 3),
        ("O(3)", "dual(vector)", "sym(2, tensor(irrep(0,2), vector))", 0),
        ("O(3)", "tensor(irrep(0,2), irrep(1,2))", "irrep(0,2)", 1),
        ("O(3)", "det", "tensor(vector, irrep(1,2))", 2),
        ("O(3)", "vector", "trivial", 0),  # there is none
    ],
)
def test_solutions_are_those_of_the_linear_system(group: str, source: str, target: str, order: int) -> None:
    batch = batch_of(group, source, target, order)
    found = through_irreps(batch)
    expected = null_space_in_stages(_constraint(batch, batch.unknowns, []))
    assert found is not None
    assert found.shape == expected.shape
    assert np.array_equal(found.rows, expected.rows)
    assert np.array_equal(found.columns, expected.columns)
    assert found.values.field == expected.values.field
    assert found.values.denominator == expected.values.denominator
    assert np.array_equal(found.values.numerators, expected.values.numerators)


@pytest.mark.parametrize(
    ("group", "source"), [("SO(2)", "tensor(vector, vector)"), ("Oh", "tensor(vector, vector)"), ("SO(4)", "vector")]
)
def test_other_groups_keep_their_systems(group: str, source: str) -> None:
    assert through_irreps(batch_of(group, source, "vector", 1)) is None


def test_too_many_numbers_are_left_to_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = batch_of("SO(3)", "tensor(irrep(2), irrep(3))", "irrep(2)", 0)
    monkeypatch.setattr(module, "MAX_CELLS", 100)
    assert through_irreps(batch) is None


def test_numbers_that_are_not_lifted_are_left_to_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = batch_of("SO(3)", "tensor(irrep(2), irrep(3))", "irrep(2)", 0)
    assert through_irreps(batch) is not None
    monkeypatch.setattr(lifted_span, "MAX_PRIMES", 1)
    assert through_irreps(batch) is None


def test_what_was_refused_for_its_dense_part_is_answered() -> None:
    basis = pdobasis.solve("SO(3)", "tensor(tensor(irrep(5), irrep(5)), alt(2, irrep(3)))", "det + irrep(5)", order=0)
    assert basis.method == "direct"
    assert basis.dimensions == {0: 24}
    assert basis.certificate.holds

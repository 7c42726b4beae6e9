"""Beside a regular representation nothing is asked of a column of P: its solutions are written down, not multiplied."""

from __future__ import annotations

import tracemalloc

import pytest

import pdobasis
from pdobasis.answer.solve import ask
from pdobasis.exact import matrices
from pdobasis.exact.array import ExactArray, integers
from pdobasis.solvers import carried
from pdobasis.solvers.registry import choose


@pytest.mark.parametrize(
    ("group", "source", "target"),
    [
        ("D3", "regular", "tensor(vector, vector)"),
        ("D3", "tensor(vector, vector)", "regular"),
        ("C5", "sym(2, vector) + regular", "regular + vector"),
        ("C3v", "vector", "regular"),
        ("-4", "regular", "sym(2, vector)"),
    ],
)
@pytest.mark.parametrize("method", ["direct", "transfer"])
def test_all_solutions_are_found_and_proved(group: str, source: str, target: str, method: str) -> None:
    assert pdobasis.solve(group, source, target, order=2, method=method).certificate.holds


def test_so_are_those_of_a_group_that_is_not_orthogonal() -> None:
    skew = pdobasis.Group("skew", 2, (integers([[1, -1], [1, 0]]),), ("r",))
    assert pdobasis.solve(skew, "vector", "regular", order=2).certificate.holds
    assert pdobasis.solve(skew, "regular", "dual(vector)", order=2).certificate.holds


@pytest.mark.parametrize("sides", [("regular", "tensor(vector, vector)"), ("tensor(vector, vector)", "regular")])
def test_only_what_is_not_zero_is_multiplied(sides: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    problem = ask("C7h", *sides, 2)
    multiplied = []
    batched = matrices.batched_matmul

    def counting(a: ExactArray, b: ExactArray) -> ExactArray:
        multiplied.append(a.shape[0] * a.shape[1] * a.shape[2] * b.shape[2])
        return batched(a, b)

    monkeypatch.setattr(carried, "batched_matmul", counting)
    solution = choose(problem, "direct").solve(problem, lambda message: None)
    found = sum(part.coefficients.size for block in solution.blocks for part in block.orders)
    # entries of elements have at least one monomial each, and all of them are written
    assert sum(multiplied) <= found


@pytest.mark.parametrize(
    ("group", "source", "target", "dim"),
    [
        ("C32", "regular", "sym(2, vector)", 3),
        ("D60", "sym(3, vector)", "regular", 2),
        ("D50", "tensor(vector, vector)", "regular", 2),  # of degree 20, where a number is no small matrix
    ],
)
def test_a_regular_field_is_solved_in_the_memory_of_its_answer(group: str, source: str, target: str, dim: int) -> None:
    problem = ask(group, source, target, 1, dim=dim)
    tracemalloc.start()
    try:
        solution = choose(problem, "direct").solve(problem, lambda message: None)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    held = sum(part.coefficients.numerators.nbytes for block in solution.blocks for part in block.orders)
    # zeros of the fibres among it, and the elements of the group
    assert peak < 8 * held

"""Small questions in Python's integers: the same symbols as by the road of large ones, and the same tables as NumPy's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest import mock

import numpy as np
import pytest

from benchmarks.sampling import sample
from pdobasis.answer.solve import ask
from pdobasis.exact.array import exact, integers
from pdobasis.exact.field import RATIONALS, radical
from pdobasis.exact.packed import packed
from pdobasis.exact.polynomials import derivation, substitution
from pdobasis.linear.small import echelon, null_vectors
from pdobasis.operators.symbols import Symbols
from pdobasis.question.problem import Problem
from pdobasis.representations.hypothesis import Hypothesis
from pdobasis.solvers import small, small_average
from pdobasis.solvers.batch import Task
from pdobasis.solvers.direct import solve_blocks
from pdobasis.solvers.small_actions import NEGATIVE, POSITIVE, drifts, substitutions, whole

QUESTIONS = [
    ("O", "vector", "vector", 4),
    ("Oh", "vector", "sym(2, vector)", 2),
    ("D4", "vector + det", "vector + irrep(1,0)", 3),
    ("C2", "vector", "det", 3),
    ("Td", "vector", "tensor(vector, vector)", 2),
    ("SO(3)", "vector", "vector", 4),
    ("O(3)", "vector", "sym(2, vector)", 2),
    ("SO(2)", "irrep(0) + irrep(1) + irrep(2)", "irrep(1) + irrep(3)", 3),
    ("O(2)", "irrep(1,2) + vector", "vector + det", 3),
    ("SO(1,3)", "vector", "vector", 2),
    ("O(1,3)", "vector", "dual(vector)", 2),
    ("SL(2)", "vector", "tensor(vector, vector)", 3),
    ("GL(3)", "vector", "vector", 2),
    ("Sp(4)", "vector", "vector", 2),
    ("scaling(1,2)", "vector", "vector", 2),
    ("trivial(2)", "trivial", "vector", 2),
]


AVERAGED = [
    ("I", "vector", "vector", 4),
    ("Ih", "vector", "det", 3),
    ("D3", "vector", "vector + det", 4),
    ("C5", "irrep(1)", "irrep(2) + irrep(0)", 3),
    ("C8", "vector", "irrep(3)", 4),
    ("D8", "irrep(1,2)", "irrep(1,1)", 3),
    ("3m", "vector", "vector", 1),
]


def tasks_of(problem: Problem) -> list[Task]:
    ins, outs = problem.in_type.distinct, problem.out_type.distinct
    return [Task(a, b, n) for a in ins for b in outs for n in range(problem.order + 1)]


def assert_same(a: Symbols, b: Symbols) -> None:
    """Not only equal: the same bytes."""
    assert (a.dim, a.order, a.size, a.shape) == (b.dim, b.order, b.size, b.shape)
    one, other = a.coefficients, b.coefficients
    assert (one.denominator, one.field) == (other.denominator, other.field)
    arrays = zip((*a.index, one.numerators), (*b.index, other.numerators), strict=True)
    for x, y in arrays:
        assert x.dtype == y.dtype
        assert x.shape == y.shape
        assert x.tolist() == y.tolist()


def assert_both_roads_agree(problem: Problem) -> None:
    tasks = tasks_of(problem)
    found = solve_blocks(tasks)
    with mock.patch.object(small, "SMALL", 0), mock.patch.object(small_average, "SMALL", 0):
        expected = solve_blocks(tasks)
    for a, b in zip(found, expected, strict=True):
        assert_same(a, b)


@pytest.mark.parametrize("question", QUESTIONS)
def test_small_questions_have_the_symbols_of_large_ones(question: tuple[str, str, str, int]) -> None:
    problem = ask(*question)
    assert small.is_small(tasks_of(problem))
    assert_both_roads_agree(problem)


@pytest.mark.parametrize("question", AVERAGED)
def test_averages_over_signed_permutations_lose_nothing(question: tuple[str, str, str, int]) -> None:
    problem = ask(*question)
    assert small_average.solve_averaged(tasks_of(problem)) is not None
    assert_both_roads_agree(problem)


def test_long_numbers_are_left_to_the_road_that_checks() -> None:
    """One number of 128 bits says nothing of coordinates that may be longer than half of it."""
    assert small_average.solve_averaged(tasks_of(ask("I", "trivial", "trivial", 8))) is None


def test_numbers_that_turn_out_longer_than_there_is_room_are_left_to_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solutions of numbers up to 1 would fit, those that are found go up to 24, over 12."""
    tasks = tasks_of(ask("I", "vector", "vector", 4))
    at, limits = packed(radical(5)), []
    assert at is not None
    lifted = small_average._lifted

    def noting(*args: Any) -> list[Symbols] | None:
        limits.append(args[-1])
        return lifted(*args)

    monkeypatch.setattr(small_average, "_lifted", noting)
    assert small_average.solve_averaged(tasks) is not None
    growth = radical(5).expansion * 2
    for factor, has_room in ((1, False), (23, False), (24, True)):
        monkeypatch.setattr(small_average, "packed", lambda _, f=factor: replace(at, room=limits[0] * growth * f + 1))
        assert (small_average.solve_averaged(tasks) is not None) is has_room


def test_what_is_only_assumed_to_be_a_representation_is_not_averaged() -> None:
    (task,) = tasks_of(ask("I", "vector", "vector", 0))
    unproved = replace(task.rep_in, hypothesis=Hypothesis("", "products go to products"))
    assert small_average.solve_averaged([task]) is not None
    assert small_average.solve_averaged([replace(task, rep_in=unproved)]) is None


def test_both_roads_agree_all_over_the_grammar() -> None:
    with mock.patch("benchmarks.sampling.UNKNOWNS", small.SMALL), mock.patch("benchmarks.sampling.DEPTH", 1):
        questions = sample(60, 23)
    for q in questions:
        assert_both_roads_agree(ask(q.group, q.source, q.target, q.order))


@pytest.mark.parametrize("rows", [[[0, -1], [1, 0]], [[1, 2], [0, 3]], [[1, 1], [2, -1]]])
def test_tables_of_monomials_are_those_of_arrays(rows: list[list[int]]) -> None:
    g = exact(integers(rows).numerators, 2, RATIONALS)
    plain = whole(g)
    for n in range(4):
        expected = substitution(g.T.reshape(1, 2, 2), n)[0]
        scale = plain.denominator**n // expected.denominator
        assert dense(substitutions(plain, 2, 3)[n]) == (expected.numerators[..., 0] * scale).tolist()
        drifting = derivation(g.T, n)
        scale = plain.denominator // drifting.denominator
        assert dense(drifts(plain, 2, n)) == (drifting.numerators[..., 0] * scale).tolist()


def dense(lines: list[list[tuple[int, int]]]) -> list[list[int]]:
    out = np.zeros((len(lines), len(lines)), dtype=np.int64)
    for i, line in enumerate(lines):
        for j, v in line:
            out[i, j] += v
    table: list[list[int]] = out.tolist()
    return table


def test_what_is_a_matrix_of_signs_and_what_is_a_half_turn() -> None:
    assert whole(integers([[1, 0], [0, -1]])).signs == [0, 1]
    assert whole(integers([[0, 1], [-1, 0]])).signs is None
    assert whole(integers([[0, 1], [-1, 0]])).is_signed_permutation
    assert not whole(integers([[0, 2], [1, 0]])).is_signed_permutation
    assert whole(integers([[0, -3], [3, 0]])).half_turn == ([1, 1], NEGATIVE)
    assert whole(integers([[0, 2], [2, 0]])).half_turn == ([0, 0], POSITIVE)
    assert whole(integers([[0, 1], [0, 0]])).half_turn is None  # nilpotent
    assert whole(integers([[0, 2], [1, 0]])).half_turn is None  # 2 is no square


def test_an_echelon_form_has_its_pivots_last_and_alone() -> None:
    pivots = echelon([{0: 2, 1: 4}, {1: 3, 2: -3}, {0: 1, 2: 2}])
    assert pivots == {1: {0: 1, 1: 2}, 2: {0: 1, 2: 2}}
    assert null_vectors(pivots, 4) == ([[(0, 2), (1, -1), (2, -1)], [(3, 2)]], 2)

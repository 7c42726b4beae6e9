"""Where signed permutations H and one double coset HgH are all of G, the average over G is 1 + (n - 1) pi_H g over n."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest

import pdobasis
from pdobasis.answer.solve import ask
from pdobasis.exact.array import identity
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group
from pdobasis.solvers import small_average
from pdobasis.solvers.batch import Task
from pdobasis.solvers.small_signed import Signed, double_coset, signed_elements
from pdobasis.solvers.small_spans import echelon, null_vectors

COSETS = [
    ("I", 5),  # over T: even permutations of five things
    ("Ih", 5),
    ("C8", 2),
    ("D8", 2),
    ("D3", 3),
    ("D6", 3),
    ("D12", 3),
    ("C12", None),  # over C4, which is normal: three double cosets
    ("C5", None),
    ("D5", None),
    ("D5d", None),
]
NEVER = 1_000


@pytest.mark.parametrize(("group", "cosets"), COSETS)
def test_double_cosets_are_those_of_all_products(group: str, cosets: int | None) -> None:
    problem = ask(group, "vector", "vector", 0)
    table = closure(problem.group)
    signed = signed_elements(problem.group, problem.in_type.distinct)
    products = np.array([table.action(i) for i in range(len(table))])
    for s, move in enumerate(table.left):
        g, ours = int(move[0]), signed.members
        if g not in ours:
            found = {int(products[products[h, g], k]) for h in ours for k in ours}
            assert len(found) + len(ours) == len(table) if cosets else len(found) + len(ours) < len(table)
            assert double_coset(problem.group, signed, s) == cosets


@pytest.mark.parametrize("group", ["I", "Ih", "O", "Td", "D5", "D12", "D4h", "C8"])
def test_what_is_chosen_generates_all_signed_elements(group: str) -> None:
    """Said of no other groups than those of which it is true."""
    problem = ask(group, "vector", "vector", 0)
    table = closure(problem.group)
    signed = signed_elements(problem.group, problem.in_type.distinct)
    reached = {0}
    while True:
        more = reached | {int(table.action(h)[k]) for h in signed.chosen for k in reached}
        if more == reached:
            break
        reached = more
    assert not signed.is_generated or sorted(reached) == signed.members


def test_a_subgroup_that_is_not_generated_is_not_built_on() -> None:
    group = ask("I", "vector", "vector", 0).group
    signed = signed_elements(group, ())
    (s, *_) = [s for s, move in enumerate(closure(group).left) if int(move[0]) not in signed.members]
    assert double_coset(group, signed, s) == 5
    assert double_coset(group, Signed(signed.members, signed.chosen, is_generated=False), s) is None


@pytest.mark.parametrize(
    "question",
    [
        ("I", "vector", "vector", 4),
        ("I", "trivial", "vector", 4),
        ("Ih", "vector", "sym(2, vector)", 1),
        ("C8", "vector", "irrep(3)", 4),
        ("D3", "vector", "vector + det", 4),
        ("D6", "vector", "irrep(1,2)", 5),
    ],
)
def test_the_image_of_the_average_is_what_the_equations_leave(question: tuple[str, str, str, int]) -> None:
    problem = ask(*question)
    tasks = [
        Task(a, b, n)
        for n in range(problem.order + 1)
        for a in problem.in_type.distinct
        for b in problem.out_type.distinct
    ]
    with mock.patch.object(small_average, "WORTH_A_PROJECTION", 1):
        by_average = small_average.solve_averaged(tasks)
    with mock.patch.object(small_average, "WORTH_A_PROJECTION", NEVER):
        by_equations = small_average.solve_averaged(tasks)
    assert by_average is not None
    assert by_equations is not None
    for own, other in zip(by_average, by_equations, strict=True):
        assert own.equals(other)


def test_rows_and_equations_of_one_space_have_one_echelon_form() -> None:
    """The rows that a matrix leaves, put in for the matrix, modulo a prime."""
    prime, draw = 10_007, np.random.default_rng(5)
    for rank in range(6):
        rows = draw.integers(0, prime, (rank, 5)).tolist()
        left = null_vectors(rows, 5, prime)
        assert left is not None
        whole = [[dict(vector).get(k, 0) for k in range(5)] for vector in left]
        mixed = (draw.integers(0, prime, (7, len(whole))) @ np.array(whole, dtype=object).reshape(-1, 5)).tolist()
        assert echelon(mixed, len(whole), prime) == [sorted(v) for v in left] or not whole
        if whole:
            assert echelon(mixed, len(whole) + 1, prime) is None


def test_one_among_the_generators_is_no_double_coset() -> None:
    """It commutes with everything, and D8 is twice as large as its signed permutations: an average over 1 and 1."""
    problem = ask("D8", "vector", "vector", 0)
    one = Group("D8", 2, (identity(2), *problem.group.generators), ("e", *problem.group.labels))
    known = pdobasis.solve("D8", "tensor(vector, vector)", "vector", order=3, method="direct")
    found = pdobasis.solve(one, "tensor(vector, vector)", "vector", order=3, method="direct")
    assert [str(e) for e in found.elements] == [str(e) for e in known.elements]

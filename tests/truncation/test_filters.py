"""Filters by angular order and Laplacian power: which harmonic parts the elements have, and how many there are."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import pdobasis
from pdobasis.answer.basis import Basis
from pdobasis.answer.solve import ask, solve_problem
from pdobasis.errors import GroupError, SpecError
from pdobasis.operators.laplacian import is_harmonic, project, times_radius
from pdobasis.operators.relations import relations
from pdobasis.operators.symbols import Symbols, join_symbols, renumber
from pdobasis.proof.certificate import prove
from pdobasis.proof.spans import same_span
from pdobasis.question.truncation import pairs_of

GROUPS = [
    ("C8", "regular", "vector"),
    ("D4", "vector", "vector"),
    ("SO(2)", "vector", "vector"),
    ("SO(3)", "vector", "vector"),
    ("Oh", "vector", "sym(2, vector)"),
    ("trivial(3)", "trivial", "trivial"),
    ("SO(4)", "vector", "vector"),
]
ORDER = 4


def harmonic_numbers(group: str, in_rep: str, out_rep: str) -> list[int]:
    """By Fischer: all of order n less all of order n - 2, from the complete question."""
    numbers = list(pdobasis.solve(group, in_rep, out_rep, order=ORDER).dimensions.values())
    return [n - lower for n, lower in zip(numbers, [0, 0, *numbers], strict=False)]


@pytest.mark.parametrize(("group", "in_rep", "out_rep"), GROUPS)
@pytest.mark.parametrize("kept", [{(2, 0)}, {(0, 0), (0, 1), (1, 1)}, {(2, 1), (4, 0), (1, 0)}, set()])
def test_as_many_as_the_harmonic_ones(group: str, in_rep: str, out_rep: str, kept: set[tuple[int, int]]) -> None:
    basis = pdobasis.solve(group, in_rep, out_rep, order=ORDER, basis_filter=lambda n, a, k: (a, k) in kept)
    numbers = harmonic_numbers(group, in_rep, out_rep)
    expected = [0] * (ORDER + 1)
    for angular, power in kept:
        expected[angular + 2 * power] += numbers[angular]
    assert list(basis.dimensions.values()) == expected
    assert basis.certificate.holds
    assert {(e.angular_order, e.laplacian_power) for e in basis.elements} <= kept
    assert sum(basis.certificate.of) == pdobasis.solve(group, in_rep, out_rep, order=ORDER).dimension


@pytest.mark.parametrize(("group", "in_rep", "out_rep"), GROUPS)
def test_elements_are_powers_of_r2_times_harmonics(group: str, in_rep: str, out_rep: str) -> None:
    complete = pdobasis.solve(group, in_rep, out_rep, order=ORDER)
    for angular, power in pairs_of(ORDER):
        basis = only(group, in_rep, out_rep, angular, power)
        part = basis.blocks[0].orders[angular + 2 * power]
        every = complete.blocks[0].orders
        assert relations(join_symbols([every[angular + 2 * power], part])) == part.size
        chi = only(group, in_rep, out_rep, angular, 0).blocks[0].orders[angular]
        assert is_harmonic(chi)
        assert (project(chi) - chi.coefficients).is_zero
        assert same_span(raised(chi, power), part) or chi.size == part.size == 0


def only(group: str, in_rep: str, out_rep: str, angular: int, power: int) -> Basis:
    return pdobasis.solve(
        group,
        in_rep,
        out_rep,
        order=ORDER,
        basis_filter=lambda n, own, k: (n, own, k) == (angular + 2 * power, angular, power),
    )


def raised(part: Symbols, power: int) -> Symbols:
    for _ in range(power):
        part = times_radius(part)
    return part


def test_the_filter_is_asked_once_for_everything_there_is() -> None:
    asked: list[tuple[int, int, int]] = []

    def keeps(order: int, angular: int, power: int) -> bool:
        asked.append((order, angular, power))
        return order < 3

    problem = ask("SO(3)", "vector", "vector", 3, basis_filter=keeps)
    assert asked == [(a + 2 * k, a, k) for a, k in pairs_of(3)]
    assert sorted(asked) == [(n, n - 2 * k, k) for n in range(4) for k in range(n // 2, -1, -1)]
    assert solve_problem(problem).dimensions == pdobasis.solve("SO(3)", "vector", "vector", order=2).dimensions | {3: 0}


def test_a_filter_that_keeps_everything_asks_for_everything() -> None:
    complete = ask("D4", "vector", "vector", 3)
    assert ask("D4", "vector", "vector", 3, basis_filter=lambda n, a, k: True) == complete


def test_offsets_and_filters_together() -> None:
    """The angular elements of both, times the powers that are kept."""
    offsets = pdobasis.solve("C8", "regular", "regular", order=3, max_offset=0, kernel=True)
    both = pdobasis.solve("C8", "regular", "regular", order=3, max_offset=0, basis_filter=lambda n, a, k: k == 0)
    assert both.dimensions == offsets.dimensions
    for x, y in zip(both.blocks[0].orders, offsets.blocks[0].orders, strict=True):
        assert same_span(x, y)


def test_the_certificate_refuses_other_parts() -> None:
    """grad div is angular only modulo r^2; as an element of l = 2 it is none within the filter."""
    problem = ask("O(2)", "vector", "vector", 2, basis_filter=lambda n, a, k: (a, k) == (2, 0))
    complete = pdobasis.solve("O(2)", "vector", "vector", order=2)
    right = solve_problem(problem)
    (block,) = complete.blocks
    names = [e.name for e in complete.elements]
    assert "grad∘div" in names
    second = right.blocks[0].orders[2]
    assert second.size == 1
    for number, name in enumerate(names[1:]):
        ranks = [-1, -1]
        ranks[number] = 0
        forged = renumber(block.orders[2], np.array(ranks), 1)
        blocks = [replace(right.blocks[0], orders=(*right.blocks[0].orders[:2], forged))]
        found = prove(problem, blocks)
        assert found.equivariant
        assert found.independent
        assert (found.truncated, found.holds) == (False, False), name
    # what the elements say of themselves is a claim too
    lied = replace(
        right.blocks[0], structure=((), (), (replace((right.blocks[0].structure or ())[2][0], laplacian_power=1),))
    )
    assert prove(problem, [lied]).claim("graded").holds is False  # type: ignore[union-attr]


@pytest.mark.parametrize("group", ["SL(2)", "SO(1,1)", "GL(3)", "scaling(1,2)"])
def test_without_a_length_there_is_nothing_to_filter_by(group: str) -> None:
    with pytest.raises(GroupError, match="no angular order"):
        ask(group, "trivial", "trivial", 2, basis_filter=lambda n, a, k: a == 0)


def test_answers_are_true_or_false() -> None:
    with pytest.raises(SpecError, match=r"True or False, got None for \(0, 0, 0\)"):
        ask("C4", "trivial", "trivial", 2, basis_filter=lambda n, a, k: None)  # type: ignore[arg-type, return-value]
    with pytest.raises(SpecError, match="basis_filter is a function"):
        ask("C4", "trivial", "trivial", 2, basis_filter="angular < 2")  # type: ignore[arg-type]
    with pytest.raises(SpecError, match="basis_filter is a function of"):
        ask("C4", "trivial", "trivial", 2, basis_filter=lambda n: True)  # type: ignore[arg-type, misc]


def test_pairs_are_all_there_are() -> None:
    for order in range(7):
        found = pairs_of(order)
        assert len(set(found)) == len(found)
        assert set(found) == {(a, k) for a, k in product(range(order + 1), repeat=2) if a + 2 * k <= order}

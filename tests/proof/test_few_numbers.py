"""What the proof of small questions does at once, beside the same one by one; and every wrong answer is refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from pdobasis.answer.basis import Basis
from pdobasis.answer.solve import ask, solve_problem
from pdobasis.errors import ProofError
from pdobasis.exact.array import exact, stack
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.polynomials import substitution
from pdobasis.groups.closure import closure
from pdobasis.operators.block import Block
from pdobasis.operators.symbols import Symbols, dense, from_dense, renumber
from pdobasis.proof.batch import are_well_formed, batches, found_blocks, is_well_formed, summands
from pdobasis.proof.certificate import Certificate, prove
from pdobasis.proof.counting import molien
from pdobasis.proof.dense import agrees
from pdobasis.proof.elements import elements
from pdobasis.representations.representation import all_matrices

QUESTIONS = [
    ("C8", "regular", "regular", 2),
    ("D8", "regular", "trivial", 4),
    ("O", "vector", "vector", 4),
    ("I", "vector", "vector", 4),
    ("SO(3)", "vector", "vector", 3),
    ("SO(1,3)", "vector", "vector", 2),
    ("O(2)", "irrep(1,1)", "irrep(1,2)", 3),
    ("C5", "vector + trivial", "irrep(2)", 3),
]
Question = tuple[str, str, str, int]


def basis_of(question: Question) -> Basis:
    return solve_problem(ask(*question), method="direct")


def certificate(basis: Basis, order: int, part: Symbols) -> Certificate:
    """The proof again, with the symbols of one order of the first block replaced."""
    blocks = list(basis.blocks)
    parts = list(blocks[0].orders)
    parts[order] = part
    blocks[0] = Block(blocks[0].in_index, blocks[0].out_index, tuple(parts))
    return prove(basis.problem, blocks)


def last_part(basis: Basis) -> Symbols:
    """Of the highest order with an element, of the first block."""
    return next(part for part in reversed(basis.blocks[0].orders) if part.size)


def changed(part: Symbols, entry: int, monomial: int) -> Symbols:
    values = part.coefficients
    numbers = values.numerators.copy()
    numbers[entry, monomial, -1] += 1
    return replace(part, coefficients=exact(numbers, values.denominator, values.field))


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_right_answers_are_seen_at_once(question: Question) -> None:
    """The dense road itself says so, for all orders side by side."""
    basis = basis_of(question)
    reps = tuple(tuple(summands(side)) for side in (basis.problem.in_type, basis.problem.out_type))
    shape = (sum(r.size for r in reps[1]), sum(r.size for r in reps[0]))
    found = found_blocks(basis.problem, basis.blocks)
    (batch,) = batches([part for block in found for part in block.placed()], shape)
    assert batch.low < batch.high
    assert agrees(batch, *reps) is True


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_a_changed_coefficient_is_refused(question: Question) -> None:
    basis = basis_of(question)
    part = last_part(basis)
    for entry in range(0, len(part.element), 7):
        for monomial in range(0, part.coefficients.shape[1], 2):
            assert not certificate(basis, part.order, changed(part, entry, monomial)).equivariant


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_a_dropped_a_doubled_and_a_combined_element_are_refused(question: Question) -> None:
    basis = basis_of(question)
    part = next(p for p in reversed(basis.blocks[0].orders) if p.size > 1)
    size, every = part.size, np.arange(part.size)
    kept = np.flatnonzero(part.element < size - 1)
    dropped = replace(
        part,
        size=size - 1,
        element=part.element[kept],
        row=part.row[kept],
        column=part.column[kept],
        coefficients=part.coefficients.take(kept),
    )
    found = certificate(basis, part.order, dropped)
    assert (found.equivariant, found.independent, found.complete) == (True, True, False)
    whole = dense(part)
    others = [whole[0], whole[0].scale(Fraction(-2, 3)), whole[0] + whole[1]]
    for k, other in enumerate(others):
        # in the place of the last: a combination of those before, or for two elements a multiple
        if k == 2 and size == 2:
            continue
        rows = [whole[int(i)] for i in every[:-1]] + [other]
        wrong = from_dense(stack(rows), part.dim, part.order)
        found = certificate(basis, part.order, wrong)
        assert (found.equivariant, found.independent) == (True, False)


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_a_multiple_of_an_element_is_as_good(question: Question) -> None:
    """Orders stand side by side without their denominators: factors of whole orders change nothing."""
    basis = basis_of(question)
    part = last_part(basis)
    scaled = replace(part, coefficients=part.coefficients.scale(Fraction(5, 7)))
    assert certificate(basis, part.order, scaled).holds


@pytest.mark.parametrize(
    ("question", "target"),
    [
        (("D4", "vector", "trivial", 1), "irrep(1,0)"),  # the divergence and the curl
        (("C8", "irrep(1)", "irrep(1)", 2), "irrep(3)"),
        (("I", "vector", "vector", 2), "irrep(T2)"),
        (("O", "vector", "vector", 2), "irrep(T2)"),
        (("SO(2)", "irrep(1)", "irrep(1)", 2), "irrep(3)"),
    ],
    ids=str,
)
def test_matrices_of_another_representation_are_told_apart(question: Question, target: str) -> None:
    group, source, _, order = question
    right, wrong = basis_of(question), basis_of((group, source, target, order))
    assert right.certificate.holds
    assert wrong.certificate.holds
    assert not prove(right.problem, wrong.blocks).equivariant
    assert not prove(wrong.problem, right.blocks).equivariant


@pytest.mark.parametrize("group", ["C5", "D8", "O", "I", "C3v", "C1", "inversion(2)"])
@pytest.mark.parametrize("sides", [("vector", "vector"), ("trivial", "vector"), ("regular", "trivial")])
def test_the_count_is_the_mean_of_traces_on_monomials(group: str, sides: tuple[str, str]) -> None:
    """With the matrices of all elements on all monomials, where the proof adds up classes by their eigenvalues."""
    if group in ("O", "I") and "regular" in sides:
        sides = ("vector", "trivial")
    problem = ask(group, *sides, 3)
    (rep_in,), (rep_out,) = problem.in_type.distinct, problem.out_type.distinct
    every = closure(problem.group).matrices
    expected = []
    for n in range(4):
        total = Fraction(0)
        tables = substitution(every, n)
        for h in range(len(every)):
            trace = all_matrices(rep_in)[h].trace() * all_matrices(rep_out)[h].trace() * tables[h].trace()
            # single terms may be irrational, their sum is not
            total += Fraction(int(trace.numerators[0]), trace.denominator)
        expected.append(total / len(every))
    assert list(molien(rep_in, rep_out, 3)) == expected


def broken(part: Symbols, how: str) -> Symbols:
    if how == "two entries swapped":
        order = np.arange(len(part.element))
        order[:2] = [1, 0]
        return replace(part, row=part.row[order], column=part.column[order], element=part.element[order])
    if how == "an entry twice":
        row, column = part.row.copy(), part.column.copy()
        row[1], column[1] = row[0], column[0]
        return replace(part, row=row, column=column)
    if how == "an element of the next order":
        element = part.element.copy()
        element[-1] = part.size
        return replace(part, element=element)
    if how == "an element of the order before":
        element = part.element.copy()
        element[0] = -1
        return replace(part, element=element)
    if how == "a row outside":
        row = part.row.copy()
        row[-1] = part.shape[0]
        return replace(part, row=row)
    return replace(part, column=part.column[:-1])


@pytest.mark.parametrize(
    "how",
    [
        "two entries swapped",
        "an entry twice",
        "an element of the next order",
        "an element of the order before",
        "a row outside",
        "a column missing",
    ],
)
@pytest.mark.parametrize("order", [1, 2])
def test_one_look_at_all_orders_finds_what_one_at_each_does(how: str, order: int) -> None:
    basis = basis_of(("D4", "vector", "regular", 2))
    parts = list(basis.blocks[0].orders)
    shape = parts[0].shape
    assert are_well_formed(parts, 2, shape) == (True, True, True)
    parts[order] = broken(parts[order], how)
    expected = tuple(n != order for n in range(3))
    assert are_well_formed(parts, 2, shape) == expected
    assert tuple(is_well_formed(p, 2, n, shape) for n, p in enumerate(parts)) == expected
    assert not prove(basis.problem, [replace(basis.blocks[0], orders=tuple(parts), structure=None)]).complete


def test_elements_are_not_moved_by_renumbering_them() -> None:
    """The proof does not depend on which element comes first."""
    basis = basis_of(("D8", "regular", "trivial", 3))
    part = last_part(basis)
    turned = renumber(part, np.roll(np.arange(part.size), 1), part.size)
    assert certificate(basis, part.order, turned).holds


def single_entries(order: int, places: list[tuple[int, int]]) -> Symbols:
    """One element of 1 x 4 matrices; (element, column) of the entries."""
    element, column = np.array(places).T
    ones = exact(np.ones((len(places), order + 1, 1), dtype=np.int64), 1, RATIONALS)
    return Symbols(2, order, 1, (1, 4), element, np.zeros(len(places), dtype=np.int64), column, ones)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([(0, 0)], [(0, 1)], (True, True)),
        ([(0, 0), (1, 0)], [(0, 1)], (False, True)),
        ([(0, 0)], [(-1, 1)], (True, False)),
    ],
)
def test_an_entry_of_one_order_is_not_taken_for_one_of_its_neighbour(
    first: list[tuple[int, int]], second: list[tuple[int, int]], expected: tuple[bool, bool]
) -> None:
    """One after the other they are sorted, and within the elements of both together."""
    assert are_well_formed([single_entries(0, first), single_entries(1, second)], 2, (1, 4)) == expected


def test_a_list_of_elements_that_does_not_begin_with_the_identity_is_no_list(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = ask("O", "vector", "vector", 2)
    (vector,) = problem.in_type.distinct
    assert molien(vector, vector, 2) == (1, 1, 3)
    matrices, moves = elements(problem.group)
    turned = matrices.take(np.roll(np.arange(len(matrices)), 1))
    monkeypatch.setattr("pdobasis.proof.counting.elements", lambda group: (turned, moves))
    with pytest.raises(ProofError, match="does not count as the identity"):
        molien(vector, vector, 2)

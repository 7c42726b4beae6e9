"""Matrices that fall into pieces, cell by cell: the verdict is that of entries one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis.answer.solve import ask, solve_problem
from pdobasis.exact.array import exact, integers
from pdobasis.exact.field import RATIONALS, radical
from pdobasis.proof import cells, dense, equivariant
from pdobasis.proof.batch import Batch, summands
from pdobasis.proof.cells import _cells, _images, _numbered, agrees_by_cells
from pdobasis.proof.certificate import prove
from pdobasis.proof.equivariant import is_equivariant
from pdobasis.question.field_type import FieldType
from pdobasis.question.own_representation import build_representation
from pdobasis.question.problem import Problem
from pdobasis.representations.representation import from_matrices
from tests.proof.test_at_places import changed, largest_batch

Question = tuple[str, str, str, int]
QUESTIONS = [
    # one side a permutation, the other a matrix over K; and the other way round
    ("I", "regular", "vector", 1),
    ("I", "vector", "quotient(C2)", 2),
    ("C5", "regular", "tensor(vector, vector)", 2),
    # a permutation of blocks; many kinds of cells; signs
    ("D5", "regular", "tensor(vector, regular)", 1),
    ("D5", "regular + vector", "tensor(vector, vector) + regular", 2),
    ("D12", "tensor(vector, regular)", "vector", 1),
    ("Oh", "quotient(C4)", "tensor(vector, vector)", 2),
    # both of them permutations, and neither
    ("D5", "regular", "regular", 1),
    ("I", "sym(2, vector)", "tensor(vector, vector)", 2),
    ("T", "tensor(vector, vector)", "sym(2, vector)", 3),
]  # fmt: skip


def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only entries one by one are left."""
    for road in ("agrees", "agrees_by_elements", "_agrees_by_cells"):
        monkeypatch.setattr(equivariant, road, lambda *_: None)


def without(batch: Batch, entries: list[int]) -> Batch:
    kept = np.setdiff1d(np.arange(len(batch.row)), entries)
    return replace(
        batch,
        element=batch.element[kept],
        row=batch.row[kept],
        column=batch.column[kept],
        coefficients=batch.coefficients.take(kept),
    )


def wrong_ones(batch: Batch) -> Iterator[Batch]:
    """Numbers that are others, that change places or signs, that are missing or stand where none should."""
    numbers, field = batch.coefficients.numerators, batch.coefficients.field
    denominator = batch.coefficients.denominator
    for entry in range(0, len(numbers), max(1, len(numbers) // 7)):
        for coordinate in range(field.degree):
            more = numbers.copy()
            more[entry, -1, coordinate] += 1
            yield replace(batch, coefficients=exact(more, denominator, field))
    yield changed(batch, 1)
    for entry in range(0, len(numbers), max(1, len(numbers) // 5)):
        if numbers[entry].any():
            yield without(batch, [entry])
            less = numbers.copy()
            less[entry] *= -1
            yield replace(batch, coefficients=exact(less, denominator, field))
    others = [k for k in range(1, len(numbers)) if (numbers[k] != numbers[0]).any()]
    order = np.arange(len(numbers))
    order[[0, others[0]]] = order[[others[0], 0]]
    yield replace(batch, coefficients=batch.coefficients.take(order))


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any question, however small."""
    monkeypatch.setattr(cells, "WORTH", 0)
    monkeypatch.setattr(cells, "FILLED", 10_000)


@pytest.mark.usefixtures("_few")
@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_verdicts_are_those_of_entries_one_by_one(question: Question, monkeypatch: pytest.MonkeyPatch) -> None:
    batch, *reps = largest_batch(question)
    assert agrees_by_cells(batch, *reps) is True
    wrong = list(wrong_ones(batch))
    assert [agrees_by_cells(own, *reps) for own in wrong] == [False] * len(wrong)
    alone(monkeypatch)
    assert is_equivariant(batch, *reps)
    assert not any(is_equivariant(own, *reps) for own in wrong)


@pytest.mark.usefixtures("_few")
@pytest.mark.parametrize("question", QUESTIONS[::3], ids=str)
@pytest.mark.parametrize(("name", "value"), [("AT_ONCE", 1), ("AT_ONCE", 2000), ("ROOM", 1), ("CLOSE", 0)])
def test_in_pieces_of_any_size(question: Question, name: str, value: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong number in the last element is seen, too."""
    batch, *reps = largest_batch(question)
    monkeypatch.setattr(cells, name, value)
    assert agrees_by_cells(batch, *reps) is True
    assert agrees_by_cells(changed(batch, 1), *reps) is False


@pytest.mark.usefixtures("_few")
@pytest.mark.parametrize("side", [0, 1])
def test_every_generator_of_either_side_counts(side: int) -> None:
    """What commutes with rho is not what commutes with another."""
    batch, *reps = largest_batch(("D5", "regular", "tensor(vector, vector)", 1))
    (rep,) = reps[side]
    for k in range(len(rep.matrices())):
        turned = list(rep.matrices())
        turned[k] = -turned[k]
        reps_now = list(reps)
        reps_now[side] = (replace(rep, generators=tuple(turned), permutations=None),)
        assert agrees_by_cells(batch, *reps_now) is False


def test_the_certificate_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Byte for byte, whichever way is taken; and it is the one that is taken."""
    basis = pdobasis.solve("I", "regular", "tensor(vector, vector)", order=1)
    expected = str(basis.certificate), basis.certificate.to_json()
    found = prove(basis.problem, basis.blocks)
    assert (str(found), found.to_json()) == expected
    with monkeypatch.context() as patched:
        alone(patched)
        plain = prove(basis.problem, basis.blocks)
        assert (str(plain), plain.to_json()) == expected
    monkeypatch.setattr(cells, "agrees_by_cells", lambda *_: False)
    assert not prove(basis.problem, basis.blocks).equivariant


def test_a_wrong_basis_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    basis = pdobasis.solve("I", "regular", "tensor(vector, vector)", order=0)
    (block,) = basis.blocks
    monkeypatch.setattr(dense, "DENSE", 0)
    verdicts: list[bool | None] = []

    def asked(*own: Any) -> bool | None:
        verdicts.append(agrees_by_cells(*own))
        return verdicts[-1]

    monkeypatch.setattr(equivariant, "_agrees_by_cells", asked)
    assert prove(basis.problem, [block]).holds
    (part,) = block.orders
    numbers = part.coefficients.numerators.copy()
    numbers[-1, 0, 1] += 1
    values = exact(numbers, part.coefficients.denominator, part.coefficients.field)
    wrong = replace(block, orders=(replace(part, coefficients=values),))
    assert not prove(basis.problem, [wrong]).equivariant
    assert verdicts == [True, False]


@pytest.mark.usefixtures("_few")
def test_what_is_left_to_the_other_roads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lie groups, pieces with few entries, more kinds of cells than entries, numbers that float64 does not hold."""
    assert agrees_by_cells(*largest_batch(("SO(3)", "vector", "vector", 1))) is None
    batch, *reps = largest_batch(("I", "regular", "vector", 1))
    assert agrees_by_cells(changed(batch, 1 << 52), *reps) is None
    assert not is_equivariant(changed(batch, 1 << 52), *reps)
    for name, value in (("FILLED", 0), ("WORTH", 10**6)):
        with monkeypatch.context() as patched:
            patched.setattr(cells, name, value)
            assert agrees_by_cells(batch, *reps) is None
    (rep,) = reps[1]
    large = replace(rep, generators=tuple(m.scale(1 << 60) for m in rep.generators))
    assert agrees_by_cells(batch, reps[0], (large,)) is None
    empty = without(batch, list(range(len(batch.row))))
    assert agrees_by_cells(empty, *reps) is True


def test_a_row_or_a_column_without_numbers_is_in_no_cell() -> None:
    batch, *reps = largest_batch(("C4", "regular", "tensor(vector, vector)", 0))
    (rep,) = reps[1]
    for places in (np.s_[0], np.s_[:, 0]):
        numbers = np.eye(4, dtype=np.int64)
        numbers[places] = 0
        singular = replace(rep, generators=(integers(numbers),), permutations=None)
        assert _images((singular,), rep.field) is None
        assert agrees_by_cells(batch, reps[0], (singular,)) is None


@pytest.mark.parametrize(
    ("group", "spec", "sides", "kinds"),
    [
        ("C5", "regular", [1] * 5, [1]),
        ("C5", "vector", [2], [1]),
        ("C5", "tensor(vector, regular)", [2] * 5, [1]),
        ("C5", "vector + regular", [2] + [1] * 5, [2]),
        ("I", "tensor(vector, vector)", None, None),
    ],
)
def test_cells_are_what_the_matrix_is_made_of(
    group: str, spec: str, sides: list[int] | None, kinds: list[int] | None
) -> None:
    """Put together at their places they are the matrix again."""
    reps = tuple(summands(ask(group, "trivial", spec, 0).out_type))
    field = radical(5) if group == "I" else reps[-1].group.field
    size = sum(rep.size for rep in reps)
    images = _images(reps, field)
    assert images is not None
    for number, own in enumerate(images.cells):
        whole = np.zeros((size, size, field.degree))
        for i in range(size):
            for j in range(size):
                if own.of_row[i] == own.of_column[j]:
                    cell = own.matrices[own.kind[own.of_row[i]]]
                    whole[i, j] = cell[own.row[i], own.column[j]]
        expected, start = np.zeros_like(whole), 0
        for rep in reps:
            end = start + rep.size
            m = rep.matrices()[number].over(field)
            expected[start:end, start:end] = m.numerators * (images.denominator // m.denominator)
            start = end
        assert np.array_equal(whole, expected)
        if sides is not None:
            assert sorted(np.bincount(own.of_row)) == sorted(sides)
        if kinds is not None:
            assert [len(own.matrices)] == kinds
    assert _cells(reps, 0, images.denominator, field) is not None


def test_numbers_are_counted_in_a_table_or_sorted(monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = np.array([7, 3, 7, 9]), np.array([9, 0, 3, 3])
    for close in (0, 1000):
        monkeypatch.setattr(cells, "CLOSE", close)
        every, own, other = _numbered(here, there, 12)
        assert (every.tolist(), own.tolist(), other.tolist()) == ([0, 3, 7, 9], [2, 1, 2, 3], [3, 0, 1, 1])


def test_denominators_beyond_float64_are_left_to_others() -> None:
    """10^-19 in a matrix beside a permutation: over the common denominator its ones are numbers beyond 63 bits."""
    group, power = pdobasis.group("C2"), 10**19
    mirrored = exact(np.array([[[power], [1]], [[0], [-power]]], dtype=object), power, RATIONALS)
    own = build_representation("own", group, {"r": mirrored}, {})
    (regular,) = pdobasis.field_type("regular", group)
    fields = FieldType(((regular, 1), (own, 1)))
    assert solve_problem(Problem(group, fields, fields, 0)).certificate.holds
    assert _images((regular, own), RATIONALS) is None


def test_elements_without_entries_are_not_independent() -> None:
    """Where some elements are looked at by themselves, these may have none at all."""
    problem = ask("C16", "tensor(vector, regular)", "tensor(vector, regular)", 1)
    (block,) = pdobasis.solve("C16", "tensor(vector, regular)", "tensor(vector, regular)", order=1).blocks
    part = block.orders[1]
    kept = part.element < part.size - 20
    emptied = replace(
        part,
        element=part.element[kept],
        row=part.row[kept],
        column=part.column[kept],
        coefficients=part.coefficients.take(np.flatnonzero(kept)),
    )
    found = prove(problem, [replace(block, orders=(block.orders[0], emptied))])
    assert found.equivariant
    assert not found.independent


def test_large_cells_of_few_numbers_are_left_to_others() -> None:
    """A chain of 200 is one cell, and most of it is zero."""
    size = 200
    chain = integers(np.eye(size, dtype=np.int64) + np.eye(size, k=1, dtype=np.int64))
    rep = from_matrices(pdobasis.group("C2"), "own", size, (chain,), own=True)
    assert _images((rep,), RATIONALS) is None

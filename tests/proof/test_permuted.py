"""Where both sides are permuted up to signs, entries are compared with their partners: what is right is seen, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pdobasis.answer.solve import ask
from pdobasis.exact.array import exact
from pdobasis.operators.symbols import Symbols, renumber
from pdobasis.proof import dense
from pdobasis.proof.batch import single
from pdobasis.proof.dense import agrees
from pdobasis.proof.equivariant import is_equivariant
from pdobasis.solvers.batch import Task
from pdobasis.solvers.direct import solve_block

QUESTIONS = [
    ("D8", "regular", "trivial", 2),
    ("C8", "regular", "regular", 1),
    ("D3", "trivial", "regular", 3),
    ("Td", "vector", "sym(2, vector)", 2),
    ("Oh", "vector", "tensor(vector, vector)", 1),
    ("O", "det", "quotient(C4)", 3),
    ("D4", "regular", "vector", 2),
]
SIGNED = QUESTIONS[3:]


def part_of(question: tuple[str, str, str, int]) -> tuple[Task, Symbols]:
    dim = 3 if question in SIGNED[:3] else None
    problem = ask(*question, dim=dim)
    (rep_in,), (rep_out,) = problem.in_type.distinct, problem.out_type.distinct
    task = Task(rep_in, rep_out, problem.order)
    return task, solve_block(rep_in, rep_out, problem.order)


@pytest.mark.parametrize("question", QUESTIONS)
def test_solutions_agree_without_the_other_road(question: tuple[str, str, str, int]) -> None:
    task, part = part_of(question)
    assert agrees(single(part), (task.rep_in,), (task.rep_out,)) is True


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_coefficient_counts(question: tuple[str, str, str, int]) -> None:
    task, part = part_of(question)
    values = part.coefficients
    for entry in range(0, len(part.element), 5):
        for monomial in range(values.shape[1]):
            numbers = values.numerators.copy()
            numbers[entry, monomial, 0] += 1
            wrong = replace(part, coefficients=exact(numbers, values.denominator, values.field))
            assert not is_equivariant(single(wrong), (task.rep_in,), (task.rep_out,))


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_entry_that_is_missing_is_missed(question: tuple[str, str, str, int]) -> None:
    task, part = part_of(question)
    first = np.flatnonzero(part.element == 0)[:1]
    kept = np.setdiff1d(np.arange(len(part.element)), first)
    lost = replace(
        part,
        element=part.element[kept],
        row=part.row[kept],
        column=part.column[kept],
        coefficients=part.coefficients.take(kept),
    )
    # an entry without a partner is left to the road that adds up what stands at a place
    assert agrees(single(lost), (task.rep_in,), (task.rep_out,)) is None
    assert not is_equivariant(single(lost), (task.rep_in,), (task.rep_out,))


@pytest.mark.parametrize("question", QUESTIONS)
def test_coefficients_that_change_places_are_seen(question: tuple[str, str, str, int]) -> None:
    """The coefficients of two entries of one element are exchanged where they differ: the places stay what they were."""
    task, part = part_of(question)
    only = renumber(part, np.where(np.arange(part.size) == part.size - 1, 0, -1), 1)
    numbers = only.coefficients.numerators
    other = next(k for k in range(1, len(numbers)) if (numbers[k] != numbers[0]).any())
    order = np.arange(len(numbers))
    order[[0, other]] = order[[other, 0]]
    wrong = replace(only, coefficients=only.coefficients.take(order))
    assert agrees(single(only), (task.rep_in,), (task.rep_out,)) is True
    assert agrees(single(wrong), (task.rep_in,), (task.rep_out,)) is False


@pytest.mark.parametrize("question", SIGNED)
def test_a_sign_alone_is_seen(question: tuple[str, str, str, int]) -> None:
    """One entry of one element becomes its negative."""
    task, part = part_of(question)
    for entry in np.flatnonzero(np.bincount(part.element)[part.element] > 1).tolist():
        numbers = part.coefficients.numerators.copy()
        numbers[entry] *= -1
        wrong = replace(part, coefficients=exact(numbers, 1, part.coefficients.field))
        assert agrees(single(wrong), (task.rep_in,), (task.rep_out,)) is False


@pytest.mark.parametrize("question", SIGNED[:2])
def test_signs_of_either_side_count(question: tuple[str, str, str, int]) -> None:
    """What is equivariant is not where one side is multiplied by a character of signs, and is where both are."""
    group, source, target, order = question
    task, part = part_of(question)
    twisted = ask(group, f"tensor(det, {source})", f"tensor(det, {target})", order, dim=3)
    (other_in,), (other_out,) = twisted.in_type.distinct, twisted.out_type.distinct
    assert part.size
    assert agrees(single(part), (other_in,), (task.rep_out,)) is False
    assert agrees(single(part), (task.rep_in,), (other_out,)) is False
    assert agrees(single(part), (other_in,), (other_out,)) is True


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_other_road_says_the_same(question: tuple[str, str, str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """As whole matrices, of what is right and of what has one number too much."""
    task, part = part_of(question)
    numbers = part.coefficients.numerators.copy()
    numbers[-1, -1, 0] += 1
    wrong = replace(part, coefficients=exact(numbers, 1, part.coefficients.field))
    monkeypatch.setattr(dense, "_moves", lambda reps: None)
    assert agrees(single(part), (task.rep_in,), (task.rep_out,)) is True
    assert agrees(single(wrong), (task.rep_in,), (task.rep_out,)) is False

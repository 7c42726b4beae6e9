"""Without the square roots of their bases elements are proved over Q: it says what the field says, and no more."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from pdobasis import solve
from pdobasis.exact.array import exact
from pdobasis.exact.field import RATIONALS, join, radical
from pdobasis.proof.batch import Batch, single
from pdobasis.proof.equivariant import _is_equivariant, _tables, is_equivariant
from pdobasis.proof.lines import Sum
from pdobasis.proof.over_q import over_q

QUESTIONS = [
    ("SO(3)", "irrep(2)", "irrep(3)", 2, "transfer"),
    ("O(3)", "irrep(0,2)", "irrep(1,2)", 3, "transfer"),
    ("O(3)", "vector", "tensor(irrep(0,2), vector)", 2, "transfer"),
    ("SO(3)", "irrep(2)", "irrep(2)", 2, "direct"),
    ("O", "irrep(E)", "vector", 2, "direct"),
    ("Td", "irrep(E)", "irrep(E)", 2, "transfer"),
]


def _found(group: str, rep_in: str, rep_out: str, n: int, method: str) -> tuple[Batch, Sum, Sum]:
    basis = solve(group, rep_in, rep_out, n, method=method)
    part = basis.blocks[0].orders[n]
    assert part.size
    problem = basis.problem
    return single(part), problem.in_type.distinct, problem.out_type.distinct


def _changed(batch: Batch) -> list[Batch]:
    """One coefficient of one root of the first entries, changed; and a multiple of another root added."""
    field = batch.coefficients.field
    shape = batch.coefficients.numerators.shape
    out = []
    for entry, monomial, k in product(range(min(3, shape[0])), *map(range, shape[1:])):
        numbers = np.array(batch.coefficients.numerators)
        numbers[entry, monomial, k] += 1
        values = exact(numbers, batch.coefficients.denominator, field)
        out.append(replace(batch, coefficients=values))
    return out


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_over_q_and_over_the_field_agree(
    question: tuple[str, str, str, int, str],
) -> None:
    batch, reps_in, reps_out = _found(*question)
    tables = _tables(reps_in[0].group, batch.low, batch.high)
    fields = [rep.field for rep in (*reps_in, *reps_out)]
    assert any(not f.is_rational for f in (*fields, batch.coefficients.field))
    for some, expected in ((batch, True), *((b, False) for b in _changed(batch))):
        moved = over_q(some, reps_in, reps_out)
        assert moved is not None
        assert moved[0].coefficients.field == RATIONALS
        assert all(rep.field == RATIONALS for reps in moved[1:] for rep in reps)
        assert is_equivariant(some, reps_in, reps_out) is expected
        assert _is_equivariant(some, reps_in, reps_out, tables) is expected


def test_two_elements_and_a_root_times_one_of_them() -> None:
    """P + √2 Q is equivariant where P and Q are; it falls apart into both of them."""
    batch, reps_in, reps_out = _found("SO(3)", "vector", "vector", 2, "direct")
    assert batch.size == 2
    assert batch.coefficients.field == RATIONALS
    mixed = _sum_with_root(batch)
    found = over_q(mixed, reps_in, reps_out)
    assert found is not None
    assert found[0].size == 2
    assert is_equivariant(mixed, reps_in, reps_out)


def _sum_with_root(batch: Batch) -> Batch:
    """The first element and √2 times the second, as one."""
    rows, columns = batch.shape
    numbers = np.zeros((rows * columns, batch.coefficients.shape[1], 2), dtype=np.int64)
    at = batch.row * columns + batch.column
    numbers[at, :, batch.element] = batch.coefficients.numerators[..., 0]
    place = np.flatnonzero(numbers.any(axis=(1, 2)))
    values = exact(numbers[place], batch.coefficients.denominator, radical(2))
    return replace(
        batch,
        element=np.zeros(len(place), dtype=np.int64),
        row=place // columns,
        column=place % columns,
        coefficients=values,
        order=batch.order[:1],
        copies=batch.copies[:1],
    )


def test_a_group_with_roots_of_its_own_is_left_alone() -> None:
    """C3 turns the plane by matrices with √3: no change of the fibres takes that away."""
    batch, reps_in, reps_out = _found("C3", "vector", "vector", 1, "transfer")
    assert not join(reps_in[0].field, RATIONALS).is_rational
    assert over_q(batch, reps_in, reps_out) is None

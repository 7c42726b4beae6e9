"""At large orders the constraint is proved on grids and circles modulo primes: it says what the points say, and no more."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pdobasis import solve
from pdobasis.exact.array import exact
from pdobasis.proof import angle
from pdobasis.proof.angle import has_angle, holds_for_every_angle
from pdobasis.proof.batch import Batch, Placed, batches, orders, single
from pdobasis.proof.circle import on_circle
from pdobasis.proof.equivariant import _is_equivariant, _tables, is_equivariant
from pdobasis.proof.large_orders import BITS, on_grid, primes_beyond
from pdobasis.proof.lines import Sum

QUESTIONS = [
    ("SO(2)", "vector", "vector", 12),
    ("O(2)", "vector", "sym(2, vector)", 11),
    ("O(2)", "irrep(1,3)", "tensor(vector, vector)", 11),
    ("SO(3)", "vector", "vector", 10),
    ("O(3)", "vector", "sym(2, vector)", 11),
    ("SO(1,3)", "vector", "trivial", 11),
    ("Oh", "vector", "trivial", 11),
    ("D4", "vector", "vector", 10),
]


def _found(group: str, rep_in: str, rep_out: str, n: int) -> tuple[Batch, Sum, Sum]:
    # by the direct method, whose coefficients are rational where the question is
    basis = solve(group, rep_in, rep_out, n, method="direct")
    problem = basis.problem
    part = basis.blocks[0].orders[n]
    assert part.size
    return single(part), problem.in_type.distinct, problem.out_type.distinct


def _changed(batch: Batch, by: int) -> Batch:
    """The first coefficient that is not zero, changed."""
    numbers = np.array(batch.coefficients.numerators, dtype=object)
    place = tuple(int(k[0]) for k in np.nonzero(numbers))
    numbers[place] += by
    values = exact(numbers, batch.coefficients.denominator, batch.coefficients.field)
    return replace(batch, coefficients=values)


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_grids_and_points_agree(question: tuple[str, str, str, int]) -> None:
    batch, reps_in, reps_out = _found(*question)
    tables = _tables(reps_in[0].group, batch.low, batch.high)
    assert on_grid(batch, reps_in, reps_out)
    for some, expected in ((batch, True), (_changed(batch, 1), False)):
        assert is_equivariant(some, reps_in, reps_out) is expected
        assert _is_equivariant(some, reps_in, reps_out, tables) is expected


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_a_multiple_of_a_prime_does_not_hide(
    question: tuple[str, str, str, int],
) -> None:
    """A coefficient that is wrong by the product of the first primes is seen by the next."""
    batch, reps_in, reps_out = _found(*question)
    product = int(np.prod(list(primes_beyond(1 << 60)), dtype=object))
    assert product > 1 << 60
    assert not is_equivariant(_changed(batch, product), reps_in, reps_out)


@pytest.mark.parametrize("question", QUESTIONS[:3], ids=str)
def test_the_symbolic_angle_is_seen_on_the_circle(
    question: tuple[str, str, str, int],
) -> None:
    batch, reps_in, reps_out = _found(*question)
    assert has_angle(reps_in, reps_out)
    assert on_circle(batch, reps_in, reps_out)
    assert holds_for_every_angle(batch, reps_in, reps_out) is True
    turns = 2 * (batch.high + 6) + 1
    product = int(np.prod(list(primes_beyond(1 << 60, 4 * turns)), dtype=object))
    for by in (1, product):
        assert holds_for_every_angle(_changed(batch, by), reps_in, reps_out) is False


@pytest.mark.parametrize(
    "question",
    [
        ("SO(2)", "sym(3, vector)", "sym(2, vector)", 1),
        ("O(2)", "irrep(1,3)", "tensor(vector, vector)", 3),
        ("SO(2)", "vector", "vector", 12),
    ],
)
def test_the_derivative_along_the_angle_says_what_the_angle_says(
    question: tuple[str, str, str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    batch, reps_in, reps_out = _found(*question)
    verdicts = []
    for many in (angle.MANY, -1):
        monkeypatch.setattr(angle, "MANY", many)
        verdicts.append([holds_for_every_angle(own, reps_in, reps_out) for own in (batch, _changed(batch, 1))])
    assert verdicts == [[True, False]] * 2


def test_large_matrices_of_rotations_are_not_multiplied_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(angle, "_exponential", None)
    basis = solve("SO(2)", "sym(16, vector)", "sym(16, vector)", 1)
    assert basis.certificate.symbolic_angle is True


def test_primes_are_small_enough_for_blas_and_enough() -> None:
    found = list(primes_beyond(10**40, 12, avoid=8388593))
    assert all(p < 1 << BITS and p % 12 == 1 and p != 8388593 for p in found)
    assert np.prod(found[:-1], dtype=object) <= 10**40 < np.prod(found, dtype=object)


def test_orders_are_taken_apart() -> None:
    """Elements of two orders, side by side, are those of each order alone."""
    basis = solve("SO(2)", "vector", "vector", 3)
    parts = [Placed(part, 0, 0) for part in basis.blocks[0].orders]
    (batch,) = batches(parts, (2, 2))
    assert batch.low < batch.high
    for own in orders(batch):
        part = basis.blocks[0].orders[own.high]
        assert own.coefficients.equals(part.coefficients)
        assert own.element.tolist() == part.element.tolist()


@pytest.mark.parametrize(
    ("group", "order", "dimension"),
    [("SO(2)", 48, 98), ("O(3)", 32, 33), ("SO(3)", 24, 37)],
)
def test_high_orders_are_proved(group: str, order: int, dimension: int) -> None:
    """Powers of the Laplacian of id, grad div (and R, grad curl; or curl)."""
    basis = solve(group, "vector", "vector", order)
    assert basis.certificate.holds
    assert basis.dimension == dimension

"""The constraint of finite groups modulo primes: all places of a prime, a bound that holds, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import numpy as np
import pytest

import pdobasis
from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import RATIONALS, Field, cyclotomic, radical
from pdobasis.exact.types import IntArray
from pdobasis.proof import at_places, equivariant
from pdobasis.proof.at_places import _bound, _field, _norms, are_large, holds_at_places
from pdobasis.proof.batch import Batch, batches, found_blocks, summands
from pdobasis.proof.large_orders import primes_beyond
from pdobasis.proof.lines import Sum
from pdobasis.proof.modular import places, step_of

FIELDS = [RATIONALS, radical(5), radical(2, 3), radical(6, 10), cyclotomic(7), cyclotomic(12), cyclotomic(16)]
QUESTIONS = [
    ("I", "trivial", "trivial", 10),
    ("Ih", "vector", "trivial", 9),
    ("O", "vector", "trivial", 13),
    ("D8", "vector", "irrep(1,3)", 12),
    ("3m", "vector", "det", 9),
]
Question = tuple[str, str, str, int]


def largest_batch(question: Question) -> tuple[Batch, Sum, Sum]:
    """The elements of the highest order, as they are proved."""
    group, source, target, order = question
    basis = pdobasis.solve(group, source, target, order=order)
    found = found_blocks(basis.problem, basis.blocks)
    reps_in, reps_out = (tuple(summands(side)) for side in (basis.problem.in_type, basis.problem.out_type))
    shape = (sum(rep.size for rep in reps_out), sum(rep.size for rep in reps_in))
    *_, batch = batches([part for block in found for part in block.placed()], shape)
    return batch, reps_in, reps_out


def changed(batch: Batch, by: int) -> Batch:
    """One coordinate of the last coefficient that is not zero is another."""
    numbers = batch.coefficients.numerators.astype(object)
    place = tuple(np.argwhere(numbers)[-1])
    numbers[place] += by
    return replace(batch, coefficients=exact(numbers, batch.coefficients.denominator, batch.coefficients.field))


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_places_are_as_many_homomorphisms_as_the_degree(field: Field) -> None:
    (p,) = primes_beyond(1, step_of(field))
    found = places(field, p)
    assert len({at.values for at in found}) == field.degree
    n = field.degree
    table = field.products().reshape(n, n, n).tolist()
    for at in found:
        assert at.values[0] == 1
        for i in range(n):
            for j in range(n):
                image = sum(c * v for c, v in zip(table[i][j], at.values, strict=True))
                assert (image - at.values[i] * at.values[j]) % p == 0


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_the_norm_bounds_coordinates_and_products(field: Field) -> None:
    draw = np.random.default_rng(5)
    x, y = (exact(draw.integers(-9, 10, (50, field.degree)), 1, field) for _ in range(2))
    assert (np.abs(x.numerators).max(axis=1) <= _norms(x, field)).all()
    # of the norm itself, that is of the matrix, the product is a bound; the weights are at least it
    assert (_matrix_norms(x * y, field) <= _norms(x, field) * _norms(y, field)).all()


def _matrix_norms(values: ExactArray, field: Field) -> IntArray:
    matrices = field.multiplication(values.numerators).reshape(len(values), field.degree, field.degree)
    return np.asarray(np.abs(matrices).sum(axis=2).max(axis=1))


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_both_ways_agree_on_what_holds_and_what_does_not(question: Question, monkeypatch: pytest.MonkeyPatch) -> None:
    batch, reps_in, reps_out = largest_batch(question)
    assert are_large(batch, (*reps_in, *reps_out))
    assert holds_at_places(batch, reps_in, reps_out)
    wrong = changed(batch, 1)
    assert not holds_at_places(wrong, reps_in, reps_out)
    monkeypatch.setattr(equivariant, "LARGE", 1000)
    assert equivariant.is_equivariant(batch, reps_in, reps_out)
    assert not equivariant.is_equivariant(wrong, reps_in, reps_out)


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_a_multiple_of_the_primes_is_no_zero(question: Question) -> None:
    """The primes depend on how large the coefficients are: a change that all of them overlook asks for more."""
    batch, reps_in, reps_out = largest_batch(question)
    field = _field(batch, (*reps_in, *reps_out))
    limit, common = _bound(batch, reps_in, reps_out, field)
    every = list(primes_beyond(limit, step_of(field), common))
    for by in (every[0], prod(every)):
        assert not holds_at_places(changed(batch, by), reps_in, reps_out)


def test_it_is_the_way_that_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    batch, reps_in, reps_out = largest_batch(QUESTIONS[0])
    monkeypatch.setattr(at_places, "holds_at_places", lambda *_: False)
    assert not equivariant.is_equivariant(batch, reps_in, reps_out)


def test_monomials_are_what_powers_of_integers_are() -> None:
    p = next(iter(primes_beyond(1)))
    points = np.array([[p - 1, p - 2, 3], [p // 2, 0, 7], [1, 5, p - 1]])
    alphas = np.array([[31, 1, 0], [0, 0, 32], [0, 4, 28], [11, 11, 10]])
    found = at_places._monomials(points, alphas, p)
    expected = [[prod(pow(x, a, p) for x, a in zip(y, alpha, strict=True)) % p for y in points.tolist()]
                for alpha in alphas.tolist()]  # fmt: skip
    assert found.tolist() == expected


def test_a_monomial_that_no_element_had_is_looked_at() -> None:
    """Elements of I have even powers alone: another one is seen at the points all the same."""
    batch, reps_in, reps_out = largest_batch(QUESTIONS[0])
    numbers = batch.coefficients.numerators.astype(object)
    unused = int(np.flatnonzero(~numbers.any(axis=(0, 2)))[0])
    numbers[0, unused, 0] = 1
    wrong = replace(batch, coefficients=exact(numbers, batch.coefficients.denominator, batch.coefficients.field))
    assert not holds_at_places(wrong, reps_in, reps_out)

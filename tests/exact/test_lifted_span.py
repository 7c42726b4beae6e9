"""Echelon forms of spaces that are known modulo primes."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from pdobasis.errors import ExactnessError
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.primes import split_prime
from pdobasis.linear import dense_residues
from pdobasis.linear.dense_residues import Residues, echelon, product
from pdobasis.linear.lifted_span import BELOW, echelon_of_span
from pdobasis.linear.sparse import to_dense

P = split_prime(RATIONALS, 0, BELOW).prime
FIRST, SECOND = (
    [Fraction(1), Fraction(0), Fraction(2, 3), Fraction(0)],
    [Fraction(0), Fraction(1), Fraction(0), Fraction(10**30, 7)],
)


def spanned(p: int) -> Residues:
    """Other combinations of two vectors modulo every prime."""
    vectors = [[q.numerator * pow(q.denominator, -1, p) % p for q in own] for own in (FIRST, SECOND)]
    a, b = vectors
    mixed = [
        [(u + (p % 11 + 2) * v) % p for u, v in zip(a, b, strict=True)],
        [(u - v) % p for u, v in zip(a, b, strict=True)],
    ]
    return dense_residues.reduced(np.array(mixed, dtype=np.float64), p)


def test_large_fractions_are_lifted_from_many_primes() -> None:
    found = to_dense(echelon_of_span(spanned))
    assert found.denominator == 21
    assert found.numerators[..., 0].tolist() == [[21, 0, 14, 0], [0, 21, 0, 3 * 10**30]]


def test_unlucky_primes_are_passed_over() -> None:
    """Modulo the first prime a vector starts later, modulo the second it is divided by zero."""
    second = split_prime(RATIONALS, 1, BELOW).prime

    def span(p: int) -> Residues | None:
        return None if p == second else np.array([[float(P % p), 1.0, 1.0]])

    found = to_dense(echelon_of_span(span))
    assert found.numerators[0, 1, 0] * P == found.numerators[0, 0, 0]


def test_vectors_that_are_never_independent_are_refused() -> None:
    with pytest.raises(ExactnessError, match="60 primes"):
        echelon_of_span(lambda p: np.ones((2, 3)))


def test_products_are_those_of_integers() -> None:
    random = np.random.default_rng(0)
    a, b = (random.integers(-(P // 2), P // 2 + 1, shape) for shape in ((3, 40_000), (40_000, 2)))
    found = product(a.astype(np.float64), b.astype(np.float64), P)
    expected = a.astype(object) @ b.astype(object)
    assert not ((found.astype(np.int64).astype(object) - expected) % P).any()


def test_pivots_are_found_across_groups_of_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dense_residues, "AT_ONCE", 2)
    rows = np.array([[0, 1, 2, 0, 3, 1], [0, 1, 2, 5, 3, 1], [0, 2, 4, 0, 7, 1]], dtype=np.float64)
    form = echelon(rows, P)
    assert form is not None
    pivots, found = form
    assert pivots.tolist() == [1, 3, 4]
    assert found.tolist() == [[0, 1, 2, 0, 0, 4], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, -1]]
    assert echelon(np.concatenate([rows, rows[:1]]), P) is None

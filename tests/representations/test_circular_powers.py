"""Turns of the plane in one integer a number: the very matrices that arrays give, and no others."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from pdobasis.exact.array import ExactArray, exact, identity
from pdobasis.exact.field import radical
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.closure import closure
from pdobasis.groups.matrices import determinant, mirror, rotation
from pdobasis.representations import circular_powers
from pdobasis.representations.circular_powers import orientation, plain_power
from pdobasis.representations.terms import Determinant, HalfTurn, Planar

TURNS = [3, 5, 7, 8, 9, 12, 16, 24]


def same(a: ExactArray, b: ExactArray) -> bool:
    """To the byte."""
    return (a.field, a.denominator) == (b.field, b.denominator) and np.array_equal(a.numerators, b.numerators)


@pytest.mark.parametrize("n", TURNS)
def test_the_same_matrices_as_by_arrays(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    turn = rotation(Fraction(2, n))
    terms = [*map(Planar, range(1, 6)), Determinant(), *(HalfTurn(k, t, identity(2)) for k in (1, 4) for t in (0, 1))]
    for g in (turn, turn @ turn, turn @ mirror(Fraction(0)), mirror(Fraction(1, n))):
        found = [term.at(g) for term in terms]
        with monkeypatch.context() as patch:
            patch.setattr(circular_powers, "packed", lambda field: None)
            assert all(map(same, found, [term.at(g) for term in terms]))


def test_long_powers_are_left_to_arrays() -> None:
    turn = rotation(Fraction(1, 4))
    assert plain_power(turn, 5) is not None
    assert plain_power(turn, 100) is None
    assert Planar(104).at(turn).equals(identity(2))


def test_matrices_that_are_not_orthogonal() -> None:
    """(1 + sqrt 2)(cos, sin) has the shape of a turn, and another determinant."""
    numbers = np.array([[[1, 1], [0, 0]], [[0, 0], [1, 1]]])
    g = exact(numbers, 1, radical(2))
    assert orientation(g) is None
    assert Determinant().at(g).equals(determinant(g).reshape(1, 1))
    assert orientation(exact(numbers[::-1], 1, radical(2))) is None


def test_homomorphisms_to_signs() -> None:
    group = parse_group("D5h")
    table = closure(group)
    one, field = identity(1), group.field
    images = tuple(Determinant().at(g) for g in group.generators)
    found = table.evaluate(images, one)
    assert found.field == field
    every = [determinant(table.matrices[k]) for k in range(len(table))]
    assert all(found[k, 0, 0].equals(v) for k, v in enumerate(every))
    # as by products of matrices, in a space where nothing is a sign
    whole = table.evaluate(tuple(g.over(field) for g in group.generators), identity(3, field))
    assert whole.equals(table.matrices)

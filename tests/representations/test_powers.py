"""Powers of a rotation are looked up where the angle is known, and are those of repeated products."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from pdobasis.exact.array import ExactArray, exact, integers
from pdobasis.exact.field import Field, cyclotomic, radical
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.closure import closure
from pdobasis.groups.matrices import determinant, power, rotation
from pdobasis.representations.terms import (
    Alternating,
    HalfTurn,
    Planar,
    Symmetric,
    Vector,
    compound,
)


@pytest.mark.parametrize("n", [3, 4, 5, 7, 8, 12, 20, 31])
def test_the_image_of_a_rotation_is_its_power(n: int) -> None:
    g: ExactArray = rotation(Fraction(2, n))
    for k in range(n):
        assert Planar(k).at(g).equals(power(g, k))


def test_an_angle_that_is_no_part_of_a_turn() -> None:
    from pdobasis.groups.matrices import numbers

    g = numbers([["3/5", "-4/5"], ["4/5", "3/5"]]).over(rotation(Fraction(2, 5)).field)
    assert Planar(3).at(g).equals(power(g, 3))


@pytest.mark.parametrize("k", [0, 1, 2, 3, 5])
def test_quarter_turns_and_mirrors_are_looked_up_and_multiply(k: int) -> None:
    matrices = closure(parse_group("D4")).matrices
    every = [matrices[i] for i in range(len(matrices))]
    assert all(Planar(1).at(g).equals(g) for g in every)
    # the same matrices over a larger field take the other road
    field = rotation(Fraction(1, 4)).field
    for g in every:
        assert Planar(k).at(g).equals(Planar(k).at(g.over(field)))
        for twist in (0, 1):
            term = HalfTurn(k, twist, rotation(Fraction(0)))
            assert term.at(g).equals(term.at(g.over(field)))


@pytest.mark.parametrize("field", [radical(3), cyclotomic(5), cyclotomic(16), cyclotomic(20)], ids=str)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_determinant_over_a_field_is_the_last_minor(field: Field, size: int) -> None:
    rng = np.random.default_rng(size)
    for largest in (2, 9, 10**6):
        for _ in range(10):
            numerators = rng.integers(-largest, largest + 1, (size, size, field.degree))
            m = exact(numerators, int(rng.integers(1, 5)), field)
            found = determinant(m)
            assert found.field == field
            assert found.equals(compound(m, size)[0, 0])


def test_a_small_determinant_is_that_of_the_characteristic_polynomial() -> None:
    field = rotation(Fraction(1, 4)).field
    for size in (1, 2, 3):
        for seed in range(10):
            m = integers(np.random.default_rng(seed).integers(-9, 10, (size, size))).scale(Fraction(1, 6))
            assert determinant(m).equals(determinant(m.over(field)))


def test_large_numbers_do_not_wrap() -> None:
    """On x_1^2, x_1 x_2, x_2^2 the diagonal (a, b) acts by 2a, a + b, 2b; on e_1 ∧ e_2 by a + b."""
    big = 2**62
    x = integers(np.array([[big, 0], [0, big]], dtype=object))
    on_squares = Symmetric(2, Vector()).derivative(x).numerators[..., 0]
    assert on_squares.tolist() == [[2 * big, 0, 0], [0, 2 * big, 0], [0, 0, 2 * big]]
    on_area = Alternating(2, Vector()).derivative(x).numerators[..., 0]
    assert on_area.tolist() == [[2 * big]]
    on_cubes = Symmetric(3, Vector()).at(x).numerators[..., 0]
    assert on_cubes.diagonal().tolist() == [big**3] * 4


def test_components_of_symmetric_tensors() -> None:
    """T -> g T g^T, read off at T_11, T_12, T_22."""
    g = integers([[1, 2], [3, 5]])
    found = Symmetric(2, Vector()).at(g).numerators[..., 0]
    for k, (i, j) in enumerate([(0, 0), (0, 1), (1, 1)]):
        t = np.zeros((2, 2), dtype=np.int64)
        t[i, j] = t[j, i] = 1
        m = g.numerators[..., 0]
        moved = m @ t @ m.T
        assert found[:, k].tolist() == [moved[0, 0], moved[0, 1], moved[1, 1]]

"""Closed forms of what rotations and mirrors do to harmonics: equal to substitution into the polynomials themselves."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from pdobasis.exact.array import ExactArray, exact, integers
from pdobasis.exact.field import RATIONALS, radical
from pdobasis.exact.polynomials import derivation, substitution
from pdobasis.exact.roots import ratios, times_ratios
from pdobasis.representations.harmonic_actions import mirrored, turned
from pdobasis.representations.harmonics import AXES, Spherical, _dual, _rescaling, rational_harmonics

DEGREES = range(9)
CONVENTIONS = tuple(AXES)


def skew(a: int, b: int, c: int, denominator: int = 1) -> ExactArray:
    return exact(np.array([[0, a, b], [-a, 0, c], [-b, -c, 0]])[..., None], denominator, RATIONALS)


def same(found: ExactArray | None, wanted: ExactArray) -> bool:
    """To the last byte: files are made of these."""
    assert found is not None
    assert (found.field, found.denominator) == (wanted.field, wanted.denominator)
    assert found.numerators.dtype == wanted.numerators.dtype
    return bool((found.numerators == wanted.numerators).all())


@pytest.mark.parametrize("degree", DEGREES)
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_derivatives_are_those_of_the_polynomials(degree: int, convention: str) -> None:
    axes = AXES[convention]
    for numbers in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (2, -3, 5)):
        x = skew(*numbers, denominator=7)
        wanted = rational_harmonics(degree, axes) @ derivation(x, degree) @ _dual(degree, axes)
        assert same(turned(degree, x, axes), wanted)
        if degree > 1 and convention != "rational":
            assert same(Spherical(degree, 0, convention).derivative(x), wanted * _rescaling(degree))


@pytest.mark.parametrize("degree", DEGREES)
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_mirrors_are_those_of_the_polynomials(degree: int, convention: str) -> None:
    axes = AXES[convention]
    for signs in product((1, -1), repeat=3):
        g = integers(np.diag(signs))
        moved = substitution(g.reshape(1, 3, 3), degree)[0]
        assert same(mirrored(degree, g, axes), rational_harmonics(degree, axes) @ moved @ _dual(degree, axes))


def test_brackets_go_to_brackets() -> None:
    """[R1, R2] and its like, for an order that no polynomial is written down for."""
    x, y, z = (skew(*numbers) for numbers in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    for degree in (30, 61):
        d = [turned(degree, own, (2, 0, 1)) for own in (x, y, x @ y - y @ x, z)]
        a, b, c, other = [own for own in d if own is not None]
        assert (a @ b - b @ a).equals(c)
        assert not (a @ b - b @ a).equals(other.scale(Fraction(2)))


def test_other_matrices_are_not_written_down() -> None:
    assert turned(2, integers(np.eye(3, dtype=np.int64)), (0, 1, 2)) is None
    assert turned(2, skew(1, 2, 3).over(radical(2)), (0, 1, 2)) is None
    quarter = integers([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    half = exact(np.eye(3, dtype=np.int64)[..., None], 2, RATIONALS)
    sheared = integers([[1, 1, 0], [0, 1, 0], [0, 0, 1]])
    for g in (quarter, half, sheared, integers(np.diag([2, 1, 1])), integers(np.diag([0, 1, 1]))):
        assert mirrored(2, g, (0, 1, 2)) is None


def test_scaled_entries_are_the_products() -> None:
    squares = [Fraction(2, 3), Fraction(5), Fraction(1, 7), Fraction(8)]
    values = exact(
        np.array([[0, 2, 0, 3], [1, 0, 0, 0], [0, 0, 0, 5], [6, 0, 1 << 70, 9]], dtype=object)[..., None], 6, RATIONALS
    )
    assert same(times_ratios(values, squares), values * ratios(squares, squares))
    nothing = integers(np.zeros((4, 4), dtype=np.int64))
    assert same(times_ratios(nothing, squares), nothing * ratios(squares, squares))

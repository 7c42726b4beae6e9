"""Numbers of a field as residues of one whole number: products go to products, and small numbers come back."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from pdobasis.exact.field import RATIONALS, Field, cyclotomic, radical
from pdobasis.exact.packed import DIGITS, packed

TWO_ROOTS = [radical(2, 3), radical(3, 5), radical(6, 10), radical(15, 21)]
FIELDS = [
    *(radical(5), radical(2), cyclotomic(5), cyclotomic(8), cyclotomic(7), cyclotomic(20), cyclotomic(28)),
    *TWO_ROOTS,
]


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_products_go_to_products(field: Field) -> None:
    at = packed(field)
    assert at is not None
    n, products = field.degree, field.products().tolist()
    for i in range(n):
        for j in range(n):
            assert (at.images[i] * at.images[j] - at.image(products[i * n + j])) % at.modulus == 0


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_small_numbers_come_back_and_are_the_only_ones(field: Field) -> None:
    at = packed(field)
    assert at is not None
    draw = Random(5)
    for size in (1, 10, 10**6):
        for _ in range(60):
            numbers = [draw.randint(-size, size) for _ in range(field.degree)]
            denominator = draw.randint(1, 60)
            found = at.lift(at.image(numbers) * pow(denominator, -1, at.modulus) % at.modulus)
            assert found is not None
            digits, d = found
            assert [Fraction(v, d) for v in digits] == [Fraction(v, denominator) for v in numbers]


def test_an_image_and_its_denominator_may_share_what_the_digits_do_not() -> None:
    """Over Q(sqrt 5) with T = 2^64 the image of 2 + sqrt 5 is a multiple of 3, the number is not."""
    at = packed(radical(5))
    assert at is not None
    assert at.image([2, 1]) % 3 == 0
    assert at.lift(at.image([2, 1]) * pow(3, -1, at.modulus) % at.modulus) == ([2, 1], 3)


def test_large_numbers_do_not() -> None:
    at = packed(radical(5))
    assert at is not None
    assert at.lift(at.image([DIGITS, -DIGITS])) == ([DIGITS, -DIGITS], 1)
    assert at.lift(at.image([0, 4 * DIGITS + 1])) is None
    assert at.lift(pow(4 * DIGITS + 1, -1, at.modulus)) is None


def test_a_coordinate_below_the_room_is_not_lost() -> None:
    """The nearest to a multiple of N that small coordinates come."""
    at = packed(radical(5))
    assert at is not None
    for numbers in ([at.room, at.room], [-at.room, at.room], [at.room, 0], [0, -at.room], [-at.room, 1]):
        assert at.image(numbers) % at.modulus


@pytest.mark.parametrize("field", TWO_ROOTS, ids=str)
def test_the_largest_numbers_of_two_square_roots(field: Field) -> None:
    """Digits over the steps are differences of coordinates: whatever their signs, these come back, and none is lost."""
    at = packed(field)
    assert at is not None
    prime = DIGITS - 35
    for signs in product((-1, 0, 1), repeat=field.degree):
        numbers = [DIGITS * sign for sign in signs]
        assert at.digits(at.image(numbers)) == numbers
        if any(signs):
            assert at.lift(at.image(numbers) * pow(prime, -1, at.modulus) % at.modulus) == (numbers, prime)
            assert at.image([at.room * sign for sign in signs]) % at.modulus


def test_fields_without_images() -> None:
    assert packed(RATIONALS) is None
    assert packed(radical(2, 3, 5)) is None
    assert packed(cyclotomic(64)) is None  # of degree 16

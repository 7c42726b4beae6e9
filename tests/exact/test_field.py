"""Number fields against SymPy's algebra, which shares no code with ours."""

from __future__ import annotations

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from pdobasis.errors import ExactnessError, SizeError
from pdobasis.exact import field as field_module
from pdobasis.exact.arithmetic import class_product, conductor_of_root
from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import (
    RATIONALS,
    Field,
    cyclotomic,
    join,
    radical,
    square_root,
)
from pdobasis.exact.numbers import readable, to_float, to_sympy
from pdobasis.exact.terms import basis_product

FIELDS = [RATIONALS, cyclotomic(5), cyclotomic(7), cyclotomic(12), cyclotomic(16), cyclotomic(20), cyclotomic(36),
          radical(2), radical(2, 3), radical(6, 10), radical(2, 3, 5)]  # fmt: skip


def value(row: list[int], field: Field) -> sympy.Expr:
    """The number by the definition of the basis."""
    if field.conductor == 1:
        return sum((c * sympy.sqrt(r) for c, r in zip(row, field.radicands, strict=True)), sympy.Integer(0))
    cosines = [2 * sympy.cos(2 * sympy.pi * sympy.Rational(k, field.conductor)) for k in range(1, field.degree)]
    return sum((c * v for c, v in zip(row, [1, *cosines], strict=True)), sympy.Integer(0))


def scalar(row: list[int], field: Field, denominator: int = 1) -> ExactArray:
    return exact(np.array(row, dtype=object), denominator, field)


def equal(a: sympy.Expr, b: sympy.Expr) -> bool:
    """Exact equality of algebraic numbers: the minimal polynomial of the difference is x."""
    x = sympy.Symbol("x")
    return bool(sympy.minimal_polynomial(a - b, x) == x)


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_products_of_basis_elements_are_those_of_real_numbers(field: Field) -> None:
    unit = np.eye(field.degree, dtype=int).tolist()
    for i in range(field.degree):
        for j in range(i, field.degree):
            product = scalar(unit[i], field) * scalar(unit[j], field)
            expected = value(unit[i], field) * value(unit[j], field)
            assert equal(value(product.numerators.tolist(), field), expected)


@given(st.sampled_from(FIELDS), st.data())
def test_arithmetic_is_that_of_a_field(field: Field, data: st.DataObject) -> None:
    small = st.lists(st.integers(-9, 9), min_size=field.degree, max_size=field.degree)
    a, b, c = (scalar(data.draw(small), field, data.draw(st.integers(1, 9))) for _ in range(3))
    assert ((a + b) * c).equals(a * c + b * c)
    assert (a * b).equals(b * a)
    assert ((a * b) * c).equals(a * (b * c))
    if not a.is_zero:
        assert (a.reshape(1, 1).inverse()[0, 0] * a).fraction() == 1


@pytest.mark.parametrize("r", [2, 3, 5, 6, 7, 10, 13, 15, 21, 30, 33, 35, 42, 105])
def test_square_roots_lie_in_the_cyclotomic_field_of_their_conductor(r: int) -> None:
    field = cyclotomic(conductor_of_root(r))
    root = scalar(square_root(r, field), field)
    assert (root * root).fraction() == r
    assert float(to_float(root)) > 0


def test_join_holds_both_fields() -> None:
    assert join(cyclotomic(16), cyclotomic(12)) == cyclotomic(48)
    assert join(radical(2), radical(3)) == radical(2, 3)
    assert join(cyclotomic(7), radical(5)) == cyclotomic(35)
    half = scalar([0, 1], radical(5), 2)
    assert half.over(cyclotomic(35)).equals(half)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (radical(2), radical(3)),
        (radical(5), RATIONALS),
        (radical(2), cyclotomic(5)),
        (radical(3), cyclotomic(9)),
        (cyclotomic(5), cyclotomic(7)),
        (cyclotomic(7), RATIONALS),
        (cyclotomic(16), cyclotomic(24)),
        # sqrt(5) itself, but written by cosines
        (cyclotomic(5), radical(5)),
    ],
)
def test_no_number_is_written_in_a_field_that_does_not_hold_it(source: Field, target: Field) -> None:
    with pytest.raises(ExactnessError, match="does not hold the numbers of"):
        scalar([0, 1, *(0 for _ in range(source.degree - 2))], source).over(target)


def test_a_field_of_absurd_degree_is_refused() -> None:
    with pytest.raises(SizeError, match="degree"):
        cyclotomic(100_003)


READABLE = [
    (scalar([0, 1], cyclotomic(8), 2), "sqrt(2)/2"),
    (scalar([1, 1], cyclotomic(5), 2), "1/4 + sqrt(5)/4"),
    (scalar([0, 1, 0, 0], cyclotomic(16), 2), "cos(pi/8)"),
    (scalar([0, 1, 0], cyclotomic(7), 2), "cos(2*pi/7)"),
    (scalar([0, 1], radical(3), 3), "sqrt(3)/3"),
]


@pytest.mark.parametrize(("number", "text"), READABLE, ids=[t for _, t in READABLE])
def test_numbers_are_radicals_where_these_are_short_and_cosines_otherwise(number: ExactArray, text: str) -> None:
    terms = readable(tuple(number.numerators.tolist()), number.denominator, number.field)
    assert str(to_sympy(terms)) == text


@given(st.sampled_from(FIELDS), st.data())
def test_floats_are_correctly_rounded(field: Field, data: st.DataObject) -> None:
    row = data.draw(st.lists(st.integers(-(10**12), 10**12), min_size=field.degree, max_size=field.degree))
    denominator = data.draw(st.integers(1, 10**6))
    expected = float(sympy.N(value(row, field) / denominator, 60))
    assert float(to_float(scalar(row, field, denominator))) == expected


def test_a_float_next_to_a_tie_is_rounded_to_the_right_side() -> None:
    # 2^53 + 1 is a tie; sqrt(2) approximations push it to one side by less than 10^-15.
    p, q = 886731088897, 627013566048  # |p/q - sqrt 2| < 10^-24
    above = scalar([(2**53 + 1) * 10**6 - p, q], radical(2), 10**6)
    exact_value = sympy.N((sympy.Integer((2**53 + 1) * 10**6 - p) + q * sympy.sqrt(2)) / 10**6, 80)
    assert float(to_float(above)) == float(exact_value)


def test_a_field_of_many_square_roots_is_named_by_as_many_products_as_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    many = radical(2, 3, 5, 7, 11, 13, 17, 19)
    products: list[int] = []

    def counting(r: int, s: int) -> int:
        products.append(r)
        return class_product(r, s)

    monkeypatch.setattr(field_module, "class_product", counting)
    assert str(many) == f"Q({', '.join(f'sqrt({r})' for r in (2, 3, 5, 7, 11, 13, 17, 19))})"
    assert len(products) < many.degree


def test_square_roots_are_multiplied_by_their_sets() -> None:
    field = radical(6, 10, 14, 33, 13)
    places = np.arange(field.degree)
    for j, s in enumerate(field.radicands):
        where, factor = basis_product(field, places, np.full(field.degree, j))
        for i, r in enumerate(field.radicands):
            assert factor[i] ** 2 * field.radicands[where[i]] == r * s

"""Exact arrays: no silent overflow, lowest terms, the products of matrices."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from pdobasis.errors import GroupError
from pdobasis.exact.array import exact, identity, integers
from pdobasis.exact.field import RATIONALS, cyclotomic, radical
from pdobasis.exact.matrices import batched_matmul, block_diagonal, kronecker
from pdobasis.linear.sparse import scatter_sum


@given(st.data())
def test_products_beyond_int64_agree_with_a_slow_sympy_computation(data: st.DataObject) -> None:
    size = st.integers(-(2**62), 2**62)
    field = radical(2)

    def draw() -> list[list[list[int]]]:
        return [[[data.draw(size) for _ in range(2)] for _ in range(2)] for _ in range(2)]

    a, b = draw(), draw()
    product = exact(np.array(a), 1, field) @ exact(np.array(b), 3, field)
    root = sympy.sqrt(2)

    def plain(m: list[list[list[int]]]) -> sympy.Matrix:
        return sympy.Matrix(2, 2, lambda i, j: m[i][j][0] + m[i][j][1] * root)

    expected = (plain(a) * plain(b) / 3).applyfunc(sympy.expand)
    found = sympy.Matrix(
        2, 2, lambda i, j: sum(int(v) * r for v, r in zip(product.numerators[i, j], (1, root), strict=True))
    )
    assert (found / product.denominator - expected).applyfunc(sympy.expand) == sympy.zeros(2, 2)


def test_the_step_beyond_int64_is_taken_and_taken_back() -> None:
    big = integers(np.array([[2**62]]))
    square = big @ big
    assert square.numerators.dtype == object
    assert square[0, 0].fraction() == 2**124
    assert (square.scale(Fraction(1, 2**124))).numerators.dtype == np.int64


@pytest.mark.parametrize("value", [2**26, 2**31, 2**53, 2**62])
def test_sums_and_products_at_the_edges_of_float64_and_int64(value: int) -> None:
    a = integers(np.full((3, 3), value))
    assert (a @ a)[0, 0].fraction() == 3 * value * value
    assert (a * a)[0, 0].fraction() == value * value
    assert (a + a)[0, 0].fraction() == 2 * value
    total = scatter_sum(integers(np.full(4, value)), np.zeros(4, dtype=np.int64), 1)
    assert total[0].fraction() == 4 * value


def test_zeros_next_to_huge_denominators() -> None:
    from pdobasis.exact.text import parse_number

    assert parse_number("1/10**40 - 1/10**40").is_zero
    tiny = parse_number("1/10**40")
    row = block_diagonal([tiny.reshape(1, 1), integers([[0]])])
    assert row[0, 0].fraction() * 10**40 == 1
    assert integers([[0]]).scale(Fraction(10**40)).is_zero


def test_lowest_terms_make_equality_plain() -> None:
    half = exact(np.array([[2, 0]]), 4, radical(2))
    assert half.denominator == 2
    assert half.equals(exact(np.array([[-1, 0]]), -2, radical(2)))


def test_inverse_over_a_cyclotomic_field() -> None:
    field = cyclotomic(16)
    rng = np.random.default_rng(1)
    m = exact(rng.integers(-4, 5, (3, 3, field.degree)), 5, field)
    assert (m @ m.inverse()).equals(identity(3))
    with pytest.raises(GroupError, match="singular"):
        integers([[1, 2], [2, 4]]).inverse()


def test_kronecker_block_and_batched_products_agree_with_numpy() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.integers(-5, 6, (2, 3)), rng.integers(-5, 6, (4, 2))
    assert np.array_equal(kronecker(integers(a), integers(b)).numerators[..., 0], np.kron(a, b))
    blocks = block_diagonal([integers(a[:2, :2]), integers([[7]])])
    assert blocks.shape == (3, 3)
    assert blocks.numerators[2, 2, 0] == 7
    x, y = rng.integers(-5, 6, (6, 2, 3)), rng.integers(-5, 6, (6, 3, 2))
    assert np.array_equal(batched_matmul(integers(x), integers(y)).numerators[..., 0], x @ y)


def test_the_inverse_of_rational_numbers_in_a_large_field() -> None:
    """It is found over Q, and written in the field that was given."""
    m = integers([[2, 1], [5, 3]])
    wanted = [[3, -1], [-5, 2]]
    for field in (RATIONALS, radical(2), cyclotomic(199)):
        found = m.over(field).scale(Fraction(1, 7)).inverse()
        assert found.field == field
        assert found.equals(integers(wanted).scale(7).over(field))

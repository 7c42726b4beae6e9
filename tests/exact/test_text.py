"""The grammar of numbers: what it reads, what it refuses, and that printing parses back."""

from __future__ import annotations

import contextlib

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from pdobasis.errors import PdoBasisError
from pdobasis.exact.numbers import readable, to_float
from pdobasis.exact.text import parse_number, parse_polynomial
from pdobasis.exact.writing import number_text

GOOD = ["1/2", "sqrt(3)/2", "cos(2*pi/7)", "sin(pi/5)", "(1+sqrt(5))/4", "1/sqrt(2)", "-cos(pi)", "2*-3 + 0.25",
        "sqrt(8/9)", "cos(pi/12)", "2**3", "3^2 - sqrt(4)", "cos(0)", "sin(0)", "sqrt(0)", "-(1-sqrt(2))**2"]  # fmt: skip
BAD = ["", "1/", "sqrt(2", "foo", "1/0", "cos(1)", "pi", "2**1000", "((1)", "1 2", "9" * 100, "sqrt(-1)", "1e5",
       "sqrt(sqrt(2))", "1/(sqrt(2)-sqrt(2))", "cos(pi/100003)", "__import__('os')", "d1", "(" * 500, "sqrt(10**13)",
       "((((2^64)^64)^64)^64)^64", "2**-1", "1,5", "\x00", "½", "lambda: 1", "sqrt(99999999999999999999)"]  # fmt: skip


@pytest.mark.parametrize("text", GOOD)
def test_numbers_mean_what_sympy_thinks_they_mean(text: str) -> None:
    expected = float(sympy.N(sympy.sympify(text.replace("^", "**")), 40))
    assert float(to_float(parse_number(text))) == expected


@pytest.mark.parametrize("text", GOOD)
def test_printing_parses_back(text: str) -> None:
    number = parse_number(text)
    assert parse_number(number_text(number)).equals(number)
    assert readable(tuple(number.numerators.tolist()), number.denominator, number.field) is not None


@pytest.mark.parametrize("text", BAD, ids=repr)
def test_bad_numbers_are_refused_with_a_message(text: str) -> None:
    with pytest.raises(PdoBasisError) as error:
        parse_number(text)
    assert 0 < len(str(error.value)) < 400


@given(st.text(max_size=40))
def test_no_text_raises_anything_else(text: str) -> None:
    with contextlib.suppress(PdoBasisError):
        parse_number(text)


def test_polynomials_multiply_out() -> None:
    left = parse_polynomial("(d1 + sqrt(2)*d2)**2 - 2*d2**2", 2)
    right = parse_polynomial("d1**2 + 2*sqrt(2)*d1*d2", 2)
    assert left.keys() == right.keys()
    assert all(left[k].equals(right[k]) for k in left)

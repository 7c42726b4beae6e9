"""Numbers with square roots compute as those of exact arrays do."""

from __future__ import annotations

import pytest
from flint import fmpq

from pdobasis.exact.scalars import Number, Radical, Surd, exact_of, field_of, float_of, number, text_of
from pdobasis.exact.text import parse_number

TEXTS = ["sqrt(2)", "1/2 - sqrt(3)/5", "sqrt(6) + 2*sqrt(2)", "-7/3", "cos(2*pi/7)"]


@pytest.mark.parametrize("a", TEXTS)
@pytest.mark.parametrize("b", TEXTS)
def test_arithmetic(a: str, b: str) -> None:
    x, y = number(parse_number(a)), number(parse_number(b))
    left, right = parse_number(a), parse_number(b)
    assert exact_of(x + y).equals(left + right)
    assert exact_of(x * y).equals(left * right)
    assert exact_of(x - y).equals(left - right)
    back: Number = x / y * y
    assert back == x
    assert float_of(x) == pytest.approx(float_of(number(parse_number(text_of(x)))))


def test_zero_is_false() -> None:
    root = number(parse_number("sqrt(3)"))
    assert isinstance(root, Radical)
    assert not (root - root)
    assert not (root * 0)
    assert root * root == fmpq(3)
    assert isinstance(number(parse_number("cos(2*pi/7)")), Surd)
    assert field_of(root) is not None

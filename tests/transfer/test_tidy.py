"""Every element has one form: coprime integers, the first positive, without a root in front."""

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import gcd

import numpy as np
import pytest

from pdobasis.exact.array import concatenate, exact
from pdobasis.exact.field import RATIONALS, Field, cyclotomic, radical
from pdobasis.operators.layout import LONGEST, listed
from pdobasis.operators.symbols import Symbols, from_dense, tidy


def one_by_one(part: Symbols) -> Symbols:
    """The same, an element at a time, in Python integers."""
    pieces = []
    for k in range(part.size):
        _, _, own = part.select(k)
        numbers = own.numerators.reshape(-1, own.field.degree)
        first = next(row for row in numbers.tolist() if any(row))
        present = [i for i, v in enumerate(first) if v]
        if own.field.conductor == 1 and len(present) == 1 and present[0]:
            root = np.eye(own.field.degree, dtype=np.int64)[present[0]]
            own = own * exact(root, 1, own.field)
        flat = [int(v) for v in own.numerators.ravel().tolist()]
        content = gcd(*flat)
        if next(v for v in flat if v) < 0:
            content = -content
        pieces.append(own.scale(Fraction(own.denominator, content)))
    return replace(part, coefficients=concatenate(pieces))


@pytest.mark.parametrize("field", [RATIONALS, radical(2), radical(2, 3), cyclotomic(16)], ids=str)
@pytest.mark.parametrize("large", [1, 2**70])
def test_all_at_once_is_one_by_one(field: Field, large: int) -> None:
    draw = random.Random(3)
    shape = (7, 2, 3, 3, field.degree)
    values = np.zeros(shape, dtype=object)
    for place in np.ndindex(shape):
        if draw.random() < 0.3:
            values[place] = draw.choice((-6, 4, 9, 15)) * large
    # an element that is a multiple of a root, and one that is negative
    values[0], values[1] = 0, 0
    values[0, 0, 1, 2, -1] = 6
    values[1, 1, 0, 0, 0] = -4
    values[2:, 0, 0, 0, 0] = 3
    part = from_dense(exact(values, 5, field), 2, 2)
    assert tidy(part).equals(one_by_one(part))


def test_no_more_entries_are_written_than_printed() -> None:
    asked = []

    def parts() -> Iterator[str]:
        for k in range(100_000):
            asked.append(k)
            yield f"({k},1) ∂₁"

    assert listed("9×9:", parts()).endswith("…")
    assert len(asked) < LONGEST

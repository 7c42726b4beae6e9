"""Arrays that are joined, or multiplied by r^2, are in lowest terms without a look."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from pdobasis.exact.array import ExactArray, concatenate, exact, stack
from pdobasis.exact.field import RATIONALS, Field, cyclotomic, radical
from pdobasis.operators.laplacian import times_radius
from pdobasis.operators.symbols import from_dense

FIELDS = (RATIONALS, radical(2), radical(2, 3), cyclotomic(5))
NUMBERS = (0, 0, 1, 2, 3, 4, 6, -9, 12, 35, 2**62, -(2**63) + 1)
DENOMINATORS = (1, 2, 3, 4, 6, 12, 35, 36)


def array(draw: Random, shape: tuple[int, ...], field: Field) -> ExactArray:
    size = int(np.prod(shape)) * field.degree
    numbers = np.array([draw.choice(NUMBERS) for _ in range(size)], dtype=object)
    return exact(numbers.reshape(*shape, field.degree), draw.choice(DENOMINATORS), field)


def is_lowest(found: ExactArray) -> bool:
    again = exact(np.array(found.numerators), found.denominator, found.field)
    return (
        again.denominator == found.denominator
        and again.numerators.dtype == found.numerators.dtype
        and np.array_equal(again.numerators, found.numerators)
    )


@pytest.mark.parametrize("seed", range(50))
def test_joined(seed: int) -> None:
    draw = Random(seed)
    for _ in range(20):
        fields = draw.sample(FIELDS[:3], 2)
        parts = [array(draw, (draw.randint(0, 3), 2), draw.choice(fields)) for _ in range(3)]
        assert is_lowest(concatenate(parts))
        field = draw.choice(FIELDS)
        assert is_lowest(stack([array(draw, (2,), field) for _ in range(3)]))


@pytest.mark.parametrize("dim", [1, 2, 3])
@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_times_radius(dim: int, field: Field) -> None:
    draw = Random(dim)
    for _ in range(20):
        size = dim * (dim + 1) // 2
        part = from_dense(array(draw, (2, 1, 2, size), field), dim, 2)
        assert is_lowest(times_radius(part).coefficients)

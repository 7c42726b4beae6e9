"""Small systems over a field, in one integer a number: the solutions of the slow road, and none where that is not sure."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import Field, cyclotomic, radical
from pdobasis.exact.packed import packed
from pdobasis.linear.null_space import null_space
from pdobasis.linear.small_fields import packed_null_space
from pdobasis.linear.sparse import Sparse, join_systems
from pdobasis.linear.stages import null_space_in_stages

FIELDS = [
    *(radical(3), cyclotomic(5), cyclotomic(8), cyclotomic(12), cyclotomic(16), cyclotomic(20), cyclotomic(32)),
    *(radical(2, 3), radical(3, 5), radical(6, 10), radical(15, 21)),
]


def _random(draw: Random, field: Field, height: int, width: int, size: int) -> Sparse:
    """Some entries a row; a third of the rows are sums of others, and places may come twice."""
    entries: list[tuple[int, int, list[int]]] = []
    for r in range(height):
        if r % 3 == 2:
            entries += [(r, c, v) for s, c, v in entries if s in (r - 1, r - 2)]
            continue
        for _ in range(draw.randint(1, 4)):
            number = [draw.randint(-size, size) * draw.randint(0, 1) for _ in range(field.degree)]
            entries.append((r, draw.randrange(width), number))
    rows, columns, numbers = zip(*entries, strict=True)
    values = exact(np.array(numbers, dtype=np.int64), draw.randint(1, 3), field)
    return Sparse(np.array(rows), np.array(columns), values, (height, width))


def _same(a: Sparse, b: Sparse) -> bool:
    """To the byte."""
    index = np.array_equal(a.rows, b.rows) and np.array_equal(a.columns, b.columns) and a.shape == b.shape
    fields = (a.values.field, a.values.denominator) == (b.values.field, b.values.denominator)
    numbers = a.values.numerators, b.values.numerators
    return index and fields and numbers[0].dtype == numbers[1].dtype and np.array_equal(*numbers)


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_the_same_bytes_as_elimination_modulo_primes(field: Field) -> None:
    draw = Random(7)
    found = 0
    for _ in range(60):
        width = draw.randint(1, 9)
        stages = [_random(draw, field, draw.randint(1, 5), width, 2) for _ in range(draw.randint(1, 3))]
        own = packed_null_space(stages, field)
        if own is None:
            continue
        found += 1
        assert _same(own, null_space(join_systems(stages)))
    # those with long numbers are left to the other road
    assert found > 30


def test_a_number_with_the_image_zero_is_not_taken_for_zero() -> None:
    """T - b_1 is not 0, but its image is."""
    field = radical(2)
    at = packed(field)
    assert at is not None
    base = at.images[1]
    number = ExactArray(np.array([[base, -1]], dtype=object), 1, field)
    assert at.image([base, -1]) == 0
    place = np.array([0])
    system = Sparse(place, place, number, (1, 1))
    assert packed_null_space([system], field) is None
    assert null_space_in_stages([system]).shape == (0, 1)


def test_long_solutions_are_left_to_others() -> None:
    """x_0 = a x_1 and x_1 = a x_2 with a = 2^20 + 3 b_1: a^2 has 40 bits."""
    field = cyclotomic(5)
    one = np.array([[1, 0], [-(1 << 20), -3], [1, 0], [-(1 << 20), -3]])
    rows, columns = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 2])
    system = Sparse(rows, columns, exact(one, 1, field), (2, 3))
    assert packed_null_space([system], field) is None
    found = null_space_in_stages([system])
    assert _same(found, null_space(system))


def test_fields_that_are_not_packed() -> None:
    field = radical(2, 3, 5)
    place = np.array([0])
    system = Sparse(place, place, exact(np.array([[0, 1, 0, 0, 0, 0, 0, 0]]), 1, field), (1, 2))
    assert packed_null_space([system], field) is None
    assert null_space_in_stages([system]).columns.tolist() == [1]

"""Numbers of Z[sqrt(5)] as integers: what the field itself finds, and a refusal of large ones."""

from __future__ import annotations

import random

import numpy as np
import pytest

from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import radical
from pdobasis.solvers.golden import (
    BASE,
    ROOM,
    LargeNumberError,
    Vector,
    combined,
    conjugate,
    digits,
    echelon,
    exactly,
    image,
    monic,
    primitive,
    size,
    times,
    times_root,
)

GOLDEN = radical(5)


def some(count: int, seed: int) -> list[tuple[int, int]]:
    rng = random.Random(seed)
    return [(rng.randint(-9, 9), rng.randint(-9, 9)) for _ in range(count)]


def number(a: int, b: int) -> ExactArray:
    return exact(np.array([a, b]), 1, GOLDEN)


@pytest.mark.parametrize("seed", range(5))
def test_products_are_those_of_the_field(seed: int) -> None:
    for one, other in zip(some(50, seed), some(50, seed + 10), strict=True):
        found = times(image(*one), image(*other))
        assert number(*digits(found)).equals(number(*one) * number(*other))
        assert size(found) <= size(image(*one)) * size(image(*other))
        assert digits(times(image(*one), conjugate(image(*one))))[1] == 0


def test_contents_and_roots() -> None:
    own = primitive(Vector({1: image(4, -6), 3: image(0, 2)}, 100))
    assert {u: digits(v) for u, v in own.values.items()} == {1: (2, -3), 3: (0, 1)}
    assert own.most == 11
    assert {u: digits(v) for u, v in times_root(own).values.items()} == {1: (-15, 2), 3: (5, 0)}
    # (2 - 3 sqrt(5)) (2 + 3 sqrt(5)) = -41
    assert digits(monic(own).values[1]) == (-41, 0)
    assert combined([(1, own), (-1, own)]).values == {}


def test_large_numbers_are_refused() -> None:
    assert exactly({0: 1}, ROOM - 1).values == {0: 1}
    with pytest.raises(LargeNumberError):
        exactly({0: 1}, ROOM)
    with pytest.raises(LargeNumberError):
        combined([(BASE, Vector({0: 1}, ROOM))])


@pytest.mark.parametrize("seed", range(6))
def test_echelon_forms_are_those_of_the_field(seed: int) -> None:
    """Times its inverse at the first places a matrix is its reduced echelon form, up to factors of rows."""
    rows, width = 3, 6
    table = np.array(some(rows * width, seed)).reshape(rows, width, 2)
    table[:, 0] = 0
    table[1:, 2] = 0
    vectors = []
    for line in table.tolist():
        own = {k: image(*pair) for k, pair in enumerate(line) if any(pair)}
        vectors.append(Vector(own, max(map(size, own.values()))))
    found = echelon(vectors, range(width))
    places = [place for place, _ in found]
    matrix = exact(table, 1, GOLDEN)
    reduced = matrix[:, np.array(places)].inverse() @ matrix
    for k, (place, factors) in enumerate(found):
        row = combined(zip(factors, vectors, strict=True))
        assert min(row.values) == place
        values = exact(np.array([digits(row.values.get(u, 0)) for u in range(width)]), 1, GOLDEN)
        first, root = digits(row.values[place])
        assert root == 0
        assert values.equals(reduced[k].scale(first))


def test_columns_are_taken_in_any_order() -> None:
    own = Vector({0: image(1, 1), 4: image(2, 0)}, 4)
    assert echelon([own], [4, 0])[0][0] == 4

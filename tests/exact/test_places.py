"""Numbers at all places of a prime, and back."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from pdobasis.exact.field import Field, cyclotomic, radical
from pdobasis.exact.primes import residues, split_prime


@pytest.mark.parametrize(
    "field", [radical(2), radical(2, 3), cyclotomic(7), cyclotomic(37), cyclotomic(60), cyclotomic(101)], ids=str
)  # fmt: skip
def test_there_and_back(field: Field) -> None:
    prime, draw = split_prime(field, 0), Random(7)
    numbers = [[draw.randint(-(10**30), 10**30) for _ in range(field.degree)] for _ in range(5)]  # fmt: skip
    values = np.array(numbers, dtype=object)
    images = [*prime.at_all_places(values, 6)]
    assert images == [residues(values, 6, at, prime.prime) for at in prime.places]
    sixth = pow(6, -1, prime.prime)
    wanted = [[v * sixth % prime.prime for v in row] for row in numbers]
    assert prime.from_all_places(images) == wanted


def test_small_numbers_are_int64() -> None:
    field = cyclotomic(97)
    prime = split_prime(field, 0)
    values = np.array([[-1, *[0] * (field.degree - 2), 3]], dtype=np.int64)
    images = [*prime.at_all_places(values, 1)]
    assert images == [residues(values, 1, at, prime.prime) for at in prime.places]
    assert prime.from_all_places([[] for _ in prime.places]) == []

"""The first rows that are independent of those before them: by Python's integers and by FLINT."""

import numpy as np
import pytest

from pdobasis.exact import primes
from pdobasis.exact.array import exact
from pdobasis.exact.field import RATIONALS, Field, cyclotomic
from pdobasis.exact.primes import independent_rows


@pytest.mark.parametrize("field", [RATIONALS, cyclotomic(16)], ids=["Q", "Q(cos)"])
@pytest.mark.parametrize("seed", range(5))
def test_both_roads_choose_the_same_rows(monkeypatch: pytest.MonkeyPatch, field: Field, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(-3, 4, (6, 9, field.degree)) * (rng.random((6, 9, 1)) < 0.4)
    # A zero row, one twice as long, and a sum: none of them is new.
    numbers = np.stack([rows[0], 0 * rows[0], 2 * rows[0], rows[1], rows[0] + rows[1], *rows[2:]])
    matrix = exact(numbers, 6, field)
    few = independent_rows(matrix)
    monkeypatch.setattr(primes, "FEW", 0)
    assert few == independent_rows(matrix)
    monkeypatch.setattr(primes, "SPARSE", 0)
    assert few == independent_rows(matrix)
    assert not {1, 2, 4} & set(few)
    assert 0 in few

"""Equal matrices have one hash, whatever the field that they are written in."""

from __future__ import annotations

import numpy as np
import pytest

from pdobasis.exact.array import exact
from pdobasis.exact.field import RATIONALS, cyclotomic, radical
from pdobasis.exact.numbers import to_float
from pdobasis.groups.group import rounded


@pytest.mark.parametrize("denominator", [1, 3, 7, 10**40 + 7])
def test_rational_matrices_are_rounded_once_in_every_field(denominator: int) -> None:
    numbers = [[1, -2, 10**17 + 1], [0, 5, 2**60 + 3], [-(3**50), 1, 0]]
    m = exact(np.array(numbers, dtype=object)[..., None], denominator, RATIONALS)
    assert rounded(m) == rounded(m.over(radical(2))) == rounded(m.over(cyclotomic(20)))
    assert rounded(m) == tuple(to_float(m).ravel().tolist())


def test_what_no_float_holds_has_a_hash() -> None:
    m = exact(np.array([[10**400]], dtype=object)[..., None], 1, RATIONALS)
    assert rounded(m) == rounded(m.over(radical(2))) == ()

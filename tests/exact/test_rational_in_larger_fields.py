"""Numbers that are rational, in whatever field they are written."""

from __future__ import annotations

import numpy as np
import pytest

from pdobasis.exact.array import ExactArray, exact, integers
from pdobasis.exact.field import RATIONALS, cyclotomic, radical
from pdobasis.exact.scattered import scattered
from pdobasis.groups.group import rounded

FIELDS = [radical(3), radical(6, 10), cyclotomic(12), cyclotomic(7)]


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_equal_across_fields(field: object) -> None:
    plain = exact(np.array([[[1], [0]], [[-3], [2]]]), 2, RATIONALS)
    wide = plain.over(field)  # type: ignore[arg-type]
    assert wide.is_rational
    assert plain.equals(wide)
    assert wide.equals(plain)
    assert rounded(plain) == rounded(wide)
    other = np.array(wide.numerators)
    other[1, 1, 1] = 1
    rooted = exact(other, 2, wide.field)
    assert not rooted.is_rational
    assert not plain.equals(rooted)
    assert not rooted.equals(plain)
    assert not plain.equals(plain.scale(3))
    # 1/2 and 1 have equal numerators
    assert not integers([[1]]).equals(exact(np.array([[[1]]]), 2, RATIONALS).over(wide.field))


def test_scattered_matrices_are_not_written_out() -> None:
    values = integers([1, -1], radical(2))
    found = scattered((3, 3), np.array([0, 2]), np.array([1, 0]), values)
    assert found.is_rational
    assert getattr(found, "written", None) is None
    root = ExactArray(np.array([[0, 1]]), 1, radical(2))
    assert not scattered((3, 3), np.array([1]), np.array([1]), root).is_rational

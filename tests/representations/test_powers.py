"""Powers of a rotation are looked up where the angle is known, and are those of repeated products."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pdobasis.exact.array import ExactArray
from pdobasis.groups.matrices import power, rotation
from pdobasis.representations.terms import Planar


@pytest.mark.parametrize("n", [3, 4, 5, 7, 8, 12, 20, 31])
def test_the_image_of_a_rotation_is_its_power(n: int) -> None:
    g: ExactArray = rotation(Fraction(2, n))
    for k in range(n):
        assert Planar(k).at(g).equals(power(g, k))


def test_an_angle_that_is_no_part_of_a_turn() -> None:
    from pdobasis.groups.matrices import numbers

    g = numbers([["3/5", "-4/5"], ["4/5", "3/5"]]).over(rotation(Fraction(2, 5)).field)
    assert Planar(3).at(g).equals(power(g, 3))

"""Maps to permuted bases, row after row along the orbits: those of the whole linear system, number by number."""

from __future__ import annotations

import numpy as np
import pytest

from pdobasis import field_type, group
from pdobasis.representations.intertwiners import _maps, _summed
from pdobasis.representations.orbit_maps import maps_to_points


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("C1", "regular"),
        ("C5", "trivial"),
        ("C8", "quotient(C2)"),
        ("C24", "regular"),
        ("C31", "regular"),
        ("D4", "quotient(flip)"),
        ("D5", "regular"),
        ("D41", "quotient(C41)"),
        ("Oh", "quotient(Td)"),
        ("T", "regular"),
    ],
)
@pytest.mark.parametrize("spec", ["trivial", "det", "vector", "sym(2, vector)"])
def test_maps_are_those_of_the_linear_system(name: str, points: str, spec: str) -> None:
    (a,), (b,) = (field_type(text, group(name)).distinct for text in (spec, points))
    expected = _maps(_summed([a.matrices()], b.matrices()), a.size * b.size)
    found = maps_to_points(a, b)
    assert found.shape == (len(expected), b.size, a.size)
    assert (found.field, found.denominator) == (expected.field, expected.denominator)
    assert np.array_equal(found.numerators.reshape(expected.numerators.shape), expected.numerators)


def test_points_that_are_never_moved_are_orbits() -> None:
    """Two orbits of two points each: of each a map that is zero on the other."""
    (a,) = field_type("irrep(1)", group("C2")).distinct
    (b,) = field_type("tensor(regular, regular)", group("C2")).distinct
    assert maps_to_points(a, b).numerators[..., 0, 0].tolist() == [[1, 0, 0, -1], [0, 1, -1, 0]]

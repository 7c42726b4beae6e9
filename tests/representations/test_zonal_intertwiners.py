"""Maps from irreps of SO(3) and O(3) by the vectors that one axis fixes: those of the linear system, number by number."""

from __future__ import annotations

import numpy as np
import pytest

from pdobasis import field_type, group
from pdobasis.exact.array import ExactArray
from pdobasis.groups.lie import generating_indices
from pdobasis.representations.intertwiners import _maps, _projections, _summed
from pdobasis.representations.representation import Representation
from pdobasis.representations.zonal_intertwiners import by_zonal_vectors


def pair(name: str, irrep: str, spec: str) -> tuple[Representation, Representation]:
    (a,), (b,) = (field_type(text, group(name)).distinct for text in (irrep, spec))
    return a, b


def by_elimination(a: Representation, b: Representation) -> ExactArray:
    pairs = _summed([a.matrices()], b.matrices())
    for k in generating_indices(b.group):
        pairs += _summed([(a.lie[k],)], (b.lie[k],))
    return _maps(pairs, a.size * b.size)


@pytest.mark.parametrize(
    ("name", "irrep", "spec"),
    [
        ("SO(3)", "trivial", "tensor(vector, vector, vector)"),
        ("SO(3)", "vector", "tensor(irrep(3), irrep(2), vector)"),
        ("SO(3)", "irrep(2)", "sym(2, tensor(irrep(2), vector))"),
        ("SO(3)", "irrep(4)", "tensor(irrep(3), irrep(4))"),
        ("SO(3)", "irrep(5)", "tensor(vector, vector)"),
        ("SO(3)", "irrep(3)", "alt(2, dual(irrep(4)) + vector)"),
        ("O(3)", "det", "tensor(vector, vector, vector)"),
        ("O(3)", "trivial", "sym(2, irrep(0,3))"),
        ("O(3)", "irrep(1,2)", "tensor(irrep(0,3), irrep(1,2), det)"),
        ("O(3)", "irrep(0,2)", "tensor(irrep(0,3), irrep(1,2))"),
    ],
)
def test_maps_are_those_of_the_linear_system(name: str, irrep: str, spec: str) -> None:
    a, b = pair(name, irrep, spec)
    expected = by_elimination(a, b)
    found = by_zonal_vectors(a, b)
    assert found is not None
    assert found.shape == (len(expected), b.size, a.size)
    assert (found.field, found.denominator) == (expected.field, expected.denominator)
    assert np.array_equal(found.numerators.reshape(expected.numerators.shape), expected.numerators)


@pytest.mark.parametrize(
    ("name", "irrep", "spec"),
    [
        ("SO(2)", "irrep(1)", "tensor(vector, vector, vector)"),
        ("SO(3)", "vector + trivial", "tensor(vector, vector)"),
        ("SO(3)", "sym(2, vector)", "tensor(vector, vector)"),
    ],
)
def test_what_is_no_irrep_of_space_is_left_to_others(name: str, irrep: str, spec: str) -> None:
    b = field_type(spec, group(name)).distinct[0]
    a = field_type(irrep, group(name)).distinct[0]
    if "+" in irrep:
        a = field_type(f"sym(1, {irrep})", group(name)).distinct[0]
    assert by_zonal_vectors(a, b) is None


@pytest.mark.parametrize(
    ("name", "irrep", "spec", "is_real"),
    [
        ("SO(3)", "irrep(2)", "tensor(irrep(2), vector, vector)", False),
        ("SO(3)", "irrep(2)", "tensor(irrep(2), vector, vector)", True),
        ("SO(2)", "irrep(1)", "tensor(vector, vector, vector)", False),  # more than numbers commute with it
    ],
)
def test_projections_undo_inclusions(name: str, irrep: str, spec: str, is_real: bool) -> None:
    a, b = pair(name, irrep, spec)
    found = by_elimination(a, b)
    maps = found.reshape(len(found), b.size, a.size)
    step = 2 if name == "SO(2)" else 1
    ts = [maps[k] for k in range(0, len(found), step)]
    qs = _projections(b, a, ts, is_real=is_real)
    for i, q in enumerate(qs):
        for j, t in enumerate(ts):
            image = (q @ t).numerators[..., 0]
            assert np.array_equal(image, np.eye(a.size, dtype=int) * (i == j))

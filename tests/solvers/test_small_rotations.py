"""Sums of irreps of SO(3) and O(3) in Python's integers: the bytes of the road through arrays."""

from __future__ import annotations

import pytest

from pdobasis import field_type
from pdobasis.exact.array import ExactArray, concatenate, identity, integers
from pdobasis.representations.intertwiners import intertwiners, whole_intertwiners
from pdobasis.solvers import rotations
from pdobasis.solvers.small_padding import Line
from pdobasis.solvers.whole_maps import independent, projections

QUESTIONS = [
    ("SO(3)", "vector", "alt(2, vector)", 2),
    ("SO(3)", "tensor(vector, vector)", "tensor(vector, vector)", 4),
    ("SO(3)", "sym(2, vector)", "irrep(2)", 3),
    ("SO(3)", "tensor(irrep(1), vector)", "irrep(2)", 3),
    ("SO(3)", "dual(sym(2, vector))", "irrep(3)", 2),
    ("SO(3)", "tensor(det, vector)", "irrep(4)", 6),
    ("O(3)", "sym(3, vector)", "dual(sym(3, vector))", 3),
    ("O(3)", "alt(2, vector)", "sym(2, vector)", 3),
    ("O(3)", "irrep(0,2)", "tensor(vector, irrep(1,1))", 2),
    ("O(3)", "det", "sym(3, vector)", 1),
]


@pytest.mark.parametrize(("group", "source", "target", "order"), QUESTIONS)
def test_the_bytes_of_the_road_through_arrays(
    group: str, source: str, target: str, order: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (rep_in,), (rep_out,) = field_type(source, group), field_type(target, group)
    met = rotations.meeting(rep_in, rep_out, range(order + 1))
    assert met is not None
    few = met._few()
    assert few is not None
    monkeypatch.setattr(rotations.Turned, "_few", lambda self: None)
    for own, other in zip(few, met.solved(), strict=True):
        one, two = own.symbols.coefficients, other.symbols.coefficients
        assert own.irreps == other.irreps
        assert own.symbols.equals(other.symbols)
        assert (one.field, one.denominator, one.numerators.dtype) == (two.field, two.denominator, two.numerators.dtype)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        # entries of P
        ("tensor(vector, vector, vector)", "sym(2, vector)"),
        # entries of maps
        ("tensor(irrep(2), vector)", "irrep(2)"),
    ],
)
def test_many_numbers_go_another_way(source: str, target: str) -> None:
    (rep_in,), (rep_out,) = (field_type(text, "SO(3)") for text in (source, target))
    met = rotations.meeting(rep_in, rep_out, range(2))
    assert met is not None
    assert met._few() is None


@pytest.mark.parametrize("target", ["tensor(vector, vector)", "tensor(vector, vector, vector)"])
def test_projections_belong_to_the_inclusions(target: str) -> None:
    """Q_i T_j is a positive number for i = j, and else 0; the maps are those that arrays find."""
    (vector,), (rep,) = field_type("vector", "SO(3)"), field_type(target, "SO(3)")
    maps = whole_intertwiners(vector, rep)
    expected = intertwiners(vector, rep).reshape(len(maps), -1)
    rows = [[own.get(u, 0) for u in range(3 * rep.size)] for own in maps]
    scales = integers([own[min(own)] for own in maps]).reshape(-1, 1)
    assert integers(rows).equals(expected * scales)
    ts = independent(maps, 3)
    qs = projections(ts, [1] * rep.size, [1] * 3)
    left = concatenate([dense(q, rep.size) for q in qs])
    product = left @ concatenate([dense(t, rep.size).T for t in ts], axis=1)
    number = product[0, 0]
    assert number.fraction() > 0
    assert product.equals(identity(len(product)) * number)


def dense(lines: list[Line], width: int) -> ExactArray:
    return integers([[dict(line).get(i, 0) for i in range(width)] for line in lines])

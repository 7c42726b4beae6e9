"""Representations of the plane taken apart by their formulas: the maps that linear systems find."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pdobasis import field_type
from pdobasis.exact.array import ExactArray, exact, identity, integers
from pdobasis.exact.field import RATIONALS
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.planar import planar_shape
from pdobasis.linear.small import Row
from pdobasis.representations.decomposition import irrep_name
from pdobasis.representations.intertwiners import intertwiners
from pdobasis.representations.named import irreps_of, made, named_irreps
from pdobasis.representations.representation import Representation
from pdobasis.representations.terms import Density
from pdobasis.representations.waves import Waves, maps_from, waves

FORMULAS = [
    "det",
    "vector",
    "tensor(vector, det)",
    "tensor(vector, vector)",
    "sym(3, vector)",
    "alt(2, vector)",
    "dual(sym(2, vector))",
    "sym(2, sym(2, vector))",
    "alt(2, sym(2, vector))",
    "alt(3, tensor(vector, vector))",
    "tensor(vector, alt(2, vector), vector)",
    "dual(sym(2, dual(sym(2, vector))))",
]
GROUPS = ["C1", "C2", "C3", "C4", "C6", "C8", "D1", "D2", "D3", "D4", "D6", "D8", "SO(2)", "O(2)", "O(2,pi/3)"]
TURNED = ["D8(pi/8)", "D4(pi/4)", "D4(pi/8)", "D5(pi/10)", "D3(pi/6)", "D2(pi/4)", "flip(pi/4)"]


def taken_apart(rep: Representation) -> Waves:
    shape = planar_shape(rep.group)
    assert shape is not None
    assert rep.term is not None
    found = waves(rep.term, is_mirrored=shape.axis is not None)
    assert found is not None
    return found


def with_ones(rows: list[Row], count: int) -> ExactArray:
    """The first number of every row is 1."""
    lines = []
    for row in rows:
        first = row[min(u for u, v in row.items() if v)]
        lines.append([Fraction(row.get(u, 0), first) for u in range(count)])
    common = 1
    for line in lines:
        for v in line:
            common *= v.denominator
    whole = integers([[int(v * common) for v in line] for line in lines])
    return exact(whole.numerators.reshape(-1, count, 1), common, RATIONALS)


@pytest.mark.parametrize("group", [*GROUPS, *TURNED])
@pytest.mark.parametrize("formula", FORMULAS)
def test_maps_are_those_of_the_linear_system(group: str, formula: str) -> None:
    (rep,) = field_type(formula, group)
    shape, known = planar_shape(rep.group), taken_apart(rep)
    assert shape is not None
    assert len(known.every) == rep.size
    top = max(abs(wave.weight) for wave in known.every)
    for name, term in irreps_of(rep.group, top).items():
        psi = made(rep.group, term, name)
        found = maps_from(term, known, shape)
        expected = intertwiners(psi, rep)
        assert found is not None
        assert len(found) == len(expected)
        if found:
            own = with_ones(found, rep.size * psi.size)
            assert own.equals(expected.reshape(len(expected), -1))


@pytest.mark.parametrize("formula", FORMULAS)
def test_weights_mirror_and_metric(formula: str) -> None:
    """By the matrices of O(2): d rho(J) v = ikv, rho(f) v = +-conj(v), and rho(f)^T g rho(f) = g."""
    (rep,) = field_type(formula, "O(2)")
    known = taken_apart(rep)
    turn, (mirror,) = rep.derivative(integers([[0, -1], [1, 0]])), rep.generators
    for wave in known.every:
        real, imaginary = (
            integers([wave.vector.get(i, (0, 0))[k] for i in range(rep.size)]).reshape(rep.size, 1) for k in (0, 1)
        )
        assert (turn @ real).equals(-imaginary.scale(wave.weight))
        assert (turn @ imaginary).equals(real.scale(wave.weight))
        assert (mirror @ real).equals(real.scale(wave.sign))
        assert (mirror @ imaginary).equals(-imaginary.scale(wave.sign))
    metric = identity(rep.size) * integers(known.metric)
    assert (mirror.T @ metric @ mirror).equals(metric)
    assert (turn.T @ metric + metric @ turn).equals(metric.scale(0))


def test_what_is_not_of_this_kind() -> None:
    assert waves(Density(Fraction(1)), is_mirrored=False) is None
    (half,) = field_type("irrep(0,2)", "D4")
    assert half.term is not None
    # relative to a mirror line, which O(2) does not have
    assert waves(half.term, is_mirrored=True) is None
    # a mirror line at pi/12 asks for sqrt(3)
    (rep,) = field_type("tensor(vector, vector)", "D2(pi/12)")
    shape = planar_shape(rep.group)
    assert shape is not None
    found = [maps_from(term, taken_apart(rep), shape) for term in irreps_of(parse_group("D2(pi/12)")).values()]
    assert None in found


@pytest.mark.parametrize("group", [*GROUPS, *TURNED])
def test_vectors_are_the_irrep_whose_matrices_they_have(group: str) -> None:
    (vector,) = field_type("vector", group)
    named = named_irreps(vector.group, 1).items()
    same = [name for name, psi in named if psi == vector]
    assert [irrep_name(vector)] == (same or [""])

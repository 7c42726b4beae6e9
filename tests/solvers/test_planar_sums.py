"""Sums of irreps of the plane, and irreps by their matrices, in whole numbers: the bytes of the roads through systems."""

from __future__ import annotations

from itertools import product

import pytest

from pdobasis import field_type
from pdobasis.operators.symbols import Symbols
from pdobasis.representations.decomposition import irrep_name
from pdobasis.representations.representation import Representation
from pdobasis.solvers import planar_sums, transfer
from pdobasis.solvers.known_irreps import between_irreps
from pdobasis.solvers.module import Angular
from pdobasis.solvers.projection import solve_harmonic
from pdobasis.solvers.reducible import meeting

GROUPS = [
    *("C1", "C2", "C3", "C4", "C5", "C6", "C8", "C12", "D1", "D2", "D3", "D4", "D5", "D6", "D8", "SO(2)", "O(2)"),
    *("D8(pi/8)", "D4(pi/4)", "D4(pi/8)", "D5(pi/10)", "D3(pi/6)", "D6(pi/12)", "D2(pi/4)", "flip(pi/4)", "O(2,pi/4)"),
]
SUMS = [
    ("tensor(vector, vector)", "vector", 3),
    ("sym(2, vector)", "alt(2, tensor(vector, vector))", 2),
    ("dual(sym(3, vector))", "tensor(vector, det)", 5),
    ("tensor(det, det)", "sym(2, sym(2, vector))", 0),
    ("vector", "tensor(vector, vector)", 0),
]
IRREPS = ["trivial", "dual(det)", "vector", "dual(vector)", "tensor(det, det)", "tensor(sym(2, trivial), vector)"]


def both(group: str, source: str, target: str) -> tuple[Representation, Representation]:
    return field_type(source, group)[0], field_type(target, group)[0]


def are_equal(a: Symbols, b: Symbols) -> bool:
    one, other = a.coefficients, b.coefficients
    is_same = one.field == other.field and one.denominator == other.denominator
    return is_same and one.numerators.dtype == other.numerators.dtype and a.equals(b)


def through_arrays(pair: tuple[Representation, Representation], orders: range) -> list[Angular]:
    met = meeting(*pair, orders)
    assert met is not None
    asked, finish = transfer._through_irreps(met)
    (solved,) = transfer._solved([asked], orders)
    return finish(solved)


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize(("source", "target", "order"), SUMS)
def test_sums_have_the_bytes_of_the_road_through_arrays(group: str, source: str, target: str, order: int) -> None:
    pair, orders = both(group, source, target), range(order + 1)
    found = planar_sums.angular(*pair, orders)
    assert found is not None
    for own, other in zip(found, through_arrays(pair, orders), strict=True):
        assert own.irreps == other.irreps
        assert are_equal(own.symbols, other.symbols)


@pytest.mark.parametrize(
    ("group", "source", "target", "order"),
    [
        # maps that are not rational
        ("D2(pi/12)", "tensor(vector, vector)", "vector", 2),
        # no formula of this kind
        ("D4", "tensor(irrep(0,2), vector)", "sym(2, vector)", 2),
        # a field of degree 6
        ("C28", "tensor(vector, vector)", "vector", 2),
        ("O(2)", "tensor(vector, vector)", "vector", planar_sums.HIGHEST + 1),
    ],
)
def test_other_sums_go_another_way(group: str, source: str, target: str, order: int) -> None:
    assert planar_sums.angular(*both(group, source, target), range(order + 1)) is None


@pytest.mark.parametrize("group", [*GROUPS, "SO(3)", "O(3)"])
def test_irreps_by_matrices_have_the_bytes_of_solutions(group: str) -> None:
    orders = range(7)
    # the vectors of C2, say, are a sum
    irreps = [rep for text in IRREPS if irrep_name(rep := field_type(text, group)[0])]
    for pair in product(irreps, irreps):
        found = between_irreps(*pair, orders)
        assert found is not None
        (solved,) = solve_harmonic([pair], orders)
        for own, other in zip(found, solved, strict=True):
            assert are_equal(own, other)


@pytest.mark.parametrize("order", [0, 1, 2, 3])
@pytest.mark.parametrize(("source", "target"), [("irrep(2)", "vector"), ("irrep(3)", "irrep(2)"), ("det", "irrep(2)")])
def test_harmonics_with_roots_have_the_bytes_of_solutions(source: str, target: str, order: int) -> None:
    pair = both("SO(3)", f"dual({source})", target)
    found = between_irreps(*pair, [order])
    assert found is not None
    ((solved,),) = solve_harmonic([pair], [order])
    assert are_equal(found[0], solved)


def test_other_groups_go_another_way() -> None:
    assert between_irreps(*both("O", "dual(vector)", "vector"), range(3)) is None

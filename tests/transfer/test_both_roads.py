"""Transfer and direct span the same space, between all irreps, order by order, exactly."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.group import Group
from pdobasis.representations.named import irreps_of
from pdobasis.representations.representation import Representation, from_term

Rep = Callable[[Group | str, str], Representation]
RoadsMeet = Callable[[Representation, Representation, int], None]

FEW = ["C1", "C2", "C3", "C4", "D1", "D2", "D3", "D4", "D4(pi/8)", "D3(pi/5)", "flip", "flip(pi/3)", "O(2,pi/4)"]
REST = [f"{letter}{n}" for letter in "CD" for n in range(1, 13)] + ["D6(pi/7)", "flip(2*pi/5)"]
SPATIAL = [f"{degree}{parity}" for degree in range(5) for parity in "eo"]


@pytest.mark.parametrize("name", FEW)
def test_all_pairs_of_irreps_of_small_planar_groups(name: str, roads_meet: RoadsMeet) -> None:
    _all_pairs(name, 4, roads_meet)


@pytest.mark.slow
@pytest.mark.parametrize("name", REST)
def test_all_pairs_of_irreps_of_planar_groups(name: str, roads_meet: RoadsMeet) -> None:
    _all_pairs(name, 6, roads_meet)


@pytest.mark.parametrize("name", ["SO(2)", "O(2)"])
def test_pairs_of_low_frequency(name: str, roads_meet: RoadsMeet) -> None:
    _all_pairs(name, 4, roads_meet, limit=2)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SO(2)", "O(2)"])
def test_all_pairs_up_to_frequency_six(name: str, roads_meet: RoadsMeet) -> None:
    _all_pairs(name, 6, roads_meet, limit=6)


@pytest.mark.parametrize(("a", "b"), [("0", "2"), ("1", "1"), ("1", "2"), ("2", "2")])
def test_pairs_of_low_order_on_so3(a: str, b: str, rep: Rep, roads_meet: RoadsMeet) -> None:
    group = parse_group("SO(3)")
    roads_meet(rep(group, f"irrep({a})"), rep(group, f"irrep({b})"), 4)


@pytest.mark.slow
@pytest.mark.parametrize(("a", "b"), list(product(range(5), range(5))))
def test_all_pairs_up_to_order_four_on_so3(a: int, b: int, rep: Rep, roads_meet: RoadsMeet) -> None:
    group = parse_group("SO(3)")
    roads_meet(rep(group, f"irrep({a})"), rep(group, f"irrep({b})"), 6)


@pytest.mark.slow
@pytest.mark.parametrize(("a", "b"), list(product(SPATIAL, SPATIAL)))
def test_all_pairs_up_to_order_four_on_o3(a: str, b: str, rep: Rep, roads_meet: RoadsMeet) -> None:
    group = parse_group("O(3)")
    roads_meet(rep(group, a), rep(group, b), 6)


@pytest.mark.parametrize("convention", ["standard", "rational"])
def test_other_bases_of_harmonics(convention: str, rep: Rep, roads_meet: RoadsMeet) -> None:
    group = parse_group("SO(3)")
    roads_meet(rep(group, f"irrep(2,{convention})"), rep(group, f"irrep(1,{convention})"), 3)
    roads_meet(rep(group, f"irrep(2,{convention})"), rep(group, "vector"), 3)


REDUCIBLE = [
    ("SO(2)", "tensor(vector, vector)", "sym(2, vector)", 3),
    ("O(2)", "tensor(irrep(1,2), vector)", "det", 3),
    ("SO(3)", "tensor(vector, vector)", "alt(2, vector)", 2),
    ("O(3)", "sym(2, vector)", "vector", 2),
    ("D6", "sym(3, vector)", "vector", 3),
    ("C6", "tensor(irrep(1), irrep(2))", "irrep(3)", 4),
    ("Oh", "tensor(vector, vector)", "vector", 2),
    ("T", "sym(2, vector)", "irrep(E)", 3),
    ("D3h", "tensor(irrep(E'), irrep(E''))", "vector", 2),
    ("S8", "vector", "irrep(E2)", 3),
]


@pytest.mark.parametrize(("name", "a", "b", "order"), REDUCIBLE)
def test_sums_of_irreps(name: str, a: str, b: str, order: int, rep: Rep, roads_meet: RoadsMeet) -> None:
    group = parse_group(name)
    roads_meet(rep(group, a), rep(group, b), order)


OTHER = [
    ("D8", "regular", "regular", 3),
    ("D8", "regular", "vector", 4),
    ("C6", "irrep(2)", "quotient(C2)", 4),
    ("Oh", "irrep(T2u)", "irrep(Eg)", 3),
    ("I", "vector", "irrep(G)", 3),
    ("Td", "regular", "trivial", 3),
    ("trivial(3)", "trivial", "trivial", 4),
    ("trivial(1)", "trivial", "trivial", 4),
    ("flip(normal=1,1)", "det", "vector", 3),
    ("flip(normal=1,1,1)", "det", "vector", 3),
    ("inversion(4)", "vector", "trivial", 3),
    ("SO(4)", "vector", "vector", 3),
    ("O(4)", "alt(2, vector)", "alt(2, vector)", 2),
]


@pytest.mark.parametrize(("name", "a", "b", "order"), OTHER)
def test_orbits_and_null_spaces_on_harmonics(
    name: str, a: str, b: str, order: int, rep: Rep, roads_meet: RoadsMeet
) -> None:
    group = parse_group(name)
    roads_meet(rep(group, a), rep(group, b), order)


def _all_pairs(name: str, order: int, roads_meet: RoadsMeet, limit: int = 4) -> None:
    group = parse_group(name)
    irreps = [from_term(group, term, spec) for spec, term in irreps_of(group, limit).items()]
    for a, b in product(irreps, irreps):
        roads_meet(a, b, order)

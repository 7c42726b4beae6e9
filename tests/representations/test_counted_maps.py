"""Maps between representations of C_N and D_N are counted by the weights of formulas, without listing elements."""

from __future__ import annotations

from itertools import product

import pytest

import pdobasis
from pdobasis.groups.closure import is_listed
from pdobasis.question.text import parse_field_type
from pdobasis.representations.characters import inner_product
from pdobasis.representations.weights import maps_between

GROUPS = ("C1", "C2", "C3", "C4", "C7", "D1", "D2", "D3", "D4", "D6", "D4(pi/3)", "flip")
SPECS = ("trivial", "det", "vector", "tensor(vector, vector)", "sym(3, vector)", "sym(4, vector)")


@pytest.mark.parametrize("group", GROUPS)
def test_weights_count_what_characters_count(group: str) -> None:
    reps = [parse_field_type(spec, group).distinct[0] for spec in SPECS]
    for a, b in product(reps, reps):
        assert maps_between(a, b) == inner_product(a, b)


def test_what_has_no_weights_is_not_counted_by_them() -> None:
    reps = [parse_field_type("vector", group).distinct[0] for group in ("SO(2)", "Oh", "Ci")]
    assert [maps_between(rep, rep) for rep in reps] == [None, None, None]
    regular = parse_field_type("regular", "D4").distinct[0]
    assert maps_between(regular, regular) is None


def test_no_element_of_a_large_rotation_group_is_listed_for_a_tensor() -> None:
    group = pdobasis.group("C991")
    basis = pdobasis.solve(group, "irrep(2)", "sym(2, vector)", order=1, method="transfer")
    assert basis.dimension == 2
    assert not is_listed(group)

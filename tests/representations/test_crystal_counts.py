"""Irreps of point groups counted by the weights of formulas: as often as characters of all elements say."""

from __future__ import annotations

import pytest

from pdobasis.answer.solve import ask
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.point import HERMANN_MAUGUIN
from pdobasis.representations.characters import inner_product
from pdobasis.representations.crystal_counts import Occurring, crystal_counts
from pdobasis.representations.named import irreps_of, made

NAMES = [*HERMANN_MAUGUIN, "Cs", "Ci", "C4v", "D2d", "S4", "D4h", "C5v", "D5d", "D4d", "S8", "C3h", "C5h", "D5h", "D6d",
         "S6", "S10", "C1v", "T", "Td", "Th", "O", "Oh"]  # fmt: skip
SPECS = [
    "trivial",
    "det",
    "vector",
    "tensor(det, vector)",
    "alt(2, vector)",
    "tensor(vector, vector)",
    "sym(3, vector)",
    "tensor(det, sym(4, vector))",
    "tensor(alt(2, vector), sym(2, vector))",
]


@pytest.mark.parametrize("name", NAMES)
def test_they_are_those_of_characters(name: str) -> None:
    group = parse_group(name, dim=3)
    irreps = irreps_of(group, 0)
    for spec in SPECS:
        (rep,) = ask(group, spec, "trivial", 0).in_type.distinct
        expected = {}
        for own, term in irreps.items():
            psi = made(group, term, own)
            kind = inner_product(psi, psi)
            times = inner_product(psi, rep) // kind
            if times:
                expected[own] = Occurring(times, kind)
        found = crystal_counts(rep)
        assert found is not None
        assert list(found.items()) == list(expected.items())


def test_what_is_no_tensor_of_vectors_is_not_counted_so() -> None:
    """An irrep of the group is none of O(3), nor is what has no formula; other groups are none of crystals."""
    for name, spec in (("Oh", "tensor(irrep(Eg), vector)"), ("Oh", "regular"), ("I", "vector"), ("SO(3)", "vector")):
        group = parse_group(name)
        (rep,) = ask(group, spec, "trivial", 0).in_type.distinct
        assert crystal_counts(rep) is None

"""Maps to signed permutations are the null spaces that elimination finds, number for number."""

from __future__ import annotations

import pytest

from pdobasis import field_type
from pdobasis.exact.array import ExactArray
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.closure import closure
from pdobasis.linear.sparse import to_dense
from pdobasis.linear.stages import null_space_in_stages
from pdobasis.representations.intertwiners import _system, soon
from pdobasis.representations.named import irreps_of, named_irreps
from pdobasis.representations.polyhedral_irreps import Cubic
from pdobasis.representations.representation import Representation
from pdobasis.representations.signed_maps import maps_to_signed, signed, signed_maps

SIGNED = [
    (group, text)
    for group in ("Oh", "O", "Td", "Th", "T", "D4h", "D2d", "S4", "D4", "C4")
    for text in ("vector", "tensor(vector, vector)", "sym(2, vector)", "regular")
]


def eliminated(a: Representation, b: Representation) -> ExactArray:
    systems = [_system(x, y) for x, y in zip(a.matrices(), b.matrices(), strict=True)]
    return to_dense(null_space_in_stages(systems)).reshape(-1, b.size, a.size)


@pytest.mark.parametrize(("group", "text"), SIGNED)
def test_maps_from_irreps_are_those_of_elimination(group: str, text: str) -> None:
    (rep,) = field_type(text, group)
    assert signed(rep) is not None
    for psi in named_irreps(rep.group).values():
        maps = signed_maps(psi, rep)
        if maps is None:
            maps = maps_to_signed(psi, rep)
        assert maps is not None
        assert maps.equals(eliminated(psi, rep))
        assert maps.field == psi.field
        assert maps is soon(psi, rep)


def test_turns_by_other_angles_are_not_signed() -> None:
    (vector,) = field_type("vector", "C3")
    assert signed(vector) is None
    assert signed_maps(vector, vector) is None
    assert maps_to_signed(vector, vector) is None


def test_signs_that_disagree_leave_nothing() -> None:
    trivial, sign = field_type("trivial + det", "D4")
    between, within = signed_maps(trivial, sign), signed_maps(sign, sign)
    assert between is not None
    assert between.shape == (0, 1, 1)
    assert within is not None
    assert within.shape == (1, 1, 1)


@pytest.mark.parametrize("name", ["Oh", "O", "Td", "Th", "T"])
def test_cubic_irreps_are_blocks_of_harmonics(name: str) -> None:
    group = parse_group(name)
    terms = [term for term in irreps_of(group).values() if isinstance(term, Cubic)]
    assert terms
    every = closure(group).matrices
    for k in range(len(every)):
        g = every[k]
        for term in terms:
            own, block = term.at(g), term.block.at(g)
            assert own.equals(block)
            # fingerprints of layers tell the fields of numbers
            assert own.field == block.field


def test_cubic_irreps_elsewhere_are_harmonics() -> None:
    term = irreps_of(parse_group("O"))["irrep(E)"]
    (turn, *_) = parse_group("C3v").generators
    assert isinstance(term, Cubic)
    assert term.at(turn).equals(term.block.at(turn))

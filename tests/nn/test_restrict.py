"""The same numbers as fields of a subgroup: names are kept, quotients fall into orbits, and the matrices agree exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from pdobasis import field_type, group  # noqa: E402
from pdobasis.errors import PdoBasisError  # noqa: E402
from pdobasis.exact.array import integers  # noqa: E402
from pdobasis.exact.matrices import block_diagonal  # noqa: E402
from pdobasis.layers.elements import grid_elements  # noqa: E402
from pdobasis.layers.restrict import restricted  # noqa: E402
from pdobasis.nn import (  # noqa: E402
    GlobalPool,
    GroupPool,
    MaxPool,
    NotEquivariantError,
    PDOConv2d,
    Pointwise,
    Restrict,
    transform,
)


def of(text: str, name: str) -> Any:
    return field_type(text, group(name))


NAMES = [
    # group, subgroup, fields, fields of the subgroup
    ("D16", "C16", "3xregular", "6xregular"),
    ("D8", "C4", "regular + trivial", "4xregular + trivial"),
    ("D4", "C4", "vector + quotient(flip)", "vector + regular"),
    ("O(2)", "C4", "vector", "vector"),
    ("D4", "flip", "regular", "4xregular"),
    # scalars stay scalars; without reflections pseudoscalars are scalars, too
    ("O(2)", "SO(2)", "2xtrivial + det + vector", "3xtrivial + vector"),
    ("O(2)", "SO(2)", "irrep(1,2) + irrep(0,0)", "irrep(2) + trivial"),
    ("O(2)", "D4", "irrep(1,2) + irrep(1,4)", "irrep(0,2) + irrep(1,2) + trivial + irrep(1,0)"),
    ("D4", "C4", "irrep(0,2) + det", "irrep(2) + trivial"),
    ("O(3)", "SO(3)", "0e + 0o + vector", "2xtrivial + vector"),
    ("O(3)", "Oh", "trivial + vector + det", "trivial + vector + det"),
    # quotients fall into orbits: cosets gK that the subgroup moves among themselves
    ("D4", "C2", "quotient(C2)", "4xtrivial"),
    ("D4", "C4", "quotient(C2)", "2xquotient(C2)"),
    ("D8", "D4", "quotient(flip)", "quotient(flip) + quotient(<r*f>)"),
    ("D8", "C4", "quotient(flip)", "2xregular"),
    ("D4", "D2", "quotient(flip)", "quotient(flip) + quotient(<r*f>)"),
    ("D6", "D3", "quotient(C2) + quotient(flip)", "regular + 2xquotient(flip)"),
    ("D4", "trivial(2)", "vector + regular", "vector + 8xtrivial"),
    # what has no name over the subgroup keeps where it comes from
    ("D8", "C8", "tensor(vector, vector)", "tensor(vector, vector)"),
    ("O(3)", "Oh", "2e", "restrict(O(3), 2e)"),
    ("SO(3)", "C2", "irrep(2)", "irrep(B) + 2xtrivial + irrep(B) + trivial"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "sub", "text", "expected"), NAMES)
def test_names(name: str, sub: str, text: str, expected: str) -> None:
    larger = group(name)
    assert Restrict(field_type(text, larger), group(sub, dim=larger.dim)).out_type.spec == expected


@pytest.mark.parametrize(("name", "sub", "text"), [row[:3] for row in NAMES])
def test_the_matrices_are_those_of_the_larger_group_with_channels_reordered(name: str, sub: str, text: str) -> None:
    """S rho(h) S^T = rho'(h) for every generator h of the subgroup, S the order of the channels: exactly."""
    fields = field_type(text, group(name))
    smaller = group(sub, dim=fields.group.dim)
    found = restricted(fields, smaller)
    selection = integers(np.eye(fields.size, dtype=np.int64)[list(found.order)])
    for k, h in enumerate(smaller.generators):
        before = block_diagonal([rep.at(h) for rep in fields])
        after = block_diagonal([rep.matrices()[k] for rep in found.fields])
        assert (selection @ before @ selection.T).equals(after)
    for k, x in enumerate(smaller.lie):
        before = block_diagonal([rep.derivative(x) for rep in fields])
        after = block_diagonal([rep.derivative(smaller.lie[k]) for rep in found.fields])
        assert (selection @ before @ selection.T).equals(after)


@pytest.mark.parametrize(("name", "sub", "text"), [row[:3] for row in NAMES])
def test_the_new_name_reads_back(name: str, sub: str, text: str) -> None:
    smaller = group(sub, dim=group(name).dim)
    found = restricted(field_type(text, group(name)), smaller).fields
    assert not found.own
    assert field_type(found.spec, smaller) == found


@pytest.mark.parametrize(("name", "sub", "text"), [row[:3] for row in NAMES if row[0][-2:] != "3)"])
def test_it_commutes_with_the_subgroup(name: str, sub: str, text: str) -> None:
    fields = of(text, name)
    part = Restrict(fields, sub)
    x = torch.randn(1, fields.size, 5, 5, dtype=torch.float64)
    for g in grid_elements(group(sub, dim=2)):
        assert torch.equal(part(transform(x, g, fields)), transform(part(x), g, part.out_type))


def test_twice_is_once() -> None:
    """A restriction to a continuous group keeps its formulas, so that it can be restricted again."""
    fields = of("2xirrep(1,2) + vector + det", "O(2)")
    turning = Restrict(fields, "SO(2)")
    assert Restrict(turning.out_type, "C4").out_type == Restrict(fields, "C4").out_type


def test_scalars_of_continuous_groups_are_permuted() -> None:
    part = Restrict(of("2xtrivial + 3xdet", "O(2)"), "SO(2)")
    x = torch.randn(1, 5, 4, 4)
    assert torch.equal(Pointwise(part.out_type)(x), torch.relu(x))
    assert torch.equal(GroupPool(part.out_type)(x), x)
    assert GlobalPool(of("trivial", "O(2)"), "max")(x[:, :1]).shape == (1, 1)
    assert MaxPool(of("trivial", "SO(2)"), 2)(x[:, :1]).shape == (1, 1, 2, 2)
    for text in ("det", "vector"):
        with pytest.raises(NotEquivariantError, match=f"{text} of O\\(2\\)"):
            Pointwise(of(text, "O(2)"))


def test_layers_meet_across_a_restriction_by_name() -> None:
    cut = Restrict(of("vector + trivial", "O(2)"), "SO(2)")
    assert PDOConv2d("SO(2)", "vector + trivial", "trivial", size=3).in_type == cut.out_type


@pytest.mark.parametrize(("name", "sub"), [
    ("D4", "C8"), ("SO(2)", "D4"), ("SO(2)", "O(2)"), ("C4", "SO(2)"), ("D4", "Oh"), ("SO(3)", "Oh"),
])  # fmt: skip
def test_what_is_no_subgroup_is_refused(name: str, sub: str) -> None:
    with pytest.raises(PdoBasisError, match=r"is not a subgroup of|acts in dimension"):
        Restrict(of("vector", name), sub)

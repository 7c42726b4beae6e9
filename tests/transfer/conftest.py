"""What it means that two roads meet, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.group import Group
from pdobasis.operators.laplacian import is_harmonic
from pdobasis.proof.counting import count_pdos
from pdobasis.proof.spans import same_span
from pdobasis.question.text import parse_field_type
from pdobasis.representations.representation import Representation
from pdobasis.solvers.direct import solve_block
from pdobasis.solvers.transfer import solve_module

Check = Callable[[Representation, Representation, int], None]


def representation(group: Group | str, spec: str) -> Representation:
    g = parse_group(group) if isinstance(group, str) else group
    return parse_field_type(spec, g).distinct[0]


@pytest.fixture(name="rep")
def rep_fixture() -> Callable[[Group | str, str], Representation]:
    return representation


@pytest.fixture
def roads_meet() -> Check:
    """Transfer and direct span the same space for every order, of the dimension that characters count."""

    def check(rep_in: Representation, rep_out: Representation, order: int) -> None:
        module = solve_module(rep_in, rep_out, order)
        parts, structure = module.orders()
        assert all(is_harmonic(angular.symbols) for angular in module.angular)
        assert tuple(p.size for p in parts) == count_pdos(rep_in, rep_out, order).numbers
        for n, part in enumerate(parts):
            assert [s.angular_order + 2 * s.laplacian_power for s in structure[n]] == [n] * part.size
            assert same_span(part, solve_block(rep_in, rep_out, n)), (rep_in.spec, rep_out.spec, n)

    return check

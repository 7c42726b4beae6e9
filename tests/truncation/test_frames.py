"""Limits in a frame: the basis of PDO-eConvs, written down here by its formula."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import pdobasis
from pdobasis.answer.solve import ask
from pdobasis.errors import SpecError
from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.polynomials import position, substitution
from pdobasis.groups.closure import closure
from pdobasis.groups.matrices import rotation
from pdobasis.operators.relations import relations
from pdobasis.operators.symbols import Symbols, from_dense, join_symbols
from pdobasis.proof.certificate import prove
from pdobasis.proof.spans import same_span


def by_formula(group: str, order: int, limit: int, angle: Fraction) -> Symbols:
    """All P with P_(h, hj)(x) = (x')^alpha, x' = R^-1 h^-1 x, alpha of this order and at most ``limit`` in each variable."""
    table = closure(pdobasis.group(group))
    size = len(table)
    turn = rotation(angle)
    alphas = [alpha for alpha in position(2, order) if max(alpha) <= limit]
    moved = [substitution((turn.T @ table.matrices[h].T).reshape(1, 2, 2), order)[0] for h in range(size)]
    shape = (len(alphas) * size, size, size, order + 1)
    values: dict[tuple[int, int, int], ExactArray] = {}
    for k, alpha in enumerate(alphas):
        for j in range(size):
            for h in range(size):
                values[k * size + j, h, int(table.action(h)[j])] = moved[h][position(2, order)[alpha]]
    field = moved[0].field
    common = int(np.lcm.reduce([v.denominator for v in values.values()]))
    out = np.zeros((*shape, field.degree), dtype=np.int64)
    for place, v in values.items():
        out[place] = v.numerators * (common // v.denominator)
    return from_dense(exact(out, common, field), 2, order)


@pytest.mark.parametrize("angle", ["0", "pi/8"])
@pytest.mark.parametrize(("group", "number"), [("C8", 72), ("D4", 72), ("C16", 144), ("C5", 45)])
def test_nine_for_every_relative_orientation(group: str, number: int, angle: str) -> None:
    basis = pdobasis.solve(group, "regular", "regular", frame_order=2, frame_angle=angle)
    assert basis.dimension == number
    assert basis.certificate.holds
    size = number // 9
    assert list(basis.dimensions.values()) == [size, 2 * size, 3 * size, 2 * size, size]
    assert sum(basis.certificate.of) == 15 * size
    turned = Fraction(0) if angle == "0" else Fraction(1, 8)
    for n, part in enumerate(basis.blocks[0].orders):
        assert same_span(part, by_formula(group, n, 2, turned))


def test_trivial_to_regular_and_back() -> None:
    assert pdobasis.solve("C16", "trivial", "regular", frame_order=2, frame_angle="pi/8").dimension == 9
    assert pdobasis.solve("C16", "regular", "trivial", frame_order=2, frame_angle="pi/8").dimension == 9
    assert pdobasis.solve("C16", "vector", "regular", frame_order=2).dimension == 18
    assert pdobasis.solve("C16", "quotient(C2)", "regular", frame_order=2).dimension == 9 * 8


@pytest.mark.parametrize(
    ("group", "in_rep", "out_rep"),
    [
        ("C4", "regular", "regular"),
        ("D4", "vector", "regular"),
        ("D4", "quotient(C2)", "trivial"),
        ("D2", "trivial", "trivial"),
    ],
)
def test_where_the_group_keeps_the_limit_it_is_that_of_partial_order(group: str, in_rep: str, out_rep: str) -> None:
    ours = pdobasis.solve(group, in_rep, out_rep, frame_order=2)
    theirs = pdobasis.solve(group, in_rep, out_rep, partial_order=2)
    assert ours.dimensions == theirs.dimensions
    for x, y in zip(ours.blocks[0].orders, theirs.blocks[0].orders, strict=True):
        assert same_span(x, y) or x.size == y.size == 0


def test_quotients_by_subgroups_that_keep_the_limit() -> None:
    """C4 keeps it: a row of C16/C4 is any polynomial within it that C4 leaves alone (columns of a regular field: 16 / 4)."""
    basis = pdobasis.solve("C16", "trivial", "quotient(C4)", frame_order=2)
    # 1, x^2 + y^2, x^2 y^2; x y changes its sign, and so do the others
    assert list(basis.dimensions.values()) == [1, 0, 1, 0, 1]
    assert pdobasis.solve("C16", "regular", "quotient(C4)", frame_order=2).dimension == 9 * 4


def test_it_is_a_part_of_all_solutions() -> None:
    ours = pdobasis.solve("C8", "regular", "regular", frame_order=2, frame_angle="pi/8")
    every = pdobasis.solve("C8", "regular", "regular", order=4)
    for part, all_there_are in zip(ours.blocks[0].orders, every.blocks[0].orders, strict=True):
        assert relations(join_symbols([all_there_are, part])) == part.size


def test_space() -> None:
    """Frames of a group in space: three variables, so 27 monomials for every element of T."""
    basis = pdobasis.solve("T", "trivial", "regular", frame_order=2, order=3)
    assert list(basis.dimensions.values()) == [1, 3, 6, 7]


def test_the_certificate_refuses_another_frame() -> None:
    turned = ask("C8", "regular", "regular", frame_order=2, frame_angle="pi/8")
    plain = pdobasis.solve("C8", "regular", "regular", frame_order=2)
    found = prove(turned, plain.blocks)
    assert (found.equivariant, found.independent, found.truncated, found.holds) == (True, True, False, False)


def test_another_angle_is_another_space() -> None:
    ours = pdobasis.solve("C8", "regular", "regular", frame_order=1)
    other = pdobasis.solve("C8", "regular", "regular", frame_order=1, frame_angle="pi/8")
    assert ours.dimensions == other.dimensions
    assert not same_span(ours.blocks[0].orders[2], other.blocks[0].orders[2])


@pytest.mark.parametrize(
    ("group", "in_rep", "out_rep", "options", "told"),
    [
        ("C16", "trivial", "trivial", {"frame_order": 2}, "trivial -> trivial of C16 has none"),
        ("C16", "vector", "vector", {"frame_order": 2}, "vector -> vector of C16 has none"),
        ("C16", "regular + trivial", "regular + trivial", {"frame_order": 2}, "trivial -> trivial of C16 has none"),
        ("C16", "vector", "quotient(C8)", {"frame_order": 2}, "has none"),
        ("D4", "vector", "quotient(<f>)", {"frame_order": 2, "frame_angle": "pi/8"}, "has none"),
        ("SO(2)", "trivial", "vector", {"frame_order": 2}, "has none"),
        ("C8", "regular", "regular", {"frame_order": 2, "max_offset": 0, "order": 3}, "goes without max_offset"),
        (
            "C8",
            "regular",
            "regular",
            {"frame_order": 2, "kernel": True},
            "goes without max_offset, a filter or kernels",
        ),
        ("C8", "regular", "regular", {"frame_angle": "pi/8"}, "goes with frame_order"),
        ("C8", "regular", "regular", {"frame_order": 2, "frame_angle": "22.5"}, "cannot read the angle '22.5'"),
        ("C8", "regular", "regular", {"frame_order": 2, "frame_angle": 0.39}, "a Fraction of pi"),
        ("C8", "regular", "regular", {"frame_order": -1}, "whole number from 0"),
        ("T", "regular", "trivial", {"frame_order": 1, "frame_angle": "pi/8"}, "turns the frame of a plane"),
        ("C8", "regular", "regular", {"frame_order": 1, "partial_order": 1}, "leave it out, or the other truncation"),
    ],
)
def test_refusals(group: str, in_rep: str, out_rep: str, options: dict[str, object], told: str) -> None:
    with pytest.raises(SpecError) as caught:
        ask(group, in_rep, out_rep, **options)  # type: ignore[arg-type]
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_up_to_its_order_a_frame_limits_nothing() -> None:
    assert ask("C8", "vector", "vector", 2, frame_order=2) == ask("C8", "vector", "vector", 2)


def test_partial_order_says_where_to_go() -> None:
    with pytest.raises(SpecError, match="frame_order="):
        pdobasis.solve("C16", "regular", "regular", partial_order=2)
    with pytest.raises(SpecError, match="use method='direct' or auto"):
        pdobasis.solve("C8", "regular", "regular", frame_order=2, method="transfer")

"""Is it a representation of the group, of a cover only, or of nothing?"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import expm

import pdobasis
from pdobasis.errors import GroupError, RepresentationError, SpecError
from pdobasis.exact.array import ExactArray, integers, matrix
from pdobasis.exact.matrices import block_diagonal
from pdobasis.exact.numbers import to_float
from pdobasis.exact.text import parse_number
from pdobasis.groups.group import Group
from pdobasis.question.own_representation import build_representation
from pdobasis.representations.checks import require_representation
from pdobasis.representations.circles import circle, exponential, whole_weights

J = integers([[0, -1], [1, 0]])
ONE = integers([[1]])


def numbers(rows: list[list[str]]) -> ExactArray:
    return matrix([[parse_number(v) for v in row] for row in rows])


HALF, ROOT = J.scale(Fraction(1, 2)), J * parse_number("sqrt(2)").reshape(1, 1)
COVERS = [("half", HALF), ("root", ROOT), ("nilpotent", integers([[0, 1], [0, 0]])), ("growth", ONE),
          ("defective", integers([[0, -1, 1, 0], [1, 0, 0, 1], [0, 0, 0, -1], [0, 0, 1, 0]])),
          ("mixed", block_diagonal([J, HALF]))]  # fmt: skip


@pytest.mark.parametrize("x", [c[1] for c in COVERS], ids=[c[0] for c in COVERS])
def test_weights_that_are_not_whole_belong_to_a_cover(x: ExactArray) -> None:
    group = pdobasis.group("SO(2)")
    with pytest.raises(RepresentationError, match="covering group"):
        require_representation(group, "rho", (), (x,))
    assert require_representation(group, "rho", (), (x,), cover=True).cover


@pytest.mark.parametrize("k", range(5))
def test_whole_weights_are_representations(k: int) -> None:
    known = require_representation(pdobasis.group("SO(2)"), "rho", (), (J.scale(k),))
    assert not known.assumed
    assert "whole weights on 1 circle" in known.how


def spin() -> tuple[ExactArray, ...]:
    """Half of the quaternions i, j, k acting on the quaternions from the left: spin 1/2 of SO(3), real of size 4."""
    i = integers([[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 0, -1], [0, 0, 1, 0]])
    j = integers([[0, 0, -1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, -1, 0, 0]])
    k = i @ j
    x12, x13, x23 = k, -j, i  # E_21 - E_12 turns about x3, E_31 - E_13 about -x2, E_32 - E_23 about x1
    return tuple(m.scale(Fraction(1, 2)) for m in (x12, x13, x23))


def test_spin_one_half_is_no_representation_of_rotations_and_one_of_their_cover() -> None:
    group = pdobasis.group("SO(3)")
    with pytest.raises(RepresentationError, match="covering group"):
        require_representation(group, "spin", (), spin())
    known = require_representation(group, "spin", (), spin(), cover=True)
    assert known.cover
    assert "of a covering group" in known.text


def test_the_dirac_operator_is_found_on_the_cover() -> None:
    """Spinors to spinors: the quaternions commute with spin, so 4 of order 0; at order 1 sigma . grad, times these 4."""
    group = pdobasis.group("SO(3)")
    lie = {f"X{k}": m for k, m in enumerate(spin())}
    rep = build_representation("spin.yaml", group, {}, lie, True)
    fields = pdobasis.FieldType.of([rep])
    basis = pdobasis.solve_problem(pdobasis.Problem(group, fields, fields, 2))
    assert basis.dimensions == {0: 4, 1: 4, 2: 4}
    assert basis.certificate.holds


def own(generators: dict[str, ExactArray], *lie: ExactArray) -> Group:
    dim = (*generators.values(), *lie)[0].shape[0]
    return Group("own", dim, tuple(generators.values()), tuple(generators), lie)


TURNS = integers([[0, -1, 0], [1, 0, 0], [0, 0, 0]])
ROTO = integers([[0, -1, 0], [1, 0, 0], [0, 0, -1]])
SPACE = pdobasis.group("SO(3)").lie
THREEFOLD = integers([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
HALF_TURN = integers([[0, 1, 0], [1, 0, 0], [0, 0, -1]])
"""About (1, 1, 0): on no coordinate circle, and -1 is an eigenvalue."""

CONTRADICTIONS = [
    ("minus one", own({"i": integers([[-1, 0], [0, -1]])}, J), (integers([[1, 0], [0, 1]]),), (J,)),
    ("minus one, sign", own({"i": integers([[-1, 0], [0, -1]])}, J), (integers([[-1]]),), (integers([[0]]),)),
    ("a third", own({"r": numbers([["-1/2", "-sqrt(3)/2"], ["sqrt(3)/2", "-1/2"]])}, J), (integers([[1, 0], [0, 1]]),), (J,)),
    ("square inside", own({"s": ROTO}, TURNS), (integers([[1, 0], [0, 1]]),), (J,)),
    ("skew circle", own({"i": integers([[-1, 0], [0, -1]])}, J.scale(2)), (integers([[1, 0], [0, 1]]),), (J.scale(2),)),
    ("threefold", own({"c": THREEFOLD}, *SPACE), (integers(np.eye(3, dtype=int)),), SPACE),
    ("half turn", own({"u": HALF_TURN}, *SPACE), (integers(np.eye(3, dtype=int)),), SPACE),
]  # fmt: skip


@pytest.mark.parametrize(
    ("group", "generators", "lie"), [c[1:] for c in CONTRADICTIONS], ids=[c[0] for c in CONTRADICTIONS]
)
def test_finite_elements_of_the_identity_component_have_no_choice(
    group: Group, generators: tuple[ExactArray, ...], lie: tuple[ExactArray, ...]
) -> None:
    with pytest.raises(RepresentationError, match="is not a representation"):
        require_representation(group, "rho", generators, lie)


AGREEING = [
    ("minus one", own({"i": integers([[-1, 0], [0, -1]])}, J), (integers([[-1, 0], [0, -1]]),), (J,), False),
    ("minus one, even", own({"i": integers([[-1, 0], [0, -1]])}, J), (integers([[1, 0], [0, 1]]),), (J.scale(2),), False),
    ("square inside", own({"s": ROTO}, TURNS), (J,), (J,), False),
    ("square inside, sign", own({"s": ROTO}, TURNS), (integers([[-1]]),), (integers([[0]]),), False),
    ("threefold", own({"c": THREEFOLD}, *SPACE), (THREEFOLD,), SPACE, False),
    ("half turn", own({"u": HALF_TURN}, *SPACE), (HALF_TURN,), SPACE, True),
]  # fmt: skip


@pytest.mark.parametrize(
    ("group", "generators", "lie", "open_question"), [a[1:] for a in AGREEING], ids=[a[0] for a in AGREEING]
)
def test_what_agrees_is_accepted_and_what_is_not_known_is_called_assumed(
    group: Group, generators: tuple[ExactArray, ...], lie: tuple[ExactArray, ...], open_question: bool
) -> None:
    known = require_representation(group, "rho", generators, lie)
    assert bool(known.assumed) == open_question


SHARED = [
    "SO(2) x inversion",
    "SO(2) x C4",
    "SO(4) x inversion",
    "SL(2) x inversion",
    "GL(2) x scaling",
    "SO(2) x SO(2)",
]


@pytest.mark.parametrize("name", SHARED)
def test_products_with_common_elements_are_no_direct_products(name: str) -> None:
    with pytest.raises(GroupError, match="share elements"):
        pdobasis.group(name)


@pytest.mark.parametrize("name", ["SO(3) x inversion", "SO(2) x scaling", "C4 x scaling"])
def test_products_without_common_elements_stay(name: str) -> None:
    assert pdobasis.group(name).lie


@pytest.mark.parametrize(
    ("group", "larger", "fits"),
    [("GL(2)", "SL(2)", False), ("SO(2)", "SL(2)", True), ("O(2)", "SL(2)", False), ("O(2)", "GL(2)", True),
     ("SO(3)", "O(3)", True), ("O(3)", "SO(3)", False), ("C4", "SO(2)", True), ("D4", "SO(2)", False),
     ("SO(2)", "Sp(2)", True), ("SO+(1,1)", "SL(2)", True), ("scaling(1,1)", "SL(2)", False)],
)  # fmt: skip
def test_restriction_asks_for_a_larger_group(group: str, larger: str, fits: bool) -> None:
    text, g = f"restrict({larger}, vector)", pdobasis.group(group)
    if fits:
        assert pdobasis.field_type(text, g) == pdobasis.field_type("vector", g)
    else:
        with pytest.raises(SpecError, match="contains"):
            pdobasis.field_type(text, g)


@pytest.mark.parametrize("turns", [Fraction(1, 3), Fraction(2, 5), Fraction(1, 4), Fraction(7, 12)])
@pytest.mark.parametrize("name", ["vector", "irrep(2)", "irrep(3)", "sym(2, vector)"])
def test_exact_exponentials_are_those_of_scipy(name: str, turns: Fraction) -> None:
    group = pdobasis.group("SO(3)")
    found = circle(group.lie[0])
    assert found is not None
    y = pdobasis.field_type(name, group)[0].lie[0]
    weights = whole_weights(y, found.square)
    assert weights is not None
    exact = exponential(y, found.square, weights, turns)
    assert exact is not None
    assert np.allclose(to_float(exact), expm(2 * np.pi * float(turns) * to_float(y)), atol=1e-12)


JORDAN = {
    "one weight, twice": [[0, 1], [0, 0]],
    "vectors, twice": [[0, -1, 1, 0], [1, 0, 0, 1], [0, 0, 0, -1], [0, 0, 1, 0]],
}
"""Rotations of the covering group R of SO(2), with nilpotent parts: no sums of irreps, whatever their weights."""


@pytest.mark.parametrize("name", JORDAN)
@pytest.mark.parametrize("method", ["auto", "transfer"])
def test_nilpotent_parts_are_no_sums_of_irreps(name: str, method: str, tmp_path: Path) -> None:
    path = tmp_path / "jordan.yaml"
    path.write_text(f"cover: true\nlie:\n  X: {JORDAN[name]}\n")
    found = pdobasis.solve("SO(2)", str(path), "trivial + vector", order=1, method=method)
    assert found.certificate.holds
    assert (
        found.dimensions == pdobasis.solve("SO(2)", str(path), "trivial + vector", order=1, method="direct").dimensions
    )

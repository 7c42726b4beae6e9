"""Values that meet under other names, skew bases, and what is given in the wrong form."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import pdobasis
from pdobasis.errors import PdoBasisError, RepresentationError
from pdobasis.exact.array import ExactArray, integers
from pdobasis.exact.matrices import block_diagonal, kronecker
from pdobasis.exact.text import parse_number
from pdobasis.groups.group import Group
from pdobasis.question.as_json import question_from_json, question_to_json
from pdobasis.question.field_type import FieldType
from pdobasis.question.own_group import load_group
from pdobasis.question.problem import Problem
from pdobasis.representations.checks import require_representation
from pdobasis.representations.representation import from_matrices

J = integers([[0, -1], [1, 0]])
X12 = integers([[0, -1, 0], [1, 0, 0], [0, 0, 0]])
THREEFOLD = integers([[0, 0, 1], [1, 0, 0], [0, 1, 0]])


def test_a_pickled_value_is_equal_in_another_process(tmp_path: Path) -> None:
    d4 = pdobasis.group("D4")
    fields = pdobasis.field_type("vector + regular + irrep(1,0)", d4)
    hash(fields)
    (tmp_path / "fields.bin").write_bytes(pickle.dumps(fields))
    code = (
        "import pickle, sys, pdobasis\n"
        "kept = pickle.load(open(sys.argv[1], 'rb'))\n"
        "print(kept == pdobasis.field_type('vector + regular + irrep(1,0)', pdobasis.group('D4')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "fields.bin")],
        capture_output=True, text=True, check=True, env={"PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    assert done.stdout == "True\n"


def test_a_lie_algebra_that_a_finite_generator_completes_is_looked_at_whole() -> None:
    """One rotation and a threefold axis generate SO(3): c lies in it, and has no choice."""
    group = Group("SO(3), in few words", 3, (THREEFOLD,), ("c",), (X12,))
    third = parse_number("sqrt(3)/2")
    turn = integers([[1, 0], [0, 1]]).scale(Fraction(-1, 2)) + J * third.reshape(1, 1)
    image, tangent = kronecker(THREEFOLD, turn), kronecker(X12, integers([[1, 0], [0, 1]]))
    with pytest.raises(RepresentationError, match="is not a representation"):
        require_representation(group, "rho", (image,), (tangent,))
    assert not require_representation(group, "rho", (THREEFOLD,), (X12,)).assumed


def test_a_boost_and_a_swap_generate_rotations_too() -> None:
    """so(2,1) from one boost: spin 1/2 belongs to its cover."""
    boost = integers([[0, 0, 1], [0, 0, 0], [1, 0, 0]])
    swap = integers([[0, 1, 0], [1, 0, 0], [0, 0, 1]])
    group = Group("SO(2,1), in few words", 3, (swap,), ("s",), (boost,))
    root = parse_number("sqrt(2)/2").reshape(1, 1)
    image = integers([[1, 1], [1, -1]]) * root
    tangent = integers([[1, 0], [0, -1]]).scale(Fraction(1, 2))
    with pytest.raises(RepresentationError, match="covering group"):
        require_representation(group, "spin", (image,), (tangent,))


@pytest.mark.parametrize(
    "x",
    [
        block_diagonal([J, J.scale(20001)]),
        block_diagonal([J.scale(10001), J.scale(10007)]),
        integers([[10**8, -(10**16) - 1], [1, -(10**8)]]),
        J.scale(20000),
    ],
    ids=["far weights", "two large weights", "skew", "quick"],
)
def test_circles_are_found_whatever_their_speed_and_basis(x: ExactArray) -> None:
    group = Group("a circle", x.shape[0], (), (), (x,))
    slow = x.scale(Fraction(1, 2))
    with pytest.raises(RepresentationError, match="covering group"):
        require_representation(group, "half", (), (slow,))
    assert not require_representation(group, "itself", (), (x,)).assumed


@pytest.mark.parametrize("e", [3, 6, 12, 200])
def test_skew_conjugates_of_a_quarter_turn_have_four_elements(e: int) -> None:
    big = 10**e
    assert Group("skew", 2, (integers([[big, -big * big - 1], [1, -big]]),), ("r",)).order == 4


def test_three_reflections_of_the_affine_plane_generate_infinitely_many() -> None:
    """The affine Weyl group of type A2, acting on (x, y, 1): any two reflections generate a finite group."""
    a = integers([[-1, 1, 0], [0, 1, 0], [0, 0, 1]])
    b = integers([[1, 0, 0], [1, -1, 0], [0, 0, 1]])
    c = integers([[0, -1, 1], [-1, 0, 1], [0, 0, 1]])
    assert not Group("affine A2", 3, (a, b, c), ("a", "b", "c")).is_finite
    assert Group("A2", 3, (a, b), ("a", "b")).order == 6


def test_rounded_rotations_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "g.yaml"
    path.write_text("generators: {r: [[0.5, -0.8660254], [0.8660254, 0.5]]}")
    with pytest.raises(PdoBasisError, match="almost of order 6"):
        load_group(path)


# Files of fields that have other names elsewhere.


def round_trip(problem: Problem) -> Problem:
    return question_from_json(json.loads(json.dumps(question_to_json(problem))))


def test_one_s_own_name_for_a_known_representation_travels() -> None:
    d4 = pdobasis.group("D4")
    own = from_matrices(d4, "w.yaml", 2, d4.generators, own=True)
    vector = pdobasis.field_type("vector", d4)
    for fields in (vector + FieldType.of([own]), FieldType.of([own]) + vector):
        problem = Problem(d4, fields, fields, 1)
        assert round_trip(problem) == problem


def test_fields_of_an_equal_group_with_other_labels_travel() -> None:
    d4 = pdobasis.group("D4")
    square = Group("square", 2, d4.generators, ("a", "b"))
    fields = pdobasis.field_type("quotient(<a>) + regular", square)
    problem = Problem(d4, fields, pdobasis.field_type("regular", d4), 1)
    assert round_trip(problem) == problem


def test_names_of_one_s_own_that_mean_something_or_are_used_twice_travel() -> None:
    c4 = pdobasis.group("C4")
    turned = from_matrices(c4, "vector", 2, (integers([[0, 1], [-1, 0]]),), own=True)
    sign = from_matrices(c4, "x", 1, (integers([[-1]]),), own=True)
    one = from_matrices(c4, "x", 1, (integers([[1]]),), own=True)
    problem = Problem(c4, FieldType.of([turned, sign, one]), FieldType.of([sign]), 1)
    assert round_trip(problem) == problem


def test_the_identity_by_another_name_travels() -> None:
    alone = Group("nobody", 2)
    vector = pdobasis.field_type("vector", alone)
    problem = Problem(alone, vector, vector, 1)
    assert round_trip(problem) == problem


def test_lists_and_rows_make_the_same_group() -> None:
    assert Group("quarter", 2, [[[0, -1], [1, 0]]], ["r"]) == pdobasis.group("C4")  # type: ignore[arg-type]


REFUSED: list[tuple[str, Callable[[], object]]] = [
    ("dimension 0", lambda: Group("z", 0)),
    ("a dimension in words", lambda: Group("z", "2")),  # type: ignore[arg-type]
    ("ragged rows", lambda: [[1, 2], [3]] in pdobasis.group("C4")),
    ("an order in words", lambda: pdobasis.solve("C4", "vector", "vector", order="2")),  # type: ignore[call-overload]
    ("half an order", lambda: pdobasis.solve("C4", "vector", "vector", order=1.5)),  # type: ignore[call-overload]
    ("texts for types", lambda: Problem(pdobasis.group("C4"), "vector", "vector", 1)),  # type: ignore[arg-type]
    ("too many", lambda: pdobasis.field_type("100000xtrivial", pdobasis.group("C4")) * 10**6),
    ("too many subgroups", lambda: pdobasis.group("D512").subgroups),
]


@pytest.mark.parametrize("make", [r[1] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_wrong_arguments_are_refused_in_words(make: Callable[[], object]) -> None:
    with pytest.raises(PdoBasisError):
        make()


@pytest.mark.parametrize("name", ["C1", "D1", "C6", "D5"])
def test_the_names_of_subgroups_can_be_read(name: str) -> None:
    group = pdobasis.group(name)
    for subgroup in group.subgroups:
        assert pdobasis.field_type(f"quotient({subgroup.name})", group).size * (subgroup.order or 0) == group.order

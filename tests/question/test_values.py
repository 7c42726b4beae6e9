"""A question is equal to itself after text, JSON and pickle, whoever made it."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pdobasis
from pdobasis.errors import PdoBasisError
from pdobasis.exact.array import ExactArray, integers
from pdobasis.exact.text import parse_number
from pdobasis.groups.closure import closure
from pdobasis.question.as_json import question_from_json, question_to_json
from pdobasis.question.field_type import FieldType
from pdobasis.question.problem import Problem
from pdobasis.question.text import parse_field_type, parse_problem
from pdobasis.representations.representation import Representation, from_matrices

GROUPS = ["C1", "C4", "D3", "D4(pi/8)", "flip", "flip(pi/3)", "flip(normal=1,1,0)", "SO(2)", "O(2)", "O(2,pi/4)", "SO(3)",
          "O(3)", "SO(1,2)", "SL(2)", "GL(2)", "Sp(4)", "scaling(1,2)", "trivial(3)", "inversion(3)", "C4v", "D2d", "S4",
          "Cs", "Oh", "3m", "2/m", "SO(3) x inversion", "C4 x scaling"]  # fmt: skip
EVERYWHERE = ["trivial", "det", "vector", "dual(vector)", "sym(2, vector)", "alt(2, vector)", "density(1)"]
FINITE = ["regular", "quotient(<>)"]
IRREPS = {"C4": ["irrep(1)", "irrep(2)"], "D3": ["irrep(1,1)"], "O(2)": ["irrep(1,3)", "irrep(1,0)"], "SO(2)": ["irrep(5)"],
          "SO(3)": ["irrep(2)", "irrep(2,rational)", "1o"], "O(3)": ["2e", "irrep(1,2)"], "Oh": ["irrep(T2u)"],
          "C4v": ["irrep(E)"], "inversion(3)": ["irrep(Au)"], "flip": ["irrep(1)"]}  # fmt: skip


@st.composite
def questions(draw: st.DrawFn) -> tuple[str, str, str]:
    name = draw(st.sampled_from(GROUPS))
    atoms = list(EVERYWHERE)
    if name.startswith("scaling") or name == "C4 x scaling":
        atoms.remove("alt(2, vector)")
    if pdobasis.group(name).is_finite:
        atoms += FINITE
    atoms += IRREPS.get(name, [])
    atom = st.sampled_from(atoms)
    nested = st.one_of(
        atom, atom.map(lambda a: f"dual({a})"), st.tuples(atom, atom).map(lambda p: f"tensor({p[0]}, {p[1]})")
    )
    counted = st.tuples(st.integers(1, 3), nested).map(lambda p: f"{p[0]}x{p[1]}" if p[0] > 1 else p[1])
    sums = st.lists(counted, min_size=1, max_size=3).map(" + ".join)
    return name, draw(sums), draw(sums)


@given(questions())
def test_text_value_and_json_round_trip(question: tuple[str, str, str]) -> None:
    problem = parse_problem(*question, order=1)
    again = parse_problem(
        problem.group.name, problem.in_type.spec, problem.out_type.spec, order=1, dim=problem.group.dim
    )
    assert again == problem
    assert again.in_type.spec == problem.in_type.spec
    assert question_from_json(json.loads(json.dumps(question_to_json(problem)))) == problem
    for copied in (pickle.loads(pickle.dumps(problem)), copy.deepcopy(problem)):  # noqa: S301
        assert copied == problem
        assert hash(copied) == hash(problem)


@pytest.mark.parametrize("name", GROUPS)
def test_a_group_written_down_by_its_matrices_is_the_group(name: str) -> None:
    group = pdobasis.group(name)
    labels = tuple(f"h{k}" for k in range(len(group.generators)))
    own = pdobasis.Group("written down", group.dim, group.generators, labels, group.lie)
    assert own == group
    assert hash(own) == hash(group)
    assert own != pdobasis.Group(
        "more", group.dim, (*group.generators, integers_identity(group.dim)), (*labels, "e"), group.lie
    )


def integers_identity(dim: int) -> ExactArray:
    return integers([[int(i == j) for j in range(dim)] for i in range(dim)])


def test_equal_numbers_in_different_fields_make_equal_groups() -> None:
    half = pdobasis.Group("half", 1, (parse_number("-sqrt(2)*sqrt(2)/2").reshape(1, 1),), ("t",))
    assert half == pdobasis.group("inversion(1)")
    assert pdobasis.group("flip(pi/4)") == pdobasis.group("flip(normal=1,-1)")
    assert pdobasis.group("O") == pdobasis.group("432")
    assert pdobasis.group("C4") != pdobasis.group("C8")


def test_the_limit_on_elements_is_no_part_of_a_group(tmp_path: Path) -> None:
    basis = pdobasis.solve("C4", "regular", "trivial", order=1)
    basis.save(str(tmp_path / "b.json"))
    loaded = pdobasis.load(tmp_path / "b.json")
    assert loaded.problem == basis.problem
    assert loaded.problem == pdobasis.solve("C4", "regular", "trivial", order=1, max_elements=50).problem
    assert parse_field_type("regular", pdobasis.group("C4")) == loaded.problem.in_type


def test_a_group_made_in_python_is_saved_with_its_matrices(tmp_path: Path) -> None:
    swap = pdobasis.Group("swap of the axes", 2, (integers([[0, 1], [1, 0]]),), ("s",))
    basis = pdobasis.solve(swap, "vector", "regular", order=1)
    basis.save(str(tmp_path / "swap.json"))
    loaded = pdobasis.load(tmp_path / "swap.json")
    assert loaded.certificate.holds
    assert loaded.problem == basis.problem


def test_a_group_that_borrows_a_name_of_the_catalogue_is_marked(tmp_path: Path) -> None:
    false = pdobasis.Group("D4", 2, (integers([[0, 1], [1, 0]]),), ("s",))
    basis = pdobasis.solve(false, "vector", "trivial", order=1)
    assert basis.problem.group.name == "D4 (own)"
    basis.save(str(tmp_path / "false.json"))
    assert pdobasis.load(tmp_path / "false.json").problem.group == false


def test_a_representation_given_by_matrices_travels_with_them(tmp_path: Path) -> None:
    group = pdobasis.group("C4")
    turned = from_matrices(group, "their(irrep_1)", 2, (integers([[0, 1], [-1, 0]]),), own=True)
    problem = Problem(group, FieldType.of([turned, turned]), parse_field_type("vector", group), 1)
    data = json.loads(json.dumps(question_to_json(problem)))
    assert data["in"]["spec"] == "2xtheir(irrep_1)"
    assert question_from_json(data) == problem
    basis = pdobasis.solve_problem(problem)
    basis.save(str(tmp_path / "b.json"))
    assert pdobasis.load(tmp_path / "b.json").problem == problem


REFUSED = [
    ("singular", lambda: pdobasis.Group("g", 2, (integers([[1, 1], [1, 1]]),), ("s",)), "singular"),
    ("shape", lambda: pdobasis.Group("g", 2, (integers([[1, 1, 0], [1, 1, 0]]),), ("s",)), "expected 2x2"),
    ("labels", lambda: pdobasis.Group("g", 1, (integers([[1]]), integers([[-1]])), ("s", "s")), "different labels"),
    ("missing label", lambda: pdobasis.Group("g", 1, (integers([[1]]),)), "labels"),
    ("two lines", lambda: pdobasis.Group("g\nh", 1), "one line"),
    ("no field", lambda: FieldType(()), "at least one field"),
    ("two groups", lambda: pdobasis.field_type("vector", pdobasis.group("C4")) + pdobasis.field_type("vector", pdobasis.group("C8")), "one group"),
    ("other question", lambda: Problem(pdobasis.group("C4"), pdobasis.field_type("vector", pdobasis.group("C8")), pdobasis.field_type("vector", pdobasis.group("C4")), 1), "belongs to C8"),
    ("no group", lambda: pdobasis.field_type("2xregular", 8), "belongs to a group"),  # type: ignore[arg-type]
    ("turned round", lambda: pdobasis.field_type("D8", "2xregular"), "unknown group '2xregular'"),
    ("elements", lambda: pdobasis.group("SO(2)").elements, "infinitely many"),
    ("subgroups", lambda: pdobasis.group("SO(2)").subgroups, "infinitely many"),
    ("membership", lambda: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] in pdobasis.group("SO(3) x inversion"), "not decided"),
    ("no matrix", lambda: 3 in pdobasis.group("C4"), "matrix such as"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "words"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_what_means_nothing_is_refused_where_it_is_made(make: object, words: str) -> None:
    with pytest.raises(PdoBasisError, match=words):
        make()  # type: ignore[operator]


def test_the_algebra_of_field_types() -> None:
    d4 = pdobasis.group("D4")
    regular, vector = pdobasis.field_type("regular", d4), pdobasis.field_type("vector", d4)
    total = 2 * regular + vector
    assert total.spec == "2xregular + vector"
    assert total == pdobasis.field_type("regular + regular + vector", d4)
    assert hash(total) == hash(pdobasis.field_type("regular + 1xregular + vector", d4))
    assert total != vector + 2 * regular
    assert (len(total), total.size, total.group) == (3, 18, d4)
    assert [rep.spec for rep in total] == ["regular", "regular", "vector"]
    assert total.slices == (slice(0, 8), slice(8, 16), slice(16, 18))
    assert (total[1:], total[2]) == (regular + vector, vector[0])
    assert total.irreps == {"irrep(0,0)": 2, "irrep(1,0)": 2, "irrep(1,1)": 5, "irrep(0,2)": 2, "irrep(1,2)": 2}
    assert pdobasis.field_type("irrep(1,1)", d4) == vector  # one representation, two names
    assert pdobasis.field_type("vector + irrep(1,1)", d4).distinct == (vector[0],)


SUBGROUPS = [("C12", 6), ("D4", 10), ("D6", 16), ("D8", 19), ("T", 10), ("O", 30), ("Oh", 98), ("I", 59)]
"""Published counts: all subgroups, not only up to conjugation (S4 has 30, A5 has 59, S4 x C2 has 98)."""


@pytest.mark.parametrize(("name", "count"), SUBGROUPS)
def test_subgroups_are_all_there_and_their_names_are_words(name: str, count: int) -> None:
    group = pdobasis.group(name)
    found = group.subgroups
    assert len(found) == count
    assert found[0].order == 1
    assert found[-1].order == group.order
    for subgroup in found[1:-1:5]:
        assert group.order is not None
        assert subgroup.order is not None
        quotient = parse_field_type(f"quotient({subgroup.name})", group)
        assert quotient.size == group.order // subgroup.order


MEMBERS = [
    ("SO(2)", [["3/5", "-4/5"], ["4/5", "3/5"]], [[1, 0], [0, -1]]),
    ("O(3)", [[0, 1, 0], [1, 0, 0], [0, 0, 1]], [[1, 1, 0], [0, 1, 0], [0, 0, 1]]),
    ("SO(1,1)", [["5/4", "3/4"], ["3/4", "5/4"]], [[-1, 0], [0, 1]]),
    ("SO+(1,1)", [["5/4", "3/4"], ["3/4", "5/4"]], [[-1, 0], [0, -1]]),
    ("O(1,1)", [[-1, 0], [0, 1]], [[2, 0], [0, "1/2"]]),
    ("SL(2)", [[1, 5], [0, 1]], [[2, 0], [0, 1]]),
    ("GL(2)", [[2, 0], [0, 1]], [[1, 1], [1, 1]]),
    ("Sp(4)", [[1, 0, 3, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], [[2, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]),
    ("scaling(1,2)", [[2, 0], [0, 4]], [[2, 0], [0, 3]]),
    ("scaling(1,-1/2,0)", [[4, 0, 0], [0, "1/2", 0], [0, 0, 1]], [[4, 0, 0], [0, "1/2", 0], [0, 0, 2]]),
    ("C8", [["sqrt(2)/2", "-sqrt(2)/2"], ["sqrt(2)/2", "sqrt(2)/2"]], [["1/2", "-sqrt(3)/2"], ["sqrt(3)/2", "1/2"]]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "inside", "outside"), MEMBERS)
def test_membership_is_decided_exactly(name: str, inside: object, outside: object) -> None:
    assert inside in pdobasis.group(name)
    assert outside not in pdobasis.group(name)
    assert [[1]] not in pdobasis.group(name)


def test_elements_and_irreps_of_a_group() -> None:
    d4 = pdobasis.group("D4")
    assert [m in d4 for m in d4.elements] == [True] * 8
    assert closure(d4).find(d4.elements[4]) == 4
    assert sum(rep.size**2 for rep in d4.irreps.values()) == 8
    assert all(isinstance(rep, Representation) for rep in pdobasis.group("Oh").irreps.values())
    assert len(pdobasis.group("Oh").irreps) == 10
    assert pdobasis.group("SL(2)").irreps == {}

"""The certificate rejects what is not a basis: a proof that cannot fail proves nothing."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis.answer.solve import ask, lowest_order
from pdobasis.errors import PdoBasisError, ProofError
from pdobasis.exact.field import Field
from pdobasis.files.json_file import basis_from_json, dump
from pdobasis.linear import lane_stages, stages
from pdobasis.linear.lane_matrix import LaneMatrix
from pdobasis.linear.lanes import Lanes
from pdobasis.linear.small import small_null_space
from pdobasis.linear.sparse import Sparse
from pdobasis.operators.symbols import Symbols, renumber
from pdobasis.proof.counting import character_integral, molien
from pdobasis.proof.modular import BITS, Place, place
from pdobasis.proof.nullity import nullities
from pdobasis.question.text import parse_field_type, resolve_group
from pdobasis.solvers import together
from pdobasis.solvers.batch import Task

QUESTIONS = [
    ("D8", "regular", "trivial", 2),
    ("C5", "regular", "vector", 1),
    ("SO(2)", "irrep(1)", "irrep(2)", 3),
    ("O(2)", "vector", "irrep(1,2)", 3),
    ("SO(3)", "vector", "vector", 2),
    ("SO(1,3)", "vector", "dual(vector)", 2),
    ("Oh", "vector", "vector", 2),
]


def data_of(question: tuple[str, str, str, int]) -> dict[str, Any]:
    group, in_rep, out_rep, order = question
    loaded: dict[str, Any] = json.loads(dump(pdobasis.solve(group, in_rep, out_rep, order=order)))
    return loaded


def holds(data: dict[str, Any]) -> bool:
    return basis_from_json(data).certificate.holds


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
class TestMutations:
    def test_an_untouched_file_is_proved(self, question: tuple[str, str, str, int]) -> None:
        assert holds(data_of(question))

    def test_one_changed_coefficient(self, question: tuple[str, str, str, int]) -> None:
        data = data_of(question)
        for k, element in enumerate(data["elements"]):
            changed = copy.deepcopy(data)
            row, column = next(
                (r, c) for r, line in enumerate(element["matrix"]) for c, t in enumerate(line) if t != "0"
            )
            monomial = f"d1**{element['order']}" if element["order"] else "1"
            changed["elements"][k]["matrix"][row][column] += f" + {monomial}/1000"
            single = len([t for line in element["matrix"] for t in line if t != "0"]) == 1 and element["order"] == 0
            certificate = basis_from_json(changed).certificate
            assert single or not certificate.equivariant

    def test_a_dropped_element(self, question: tuple[str, str, str, int]) -> None:
        data = data_of(question)
        for k in range(len(data["elements"])):
            changed = {**data, "elements": data["elements"][:k] + data["elements"][k + 1 :]}
            certificate = basis_from_json(changed).certificate
            assert not certificate.complete
            assert certificate.equivariant

    def test_a_doubled_element(self, question: tuple[str, str, str, int]) -> None:
        data = data_of(question)
        changed = {**data, "elements": [*data["elements"], data["elements"][-1]]}
        certificate = basis_from_json(changed).certificate
        assert not certificate.independent
        assert not certificate.holds

    def test_one_element_put_in_the_place_of_another(self, question: tuple[str, str, str, int]) -> None:
        """The count is right, the rank is not."""
        data = data_of(question)
        by_order: dict[int, list[int]] = {}
        for k, e in enumerate(data["elements"]):
            by_order.setdefault(e["order"], []).append(k)
        for members in by_order.values():
            if len(members) > 1:
                changed = copy.deepcopy(data)
                changed["elements"][members[0]] = changed["elements"][members[1]]
                certificate = basis_from_json(changed).certificate
                assert certificate.complete
                assert not certificate.independent

    def test_in_and_out_swapped(self, question: tuple[str, str, str, int]) -> None:
        data = data_of(question)
        if data["in"]["spec"] == data["out"]["spec"]:
            return
        changed = {**data, "in": data["out"], "out": data["in"]}
        try:
            assert not holds(changed)
        except PdoBasisError as error:
            assert "matrix of" in str(error)

    def test_the_certificate_in_the_file_is_not_believed(self, question: tuple[str, str, str, int]) -> None:
        data = data_of(question)
        changed = {**data, "elements": data["elements"][1:], "dimension": 999}
        changed["certificate"] = {**data["certificate"], "complete": True, "counted": changed["certificate"]["found"]}
        assert not holds(changed)

    def test_an_order_beyond_the_question_is_refused(self, question: tuple[str, str, str, int]) -> None:
        data = data_of(question)
        data["elements"][0]["matrix"][0][0] = "d1**7"
        data["elements"][0]["order"] = 7
        with pytest.raises(PdoBasisError, match="order"):
            basis_from_json(data)


SPOOF = {"generators": {"r": [["1", "0"], ["0", "1"]], "f": [["1", "0"], ["0", "1"]]}}


def test_names_of_the_catalogue_cannot_be_redefined() -> None:
    data = data_of(("D4", "vector", "trivial", 0))
    elements = [{"order": 0, "matrix": [["1", "0"]]}, {"order": 0, "matrix": [["0", "1"]]}]
    spoofed = {
        **data,
        "elements": elements,
        "in": {**data["in"], "terms": [["vector", 1]], "definitions": {"vector": SPOOF}},
    }
    with pytest.raises(PdoBasisError, match="redefined"):
        holds(spoofed)
    group = {**data, "elements": elements, "group_definition": {"generators": {"r": [["1", "0"], ["0", "1"]]}}}
    with pytest.raises(PdoBasisError, match="catalogue"):
        holds(group)


def test_copies_of_a_block_have_to_agree(tmp_path: Path) -> None:
    data = data_of(("D4", "2xvector + trivial", "vector", 1))
    path = tmp_path / "b.json"
    for elements in (data["elements"][1:], [*data["elements"], data["elements"][0]]):
        path.write_text(json.dumps({**data, "elements": elements}))
        with pytest.raises(ProofError, match="copies"):
            pdobasis.load(path)


def test_the_symbolic_angle_is_claimed_only_when_every_block_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pdobasis.proof.angle.MAX_ENTRIES", 5)
    certificate = pdobasis.solve("SO(2)", "vector + trivial", "trivial", order=4).certificate
    assert certificate.symbolic_angle is None


def test_a_basis_of_the_wrong_group_is_rejected() -> None:
    data = data_of(("C4", "vector", "trivial", 1))
    assert not holds({**data, "group": "D4"})
    assert not holds({**data_of(("C3", "trivial", "trivial", 3)), "group": "C6"})
    assert holds({**data, "group": "SO(2)"})  # div and curl serve all rotations
    assert not holds({**data, "group": "C2"})  # equivariant, but there are more


def test_a_symbolic_angle_finds_what_a_wrong_frequency_does() -> None:
    data = data_of(("SO(2)", "irrep(2)", "trivial", 2))
    assert basis_from_json(data).certificate.symbolic_angle is True
    certificate = basis_from_json({**data, "in": {"spec": "irrep(1)", "size": 2}}).certificate
    assert certificate.symbolic_angle is False
    assert not certificate.equivariant


BROKEN: dict[str, Any] = {
    "not a mapping": lambda d: [],
    "another format": lambda d: {**d, "format": "x"},
    "a newer version": lambda d: {**d, "version": 2},
    "no group": lambda d: {k: v for k, v in d.items() if k != "group"},
    "an unknown group": lambda d: {**d, "group": "Q8"},
    "a wrong dimension": lambda d: {**d, "dim": 5},
    "no elements": lambda d: {**d, "elements": 3},
    "a short matrix": lambda d: {**d, "elements": [{"order": 0, "matrix": [["1"]]}]},
    "a number for text": lambda d: {**d, "elements": [{"order": 0, "matrix": [[1] * 16]}]},
    "code": lambda d: {**d, "elements": [{"order": 0, "matrix": [["__import__('os')"] + ["0"] * 15]}]},
    "a zero element": lambda d: {**d, "elements": [{"order": 0, "matrix": [["0"] * 16]}]},
    "mixed orders": lambda d: {**d, "elements": [{"order": 1, "matrix": [["d1 + 1"] + ["0"] * 15]}]},
    "a variable too many": lambda d: {**d, "elements": [{"order": 1, "matrix": [["d3"] + ["0"] * 15]}]},
    "a huge order": lambda d: {**d, "order": 10**9},
    "a file for a group": lambda d: {**d, "group": "/etc/passwd.yaml"},
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_files_are_refused_with_their_name(case: str, tmp_path: Path) -> None:
    data = BROKEN[case](data_of(QUESTIONS[0]))
    path = tmp_path / "basis.json"
    path.write_text(json.dumps(data))
    with pytest.raises(PdoBasisError) as error:
        pdobasis.load(path)
    assert "basis.json" in str(error.value)
    assert len(str(error.value)) < 500


def test_truncated_binary_and_missing_files(tmp_path: Path) -> None:
    path = tmp_path / "basis.json"
    text = dump(pdobasis.solve("D4", "vector", "trivial", order=1))
    for content in (b"", text.encode()[:-40], b"\xff\xfe\x00junk", b"[" * 100_000):
        path.write_bytes(content)
        with pytest.raises(PdoBasisError, match=r"basis\.json"):
            pdobasis.load(path)
    with pytest.raises(PdoBasisError, match="no such file"):
        pdobasis.load(tmp_path / "none.json")


COUNTED = [("SO(2)", "irrep(2)", "tensor(vector, irrep(1))"), ("O(2)", "irrep(1,2)", "sym(2, vector)"),
           ("O(2)", "irrep(1,0)", "irrep(1,3)"), ("SO(3)", "irrep(2)", "vector"), ("O(3)", "1e", "2o"),
           ("O(3)", "tensor(vector, vector)", "vector"), ("SO(3)", "sym(2, vector)", "irrep(3)")]  # fmt: skip


@pytest.mark.parametrize(("group", "a", "b"), COUNTED)
def test_the_character_integral_agrees_with_the_nullity_modulo_a_prime(group: str, a: str, b: str) -> None:
    g = resolve_group(group)
    rep_in, rep_out = parse_field_type(a, g).distinct[0], parse_field_type(b, g).distinct[0]
    assert character_integral(rep_in, rep_out, 3) == nullities(rep_in, rep_out, range(4))


@pytest.mark.parametrize(
    ("group", "a", "b"), [("D4", "regular", "vector"), ("I", "vector", "vector"), ("C7", "vector", "irrep(2)")]
)
def test_the_molien_count_agrees_with_the_nullity_modulo_a_prime(group: str, a: str, b: str) -> None:
    g = resolve_group(group)
    rep_in, rep_out = parse_field_type(a, g).distinct[0], parse_field_type(b, g).distinct[0]
    assert molien(rep_in, rep_out, 3) == nullities(rep_in, rep_out, range(4))


def test_weights_of_a_representation_of_the_double_cover_are_not_whole(tmp_path: Path) -> None:
    """Spin 1/2, as a real representation of so(2): the proof falls back on the nullity."""
    (tmp_path / "spin.yaml").write_text("lie: [[[0, -1/2], [1/2, 0]]]\ncover: true")
    basis = pdobasis.solve("SO(2)", str(tmp_path / "spin.yaml"), str(tmp_path / "spin.yaml"), order=1)
    assert basis.certificate.holds
    assert "prime" in basis.certificate.how_complete
    assert basis.dimensions == {0: 2, 1: 2}


ROADS = [("SO(1,3)", "vector", "vector", None), ("O(1,3)", "vector", "tensor(vector, vector)", None),
         ("SL(2)", "sym(2, vector)", "vector", None), ("D4", "vector", "trivial", 1), ("C5", "vector", "regular", None),
         ("trivial(2)", "vector", "vector", 1), ("Sp(4)", "vector", "vector", None)]  # fmt: skip


@pytest.mark.parametrize(("group", "a", "b", "limit"), ROADS)
def test_the_nullity_is_the_same_at_once_and_generator_by_generator(
    group: str, a: str, b: str, limit: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    g = resolve_group(group)
    rep_in, rep_out = parse_field_type(a, g).distinct[0], parse_field_type(b, g).distinct[0]
    by_rank = nullities(rep_in, rep_out, range(4), limit)
    assert nullities(rep_in, rep_out, range(4), limit, by_rank) == by_rank
    monkeypatch.setattr("pdobasis.proof.nullity.LARGE", 0)
    assert nullities(rep_in, rep_out, range(4), limit) == by_rank
    assert nullities(rep_in, rep_out, range(4), limit, [-1] * 4) == by_rank  # hope alone changes nothing


def test_an_unlucky_prime_does_not_spoil_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Modulo 2 the constraint of SO(1,3) loses rank; hope makes the count look further."""
    rep = parse_field_type("vector", resolve_group("SO(1,3)")).distinct[0]
    right = nullities(rep, rep, range(3))
    _use_prime(2, monkeypatch)
    assert nullities(rep, rep, range(3)) != right
    assert nullities(rep, rep, range(3), hoped=right) == right


def test_a_prime_that_divides_a_denominator_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "spin.yaml").write_text("lie: [[[0, -1/2], [1/2, 0]]]\ncover: true")
    rep = parse_field_type(str(tmp_path / "spin.yaml"), resolve_group("SO(2)")).distinct[0]
    _use_prime(2, monkeypatch)
    assert nullities(rep, rep, range(2)) == (2, 2)


def _use_prime(p: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In place of the first prime, whatever the size of the question."""

    def primes(field: Field, number: int = 0, bits: int = BITS) -> Place:
        if bits < BITS:
            return Place(p, (1,))
        return place(field, number)

    monkeypatch.setattr("pdobasis.proof.nullity.place", primes)
    monkeypatch.setattr("pdobasis.proof.nullity.LARGE", 0)


def without_last(part: Symbols) -> Symbols:
    if not part.size:
        return part
    ranks = np.arange(part.size)
    ranks[-1] = -1
    return renumber(part, ranks, part.size - 1)


@pytest.mark.parametrize(("small", "smallest"), [(-1, False), (stages.SMALL, False), (-1, True)])
def test_the_count_does_not_follow_a_solver_that_loses_solutions(
    small: int, smallest: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The elimination of the solver drops a vector: whatever is left over is never proved."""
    honest = lane_stages.null_space_modulo

    def careless(table: LaneMatrix, arithmetic: Lanes) -> LaneMatrix | None:
        found = honest(table, arithmetic)
        if found is None or not found.shape[0]:
            return found
        kept = np.flatnonzero(found.rows < found.shape[0] - 1)
        shape = (found.shape[0] - 1, found.shape[1])
        return LaneMatrix(found.rows[kept], found.columns[kept], found.values[:, kept], shape)

    def careless_by_hand(systems: Sequence[Sparse]) -> Sparse:
        found = small_null_space(systems)
        if not found.shape[0]:
            return found
        kept = np.flatnonzero(found.rows < found.shape[0] - 1)
        shape = (found.shape[0] - 1, found.shape[1])
        return Sparse(found.rows[kept], found.columns[kept], found.values.take(kept), shape)

    few = together._few

    def careless_with_few(tasks: Sequence[Task], harmonic: bool) -> list[Symbols] | None:
        if not smallest:
            return None
        found = few(tasks, harmonic)
        assert found is not None
        return [without_last(part) for part in found]

    monkeypatch.setattr(together, "_few", careless_with_few)
    monkeypatch.setattr(lane_stages, "null_space_modulo", careless)
    monkeypatch.setattr(stages, "small_null_space", careless_by_hand)
    monkeypatch.setattr(stages, "SMALL", small)
    for question in (
        ("SO(1,3)", "vector", "vector"),
        ("SL(2)", "vector", "tensor(vector, vector)"),
        ("I", "vector", "vector"),
    ):
        with pytest.raises(ProofError, match="not complete"):
            pdobasis.solve(*question, order=3, method="direct")


@pytest.mark.parametrize(
    ("question", "truth"),
    [(("C4 x scaling", "trivial", "density(-3)"), (6, 6)), (("SL(2)", "trivial", "density(1)"), (None, 12))],
)
def test_the_lowest_order_is_one_with_solutions(
    question: tuple[str, str, str], truth: tuple[int | None, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Modulo 2 there seem to be solutions of order 2."""
    problem = ask(*question, 0)
    assert lowest_order(problem) == truth

    def primes(field: Field, number: int = 0, bits: int = BITS) -> Place:
        if number == 0:
            return Place(2, (1,))
        return place(field, number, bits)

    monkeypatch.setattr("pdobasis.proof.nullity.place", primes)
    assert lowest_order(problem) == truth

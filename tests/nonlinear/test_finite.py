"""Groups that are neither classical nor signed permutations: readable, quick, or refused beforehand."""

from __future__ import annotations

import time
from math import gcd

import pytest
from flint import fmpq

import pdobasis
from pdobasis.errors import BudgetError, SizeError
from pdobasis.exact.scalars import Radical
from pdobasis.nonlinear.echelon import value_parts, whole
from pdobasis.nonlinear.engine import engine_terms
from pdobasis.nonlinear.find import Finder
from pdobasis.nonlinear.independent import rank
from pdobasis.nonlinear.polynomials import Coordinate
from pdobasis.nonlinear.question import ask_terms
from pdobasis.nonlinear.reynolds import finite_terms
from pdobasis.nonlinear.sparser import sparser

T = {"T": "tensor(vector, dual(vector))"}


@pytest.mark.parametrize("group", ["C3", "C5", "D6", "Ih", "I"])
def test_what_rotations_allow_is_written_as_contractions(group: str) -> None:
    # of three indices in u_j ∂_k u_l and one in the output all four are contracted: no group here has more invariants
    found = pdobasis.terms(group, {"u": "vector"}, "vector", 2, 1)
    texts = [term.text for term in found if found.question.label(term.multidegree) == "u · ∂u"]
    assert texts[:3] == ["u_i ∂_j u_j", "u_j ∂_j u_i", "u_j ∂_i u_j"]
    assert found.holds


@pytest.mark.parametrize(
    ("group", "out", "degree", "order"),
    [("C3", "vector", 2, 2), ("D6", "vector", 3, 1), ("C6", "sym(2, vector)", 2, 1)],
)
def test_the_engine_spans_the_same(group: str, out: str, degree: int, order: int) -> None:
    found = pdobasis.terms(group, {"u": "vector"}, out, degree, order)
    assert {"null space", "orbit sums"} & {block.method for block in found.blocks}
    for block in found.blocks:
        own = [term.components for term in block.terms]
        others, certificate = engine_terms(found.question, block.multidegree)
        assert certificate.holds
        assert rank(own) == rank(others) == rank([*own, *others]) == len(own)


def test_tensors_of_icosahedral_symmetry_need_no_engine_up_to_five_indices() -> None:
    # the icosahedron has no invariant that the sphere has not below degree 6
    found = pdobasis.terms("Ih", T, "tensor(vector, vector)", 1, 1, constants={"g": "vector"})
    isotropic = pdobasis.terms("O(3)", T, "tensor(vector, vector)", 1, 1, constants={"g": "vector"})
    assert found.dimensions == isotropic.dimensions
    assert [term.text for term in found] == [term.text for term in isotropic]
    assert "of O(3), which contains Ih" in found.blocks[0].certificate.how_equivariant


def test_a_term_of_a_larger_group_is_no_term_of_another() -> None:
    # C3 lies in SO(2), not in O(2): with a mirror u_i ε_ij is lost
    spun = Finder.of(ask_terms("C3", {"u": "vector"}, "vector", 1, 0))
    kept = Finder.of(ask_terms("D3", {"u": "vector"}, "vector", 1, 0))
    (m,) = spun.question.multidegrees()
    terms = [term.components for term in spun.block(m, "textbook").terms]
    assert [spun.judge.is_wider(term) for term in terms] == [True, True]
    assert [kept.judge.is_wider(term) for term in terms] == [True, False]


def test_large_questions_are_refused_beforehand() -> None:
    started = time.process_time()
    with pytest.raises(SizeError, match="would take about"):
        pdobasis.terms("C3", {"T": "tensor(vector, vector)"}, "vector", 4, 3)
    with pytest.raises(SizeError, match="would take about"):
        pdobasis.terms("Ih", T, "vector", 2, 2)
    assert time.process_time() - started < 10


@pytest.mark.parametrize(("group", "fields"), [("Ih", T), ("C3", {"T": "tensor(vector, vector)"})])
def test_a_budget_ends_the_search(group: str, fields: dict[str, str]) -> None:
    started = time.monotonic()
    with pytest.raises(BudgetError, match="stopped after"), pdobasis.budget(seconds=60, watched_seconds=0.2):
        pdobasis.terms(group, fields, "vector" if group == "C3" else "trivial", 3 if group == "C3" else 2, 1)
    assert time.monotonic() - started < 10


def test_a_budget_ends_the_search_for_contractions() -> None:
    # beyond what the estimate allows, so that the work begins
    allowed = pdobasis.budget(seconds=100_000, memory="1000GB", watched_seconds=1)
    with pytest.raises(BudgetError, match="while terms"), allowed:
        pdobasis.terms("O(3)", {"T": "tensor(vector, vector)"}, "sym(2, vector)", 4, 2)


def test_differences_are_shorter_and_span_the_same() -> None:
    question = ask_terms("C3", {"u": "vector"}, "vector", 2, 1)
    *_, m = question.multidegrees()
    terms, _ = engine_terms(question, m)
    short = sparser(terms)
    sizes = [sum(sum(map(len, term)) for term in basis) for basis in (terms, short)]
    assert sizes[1] < sizes[0]
    assert rank(short) == rank([*terms, *short]) == len(terms)
    assert all(v.q == 1 and abs(v.p) <= 3 for t in short for p in t for v in p.values() if isinstance(v, fmpq))


@pytest.mark.parametrize(
    ("group", "fields", "out", "degree", "order"),
    [
        ("C3", {"u": "vector"}, "vector", 2, 1),
        ("D6", {"u": "vector"}, "trivial", 4, 1),
        ("D6h", {"e": "sym(2, vector)"}, "trivial", 2, 0),
        ("C3", {"s": "regular"}, "trivial", 2, 1),
        ("D3", {"u": "irrep(1,1)"}, "vector", 2, 1),
        ("I", {"u": "vector"}, "trivial", 6, 0),
    ],
)
def test_finite_groups_have_coprime_small_integers(
    group: str, fields: dict[str, str], out: str, degree: int, order: int
) -> None:
    found = pdobasis.terms(group, fields, out, degree, order)
    for term in found:
        parts = [q for p in term.components for v in p.values() for q in value_parts(v).values()]
        assert all(q.q == 1 and abs(q.p) <= 9 for q in parts)
        assert gcd(*(int(q.p) for q in parts)) == 1


def test_hexagonal_elasticity_has_one_term_more_than_isotropic_in_the_plane_of_sixfold_axes() -> None:
    found = pdobasis.terms("D6h", {"e": "sym(2, vector)"}, "trivial", 2, 0)
    assert found.dimensions == {"e": 2, "e²": 5}
    # e₁₁e₂₂ - e₁₂²: the Gaussian invariant of the plane across the axis
    assert "e₁ e₄ - e₂²" in [term.text for term in found]


@pytest.mark.parametrize("group", ["D6", "D6h", "I", "D3d"])
def test_orbit_sums_of_a_part_are_those_of_the_engine(group: str) -> None:
    question = ask_terms(group, {"u": "vector"}, "vector", 2, 1)
    finder = Finder.of(question)
    assert finder.part is not None
    part, order = finder.part
    assert order > 1
    for m in question.multidegrees():
        own = finite_terms(finder.judge, part, m)
        others, _ = engine_terms(question, m)
        assert own is not None
        assert rank(own) == rank(others) == rank([*own, *others]) == len(own)


def test_the_icosahedron_is_no_cliff() -> None:
    started = time.process_time()
    found = pdobasis.terms("Ih", {"T": "tensor(vector, vector)"}, "trivial", 2, 1)
    assert found.dimensions["(∂T)²"] == 12
    assert time.process_time() - started < 8


def test_numbers_with_roots_are_shortest() -> None:
    x, y = ((Coordinate(0, k, (0, 0)),) for k in range(2))
    root = Radical({3: fmpq(1, 2)})
    assert whole(({x: root, y: fmpq(3, 2)},)) == ({x: fmpq(1), y: Radical({3: fmpq(1)})},)
    assert whole(({x: -root, y: 2 * root},)) == ({x: fmpq(1), y: fmpq(-2)},)
    mixed = Radical({1: fmpq(1), 2: fmpq(1), 6: fmpq(-3)})
    assert mixed * mixed.inverse() == 1


def test_a_number_with_several_roots_is_one_factor() -> None:
    # r1 + cos(2π/5) r2 + …: the number in front of r2 is written once, in brackets
    (first, *_) = pdobasis.terms("C5", {"r": "regular"}, "vector", 1, 0)
    assert first.text.startswith("(r₁ - (1/4 - √5/4) r₂ - (1/4 + √5/4) r₃")
    assert first.latex().count("r_{2}") == 2


@pytest.mark.parametrize(("group", "degree", "derivatives"), [("O(12)", 4, 2), ("SO(12)", 6, 1)])
def test_long_contractions_are_refused_before_they_are_expanded(
    group: str, degree: int, derivatives: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def worked(*args: object) -> None:
        raise AssertionError("no work before the estimate")

    monkeypatch.setattr("pdobasis.nonlinear.find.expand", worked)
    with pytest.raises(SizeError, match=r"contractions of .* would take about"):
        pdobasis.terms(group, {"u": "vector"}, "trivial", degree=degree, derivatives=derivatives)

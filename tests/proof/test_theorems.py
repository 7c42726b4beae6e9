"""One theorem a file: each claim is made, and each fails where it is not true."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis.answer.basis import Basis
from pdobasis.answer.solve import ask, solve_problem
from pdobasis.bounds.caches import trim
from pdobasis.errors import ProofError
from pdobasis.exact import products, terms
from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import RATIONALS, Field, cyclotomic, radical
from pdobasis.files.json_file import basis_from_json, dump
from pdobasis.operators.block import Block
from pdobasis.operators.symbols import Structure, Symbols, dense, from_dense, join_symbols, renumber
from pdobasis.proof.arithmetic import require_arithmetic
from pdobasis.proof.batch import is_well_formed
from pdobasis.proof.certificate import Certificate, prove
from pdobasis.proof.complete import harmonic, with_powers
from pdobasis.proof.counting import Counts, count_pdos, has_characters, molien
from pdobasis.proof.lines import matrices_of
from pdobasis.proof.spans import same_span
from pdobasis.question.text import parse_field_type, resolve_group

TRANSFERRED = [
    ("SO(2)", "vector", "vector", 4),
    ("D6", "irrep(1,2)", "vector", 4),
    ("O(3)", "vector", "vector", 4),
    ("SO(4)", "vector", "vector", 3),
    ("Oh", "regular", "trivial", 2),
    ("SO(3)", "vector + trivial", "sym(2, vector) + vector", 3),
]


Structures = Sequence[tuple[tuple[Structure, ...], ...] | None]


def structures(basis: Basis) -> list[Any]:
    return [b.structure for b in basis.blocks]


def again(basis: Basis, claimed: Structures | None) -> Certificate:
    """The proof of the same elements, with other words about their Laplacian powers."""
    said: Structures = claimed or [None for _ in basis.blocks]
    return prove(basis.problem, [replace(b, structure=s) for b, s in zip(basis.blocks, said, strict=True)])


def verdict(certificate: Certificate, what: str) -> bool | None:
    claim = certificate.claim(what)
    return None if claim is None else claim.holds


# The claims.


def test_a_certificate_is_its_claims() -> None:
    certificate = pdobasis.solve("SO(2)", "vector", "vector", order=2, method="both").certificate
    names = [claim.what for claim in certificate.claims]
    assert names == ["representation", "equivariant", "independent", "complete", "angle", "module", "spans"]
    data = certificate.to_json()
    assert [c["what"] for c in data["claims"]] == names
    assert data["claims"][2]["figures"] == {"found": list(certificate.found), "ranks": list(certificate.ranks)}
    json.dumps(data)
    for claim in certificate.claims:
        wrong = tuple(replace(c, holds=False) if c is claim else c for c in certificate.claims)
        assert not Certificate(wrong).holds
        assert len(Certificate(wrong).failures()) == 1


def test_how_a_representation_is_known(tmp_path: Any) -> None:
    (tmp_path / "own.yaml").write_text("lie: [[[0, -2], [2, 0]]]")
    own = pdobasis.solve("SO(2)", str(tmp_path / "own.yaml"), "vector", order=1).certificate.claim("representation")
    assert own is not None
    assert own.holds
    assert own.how == "brackets, whole weights on 1 circle"
    (tmp_path / "scaling.yaml").write_text("generators: {s: [[2]]}")
    (tmp_path / "rep.yaml").write_text("generators: {s: [[3]]}")
    certificate = pdobasis.solve(
        str(tmp_path / "scaling.yaml"), "trivial", str(tmp_path / "rep.yaml"), order=1
    ).certificate
    assert certificate.holds
    assumed = certificate.claim("representation")
    assert assumed is not None
    assert assumed.holds is None
    assert "assumed" in assumed.how


@pytest.mark.parametrize("spec", ["regular", "quotient(<f>)", "vector", "regular + vector"])
def test_the_proof_reads_the_matrices_that_the_solvers_read(spec: str) -> None:
    for rep in parse_field_type(spec, resolve_group("D5")).distinct:
        assert matrices_of(rep) == rep.matrices()


@pytest.mark.parametrize("field", [RATIONALS, cyclotomic(5), cyclotomic(16), cyclotomic(128), radical(2, 3)], ids=str)
def test_arithmetic_agrees_with_floating_point(field: Field, monkeypatch: pytest.MonkeyPatch) -> None:
    require_arithmetic.cache_clear()
    require_arithmetic(field)
    for name in ("__matmul__", "__mul__", "__add__", "__neg__", "scale", "transpose", "__getitem__", "take", "reshape"):
        honest = getattr(ExactArray, name)

        def wrong(*arguments: Any, honest: Any = honest) -> ExactArray:
            value: ExactArray = honest(*arguments)
            return ExactArray(-value.numerators, value.denominator, value.field)

        require_arithmetic.cache_clear()
        with monkeypatch.context() as patched:
            patched.setattr(ExactArray, name, wrong)
            with pytest.raises(ProofError, match="floating point"):
                require_arithmetic(field)
    require_arithmetic.cache_clear()


@pytest.mark.parametrize("field", [cyclotomic(128), cyclotomic(148), radical(2, 3, 5, 7, 11)], ids=str)
def test_products_of_single_terms_agree_with_floating_point(field: Field, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers with many terms do not go that way: a wrong sign there alone was not seen."""
    honest = terms.sums_of_products
    monkeypatch.setattr(products, "sums_of_products", lambda *given: -honest(*given))
    require_arithmetic.cache_clear()
    with pytest.raises(ProofError, match="floating point"):
        require_arithmetic(field)
    require_arithmetic.cache_clear()


# The module.


@pytest.mark.parametrize("question", TRANSFERRED, ids=str)
class TestModule:
    def test_the_structure_of_the_solver_is_true(self, question: tuple[str, str, str, int]) -> None:
        certificate = pdobasis.solve(*question[:3], order=question[3], method="transfer").certificate
        claim = certificate.claim("module")
        assert claim is not None
        assert claim.holds
        found = np.array(certificate.found)
        assert claim.figure("angular") == tuple((found - np.array([0, 0, *found[:-2]])).tolist())

    def test_a_wrong_power_is_refused(self, question: tuple[str, str, str, int]) -> None:
        basis = pdobasis.solve(*question[:3], order=question[3], method="transfer")
        for k, n, e in _elements(basis):
            said = structures(basis)[k][n][e]
            for wrong in (
                Structure(said.angular_order + 2, said.laplacian_power - 1),
                Structure(said.angular_order - 2, said.laplacian_power + 1),
                Structure(said.angular_order + 1, said.laplacian_power),
                # a file may say any number, also one that no array holds
                Structure(said.angular_order, 10**30),
                Structure(said.angular_order + 2 * said.laplacian_power - 2 * 10**30, 10**30),
            ):
                certificate = again(basis, _with(basis, k, n, e, wrong))
                assert certificate.complete
                assert verdict(certificate, "module") is False
                assert not certificate.holds

    def test_an_element_that_is_not_a_multiple_of_the_laplacian(self, question: tuple[str, str, str, int]) -> None:
        """Still a basis: an element with a power is doubled. But it is no longer r^2 times the one below."""
        basis = pdobasis.solve(*question[:3], order=question[3], method="transfer")
        for k, n, e in _elements(basis):
            block = basis.blocks[k]
            if structures(basis)[k][n][e].laplacian_power:
                doubled = _doubled(block.orders[n], e)
                blocks = list(basis.blocks)
                blocks[k] = replace(block, orders=tuple(doubled if m == n else p for m, p in enumerate(block.orders)))
                certificate = prove(basis.problem, blocks)
                assert all((certificate.equivariant, certificate.independent, certificate.complete))
                assert verdict(certificate, "module") is False

    def test_the_elements_may_come_in_any_order(self, question: tuple[str, str, str, int]) -> None:
        basis = pdobasis.solve(*question[:3], order=question[3], method="transfer")
        blocks = []
        for block in basis.blocks:
            turned = tuple(renumber(p, np.arange(p.size)[::-1], p.size) for p in block.orders)
            said = tuple(part[::-1] for part in block.structure or ())
            blocks.append(replace(block, orders=turned, structure=said))
        assert verdict(prove(basis.problem, blocks), "module") is True


def test_nothing_is_said_of_a_module_without_powers_or_without_proof() -> None:
    basis = pdobasis.solve("SO(2)", "vector", "vector", order=2, method="transfer")
    assert again(basis, None).claim("module") is None
    block = basis.blocks[0]
    assert block.structure is not None
    short = (*block.orders[:2], renumber(block.orders[2], np.array([0, 1, 2, -1]), 3))
    said = (*block.structure[:2], block.structure[2][:3])
    assert verdict(prove(basis.problem, [replace(block, orders=short, structure=said)]), "module") is None


@pytest.mark.parametrize("out_rep", ["det", "det + vector", "vector"])
def test_a_basis_and_its_file_have_the_same_certificate(out_rep: str) -> None:
    """Also where some block, or all of them, are empty: then there is no structure in the file."""
    basis = pdobasis.solve("D8", "trivial", out_rep, order=2)
    again = basis_from_json(json.loads(dump(basis)))
    assert again.certificate == basis.certificate
    assert dump(again) == dump(basis)


def test_a_module_needs_an_invariant_radius() -> None:
    basis = pdobasis.solve("SO(1,1)", "trivial", "trivial", order=0)
    assert verdict(again(basis, [((Structure(0, 0),),)]), "module") is False


def test_false_powers_in_a_file_are_found() -> None:
    data = json.loads(dump(pdobasis.solve("SO(3)", "vector", "vector", order=3)))
    assert basis_from_json(data).certificate.holds
    for power, said in (
        (0, {"laplacian_power": 1, "angular_order": 0}),
        (1, {"laplacian_power": 0, "angular_order": 2}),
    ):
        changed = json.loads(json.dumps(data))
        element = next(e for e in changed["elements"] if e["order"] == 2 and e["laplacian_power"] == power)
        element |= said
        certificate = basis_from_json(changed).certificate
        assert certificate.failures() == ["the Laplacian powers of the elements are not what they are said to be"]
        assert not certificate.holds


def _elements(basis: Basis) -> list[tuple[int, int, int]]:
    """(block, order, number), of the first block and the highest orders."""
    block = basis.blocks[0]
    return [
        (0, n, e) for n in range(basis.problem.order - 1, basis.problem.order + 1) for e in range(block.orders[n].size)
    ]


def _with(basis: Basis, k: int, n: int, e: int, wrong: Structure) -> Structures:
    out = [[list(part) for part in block] for block in structures(basis)]
    out[k][n][e] = wrong
    return [tuple(tuple(part) for part in block) for block in out]


def _doubled(part: Symbols, element: int) -> Symbols:
    ranks = np.full(part.size, -1)
    ranks[element] = element
    alone = renumber(part, ranks, part.size)
    twice = replace(alone, coefficients=alone.coefficients.scale(2))
    rest = np.arange(part.size)
    rest[element] = -1
    whole = join_symbols([replace(twice, size=part.size), renumber(part, rest, part.size)])
    return renumber(whole, np.tile(np.arange(part.size), 2), part.size)


# Completeness.


@pytest.mark.parametrize("numbers", [(1, 2, 3, 4), (5,), (1, 0, 2, 0, 3), (2, 3, 4, 9, 8, 7, 20)])
def test_harmonic_numbers_and_back(numbers: tuple[int, ...]) -> None:
    assert with_powers(harmonic(numbers)) == numbers


def test_differences_of_bounds_prove_nothing_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bound that is one too large at order 0 makes the difference at order 2 one too small.

    So a missing element of order 2 is not missed there; only all orders together tell.
    """
    problem = ask("SO(4)", "vector", "vector", 2, kernel=True)
    basis = solve_problem(problem)
    assert basis.dimensions == {0: 1, 1: 0, 2: 1}
    block = basis.blocks[0]
    none = renumber(block.orders[2], np.array([-1]), 0)
    missing = [Block(0, 0, (*block.orders[:2], none))]
    honest = count_pdos(problem.in_type.distinct[0], problem.out_type.distinct[0], 2).numbers
    assert honest == (1, 0, 2)
    monkeypatch.setattr("pdobasis.proof.complete.count_pdos", lambda *_, **__: Counts((2, 0, 2), "", exact=False))
    certificate = prove(problem, missing)
    assert certificate.found[2] == certificate.counted[2] == 0  # alone this would pass
    assert not certificate.complete


@pytest.mark.parametrize("extra", [(1, 0, 0), (0, 0, 1), (1, 0, 1), (2, 1, 3)])
@pytest.mark.parametrize("kept", [(1, 0, 1), (1, 0, 0), (0, 0, 1), (0, 0, 0)])
def test_no_bounds_that_are_too_large_hide_a_missing_kernel(
    kept: tuple[int, ...], extra: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every set of elements against every set of bounds: complete only if nothing is missing."""
    problem = ask("SO(4)", "vector", "vector", 2, kernel=True)
    basis = solve_problem(problem)
    parts = [
        renumber(p, np.arange(p.size) - p.size * (not k), k) for p, k in zip(basis.blocks[0].orders, kept, strict=True)
    ]
    bounds = tuple(n + e for n, e in zip((1, 0, 2), extra, strict=True))
    monkeypatch.setattr("pdobasis.proof.complete.count_pdos", lambda *_, **__: Counts(bounds, "", exact=False))
    assert not prove(problem, [Block(0, 0, tuple(parts))]).complete


def test_kernels_of_a_group_that_keeps_no_radius_are_never_complete() -> None:
    """Fischer's decomposition says nothing of SO(1,1)."""
    problem = replace(ask("SO(1,1)", "trivial", "trivial", 0), kernel=True)
    basis = pdobasis.solve("SO(1,1)", "trivial", "trivial", order=0)
    assert not prove(problem, basis.blocks).complete


def test_the_name_of_a_group_is_not_believed() -> None:
    """A group that calls itself SO(3) and turns about one axis only is not counted by the integral over SO(3)."""
    group = resolve_group("SO(3)")
    assert has_characters(group)
    alone = replace(group, lie=group.lie[:1])
    assert not has_characters(alone)
    assert not has_characters(replace(group, lie=group.lie[::-1]))
    rep = parse_field_type("trivial", alone).distinct[0]
    assert count_pdos(rep, rep, 2).numbers == (1, 1, 2)  # x3; x3^2 and x1^2 + x2^2
    for name in ("SO(2)", "O(2)", "O(2,pi/6)", "O(3)"):
        assert has_characters(resolve_group(name))


# Both roads.


def test_two_roads_that_do_not_meet_are_told_apart() -> None:
    problem = ask("D6", "vector", "vector", 4)
    one, other = solve_problem(problem, method="transfer"), solve_problem(problem, method="direct")
    assert prove(problem, one.blocks, other.blocks).spans_equal is True
    assert prove(problem, other.blocks, one.blocks).spans_equal is True
    block = other.blocks[0]
    for n, part in enumerate(block.orders):
        for wrong in _wrong(part):
            parts = tuple(wrong if m == n else p for m, p in enumerate(block.orders))
            certificate = prove(problem, one.blocks, [Block(0, 0, parts)])
            assert certificate.spans_equal is False
            assert not certificate.holds
    assert prove(problem, one.blocks, []).spans_equal is False


def _wrong(part: Symbols) -> list[Symbols]:
    """One element less, one twice, one with a changed entry."""
    if not part.size:
        return []
    ranks = np.arange(part.size)
    out = [renumber(part, ranks - 1, part.size - 1)]
    if part.size > 1:
        out.append(join_symbols([renumber(part, np.where(ranks == 0, 0, -1), 1)] * part.size))
    values = part.coefficients.numerators.copy()
    values[0, -1] += 1
    if len(part.element) > part.size:
        out.append(replace(part, coefficients=replace(part.coefficients, numerators=values)))
    return out


@pytest.mark.parametrize("group", ["C8", "D5", "SO(2)", "I"])
def test_a_span_does_not_depend_on_its_basis(group: str) -> None:
    """Sums of neighbours span the same, whether elements own a coefficient or not."""
    basis = pdobasis.solve(group, "vector", "vector", order=3)
    for part in basis.blocks[0].orders:
        ranks = np.arange(part.size)
        mixed = part
        if part.size > 1:
            mixed = _sum_of(part, renumber(part, (ranks + 1) % part.size, part.size))
        if part.size % 2:  # P_k + P_{k+1} round a circle of odd length are independent
            assert same_span(part, mixed)
            assert same_span(mixed, part)
        elif part.size:
            assert not same_span(part, mixed)


def _sum_of(a: Symbols, b: Symbols) -> Symbols:
    return from_dense(dense(a) + dense(b), a.dim, a.order)


def test_numbers_of_elements_that_overflow_are_no_elements() -> None:
    """In matrices of 2 x 4 an entry of the element 2^61 + 1 has the place of one of the element 1, modulo 2^64."""
    element = np.arange(3)
    zero = np.zeros(3, dtype=np.int64)
    ones = exact(np.ones((3, 1, 1), dtype=np.int64), 1, RATIONALS)
    part = Symbols(1, 0, 3, (2, 4), element, zero, zero, ones)
    assert is_well_formed(part, 1, 0, (2, 4))
    element = np.array([0, 2**61 + 1, 2])
    assert not is_well_formed(replace(part, element=element), 1, 0, (2, 4))


def test_the_count_of_an_equal_group_whose_numbers_are_written_in_a_larger_field() -> None:
    """-1 over Q(sqrt(2)) is -1: what is remembered of either group serves the other."""
    small = resolve_group("inversion(2)")
    large = replace(small, generators=tuple(m.over(cyclotomic(8)) for m in small.generators))
    assert small == large
    asked = []
    for group, order in ((small, 3), (large, 2)):
        trim(0)  # or the fields of the first group would be those of the second
        (vector,), (scalar,) = parse_field_type("vector", group), parse_field_type("trivial", group)
        asked.append((vector, scalar, order))
    for vector, scalar, order in reversed(asked):
        assert molien(vector, scalar, order) == (0, 4, 0, 8)[: order + 1]

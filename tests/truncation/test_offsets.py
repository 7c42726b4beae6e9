"""Limits on the offsets of frequencies: the numbers of the paper's networks, and what the subspace is."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import pdobasis
from pdobasis.answer.solve import ask, solve_problem
from pdobasis.errors import GroupError, SpecError
from pdobasis.exact.array import ExactArray, integers
from pdobasis.operators.block import Block
from pdobasis.operators.relations import relations
from pdobasis.operators.symbols import Symbols, dense, from_dense, join_symbols, renumber
from pdobasis.proof.certificate import prove
from pdobasis.proof.spans import same_span
from pdobasis.question.field_type import FieldType
from pdobasis.question.problem import Problem
from pdobasis.representations.representation import from_matrices
from tests.truncation.tables import count, irreps, quotient, regular

MIX = "5xregular + 2xquotient(C2) + 2xquotient(C4) + 4xtrivial"


def sum_of(*parts: tuple[int, dict[tuple[int, int | None], int]]) -> dict[tuple[int, int | None], int]:
    out: dict[tuple[int, int | None], int] = {}
    for times, part in parts:
        for psi, n in part.items():
            out[psi] = out.get(psi, 0) + times * n
    return out


C16_MIX = sum_of((5, regular(16, False)), (2, quotient(16, 2)), (2, quotient(16, 4)), (4, quotient(16, 16)))


@pytest.mark.parametrize(("order", "kept", "everything"), [(2, 86, 96), (3, 138, 160)])
def test_a_pair_of_regular_fields_of_c16(order: int, kept: int, everything: int) -> None:
    basis = pdobasis.solve("C16", "regular", "regular", order=order, max_offset=0)
    by_table = count(regular(16, False), regular(16, False), 16, order, 0)
    assert list(basis.dimensions.values()) == by_table
    assert (basis.dimension, sum(basis.certificate.of)) == (kept, everything)
    assert pdobasis.solve("C16", "regular", "regular", order=order).dimension == everything


@pytest.mark.parametrize(("order", "kept", "everything"), [(2, 4014, 4496), (3, 6234, 7216)])
def test_a_pair_of_quotient_mixes_of_c16(order: int, kept: int, everything: int) -> None:
    basis = pdobasis.solve("C16", MIX, MIX, order=order, max_offset=0)
    assert list(basis.dimensions.values()) == count(C16_MIX, C16_MIX, 16, order, 0)
    assert (basis.dimension, sum(basis.certificate.of)) == (kept, everything)


def test_what_is_missing_between_regular_fields() -> None:
    """m + n - 16 between psi_6 and psi_7, and 8 - n between psi_8 and psi_5, psi_6, psi_7."""
    missing = {(6, 7): 4, (7, 7): 2, (5, 8): 4, (6, 8): 4, (7, 8): 8}
    for m, n in product(range(9), repeat=2):
        names = f"irrep({n})", f"irrep({m})"
        complete = pdobasis.solve("C16", *names, order=3).dimension
        kept = pdobasis.solve("C16", *names, order=3, max_offset=0).dimension
        both_ways = 1 if m == n else 2
        assert (complete - kept) * both_ways == missing.get((min(m, n), max(m, n)), 0)


@pytest.mark.parametrize("limit", [0, 1, 2])
@pytest.mark.parametrize("name", ["C2", "C3", "C4", "C5", "C8", "D2", "D3", "D4", "D5", "D6", "D4(pi/8)"])
def test_every_entry_of_every_table(name: str, limit: int) -> None:
    turns, mirrored = int(name[1]), name[0] == "D"
    spec = {psi: f"irrep({psi[0]})" for psi in irreps(turns, mirrored)}
    if mirrored:
        spec = {psi: f"irrep({1 if psi[1] is None else psi[1]},{psi[0]})" for psi in irreps(turns, mirrored)}
    for a, b in product(spec, repeat=2):
        basis = pdobasis.solve(name, spec[a], spec[b], order=6, max_offset=limit)
        assert list(basis.dimensions.values()) == count({a: 1}, {b: 1}, turns, 6, limit, mirrored)


@pytest.mark.parametrize("name", ["D4", "D5", "D8", "D16"])
def test_regular_fields_of_dihedral_groups(name: str) -> None:
    turns = int(name[1:])
    basis = pdobasis.solve(name, "regular", "regular", order=2, max_offset=0)
    fields = regular(turns, True)
    assert list(basis.dimensions.values()) == count(fields, fields, turns, 2, 0, True)


@pytest.mark.parametrize(
    ("group", "in_rep", "out_rep"),
    [
        ("C8", "regular", "regular"),
        ("C6", "quotient(C2)", "regular"),
        ("C8", "irrep(3) + irrep(4)", "regular + vector"),
        ("D4", "regular", "regular"),
        ("D6", "quotient(C2)", "irrep(1,2) + irrep(0,3)"),
        ("D4(pi/8)", "regular", "vector"),
        ("C2", "regular", "vector"),
    ],
)
def test_the_truncated_span_lies_in_the_complete_one(group: str, in_rep: str, out_rep: str) -> None:
    complete = pdobasis.solve(group, in_rep, out_rep, order=4)
    kept = pdobasis.solve(group, in_rep, out_rep, order=4, max_offset=0)
    assert kept.certificate.holds
    assert kept.dimension < complete.dimension
    for ours, every in zip(kept.blocks, complete.blocks, strict=True):
        for part, all_there_are in zip(ours.orders, every.orders, strict=True):
            # the complete elements are independent: a relation for each of ours writes it in them
            assert relations(join_symbols([all_there_are, part])) == part.size


@pytest.mark.parametrize(("finite", "circle"), [("C7", "SO(2)"), ("C9", "SO(2)"), ("D7", "O(2)"), ("D9", "O(2)")])
def test_for_odd_n_offset_0_is_what_all_rotations_allow(finite: str, circle: str) -> None:
    """psi_m with m < N/2 is a representation of SO(2), and k = m - n, m + n are the frequencies of its table."""
    turns = int(finite[1])
    names = list(pdobasis.group(finite).irreps)
    assert len(names) > turns // 2
    for a, b in product(names, repeat=2):
        ours = pdobasis.solve(finite, a, b, order=4, max_offset=0)
        theirs = pdobasis.solve(circle, a, b, order=4)
        for x, y in zip(ours.blocks[0].orders, theirs.blocks[0].orders, strict=True):
            assert same_span(x, y) or x.size == y.size == 0


@pytest.mark.parametrize("group", ["C4", "C5", "D4", "D3"])
def test_a_wide_limit_leaves_nothing_out(group: str) -> None:
    order = 5
    complete = pdobasis.solve(group, "regular", "regular", order=order)
    wide = pdobasis.solve(group, "regular", "regular", order=order, max_offset=order)
    for x, y in zip(wide.blocks[0].orders, complete.blocks[0].orders, strict=True):
        assert same_span(x, y)
    assert (wide.certificate.complete, wide.certificate.truncated) == (False, True)


@pytest.mark.parametrize(("group", "spec"), [("C6", "regular"), ("C8", "irrep(3) + irrep(4)"), ("D4", "regular")])
def test_the_subspace_does_not_depend_on_the_basis(group: str, spec: str) -> None:
    """With Q rho Q^-1 instead of rho the solutions are Q P Q^-1, those within the limit too."""
    g = pdobasis.group(group)
    fields = pdobasis.field_type(spec, g)
    rng = np.random.default_rng(7)
    moved = []
    changes = []
    for rep in fields.distinct:
        change = invertible(rng, rep.size)
        changes.append(change)
        images = tuple(change @ m @ change.inverse() for m in rep.matrices())
        moved.append((from_matrices(g, f"{rep.spec} moved", rep.size, images, own=True), 1))
    ours = pdobasis.solve(group, spec, spec, order=3, max_offset=0)
    other = FieldType(tuple(moved))
    theirs = solve_problem(ask(g, other, other, 3, max_offset=0))
    for x, y in zip(ours.blocks, theirs.blocks, strict=True):
        left, right = changes[x.out_index], changes[x.in_index].inverse()
        for part, found in zip(x.orders, y.orders, strict=True):
            assert part.size == found.size
            if part.size:
                assert same_span(conjugated(part, left, right), found)


def invertible(rng: np.random.Generator, size: int) -> ExactArray:
    """A product of triangular matrices with ones on the diagonal."""
    lower = np.tril(rng.integers(-2, 3, (size, size)), -1) + np.eye(size, dtype=np.int64)
    upper = np.triu(rng.integers(-2, 3, (size, size)), 1) + np.eye(size, dtype=np.int64)
    return integers(lower) @ integers(upper)


def conjugated(part: Symbols, left: ExactArray, right: ExactArray) -> Symbols:
    values = dense(part).transpose(0, 1, 3, 2) @ right
    values = values.transpose(0, 2, 3, 1) @ left.T
    return from_dense(values.transpose(0, 3, 2, 1), part.dim, part.order)


def changed(block: Block, order: int, part: Symbols) -> Block:
    orders = list(block.orders)
    orders[order] = part
    return replace(block, orders=tuple(orders), structure=None)


def test_the_certificate_refuses_what_is_not_the_truncation() -> None:
    problem = ask("C8", "regular", "regular", 2, max_offset=0)
    complete = pdobasis.solve("C8", "regular", "regular", order=2)
    kept = pdobasis.solve("C8", "regular", "regular", order=2, max_offset=0)
    (block,) = kept.blocks
    # all solutions are too many; as many of them as there should be are the wrong ones
    judged = prove(problem, complete.blocks)
    assert (judged.equivariant, judged.independent, judged.truncated) == (True, True, False)
    size = block.orders[2].size
    ranks = np.arange(complete.blocks[0].orders[2].size)
    ranks[ranks >= size] = -1
    wrong = prove(problem, [changed(block, 2, renumber(complete.blocks[0].orders[2], ranks, size))])
    assert (wrong.equivariant, wrong.independent, wrong.found, wrong.truncated) == (
        True,
        True,
        kept.certificate.found,
        False,
    )
    # one is missing
    fewer = np.arange(size)
    fewer[-1] = -1
    less = prove(problem, [changed(block, 2, renumber(block.orders[2], fewer, size - 1))])
    assert (less.equivariant, less.independent, less.truncated, less.holds) == (True, True, False, False)
    assert "not the truncation" in less.failures()[0]


def test_a_truncation_is_never_called_complete() -> None:
    for options in ({"max_offset": 0}, {"basis_filter": lambda order, angular, power: angular < 2}, {"frame_order": 1}):
        certificate = pdobasis.solve("C8", "regular", "regular", order=2, **options).certificate
        assert (certificate.holds, certificate.truncated, certificate.complete) == (True, True, False)
        assert "complete" not in [claim.what for claim in certificate.claims]
        assert f"{sum(certificate.found)} of 48 elements: truncated to " in certificate.how_truncated
        assert "complete=" not in repr(certificate)
        data = certificate.to_json()
        assert (data["complete"], data["truncated"], sum(data["of"])) == (False, True, 48)
        assert "complete" not in data["how"]


@pytest.mark.parametrize("group", ["SO(2)", "O(2)", "D1", "flip", "C1", "trivial(2)", "flip(normal=1,0)"])
def test_groups_without_offsets_lose_nothing(group: str) -> None:
    assert ask(group, "trivial", "trivial", 2, max_offset=0) == ask(group, "trivial", "trivial", 2)


@pytest.mark.parametrize("group", ["SO(3)", "Oh", "C4v", "SL(2)", "GL(2)", "SO(1,1)"])
def test_other_groups_are_refused(group: str) -> None:
    with pytest.raises(GroupError, match="planar groups C_N and D_N"):
        ask(group, "trivial", "trivial", 2, max_offset=0)


@pytest.mark.parametrize("limit", [-1, 1.0, True, "0"])
def test_limits_are_whole_numbers(limit: object) -> None:
    with pytest.raises(SpecError, match="max_offset is a whole number"):
        ask("C4", "trivial", "trivial", 2, max_offset=limit)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["direct", "both", "reference"])
def test_the_road_is_that_through_irreps(method: str) -> None:
    with pytest.raises(SpecError, match=f"not for method='{method}': use method='transfer' or auto"):
        pdobasis.solve("C4", "regular", "regular", max_offset=0, method=method)


def test_powers_of_the_laplacian_are_a_claim_here_too() -> None:
    """The module theorem holds within the limit: r^2 P has the frequencies of P."""
    basis = pdobasis.solve("D4", "regular", "regular", order=4, max_offset=0)
    claim = basis.certificate.claim("module")
    assert claim is not None
    assert claim.holds
    wrong = [
        [replace(s, laplacian_power=0, angular_order=n) for s in own]
        for n, own in enumerate(basis.blocks[0].structure or ())
    ]
    forged = replace(basis.blocks[0], structure=tuple(map(tuple, wrong)))
    assert prove(basis.problem, [forged]).claim("module").holds is False  # type: ignore[union-attr]


def test_kernels_have_the_same_frequencies() -> None:
    kernels = pdobasis.solve("C16", "regular", "regular", order=3, kernel=True, max_offset=0)
    assert list(kernels.dimensions.values()) == [16, 28, 26, 24]
    assert (
        sum(kernels.dimensions[n] for n in (0, 2))
        == pdobasis.solve("C16", "regular", "regular", order=2, max_offset=0).dimensions[2]
    )


def test_questions_are_values() -> None:
    asked = ask("C8", "regular", "trivial", 2, max_offset=0)
    again = ask(pdobasis.group("C8"), "regular", "trivial", 2, max_offset=0)
    assert asked == again
    assert hash(asked) == hash(again)
    assert asked != ask("C8", "regular", "trivial", 2, max_offset=1) != ask("C8", "regular", "trivial", 2)
    assert isinstance(asked, Problem)
    turned = [ask("C8", "regular", "regular", frame_order=1, frame_angle=a) for a in ("pi/8", "5*pi/8", Fraction(1, 8))]
    assert turned[0] == turned[1] == turned[2]

"""Characters modulo a prime, where the field is large: the residues of those over K."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pdobasis.answer.solve import ask
from pdobasis.errors import ProofError
from pdobasis.exact.array import integers
from pdobasis.exact.field import join, radical
from pdobasis.exact.scattered import block_sum
from pdobasis.groups.closure import _closure, _listed, closure, is_listed
from pdobasis.proof import reduced
from pdobasis.proof.counting import _is_reduced, molien, molien_count
from pdobasis.proof.elements import LARGE, characters, elements
from pdobasis.proof.modular import place, residues
from pdobasis.proof.reduced import TERMS, _by_parts, _modulo, reduced_characters, roll
from pdobasis.representations.representation import Representation, from_matrices


def rep_of(group: str, spec: str) -> Representation:
    (rep,) = ask(group, "trivial", spec, 0).out_type.distinct
    return rep


def whole_of(group: str, spec: str) -> Representation:
    """All summands as one representation without a formula."""
    reps = list(ask(group, "trivial", spec, 0).out_type)
    generators = tuple(block_sum(images) for images in zip(*(rep.matrices() for rep in reps), strict=True))
    return from_matrices(reps[0].group, "own", len(generators[0]), generators)


@pytest.mark.parametrize(
    ("group", "spec"),
    [
        ("C37", "vector"),
        ("C37", "tensor(vector, vector)"),
        ("C37", "irrep(11)"),
        ("C37", "regular"),
        ("D41", "sym(3, vector)"),
        ("D41", "quotient(C41)"),
        ("D41", "det"),
        ("D112", "tensor(irrep(0,56), vector)"),
        ("D41", "tensor(sym(4, vector), sym(4, vector))"),
        ("D41", "sym(2, sym(6, vector))"),
        ("D41", "alt(2, sym(6, vector))"),
    ],
)
def test_they_are_the_residues_of_those_over_the_field(group: str, spec: str) -> None:
    """Both lists of elements are in the order of Dimino's algorithm."""
    rep = rep_of(group, spec)
    field = rep.group.field
    at = place(field, 0, 28)
    expected = residues(characters(rep).over(field), at)
    assert _is_reduced((rep, rep), 28)
    assert reduced_characters(rep, field, at).tolist() == expected.tolist()


def test_the_list_of_elements_is_that_over_the_field() -> None:
    group = rep_of("D41", "vector").group
    at = place(group.field, 0, 28)
    matrices, moves = elements(group)
    listed = roll(group, group.field, at)
    assert listed.matrices.tolist() == residues(matrices, at).tolist()
    assert [m.tolist() for m in listed.moves] == [m.tolist() for m in moves]


def test_which_are_not_reduced() -> None:
    """Elements that are listed already, and large primes: sums would be rounded."""
    closure(rep_of("Oh", "vector").group)
    for group, spec, least in (("Oh", "vector", 28), ("C37", "irrep(3)", 40)):
        rep = rep_of(group, spec)
        assert not _is_reduced((rep, rep), least)


@pytest.mark.parametrize(
    ("group", "spec"),
    [
        ("D4", "vector"),
        ("Oh", "sym(2, vector)"),
        ("C8", "irrep(3)"),
        ("D8(pi/8)", "tensor(vector, vector)"),
        ("C3v", "sym(2, vector)"),
        ("D3h", "alt(2, vector)"),
        ("I", "vector"),
        ("Ih", "sym(2, vector)"),
    ],
)
def test_small_questions_are_reduced_until_the_elements_are_listed(group: str, spec: str) -> None:
    """Both ways count the same."""
    _closure.cache_clear()
    _listed.cache_clear()
    rep = rep_of(group, spec)
    reps = (rep, rep)
    assert not is_listed(rep.group)
    assert _is_reduced(reps, 20)
    found = molien_count(*reps, 4)
    closure(rep.group)
    assert is_listed(rep.group)
    assert _is_reduced(reps, 20) is (rep.size >= LARGE and not rep.is_permutation)
    assert molien_count(*reps, 4) == found


def test_products_of_large_matrices_are_not_rounded() -> None:
    """Sums of 3000 products of 42 bits have 54, one more than float64."""
    p = place(rep_of("C37", "vector").field, 0, 28).prime
    numbers = np.random.default_rng(0)
    size = 3 * TERMS - 72
    a, b = numbers.integers(p - 2**10, p, (2, 2, size)), numbers.integers(p - 2**10, p, (size, 2))
    expected = [
        [[sum(x * y for x, y in zip(r, c, strict=True)) % p for c in b.T.tolist()] for r in m] for m in a.tolist()
    ]
    assert _modulo(p)(a, b).tolist() == expected


@pytest.mark.parametrize(
    ("group", "spec", "invariants"),
    [
        ("I", "tensor(vector, vector, vector, regular)", 1620 // 60),
        ("C37", "alt(2, tensor(vector, regular))", 2701 // 37),
    ],
)
def test_large_representations_are_reduced(group: str, spec: str, invariants: int) -> None:
    """All elements but 1 have the character 0. One is one part; all matrices over K would be gigabytes."""
    rep, one = rep_of(group, spec), rep_of(group, "trivial")
    assert rep.size > TERMS
    assert _is_reduced((one, rep), 20)
    assert molien(one, rep, 0) == (invariants,)


def test_what_does_not_multiply_as_the_group_is_refused() -> None:
    """Twice the turn is never 1."""
    rep = rep_of("C41", "irrep(2)")
    field = rep.group.field
    at = place(field, 0, 28)
    assert len(reduced_characters(rep, field, at)) == 41
    with pytest.raises(ProofError, match="does not multiply"):
        reduced_characters(replace(rep, generators=(rep.generators[0].scale(2),)), field, at)


@pytest.mark.parametrize(
    ("group", "spec"),
    [
        ("D41", "vector + sym(4, vector) + irrep(1,3)"),
        ("-6m2", "alt(2, tensor(vector, regular))"),
        ("C20", "sym(2, regular + vector)"),
        ("D12", "tensor(vector, regular)"),  # one part alone
        ("C2v", "tensor(vector, regular)"),
    ],
)
def test_traces_add_up_over_parts_of_the_basis(group: str, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rep = whole_of(group, spec)
    at = place(rep.field, 0, 28)
    found = _by_parts(rep, rep.field, at)
    assert found[0] == rep.size
    monkeypatch.setattr(reduced, "WORTH_TAKING_APART", rep.size + 1)
    reduced_characters.cache_clear()
    assert found.tolist() == reduced_characters(rep, rep.field, at).tolist()


def test_a_part_that_does_not_multiply_as_the_group_is_found() -> None:
    """A turn by pi in one of twelve planes is none of C41, and stays in its plane."""
    rep = whole_of("C41", "12xirrep(2)")
    at = place(rep.field, 0, 28)
    (turn,) = rep.generators
    assert len(reduced_characters(rep, rep.field, at)) == 41
    for plane in (0, 5, 11):
        signs = np.ones(24, dtype=np.int64)
        signs[2 * plane : 2 * plane + 2] = -1
        broken = replace(rep, generators=(turn @ integers(np.diag(signs)),))
        with pytest.raises(ProofError, match="does not multiply"):
            reduced_characters(broken, rep.field, at)


def test_characters_of_an_equal_representation_may_be_written_in_a_larger_field() -> None:
    """They are remembered: in the smaller field their coordinates are other numbers."""
    rep, one = rep_of("D24", "irrep(1,7)"), rep_of("D24", "trivial")
    wide = replace(rep, generators=tuple(m.over(join(rep.field, radical(5))) for m in rep.generators))
    assert wide == rep
    assert characters(wide).field != rep.field
    # (x1 + i x2)^7 is the first
    assert molien(one, rep, 8) == (0, 0, 0, 0, 0, 0, 0, 1, 0)

"""Characters modulo a prime, where the field is large: the residues of those over K."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pdobasis.answer.solve import ask
from pdobasis.errors import ProofError
from pdobasis.exact.field import join, radical
from pdobasis.proof.counting import _is_reduced, molien
from pdobasis.proof.elements import characters
from pdobasis.proof.modular import place, residues
from pdobasis.proof.reduced import reduced_characters
from pdobasis.representations.representation import Representation


def rep_of(group: str, spec: str) -> Representation:
    (rep,) = ask(group, "trivial", spec, 0).out_type.distinct
    return rep


@pytest.mark.parametrize(
    ("group", "spec"),
    [
        ("C37", "tensor(vector, vector)"),
        ("C37", "irrep(11)"),
        ("D41", "sym(3, vector)"),
        ("D112", "tensor(irrep(0,56), vector)"),
    ],
)
def test_they_are_the_residues_of_thereduced_characters(group: str, spec: str) -> None:
    rep = rep_of(group, spec)
    at = place(rep.group.field, 0, 28)
    expected = residues(characters(rep).over(rep.group.field), at)
    assert _is_reduced(rep, 28)
    assert reduced_characters(rep, rep.group.field, at).tolist() == expected.tolist()


def test_which_are_not_reduced() -> None:
    """Space itself and permutations: nothing has to be multiplied; large primes: sums would be rounded."""
    for spec, bits in (("vector", 28), ("regular", 28), ("irrep(11)", 40)):
        assert not _is_reduced(rep_of("C37", spec), bits)


def test_what_does_not_multiply_as_the_group_is_refused() -> None:
    """Twice the turn is never 1."""
    rep = rep_of("C41", "irrep(2)")
    field = rep.group.field
    at = place(field, 0, 28)
    assert len(reduced_characters(rep, field, at)) == 41
    with pytest.raises(ProofError, match="does not multiply"):
        reduced_characters(replace(rep, generators=(rep.generators[0].scale(2),)), field, at)


def test_characters_of_an_equal_representation_may_be_written_in_a_larger_field() -> None:
    """They are remembered: in the smaller field their coordinates are other numbers."""
    rep, one = rep_of("D24", "irrep(1,7)"), rep_of("D24", "trivial")
    wide = replace(rep, generators=tuple(m.over(join(rep.field, radical(5))) for m in rep.generators))
    assert wide == rep
    assert characters(wide).field != rep.field
    # (x1 + i x2)^7 is the first
    assert molien(one, rep, 8) == (0, 0, 0, 0, 0, 0, 0, 1, 0)

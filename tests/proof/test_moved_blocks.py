"""Characters of what moves blocks of coordinates: those of the matrices."""

from __future__ import annotations

import numpy as np
import pytest

from pdobasis.answer.solve import ask
from pdobasis.errors import ProofError
from pdobasis.exact.array import exact
from pdobasis.exact.field import Field, join
from pdobasis.proof import moved_blocks, reduced
from pdobasis.proof.counting import molien
from pdobasis.proof.modular import Place, place
from pdobasis.proof.moved_blocks import blocks_of, times, traces
from pdobasis.proof.reduced import _images, _modulo, reduced_characters, roll
from pdobasis.representations.representation import Representation


def at_a_place(group: str, spec: str) -> tuple[Representation, Field, Place]:
    (rep,) = ask(group, "trivial", spec, 0).out_type.distinct
    field = join(rep.group.field, rep.field)
    return rep, field, place(field, 0, 28)


MOVED = [
    ("C7", "tensor(vector, regular)", 7, 2),
    ("D5", "tensor(vector, regular)", 10, 2),
    ("D12", "tensor(regular, sym(2, vector))", 24, 3),
    ("I", "tensor(vector, quotient(C2))", 30, 3),
    ("I", "tensor(vector, vector, quotient(C2))", 30, 9),
    ("Ih", "tensor(regular, vector)", 120, 3),
]


@pytest.mark.parametrize(("group", "spec", "count", "size"), MOVED)
def test_traces_are_those_of_the_matrices(group: str, spec: str, count: int, size: int) -> None:
    rep, field, at = at_a_place(group, spec)
    read = blocks_of(rep.generators, field, at)
    assert read is not None
    generators, one = read
    assert one.shape == (count, 1 + size * size)
    listed = roll(rep.group, field, at)
    every = listed.images(generators, one, times(_modulo(at.prime)))
    assert every is not None
    if rep.size < 200:
        expected = _images(rep, field, at)
        assert traces(every, at.prime).tolist() == (expected.trace(axis1=1, axis2=2) % at.prime).tolist()
    # the identity comes first
    assert traces(every, at.prime)[0] == rep.size
    assert reduced_characters(rep, field, at).tolist() == traces(every, at.prime).tolist()


@pytest.mark.parametrize(("group", "spec"), [("I", "tensor(vector, vector)"), ("D5", "sym(3, vector)")])
def test_one_block_is_a_matrix(group: str, spec: str) -> None:
    rep, field, at = at_a_place(group, spec)
    assert blocks_of(rep.generators, field, at) is None


def test_blocks_are_of_one_size() -> None:
    rep, field, at = at_a_place("C5", "tensor(vector, regular)")
    # {0, 1} is a block, and so are 2, 3, …, each by itself
    swap = rep.generators[0].numerators * 0
    swap[range(10), range(10), 0] = 1
    swap[0, 1] = swap[1, 0] = swap[0, 0]
    assert blocks_of([exact(swap, 1, rep.field)], field, at) is None


@pytest.mark.parametrize("change", ["number", "block"])
def test_what_does_not_multiply_as_the_group_is_refused(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number of one block, and where one block goes."""
    rep, field, at = at_a_place("D5", "tensor(vector, regular)")
    read = blocks_of(rep.generators, field, at)
    assert read is not None
    generators, one = read
    if change == "number":
        generators[1][3, 1] += 1
    else:
        generators[1][[3, 4], 0] = generators[1][[4, 3], 0]
    monkeypatch.setattr(moved_blocks, "blocks_of", lambda *_: (generators, one))
    with pytest.raises(ProofError, match="does not multiply"):
        reduced._traces(rep, rep.generators, field, at)


def test_a_block_that_goes_nowhere_or_to_two_is_none() -> None:
    shape = (2, 1)
    ones = np.array([1, 1])
    whole = (np.array([1, 0]), np.zeros(2, dtype=int)), (np.array([0, 1]), np.zeros(2, dtype=int))
    found = moved_blocks._moved(*whole, ones, shape)
    assert found is not None
    assert found.tolist() == [[1, 1], [0, 1]]
    lost = tuple((own[:1], place[:1]) for own, place in whole)
    assert moved_blocks._moved(lost[0], lost[1], ones[:1], shape) is None
    split = (np.array([0, 1]), np.zeros(2, dtype=int)), (np.zeros(2, dtype=int), np.zeros(2, dtype=int))
    assert moved_blocks._moved(*split, ones, shape) is None


@pytest.mark.parametrize(("group", "spec"), [("I", "tensor(vector, quotient(C2))"), ("D5", "tensor(vector, regular)")])
def test_counts_are_the_same(group: str, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rep, one = (ask(group, "trivial", own, 0).out_type.distinct[0] for own in (spec, "vector"))
    found = molien(one, rep, 3)
    reduced_characters.cache_clear()
    monkeypatch.setattr(moved_blocks, "blocks_of", lambda *_: None)
    assert molien(one, rep, 3) == found


def test_large_blocks_are_multiplied_in_floats() -> None:
    """60 blocks of 35, whose products int64 does not hold: all elements but 1 take every block to another."""
    rep, field, at = at_a_place("I", "tensor(sym(4, irrep(G)), regular)")
    assert rep.size == 60 * 35
    assert reduced_characters(rep, field, at).tolist() == [rep.size] + 59 * [0]

"""Which road is taken does not change answers, and is not the longer one."""

from __future__ import annotations

from pathlib import Path

import pytest

import pdobasis
from benchmarks.peers.ours_worker import clear_caches
from pdobasis import field_type
from pdobasis.errors import SizeError
from pdobasis.solvers import rotations, together
from pdobasis.solvers.batch import Batch, Task
from pdobasis.solvers.rotations import meeting


@pytest.mark.parametrize(
    ("source", "target"), [("tensor(irrep(0,7), irrep(0,8))", "irrep(1,6)"), ("sym(2, irrep(0,5))", "vector")]
)
def test_tall_tensors_of_rotations_are_taken_apart_over_the_rationals(source: str, target: str) -> None:
    """Products in the field of all roots took 3 s for the first of them."""
    a, b = (field_type(text, "O(3)")[0] for text in (source, target))
    assert meeting(a, b, [1]) is not None


def test_both_roads_of_tall_tensors_find_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = []
    for wide in (rotations.WIDE, 1000):
        monkeypatch.setattr(rotations, "WIDE", wide)
        clear_caches()
        found = pdobasis.solve("SO(3)", "tensor(irrep(9), vector)", "irrep(8)", order=1, method="transfer")
        found.save(str(tmp_path / "found.json"))
        texts.append((tmp_path / "found.json").read_text())
    assert texts[0] == texts[1]


def test_matrices_of_all_elements_are_not_made_for_few_unknowns() -> None:
    """Sixty of size 81 took ten times as long as the 81 unknowns that they were made for."""
    scalar, tensor = (field_type(text, "I")[0] for text in ("trivial", "tensor(vector, vector, vector, vector)"))
    assert not together._is_worth_a_subgroup(Batch([Task(scalar, tensor, 0)]))


@pytest.mark.parametrize(("most", "is_rational"), [(rotations.MOST, False), (0, True)])
def test_many_rational_numbers_stay_over_the_rationals(
    most: int, is_rational: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the field of the roots of all irreps rank 4 to rank 4 of order 4 took 6 GB; fingerprints tell that of few."""
    question = ("O(3)", "tensor(vector, vector, vector)", "tensor(vector, vector)")
    monkeypatch.setattr(rotations, "MOST", most)
    clear_caches()
    found = pdobasis.solve(*question, order=3, method="transfer")
    clear_caches()
    parts = [part for block in found.blocks for part in block.orders if part.size]
    assert all(part.coefficients.field.is_rational for part in parts) is is_rational
    found.save(str(tmp_path / "found.json"))
    direct = pdobasis.solve(*question, order=3, method="direct")
    assert found.dimension == direct.dimension
    monkeypatch.undo()
    pdobasis.solve(*question, order=3, method="transfer").save(str(tmp_path / "again.json"))
    assert (tmp_path / "found.json").read_text() == (tmp_path / "again.json").read_text()


def test_roots_that_differ_are_written_however_many_numbers_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    question = ("SO(3)", "tensor(irrep(2), irrep(3))", "vector")
    expected = pdobasis.solve(*question, order=1, method="transfer")
    monkeypatch.setattr(rotations, "MOST", 0)
    clear_caches()
    found = pdobasis.solve(*question, order=1, method="transfer")
    clear_caches()
    assert [e.strings() for e in found] == [e.strings() for e in expected]


def test_matrices_of_all_elements_are_refused_before_they_are_made() -> None:
    rank4 = "tensor(vector, vector, vector, vector)"
    with pdobasis.budget(memory="100MB"), pytest.raises(SizeError, match=r"matrices of all elements would take 210MB"):
        pdobasis.solve("O(3)", rank4, rank4, order=4)

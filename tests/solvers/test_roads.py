"""Which road is taken does not change answers, and is not the longer one."""

from __future__ import annotations

from pathlib import Path

import pytest

import pdobasis
from benchmarks.peers.ours_worker import clear_caches
from pdobasis import field_type
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

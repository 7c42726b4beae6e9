"""Large matrices without many zeros as products of whole matrices, some elements at a time: the verdict is the same."""

from __future__ import annotations

import numpy as np
import pytest

from pdobasis.proof import dense, equivariant
from pdobasis.proof.dense import agrees, agrees_by_elements
from pdobasis.proof.equivariant import is_equivariant
from tests.proof.test_at_places import changed, largest_batch

QUESTIONS = [
    ("I", "sym(7, vector)", "sym(3, vector)", 1),
    ("I", "tensor(vector, vector, vector, vector)", "vector", 1),
    ("I", "trivial", "tensor(vector, vector, vector, vector)", 0),
    ("622", "sym(9, vector)", "sym(6, vector)", 0),
]


@pytest.mark.parametrize("at_once", [dense.DENSER, 60_000])
@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_verdicts_are_those_of_entries_one_by_one(
    question: tuple[str, str, str, int], at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch, *reps = largest_batch(question)
    wrong = changed(batch, 1)
    monkeypatch.setattr(dense, "FILLED", 1000)
    # large enough for the matrices, and for few elements
    monkeypatch.setattr(dense, "DENSE", 0)
    assert agrees(batch, *reps) is None
    found = agrees_by_elements(batch, *reps), agrees_by_elements(wrong, *reps)
    assert found == (True, False)
    monkeypatch.setattr(dense, "ONE_THREAD", 1)
    assert (agrees_by_elements(batch, *reps), agrees_by_elements(wrong, *reps)) == found
    monkeypatch.setattr(dense, "DENSER", at_once)
    assert agrees_by_elements(batch, *reps) in (True, None)
    assert agrees_by_elements(wrong, *reps) in (False, None)
    monkeypatch.setattr(equivariant, "agrees_by_elements", lambda *_: None)
    assert is_equivariant(batch, *reps)
    assert not is_equivariant(wrong, *reps)


def test_it_is_the_way_that_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    batch, *reps = largest_batch(("I", "sym(8, vector)", "sym(4, vector)", 1))
    assert agrees(batch, *reps) is None
    monkeypatch.setattr(equivariant, "agrees_by_elements", lambda *_: False)
    assert not is_equivariant(batch, *reps)


def test_numbers_that_float64_does_not_hold_are_left_to_integers() -> None:
    batch, *reps = largest_batch(("I", "sym(7, vector)", "sym(3, vector)", 1))
    assert agrees_by_elements(changed(batch, 1 << 52), *reps) is None
    assert not is_equivariant(changed(batch, 1 << 52), *reps)


def test_a_large_table_is_left_to_the_other_roads(monkeypatch: pytest.MonkeyPatch) -> None:
    batch, *reps = largest_batch(("I", "sym(7, vector)", "sym(3, vector)", 1))
    assert agrees_by_elements(batch, *reps) is True
    monkeypatch.setattr(dense, "LARGEST", 10)
    assert agrees_by_elements(batch, *reps) is None


@pytest.mark.parametrize("rows", [0, 1, 5])
def test_rows_are_multiplied_one_after_the_other_or_all_at_once(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some at a time where these are left to one thread; never one by one where each of them is not."""
    table = np.arange(12.0).reshape(3, 4)
    given = np.arange(3.0 * rows).reshape(rows, 3)
    for limit in (0, 11, 12, 30, 1000):
        monkeypatch.setattr(dense, "ONE_THREAD", limit)
        assert np.array_equal(dense._times(given, table), given @ table)

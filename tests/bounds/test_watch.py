"""A budget is watched while work is done, and one inside another never has more."""

from __future__ import annotations

import threading
import time
from itertools import count

import pytest

import pdobasis
from pdobasis.bounds.amounts import bytes_text, read_bytes
from pdobasis.bounds.memory import resident
from pdobasis.bounds.watch import DEFAULT, check, limits, require_room, step
from pdobasis.errors import BudgetError, SizeError, SpecError


def work(stage: str = "counting") -> None:
    for k in count():
        step(stage, k, 10**9)
        time.sleep(0.001)


def test_time_that_is_used_up_ends_the_work_and_says_where() -> None:
    start = time.monotonic()
    with pytest.raises(BudgetError, match=r"stopped after 0.1 s.*counting: \d+ of 1,000,000,000.*pdobasis.budget\(seconds="), \
            pdobasis.budget(seconds=0.1):  # fmt: skip
        work()
    assert time.monotonic() - start < 5


def fill(held: list[bytes]) -> None:
    for k in range(100):
        step("filling", k, 100)
        held.append(b"x" * 10_000_000)
        time.sleep(0.06)


def test_memory_that_is_used_up_ends_the_work() -> None:
    held: list[bytes] = []
    with pytest.raises(BudgetError, match=r"where 50MB are allowed, while filling.*memory='150MB'"), \
            pdobasis.budget(memory="50MB"):  # fmt: skip
        fill(held)
    assert len(held) < 20


def test_what_was_there_before_is_not_counted() -> None:
    assert resident() > 20_000_000
    with pdobasis.budget(memory="20MB"):
        check()


def test_one_inside_another_never_has_more() -> None:
    with pdobasis.budget(seconds=7, memory="1GB"):
        with pdobasis.budget(seconds=100, memory="8GB"):
            assert limits().seconds == 7
            assert limits().memory <= 10**9
        with pdobasis.budget(seconds=3):
            assert limits().seconds == 3
        assert limits().seconds == 7
    assert limits() == DEFAULT


def test_a_budget_belongs_to_its_thread() -> None:
    seen = []
    with pdobasis.budget(seconds=7):
        thread = threading.Thread(target=lambda: seen.append(limits()))
        thread.start()
        thread.join()
    assert seen == [DEFAULT]


def test_without_a_budget_nothing_is_watched() -> None:
    step("anything", 1, 2)
    check()


def test_an_allocation_is_refused_before_it_is_made() -> None:
    with pytest.raises(SizeError, match=r"a table would take 3.0GB, beyond the 2.0GB.*pdobasis.budget\(memory="):
        require_room(3e9, "a table")
    with pdobasis.budget(memory="4GB"):
        require_room(3e9, "a table")


def test_solve_takes_limits_of_its_own() -> None:
    with pytest.raises(SizeError, match=r"budget\(memory="):
        pdobasis.solve("D4", "vector", "vector", max_memory=1000)
    with pytest.raises(SizeError, match=r"budget\(seconds="):
        pdobasis.solve("D4", "vector", "vector", max_seconds=1e-9)
    assert pdobasis.solve("D4", "vector", "vector", max_seconds=50, max_memory="1GB").certificate.holds


@pytest.mark.parametrize("wrong", ["", "12 apples", "-3GB", 0, -5, "1e400", float("inf")])
def test_amounts_that_are_none(wrong: str | float) -> None:
    with pytest.raises(SpecError, match="memory"):
        read_bytes(wrong)


@pytest.mark.parametrize("size", [5e6, 123e6, 2e9, 45.6e9])
def test_an_amount_is_read_back_to_two_digits(size: float) -> None:
    assert read_bytes(bytes_text(size)) == pytest.approx(size, rel=0.06)

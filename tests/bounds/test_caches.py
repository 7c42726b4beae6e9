"""A server that asks ever new questions stays below a documented size."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pdobasis.bounds import caches
from pdobasis.bounds.sizes import size_of

ROOT = Path(__file__).parents[2]
SERVER = """
import sys
import pdobasis
from pdobasis.bounds import caches

limit, questions = map(int, sys.argv[1:])
caches.trim.__defaults__ = (limit,)

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

def ask(k):
    pdobasis.solve(f"flip(normal={k},1,2)", "vector", "trivial", order=1)

for k in range(1, 20):
    ask(k)
before = resident()
most = 0
for k in range(20, 20 + questions):
    ask(k)
    most = max(most, caches.held())
print(resident() - before, most)
"""


def served(limit: int, questions: int) -> tuple[int, int]:
    """(growth of the process, the most that the caches held), in bytes."""
    command = [sys.executable, "-c", SERVER, str(limit), str(questions)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    growth, most = map(int, result.stdout.split())
    return growth, most


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc for the memory of a process")
def test_new_questions_do_not_make_a_server_grow() -> None:
    growth, most = served(limit=2_000_000, questions=150)
    # without the bound: 9 MB
    assert most < 4_000_000
    assert growth < 8_000_000


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc for the memory of a process")
def test_two_thousand_questions_stay_below_the_documented_size() -> None:
    growth, most = served(limit=10_000_000, questions=2_000)
    assert most < 15_000_000
    # without the bound: 40 MB
    assert growth < 20_000_000


def test_every_cache_of_the_package_is_bounded() -> None:
    """But those that die with their object, and the plain checker, which imports nothing of ours."""
    found = []
    for root in ("pdobasis", "cli", "tables"):
        for path in (ROOT / root).rglob("*.py"):
            text = path.read_text()
            if re.search(r"^@(functools\.)?(lru_)?cache\b|= (lru_)?cache\(", text, re.M):
                found.append(path.name)
    assert set(found) <= {"caches.py", "check_pdobasis.py", "json_file.py"}


def test_a_value_is_computed_once_and_again_after_the_caches_were_emptied() -> None:
    calls = []

    @caches.remembered
    def squares(n: int) -> list[int]:
        calls.append(n)
        return [k * k for k in range(n)]

    before = caches.held()
    assert squares(1000) is squares(1000)
    assert calls == [1000]
    # a thousand numbers of 8 bytes in the list, and their own bytes
    assert 30_000 < caches.held() - before < 60_000
    caches.trim(caches.held())
    squares(1000)
    assert calls == [1000]
    caches.trim(0)
    assert caches.held() == 0
    squares(1000)
    assert calls == [1000, 1000]


@pytest.mark.parametrize(
    ("value", "least", "most"),
    [
        (np.zeros(1000), 8000, 8200),
        (np.zeros(1000, dtype=object), 30_000, 50_000),
        ({"a": np.zeros(1000), "b": "x" * 500}, 8500, 9500),
        (tuple(float(k) for k in range(10_000)), 300_000, 340_000),
    ],
)
def test_sizes_are_those_of_what_is_held(value: object, least: int, most: int) -> None:
    assert least <= size_of(value) <= most

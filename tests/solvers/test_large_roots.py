"""Primes below 2^26 that split in Q(sqrt(1000003)) are 1 modulo 8000024, and there are none: others are taken."""

from __future__ import annotations

from pathlib import Path

import pytest

import pdobasis
from pdobasis.errors import ExactnessError
from pdobasis.exact.field import radical
from pdobasis.exact.primes import split_prime
from pdobasis.linear.lanes import lanes
from pdobasis.proof.modular import place

ROOTS = [1_000_003, 1_000_000_007]


@pytest.mark.parametrize("root", ROOTS)
def test_a_quarter_turn_in_a_basis_with_a_large_root(root: int, tmp_path: Path) -> None:
    path = tmp_path / "turn.yaml"
    path.write_text(f"generators:\n  r: [[0, -sqrt({root})], [sqrt({root})/{root}, 0]]\n")
    for target in ("vector", "tensor(vector, vector)"):
        found = pdobasis.solve(str(path), "vector", target, order=2, max_seconds=20)
        assert found.dimension == pdobasis.solve("C4", "vector", target, order=2).dimension


def test_that_there_is_no_prime_is_said() -> None:
    field = radical(ROOTS[1])
    with pytest.raises(ExactnessError, match="too few primes"):
        split_prime(field, 0, 1 << 26)
    with pytest.raises(ExactnessError, match="28 bits"):
        place(field, 0, 28)
    assert lanes(field) is None

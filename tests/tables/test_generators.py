"""The table of all orders for C_N and D_N: proved for symbols, compared with the engine, and refused when wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pdobasis_tables import generators as module
from pdobasis_tables.families import FAMILIES, Family
from pdobasis_tables.generators import compare_generators, prove_generators

import pdobasis
from pdobasis.errors import ProofError

FREE = [family for family in FAMILIES if family.free]


@pytest.mark.parametrize("family", FREE, ids=lambda f: f.key)
def test_proved_and_compared(family: Family) -> None:
    prove_generators(family)
    assert compare_generators(family, 8) > 70


@pytest.mark.parametrize("family", FREE, ids=lambda f: f.key)
def test_a_wrong_neighbour_is_refused(family: Family, monkeypatch: pytest.MonkeyPatch) -> None:
    right = module.generators

    def wrong(*arguments: object) -> tuple[module.Generator, ...]:
        first, *others = right(*arguments)  # type: ignore[arg-type]
        return (replace(first, c=first.c + 1), *others)

    monkeypatch.setattr(module, "generators", wrong)
    with pytest.raises(ProofError):
        compare_generators(family, 5)


def test_a_missing_generator_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    right = module.generators
    monkeypatch.setattr(module, "generators", lambda *a: right(*a)[1:])
    with pytest.raises(ProofError):
        prove_generators(FREE[0])


def test_orders_as_the_engine_finds_them() -> None:
    """D12, irrep 5 to irrep 2: 3, 9 and 7, 5."""
    out, source = FREE[1].kinds[-1], FREE[1].kinds[-1]
    found = module.generators(FREE[1], out, source)
    orders = sorted(abs(g.value((2, 5, 12))) for g in found)
    answer = pdobasis.all_orders("D12", "irrep(1,5)", "irrep(1,2)")
    assert orders == sorted(g.order for g in answer.generators) == [3, 5, 7, 9]

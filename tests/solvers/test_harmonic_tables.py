"""The harmonic part of every monomial, and how much work it is."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import numpy as np
import pytest

from pdobasis.exact.array import identity
from pdobasis.exact.polynomials import count
from pdobasis.operators import few
from pdobasis.operators.few import Table
from pdobasis.operators.laplacian import project
from pdobasis.operators.symbols import Symbols


@pytest.mark.parametrize(("dim", "order"), [(1, 4), (2, 7), (3, 0), (3, 1), (3, 9), (4, 5), (5, 4)])
def test_the_table_holds_the_projections_of_all_monomials(dim: int, order: int) -> None:
    monomials = count(dim, order)
    every, zero = np.arange(monomials), np.zeros(monomials, dtype=np.int64)
    whole = project(Symbols(dim, order, monomials, (1, 1), every, zero, zero, identity(monomials)))
    steps = [2 * j * (dim + 2 * order - 2 * j - 2) for j in range(1, order // 2 + 1)]
    for alpha, line in enumerate(few._harmonic(dim, order)):
        found = {beta: Fraction(v, prod(steps)) for beta, v in line}
        row = whole.numerators[alpha, :, 0].tolist()
        assert found == {beta: Fraction(v, whole.denominator) for beta, v in enumerate(row) if v}


def test_a_monomial_is_lowered_and_raised_once_for_each_power_and_its_permutations_not_at_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[int] = []
    linear = few._linear

    def counting(polynomial: dict[int, int], table: Table) -> dict[int, int]:
        calls.append(len(polynomial))
        return linear(polynomial, table)

    monkeypatch.setattr(few, "_linear", counting)
    few._harmonic.cache_clear()
    few._harmonic(3, 12)
    partitions = 19  # of 12 into three parts at most
    assert len(calls) <= partitions * 2 * (12 // 2 + 1)

"""Where the constant of a planar symbol is a power of i, plain numbers are those of the arrays."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pdobasis.exact.array import integers
from pdobasis.solvers.planar import _matrices, _quarter


@pytest.mark.parametrize("k", [-3, -1, 0, 1, 2, 5])
@pytest.mark.parametrize("quarters", range(-5, 6))
def test_powers_of_i(k: int, quarters: int) -> None:
    phase = Fraction(quarters, 2)
    for bar in (1, -1):
        for is_mirrored in (True, False):
            plain = integers(_quarter(k, bar, phase, is_mirrored))
            assert plain.equals(_matrices(k, bar, phase, is_mirrored))

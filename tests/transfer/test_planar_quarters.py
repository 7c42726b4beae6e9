"""Where the constant of a planar symbol is an eighth root of 1, plain numbers are those of the arrays."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pdobasis.exact.array import integers
from pdobasis.exact.roots import cosine
from pdobasis.solvers.planar import _matrices, _quarter


@pytest.mark.parametrize("k", [-3, -1, 0, 1, 2, 5])
@pytest.mark.parametrize("eighths", range(-10, 11))
def test_eighth_roots_of_1(k: int, eighths: int) -> None:
    for bar in (1, -1):
        for is_mirrored in (True, False):
            plain = integers(_quarter(k, bar, eighths, is_mirrored))
            if eighths % 2:
                # without the factor of 1 + i that makes it a root of 1
                plain = plain * cosine(Fraction(1, 4))
            assert plain.equals(_matrices(k, bar, Fraction(eighths, 4), is_mirrored))

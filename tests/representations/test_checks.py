"""Whether matrices are a representation is decided over K: a number that vanishes modulo a known prime is not zero."""

from __future__ import annotations

import numpy as np
import pytest

from pdobasis.errors import RepresentationError
from pdobasis.exact.array import ExactArray, integers
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.primes import split_prime
from pdobasis.groups.group import Group
from pdobasis.representations.checks import require_representation

PRIMES = [split_prime(RATIONALS, k).prime for k in range(2)]


def unit(i: int, j: int, factor: int = 1) -> ExactArray:
    m = np.zeros((2, 2), dtype=object)
    m[i, j] = factor
    return integers(m)


def scalings(factor: int = 1) -> Group:
    """Scalings of both axes: a commutative Lie algebra."""
    return Group("scalings", 2, (), (), (unit(0, 0, factor), unit(1, 1)))


@pytest.mark.parametrize("p", [1, *PRIMES, PRIMES[0] * PRIMES[1]])
def test_a_bracket_that_is_a_multiple_of_a_prime_is_not_zero(p: int) -> None:
    """[p E11, E12] = p E12, where the group has [X, Y] = 0."""
    assert PRIMES[0] == 2305843009213693921
    with pytest.raises(RepresentationError, match="brackets"):
        require_representation(scalings(), "own", (), (unit(0, 0, p), unit(0, 1)))


@pytest.mark.parametrize("p", [1, *PRIMES])
def test_a_lie_generator_that_is_a_multiple_of_a_prime_is_not_nothing(p: int) -> None:
    """The group with p E11 in the place of E11 has the representation that it is."""
    group = scalings(p)
    require_representation(group, "own", (), group.lie)

r"""Does a discrete group have infinitely many elements? Seen in an element of infinite order.

A matrix of finite order m is diagonalisable with m-th roots of unity. Over a number field of degree n an eigenvalue of
exact order q has $\varphi(q) \le nd$, so q is small and floats find it: the only m that is possible is the least common
multiple of these orders, and whether $g^m = 1$ is decided exactly.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import product
from math import lcm, pi
from operator import matmul

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, identity
from pdobasis.exact.numbers import to_float
from pdobasis.groups.eigenvalues import eigenvalues
from pdobasis.groups.group import Group
from pdobasis.groups.matrices import power

CLOSE = 1e-6
ROUNDED = 1e-4
"""Somebody who rounds cos(pi/6) gives at least four digits."""
ALMOST = 1e-2
MAX_ROUNDED = 60
MAX_WORDS = 600
MAX_DENOMINATOR = 5_000
"""Beyond the order of every root of unity of degree up to 500."""
MAX_GENERATORS = 8


@remembered
def is_infinite(group: Group) -> bool:
    """Whether a short product of generators has infinite order; False says nothing.

    >>> from pdobasis.exact.array import integers
    >>> is_infinite(Group("doubling", 1, (integers([[2]]),), ("s",)))
    True
    """
    some = group.generators[:MAX_GENERATORS]
    for length in (1, 2, 3):
        # Three reflections may generate translations although any two do not.
        if len(some) ** length > MAX_WORDS:
            return False
        for word in product(some, repeat=length):
            if not has_finite_order(reduce(matmul, word)):
                return True
    return False


def has_finite_order(g: ExactArray) -> bool:
    """False only where it is sure: a matrix whose floats overflow may be of any order."""
    try:
        values = eigenvalues(g)
    except OverflowError:
        return True
    # The eigenvalues of a matrix of finite order are roots of unity.
    if np.abs(np.abs(values) - 1).max(initial=0.0) > CLOSE:
        return False
    orders = [_turns(v, MAX_DENOMINATOR).denominator for v in values]
    return power(g, lcm(*orders)).equals(identity(g.shape[0]))


def almost_finite_order(g: ExactArray) -> int | None:
    """The order that a matrix has up to rounding, where it does not have it exactly."""
    try:
        values = eigenvalues(g)
    except OverflowError:
        return None
    turns = [_turns(v, MAX_ROUNDED) for v in values]
    far = [
        abs(v - np.exp(2j * pi * float(q))) for v, q in zip(values, turns, strict=True)
    ]
    order = lcm(*(q.denominator for q in turns))
    if max(far) > ROUNDED or power(g, order).equals(identity(g.shape[0])):
        return None
    return (
        order
        if np.abs(to_float(power(g, order)) - np.eye(g.shape[0])).max() < ALMOST
        else None
    )


def _turns(value: complex, most: int) -> Fraction:
    return Fraction(float(np.angle(value)) / (2 * pi)).limit_denominator(most)

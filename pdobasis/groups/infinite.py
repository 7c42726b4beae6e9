r"""Does a discrete group have infinitely many elements? Seen in an element of infinite order.

A matrix of finite order m is diagonalisable with m-th roots of unity. Over a number field of degree n an eigenvalue of
exact order q has $\varphi(q) \le nd$, so q is small and floats find it: the only m that is possible is the least common
multiple of these orders, and whether $g^m = 1$ is decided exactly.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import lcm, pi

import numpy as np

from pdobasis.exact.array import ExactArray, identity
from pdobasis.exact.numbers import to_float
from pdobasis.groups.group import Group
from pdobasis.groups.matrices import power

CLOSE = 1e-6
MAX_DENOMINATOR = 5_000
"""Beyond the order of every root of unity of degree up to 500."""
MAX_GENERATORS = 8


@cache
def is_infinite(group: Group) -> bool:
    """Whether a generator, or a product of two, has infinite order; False says nothing.

    >>> from pdobasis.exact.array import integers
    >>> is_infinite(Group("doubling", 1, (integers([[2]]),), ("s",)))
    True
    """
    some = group.generators[:MAX_GENERATORS]
    return any(not has_finite_order(g) for g in some) or any(
        not has_finite_order(a @ b) for a, b in product(some, some)
    )


def has_finite_order(g: ExactArray) -> bool:
    try:
        values = np.linalg.eigvals(to_float(g))
    except OverflowError:
        return False  # entries beyond every bound that a finite group of matrices this size keeps
    if np.abs(np.abs(values) - 1).max(initial=0.0) > CLOSE:
        return False
    orders = [
        Fraction(float(np.angle(v)) / (2 * pi))
        .limit_denominator(MAX_DENOMINATOR)
        .denominator
        for v in values
    ]
    return power(g, lcm(*orders)).equals(identity(g.shape[0]))

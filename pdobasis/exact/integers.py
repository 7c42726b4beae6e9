"""Integer arrays that cannot overflow: every result is bounded before it is computed."""

from __future__ import annotations

import numpy as np

from pdobasis.exact.types import IntArray

FLOAT_LIMIT = 1 << 53
INT_LIMIT = 1 << 63
SMALL = 200
"""Numbers below which the way to float64 and back costs more than BLAS saves."""


def bound(values: IntArray) -> int:
    """max |values| as a Python integer (numpy's abs would wrap at -2**63)."""
    if values.size == 0:
        return 0
    return max(int(np.maximum.reduce(values, axis=None)), -int(np.minimum.reduce(values, axis=None)))


def widen(*arrays: IntArray, limit: int) -> tuple[IntArray, ...]:
    """As they are when int64 certainly holds results up to ``limit``; else as Python integers."""
    if limit < INT_LIMIT and all(a.dtype != object for a in arrays):
        return arrays
    return tuple(a.astype(object) for a in arrays)


def product(a: IntArray, b: IntArray) -> IntArray:
    """a @ b over the integers, by the cheapest arithmetic that is certainly exact."""
    limit = bound(a) * bound(b) * b.shape[-2]
    if a.size + b.size > SMALL and limit < FLOAT_LIMIT and a.dtype != object and b.dtype != object:
        return np.asarray((a.astype(np.float64) @ b.astype(np.float64)).astype(np.int64))
    x, y = widen(a, b, limit=limit)
    return np.asarray(x @ y)

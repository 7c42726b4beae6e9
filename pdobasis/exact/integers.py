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
    height, width = bound(a), bound(b)
    limit = height * width * b.shape[-2]
    plain = a.dtype != object and b.dtype != object
    if a.size + b.size > SMALL:
        if limit < FLOAT_LIMIT and plain:
            return np.asarray((a.astype(np.float64) @ b.astype(np.float64)).astype(np.int64))
        if min(height, width) > 0 and b.shape[-2] > 1:
            return _by_halves(a, b, height, width, limit)
    x, y = widen(a, b, limit=limit)
    return np.asarray(x @ y)


def _by_halves(a: IntArray, b: IntArray, height: int, width: int, limit: int) -> IntArray:
    r"""$(2^s a_1 + a_0)\,b$, the larger factor cut in the middle of its bits, until BLAS holds the products.

    Sums in int64 may wrap on the way; the result, which is below $2^{63}$, is right modulo $2^{64}$.
    """
    larger, bits = (a, height.bit_length()) if height >= width else (b, width.bit_length())
    shift = (bits + 1) // 2
    high, low = _narrow(larger >> shift), _narrow(larger & ((1 << shift) - 1))
    if height >= width:
        first, second = product(high, b), product(low, b)
    else:
        first, second = product(a, high), product(a, low)
    if limit >= INT_LIMIT:
        return np.asarray(first.astype(object) * (1 << shift) + second.astype(object))
    return np.asarray((first << shift) + second)


def _narrow(values: IntArray) -> IntArray:
    return values.astype(np.int64) if values.dtype == object and bound(values) < INT_LIMIT else values

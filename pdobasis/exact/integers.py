"""Integer arrays that cannot overflow: results are bounded before they are
computed.
"""

from __future__ import annotations

import numpy as np

from pdobasis.exact.types import IntArray

FLOAT_LIMIT = 1 << 53
INT_LIMIT = 1 << 63
ONE_THREAD = 1 << 18
"""Multiplications up to which OpenBLAS does not wake other threads, which then wait for each other, spinning."""
ROWS = 64
"""So many rows at least are worth a product of their own."""
FEW = 24
"""Numbers of which Python finds the largest before NumPy has begun."""
SMALL = 200
"""Numbers below which the way to float64 and back costs more than BLAS saves.
"""


def bound(values: IntArray) -> int:
    """max |values| as a Python integer (numpy's abs would wrap at -2**63)."""
    size = values.size
    if size == 0:
        return 0
    if size <= FEW:
        few = values.ravel().tolist()
        return int(max(max(few), -min(few)))
    largest = int(np.maximum.reduce(values, axis=None))
    smallest = int(np.minimum.reduce(values, axis=None))
    return max(largest, -smallest)


def widen(*arrays: IntArray, limit: int) -> tuple[IntArray, ...]:
    """As they are when int64 certainly holds results up to ``limit``.

    Otherwise as Python integers.
    """
    if limit < INT_LIMIT and all(a.dtype != object for a in arrays):
        return arrays
    return tuple(a.astype(object) for a in arrays)


def product(a: IntArray, b: IntArray, most: int | None = None) -> IntArray:
    """a @ b over the integers, by the cheapest arithmetic that is exact; ``most`` bounds |a| where that is known."""
    height, width = bound(a) if most is None else most, bound(b)
    inner = b.shape[-2]
    limit = height * width * inner
    if a.size + b.size > SMALL:
        is_plain = a.dtype != object and b.dtype != object
        if limit < FLOAT_LIMIT and is_plain:
            return _in_blas(a, b)
        if min(height, width) > 0 and inner > 1:
            return _by_halves(a, b, height, width, limit)
    x, y = widen(a, b, limit=limit)
    return np.asarray(x @ y)


def _in_blas(a: IntArray, b: IntArray) -> IntArray:
    """a @ b in float64: BLAS adds in any order, but all partial sums are integers below 2^53, which it holds exactly.

    Many rows times a small matrix go through the processor's caches some at a time: to read, convert and write them is
    most of the work, and no second thread is called for that.
    """
    right = b.astype(np.float64)
    if b.ndim > 2 or a.ndim < 2:
        return np.asarray((a.astype(np.float64) @ right).astype(np.int64))
    # rows of all matrices in one product, and not in one for each matrix
    rows = a.reshape(-1, b.shape[0])
    step = ONE_THREAD // max(1, b.size)
    if step < ROWS or len(rows) <= step:
        out = (rows.astype(np.float64) @ right).astype(np.int64)
    else:
        out = np.empty((len(rows), b.shape[1]), dtype=np.int64)
        for first in range(0, len(rows), step):
            some = slice(first, first + step)
            out[some] = rows[some].astype(np.float64) @ right
    return out.reshape(*a.shape[:-1], b.shape[1])


def _by_halves(
    a: IntArray, b: IntArray, height: int, width: int, limit: int
) -> IntArray:
    r"""$(2^s a_1 + a_0)\,b$, the larger factor cut in the middle of its bits.

    So it goes on until BLAS holds the products. Sums in int64 may wrap on the
    way; the result, which is below $2^{63}$, is right modulo $2^{64}$.
    """
    if height >= width:
        shift = (height.bit_length() + 1) // 2
        high, low = _halves(a, shift)
        first, second = product(high, b), product(low, b)
    else:
        shift = (width.bit_length() + 1) // 2
        high, low = _halves(b, shift)
        first, second = product(a, high), product(a, low)
    if limit >= INT_LIMIT:
        wide = first.astype(object) * (1 << shift)
        return np.asarray(wide + second.astype(object))
    return np.asarray((first << shift) + second)


def _halves(values: IntArray, shift: int) -> tuple[IntArray, IntArray]:
    """values = 2^shift high + low; the shift rounds down, so low >= 0."""
    low = values & ((1 << shift) - 1)
    return narrow(values >> shift), narrow(low)


def narrow(values: IntArray) -> IntArray:
    """Python integers as int64 where they fit."""
    if values.dtype == object and bound(values) < INT_LIMIT:
        return values.astype(np.int64)
    return values

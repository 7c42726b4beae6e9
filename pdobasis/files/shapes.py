"""Shapes that files declare: judged before NumPy is asked for an array of them."""

from __future__ import annotations

from math import prod
from typing import Any

from pdobasis.files.limits import MAX_AXES, MAX_BYTES


def is_shape(shape: Any) -> bool:
    """Whole numbers, not too many and not too large; axes of an array without entries count as well.

    >>> is_shape([6, 1, 16, 5, 5]), is_shape([0, 2**40, 2**40]), is_shape([2, -1]), is_shape([True])
    (True, False, False, False)
    """
    if not isinstance(shape, (list, tuple)) or len(shape) > MAX_AXES:
        return False
    if not all(type(n) is int and 0 <= n <= MAX_BYTES for n in shape):
        return False
    return bool(prod(max(n, 1) for n in shape) <= MAX_BYTES)

"""Arrays as callers give them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.errors import SpecError, WrongTypeError


def numbers_of(value: ArrayLike, name: str) -> NDArray[np.float64]:
    """An array of real numbers; what is none is refused in one line.

    >>> numbers_of([[1, 2]], "points").tolist()
    [[1.0, 2.0]]
    >>> numbers_of("ab", "points")
    Traceback (most recent call last):
    pdobasis.errors.WrongTypeError: points is an array of real numbers, got 'ab'
    """
    try:
        found = np.asarray(value)
        if found.dtype.kind != "c":
            return np.asarray(found, dtype=np.float64)
    except (TypeError, ValueError):
        pass
    raise WrongTypeError(name, "an array of real numbers", value)


def whole_number(value: Any, name: str) -> int:
    """A whole number, NumPy's too.

    >>> whole_number(12, "neighbours")
    12
    >>> whole_number(12.5, "neighbours")
    Traceback (most recent call last):
    pdobasis.errors.WrongTypeError: neighbours is a whole number, got 12.5
    """
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return int(value)
    raise WrongTypeError(name, "a whole number", value)


def sizes_of(value: Any, dim: int, name: str, what: str) -> tuple[int, ...]:
    """Whole numbers, one for each of ``dim`` axes.

    >>> sizes_of((4, 5), 2, "shape=", "those of the array")
    (4, 5)
    """
    listed = value
    if not isinstance(value, (list, tuple, np.ndarray)):
        listed = [value] if dim == 1 else []
    whole = [n for n in listed if isinstance(n, (int, np.integer)) and n >= 1]
    if len(whole) != dim or len(listed) != dim:
        raise SpecError(
            f"{name} needs {dim} positive whole numbers, {what}, got {value!r:.60}"
        )
    return tuple(int(n) for n in whole)

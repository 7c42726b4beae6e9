"""Arrays that users give: numbers with a known number of axes, or a refusal."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import WrongTypeError


def numbers(value: object, name: str, axes: int) -> NDArray[Any]:
    """An array of numbers with at least so many axes.

    >>> numbers([[1, 2]], "points", 2).shape
    (1, 2)
    """
    try:
        found = np.asarray(value)
    except ValueError:
        found = np.zeros((), dtype=object)
    if found.ndim < axes or found.dtype.kind not in "biuf":
        raise WrongTypeError(
            name, f"an array of numbers with at least {axes} axes", value
        )
    return found

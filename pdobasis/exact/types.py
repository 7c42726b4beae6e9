"""Names for the array types of the exact layer."""

from __future__ import annotations

from typing import Any

import numpy as np

# what numpy.typing calls NDArray, which is a module more to load
IntArray = np.ndarray[tuple[Any, ...], np.dtype[Any]]
"""int64, or object (Python integers) where int64 is not certain to hold the
values.
"""

IndexArray = np.ndarray[tuple[Any, ...], np.dtype[np.int64]]
"""Positions."""

FloatArray = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]

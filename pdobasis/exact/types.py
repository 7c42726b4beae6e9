"""Names for the array types of the exact layer."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[Any]
"""int64, or object (Python integers) where int64 is not certain to hold the
values.
"""

IndexArray = NDArray[np.int64]
"""Positions."""

"""Matrices that somebody wrote as rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdobasis.errors import SpecError
from pdobasis.exact.array import ExactArray, matrix


def as_matrix(g: Any) -> ExactArray:
    """An exact matrix, or rows of whole numbers, fractions and texts.

    >>> as_matrix([["1/2", 0], [0, 2]]).denominator
    2
    """
    if isinstance(g, ExactArray):
        return g
    # loaded for rows that somebody wrote: the catalogue has none
    from pdobasis.exact.text import parse_number

    rows = g
    if isinstance(g, np.ndarray):
        rows = g.tolist()
    is_list = isinstance(rows, (list, tuple)) and len(rows) > 0
    if not is_list or not all(isinstance(row, (list, tuple)) for row in rows):
        raise SpecError(f"expected a matrix such as [[0, -1], [1, 0]], got {g!r:.60}")
    if len({len(row) for row in rows}) != 1:
        raise SpecError(f"the rows of a matrix have one length, got {g!r:.60}")
    # by their texts: a float is taken as the decimal fraction that it prints
    return matrix([[parse_number(str(v)) for v in row] for row in rows])

"""Is a matrix an element of a group? Decided exactly, where the group says what its elements are."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdobasis.errors import GroupError, SpecError
from pdobasis.exact.array import ExactArray, matrix
from pdobasis.exact.text import parse_number
from pdobasis.groups.closure import closure
from pdobasis.groups.families import family_of
from pdobasis.groups.group import Group


def contains(group: Group, g: Any) -> bool:
    """Finite groups by their elements; groups of the catalogue by what they preserve."""
    m = as_matrix(g)
    if m.shape != (group.dim, group.dim):
        return False
    if group.is_finite:
        return closure(group).find(m) is not None
    family = family_of(group)
    if family is None or family.contains is None:
        raise GroupError(f"whether a matrix lies in {group.name} is not decided: only its generators are known")
    return family.contains(group, m)


def as_matrix(g: Any) -> ExactArray:
    """An exact matrix, or rows of whole numbers, fractions and texts."""
    if isinstance(g, ExactArray):
        return g
    rows = g.tolist() if isinstance(g, np.ndarray) else g
    if not isinstance(rows, (list, tuple)) or not all(isinstance(row, (list, tuple)) for row in rows):
        raise SpecError(f"an element of a group is a matrix such as [[0, -1], [1, 0]], got {g!r:.60}")
    return matrix([[parse_number(str(v)) for v in row] for row in rows])

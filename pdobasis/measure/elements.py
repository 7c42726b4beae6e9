"""The elements of a group that do not map a grid to itself, one of each class.

If k maps the grid to itself, stencils commute with it, so g and g k miss equivariance by the same amount: one of each
class g K is enough, where K are the elements that keep the grid.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pdobasis.exact.array import ExactArray
from pdobasis.exact.numbers import to_float
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group
from pdobasis.measure.grid_symmetry import rotation_planes
from pdobasis.stencils import Grid
from pdobasis.stencils.sampled import signed_permutation
from pdobasis.stencils.symmetry import keeps_grid


def off_grid_elements(group: Group, grid: Grid) -> list[ExactArray]:
    """One element of each class that leaves the grid; none where a group of matrices keeps no length.

    All elements of a finite group count. A continuous one is represented by its finite part times the rotations by
    multiples of 22.5° in the first coordinate plane that it rotates: in the plane that is the trapezoidal rule for the
    mean over all angles.
    """
    if not group.is_orthogonal:
        return []
    elements = _representatives(group)
    keeping = [g for g in elements if _keeps(g, grid)]
    found: list[ExactArray] = []
    seen: set[bytes] = set()
    for g in elements:
        if not _keeps(g, grid) and _key(to_float(g)) not in seen:
            found.append(g)
            seen.update(_key(to_float(g) @ to_float(k)) for k in keeping)
    return found


def label(g: ExactArray) -> str:
    """A rotation by its angle, a reflection by its axis, in space by the angle."""
    m = to_float(g)
    proper = np.linalg.det(m) > 0
    if len(m) == 2:
        angle = np.degrees(np.arctan2(m[1, 0], m[0, 0])) % 360
        if proper:
            return f"rotation by {angle:g}°"
        return f"reflection at {angle / 2:g}°"
    kind = "rotation"
    if not proper:  # -1 times a rotation
        m, kind = -m, "rotoinversion"
    angle = np.degrees(np.arccos(np.clip((np.trace(m) - 1) / 2, -1, 1)))
    return f"{kind} by {angle:.4g}°"


def _representatives(group: Group) -> list[ExactArray]:
    if group.is_finite:
        return list(group.elements)
    planes = rotation_planes(group)
    if not planes or not group.discrete.is_finite:
        return []
    turns = _turns(group.dim, planes[0])
    # Every component holds an element of the finite part.
    return [h @ g for h in group.discrete.elements for g in turns]


def _turns(dim: int, plane: tuple[int, int]) -> list[ExactArray]:
    """The multiples of 22.5°."""
    from pdobasis.groups.catalogue import parse_group

    table = closure(parse_group("C16")).matrices
    return [_embedded(table[k], dim, plane) for k in range(len(table))]


def _embedded(g: ExactArray, dim: int, plane: tuple[int, int]) -> ExactArray:
    """A matrix of the plane in these two coordinates of a larger space."""
    numerators = np.zeros((dim, dim, g.field.degree), dtype=g.numerators.dtype)
    # The identity, over the denominator that g has.
    numerators[range(dim), range(dim), 0] = g.denominator
    numerators[np.ix_(plane, plane)] = g.numerators
    return ExactArray(numerators, g.denominator, g.field)


def _keeps(g: ExactArray, grid: Grid) -> bool:
    if grid.lattice is not None:
        return grid.lattice.whole(g) is not None
    matrix = signed_permutation(g)
    return matrix is not None and keeps_grid(matrix, grid)


def _key(m: NDArray[np.float64]) -> bytes:
    # -0.0 has other bytes than 0.0, and becomes it by adding 0.0.
    return (np.round(m, 6) + 0.0).tobytes()

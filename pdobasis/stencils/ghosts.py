"""Points outside of a cloud, behind its boundary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.errors import SpecError
from pdobasis.stencils.cloud import nearest
from pdobasis.stencils.errors import ShapeError

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Ghosts:
    """``points`` (layers × boundary, d): x + l h n for l = 1, 2, …, with the distance h of the point nearest to x."""

    points: Array
    boundary: NDArray[np.int64]
    normals: Array


def ghosts_of(
    points: Array, boundary: ArrayLike | None, normals: ArrayLike | None, layers: int
) -> Ghosts | None:
    """Layers of ghosts behind the points with these numbers, along outward normals (made to unit length)."""
    if boundary is None and normals is None:
        return None
    if boundary is None or normals is None:
        raise SpecError(
            "ghosts need both boundary= (the numbers of points) and normals= (outwards)"
        )
    numbers = _numbers(boundary, len(points))
    directions = np.asarray(normals, dtype=np.float64)
    if directions.shape != (len(numbers), points.shape[1]):
        raise ShapeError(
            f"normals= needs one vector for each of the {len(numbers)} points of the boundary, shape "
            f"({len(numbers)}, {points.shape[1]}), got {directions.shape}"
        )
    if layers < 1:
        raise SpecError(f"ghost_layers= is 1 or more, got {layers}")
    lengths = np.linalg.norm(directions, axis=1, keepdims=True)
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        raise SpecError("normals= must be finite and not zero")
    directions = directions / lengths
    ends = points[numbers]
    steps = nearest_distances(points, ends)[:, None] * directions
    placed = [ends + (layer + 1) * steps for layer in range(layers)]
    return Ghosts(np.concatenate(placed), numbers, directions)


def nearest_distances(points: Array, targets: Array) -> Array:
    """How far the nearest point is that is not the target itself."""
    from scipy.spatial import cKDTree  # type: ignore[import-untyped, unused-ignore]

    if len(points) < 2:
        raise SpecError("a cloud needs two points or more")
    distances, _ = nearest(cKDTree(points), points, targets, 2)
    return np.asarray(np.where(distances[:, 0] > 0, distances[:, 0], distances[:, 1]))


def _numbers(boundary: ArrayLike, count: int) -> NDArray[np.int64]:
    """Numbers of points; a mask is one as well."""
    found: NDArray[Any] = np.asarray(boundary)
    if found.dtype == np.bool_ and found.shape == (count,):
        found = np.flatnonzero(found)
    whole = found.ndim == 1 and np.issubdtype(found.dtype, np.integer)
    if not whole or ((found < 0) | (found >= count)).any():
        raise SpecError(
            f"boundary= holds numbers of points, from 0 to {count - 1}, or is a mask of {count}"
        )
    return found.astype(np.int64)

"""Point clouds: the nearest points of every target."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.stencils.errors import ShapeError, StencilError


def neighbourhoods(
    points: ArrayLike, targets: ArrayLike, neighbours: int
) -> NDArray[np.int64]:
    """The indices (targets, k) of the k nearest points of every target, nearest first."""
    from scipy.spatial import cKDTree  # type: ignore[import-untyped, unused-ignore]

    cloud, places = check_points(points, "points"), check_points(targets, "targets")
    if cloud.shape[1] != places.shape[1]:
        raise ShapeError(
            f"points have {cloud.shape[1]} coordinates and targets {places.shape[1]}: give both the same"
        )
    if not 1 <= neighbours <= len(cloud):
        raise StencilError(
            f"neighbours must lie between 1 and the number of points {len(cloud)}, got {neighbours}"
        )
    # All processors; neighbours do not depend on how the targets are shared out.
    _, indices = cKDTree(cloud).query(places, k=neighbours, workers=-1)
    return np.asarray(indices, dtype=np.int64).reshape(len(places), neighbours)


def gather(
    points: ArrayLike, targets: ArrayLike, indices: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The neighbours relative to their target, (targets, k, d)."""
    cloud, places = np.asarray(points, dtype=float), np.asarray(targets, dtype=float)
    # take makes a new array, which may be written over.
    nodes = np.take(cloud, indices, axis=0)
    nodes -= places[:, None, :]
    return nodes


def check_points(points: ArrayLike, name: str) -> NDArray[np.float64]:
    array = np.asarray(points, dtype=float)
    if array.ndim != 2 or array.shape[1] == 0:
        raise ShapeError(
            f"{name} must have shape (number, dimension), got {array.shape}"
        )
    if not np.all(np.isfinite(array)):
        raise StencilError(
            f"{name} must be finite: row {int(np.argmin(np.isfinite(array).all(axis=1)))} is not"
        )
    return array

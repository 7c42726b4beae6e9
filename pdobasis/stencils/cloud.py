"""Point clouds: the nearest points of every target."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.exact.given import numbers_of, whole_number
from pdobasis.stencils.errors import ShapeError, StencilError
from pdobasis.stencils.threads import in_threads

PART = 1 << 12
"""Targets of one search: some hundredths of a second, so that Ctrl-C is answered."""
TIED = 1e-9
"""Distances that differ by less than this part are the same."""


@dataclass(frozen=True, slots=True, eq=False)
class Neighbourhoods:
    """The ``counts[t]`` first of ``indices[t]`` are the points near target t, nearest first; what follows repeats one.

    Points as far away as the last that was asked for belong to a neighbourhood as well: which of them a search finds
    first depends on how the cloud lies, and a part of them would break its symmetries.
    """

    indices: NDArray[np.int64]
    counts: NDArray[np.int64]

    @property
    def least(self) -> int:
        """The smallest number of neighbours."""
        return int(self.counts.min(initial=self.indices.shape[1]))

    def alike(self) -> Iterator[tuple[int, NDArray[np.int64]]]:
        """(number of neighbours, the targets that have so many)."""
        for count in np.unique(self.counts):
            yield int(count), np.flatnonzero(self.counts == count)


def neighbourhoods(
    points: ArrayLike, targets: ArrayLike, neighbours: int | Neighbourhoods
) -> Neighbourhoods:
    """The k nearest points of every target, and those that are as near as the last of them; or as they were found."""
    if isinstance(neighbours, Neighbourhoods):
        return neighbours
    from scipy.spatial import cKDTree  # type: ignore[import-untyped, unused-ignore]

    cloud, places = check_points(points, "points"), check_points(targets, "targets")
    if cloud.shape[1] != places.shape[1]:
        raise ShapeError(
            f"points have {cloud.shape[1]} coordinates and targets {places.shape[1]}: give both the same"
        )
    neighbours = whole_number(neighbours, "neighbours")
    if not 1 <= neighbours <= len(cloud):
        raise StencilError(
            f"neighbours must lie between 1 and the number of points {len(cloud)}, got {neighbours}"
        )
    tree = cKDTree(cloud)
    # One more than asked for tells whether the last is tied. All processors: neighbours do not depend on how the
    # targets are shared out.
    asked = min(neighbours + 1, len(cloud))
    distances, found = nearest(tree, cloud, places, asked)
    indices = np.ascontiguousarray(found[:, :neighbours])
    counts = np.full(len(places), neighbours)
    if asked == neighbours:
        return Neighbourhoods(indices, counts)
    reach = distances[:, neighbours - 1] * (1 + TIED)
    tied = np.flatnonzero(distances[:, neighbours] <= reach)
    if not len(tied):
        return Neighbourhoods(indices, counts)
    wholes = in_balls(tree, places[tied], reach[tied])
    counts[tied] = [len(whole) for whole in wholes]
    # The first one fills up the rows that are shorter than the longest.
    wide = np.repeat(indices[:, :1], counts.max(initial=neighbours), axis=1)
    wide[:, :neighbours] = indices
    for t, whole in zip(tied, wholes, strict=True):
        far = np.linalg.norm(cloud[whole] - places[t], axis=1)
        wide[t, : len(whole)] = np.asarray(whole)[np.argsort(far, kind="stable")]
    return Neighbourhoods(wide, counts)


def nearest(
    tree: Any, cloud: NDArray[np.float64], places: NDArray[np.float64], asked: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Distances and numbers of the points nearest to every place, in order; infinite where there are too few."""
    distances = np.empty((len(places), asked))
    found = np.empty((len(places), asked), dtype=np.int64)

    def search(part: NDArray[np.int64]) -> None:
        far, near = tree.query(places[part], k=asked)
        distances[part] = np.reshape(far, (len(part), asked))
        found[part] = np.reshape(near, (len(part), asked))

    # Places near each other one after the other: what the search reads stays in the cache, which halves its time.
    in_threads(search, in_parts(along_a_path(places, tree, cloud)))
    return distances, found


def in_parts(order: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """As many as one search takes."""
    return [order[k : k + PART] for k in range(0, len(order), PART)]


def in_balls(
    tree: Any, centres: NDArray[np.float64], radii: NDArray[np.float64]
) -> list[list[int]]:
    """The points of a tree in every ball, by their numbers."""
    found: list[list[int]] = [[]] * len(centres)

    def search(part: NDArray[np.int64]) -> None:
        inside = tree.query_ball_point(centres[part], radii[part], return_sorted=True)
        for k, own in zip(part.tolist(), inside, strict=True):
            found[k] = own

    in_threads(search, in_parts(np.arange(len(centres))))
    return found


def along_a_path(
    places: NDArray[np.float64], tree: Any, cloud: NDArray[np.float64]
) -> NDArray[np.int64]:
    """The targets in the order of the leaves of a tree."""
    if places is cloud or np.array_equal(places, cloud):
        return np.asarray(tree.indices)
    return np.asarray(type(tree)(places).indices)


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
    array = numbers_of(points, name)
    if array.ndim != 2 or array.shape[1] == 0:
        raise ShapeError(
            f"{name} must have shape (number, dimension), got {array.shape}"
        )
    if not np.all(np.isfinite(array)):
        raise StencilError(
            f"{name} must be finite: row {int(np.argmin(np.isfinite(array).all(axis=1)))} is not"
        )
    return array

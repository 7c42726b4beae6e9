r"""Clouds that do not fit into memory: points sorted into slabs on disk, and what lies around a slab.

Points are sorted into slabs along an axis, of about ``block`` points each, in a few passes over the file. The k-th
nearest point of a slab itself bounds the distance of the true one, so that a point needs the other slabs only where its
ball of that radius leaves its own. The slabs beside it give what lies between the outermost balls. Slabs further away
matter to few points (outliers, and slabs thinner than a neighbourhood): they give what lies in a ball, after the radii
were made as small as all slabs within reach allow. So no more than three slabs and all neighbours of one are in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import FileFormatError, SpecError
from pdobasis.exact.given import numbers_of
from pdobasis.stencils.cloud import TIED, check_points, in_balls, nearest

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

CHUNK = 1_000_000
"""Points that are read at once while they are sorted."""
BINS = 65_536
PASSES = 8
"""Bins are made finer at most so often: each time by 2^16 where one bin holds all, which is below rounding by then."""
BALLS = 1 << 16
"""Balls whose points are held at once: what is found comes as lists."""


@dataclass(frozen=True, slots=True)
class Source:
    """Points of an array, or of a .npy file that is opened anew for every chunk, so that no page of it stays."""

    points: Any
    shape: tuple[int, int]

    @classmethod
    def of(cls, points: Any) -> Source:
        found = points
        if isinstance(points, (str, Path)):
            try:
                found = np.load(points, mmap_mode="r", allow_pickle=False)
            except (OSError, ValueError) as error:
                raise SpecError(f"no points in {points}: {error}") from None
        elif getattr(points, "ndim", None) != 2:
            found = points = check_points(points, "points")
        if found.ndim != 2:
            raise SpecError(
                f"points must have shape (number, dimension), got {found.shape}"
            )
        return cls(points, found.shape)

    def chunks(self) -> Iterator[Array]:
        for start in range(0, self.shape[0], CHUNK):
            array = self.points
            if isinstance(array, (str, Path)):
                array = np.load(array, mmap_mode="r", allow_pickle=False)
            yield np.array(numbers_of(array[start : start + CHUNK], "points"))


@dataclass(frozen=True, slots=True)
class Slabs:
    """Slab k has the points ``starts[k]`` to ``starts[k + 1]`` of the sorted file, within ``bounds[k]`` of an axis."""

    folder: Path
    axis: int
    starts: tuple[int, ...]
    bounds: tuple[tuple[float, float], ...]

    def __len__(self) -> int:
        return len(self.bounds)

    def points(self, number: int) -> Array:
        return self._part("points", number)

    def order(self, number: int) -> Numbers:
        """The numbers that the points of a slab have in the cloud."""
        return self._part("order", number)

    def _part(self, name: str, number: int) -> NDArray[Any]:
        path = self.folder / f"{name}.npy"
        try:
            file = np.load(path, mmap_mode="r", allow_pickle=False)
            part = np.array(file[self.starts[number] : self.starts[number + 1]])
        except (OSError, ValueError, EOFError, IndexError) as error:
            raise FileFormatError(f"{path} cannot be read: {error}") from None
        return part


def sort_into_slabs(source: Source, folder: Path, block: int) -> Slabs:
    """Write points.npy and order.npy slab by slab."""
    axis, edges = _cuts(source, block)
    sizes = np.zeros(len(edges) + 1, dtype=np.int64)
    low, high = np.full(len(sizes), np.inf), np.full(len(sizes), -np.inf)
    for part in source.chunks():
        slab = np.searchsorted(edges, part[:, axis])
        sizes += np.bincount(slab, minlength=len(sizes))
        np.minimum.at(low, slab, part[:, axis])
        np.maximum.at(high, slab, part[:, axis])
    starts = np.concatenate([[0], np.cumsum(sizes)])
    _write_sorted(source, folder, axis, edges, starts)
    # A slab without points has no block.
    filled = np.flatnonzero(sizes)
    bounds = tuple((float(low[k]), float(high[k])) for k in filled)
    return Slabs(folder, axis, (0, *starts[filled + 1].tolist()), bounds)


def _write_sorted(
    source: Source, folder: Path, axis: int, edges: Array, starts: Numbers
) -> None:
    count, dim = source.shape
    ends, at = starts[:-1].copy(), 0
    # Plain writes at a place: pages of a map would stay in memory until all is sorted.
    with (
        _Rows(folder / "points.npy", np.float64, (count, dim)) as points,
        _Rows(folder / "order.npy", np.int64, (count,)) as order,
    ):
        for part in source.chunks():
            slab = np.searchsorted(edges, part[:, axis])
            rows = np.argsort(slab, kind="stable")
            counts = np.bincount(slab, minlength=len(ends))
            places = np.concatenate([[0], np.cumsum(counts)])
            for k in np.flatnonzero(counts):
                own = rows[places[k] : places[k + 1]]
                points.write(ends[k], part[own])
                order.write(ends[k], at + own)
            ends += counts
            at += len(part)


class _Rows:
    """Rows of a .npy file, written at any place."""

    def __init__(self, path: Path, kind: Any, shape: tuple[int, ...]) -> None:
        empty = np.lib.format.open_memmap(path, "w+", kind, shape)
        self._offset = int(empty.offset)
        self._row = empty.itemsize * int(np.prod(shape[1:], dtype=np.int64))
        self._kind = empty.dtype
        del empty
        self._file = path.open("r+b")

    def __enter__(self) -> _Rows:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, row: int, values: NDArray[Any]) -> None:
        self._file.seek(self._offset + int(row) * self._row)
        self._file.write(np.ascontiguousarray(values, dtype=self._kind).tobytes())


def _cuts(source: Source, block: int) -> tuple[int, Array]:
    """The longest axis that can be cut into slabs of about as many points as asked for, and where."""
    dim = source.shape[1]
    low, high = np.full(dim, np.inf), np.full(dim, -np.inf)
    for part in source.chunks():
        checked = check_points(part, "points")
        low = np.minimum(low, checked.min(axis=0))
        high = np.maximum(high, checked.max(axis=0))
    found: list[tuple[int, int, Array]] = []
    for axis in np.argsort(low - high, kind="stable").tolist():
        largest, edges = _cuts_along(
            source, axis, float(low[axis]), float(high[axis]), block
        )
        found.append((largest, axis, edges))
        if largest <= 2 * block:
            break
    # Where many points share their coordinate every axis may have a slab that is too large.
    _, axis, edges = min(found, key=lambda one: one[0])
    return axis, edges


def _cuts_along(
    source: Source, axis: int, low: float, high: float, block: int
) -> tuple[int, Array]:
    """The points of the largest slab, and the upper ends of all but the last."""
    count = source.shape[0]
    slabs = -(-count // block)
    lines = np.linspace(low, high, BINS + 1)[1:]
    counts = _counts(source, axis, lines)
    for _ in range(PASSES):
        finer = _finer(lines, counts, low, max(count // (8 * slabs), 1))
        if len(finer) == len(lines):
            break
        lines, counts = finer, _counts(source, axis, finer)
    total = np.cumsum(counts)
    places = np.unique(np.searchsorted(total, count * np.arange(1, slabs) / slabs))
    sizes = np.diff(np.concatenate([[0], total[places], [count]]))
    return int(sizes.max()), lines[places]


def _counts(source: Source, axis: int, lines: Array) -> Numbers:
    """How many points lie in each bin; a bin ends at its line, and that belongs to it."""
    below = np.zeros(len(lines), dtype=np.int64)
    for part in source.chunks():
        below += np.searchsorted(np.sort(part[:, axis]), lines, side="right")
    return np.diff(below, prepend=0)


def _finer(lines: Array, counts: Numbers, low: float, enough: int) -> Array:
    """Bins with more points than ``enough`` in parts, unless all their points are one number."""
    heavy = np.flatnonzero(counts > enough)
    if not len(heavy):
        return lines
    before = np.concatenate([[low], lines[:-1]])
    parts = max(BINS // len(heavy), 2)
    new = [np.linspace(before[k], lines[k], parts + 1)[1:] for k in heavy]
    return np.unique(np.concatenate([lines, *new]))


def surroundings(slabs: Slabs, number: int, neighbours: int) -> tuple[Array, Numbers]:
    """All points that may be neighbours of a slab, its own first, and their numbers in the cloud."""
    mine = slabs.points(number)
    balls = _Balls.of(mine, slabs, number, neighbours + 1)
    balls.shrink()
    parts, numbers = [mine], [slabs.order(number)]
    for k in balls.reached():
        other = slabs.points(k)
        if abs(k - number) == 1:
            close = np.flatnonzero(balls.between(other[:, slabs.axis]))
        else:
            close = balls.inside(other, k)
        parts.append(other[close])
        numbers.append(slabs.order(k)[close])
    return np.concatenate(parts), np.concatenate(numbers)


@dataclass(frozen=True, slots=True)
class _Balls:
    """Around every point of a slab the ball that has its neighbours; ``distances`` are those of the nearest so far."""

    centres: Array
    distances: Array
    slabs: Slabs
    number: int

    @classmethod
    def of(cls, mine: Array, slabs: Slabs, number: int, asked: int) -> _Balls:
        return cls(mine, _nearest(mine, mine, asked), slabs, number)

    @property
    def radii(self) -> Array:
        return np.asarray(self.distances[:, -1] * (1 + 2 * TIED))

    def reaching(self, k: int) -> Numbers:
        """The balls that reach slab k."""
        places = self.centres[:, self.slabs.axis]
        low, high = self.slabs.bounds[k]
        if k > self.number:
            return np.flatnonzero(places + self.radii >= low)
        return np.flatnonzero(places - self.radii <= high)

    def reached(self) -> Iterator[int]:
        """The slabs that a ball reaches, on both sides from the nearest on: where none does, none goes further."""
        for steps in (
            range(self.number - 1, -1, -1),
            range(self.number + 1, len(self.slabs)),
        ):
            for k in steps:
                if not len(self.reaching(k)):
                    break
                yield k

    def shrink(self) -> None:
        """Make balls that reach beyond the slabs beside their own smaller, by what all slabs have, nearest first."""
        for step in range(1, len(self.slabs)):
            beyond = [
                k
                for k in (self.number - max(step, 2), self.number + max(step, 2))
                if 0 <= k < len(self.slabs)
            ]
            far = np.unique(
                np.concatenate(
                    [self.reaching(k) for k in beyond] or [np.zeros(0, dtype=np.int64)]
                )
            )
            if not len(far):
                return
            for k in (self.number - step, self.number + step):
                if 0 <= k < len(self.slabs):
                    asked = self.distances.shape[1]
                    found = _nearest(self.slabs.points(k), self.centres[far], asked)
                    both = np.concatenate([self.distances[far], found], axis=1)
                    self.distances[far] = np.sort(both, axis=1)[:, :asked]

    def between(self, places: Array) -> NDArray[np.bool_]:
        own, radii = self.centres[:, self.slabs.axis], self.radii
        return np.asarray(
            (places >= (own - radii).min()) & (places <= (own + radii).max())
        )

    def inside(self, other: Array, k: int) -> Numbers:
        """The points of slab k that a ball holds."""
        from scipy.spatial import cKDTree  # type: ignore[import-untyped, unused-ignore]

        tree, reaching, radii = cKDTree(other), self.reaching(k), self.radii
        found = np.zeros(len(other), dtype=bool)
        for part in (reaching[s : s + BALLS] for s in range(0, len(reaching), BALLS)):
            for inside in in_balls(tree, self.centres[part], radii[part]):
                found[inside] = True
        return np.flatnonzero(found)


def _nearest(cloud: Array, places: Array, asked: int) -> Array:
    """Distances of the nearest points in order; infinite where there are too few."""
    from scipy.spatial import cKDTree  # type: ignore[import-untyped, unused-ignore]

    return nearest(cKDTree(cloud), cloud, places, asked)[0]

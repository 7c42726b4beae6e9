"""Fields over time on a grid, checked once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.errors import SpecError

Array = NDArray[np.float64]
FEWEST = 8
"""Times, and points along an axis, below which nothing can be fitted."""


@dataclass(frozen=True, eq=False)
class Recording:
    """One run: fields (time, components, …, x2, x1), increasing times, uniform increasing axes (x1, x2, …)."""

    fields: Mapping[str, Array]
    times: Array
    axes: tuple[Array, ...]
    constants: Mapping[str, Array] = field(default_factory=dict)
    source: str = "data"

    @property
    def steps(self) -> tuple[float, ...]:
        return tuple(float(x[1] - x[0]) for x in self.axes)

    @property
    def grid(self) -> tuple[int, ...]:
        """Points along …, x2, x1."""
        return tuple(len(x) for x in reversed(self.axes))

    @property
    def dim(self) -> int:
        return len(self.axes)

    def between(self, first: int, last: int) -> Recording:
        """Some of the times."""
        some = slice(first, last)
        fields = {name: u[some] for name, u in self.fields.items()}
        return Recording(
            fields, self.times[some], self.axes, self.constants, self.source
        )


def recording(
    arrays: Mapping[str, ArrayLike],
    sizes: Mapping[str, int],
    constants: Mapping[str, int] | None = None,
    source: str = "data",
) -> Recording:
    """Arrays by name: the fields in ``sizes`` with their numbers of components, ``t``, ``x1``, ``x2``, …

    Missing axes are numbers 0, 1, 2, …; a field of one component may lack the axis of components.

    >>> found = recording({"u": np.zeros((9, 16, 16)), "t": np.arange(9.0)}, {"u": 1})
    >>> found.fields["u"].shape, found.steps
    ((9, 1, 16, 16), (1.0, 1.0))
    """
    for name in (*sizes, *(constants or {})):
        if name not in arrays:
            there = ", ".join(sorted(arrays)) or "nothing"
            raise SpecError(f"{source} has no array {name!r:.40}: it has {there}")
    first, size = next(iter(sizes.items()))
    shape = np.shape(arrays[first])
    dim = _dimension(arrays, len(shape), size, first, source)
    fields = {}
    for name, size in sizes.items():
        fields[name] = _field(arrays[name], name, size, dim, source)
    shapes = {name: (u.shape[0], *u.shape[2:]) for name, u in fields.items()}
    for name, own in shapes.items():
        if own != shapes[first]:
            raise SpecError(
                f"{source}: {name} has times and grid {own}, {first} has {shapes[first]}: one grid for all"
            )
    count, *grid = shapes[first]
    times = _times(arrays.get("t"), count, source)
    axes = []
    for k in range(dim):
        name, points = f"x{k + 1}", grid[dim - 1 - k]
        axes.append(_axis(arrays.get(name), name, points, source))
    known = {}
    for name, size in (constants or {}).items():
        known[name] = _constant(arrays[name], name, size, source)
    for name, u in fields.items():
        _require_finite(u, name, times, axes, source)
    return Recording(fields, times, tuple(axes), known, source)


def _dimension(
    arrays: Mapping[str, ArrayLike], ndim: int, size: int, name: str, source: str
) -> int:
    """The number of space axes: those that are there as x1, x2, …, or what is left beside time and components."""
    named = 0
    while f"x{named + 1}" in arrays:
        named += 1
    possible = [ndim - 2]
    if size == 1:
        possible.append(ndim - 1)
    if named:
        if named in possible:
            return named
        raise SpecError(
            f"{source}: {name} has {ndim} axes; with x1 to x{named} it needs (time, components, …, x2, x1), "
            f"that is {named + 2}"
        )
    shape = np.shape(arrays[name])
    # (time, 1, x2, x1) is a scalar in the plane, not a line of one point in space
    if size == 1 and ndim > 2 and shape[1] != 1:
        return ndim - 1
    if ndim < 3 and size > 1:
        raise SpecError(
            f"{source}: {name} has {ndim} axes; a field of {size} components has (time, components, …, x2, x1)"
        )
    return max(possible[0], 1)


def _field(given: ArrayLike, name: str, size: int, dim: int, source: str) -> Array:
    array = np.asarray(given)
    if array.dtype.kind not in "fiub":
        raise SpecError(
            f"{source}: {name} holds {array.dtype}, not real numbers: give real and imaginary parts as components"
        )
    if array.ndim == dim + 1 and size == 1:
        array = array[:, None]
    if array.ndim != dim + 2 or array.shape[1] != size:
        raise SpecError(
            f"{source}: {name} needs the axes (time, {size} components, {dim} of space), got the shape {array.shape}"
        )
    return np.ascontiguousarray(array, dtype=np.float64)


def _times(given: ArrayLike | None, count: int, source: str) -> Array:
    if given is None:
        times = np.arange(count, dtype=np.float64)
    else:
        raw = np.asarray(given)
        if raw.dtype.kind == "M":  # dates: seconds since the first
            raw = (raw - raw.ravel()[0]) / np.timedelta64(1, "s")
        times = np.asarray(raw, dtype=np.float64).ravel()
    if len(times) != count:
        raise SpecError(f"{source}: t has {len(times)} times for {count} frames")
    _require_increasing(times, "t", source)
    if count < FEWEST:
        raise SpecError(
            f"{source}: {count} frames are too few for a derivative in time: at least {FEWEST}"
        )
    return times


def _axis(given: ArrayLike | None, name: str, count: int, source: str) -> Array:
    if given is None:
        return np.arange(count, dtype=np.float64)
    axis = np.asarray(given, dtype=np.float64)
    if axis.ndim != 1 or len(axis) != count:
        raise SpecError(
            f"{source}: {name} has the shape {axis.shape} for {count} points along this axis"
        )
    _require_increasing(axis, name, source)
    if count < FEWEST:
        raise SpecError(
            f"{source}: {count} points along {name} are too few: at least {FEWEST}"
        )
    step = (axis[-1] - axis[0]) / (count - 1)
    wrong = np.abs(np.diff(axis) - step) > 1e-4 * step
    if wrong.any():
        k = int(np.argmax(wrong))
        raise SpecError(
            f"{source}: {name} is not evenly spaced between points {k + 1} and {k + 2} ({axis[k]:g} and "
            f"{axis[k + 1]:g}, the mean step is {step:g}): interpolate the fields to an even grid"
        )
    return np.asarray(axis[0] + step * np.arange(count))


def _require_increasing(axis: Array, name: str, source: str) -> None:
    bad = ~np.isfinite(axis)
    if bad.any():
        raise SpecError(
            f"{source}: {name} has no value at place {int(np.argmax(bad)) + 1}"
        )
    steps = np.diff(axis) <= 0
    if steps.any():
        k = int(np.argmax(steps))
        raise SpecError(
            f"{source}: {name} does not increase from {axis[k]:g} to {axis[k + 1]:g} (places {k + 1} and {k + 2}): "
            "sort it"
        )


def _constant(given: ArrayLike, name: str, size: int, source: str) -> Array:
    value = np.asarray(given, dtype=np.float64).ravel()
    if len(value) != size or not np.isfinite(value).all():
        raise SpecError(
            f"{source}: the constant {name} needs {size} finite numbers, got {value!r:.60}"
        )
    return value


def _require_finite(
    u: Array, name: str, times: Array, axes: Sequence[Array], source: str
) -> None:
    bad = ~np.isfinite(u)
    count = int(bad.sum())
    if not count:
        return
    where = np.unravel_index(int(np.argmax(bad)), u.shape)
    place = [f"t = {times[where[0]]:g}", f"component {where[1] + 1}"]
    for k, axis in enumerate(axes):
        place.append(f"x{k + 1} = {axis[where[-1 - k]]:g}")
    raise SpecError(
        f"{source}: {name} has {count} missing or infinite values, the first at index {tuple(map(int, where))} "
        f"({', '.join(place)}): fill them or leave out these frames"
    )

"""A sample: a channel with an obstacle, as the arrays that DeepCFD has, and the flow in it.

Inputs: the distance to the obstacle, the region (0 obstacle, 1 fluid, 2 walls, 3 inflow, 4 outflow), the distance to
the walls. Outputs: velocity and pressure. Arrays have x1 along the last axis; both are padded with zeros to a square.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from experiments.errors import ExperimentError
from experiments.flow import lattice
from experiments.flow.obstacles import SHAPES, obstacle, signed_distance

Floats = NDArray[np.float64]
REYNOLDS = 15.0
"""By the mean of the inflow and the diameter of the obstacle."""
STEPS = 80
"""For each column of nodes, after which a flow is steady; as many for all: a sample is settled by its number."""
AT_ONCE = 8
"""Channels that are solved together."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """Nodes along and across the channel; ``coarse`` of them become one point of an image."""

    columns: int
    rows: int
    coarse: int


GEOMETRIES = {176: Geometry(172, 79, 1), 32: Geometry(64, 32, 2), 16: Geometry(32, 16, 2)}
"""By the side of the square that they are padded to; the first is DeepCFD's."""


def geometry(size: int) -> Geometry:
    if size not in GEOMETRIES:
        raise ExperimentError(f"data.size of flows is one of {', '.join(map(str, GEOMETRIES))}, got {size}")
    return GEOMETRIES[size]


@dataclass(frozen=True, slots=True, eq=False)
class Channel:
    """Inputs (3, rows, columns), where it is solid, and the viscosity that makes the Reynolds number."""

    inputs: Floats
    solid: NDArray[np.bool_]
    viscosity: float


def channel(number: int, size: int) -> Channel:
    """The number alone settles the obstacle."""
    shape = geometry(size)
    random = np.random.default_rng([7, number])
    kind = SHAPES[number % len(SHAPES)]
    radius = random.uniform(0.14, 0.24) * shape.rows
    centre = random.uniform(0.22, 0.35) * shape.columns, random.uniform(0.4, 0.6) * shape.rows
    x, y = np.meshgrid(np.arange(shape.columns) + 0.5, np.arange(shape.rows) + 0.5)
    distance = signed_distance(obstacle(kind, centre, radius, random), x, y)
    walls = np.minimum(y, shape.rows - y)
    solid = distance < 0
    region = np.where(solid, 0.0, 1.0)
    region[0] = region[-1] = 2.0
    region[1:-1, 0], region[1:-1, -1] = 3.0, 4.0
    # The mean of a parabola is two thirds of its maximum.
    viscosity = 2 / 3 * lattice.SPEED * 2 * radius / REYNOLDS
    return Channel(np.stack([distance / shape.rows, region, walls / shape.rows]), solid, viscosity)


Solver = Callable[[Sequence[Channel]], list[Floats]]


def samples(numbers: Sequence[int], size: int, solve: Solver | None = None) -> tuple[Floats, Floats]:
    """Inputs and outputs (n, 3, size, size)."""
    shape = geometry(size)
    channels = [channel(number, size) for number in numbers]
    outputs = []
    for start in range(0, len(channels), AT_ONCE):
        outputs += (solve or by_lattice)(channels[start : start + AT_ONCE])
    inputs = [squared(c.inputs, shape.coarse, size) for c in channels]
    return np.stack(inputs), np.stack([squared(fields, shape.coarse, size) for fields in outputs])


def by_lattice(channels: Sequence[Channel]) -> list[Floats]:
    """Velocity and pressure of each."""
    solids = np.stack([c.solid for c in channels])
    steps = STEPS * solids.shape[2]
    found = lattice.solve_many(solids, [c.viscosity for c in channels], steps, tolerance=0.0)
    return [np.stack([*flow.velocity, flow.pressure]) for flow in found]


def squared(fields: Floats, coarse: int, size: int) -> Floats:
    """Means over blocks, in the middle of a square of zeros."""
    channels, rows, columns = fields.shape
    means = fields.reshape(channels, rows // coarse, coarse, columns // coarse, coarse).mean((2, 4))
    out = np.zeros((channels, size, size))
    top, left = (size - means.shape[1]) // 2, (size - means.shape[2]) // 2
    out[:, top : top + means.shape[1], left : left + means.shape[2]] = means
    return out

"""Stencils as a picture: one row for each element, vector fields as arrows."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.bounds.estimate import cost
from pdobasis.errors import SpecError
from pdobasis.pictures import require_matplotlib
from pdobasis.pictures.panels import (
    Drawn,
    Panel,
    left_out,
    name_of,
    panels_of,
    title_of,
)

if TYPE_CHECKING:
    from pdobasis.pictures.canvas import Picture
    from pdobasis.stencils.sampled import Sampled

PANEL = 1.15
"""Side of one stencil, in inches."""
ABREAST = 6
"""Elements in a line, when each is one stencil."""


def require_few(lines: int, columns: int) -> None:
    """A panel is an axis of its own, and all of them are laid out together."""
    panels = float(lines * columns)
    cost("draw", {"panels": panels}).require(
        f"a picture of {panels:.0f} stencils", "draw fewer with show= and entries="
    )


def stencils_picture(
    drawn: Drawn,
    show: int = 12,
    entries: int = 16,
    warn: Callable[[str], None] = lambda line: None,
) -> Picture:
    """So many elements, with so many entries of each; ``warn`` hears what is left out."""
    require_matplotlib()
    from pdobasis.pictures.canvas import Picture

    sampled = drawn.sampled
    if not sampled.elements:
        raise SpecError("there are no elements to draw: ask for a higher order")
    shown = range(min(show, sampled.elements))
    require_few(len(shown), min(entries, sampled.stencils[0, ..., 0].size))
    for words in left_out(sampled, len(shown), entries):
        warn(f"the picture shows {words}")
    rows = [panels_of(sampled, e, entries) for e in shown]
    names = [name_of(drawn, e) for e in shown]
    lines = len(rows)
    columns = max(len(row) for row in rows)
    height = PANEL + 0.1
    single = columns == 1
    if single:
        lines = ceil(len(rows) / ABREAST)
        columns = min(len(rows), ABREAST)
        # for the name, which then stands above its stencil
        height += 0.25
    figure = Picture(PANEL * columns + 0.3, height * lines + 0.4)
    axes = figure.subplots(lines, columns, squeeze=False)
    title = title_of(drawn, len(rows), entries)
    figure.suptitle(title, fontsize=9, parse_math=False)
    if single:
        stencils = [row[0][1] for row in rows]
        _draw_single(axes.ravel(), stencils, names, sampled)
    else:
        for e, row in enumerate(rows):
            _draw_row(axes[e], row, names[e], sampled, first=e == 0)
    return figure


def _draw_row(
    axes: Any, row: list[Panel], name: str, sampled: Sampled, first: bool
) -> None:
    """One element: its entries in one scale of colours."""
    scale = _scale([values for _, values in row])
    for axis in axes[len(row) :]:
        axis.set_axis_off()
    for axis, (title, values) in zip(axes, row, strict=False):
        _draw_panel(axis, values, sampled, scale)
        if title and first:
            axis.set_title(title, fontsize=7, pad=3, parse_math=False)
    axes[0].set_ylabel(
        name,
        fontsize=7,
        rotation=0,
        ha="right",
        va="center",
        labelpad=6,
        # a dollar in a name is a dollar
        parse_math=False,
    )


def _draw_single(
    axes: Any, panels: list[NDArray[np.float64]], names: list[str], sampled: Sampled
) -> None:
    """Elements of one entry each, several in a line."""
    for axis in axes[len(panels) :]:
        axis.set_axis_off()
    for axis, values, name in zip(axes, panels, names, strict=False):
        _draw_panel(axis, values, sampled, _scale([values]))
        axis.set_title(name, fontsize=7, pad=3, parse_math=False)


def _draw_panel(
    axis: Any, values: NDArray[np.float64], sampled: Sampled, scale: float
) -> None:
    lattice = sampled.grid.lattice
    if lattice is not None and lattice.dim == 2:
        _cells(axis, values, sampled, scale)
    elif values.ndim == 3:
        _arrows(axis, values, sampled)
    else:
        axis.imshow(
            values,
            cmap="RdBu_r",
            vmin=-scale,
            vmax=scale,
            interpolation="nearest",
            origin=_origin(sampled),
        )
    # squares are nodes: their numbers would say nothing
    from pdobasis.pictures.canvas import without_ticks

    without_ticks(axis)


def _scale(arrays: list[NDArray[np.float64]]) -> float:
    largest = max(
        (float(np.abs(values).max(initial=0.0)) for values in arrays), default=0.0
    )
    # a stencil of zeros is white, whatever the scale
    return largest or 1.0


def _origin(sampled: Sampled) -> str:
    """x2 points upwards in every picture, whatever the layout of the array."""
    if sampled.grid.layout == "image":
        return "upper"
    return "lower"


def _cells(
    axis: Any, values: NDArray[np.float64], sampled: Sampled, scale: float
) -> None:
    """A stencil on a lattice: the cell of every node (all that is nearer to it than to others), or arrows over them."""
    from matplotlib.collections import PolyCollection

    from pdobasis.stencils.lattice_weights import grid_window

    grid = sampled.grid
    places, _ = grid_window(grid, sampled.problem.group)
    nodes = grid.coordinates()[places]
    shape = cell_of(grid.frame * grid.dilation[0])
    values = values.reshape(*values.shape[:-2], -1)[..., places]
    heights = values
    colours, span = "RdBu_r", (-scale, scale)
    if values.ndim == 2:
        heights = np.sqrt((values**2).sum(axis=0))
        colours, span = "Greys", (0.0, 3 * (heights.max(initial=0.0) or 1.0))
    cells = PolyCollection(
        [shape + node for node in nodes], cmap=colours, edgecolors="none"
    )
    cells.set_array(heights)
    cells.set_clim(*span)
    axis.add_collection(cells)
    if values.ndim == 2:
        _quiver(axis, nodes, values, heights, min(grid.steps))
    reach = np.abs(nodes).max(axis=0) + np.abs(shape).max(axis=0)
    axis.set_xlim(-reach[0], reach[0])
    axis.set_ylim(-reach[1], reach[1])
    axis.set_aspect("equal")


def cell_of(frame: NDArray[np.float64]) -> NDArray[np.float64]:
    """The corners of the points that are nearer to the origin than to any other point of a lattice of the plane."""
    from scipy.spatial import Voronoi

    near = np.array([(i, j) for i in range(-3, 4) for j in range(-3, 4)])
    found = Voronoi(near @ frame.T)
    middle = int(np.flatnonzero(~near.any(axis=1))[0])
    corners = found.vertices[found.regions[found.point_region[middle]]]
    return np.asarray(corners)


def _arrows(axis: Any, values: NDArray[np.float64], sampled: Sampled) -> None:
    """The stencil as a vector field over its nodes, over the length of its vectors in grey."""
    grid = sampled.grid
    nodes = grid.coordinates().reshape(*grid.array_shape, 2)
    steps = [float(h * d) for h, d in zip(grid.spacing, grid.dilation, strict=True)]
    reach = [steps[i] * grid.size[i] / 2 for i in (0, 1)]
    length = np.sqrt((values**2).sum(axis=0))
    longest = length.max(initial=0.0) or 1.0
    axis.imshow(
        length,
        cmap="Greys",
        vmin=0,
        vmax=3 * longest,
        extent=(-reach[0], reach[0], -reach[1], reach[1]),
        origin=_origin(sampled),
        interpolation="nearest",
    )
    _quiver(axis, nodes, values, length, min(steps))


def _quiver(
    axis: Any,
    nodes: NDArray[np.float64],
    values: NDArray[np.float64],
    length: NDArray[np.float64],
    step: float,
) -> None:
    """Arrows at the nodes, the longest of which reaches almost to the next node; the shortest would be dots."""
    longest = float(length.max(initial=0.0)) or 1.0
    factor = 0.95 * step / longest
    shown = length > 1e-3 * longest
    axis.quiver(
        nodes[..., 0][shown],
        nodes[..., 1][shown],
        values[0][shown] * factor,
        values[1][shown] * factor,
        angles="xy",
        scale_units="xy",
        scale=1,
        pivot="mid",
        color="#b2182b",
        width=0.012,
        headwidth=4,
        headlength=4.5,
    )

r"""The symbol P of an operator: its polynomials over the plane, as the paper draws kernels; over the sphere in space.

A column (or a row) that transforms as a vector of the plane is one field of arrows. In space an entry of one order is
known from its values on the sphere, where it is a surface: the distance from the origin is $|P(x)|$ for $|x| = 1$,
positive parts red and negative ones blue.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.algebra.operator import Operator, operator
from pdobasis.answer.element import Element
from pdobasis.errors import SpecError
from pdobasis.exact.scalars import float_of
from pdobasis.pictures import require_matplotlib
from pdobasis.pictures.panels import is_vector
from pdobasis.pictures.stencils import require_few

if TYPE_CHECKING:
    from pdobasis.pictures.canvas import Picture

SIDE = 2.0
"""Inches of a panel."""
POINTS = 61
"""Along each axis."""
ARROWS = 15
"""Along each axis."""
MOST = 4
"""Rows and columns of entries that are drawn."""

Numbers = NDArray[np.float64]


def plot_symbol(element: Element | Operator | str, *, entries: int = MOST) -> Picture:
    """The polynomials of an element, an operator or its text: in the plane, in space, or on a line.

    At most ``entries`` rows and columns are drawn. Needs the extra ``pdobasis[plot]``.

    Parameters
    ----------
    element : Element, Operator or str
        What is drawn.
    entries : int
        Most rows, and most columns, that are drawn.

    Returns
    -------
    Picture
        To be shown by a notebook, or saved.

    Raises
    ------
    SpecError
        A symbol in more than three dimensions, or no whole number of entries.
    MissingExtraError
        matplotlib is not installed.

    Examples
    --------
    >>> picture = plot_symbol("d1^2 - d2^2")
    """
    require_matplotlib()
    from pdobasis.pictures.canvas import Picture

    op = operator(element)
    if op.dim > 3:
        raise SpecError(f"a symbol in dimension {op.dim} has no picture: at most 3")
    if isinstance(entries, bool) or not isinstance(entries, int) or entries < 1:
        raise SpecError(f"entries is a whole number from 1, got {entries!r:.40}")
    fields = ""
    if isinstance(element, Element) and op.dim == 2:
        fields = _arrows_of(element)
    panels = _panels(op, fields, entries)
    rows, columns = len(panels), len(panels[0])
    require_few(rows, columns)
    figure = Picture(SIDE * columns, SIDE * rows + 0.5)
    kind: dict[str, Any] = {}
    if op.dim == 3:
        kind = {"subplot_kw": {"projection": "3d"}}
    axes = figure.subplots(rows, columns, squeeze=False, **kind)
    draw = {1: _line, 2: _plane, 3: _sphere}[op.dim]
    scale = _largest(op, panels)
    for r, row in enumerate(panels):
        for c, places in enumerate(row):
            draw(axes[r, c], op, places, scale)
    figure.suptitle(_title(element, op, entries), fontsize=9, parse_math=False)
    return figure


Places = tuple[tuple[int, int], ...]
"""One entry, or the two that make the arrows of a field."""


def _arrows_of(element: Element) -> str:
    problem = element.basis.problem
    if is_vector(problem.out_type):
        return "out"
    if is_vector(problem.in_type):
        return "in"
    return ""


def _panels(op: Operator, fields: str, most: int) -> list[list[Places]]:
    """What is drawn in which place: columns of two entries as arrows, or rows, or every entry."""
    rows, columns = range(op.shape[0])[:most], range(op.shape[1])[:most]
    if fields == "out":
        return [[((0, c), (1, c)) for c in columns]]
    if fields == "in":
        return _beside([[((r, 0), (r, 1))] for r in rows])
    every: list[list[Places]] = [[((r, c),) for c in columns] for r in rows]
    if len(columns) == 1:
        return _beside(every)
    return every


def _beside(panels: list[list[Places]]) -> list[list[Places]]:
    """A column of panels as a row: pictures are read from left to right."""
    return [[row[0] for row in panels]]


def _title(element: object, op: Operator, most: int) -> str:
    name = op.name or ""
    if isinstance(element, Element):
        problem = element.basis.problem
        name = f"{name}  {problem.group.name}: {problem.in_type} → {problem.out_type}"
    cut = ""
    if max(op.shape) > most:
        cut = f", first entries of {op.shape[0]}×{op.shape[1]}"
    return f"{name}\norder {op.order}{cut}".strip()


def values(op: Operator, place: tuple[int, int], x: Numbers) -> Numbers:
    """The polynomial at points (..., d)."""
    out = np.zeros(x.shape[:-1])
    for alpha, number in op.cells.get(place, {}).items():
        out += float_of(number) * np.prod(x ** np.array(alpha), axis=-1)
    return out


def _grid(points: int) -> Numbers:
    line = np.linspace(-1, 1, points)
    return np.stack(np.meshgrid(line, line, indexing="xy"), axis=-1)


def _sphere_points() -> Numbers:
    """(x1, x2, x3) over longitudes and latitudes."""
    up, around = np.meshgrid(
        np.linspace(0, np.pi, POINTS), np.linspace(0, 2 * np.pi, 2 * POINTS)
    )
    ring = np.sin(up)
    return np.stack([ring * np.cos(around), ring * np.sin(around), np.cos(up)], axis=-1)


def _sample(dim: int) -> Numbers:
    if dim == 1:
        return np.linspace(-1, 1, POINTS)[:, None]
    if dim == 2:
        return _grid(POINTS)
    return _sphere_points()


def _largest(op: Operator, panels: list[list[Places]]) -> float:
    """One scale for all panels: they are compared with each other."""
    x = _sample(op.dim)
    if op.dim == 2:
        x = x[_in_disc(x)]
    shown = [place for row in panels for places in row for place in places]
    return max(float(np.abs(values(op, place, x)).max()) for place in shown) or 1.0


def _line(axis: Any, op: Operator, places: Places, scale: float) -> None:
    x = _sample(1)
    axis.plot(x[:, 0], values(op, places[0], x), color="#b2182b", linewidth=1.5)
    axis.axhline(0, color="0.7", linewidth=0.5)
    axis.set_ylim(-1.1 * scale, 1.1 * scale)


def _plane(axis: Any, op: Operator, places: Places, scale: float) -> None:
    from pdobasis.pictures.canvas import without_ticks

    x = _sample(2)
    around = (-1, 1, -1, 1)
    if len(places) == 2:
        _field(axis, op, places)
    else:
        own = np.where(_in_disc(x), values(op, places[0], x), 0.0)
        image = {"cmap": "RdBu_r", "vmin": -scale, "vmax": scale, "extent": around}
        axis.imshow(own, origin="lower", interpolation="bilinear", **image)
        if own.any():
            levels = np.array([-0.6, -0.2, 0.2, 0.6]) * scale
            lines = {"colors": "k", "linewidths": 0.4, "alpha": 0.5}
            axis.contour(x[..., 0], x[..., 1], own, levels=levels, **lines)
    without_ticks(axis)


def _in_disc(x: Numbers) -> NDArray[np.bool_]:
    """Only the disc: in the corners of a square high orders would be all that is seen."""
    inside: NDArray[np.bool_] = (x**2).sum(axis=-1) <= 1 + 1e-9
    return inside


def _field(axis: Any, op: Operator, places: Places) -> None:
    """Arrows over their lengths in grey."""
    x, fine = _grid(ARROWS), _sample(2)
    u, v = (np.where(_in_disc(x), values(op, place, x), np.nan) for place in places)
    size = np.hypot(*(values(op, place, fine) for place in places))
    length = np.where(_in_disc(fine), size, 0.0)
    longest = float(length.max()) or 1.0
    grey = {"cmap": "Greys", "vmin": 0, "vmax": 2.5 * longest}
    axis.imshow(length, origin="lower", extent=(-1, 1, -1, 1), **grey)
    # the longest arrow reaches almost to the next one
    factor = 1.9 / ARROWS / longest
    arrows = {"angles": "xy", "scale_units": "xy", "scale": 1, "pivot": "mid"}
    looks = {"color": "#b2182b", "width": 0.008, "headwidth": 4}
    axis.quiver(x[..., 0], x[..., 1], u * factor, v * factor, **arrows, **looks)


def _sphere(axis: Any, op: Operator, places: Places, scale: float) -> None:
    x = _sample(3)
    own = values(op, places[0], x)
    surface = x * np.abs(own / scale)[..., None]
    red, blue, white = ((178, 24, 43), (33, 102, 172), (247, 247, 247))
    ends = np.where((own > 0)[..., None], red, blue)
    share = np.abs(own / scale)[..., None] ** 0.5
    colours = (np.array(white) + (ends - np.array(white)) * share) / 255
    look = {"rstride": 1, "cstride": 1, "linewidth": 0, "antialiased": False}
    if own.any():
        axis.plot_surface(*np.moveaxis(surface, -1, 0), facecolors=colours, **look)
    axis.set_axis_off()
    axis.set_box_aspect((1, 1, 1))
    for side in (axis.set_xlim, axis.set_ylim, axis.set_zlim):
        side(-0.75, 0.75)

"""Figures of stencils with matplotlib (the extra ``pdobasis[plot]``), which is imported nowhere else."""

from __future__ import annotations

import io
from importlib.util import find_spec
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import MissingExtraError, SpecError

if TYPE_CHECKING:
    from pdobasis.files.stencil_file import StencilFile
    from pdobasis.question.field_type import FieldType
    from pdobasis.stencils.sampled import Sampled

PANEL = 1.15
"""Side of one stencil, in inches."""
ABREAST = 6
"""Elements in a line, when each is one stencil."""
Panel = tuple[str, NDArray[np.float64]]
"""A title and (*shape) for colours or (2, *shape) for arrows."""


def require_matplotlib() -> None:
    if find_spec("matplotlib") is None:
        raise MissingExtraError("matplotlib", "plot", "a picture")


def draw(file: StencilFile, format: str, show: int, entries: int, dpi: int) -> bytes:
    """The picture as bytes, the same for the same file."""
    import matplotlib

    matplotlib.use("Agg")
    # Names inside an SVG are hashed with a random salt otherwise.
    matplotlib.rcParams["svg.hashsalt"] = "pdobasis"
    from matplotlib.figure import Figure

    sampled = file.sampled()
    if not sampled.elements:
        raise SpecError("there are no elements to draw: ask for a higher order")
    rows = [_panels(sampled, e, entries) for e in range(min(show, sampled.elements))]
    names = [_name(file, sampled, e) for e in range(len(rows))]
    columns = max(len(row) for row in rows)
    single = columns == 1
    lines = len(rows)
    if single:
        lines, columns = ceil(len(rows) / ABREAST), min(len(rows), ABREAST)
    figure = Figure(figsize=(PANEL * columns + 0.3, (PANEL + 0.1 + 0.25 * single) * lines + 0.4), layout="constrained")
    axes = figure.subplots(lines, columns, squeeze=False)
    figure.suptitle(_title(file, sampled, len(rows)), fontsize=9)
    if single:
        _draw_single(axes.ravel(), [row[0][1] for row in rows], names, sampled)
    else:
        for e, row in enumerate(rows):
            _draw_row(axes[e], row, names[e], sampled, first=e == 0)
    stream = io.BytesIO()
    # Without the date of drawing: the same file gives the same picture.
    dates = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
    figure.savefig(stream, format=format, dpi=dpi, metadata=dates[format], bbox_inches="tight")
    return stream.getvalue()


def is_vector(field_type: FieldType) -> bool:
    """Whether the field is one vector of the plane: rho(g) = g."""
    if field_type.size != 2 or len(field_type.distinct) != 1:
        return False
    rep = field_type.distinct[0]
    group = rep.group
    same = all(a.equals(b) for a, b in zip(rep.matrices(), group.generators, strict=True))
    return group.dim == rep.size == 2 and same and all(a.equals(b) for a, b in zip(rep.lie, group.lie, strict=True))


def _panels(sampled: Sampled, element: int, entries: int) -> list[Panel]:
    """The entries of an element, vectors first: a column (or row) of two is one field of arrows."""
    stencil = sampled.stencils[element]
    c_out, c_in = stencil.shape[:2]
    if sampled.grid.dim == 2 and sampled.places is None:
        if is_vector(sampled.problem.out_type):
            return [(_entry_name(stencil, None, i), stencil[:, i]) for i in range(c_in)][:entries]
        if is_vector(sampled.problem.in_type):
            return [(_entry_name(stencil, o, None), stencil[o]) for o in range(c_out)][:entries]
    out: list[Panel] = []
    for o, i in np.ndindex(c_out, c_in):
        entry = np.atleast_2d(stencil[o, i])
        name = _entry_name(stencil, o, i)
        planes = entry.reshape(-1, *entry.shape[-2:])
        if sampled.grid.dim == 3:
            heights = [f" x3 = {x}" for x in sampled.grid.axis_nodes(2)]
        else:
            heights = [""] * len(planes)
        out += [(f"{name}{height}".strip(), plane) for height, plane in zip(heights, planes, strict=True)]
    planes_each = 1
    if sampled.grid.dim >= 3:
        planes_each = sampled.grid.size[-1]
    return out[: entries * planes_each]


def _entry_name(stencil: NDArray[np.float64], o: int | None, i: int | None) -> str:
    """Which entry, by the indices that tell it from others; None where a panel shows all of them."""
    c_out, c_in = stencil.shape[:2]
    named_out, named_in = o is not None and c_out > 1, i is not None and c_in > 1
    if named_out and named_in:
        return f"{o} ← {i}"
    if named_out:
        return f"out {o}"
    if named_in:
        return f"in {i}"
    return ""


def _draw_row(axes: Any, row: list[Panel], name: str, sampled: Sampled, first: bool) -> None:
    """One element: its entries in one scale of colours."""
    scale = _scale([values for _, values in row])
    for axis in axes[len(row) :]:
        axis.set_axis_off()
    for axis, (title, values) in zip(axes, row, strict=False):
        _draw_panel(axis, values, sampled, scale)
        if title and first:
            axis.set_title(title, fontsize=7, pad=3)
    axes[0].set_ylabel(name, fontsize=7, rotation=0, ha="right", va="center", labelpad=6)


def _draw_single(axes: Any, panels: list[NDArray[np.float64]], names: list[str], sampled: Sampled) -> None:
    """Elements of one entry each, several in a line."""
    for axis in axes[len(panels) :]:
        axis.set_axis_off()
    for axis, values, name in zip(axes, panels, names, strict=False):
        _draw_panel(axis, values, sampled, _scale([values]))
        axis.set_title(name, fontsize=7, pad=3)


def _draw_panel(axis: Any, values: NDArray[np.float64], sampled: Sampled, scale: float) -> None:
    if values.ndim == 3:
        _arrows(axis, values, sampled)
    else:
        axis.imshow(values, cmap="RdBu_r", vmin=-scale, vmax=scale, interpolation="nearest", origin=_origin(sampled))
    axis.set_xticks([])
    axis.set_yticks([])
    for spine in axis.spines.values():
        spine.set_linewidth(0.5)
        spine.set_color("0.6")


def _scale(arrays: list[NDArray[np.float64]]) -> float:
    return max((float(np.abs(values).max(initial=0.0)) for values in arrays), default=0.0) or 1.0


def _origin(sampled: Sampled) -> str:
    """x2 points upwards in every picture, whatever the layout of the array."""
    if sampled.grid.layout == "image":
        return "upper"
    return "lower"


def _arrows(axis: Any, values: NDArray[np.float64], sampled: Sampled) -> None:
    """The stencil as a vector field over its nodes, over the length of its vectors in grey."""
    nodes = sampled.grid.coordinates().reshape(*sampled.grid.array_shape, 2)
    steps = [float(h * d) for h, d in zip(sampled.grid.spacing, sampled.grid.dilation, strict=True)]
    length = np.sqrt((values**2).sum(axis=0))
    reach = [steps[i] * sampled.grid.size[i] / 2 for i in (0, 1)]
    axis.imshow(
        length,
        cmap="Greys",
        vmin=0,
        vmax=3 * (length.max(initial=0.0) or 1.0),
        extent=(-reach[0], reach[0], -reach[1], reach[1]),
        origin=_origin(sampled),
        interpolation="nearest",
    )
    factor = 0.95 * min(steps) / (float(length.max(initial=0.0)) or 1.0)
    shown = length > 1e-3 * (length.max(initial=0.0) or 1.0)
    axis.quiver(
        nodes[..., 0][shown], nodes[..., 1][shown], values[0][shown] * factor, values[1][shown] * factor,
        angles="xy", scale_units="xy", scale=1, pivot="mid", color="#b2182b", width=0.012, headwidth=4, headlength=4.5,
    )  # fmt: skip


def _name(file: StencilFile, sampled: Sampled, element: int) -> str:
    words = f"order {sampled.orders[element]}"
    if sampled.rings is not None:
        words = f"l = {sampled.orders[element]}, ring {sampled.rings[element]}"
    meta = file.meta["elements"]
    # kernels are more than the elements of the basis, which have the names
    if len(meta) == sampled.elements and meta[element].get("name", ""):
        return f"{meta[element]['name']}\n{words}"
    return words


def _title(file: StencilFile, sampled: Sampled, shown: int) -> str:
    from pdobasis.files.python_source import what

    problem = sampled.problem
    if shown < sampled.elements:
        count = f"{shown} of {sampled.elements} elements"
    else:
        count = f"{shown} elements"
    return f"{problem.group.name}: {problem.in_type} → {problem.out_type}, {what(file)}\n{count}, x1 →, x2 ↑"

"""Stencils as Python source: a function that applies the operators with nothing but NumPy."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from pdobasis.errors import SizeError
from pdobasis.files.format import Format
from pdobasis.files.stencil_file import StencilFile
from pdobasis.files.writer import writer
from pdobasis.question.truncation import truncation_from_json

MAX_ENTRIES = 200_000
"""Non-zero weights that are written as text."""

TEMPLATE = '''"""{title}

Stencils: {what}. Layout {layout}: the last array axis is x1, the one before it x2{upwards}.
Element k has the order ORDERS[k] and the name NAMES[k]. Written by {writer}; needs NumPy only.
"""

import numpy as np

SHAPE = {shape}  # elements, c_out, c_in, then the axes of the stencil (the last is x1)
ORDERS = {orders}
NAMES = {names}  # the operators; "" where they have no name
SPACING = {spacing}  # of x1, x2, ..., in units of length
IN_OFFSETS = {in_offsets}  # where in the cell each channel lives, in cells along x1, x2, ...
OUT_OFFSETS = {out_offsets}
DILATION = {dilation}  # in the order of the array axes
# The checksum of the file that pdobasis export writes for the same question:
CHECKSUM = "{checksum}"
_PLACES = [  # of the non-zero weights in the flattened array
{places}
]
_VALUES = [
{values}
]
STENCILS = np.zeros(SHAPE)
STENCILS.flat[np.array(_PLACES, dtype=int)] = _VALUES


def apply(field, weights=None, padding="valid"):
    """The operator sum_k weights[k] * (element k), applied to a field (..., c_in, *space) by cross-correlation.

    The result is (..., c_out, *space'). padding: "valid" (only where the whole stencil fits), or a mode of numpy.pad
    ("wrap" for periodic fields, "edge", "reflect", "constant" for zeros), which keeps the size of an odd stencil.
    """
    if weights is None:
        if SHAPE[0] != 1:
            raise ValueError(f"give one weight for each of the {{SHAPE[0]}} elements")
        weights = [1.0]
    kernel = np.tensordot(_numbers(weights), STENCILS, 1)
    field = _numbers(field)
    size, dim = kernel.shape[2:], kernel.ndim - 2
    reach = [(n - 1) * step for n, step in zip(size, DILATION)]
    if padding != "valid":
        pads = [(0, 0)] * (field.ndim - dim) + [(r // 2, r - r // 2) for r in reach]
        field = np.pad(field, pads, mode=padding)
    space = [n - r for n, r in zip(field.shape[field.ndim - dim :], reach)]
    if field.ndim < dim + 1 or field.shape[-dim - 1] != kernel.shape[1] or min(space) < 1:
        raise ValueError(f"expected a field (..., {{kernel.shape[1]}}, *space) larger than the stencil")
    out = 0.0
    for place in np.ndindex(*size):
        if kernel[(slice(None), slice(None), *place)].any():
            window = tuple(slice(p * s, p * s + n) for p, s, n in zip(place, DILATION, space))
            part = np.moveaxis(field[(..., *window)], -dim - 1, 0)
            moved = np.tensordot(kernel[(slice(None), slice(None), *place)], part, 1)
            out = out + np.moveaxis(moved, 0, -dim - 1)
    if np.ndim(out) == 0:
        return np.zeros((*field.shape[: -dim - 1], kernel.shape[0], *space), np.result_type(field, kernel))
    return out


def _numbers(values):
    """Whole numbers become floats; complex ones stay complex."""
    values = np.asarray(values)
    return values.astype(np.result_type(values, float))
'''


def to_bytes(file: StencilFile) -> bytes:
    # Most weights of large matrices are zero: places and values are shorter than the array.
    places = np.flatnonzero(file.stencils)
    if len(places) > MAX_ENTRIES:
        raise SizeError(
            f"{len(places):,} non-zero weights are too many for a source file (at most {MAX_ENTRIES:,}): "
            "write an .npz file, which NumPy reads as well"
        )
    data = file.meta["discretization"]
    # Floats of Python, whose repr reads back as the same number.
    values = file.stencils.ravel()[places].tolist()
    text = TEMPLATE.format(
        title=title(file),
        writer=writer(),
        what=line(what(file)),
        layout=data["layout"],
        upwards={
            "image": " and grows upwards, against the row index",
            "grid": ", both grow",
        }[data["layout"]],
        shape=file.stencils.shape,
        orders=file.orders.tolist(),
        names=_names(file),
        spacing=tuple(float(Fraction(h)) for h in data["spacing"]),
        in_offsets=_places(data, "in", file),
        out_offsets=_places(data, "out", file),
        # Array axes run against the coordinates, with x1 last.
        dilation=tuple(data["dilation"][::-1]),
        checksum=file.meta["checksum"],
        places=_lines([str(p) for p in places.tolist()]),
        values=_lines([repr(v) for v in values]),
    )
    return text.encode()


def _names(file: StencilFile) -> list[str]:
    elements = file.meta["elements"]
    # Kernels are more than the elements of the basis, which have the names.
    if len(elements) != len(file.orders):
        return [""] * len(file.orders)
    return [str(element.get("name") or "") for element in elements]


def _places(
    data: dict[str, Any], which: str, file: StencilFile
) -> list[tuple[float, ...]]:
    places = data.get(f"{which}_offsets")
    if places is None:
        size = file.stencils.shape[{"out": 1, "in": 2}[which]]
        places = [["0"] * len(data["size"])] * size
    return [tuple(float(Fraction(s)) for s in place) for place in places]


def title(file: StencilFile) -> str:
    meta = file.meta
    question = f"{meta['group']}: {meta['in']['spec']} -> {meta['out']['spec']}, order <= {meta['order']}"
    return line(f"{question}{truncated(file)}, {len(file.orders)} elements")


def truncated(file: StencilFile) -> str:
    """The truncation of the question in words, behind a comma; nothing where all solutions are asked for."""
    truncation = truncation_from_json(file.meta.get("truncation"), file.meta["order"])
    if truncation is None:
        return ""
    return f", truncated to {truncation.text}"


def what(file: StencilFile) -> str:
    """The discretization in words."""
    data = file.meta["discretization"]
    size = "x".join(str(n) for n in data["size"])
    options = "".join(f", {k}={_short(v)}" for k, v in data["options"].items())
    spacing = ""
    if set(data["spacing"]) != {"1"}:
        spacing = f", spacing {', '.join(data['spacing'])}"
    dilation = ""
    if set(data["dilation"]) != {1}:
        dilation = f", dilation {data['dilation']}"
    staggered = ""
    if "in_offsets" in data:
        staggered = ", staggered"
    return f"{data['stencil']} {size}{options}{spacing}{dilation}{staggered}"


def _short(value: Any) -> str:
    """One number for all axes where they agree."""
    if not isinstance(value, list):
        return str(value)
    parts = [_rounded(v) for v in value]
    if len(set(parts)) == 1:
        return parts[0]
    return "[" + ", ".join(parts) + "]"


def _rounded(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)


def line(text: str) -> str:
    """Nothing that could end a docstring, or a line of a comment."""
    letters = "".join(c if c.isprintable() else "?" for c in text)
    return letters.replace("\\", "/").replace('"', "'")


def _lines(items: list[str], width: int = 110) -> str:
    lines: list[str] = []
    for item in items:
        # Four spaces at the beginning do not count; a space and a comma are added.
        if lines and len(lines[-1]) - 4 + len(item) + 2 <= width:
            lines[-1] += f" {item},"
        else:
            lines.append(f"    {item},")
    return "\n".join(lines)


FORMAT = Format("python", (".py",), to_bytes, is_text=True)

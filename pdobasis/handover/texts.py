"""Pieces of sources."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

import numpy as np

from pdobasis.handover.correlation import correlate
from pdobasis.handover.stencil_set import StencilSet
from pdobasis.version import __version__

HEAD = '''"""{title}

Stencils: {what}. Layout {layout}: the last array axis is x1, the one before it x2{upwards}.
Element k has the order ORDERS[k] and the name NAMES[k]. Written by {writer}; needs {needs} only.
"""
'''

DATA = """SHAPE = {shape}  # elements, c_out, c_in, then the axes of the stencil (the last is x1)
ORDERS = {orders}
NAMES = {names}  # the operators; "" where they have no name
SPACING = {spacing}  # of x1, x2, ..., in units of length
IN_OFFSETS = {in_offsets}  # where in the cell each channel lives, in cells along x1, x2, ...
OUT_OFFSETS = {out_offsets}
DILATION = {dilation}  # in the order of the array axes
{checksum}_PLACES = [  # of the non-zero weights in the flattened array
{places}
]
_VALUES = [
{values}
]
STENCILS = np.zeros(SHAPE)
STENCILS.flat[np.array(_PLACES, dtype=int)] = _VALUES
_WHERE = np.argwhere(STENCILS.any(axis=(0, 1, 2))).tolist()
"""


def head(stencils: StencilSet, needs: str) -> str:
    """The docstring of a module."""
    upwards = {
        "image": " and grows upwards, against the row index",
        "grid": ", both grow",
    }[stencils.layout]
    return HEAD.format(
        title=line(stencils.title),
        what=line(stencils.what),
        layout=stencils.layout,
        upwards=upwards,
        writer=f"pdobasis {__version__}",
        needs=needs,
    )


def data(stencils: StencilSet) -> str:
    """The numbers, as assignments."""
    # Most weights of large matrices are zero: places and values are shorter than the array.
    places = np.flatnonzero(stencils.weights)
    # Floats of Python, whose repr reads back as the same number.
    values = stencils.weights.ravel()[places].tolist()
    checksum = ""
    if stencils.checksum:
        checksum = (
            "# The checksum of the file that pdobasis export writes for the same question:\n"
            f'CHECKSUM = "{line(stencils.checksum)}"\n'
        )
    return DATA.format(
        shape=stencils.weights.shape,
        orders=list(stencils.orders),
        names=list(stencils.names),
        spacing=tuple(map(float, stencils.spacing)),
        in_offsets=[tuple(map(float, place)) for place in stencils.in_offsets],
        out_offsets=[tuple(map(float, place)) for place in stencils.out_offsets],
        dilation=stencils.steps,
        checksum=checksum,
        places=lines([str(p) for p in places.tolist()]),
        values=lines([repr(v) for v in values]),
    )


def correlation() -> str:
    """The function that is used in memory, as text."""
    return inspect.getsource(correlate)


def line(text: str) -> str:
    """Nothing that could end a docstring or a comment, or a line of one."""
    letters = "".join(c if c.isprintable() else "?" for c in text)
    return letters.replace("\\", "/").replace('"', "'").replace("*/", "* /")


def lines(items: Sequence[str], width: int = 110) -> str:
    """Items with commas, as many on a line as fit."""
    out: list[str] = []
    for item in items:
        # Four spaces at the beginning do not count; a space and a comma are added.
        if out and len(out[-1]) - 4 + len(item) + 2 <= width:
            out[-1] += f" {item},"
        else:
            out.append(f"    {item},")
    return "\n".join(out)

"""Stencils as inline SVG: one square for each point, red for positive and blue for negative weights, x2 upwards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

POSITIVE = (178, 24, 43)
NEGATIVE = (33, 102, 172)
ZERO = (247, 247, 247)
GAP = 0.6
"""Between the slices of a stencil in space, in squares."""


def stencil(
    values: NDArray[np.float64], scale: float, label: str, side: float = 1.05
) -> str:
    """A picture of (…, x2, x1) weights; colours are relative to ``scale``, the weight itself is the tooltip."""
    planes = np.atleast_2d(values)
    planes = planes.reshape(-1, *planes.shape[-2:])
    count, rows, columns = planes.shape
    width = count * columns + (count - 1) * GAP
    squares = []
    for k, row, column in np.ndindex(planes.shape):
        x = k * (columns + GAP) + column
        # y grows downwards in SVG, x2 upwards
        y = rows - 1 - row
        weight = float(planes[k, row, column])
        squares.append(_square(x, y, weight, scale))
    # the size is in em, so that pictures grow with the text around them
    attributes = [
        f'width="{width * side:.4g}em"',
        f'height="{rows * side:.4g}em"',
        f'viewBox="0 0 {width:.4g} {rows}"',
        'role="img"',
        f'aria-label="{label}"',
        'shape-rendering="crispEdges"',
    ]
    return f"<svg {' '.join(attributes)}>{''.join(squares)}</svg>"


def _square(x: float, y: int, value: float, scale: float) -> str:
    share = 0.0
    if scale:
        share = value / scale
    place = f'x="{x:.4g}" y="{y}"'
    rect = f'<rect {place} width="1" height="1" fill="{colour(share)}">'
    return f"{rect}<title>{value:.4g}</title></rect>"


def colour(share: float) -> str:
    """From -1 (blue) over 0 (white) to 1 (red).

    >>> colour(0.0), colour(1.0), colour(-0.5)
    ('#f7f7f7', '#b2182b', '#8caed2')
    """
    end = NEGATIVE
    if share > 0:
        end = POSITIVE
    amount = min(1.0, abs(share))
    out = "#"
    for start, stop in zip(ZERO, end, strict=True):
        level = round(start + (stop - start) * amount)
        out += f"{level:02x}"
    return out

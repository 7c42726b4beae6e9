"""Stencils as inline SVG: one square for each point, red for positive and blue for negative weights, x2 upwards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

POSITIVE, NEGATIVE, ZERO = (178, 24, 43), (33, 102, 172), (247, 247, 247)
GAP = 0.6
"""Between the slices of a stencil in space, in squares."""


def stencil(values: NDArray[np.float64], scale: float, label: str, side: float = 1.05) -> str:
    """A picture of (…, x2, x1) weights; colours are relative to ``scale``, the weight itself is the tooltip."""
    planes = np.atleast_2d(values)
    planes = planes.reshape(-1, *planes.shape[-2:])
    count, rows, columns = planes.shape
    width = count * columns + (count - 1) * GAP
    squares = [
        _square(k * (columns + GAP) + column, rows - 1 - row, float(planes[k, row, column]), scale)
        for k, row, column in np.ndindex(planes.shape)
    ]
    size = f'width="{width * side:.4g}em" height="{rows * side:.4g}em"'
    return (
        f'<svg {size} viewBox="0 0 {width:.4g} {rows}" role="img" aria-label="{label}" shape-rendering="crispEdges">'
        f"{''.join(squares)}</svg>"
    )


def _square(x: float, y: int, value: float, scale: float) -> str:
    return (
        f'<rect x="{x:.4g}" y="{y}" width="1" height="1" fill="{colour(value / scale if scale else 0.0)}">'
        f"<title>{value:.4g}</title></rect>"
    )


def colour(share: float) -> str:
    """From -1 (blue) over 0 (white) to 1 (red).

    >>> colour(0.0), colour(1.0), colour(-0.5)
    ('#f7f7f7', '#b2182b', '#8caed2')
    """
    towards = POSITIVE if share > 0 else NEGATIVE
    amount = min(1.0, abs(share))
    parts = (round(z + (t - z) * amount) for z, t in zip(ZERO, towards, strict=True))
    return "#" + "".join(f"{part:02x}" for part in parts)

"""The filters of a layer as they are now: one panel for every pair of channels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import SpecError
from pdobasis.pictures import require_matplotlib
from pdobasis.pictures.stencils import require_few

if TYPE_CHECKING:
    from pdobasis.pictures.canvas import Picture

ABREAST = 8
"""Filters in a line, where there is one input."""
PANEL = 0.55
"""Side of one filter, in inches."""


def filters_picture(
    filters: NDArray[np.float64], title: str, show: int, upwards: bool
) -> Picture:
    """(out, in, *kernel) as rows of panels in one scale of colours; at most ``show`` rows and columns.

    ``upwards``: x2 grows with the row of the array. In space the middle plane is drawn.
    """
    require_matplotlib()
    from pdobasis.pictures.canvas import Picture, without_ticks

    if isinstance(show, bool) or not isinstance(show, int) or show < 1:
        raise SpecError(f"show is a whole number from 1, got {show!r:.40}")
    planes = _planes(filters)
    own = planes[:show, :show]
    cut = ""
    if own.shape != planes.shape:
        cut = f"\n{own.shape[0]}×{own.shape[1]} of {planes.shape[0]}×{planes.shape[1]} filters"
    names = "in →, out ↓"
    if own.shape[1] == 1:
        own, names = _abreast(own), "out →"
    rows, columns = own.shape[:2]
    require_few(rows, columns)
    figure = Picture(PANEL * columns + 0.8, PANEL * rows + 0.7)
    axes = figure.subplots(rows, columns, squeeze=False)
    scale = float(np.abs(own).max(initial=0.0)) or 1.0
    origin = "lower" if upwards else "upper"
    for (r, c), axis in np.ndenumerate(axes):
        look = {"cmap": "RdBu_r", "vmin": -scale, "vmax": scale, "origin": origin}
        axis.imshow(own[r, c], interpolation="nearest", **look)
        without_ticks(axis)
    figure.suptitle(f"{title}{cut}\n{names}", fontsize=8, parse_math=False)
    return figure


def _abreast(own: NDArray[np.float64]) -> NDArray[np.float64]:
    """One column as rows of eight, the last of them filled up with zeros."""
    number = len(own)
    rows = -(-number // ABREAST)
    out = np.zeros((rows * min(number, ABREAST), *own.shape[2:]))
    out[:number] = own[:, 0]
    return out.reshape(rows, -1, *own.shape[2:])


def _planes(filters: NDArray[np.float64]) -> NDArray[np.float64]:
    """Two axes for a picture: a line is one row, space its middle plane."""
    if filters.ndim == 3:
        return filters[:, :, None]
    if filters.ndim == 5:
        return filters[:, :, filters.shape[2] // 2]
    return filters

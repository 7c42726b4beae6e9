"""Errors against angles, in polar coordinates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pdobasis.pictures import require_matplotlib

if TYPE_CHECKING:
    from pdobasis.pictures.canvas import Picture

COLOURS = ("#b2182b", "#2166ac", "#4d9221", "#7b3294")
MANY = 16
"""Angles from which on a curve is drawn through them, and not points."""


def polar_picture(
    errors: Mapping[str, tuple[Sequence[float], Sequence[float]]], title: str
) -> Picture:
    """Curves of (angles in radians, relative errors), each with a name."""
    require_matplotlib()
    from pdobasis.pictures.canvas import Picture

    figure = Picture(4.6, 4.8)
    axis: Any = figure.add_subplot(projection="polar")
    for k, (name, (angles, radii)) in enumerate(errors.items()):
        look = {"color": COLOURS[k % len(COLOURS)], "label": name}
        if len(angles) >= MANY:
            # closed: the last angle is next to the first
            around = [*angles, angles[0] + 2 * np.pi]
            axis.plot(around, [*radii, radii[0]], linewidth=1.5, **look)
        axis.plot(angles, radii, ".", color=look["color"])
        if len(angles) < MANY:
            axis.vlines(angles, 0, radii, linewidth=1.2, **look)
    axis.set_rlabel_position(22.5)
    axis.tick_params(labelsize=7)
    axis.set_ylim(bottom=0)
    if len(errors) > 1:
        axis.legend(fontsize=7, loc="upper right", bbox_to_anchor=(1.15, 1.1))
    figure.suptitle(title, fontsize=9, parse_math=False)
    return figure

"""Pictures of layers: their filters, and how far they miss equivariance at every angle."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from pdobasis.groups.group import Group
from pdobasis.layers.errors import LayerError
from pdobasis.nn.equivariance import check_equivariance, first_type
from pdobasis.nn.steerable import Steerable
from pdobasis.pictures import require_matplotlib

if TYPE_CHECKING:
    from pdobasis.pictures.canvas import Picture

ANGLES = 72
"""Of a continuous group: steps of five degrees."""
SIZE = 41
"""Points along an axis of the images that are turned."""


def plot_equivariance(
    module: nn.Module,
    *,
    angles: Sequence[float] | None = None,
    size: int = SIZE,
    seed: int = 0,
) -> Picture:
    """|f(g·x) - g·f(x)| / |f(x)| against the angle of g, for a layer or a network in the plane, in polar coordinates.

    ``angles`` (in degrees) are those of the rotations in the group, by default: all of C_N and D_N, and every five
    degrees for SO(2) and O(2). Images are smooth random fields of ``size`` × ``size`` points, turned by interpolation,
    which alone is seen at angles that the grid does not have. Needs the extra ``pdobasis[plot]``.

    Parameters
    ----------
    module : nn.Module
        A layer or a network in the plane.
    angles : sequence of float, optional
        In degrees.
    size : int
        Points along every axis of the images.
    seed : int
        Of the random fields.

    Returns
    -------
    Picture
        To be shown by a notebook, or saved.

    Raises
    ------
    LayerError
        What is given is no module.
    MissingExtraError
        matplotlib is not installed.

    Examples
    --------
    >>> from pdobasis.nn import PDOConv2d
    >>> layer = PDOConv2d("D4", "trivial", "vector", order=1, size=3, padding=1)
    >>> picture = plot_equivariance(layer, angles=[0, 90], size=9)
    """
    require_matplotlib()
    from pdobasis.pictures.polar import polar_picture

    if not isinstance(module, nn.Module):
        raise LayerError(
            f"a picture of equivariance is that of a layer, got {module!r:.60}"
        )
    source = first_type(module, "in_type", 0)
    group = source.terms[0][0].group
    found = _angles(group, angles)
    turns = [_rotation(angle) for angle in found]
    report = check_equivariance(module, elements=turns, size=size, seed=seed)
    errors = report.errors
    title = f"{type(module).__name__}, {group.name}: relative error against the angle\nlargest {max(errors):.2g}"
    return polar_picture({"error": (found, errors)}, title)


def _angles(group: Group, given: Sequence[float] | None) -> list[float]:
    """In radians: those that were given, or the rotations of the group."""
    if group.dim != 2 or not group.is_orthogonal:
        raise LayerError(
            f"angles are those of rotations of the plane, and {group.name} has none: use check_equivariance"
        )
    if given is not None:
        return [float(angle) * pi / 180 for angle in given]
    if group.lie:
        return [2 * pi * k / ANGLES for k in range(ANGLES)]
    from pdobasis.exact.numbers import to_float

    every = [to_float(g) for g in group.elements]
    turns = [g for g in every if np.linalg.det(g) > 0]
    return sorted(float(np.arctan2(g[1, 0], g[0, 0])) % (2 * pi) for g in turns)


def _rotation(angle: float) -> NDArray[np.float64]:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def plot_filters(layer: Steerable, filters: Tensor, layout: str, show: int) -> Picture:
    """Filters (out channels, in channels of a group, *kernel) as they are now."""
    require_matplotlib()
    from pdobasis.pictures.filters import filters_picture

    with torch.no_grad():
        own = filters.detach().double().cpu().numpy()
    group = layer.in_type.group.name
    title = f"{type(layer).__name__}, {group}: {layer.in_type} → {layer.out_type}"
    return filters_picture(own, title, show, layout == "grid")

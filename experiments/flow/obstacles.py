"""Obstacles as polygons, and the signed distance to them: negative inside."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
SHAPES = ("circle", "ellipse", "square", "triangle", "diamond", "polygon")
ROUND = 96
"""Corners of a circle."""


def obstacle(kind: str, centre: tuple[float, float], radius: float, random: np.random.Generator) -> Points:
    """Corners (n, 2), counter-clockwise; ``radius`` is the distance of the farthest from the centre."""
    turn = random.uniform(0, 2 * np.pi)
    if kind in ("circle", "ellipse"):
        angles = np.arange(ROUND) * 2 * np.pi / ROUND
        flat = random.uniform(0.5, 0.8) if kind == "ellipse" else 1.0
        corners = np.stack([np.cos(angles), flat * np.sin(angles)], 1)
    elif kind == "polygon":
        angles = np.sort(random.uniform(0, 2 * np.pi, 3) / 3 + np.arange(3) * 2 * np.pi / 3)
        angles = np.sort(np.concatenate([angles, angles + 0.9]))
        corners = np.stack([np.cos(angles), np.sin(angles)], 1)
    else:
        count = 3 if kind == "triangle" else 4
        angles = np.arange(count) * 2 * np.pi / count
        corners = np.stack([np.cos(angles), np.sin(angles)], 1)
        if kind == "diamond":
            corners = corners * [1.0, 0.6]
        if kind == "square":
            turn = np.pi / 4
    cos, sin = np.cos(turn), np.sin(turn)
    rotation = np.array([[cos, -sin], [sin, cos]])
    return np.asarray(np.array(centre) + radius * corners @ rotation.T)


def signed_distance(corners: Points, x: Points, y: Points) -> Points:
    """To the border of a convex or concave polygon, at every point of a grid.

    >>> square = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    >>> signed_distance(square, np.array([0.0, 3.0, 4.0]), np.array([0.0, 0.0, 5.0])).tolist()
    [-1.0, 2.0, 5.0]
    """
    places = np.stack([x, y], -1)
    best = np.full(x.shape, np.inf)
    inside = np.zeros(x.shape, dtype=bool)
    for a, b in zip(corners, np.roll(corners, -1, 0), strict=True):
        edge, to = b - a, places - a
        along = np.clip((to @ edge) / (edge @ edge), 0, 1)
        best = np.minimum(best, np.hypot(*np.moveaxis(to - along[..., None] * edge, -1, 0)))
        # A ray to the right crosses the edge: an odd number of crossings is inside.
        crosses = (a[1] > y) != (b[1] > y)
        slope = np.where(b[1] == a[1], 1.0, b[1] - a[1])
        inside ^= crosses & (x < a[0] + (y - a[1]) / slope * (b[0] - a[0]))
    return np.where(inside, -best, best)

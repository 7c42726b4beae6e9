r"""A test image that is turned by hand, with an operator applied to it.

The image is a sum of Gaussian blobs with random amplitudes, so that it is known between the points of the grid: turned
by g it is $\rho_{in}(g) f(g^{-1}x)$, without interpolation. Two pictures are compared: the operator applied to the
turned image, and the turned result of the operator on the image. What differs is the stencil's error, and nothing else.
"""

from __future__ import annotations

import base64
import struct
import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pdobasis_tables.svg import NEGATIVE, POSITIVE, ZERO

from pdobasis.stencils.sampled import Sampled
from pdobasis_explore.polar import Turn

SIDE = 41
"""Points along each side of the picture."""
BLOBS = 7
ARROWS = 5
"""An arrow for so many points along each axis."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Turned:
    """Three pictures as HTML, and how far the last two are from each other."""

    image: str
    of_turned: str
    turned_of: str
    error: float


def turned(sampled: Sampled, element: int, turn: Turn) -> Turned:
    """The element applied before and after a turn of the plane."""
    weights = sampled.stencils[element]
    weights = weights.reshape(*weights.shape[:2], -1)
    nodes = sampled.grid.coordinates()
    field = Blobs(weights.shape[1])
    axis = np.arange(SIDE) - (SIDE - 1) / 2
    x1, x2 = np.meshgrid(axis, axis)
    points = np.stack([x1, x2], axis=-1).reshape(-1, 2)
    back = np.linalg.inv(turn.g)
    # the turned image, at the points and at all nodes around them
    image = field(points @ back.T) @ turn.rho_in.T
    first = np.zeros((len(points), weights.shape[0]))
    second = np.zeros_like(first)
    for k, node in enumerate(nodes):
        around = field((points + node) @ back.T) @ turn.rho_in.T
        first += around @ weights[:, :, k].T
        second += field(points @ back.T + node) @ weights[:, :, k].T
    second = second @ turn.rho_out.T
    scale = float(np.abs(second).max(initial=0.0)) or 1.0
    whole = float(np.sqrt((second**2).sum())) or 1.0
    error = float(np.sqrt(((first - second) ** 2).sum())) / whole
    return Turned(
        _drawn(image, float(np.abs(image).max()) or 1.0, "the turned image"),
        _drawn(first, scale, "the operator on the turned image"),
        _drawn(second, scale, "the turned result of the operator"),
        error,
    )


class Blobs:
    """A smooth field of so many channels; the same every time."""

    def __init__(self, channels: int) -> None:
        numbers = np.random.default_rng(7)
        self.centres = numbers.uniform(-11, 11, (BLOBS, 2))
        self.widths = numbers.uniform(2.2, 4.2, BLOBS)
        self.amplitudes = numbers.normal(size=(BLOBS, channels))

    def __call__(self, points: Array) -> Array:
        distances = ((points[:, None] - self.centres) ** 2).sum(axis=-1)
        blobs: Array = np.exp(-distances / (2 * self.widths**2)) @ self.amplitudes
        return blobs


def _drawn(values: Array, scale: float, label: str) -> str:
    """One channel by colour; several by their norm, and two of them as arrows over it."""
    channels = values.shape[1]
    shown = values[:, 0] if channels == 1 else np.sqrt((values**2).sum(axis=1))
    top = scale if channels == 1 else float(shown.max(initial=0.0)) or 1.0
    # x2 grows upwards in the picture
    square = shown.reshape(SIDE, SIDE)[::-1] / top
    picture = f'<img src="{png(colours(square))}" alt="{label}" width="{SIDE}" height="{SIDE}">'
    if channels != 2:
        return picture
    return picture + _arrows(values.reshape(SIDE, SIDE, 2), top)


def _arrows(values: Array, top: float) -> str:
    lines = []
    start = ARROWS // 2
    for row in range(start, SIDE, ARROWS):
        for column in range(start, SIDE, ARROWS):
            u, v = values[row, column] / top * ARROWS
            x, y = column + 0.5, SIDE - row - 0.5
            lines.append(
                f'<line x1="{x:.2f}" y1="{y:.2f}" x2="{x + u:.2f}" y2="{y - v:.2f}"/>'
            )
            lines.append(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="0.35"/>')
    return f'<svg class="arrows" viewBox="0 0 {SIDE} {SIDE}" aria-hidden="true">{"".join(lines)}</svg>'


def colours(share: Array) -> NDArray[np.uint8]:
    """From -1 (blue) over 0 (white) to 1 (red), as in pictures of stencils."""
    amount = np.clip(np.abs(share), 0, 1)[..., None]
    end = np.where(share[..., None] > 0, POSITIVE, NEGATIVE)
    levels = np.array(ZERO) + (end - np.array(ZERO)) * amount
    whole: NDArray[np.uint8] = np.round(levels).astype(np.uint8)
    return whole


def png(pixels: NDArray[np.uint8]) -> str:
    """A picture (rows, columns, 3) as an address that holds it."""
    rows, columns, _ = pixels.shape
    # every row begins with the number of its filter: none
    raw = b"".join(b"\0" + row.tobytes() for row in pixels)
    head = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    parts = (b"IHDR" + head, b"IDAT" + zlib.compress(raw), b"IEND")
    data = b"\x89PNG\r\n\x1a\n"
    for part in parts:
        data += (
            struct.pack(">I", len(part) - 4)
            + part
            + struct.pack(">I", zlib.crc32(part))
        )
    return "data:image/png;base64," + base64.b64encode(data).decode()

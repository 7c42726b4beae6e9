"""Fields at several resolutions: random blobs, turned by splines, scaled down by means over blocks, and filtered."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pdobasis.exact.array import ExactArray
from pdobasis.exact.numbers import to_float
from pdobasis.stencils import Grid

SPLINE = 5


def blobs(
    channels: int,
    shape: Sequence[int],
    above: int,
    widths: tuple[float, float],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Blobs away from the border, at the resolution above the layer's."""
    axes = [(np.arange(n * above) - (n * above - 1) / 2) / above for n in shape]
    field = np.zeros((channels, *(n * above for n in shape)))
    room = min(shape) / 2
    for channel in range(channels):
        for _ in range(12):
            width = rng.uniform(*widths) * min(1.0, room / 24)
            centre = rng.uniform(-0.3, 0.3, len(shape)) * room
            blob = np.ones(())
            for axis, c in zip(axes, centre, strict=True):
                blob = np.multiply.outer(
                    blob, np.exp(-((axis - c) ** 2) / (2 * width**2))
                )
            field[channel] += rng.standard_normal() * blob
    return field


def scaled_down(field: NDArray[np.float64], factor: int) -> NDArray[np.float64]:
    """Means over blocks; the centre stays where it is."""
    for axis in range(1, field.ndim):
        n = field.shape[axis]
        # What does not fill a block is taken off both ends alike.
        cut = n % factor
        field = np.take(field, np.arange(cut // 2, n - (cut - cut // 2)), axis=axis)
        parts = (*field.shape[:axis], n // factor, factor, *field.shape[axis + 1 :])
        field = field.reshape(parts).mean(axis=axis + 1)
    return field


def turned(
    field: NDArray[np.float64], g: ExactArray, grid: Grid
) -> NDArray[np.float64]:
    """f(g^{-1} x), interpolated by splines around the centre of the array."""
    from scipy.ndimage import affine_transform

    frame = _frame(grid)
    # g^{-1}, in steps of the array.
    matrix = np.linalg.inv(frame) @ np.linalg.inv(to_float(g)) @ frame
    centre = (np.array(field.shape[1:]) - 1) / 2
    # SciPy reads the point y of the result at matrix y + offset: this offset fixes the centre.
    return np.stack(
        [
            affine_transform(c, matrix, centre - matrix @ centre, order=SPLINE)
            for c in field
        ]
    )


def _frame(grid: Grid) -> NDArray[np.float64]:
    """The matrix that takes steps along the array axes to coordinates x1, ..., xd."""
    frame = np.zeros((grid.dim, grid.dim))
    for i, h in enumerate(grid.spacing):
        frame[i, grid.dim - 1 - i] = float(h)
        if grid.descends(i):
            frame[i, grid.dim - 1 - i] = -float(h)
    return np.asarray(grid.frame @ frame)


def correlated(
    layer: NDArray[np.float64], field: NDArray[np.float64], grid: Grid
) -> NDArray[np.float64]:
    """Cross-correlation where the whole stencil fits."""
    steps = grid.dilation[::-1]
    space = [
        n - (k - 1) * d
        for n, k, d in zip(field.shape[1:], layer.shape[2:], steps, strict=True)
    ]
    out = np.zeros((layer.shape[0], *space))
    for place in np.ndindex(*layer.shape[2:]):
        window = tuple(
            slice(p * d, p * d + n) for p, d, n in zip(place, steps, space, strict=True)
        )
        out += np.tensordot(
            layer[(slice(None), slice(None), *place)], field[(slice(None), *window)], 1
        )
    return out


def disc(shape: Sequence[int], grid: Grid) -> NDArray[np.bool_]:
    """The points of an array that rotations leave in it: they bring in zeros from outside at the corners."""
    axes = np.meshgrid(*(np.arange(n) - (n - 1) / 2 for n in shape), indexing="ij")
    if grid.lattice is None:
        return np.asarray(sum(axis**2 for axis in axes) <= (0.45 * min(shape)) ** 2)
    frame = _frame(grid)
    # The faces of the array are n_i / 2 |row i of the inverse| away from its middle.
    heights = np.array(shape) / np.linalg.norm(np.linalg.inv(frame), axis=1)
    squares = sum(np.tensordot(row, np.stack(axes), 1) ** 2 for row in frame)
    return np.asarray(squares <= (0.45 * heights.min()) ** 2)

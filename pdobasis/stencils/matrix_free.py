"""Operators on whole grids that are applied without their matrix: SciPy's `LinearOperator`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.stencils.assemble import Cells
from pdobasis.stencils.bounded import BoundedGrid, along_axis
from pdobasis.stencils.matrices import (
    Shapes,
    check_periodic,
    unflattened,
)
from pdobasis.stencils.sampled import Sampled

Array = NDArray[np.float64]
Apply = Callable[[list[Array]], list[Array]]


def periodic_operators(sampled: Sampled, shape: Sequence[int]) -> list[Any]:
    """One operator per element: correlations with its stencils, on a periodic grid."""
    space = check_periodic(sampled, shape)
    return [_correlation(_spread(s, sampled), space) for s in sampled.stencils]


def _spread(stencil: Array, sampled: Sampled) -> Array:
    """With zeros between the nodes of a dilated stencil."""
    steps = sampled.grid.dilation[::-1]
    sizes = [(n - 1) * k + 1 for n, k in zip(stencil.shape[2:], steps, strict=True)]
    out = np.zeros((*stencil.shape[:2], *sizes))
    inside: tuple[Any, ...] = tuple(slice(None, None, k) for k in steps)
    out[(slice(None), slice(None), *inside)] = stencil
    return out


def _correlation(stencil: Array, space: tuple[int, ...]) -> Any:
    from scipy.ndimage import correlate

    # The transposed matrix is the mirrored stencil, rows and columns exchanged.
    axes = tuple(range(2, stencil.ndim))
    mirrored = np.swapaxes(np.flip(stencil, axes), 0, 1)

    def apply(weights: Array) -> Apply:
        def applied(parts: list[Array]) -> list[Array]:
            out = []
            for row in weights:
                total = np.zeros(space)
                for own, part in zip(row, parts, strict=True):
                    if own.any():
                        total += correlate(part, own, mode="wrap")
                out.append(total)
            return out

        return applied

    c_out, c_in = stencil.shape[:2]
    return _linear(apply(stencil), apply(mirrored), (space,) * c_in, (space,) * c_out)


def bounded_operator(grid: BoundedGrid, cells: Cells) -> Any:
    """Sums of products of derivatives along the axes: nothing larger than a field is made."""

    def forward(parts: list[Array]) -> list[Array]:
        out = [np.zeros(shape) for shape in grid.shapes_out]
        for (o, i), p in cells.items():
            for alpha, value in p.items():
                out[o] += value * _through(grid, o, i, alpha, parts[i], False)
        return out

    def backward(parts: list[Array]) -> list[Array]:
        out = [np.zeros(shape) for shape in grid.shapes_in]
        for (o, i), p in cells.items():
            for alpha, value in p.items():
                out[i] += value * _through(grid, o, i, alpha, parts[o], True)
        return out

    return _linear(forward, backward, grid.shapes_in, grid.shapes_out)


def _through(
    grid: BoundedGrid, o: int, i: int, alpha: tuple[int, ...], part: Array, back: bool
) -> Array:
    for k, order in enumerate(alpha):
        own = grid.inside(o, i, k, order)
        if back:
            own = own.T
        part = along_axis(own, part, len(alpha) - 1 - k)
    return part


def _linear(
    forward: Apply, backward: Apply, shapes_in: Shapes, shapes_out: Shapes
) -> Any:
    from scipy.sparse.linalg import LinearOperator

    def through(apply: Apply, before: Shapes) -> Callable[[Array], Array]:
        def product(vector: Array) -> Array:
            parts = list(unflattened(np.asarray(vector, float).ravel(), before))
            return np.concatenate([part.ravel() for part in apply(parts)])

        return product

    rows, columns = (sum(int(np.prod(s)) for s in t) for t in (shapes_out, shapes_in))
    return LinearOperator(
        (rows, columns),
        matvec=through(forward, shapes_in),
        rmatvec=through(backward, shapes_out),
        dtype=np.float64,
    )

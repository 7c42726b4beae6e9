r"""Which matrices map a grid to itself, and stencils under all of them.

The points of a grid are $H\mathbb{Z}^d$ with $H = \mathrm{diag}(h_1, …, h_d)$, and g maps them to themselves when
$M = H^{-1} g H$ has whole entries and determinant ±1: signed permutations where g keeps lengths, and more where it does
not, such as the sixfold turn of a hexagonal lattice in skew coordinates. Such a g may take nodes of a stencil out
of its box. A stencil is zero there, and that is what its value is compared with.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm, prod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.exact.array import ExactArray
from pdobasis.stencils.grids import Grid


def whole_matrix(
    g: ExactArray, spacing: tuple[Fraction, ...] | None = None
) -> NDArray[np.int64] | None:
    """H^{-1} g H in whole numbers, if g maps the points of a grid with these spacings (1 by default) to themselves."""
    # The first element of a field's basis is 1: a part along the others is no whole number.
    if not g.is_rational:
        return None
    steps = spacing or (Fraction(1),) * g.shape[0]
    rows = []
    for h_row, row in zip(steps, g.numerators[..., 0].tolist(), strict=True):
        scaled = [
            Fraction(v, g.denominator) * h / h_row
            for v, h in zip(row, steps, strict=True)
        ]
        if any(v.denominator != 1 or abs(v) > MAX_ENTRY for v in scaled):
            return None
        rows.append([int(v) for v in scaled])
    matrix = np.array(rows, dtype=np.int64)
    # In floating point, which is exact enough to tell ±1 from other whole numbers of this size.
    if abs(round(float(np.linalg.det(matrix)))) != 1:
        return None
    return matrix


MAX_ENTRY = 1000
"""A matrix with larger entries takes every node but the origin out of every stencil; its products might overflow."""


def inverse_of(m: NDArray[np.int64]) -> NDArray[np.int64]:
    """The inverse of a matrix of whole numbers with determinant ±1."""
    return np.rint(np.linalg.inv(m)).astype(np.int64)


def keeps_places(m: NDArray[np.int64], grid: Grid) -> bool:
    """Whether m takes points where a node may be, relative to the target, to others: M o - o is whole for a node o."""
    first = [
        x / h
        for x, h in zip(
            (grid.axis_nodes(i)[0] for i in range(grid.dim)), grid.spacing, strict=True
        )
    ]
    moved = [
        sum((int(v) * x for v, x in zip(row, first, strict=True)), Fraction(0))
        for row in m
    ]
    return all((a - b).denominator == 1 for a, b in zip(moved, first, strict=True))


def images_of_nodes(m: NDArray[np.int64], grid: Grid) -> NDArray[np.int64]:
    """The number of the node M y for every node y, in the order of the flattened array; -1 where that is no node.

    A sixfold turn in skew coordinates takes two corners of a 3×3 box out of it:

    >>> images_of_nodes(np.array([[1, -1], [1, 0]]), Grid.regular(2, 3)).tolist()
    [1, 5, -1, 0, 4, 8, -1, 3, 7]
    """
    points, parts = _whole_points(grid)
    moved = points @ m.T
    found = np.zeros(len(points), dtype=np.int64)
    inside = np.ones(len(points), dtype=bool)
    for axis in reversed(range(grid.dim)):  # the order of the array axes
        low, step = points[:, axis].min(), parts * grid.dilation[axis]
        index, rest = np.divmod(moved[:, axis] - low, step)
        inside &= (rest == 0) & (index >= 0) & (index < grid.size[axis])
        if grid.descends(axis):
            index = grid.size[axis] - 1 - index
        found = found * grid.size[axis] + index
    return np.where(inside, found, -1)


def _whole_points(grid: Grid) -> tuple[NDArray[np.int64], int]:
    """The nodes in steps of the grid divided by ``parts``, which makes them whole."""
    steps = [[x / h for x in grid.axis_nodes(i)] for i, h in enumerate(grid.spacing)]
    parts = lcm(*(x.denominator for line in steps for x in line))
    lines = [np.array([int(x * parts) for x in line], dtype=np.int64) for line in steps]
    ones = [np.ones(n, dtype=np.int64) for n in grid.size]
    columns = [
        grid.lay_out([*ones[:i], line, *ones[i + 1 :]]).ravel()
        for i, line in enumerate(lines)
    ]
    return np.stack(columns, axis=-1), parts


def lattice_defect(
    w: NDArray[np.float64],
    grid: Grid,
    m: NDArray[np.int64],
    rho_out: ArrayLike,
    rho_in: ArrayLike,
) -> float:
    r"""The largest $|\rho_{out}(g) W(g^{-1} y) \rho_{in}(g)^{-1} - W(y)|$ over all points y, over the largest |W|.

    ``w`` is (elements, c_out, c_in, *shape), zero at points that are no nodes; ``m`` is g in steps of the grid.
    """
    # Nodes before channels, which @ multiplies.
    flat = np.moveaxis(w.reshape(*w.shape[:3], prod(grid.size)), 3, 1)
    scale = float(np.abs(flat).max(initial=0.0)) or 1.0
    out = np.asarray(rho_out, dtype=float)
    moved = out @ flat @ np.linalg.inv(np.asarray(rho_in, dtype=float))
    images = images_of_nodes(m, grid)
    stays = images >= 0
    arrived = np.zeros_like(flat)
    arrived[:, images[stays]] = moved[:, stays]
    inside = np.abs(arrived - flat).max(initial=0.0)
    outside = np.abs(moved[:, ~stays]).max(initial=0.0)
    return float(max(inside, outside)) / scale

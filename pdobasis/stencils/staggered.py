r"""Staggered grids: components of a field that live at different places of a cell (the Arakawa C-grid).

Component i of the input lives at $\mathbb{Z}^d + s_i$ and component o of the output at $\mathbb{Z}^d + t_o$
(in cells), so the stencil that takes one to the other has its nodes at $y \in \mathbb{Z}^d + s_i - t_o$. All
stencils of one operator lie in arrays of one odd size n; where the difference is half a cell along an axis,
only the n - 1 nodes that are symmetric around the target carry weight.

A symmetry g of the grid must take places to places: $g s_j \equiv s_i$ modulo whole cells wherever
$\rho(g)_{ij} \ne 0$.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.errors import require_type
from pdobasis.stencils.arrays import numbers
from pdobasis.stencils.errors import (
    GridError,
    IncompatibleOffsetsError,
    ShapeError,
    StaggeredTooSmallError,
    StencilTooSmallError,
)
from pdobasis.stencils.grids import Grid
from pdobasis.stencils.multi_index import MultiIndex
from pdobasis.stencils.results import MonomialStencils
from pdobasis.stencils.symmetry import equivariance_defect

Offset = tuple[Fraction, ...]
Method = Callable[[Sequence[MultiIndex], Grid], MonomialStencils]
HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True, eq=False)
class StaggeredStencils:
    """Monomial stencils per pair of components: weights (c_out, c_in, monomials, *array_shape).

    ``grids[o][i]`` holds the places of the array entries of pair (o, i), relative to the target.

    Attributes
    ----------
    grids : tuple of tuples of Grid
        Of every pair of an output and an input component.
    weights : array
        (c_out, c_in, monomials, *array_shape).

    Examples
    --------
    >>> from pdobasis.stencils import finite_difference
    >>> found = staggered(finite_difference, [(1,)], Grid.regular(1, 3), [(HALF,)], [(Fraction(0),)])
    >>> found.combine(np.full((1, 1, 1, 1), 2.0)).tolist()
    [[[[0.0, -2.0, 2.0]]]]
    """

    grids: tuple[tuple[Grid, ...], ...]
    weights: NDArray[np.float64]

    def __post_init__(self) -> None:
        self.weights.setflags(write=False)

    def combine(self, coefficients: NDArray[np.float64]) -> NDArray[np.float64]:
        """Stencils (elements, c_out, c_in, *shape) from coefficients (elements, c_out, c_in, monomials)."""
        if coefficients.ndim != 4 or coefficients.shape[1:] != self.weights.shape[:3]:
            raise ShapeError(
                f"coefficients (elements, {self.weights.shape[:3]}) are needed, got {coefficients.shape}"
            )
        return np.asarray(np.einsum("eoim,oim...->eoi...", coefficients, self.weights))


def staggered(
    method: Method,
    alphas: Sequence[MultiIndex],
    grid: Grid,
    out_offsets: Sequence[Sequence[Fraction]],
    in_offsets: Sequence[Sequence[Fraction]],
    used: NDArray[np.bool_] | None = None,
) -> StaggeredStencils:
    """Discretize every pair of components with ``method``; ``grid``, odd and centred, holds the arrays.

    ``used`` (c_out, c_in, monomials) says which derivatives a pair needs; the others, for which there may be too few
    nodes half a cell away, are not sampled.

    Parameters
    ----------
    method : callable
        Derivatives and a grid to `MonomialStencils`, as `finite_difference`.
    alphas : sequence of MultiIndex
        Of the derivatives.
    grid : Grid
        The nodes.
    out_offsets : sequence of offsets
        Where each output component lives, in cells, x1 first.
    in_offsets : sequence of offsets
        The same for the input.
    used : array, optional
        (c_out, c_in, monomials).

    Returns
    -------
    StaggeredStencils
        For every pair of components.

    Examples
    --------
    >>> from pdobasis.stencils import finite_difference
    >>> found = staggered(finite_difference, [(1,)], Grid.regular(1, 3), [(HALF,)], [(Fraction(0),)])
    >>> found.weights.tolist()
    [[[[0.0, -1.0, 1.0]]]]
    """
    outs, ins = (
        check_offsets(out_offsets, grid.dim),
        check_offsets(in_offsets, grid.dim),
    )
    grids = tuple(tuple(shifted(grid, t, s) for s in ins) for t in outs)
    if used is None:
        used = np.ones((len(outs), len(ins), len(alphas)), dtype=np.bool_)
    # Few pairs of components differ in their offset, and those that agree share their stencils.
    needed: dict[Grid, NDArray[np.bool_]] = {}
    for row, wanted in zip(grids, used, strict=True):
        for inner, own in zip(row, wanted, strict=True):
            needed[inner] = needed.get(inner, np.zeros_like(own)) | own
    sampled = {
        inner: between(method, alphas, inner, own) for inner, own in needed.items()
    }
    weights = np.array([[sampled[inner] for inner in row] for row in grids])
    return StaggeredStencils(grids, weights)


def between(
    method: Method, alphas: Sequence[MultiIndex], inner: Grid, used: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Weights (monomials, *array_shape) of the derivatives that are used, on nodes of a `shifted` grid; else zero."""
    weights = np.zeros((len(alphas), *inner.array_shape))
    some = [alpha for alpha, wanted in zip(alphas, used, strict=True) if wanted]
    if not some:
        return weights
    try:
        weights[used] = _embed(method(some, _symmetric_part(inner)), inner)
    except StencilTooSmallError as error:
        if not inner.offset[error.axis]:
            raise
        raise StaggeredTooSmallError(error.order, error.axis, error.size) from None
    return weights


def shifted(grid: Grid, target: Offset, source: Offset) -> Grid:
    """The nodes of a stencil between two places of the cell, relative to the target."""
    if (
        any(n % 2 == 0 or n < 3 for n in grid.size)
        or any(grid.offset)
        or any(n != 1 for n in grid.dilation)
    ):
        raise GridError(
            "a staggered stencil needs an odd, centred grid of size 3 or more without dilation"
        )
    offset = tuple(s - t for s, t in zip(source, target, strict=True))
    return Grid(grid.size, grid.spacing, grid.dilation, offset, grid.layout)


def check_offsets(
    offsets: Sequence[Sequence[Fraction]], dim: int, components: int | None = None
) -> tuple[Offset, ...]:
    """One place per component, 0 or a half along each axis."""
    result = tuple(tuple(Fraction(s) for s in offset) for offset in offsets)
    if components is not None and len(result) != components:
        raise GridError(
            f"offsets need one place for each of {components} components, got {len(result)}"
        )
    for offset in result:
        if len(offset) != dim or any(s not in (0, HALF) for s in offset):
            raise GridError(
                f"an offset needs {dim} entries, 0 or 1/2 each, got {tuple(str(s) for s in offset)}"
            )
    return result


def check_places(g: ArrayLike, rho: ArrayLike, offsets: Sequence[Offset]) -> None:
    """Refuse a representation that mixes components whose places g does not exchange.

    >>> half = Fraction(1, 2)
    >>> turn = [[0, -1], [1, 0]]
    >>> check_places(turn, turn, [(half, Fraction(0)), (Fraction(0), half)])

    Parameters
    ----------
    g : array_like
        A signed permutation matrix.
    rho : array_like
        Matrix of g on the components.
    offsets : sequence of offsets
        Where each component lives, in cells, x1 first.

    Raises
    ------
    ShapeError
        Another number of places than of components.
    IncompatibleOffsetsError
        Components that are mixed, and whose places are not carried to each other.
    """
    matrix, mixed = numbers(g, "g", 2), numbers(rho, "rho", 2)
    require_type(offsets, (list, tuple), "offsets", "a list of places")
    if len(offsets) != len(mixed):
        raise ShapeError(
            f"{len(mixed)} components need as many places, got {len(offsets)}"
        )
    for row, column in zip(*np.nonzero(mixed), strict=True):
        moved = tuple(
            sum(
                (int(matrix[i, j]) * s for j, s in enumerate(offsets[column])),
                Fraction(0),
            )
            % 1
            for i in range(len(matrix))
        )
        if moved != tuple(s % 1 for s in offsets[row]):
            shown = [tuple(str(s) for s in place) for place in (offsets[row], moved)]
            raise IncompatibleOffsetsError(int(row), int(column), *shown)


def staggered_defect(
    w: NDArray[np.float64],
    grids: Sequence[Sequence[Grid]],
    g: ArrayLike,
    rho_out: ArrayLike,
    rho_in: ArrayLike,
) -> float:
    """`equivariance_defect` of stencils (elements, c_out, c_in, *shape), on one finer, centred lattice.

    Parameters
    ----------
    w : array
        The stencils.
    grids : sequence of sequences of Grid
        The grid of every pair of components.
    g : array_like
        A signed permutation matrix.
    rho_out : array_like
        Matrix of g on the output.
    rho_in : array_like
        Matrix of g on the input.

    Returns
    -------
    float
        Relative.

    Examples
    --------
    >>> from pdobasis.stencils import finite_difference
    >>> found = staggered(finite_difference, [(1,)], Grid.regular(1, 3), [(HALF,)], [(Fraction(0),)])
    >>> derivative = found.combine(np.ones((1, 1, 1, 1)))
    >>> [staggered_defect(derivative, found.grids, [[-1]], [[sign]], [[1]]) for sign in (-1, 1)]
    [0.0, 2.0]
    """
    first = grids[0][0]
    # On a lattice fine enough for all offsets, every component lives at nodes, and the usual check applies.
    parts = lcm(*(s.denominator for row in grids for grid in row for s in grid.offset))
    # Equal along all axes, so that a symmetry may exchange them.
    reach = [max(parts * (n // 2) + parts for n in first.size)] * first.dim
    fine = np.zeros((*w.shape[:3], *(2 * r + 1 for r in reach)))
    for o, row in enumerate(grids):
        for i, grid in enumerate(row):
            # array axes: x1 is the last
            places = tuple(
                _fine_indices(grid, axis, parts, reach[axis])
                for axis in reversed(range(first.dim))
            )
            for e in range(w.shape[0]):
                fine[e, o, i][np.ix_(*places)] = w[e, o, i]
    return equivariance_defect(fine, g, rho_out, rho_in, first.layout)


def _fine_indices(grid: Grid, axis: int, parts: int, reach: int) -> list[int]:
    indices = [
        int(parts * x / grid.spacing[axis]) + reach for x in grid.axis_nodes(axis)
    ]
    if grid.descends(axis):
        return [2 * reach - k for k in indices[::-1]]
    return indices


def _symmetric_part(grid: Grid) -> Grid:
    """Without the last node along an axis shifted by +1/2, or the first along one shifted by -1/2."""
    # An even size has its nodes at half cells by itself, so the offset is gone.
    size = tuple(n - bool(s) for n, s in zip(grid.size, grid.offset, strict=True))
    return Grid(
        size, grid.spacing, grid.dilation, (Fraction(0),) * grid.dim, grid.layout
    )


def _embed(stencils: MonomialStencils, grid: Grid) -> NDArray[np.float64]:
    """The weights of the symmetric part, with zeros at the node left out along each shifted axis."""
    pads = []
    for axis in reversed(range(grid.dim)):
        pad = {0: (0, 0), HALF: (0, 1), -HALF: (1, 0)}[grid.offset[axis]]
        # The first node is then the last in the array.
        if grid.descends(axis):
            pad = pad[::-1]
        pads.append(pad)
    return np.pad(stencils.weights, [(0, 0), *pads])

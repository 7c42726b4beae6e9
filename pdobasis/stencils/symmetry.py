r"""The point group of a grid acting on stencils.

Let $\lambda_P(f) = \sum_y W_P(y) f(y)$ approximate $D(P) f(0)$. For an orthogonal g,
$D(P)(f \circ g) = (D(P \circ g^T) f) \circ g$ by the chain rule. A discretization respects g when the same
holds for its stencils, $\lambda_P(f \circ g) = \lambda_{P \circ g^T}(f)$, that is
$W_P(g^{-1} y) = W_{P \circ g^T}(y)$ on the nodes y.

If P solves the steerability constraint $P(x) \rho_{in}(g) = \rho_{out}(g) P(g^T x)$, then
$P \circ g^T = \rho_{out}(g)^{-1} P \rho_{in}(g)$, W is linear in P, and therefore

$$W(g\,y) = \rho_{out}(g)\, W(y)\, \rho_{in}(g)^{-1}$$  for every node y.

So the whole stencil is a fixed point of $W \mapsto \rho_{out}(g)\, W(g^{-1}\,\cdot)\, \rho_{in}(g)^{-1}$, the
map computed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.stencils.arrays import numbers
from pdobasis.stencils.errors import NotAGridSymmetryError, ShapeError
from pdobasis.stencils.grids import Grid, Layout, require_grid


def signed_permutations(dim: int) -> Iterator[NDArray[np.int64]]:
    """All 2^d d! signed permutation matrices, the identity first: the point group of the cubic grid.

    >>> [sum(1 for _ in signed_permutations(d)) for d in (1, 2, 3)]
    [2, 8, 48]

    Parameters
    ----------
    dim : int
        d.

    Returns
    -------
    iterator of arrays
        d × d, of whole numbers.
    """
    for images in permutations(range(dim)):
        for signs in product((1, -1), repeat=dim):
            g = np.zeros((dim, dim), dtype=np.int64)
            g[list(images), list(range(dim))] = signs
            yield g


def grid_point_group(grid: Grid) -> tuple[NDArray[np.int64], ...]:
    """The signed permutations that map the nodes of the grid to themselves.

    >>> [len(grid_point_group(Grid.regular(d, 3))) for d in (1, 2, 3)]
    [2, 8, 48]

    Parameters
    ----------
    grid : Grid
        The nodes.

    Returns
    -------
    tuple of arrays
        The identity first.
    """
    require_grid(grid)
    axes = [grid.axis_nodes(i) for i in range(grid.dim)]
    return tuple(g for g in signed_permutations(grid.dim) if _keeps(g, axes))


def keeps_grid(g: ArrayLike, grid: Grid) -> bool:
    """Whether a signed permutation maps the nodes of the grid to themselves."""
    return _keeps(g, [grid.axis_nodes(i) for i in range(grid.dim)])


def _keeps(g: ArrayLike, axes: Sequence[tuple[Fraction, ...]]) -> bool:
    images, signs = split_signed_permutation(g)
    for image, sign, nodes in zip(images, signs, axes, strict=True):
        # g takes the nodes along x_j to those along its image, mirrored where the sign is negative
        moved = nodes
        if sign < 0:
            moved = tuple(-x for x in reversed(nodes))
        if axes[image] != moved:
            return False
    return True


def split_signed_permutation(g: ArrayLike) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """(images, signs) with g e_j = signs[j] e_{images[j]}; refused if g is not a signed permutation."""
    matrix = np.asarray(g)
    size = np.abs(matrix)
    if (
        matrix.ndim != 2
        or matrix.shape[0] != matrix.shape[1]
        or not np.all((size == 0) | (size == 1))
        or not (np.all(size.sum(axis=0) == 1) and np.all(size.sum(axis=1) == 1))
    ):
        raise NotAGridSymmetryError(
            f"the grid is mapped to itself by signed permutation matrices only, got {matrix.tolist()}: "
            f"measure the error for other angles instead"
        )
    images = tuple(int(i) for i in size.argmax(axis=0))
    return images, tuple(int(matrix[i, j]) for j, i in enumerate(images))


def transform_stencil(
    w: NDArray[Any], g: ArrayLike, layout: Layout = "grid"
) -> NDArray[Any]:
    r"""The stencil moved by g, $(g W)(y) = W(g^{-1} y)$, on the last d array axes of a centred grid.

    A quarter turn counter-clockwise takes the weight at (1, 0) to (0, 1), which is the next row of a grid:

    >>> transform_stencil(np.array([[0, 0, 0], [0, 0, 5], [0, 0, 0]]), [[0, -1], [1, 0]])
    array([[0, 0, 0],
           [0, 0, 0],
           [0, 5, 0]])

    Parameters
    ----------
    w : array
        The last d axes are those of the grid.
    g : array_like
        A signed permutation matrix.
    layout : str, optional
        ``grid``, or ``image``, where x2 falls with the rows.

    Returns
    -------
    array
        Of the same shape.

    Raises
    ------
    ShapeError
        Fewer axes than dimensions.
    NotAGridSymmetryError
        Axes of different sizes are exchanged.
    """
    images, signs = split_signed_permutation(numbers(g, "g", 2))
    dim = len(images)
    w = numbers(w, "w", 1)
    if w.ndim < dim:
        raise ShapeError(
            f"a stencil in dimension {dim} needs at least {dim} array axes, got shape {w.shape}"
        )
    lead = w.ndim - dim
    # W(g^{-1} y): the array axis of x_j goes to that of its image, backwards where the sign is negative.
    order = list(range(w.ndim))
    flips = []
    for j, (image, sign) in enumerate(zip(images, signs, strict=True)):
        old, new = lead + dim - 1 - j, lead + dim - 1 - image
        if w.shape[old] != w.shape[new]:
            raise NotAGridSymmetryError(
                f"this matrix exchanges x{j + 1} and x{image + 1}, whose sizes {w.shape[old]} and "
                f"{w.shape[new]} differ: use equal sizes or a smaller group"
            )
        order[new] = old
        if sign < 0:
            flips.append(new)
    upwards: tuple[int, ...] = ()
    if layout == "image" and dim > 1:
        upwards = (w.ndim - 2,)
    # an image is turned in coordinates: x2 is made to grow with the row, and afterwards not to
    turned = np.transpose(np.flip(w, upwards), order)
    return np.flip(np.flip(turned, tuple(flips)), upwards)


def act(
    w: NDArray[np.float64],
    g: ArrayLike,
    rho_out: ArrayLike,
    rho_in: ArrayLike,
    layout: Layout = "grid",
) -> NDArray[np.float64]:
    r"""$\rho_{out}(g)\, W(g^{-1} y)\, \rho_{in}(g)^{-1}$ for stencils of shape (..., c_out, c_in, *shape).

    >>> gradient = np.zeros((2, 1, 3, 3))
    >>> gradient[0, 0, 1], gradient[1, 0, :, 1] = [-1, 0, 1], [-1, 0, 1]
    >>> turn = [[0, -1], [1, 0]]
    >>> bool((act(gradient, turn, turn, [[1]]) == gradient).all())
    True

    Parameters
    ----------
    w : array
        Stencils on a centred grid.
    g : array_like
        A signed permutation matrix.
    rho_out : array_like
        Matrix of g on the output.
    rho_in : array_like
        Matrix of g on the input.
    layout : str, optional
        ``grid``, or ``image``, where x2 falls with the rows.

    Returns
    -------
    array
        Of the same shape.

    Raises
    ------
    ShapeError
        Channels that are not those of the representations.
    """
    out = numbers(rho_out, "rho_out", 2).astype(float)
    inverse = np.linalg.inv(numbers(rho_in, "rho_in", 2).astype(float))
    dim = len(numbers(g, "g", 2))
    w = numbers(w, "w", 1)
    channels: tuple[int, ...] = ()
    if w.ndim >= dim + 2:
        channels = w.shape[w.ndim - dim - 2 : w.ndim - dim]
    if channels != (out.shape[0], inverse.shape[0]):
        raise ShapeError(
            f"stencils of shape (..., {out.shape[0]}, {inverse.shape[0]}, *shape) are needed, got {w.shape}"
        )
    # Channels to the end, where @ multiplies matrices, and back.
    moved = np.moveaxis(transform_stencil(w, g, layout), (-dim - 2, -dim - 1), (-2, -1))
    return np.asarray(
        np.moveaxis(out @ moved @ inverse, (-2, -1), (-dim - 2, -dim - 1))
    )


def equivariance_defect(
    w: NDArray[np.float64],
    g: ArrayLike,
    rho_out: ArrayLike,
    rho_in: ArrayLike,
    layout: Layout = "grid",
) -> float:
    """The largest |g W - W| divided by the largest |W|: 0 when the stencils are equivariant under g.

    >>> laplacian = np.array([[[[0.0, 1, 0], [1, -4, 1], [0, 1, 0]]]])
    >>> equivariance_defect(laplacian, [[0, -1], [1, 0]], [[1]], [[1]])
    0.0

    Parameters
    ----------
    w : array
        Stencils (..., c_out, c_in, *shape) on a centred grid.
    g : array_like
        A signed permutation matrix.
    rho_out : array_like
        Matrix of g on the output.
    rho_in : array_like
        Matrix of g on the input.
    layout : str, optional
        ``grid``, or ``image``, where x2 falls with the rows.

    Returns
    -------
    float
        Relative.
    """
    # Stencils of zeros are equivariant: 0 / 1.
    scale = float(np.max(np.abs(numbers(w, "w", 1)), initial=0.0))
    change = np.abs(act(w, g, rho_out, rho_in, layout) - w)
    return float(np.max(change, initial=0.0)) / (scale or 1.0)

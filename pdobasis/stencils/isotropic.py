r"""Finite differences whose error terms are isotropic, with exact rational weights.

A stencil multiplies a wave $e^{k\cdot x}$ by $\hat W(k) = \sum_y W(y)\,e^{k\cdot y}$. For the derivatives of order m
that a basis needs, the space U of their polynomials, a linear map $u \mapsto W_u$ is asked for with

$$\hat W_u = u + \sum_{s,i} c_{s,i}\,|k|^{2(i+s)} \Delta^i u + O(|k|^{n+1}).$$

The $|k|^{2(i+s)} \Delta^i$ span all linear maps from polynomials of degree m to degree m + 2s that commute with O(d).
So the error is the same function of every operator, whatever its representations: if P is equivariant under G ≤ O(d),
then so are the error terms of P up to degree n. With an accuracy p the terms with 2s < p are zero.

Moments are linear in W: among all solutions the one with the least $\sum_y W(y)^2 / b(y)$ is taken, where b are
products of binomial coefficients, first over W and then, summed over an orthonormal basis of U, over c. It is unique;
and since everything in its definition is invariant under the symmetries of the nodes, so is the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pdobasis.exact.polynomials import monomials
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group
from pdobasis.stencils.errors import IsotropyError, StencilError
from pdobasis.stencils.grids import Grid
from pdobasis.stencils.lattice_symmetry import (
    images_of_nodes,
    keeps_places,
    whole_matrix,
)
from pdobasis.stencils.moment_system import (
    MAX_WORK,
    MomentSystem,
    NodeSet,
    Polynomial,
    Wish,
    combination,
    flat,
    projections,
    up_to,
)
from pdobasis.stencils.optimised import optimised_weights
from pdobasis.stencils.rationals import Rows, echelon

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis

MAX_SIDE = {1: 31, 2: 15, 3: 9}
"""How far a smallest window is looked for, by dimension (5 in more)."""


def isotropic_atoms(basis: Basis, grid: Grid, wish: Wish) -> NDArray[np.float64]:
    """One stencil per monomial of the basis, whose combinations are the stencils of its elements; rounded once."""
    rows = exact_atoms(basis, grid, wish)
    return np.array([[float(v) for v in row] for row in rows]).reshape(
        -1, *grid.array_shape
    )


def exact_atoms(basis: Basis, grid: Grid, wish: Wish) -> Rows:
    """The same in fractions, in the order of ``basis.monomials()`` and ``grid.nodes()``."""
    if wish.isotropic and not basis.problem.group.is_orthogonal:
        raise StencilError(
            f"{basis.problem.group.name} does not keep the length of vectors in these coordinates, so that isotropic "
            "errors would not be equivariant: leave out isotropic"
        )
    rows: Rows = []
    for order in range(basis.problem.order + 1):
        space = used_polynomials(basis, order)
        weights = isotropic_weights(space, order, grid, wish, basis.problem.group)
        everything = NodeSet((), (), flat(grid.dim))
        coordinates = projections(monomials(grid.dim, order), space, everything)
        rows += [combination(row, weights, prod(grid.size)) for row in coordinates]
    return rows


def used_polynomials(basis: Basis, order: int) -> list[Polynomial]:
    """A basis, over the rationals, of a space that holds every entry of every element of this order."""
    alphas = monomials(basis.problem.group.dim, order)
    rows: Rows = []
    for block in basis.blocks:
        numerators = block.orders[order].coefficients.numerators
        # A number is a rational combination of powers of one algebraic number: each has its own polynomial.
        for part in np.moveaxis(numerators, -1, 0).reshape(-1, len(alphas)).tolist():
            if any(part):
                rows.append([Fraction(int(v)) for v in part])
    reduced = [row for row in echelon(rows) if any(row)]
    return [dict(zip(alphas, row, strict=True)) for row in reduced]


def isotropic_weights(
    space: Sequence[Polynomial],
    order: int,
    grid: Grid,
    wish: Wish,
    group: Group | None = None,
) -> list[list[Fraction]]:
    r"""The exact weights of every polynomial of a space, all of one order, in the order of ``grid.nodes()``.

    The nine-point Laplacian, [1 4 1; 4 −20 4; 1 4 1]/6:

    >>> laplacian = {(2, 0): Fraction(1), (0, 2): Fraction(1)}
    >>> [w] = isotropic_weights([laplacian], 2, Grid.regular(2, 3), Wish(4))
    >>> [str(6 * v) for v in w]
    ['1', '4', '1', '4', '-20', '4', '1', '4', '1']
    """
    if not space:
        return []
    nodes = grid.nodes()
    origin = (Fraction(0),) * grid.dim
    if order == 0 and origin in nodes:
        # The value itself has no error, and every other stencil has.
        return [[u[(0,) * grid.dim] * int(y == origin) for y in nodes] for u in space]
    kept, own = nodes_of(grid, wish)
    found = MomentSystem.of(space, order, own, wish).solve()
    if found is not None and wish.optimize is not None and group is not None:
        found = optimised_weights(space, order, grid, own, kept, wish, group)
    if found is None:
        raise IsotropyError(
            order,
            wish.isotropic,
            wish.accuracy,
            grid.size,
            smallest_window(space, order, grid, wish),
        )
    out = []
    for weights in found:
        row = [Fraction(0)] * len(nodes)
        for place, weight in zip(kept, weights, strict=True):
            row[place] = weight
        out.append(row)
    return out


def nodes_of(grid: Grid, wish: Wish) -> tuple[list[int], NodeSet]:
    """The numbers of the nodes that may have weight, and these; a closed window has no bell."""
    nodes = grid.nodes()
    kept, bells = list(range(len(nodes))), _binomials(grid)
    if wish.symmetries is not None:
        window = closed_window(wish.symmetries, grid)
        kept, bells = [k for k in kept if window[k]], [Fraction(1)] * len(nodes)
    if wish.radius is not None:
        reach = wish.radius**2
        kept = [k for k in kept if sum(x * x for x in nodes[k]) <= reach]
    places = tuple(nodes[k] for k in kept)
    return kept, NodeSet(places, tuple(bells[k] for k in kept), flat(grid.dim))


def smallest_window(
    space: Sequence[Polynomial], order: int, grid: Grid, wish: Wish
) -> tuple[int, ...] | None:
    """The sizes with the fewest nodes, odd or even as they are, for which there are weights; None if none was found."""
    for size in _windows(grid):
        tried = Grid(size, grid.spacing, grid.dilation, grid.offset, grid.layout)
        if prod(size) * len(up_to(grid.dim, wish.top(order))) > MAX_WORK:
            return None
        _, own = nodes_of(tried, wish)
        if MomentSystem.of(space, order, own, wish).constants() is not None:
            return size
    return None


def closed_window(group: Group, grid: Grid) -> list[int]:
    """1 for every node that all elements which map the grid to itself leave in the box, else 0.

    What they make of such a node is another one, since they are a group: a hexagon, in skew coordinates of its lattice.
    """
    if not group.is_finite:
        raise StencilError(
            f"{group.name} is continuous: a closed window needs a finite group, whose elements can be listed"
        )
    kept = np.ones(prod(grid.size), dtype=np.int64)
    table = closure(group).matrices
    for k in range(len(table)):
        matrix = whole_matrix(table[k], grid.spacing)
        if matrix is not None and keeps_places(matrix, grid):
            kept &= images_of_nodes(matrix, grid) >= 0
    return [int(v) for v in kept]


def _windows(grid: Grid) -> Iterator[tuple[int, ...]]:
    """Windows to try, the smallest first: cubes where all axes are alike, else all boxes."""
    most = MAX_SIDE.get(grid.dim, 5)
    sides = [range(2 - n % 2, most + 1, 2) for n in grid.size]
    if (
        len(set(zip(grid.size, grid.spacing, grid.dilation, grid.offset, strict=True)))
        == 1
    ):
        yield from ((n,) * grid.dim for n in sides[0])
        return
    yield from sorted(product(*sides), key=lambda size: (prod(size), max(size), size))


def _binomials(grid: Grid) -> list[Fraction]:
    """A bell over the nodes, in the order of the array; the same under all its symmetries."""
    lines = [[comb(n - 1, i) for i in range(n)] for n in reversed(grid.size)]
    return [Fraction(prod(values)) for values in product(*lines)]

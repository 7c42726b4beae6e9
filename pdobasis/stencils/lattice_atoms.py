r"""Stencils of monomials on a lattice that other methods sample, made exactly symmetric; kernels, exactly.

A stencil respects g when $W_P(y) = W_{P \circ g^T}(g\,y)$ (`pdobasis.stencils.symmetry`). What a method gives fulfils
that up to the rounding of its linear algebra; the mean of the right-hand side over all shared g fulfils it to the last
bits, and keeps every moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.exact.array import (
    ExactArray,
    exact,
    integers,
    same_denominator,
    stack,
    zeros,
)
from pdobasis.exact.numbers import to_float
from pdobasis.exact.polynomials import monomials, substitutions_up_to
from pdobasis.operators.angular import harmonic_part
from pdobasis.stencils.cloud import Neighbourhoods
from pdobasis.stencils.errors import StencilError
from pdobasis.stencils.grids import Grid
from pdobasis.stencils.lattice_weights import grid_window
from pdobasis.stencils.lattices import Lattice, Node, Symmetry

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis
    from pdobasis.operators.block import Block
    from pdobasis.operators.symbols import Symbols
    from pdobasis.stencils.discretization import Derivatives

Array = NDArray[np.float64]


def lattice_atoms(
    method: Derivatives[Any], basis: Basis, grid: Grid, options: Any
) -> Array:
    """The stencils of all monomials, (monomials, *grid.array_shape): those of a cloud, symmetric."""
    if not method.has_clouds or grid.lattice is None:
        raise StencilError(
            f"{method.name} needs a grid: on a lattice use fd, rbffd, gauss or kernel"
        )
    places, nodes = grid_window(grid, basis.problem.group)
    near = Neighbourhoods(np.arange(len(nodes))[None], np.array([len(nodes)]))
    points = grid.lattice.coordinates(nodes)
    found = method.cloud(
        points, np.zeros((1, grid.dim)), basis.monomials(), near, options
    ).weights[0]
    symmetries = grid.lattice.symmetries(basis.problem.group)
    return in_box(averaged(found, nodes, symmetries, basis.problem.order), places, grid)


def in_box(weights: Array, places: Sequence[int], grid: Grid) -> Array:
    """Weights of the nodes of a window as arrays, zero elsewhere."""
    out = np.zeros((len(weights), int(np.prod(grid.size))))
    out[:, places] = weights
    return out.reshape(len(weights), *grid.array_shape)


def averaged(
    weights: Array, nodes: Sequence[Node], symmetries: Sequence[Symmetry], order: int
) -> Array:
    """The mean of W_{α∘g^T}(g n) over all shared g, for weights (monomials up to the order, nodes)."""
    where = {node: k for k, node in enumerate(nodes)}
    own = np.array(nodes, dtype=np.int64)
    dim = own.shape[1]
    sizes = np.cumsum([0, *(len(monomials(dim, n)) for n in range(order + 1))])
    total = np.zeros_like(weights)
    for g, m in symmetries:
        images = [where[tuple(n)] for n in (own @ m.T).tolist()]
        maps = substitutions_up_to(stack([g.T]), order)
        for n, table in enumerate(maps):
            rows = slice(int(sizes[n]), int(sizes[n + 1]))
            total[rows] += to_float(table[0]) @ weights[rows][:, images]
    return total / len(symmetries)


def angular_values(basis: Basis, lattice: Lattice, nodes: Sequence[Node]) -> ExactArray:
    """Y(A n), (elements, c_out, c_in, nodes): the harmonic parts of a basis at the nodes, in the number field.

    A kernel is Y(A n) times a number that depends on |A n| alone, which a symmetry keeps: if these are equivariant, so
    is every kernel.
    """
    problem = basis.problem
    points = integers(np.array(nodes, dtype=np.int64)) @ lattice.vectors
    found, at = [], 0
    for order in range(problem.order + 1):
        at_points = _monomials_at(points, order)
        for block in basis.blocks:
            part = angular_part(basis, block, order)
            own = part.coefficients @ at_points
            for r, c in basis.offsets(block):
                where = (at + part.element, part.row + r, part.column + c)
                found.append((where, own))
                at += part.size
    shape = (at, problem.out_type.size, problem.in_type.size, len(nodes))
    if not found:
        return zeros(shape)
    numerators, common, field = same_denominator([own for _, own in found])
    out = np.zeros((*shape, field.degree), dtype=object)
    for (place, _), values in zip(found, numerators, strict=True):
        out[place] = values
    return exact(out, common, field)


def angular_part(basis: Basis, block: Block, order: int) -> Symbols:
    """Its elements of one order that are harmonic."""
    part = block.orders[order]
    if basis.problem.kernel:
        return part  # the answer to a question about kernels is harmonic already
    return harmonic_part(part, basis.problem.group)


def _monomials_at(points: ExactArray, order: int) -> ExactArray:
    """x^α, (monomials, points)."""
    rows = []
    one = integers(np.ones(len(points), dtype=np.int64))
    for alpha in monomials(points.shape[1], order):
        value = one
        for axis, power in enumerate(alpha):
            for _ in range(power):
                value = value * points[:, axis]
        rows.append(value)
    return stack(rows)

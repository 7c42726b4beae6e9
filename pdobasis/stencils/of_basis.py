"""The sparse matrices of a basis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from pdobasis.errors import SpecError
from pdobasis.stencils.assemble import Cells
from pdobasis.stencils.bounded import (
    BoundedGrid,
    Places,
    bounded_grid,
    is_periodic,
)
from pdobasis.stencils.cloud_blocks import BlockedCloud, write_blocks
from pdobasis.stencils.cloud_matrices import CloudMatrices, Operators, cloud_matrices
from pdobasis.stencils.discretize import ARGUMENTS, GRID_OPTIONS
from pdobasis.stencils.grids import Grid
from pdobasis.stencils.lattices import Lattice
from pdobasis.stencils.matrices import GridMatrix, periodic_matrices
from pdobasis.stencils.matrix_free import bounded_operator, periodic_operators
from pdobasis.stencils.on_lattice import LatticeStencils, on_lattice
from pdobasis.stencils.registry import find, require_options
from pdobasis.stencils.sampled import check_field_places, sample

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis

__all__ = [
    "BlockedCloud",
    "CloudMatrices",
    "GridMatrix",
    "Lattice",
    "LatticeStencils",
    "basis_matrices",
    "basis_on_cloud",
    "basis_on_cloud_blocks",
    "basis_operators",
    "on_lattice",
]


def basis_matrices(
    basis: Basis,
    shape: Sequence[int] | None,
    method: str,
    size: int | Sequence[int],
    boundary: str | Mapping[str, str],
    axes: Sequence[Sequence[Any]] | None,
    options: Mapping[str, Any],
) -> list[GridMatrix]:
    """As `pdobasis.answer.basis.Basis.matrix` says."""
    if _is_plain_periodic(basis, shape, boundary, axes):
        return periodic_matrices(sample(basis, method, size, **options), shape or ())
    grid = _bounded(basis, shape, method, size, boundary, axes, options)
    return [grid.matrix(cells) for cells in _cells_of(basis)]


def basis_operators(
    basis: Basis,
    shape: Sequence[int] | None,
    method: str,
    size: int | Sequence[int],
    boundary: str | Mapping[str, str],
    axes: Sequence[Sequence[Any]] | None,
    options: Mapping[str, Any],
) -> list[Any]:
    """As `pdobasis.answer.basis.Basis.linear_operators` says."""
    if _is_plain_periodic(basis, shape, boundary, axes):
        return periodic_operators(sample(basis, method, size, **options), shape or ())
    grid = _bounded(basis, shape, method, size, boundary, axes, options)
    return [bounded_operator(grid, cells) for cells in _cells_of(basis)]


def _is_plain_periodic(
    basis: Basis,
    shape: Sequence[int] | None,
    boundary: str | Mapping[str, str],
    axes: Sequence[Sequence[Any]] | None,
) -> bool:
    dim = basis.problem.group.dim
    return axes is None and shape is not None and is_periodic(dim, boundary)


def _bounded(
    basis: Basis,
    shape: Sequence[int] | None,
    method: str,
    size: int | Sequence[int],
    boundary: str | Mapping[str, str],
    axes: Sequence[Sequence[Any]] | None,
    options: Mapping[str, Any],
) -> BoundedGrid:
    problem = basis.problem
    dim = problem.group.dim
    own = dict(options)
    spacing = own.pop("spacing", 1)
    offsets = [own.pop(name, None) for name in ("in_offsets", "out_offsets")]
    found = find(method)
    require_options(own, [method], (*found.option_names, *GRID_OPTIONS), ARGUMENTS)
    if method != "fd" or own or not isinstance(size, int):
        raise SpecError(
            'with boundaries and on axes of one\'s own derivatives are plain finite differences: use method="fd", one '
            "size= for all axes, and no options but spacing=, in_offsets= and out_offsets="
        )
    steps = Grid.regular(dim, 1, spacing=spacing).spacing
    staggered = offsets != [None, None]
    places = Places.together(dim, problem.out_type.size, problem.in_type.size)
    if staggered:
        checked = check_field_places(problem, *offsets)
        places = Places(checked.in_offsets, checked.out_offsets)
    return bounded_grid(shape, boundary, size, steps, places, axes, staggered=staggered)


def _cells_of(basis: Basis) -> Iterator[Cells]:
    """The coefficients of every element."""
    alphas = basis.monomials()
    for element in basis.coefficients():
        yield {
            (int(o), int(i)): {
                alphas[k]: float(element[o, i, k])
                for k in np.flatnonzero(element[o, i])
            }
            for o, i in np.argwhere(element.any(axis=-1))
        }


def basis_on_cloud_blocks(
    basis: Basis,
    points: Any,
    folder: Any,
    neighbours: int | None,
    method: str,
    block: int,
    executor: Executor | None,
    options: Mapping[str, Any],
) -> BlockedCloud:
    """As `pdobasis.answer.basis.Basis.on_cloud_blocks` says."""
    own = Operators(basis.coefficients(), basis.monomials())
    return write_blocks(
        own,
        points,
        folder,
        neighbours,
        method,
        options,
        block=block,
        executor=executor,
    )


def basis_on_cloud(
    basis: Basis,
    points: ArrayLike,
    neighbours: int | None,
    targets: ArrayLike | None,
    method: str,
    options: Mapping[str, Any],
    *,
    boundary: ArrayLike | None,
    normals: ArrayLike | None,
    ghost_layers: int,
    hyperviscosity: int | None,
) -> CloudMatrices:
    """As `pdobasis.answer.basis.Basis.on_cloud` says."""
    own = Operators(basis.coefficients(), basis.monomials())
    return cloud_matrices(
        own,
        points,
        neighbours,
        targets,
        method,
        options,
        boundary=boundary,
        normals=normals,
        ghost_layers=ghost_layers,
        hyperviscosity=hyperviscosity,
    )

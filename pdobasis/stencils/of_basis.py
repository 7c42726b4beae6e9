"""The sparse matrices of a basis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from pdobasis.errors import SpecError
from pdobasis.stencils.cloud_matrices import CloudMatrices, Operators, cloud_matrices
from pdobasis.stencils.grids import Grid
from pdobasis.stencils.matrices import (
    GridMatrix,
    bounded_grid,
    is_periodic,
    periodic_matrices,
)
from pdobasis.stencils.sampled import sample

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis

__all__ = ["CloudMatrices", "GridMatrix", "basis_matrices", "basis_on_cloud"]


def basis_matrices(
    basis: Basis,
    shape: Sequence[int] | None,
    method: str,
    size: int | Sequence[int],
    boundary: str | Mapping[str, str],
    axes: Sequence[Sequence[Any]] | None,
    options: dict[str, Any],
) -> list[GridMatrix]:
    """As `pdobasis.answer.basis.Basis.matrix` says."""
    dim = basis.problem.group.dim
    if axes is None and shape is not None and is_periodic(dim, boundary):
        return periodic_matrices(sample(basis, method, size, **options), shape)
    spacing = options.pop("spacing", 1)
    if method != "fd" or options or not isinstance(size, int):
        raise SpecError(
            'with boundaries and on axes of one\'s own derivatives are plain finite differences: use method="fd", one '
            "size= for all axes, and no options but spacing="
        )
    steps = Grid.regular(dim, 1, spacing=spacing).spacing
    grid = bounded_grid(dim, shape, boundary, size, steps, axes)
    c_out, c_in = basis.problem.out_type.size, basis.problem.in_type.size
    alphas = basis.monomials()
    out = []
    for element in basis.coefficients():
        cells = {
            (int(o), int(i)): {
                alphas[k]: float(element[o, i, k])
                for k in np.flatnonzero(element[o, i])
            }
            for o, i in np.argwhere(element.any(axis=-1))
        }
        out.append(grid.matrix(cells, (c_out, c_in)))
    return out


GHOST_OPTIONS = ("boundary", "normals", "ghost_layers", "hyperviscosity")


def basis_on_cloud(
    basis: Basis,
    points: ArrayLike,
    neighbours: int | None,
    targets: ArrayLike | None,
    method: str,
    options: dict[str, Any],
) -> CloudMatrices:
    """As `pdobasis.answer.basis.Basis.on_cloud` says."""
    ghosts = {name: options.pop(name) for name in GHOST_OPTIONS if name in options}
    own = Operators(basis.coefficients(), basis.monomials())
    return cloud_matrices(own, points, neighbours, targets, method, options, **ghosts)

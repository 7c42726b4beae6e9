r"""The off-grid error of a layer: of its present filters, or of the space from which they come.

`pdobasis.measure.off_grid` says what it is. Filters of several pairs of summands add up: numerators and denominators
are sums over all entries.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pdobasis.exact.numbers import to_float
from pdobasis.layers.elements import Element, element_matrix, rho
from pdobasis.layers.errors import LayerError
from pdobasis.layers.layer_basis import LayerBasis
from pdobasis.measure.commutator import commutator, correlation_length
from pdobasis.measure.elements import off_grid_elements
from pdobasis.measure.off_grid import (
    filter_space,
    relative,
    root_mean_square,
    sample_width,
)
from pdobasis.question.field_type import FieldType
from pdobasis.stencils import Grid

Matrix = NDArray[np.float64]


def filter_error(
    basis: LayerBasis,
    filters: NDArray[np.float64],
    elements: Sequence[Element] | None,
    width: float,
) -> float:
    """Of filters (groups, c_out, c_in, *kernel) between the field types of one convolution group."""
    grid = _grid(basis)
    nodes, unit = grid.coordinates(), _width(grid, width)
    flat = filters.reshape(*filters.shape[:3], -1)
    errors = []
    for g in _chosen(basis, grid, elements):
        rho_in, rho_out = (_action(t, g) for t in (basis.in_type, basis.out_type))
        errors.append(relative([commutator(flat, nodes, g, rho_in, rho_out, unit)]))
    return root_mean_square(errors)


def basis_error(
    basis: LayerBasis, elements: Sequence[Element] | None, width: float
) -> float:
    """Of normal filters that are isotropic in the space of all filters of the layer."""
    grid = _grid(basis)
    nodes, unit = grid.coordinates(), _width(grid, width)
    chosen = _chosen(basis, grid, elements)
    if not chosen:
        return 0.0
    by_element: list[list[tuple[float, float]]] = [[] for _ in chosen]
    for pair in basis.pairs:
        source, target = basis.in_units[pair.in_index], basis.out_units[pair.out_index]
        rho_in = basis.in_type.distinct[pair.in_index]
        rho_out = basis.out_type.distinct[pair.out_index]
        space = filter_space(pair.packed.filters(basis.atoms))
        # Copies of a pair have the same filters, independent of each other.
        copies = source.copies * target.copies
        for g, parts in zip(chosen, by_element, strict=True):
            missed, whole = commutator(
                space, nodes, g, rho(rho_in, g), rho(rho_out, g), unit
            )
            parts.append((copies * missed, copies * whole))
    return root_mean_square([relative(parts) for parts in by_element])


def _chosen(
    basis: LayerBasis, grid: Grid, elements: Sequence[Element] | None
) -> list[Matrix]:
    group = basis.in_type.group
    if elements is not None:
        if not isinstance(elements, Sequence | np.ndarray) or isinstance(elements, str):
            raise LayerError(
                f"elements is a list of matrices, or of numbers of elements, got {elements!r}"
            )
        return [element_matrix(group, g) for g in elements]
    if not group.is_orthogonal:
        raise LayerError(
            f"give elements=[...]: {group.name} does not keep lengths, so its elements have no mean"
        )
    return [to_float(g) for g in off_grid_elements(group, grid)]


def _width(grid: Grid, width: float) -> float:
    """Also where no element is asked for, a width that is none is refused."""
    try:
        samples = float(width)
    except (TypeError, ValueError):
        raise LayerError(f"width is a number of samples, got {width!r}") from None
    correlation_length(samples)
    return sample_width(grid, samples)


def _grid(basis: LayerBasis) -> Grid:
    if basis.grid is None:
        raise LayerError("only layers on a grid have an off-grid error")
    return basis.grid


def _action(fields: FieldType, g: Matrix) -> Matrix:
    """rho(g) of a sum."""
    out = np.zeros((fields.size, fields.size))
    for rep in fields.distinct:
        for at in fields.offsets(rep):
            out[at : at + rep.size, at : at + rep.size] = rho(rep, g)
    return out

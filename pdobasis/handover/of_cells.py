"""The stencils of one operator that belongs to no basis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import SpecError
from pdobasis.handover.stencil_set import StencilSet
from pdobasis.stencils.discretization import Derivatives, recorded
from pdobasis.stencils.discretize import ARGUMENTS, GRID_OPTIONS
from pdobasis.stencils.finite import finite, require_finite
from pdobasis.stencils.grids import Grid
from pdobasis.stencils.options import only_given
from pdobasis.stencils.registry import find, require_options
from pdobasis.stencils.staggered import Offset, check_offsets, staggered

Cells = Mapping[tuple[int, int], Mapping[tuple[int, ...], float]]


def of_cells(
    dim: int,
    shape: tuple[int, int],
    cells: Cells,
    method: str,
    size: int | Sequence[int],
    title: str,
    name: str,
    wanted: Mapping[str, Any],
) -> StencilSet:
    """``cells[row, column]`` maps exponents to coefficients; offsets are as in `pdobasis.stencils.sampled.sample`."""
    found = find(method)
    if not isinstance(found, Derivatives):
        raise SpecError(f"{method} samples no derivatives: take fd, rbffd or gauss")
    options = dict(wanted)
    places = [
        _places(options.pop(f"{which}_offsets", None), count, dim, which)
        for which, count in zip(("out", "in"), shape, strict=True)
    ]
    alphas = sorted({alpha for p in cells.values() for alpha in p})
    # An operator without terms is one: zero.
    alphas = alphas or [(0,) * dim]
    order = max(map(sum, alphas))
    with finite(options):
        given = only_given(options, found.options)
        on_grid = {k: v for k, v in given.items() if k in GRID_OPTIONS}
        own = {k: v for k, v in given.items() if k not in GRID_OPTIONS}
        require_options(
            given, [method], (*found.option_names, *GRID_OPTIONS), ARGUMENTS
        )
        grid = Grid.regular(dim, size, **on_grid)
        completed = found.completed(found.Options(**own), grid, order)
        coefficients = _coefficients(shape, cells, alphas)
        weights = _weights(found, alphas, grid, completed, coefficients, places)
    require_finite(weights, options)
    into = places[1] or (grid.offset,) * shape[1]
    onto = places[0] or ((Fraction(0),) * dim,) * shape[0]
    text = "x".join(str(n) for n in grid.size)
    words = "".join(f", {k}={v}" for k, v in recorded(completed))
    return StencilSet(
        weights,
        (order,),
        (name,),
        coefficients,
        tuple(alphas),
        grid.spacing,
        grid.dilation,
        into,
        onto,
        grid.layout,
        title,
        f"{method} {text}{words}",
        method == "fd" and not recorded(completed),
    )


def _coefficients(
    shape: tuple[int, int], cells: Cells, alphas: Sequence[tuple[int, ...]]
) -> NDArray[np.float64]:
    out = np.zeros((1, *shape, len(alphas)))
    for (o, i), p in cells.items():
        for k, alpha in enumerate(alphas):
            out[0, o, i, k] = p.get(alpha, 0.0)
    return out


def _weights(
    method: Derivatives[Any],
    alphas: Sequence[tuple[int, ...]],
    grid: Grid,
    options: Any,
    coefficients: NDArray[np.float64],
    places: Sequence[tuple[Offset, ...] | None],
) -> NDArray[np.float64]:
    out, into = places
    if out is None and into is None:
        atoms = method.stencils(alphas, grid, options).weights
        return np.asarray(np.tensordot(coefficients, atoms, 1))
    centre = (Fraction(0),) * grid.dim
    pairs = staggered(
        lambda own, inner: method.stencils(own, inner, options),
        alphas,
        grid,
        out or (centre,) * coefficients.shape[1],
        into or (centre,) * coefficients.shape[2],
        coefficients[0] != 0,
    )
    return np.asarray(np.einsum("eoim,oim...->eoi...", coefficients, pairs.weights))


def _places(
    offsets: Any, count: int, dim: int, which: str
) -> tuple[Offset, ...] | None:
    if offsets is None:
        return None
    if len(offsets) != count:
        raise SpecError(
            f"{which}_offsets= needs one place for each of the {count} components, got {len(offsets)}"
        )
    return check_offsets([[Fraction(s) for s in place] for place in offsets], dim)

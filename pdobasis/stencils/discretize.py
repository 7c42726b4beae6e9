"""From a basis to its stencils, by any discretization of the registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, Unpack

from pdobasis.errors import SpecError
from pdobasis.stencils.discretization import Discretization
from pdobasis.stencils.discretized import BlockStencils, Discretized
from pdobasis.stencils.finite import finite, require_finite
from pdobasis.stencils.grids import Grid
from pdobasis.stencils.options import only_given
from pdobasis.stencils.registry import find, require_options

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis
    from pdobasis.stencils.keywords import SamplingKeywords

__all__ = ["GRID_OPTIONS", "BlockStencils", "Discretized", "discretize"]

GRID_OPTIONS = ("spacing", "dilation", "offset", "layout", "lattice")
"""Options of every discretization."""
ARGUMENTS = ("method", "size", "in_offsets", "out_offsets")
"""That stand beside them, to guess at a misspelt one."""


def discretize(
    basis: Basis,
    method: str = "gauss",
    size: int | Sequence[int] = 5,
    **options: Unpack[SamplingKeywords],
) -> Discretized:
    """Sample a basis on a grid of ``size`` points (one number, or x1 first).

    Options: spacing, dilation, offset, layout and lattice of the grid (with a lattice its window, too), and those of
    the method: sigma (or sigma_paper) and normalize (gauss); phi, epsilon, degree and max_condition (rbffd); radii,
    widths and band_limit (kernel; None is no limit).
    """
    found = find(method)
    known = (*found.option_names, *GRID_OPTIONS)
    with finite(options):
        grid, own = read_options(found, basis, size, options, known)
        parts = found.discretize(basis, grid, own)
    require_finite(parts.atoms, options)
    return parts


def read_options(
    method: Discretization[Any],
    basis: Basis,
    size: int | Sequence[int],
    options: Mapping[str, Any],
    known: Sequence[str],
) -> tuple[Grid, Any]:
    """The grid, and the completed options of the method; None stands for "not given", unless it is a value."""
    given = only_given(options, method.options)
    on_grid_too: tuple[str, ...] = GRID_OPTIONS
    if "lattice" in given:
        on_grid_too, known = (*GRID_OPTIONS, "window"), (*known, "window")
    require_options(given, [method.name], known, ARGUMENTS)
    for option in method.options:
        value = given.get(option.name)
        if option.none_means and isinstance(value, float) and not isfinite(value):
            raise SpecError(
                f"{option.name} must be a finite number, got {value}: None means {option.none_means}"
            )
    on_grid = {name: value for name, value in given.items() if name in on_grid_too}
    own = {name: value for name, value in given.items() if name not in on_grid_too}
    problem = basis.problem
    grid = Grid.regular(problem.group.dim, size, **on_grid)
    return grid, method.completed(method.Options(**own), grid, problem.order)

r"""The off-grid error: how far stencils are from equivariance under elements that do not map the grid to itself.

A number without interpolation and without random numbers. For a space of filters it is a ratio of means,

$$\epsilon(g)^2 = \frac{E\,|W(g f) - g(W f)|^2}{E\,|g(W f)|^2},$$

over smooth random fields f (see `commutator`) and over filters W that are normal and isotropic in the space: it
belongs to the question and to the stencil, not to the basis that spans the space. The error of all elements together is
the root of the mean of $\epsilon(g)^2$.

`rotation` measures the same by turning images. There the figure is a median over layers of the ratio for one layer,
here a ratio of means over all: they agree within a factor of about two at width 3 (smooth) and 1.5 (rough).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import SpecError
from pdobasis.exact.array import ExactArray
from pdobasis.exact.numbers import to_float
from pdobasis.measure.commutator import commutator
from pdobasis.measure.elements import label, off_grid_elements
from pdobasis.question.problem import Problem
from pdobasis.stencils import Grid
from pdobasis.stencils.sampled import Sampled, matrix_at

WIDTH = 3.0
"""Of a smooth field, in samples: the narrowest blobs of the smooth fields that `rotation` turns."""
DEPENDENT = 1e-9
"""Singular values of elements of norm 1 below this are dependence on this grid."""


@dataclass(frozen=True, slots=True)
class OffGridError:
    """``label`` names g; ``error`` is relative.

    Attributes
    ----------
    label : str
        The name of g.
    error : float
        Relative.

    Examples
    --------
    >>> import pdobasis
    >>> from pdobasis.stencils.sampled import sample
    >>> gradient = pdobasis.solve("D8", "trivial", "vector", order=1)
    >>> [found.label for found in off_grid_errors(sample(gradient, "fd", 3))]
    ['rotation by 45°']
    """

    label: str
    error: float


def off_grid_errors(sampled: Sampled, width: float = WIDTH) -> tuple[OffGridError, ...]:
    """For one element of each class modulo the symmetries of the grid; none where all of them keep it.

    ``width`` is that of the smooth fields, in samples (along the axis with the larger spacing).

    >>> import pdobasis
    >>> from pdobasis.stencils.sampled import sample
    >>> gradient = pdobasis.solve("D8", "trivial", "vector", order=1)
    >>> len(off_grid_errors(sample(gradient, "fd", 3)))
    1

    Parameters
    ----------
    sampled : Sampled
        Stencils of a basis, as ``pdobasis.stencils.sampled.sample`` makes them.
    width : float, optional
        Of the smooth fields, in samples.

    Returns
    -------
    tuple of OffGridError
        One for each class.

    Raises
    ------
    SpecError
        The grid is staggered.
    """
    if sampled.places is not None:
        raise SpecError(
            "a staggered grid has no other symmetries: only those of the grid itself are allowed there"
        )
    filters = filter_space(sampled.stencils)
    nodes, unit = sampled.grid.coordinates(), sample_width(sampled.grid, width)
    found = []
    for g in known_elements(sampled.problem, sampled.grid):
        rho_in, rho_out = (
            matrix_at(fields, g)
            for fields in (sampled.problem.in_type, sampled.problem.out_type)
        )
        both = commutator(filters, nodes, to_float(g), rho_in, rho_out, unit)
        found.append(OffGridError(label(g), relative([both])))
    return tuple(found)


def off_grid_error(sampled: Sampled, width: float = WIDTH) -> float:
    """The root of the mean square over all elements; 0 where every element keeps the grid.

    >>> import pdobasis
    >>> from pdobasis.stencils.sampled import sample
    >>> turned = [pdobasis.solve(group, "trivial", "vector", order=1) for group in ("D4", "D8")]
    >>> [off_grid_error(sample(basis, "fd", 3)) > 0 for basis in turned]
    [False, True]

    Parameters
    ----------
    sampled : Sampled
        Stencils of a basis, as ``pdobasis.stencils.sampled.sample`` makes them.
    width : float, optional
        Of the smooth fields, in samples.

    Returns
    -------
    float
        Relative.
    """
    return root_mean_square([f.error for f in off_grid_errors(sampled, width)])


def known_elements(problem: Problem, grid: Grid) -> list[ExactArray]:
    """Those on which both representations can be evaluated exactly."""
    reps = (*problem.in_type.distinct, *problem.out_type.distinct)
    # Without a formula a representation of a continuous group is known on its generators only.
    if problem.group.lie and any(rep.term is None for rep in reps):
        return []
    return off_grid_elements(problem.group, grid)


def filter_space(elements: NDArray[np.float64]) -> NDArray[np.float64]:
    """An orthonormal basis (rank, c_out, c_in, nodes) of what elements (number, c_out, c_in, *shape) span."""
    c_out, c_in = elements.shape[1:3]
    rows = elements.reshape(len(elements), -1)
    norms = np.sqrt((rows**2).sum(axis=1, keepdims=True))
    # Elements of norm 1 first: their sizes, which run over powers of ten, say nothing about dependence.
    _, s, v = np.linalg.svd(rows / np.where(norms > 0, norms, 1.0), full_matrices=False)
    rank = int(np.count_nonzero(s > DEPENDENT))
    return v[:rank].reshape(rank, c_out, c_in, -1)


def sample_width(grid: Grid, width: float) -> float:
    """A width in samples, in the units of the nodes."""
    if grid.lattice is not None:
        return width * max(grid.lattice.lengths)
    return width * float(max(grid.spacing))


def relative(parts: Iterable[tuple[float, float]]) -> float:
    """The root of a ratio of sums; 0 for filters that are zero."""
    missed, whole = (sum(column) for column in zip(*parts, strict=True))
    if not whole:
        return 0.0
    return sqrt(missed / whole)


def root_mean_square(errors: Sequence[float]) -> float:
    if not errors:
        return 0.0
    return sqrt(sum(e * e for e in errors) / len(errors))

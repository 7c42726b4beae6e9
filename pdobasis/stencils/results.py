"""What a discretization returns: one stencil per multi-index, on a grid or on a point cloud."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.stencils.errors import StencilError
from pdobasis.stencils.grids import Grid
from pdobasis.stencils.multi_index import MultiIndex

Factors = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class MonomialStencils:
    r"""Weights with $\sum_n w^\alpha_n f(x_n) \approx \partial^\alpha f(0)$, one array per multi-index.

    Invariants: ``weights`` is read-only float64 of shape (len(alphas), *grid.array_shape), in the grid's
    layout. ``axis_accuracy[i][j]`` is the accuracy order of stencil i along x_{j+1}; None where that factor
    has no error. ``condition`` is the condition number of the system that was solved, where there was one.

    Attributes
    ----------
    alphas : tuple of MultiIndex
        Of the derivatives.
    grid : Grid
        The nodes.
    weights : array
        (alphas, *grid.array_shape).
    factors : tuple, optional
        For each stencil its exact weights along every axis (finite differences only).
    axis_accuracy : tuple of tuples of int or None, optional
        For each stencil its order of accuracy along every axis.
    condition : float, optional
        Of the system that was solved.

    Examples
    --------
    >>> from pdobasis.stencils import finite_difference
    >>> found = finite_difference([(1,), (2,)], Grid.regular(1, 3))
    >>> found.weights.tolist(), found.accuracy
    ([[-0.5, 0.0, 0.5], [1.0, -2.0, 1.0]], (2, 2))
    """

    alphas: tuple[MultiIndex, ...]
    grid: Grid
    weights: NDArray[np.float64]
    factors: tuple[Factors, ...] | None = field(default=None, repr=False)
    axis_accuracy: tuple[tuple[int | None, ...], ...] | None = None
    condition: float | None = None

    def __post_init__(self) -> None:
        self.weights.setflags(write=False)

    @property
    def accuracy(self) -> tuple[int | None, ...]:
        """The accuracy order of each stencil, the lowest over the axes; None if it is exact or not known."""
        if self.axis_accuracy is None:
            return (None,) * len(self.alphas)
        return tuple(
            min((p for p in orders if p is not None), default=None)
            for orders in self.axis_accuracy
        )

    def exact(self, i: int) -> NDArray[Any]:
        """Stencil i as an array of Fractions (finite differences only)."""
        if self.factors is None:
            raise StencilError(
                "only finite differences have rational weights: use the float64 array `weights`"
            )
        return self.grid.lay_out(
            [np.array(factor, dtype=object) for factor in self.factors[i]]
        )


@dataclass(frozen=True, slots=True, eq=False)
class CloudStencils:
    r"""Weights with $\sum_n w^\alpha_{tn} f(x_{i(t,n)}) \approx \partial^\alpha f(y_t)$ at targets $y_t$.

    Invariants: ``indices`` (targets, k) point into the cloud, nearest first; ``weights`` (targets,
    len(alphas), k). Where points at the border of a neighbourhood are equally far all of them are taken, and shorter
    rows end with weights of zero.
    ``condition`` (targets,) estimates the condition number of every system that was solved,
    where there was one.

    Attributes
    ----------
    alphas : tuple of MultiIndex
        Of the derivatives.
    indices : array
        (targets, k), of neighbours in the cloud.
    weights : array
        (targets, alphas, k).
    condition : array, optional
        (targets,), of the systems that were solved.

    Examples
    --------
    >>> found = CloudStencils(((1,),), np.array([[0, 1]]), np.array([[[-2.0, 2.0]]]))
    >>> found.apply(np.array([1.0, 1.5])).tolist()
    [[1.0]]
    """

    alphas: tuple[MultiIndex, ...]
    indices: NDArray[np.int64]
    weights: NDArray[np.float64]
    condition: NDArray[np.float64] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self.indices.setflags(write=False)
        self.weights.setflags(write=False)

    def apply(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The derivatives (targets, len(alphas)) of a function given by its values (points,)."""
        return np.asarray(np.einsum("tak,tk->ta", self.weights, values[self.indices]))

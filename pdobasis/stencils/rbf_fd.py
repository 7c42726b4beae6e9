r"""RBF-FD stencils: exact on the radial functions around every node, and on polynomials.

The weights of $\partial^\alpha$ at 0 on nodes $x_1, ..., x_N$ solve

$$\begin{pmatrix} \Phi & \Pi \\ \Pi^T & 0 \end{pmatrix} \begin{pmatrix} w \\ \mu \end{pmatrix} =
  \begin{pmatrix} (\partial^\alpha \varphi)(-x_n) \\ \alpha!\,\delta_{\alpha\beta} \end{pmatrix}, \qquad
  \Phi_{nm} = \varphi(|x_n - x_m|), \quad \Pi_{n\beta} = x_n^\beta, \quad |\beta| \le \text{degree}.$$

The nodes are scaled to unit size first (by a power of two s, exactly; epsilon becomes s epsilon), and the
weights back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pdobasis.stencils.cloud import Neighbourhoods
from pdobasis.stencils.discretization import Change, Derivatives
from pdobasis.stencils.errors import (
    DegreeTooHighError,
    IllConditionedError,
    StencilError,
)
from pdobasis.stencils.grids import Grid, require_grid
from pdobasis.stencils.moments import unit_scale
from pdobasis.stencils.multi_index import (
    MultiIndex,
    check_alphas,
    factorials,
    monomial_values,
    multi_indices,
)
from pdobasis.stencils.options import Kind, given, option
from pdobasis.stencils.rbf import RadialFunction, radial_derivatives, radial_function
from pdobasis.stencils.results import CloudStencils, MonomialStencils
from pdobasis.stencils.symmetrise import symmetrise

CONDITION_LIMIT = 1e10
REMEDY = "use a polyharmonic spline (phs3, phs5), a larger epsilon, fewer points or a lower degree"


@dataclass(frozen=True, slots=True)
class RbfFdOptions:
    phi: str | RadialFunction | None = option(
        Kind.NAME, "phs3, phs5, gaussian, multiquadric, wendland_c4, …  [phs3]"
    )
    epsilon: float | None = option(Kind.NUMBER, "shape parameter.  [1]")
    degree: int | None = option(
        Kind.WHOLE, "degree of the polynomials, -1 for none.  [the order]"
    )
    max_condition: float | None = option(Kind.NUMBER, is_hidden=True)


class RbfFd(Derivatives[RbfFdOptions]):
    name = "rbffd"
    Options = RbfFdOptions
    has_clouds = True
    max_nodes: ClassVar[int | None] = 3_000  # the system is solved densely

    def completed(self, options: RbfFdOptions, grid: Grid, order: int) -> RbfFdOptions:
        return self.completed_on_points(options, order)

    def completed_on_points(self, options: RbfFdOptions, order: int) -> RbfFdOptions:
        if options.phi is not None:
            return options
        return replace(options, phi=default_phi(order))

    def rounder(self, options: RbfFdOptions) -> Change | None:
        """On a grid finite differences use all nodes for their order of accuracy."""
        return Change("fd")

    def stencils(
        self, alphas: Sequence[MultiIndex], grid: Grid, options: RbfFdOptions
    ) -> MonomialStencils:
        return rbf_fd(alphas, grid, **given(options))

    def cloud(
        self,
        points: NDArray[np.float64],
        targets: NDArray[np.float64],
        alphas: Sequence[MultiIndex],
        neighbours: int | Neighbourhoods,
        options: RbfFdOptions,
    ) -> CloudStencils:
        from pdobasis.stencils.rbf_cloud import (
            rbf_fd_cloud,
        )  # which is built on this module

        return rbf_fd_cloud(
            points, targets, alphas, neighbours=neighbours, **given(options)
        )


def default_phi(order: int) -> str:
    """The polyharmonic spline of least power with derivatives of this order at its centre."""
    # r^k with k odd has k - 1 of them, so k is the next odd number above the order; r itself is too rough for any
    return f"phs{max(3, order + 1 + order % 2)}"


def rbf_fd(
    alphas: Sequence[MultiIndex],
    grid: Grid,
    phi: str | RadialFunction = "phs3",
    *,
    epsilon: float = 1.0,
    degree: int | None = None,
    max_condition: float = CONDITION_LIMIT,
) -> MonomialStencils:
    """RBF-FD on a grid, with polynomials up to ``degree`` (None: the highest order asked for; -1: none).

    The system is set up in extended precision where the machine has it and its solution refined there, so the
    weights hold to about 1e-15 even near the limit on the condition number.

    >>> rbf_fd([(2,)], Grid.regular(1, 3)).weights.round(12)
    array([[ 1., -2.,  1.]])

    Parameters
    ----------
    alphas : sequence of MultiIndex
        Of the derivatives.
    grid : Grid
        The nodes.
    phi : str or RadialFunction, optional
        As `radial_function` takes it.
    epsilon : float, optional
        Shape parameter, of functions that have one.
    degree : int, optional
        Of the polynomials; the highest order asked for when nothing is said, -1 for none.
    max_condition : float, optional
        Systems beyond it are refused.

    Returns
    -------
    MonomialStencils
        One stencil for each derivative.
    """
    require_grid(grid)
    checked = check_alphas(alphas, grid.dim)
    function = radial_function(phi)
    top = resolve_degree(degree, checked)
    _check_grid_degree(top, grid)
    scale = unit_scale(grid.coordinates()[None])[0]
    nodes = grid.coordinates(np.longdouble)[None] / scale
    shape = np.array([check_epsilon(epsilon)], dtype=np.longdouble) * scale
    matrix, right = assemble(
        function, nodes, shape, checked, multi_indices(grid.dim, top)
    )
    condition = _check_condition(
        matrix[0],
        max_condition,
        f"the {function.name} system on a grid of {grid.size} nodes",
    )
    solution = _refined_solve(matrix[0], right[0])[: nodes.shape[1]]
    # A derivative of order n scales with the n-th power of the length.
    orders = np.array([sum(alpha) for alpha in checked])
    weights = np.asarray((solution / scale**orders).T, dtype=np.float64).reshape(
        len(checked), *grid.array_shape
    )
    return MonomialStencils(
        checked, grid, symmetrise(checked, weights, grid), condition=condition
    )


def assemble(
    phi: RadialFunction,
    nodes: NDArray[Any],
    epsilon: NDArray[Any],
    alphas: Sequence[MultiIndex],
    betas: Sequence[MultiIndex],
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The systems of neighbourhoods (batch, n, d): matrices (batch, m, m), right sides (batch, m, alphas)."""
    batch, n = nodes.shape[:2]
    size = n + len(betas)
    matrix = np.empty((batch, size, size), dtype=nodes.dtype)
    # Lagrange multipliers of the conditions on polynomials.
    matrix[:, n:, n:] = 0
    matrix[:, :n, :n] = phi.psi(0, _squared_distances(nodes), epsilon[:, None, None])
    polynomials = monomial_values(nodes, betas)
    matrix[:, :n, n:] = polynomials
    matrix[:, n:, :n] = np.swapaxes(polynomials, 1, 2)
    right = np.zeros((batch, size, len(alphas)), dtype=nodes.dtype)
    # The derivatives of phi(x - x_n) at the target x = 0.
    right[:, :n] = radial_derivatives(phi, alphas, -nodes, epsilon[:, None])
    for row, beta in enumerate(betas):
        for column, alpha in enumerate(alphas):
            if alpha == beta:
                right[:, n + row, column] = factorials(alpha)
    return matrix, right


def resolve_degree(degree: int | None, alphas: Sequence[MultiIndex]) -> int:
    """The degree of the augmentation: by default the highest order, so that the stencils are consistent."""
    if degree is None:
        return max((sum(alpha) for alpha in alphas), default=0)
    if degree < -1:
        raise StencilError(
            f"the degree of the polynomials must be -1 (none) or more, got {degree}"
        )
    return degree


def check_epsilon(epsilon: float) -> float:
    if not 0 < epsilon < float("inf"):
        raise StencilError(
            f"the shape parameter epsilon must be positive and finite, got {epsilon}"
        )
    return float(epsilon)


def _squared_distances(nodes: NDArray[Any]) -> NDArray[Any]:
    # Axis by axis and in place: all differences at once would take d times the memory.
    total: NDArray[Any] | None = None
    for axis in range(nodes.shape[2]):
        x = np.ascontiguousarray(nodes[:, :, axis])
        square = x[:, :, None] - x[:, None, :]
        square *= square
        if total is None:
            total = square
        else:
            total += square
    if total is None:
        return np.zeros((*nodes.shape[:2], nodes.shape[1]), dtype=nodes.dtype)
    return total


def _check_grid_degree(degree: int, grid: Grid) -> None:
    """The polynomials are determined by more than ``degree`` nodes along every axis; x_i^n on n is not."""
    smallest = min(grid.size)
    if smallest <= degree:
        size = degree + 1 + (degree + 1 - smallest) % 2
        remedy = f"use a larger stencil (size={size}) or degree={smallest - 1}"
        raise DegreeTooHighError(
            degree, smallest, degree + 1, "along every axis", remedy
        )


def _check_condition(matrix: NDArray[Any], limit: float, what: str) -> float:
    # LAPACK has no extended precision; a condition number needs none.
    condition = float(np.linalg.cond(matrix.astype(np.float64)))
    if not condition <= limit:
        raise IllConditionedError(what, condition, limit, REMEDY)
    return condition


def _refined_solve(
    matrix: NDArray[Any], right: NDArray[Any], steps: int = 3
) -> NDArray[Any]:
    """LU in double precision, then residuals in the precision of the arguments."""
    from scipy.linalg import lu_factor, lu_solve  # type: ignore[import-untyped, unused-ignore]

    # Residuals in extended precision with factors in double precision: each step gains the digits that the condition
    # number leaves, so three of them reach the last bit for every system below the limit.
    factors = lu_factor(matrix.astype(np.float64))
    solution = lu_solve(factors, right.astype(np.float64)).astype(right.dtype)
    for _ in range(steps):
        residual = right - matrix @ solution
        solution = solution + lu_solve(factors, residual.astype(np.float64))
    return np.asarray(solution)

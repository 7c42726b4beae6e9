r"""The off-grid error of derivatives by themselves: a property of the stencil, and cheap to ask for.

Stencils $s_\alpha$ of all $\partial^\alpha$ up to an order span filters $\psi_c = \sum_\alpha c_\alpha s_\alpha$, one
for every polynomial $p_c(x) = \sum_\alpha c_\alpha x^\alpha$. Equivariance would be $\psi_c(f \circ g) = \psi_{Tc}(f)$
with $p_{Tc} = p_c \circ g^T$ (see `pdobasis.stencils.symmetry`). What is missing, over smooth random fields as in
`commutator` and over random c, is the off-grid error of C16 from scalars to regular fields: their filters are these,
turned by all elements. In space the rotations are those around $x_3$.

With the covariance C of the fields, $S = s\, C(y - y')\, s^T$ and $X = s\, C(g y - y')\, s^T$ it is the trace of
$\bar G^{-1} (S + T^T S T - X T - T^T X^T)$ over that of $\bar G^{-1} S$, where $\bar G$ is the mean of $T^T s s^T T$
over all rotations. That is a difference of numbers, exact to 1e-6 or so, for far less work than the sum of squares.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from pdobasis.measure.commutator import correlation_length
from pdobasis.measure.off_grid import WIDTH, root_mean_square, sample_width
from pdobasis.stencils import Grid
from pdobasis.stencils.multi_index import MultiIndex, monomial_values
from pdobasis.stencils.results import MonomialStencils

TURNS = 16


def derivative_error(stencils: MonomialStencils, width: float = WIDTH) -> float:
    """Over rotations by multiples of 22.5° in the first coordinate plane that do not keep the grid; 0 on a line.

    The stencils have to be those of all derivatives up to an order, so that rotations map them to each other, on a grid
    around its target (without an offset).
    """
    grid = stencils.grid
    if grid.dim < 2:
        return 0.0
    s = stencils.weights.reshape(len(stencils.alphas), -1)
    nodes = grid.coordinates()
    length = correlation_length(sample_width(grid, width))
    turns = [_turn(grid.dim, k) for k in range(TURNS)]
    once = _on_polynomials(turns[1], stencils.alphas)
    acting, gram = [np.eye(len(s))], s @ s.T
    while len(acting) < TURNS:
        acting.append(once @ acting[-1])
        gram = gram + acting[-1].T @ (s @ s.T) @ acting[-1]
    energy = s @ _covariance(nodes, nodes, length) @ s.T
    # Filters that are isotropic in the mean of their norms over all rotations.
    isotropic = np.linalg.inv(gram)
    errors = []
    for k in _leaving(grid):
        t = acting[k]
        cross = s @ _covariance(nodes @ turns[k].T, nodes, length) @ s.T @ t
        missing = energy + t.T @ energy @ t - cross - cross.T
        ratio = np.sum(isotropic * missing) / np.sum(isotropic * energy)
        errors.append(sqrt(max(ratio, 0.0)))
    return root_mean_square(errors)


def _covariance(
    points: NDArray[np.float64], others: NDArray[np.float64], length: float
) -> NDArray[np.float64]:
    norms = (points**2).sum(axis=1)[:, None] + (others**2).sum(axis=1)
    return np.asarray(np.exp((points @ others.T - norms / 2) / length**2))


def _turn(dim: int, k: int) -> NDArray[np.float64]:
    angle = 2 * np.pi * k / TURNS
    g = np.eye(dim)
    g[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return g


def _leaving(grid: Grid) -> range:
    """Multiples that leave the grid, one of each class modulo its quarter or half turns."""
    if grid.axis_nodes(0) == grid.axis_nodes(1):
        return range(1, TURNS // 4)
    return range(1, TURNS // 2)


def _on_polynomials(
    g: NDArray[np.float64], alphas: tuple[MultiIndex, ...]
) -> NDArray[np.float64]:
    r"""The matrix T with $p_{Tc} = p_c \circ g^T$."""
    # The multi-indices themselves, as points, determine a polynomial of their degree.
    points = np.array(alphas, dtype=float)
    here, there = (monomial_values(p, alphas) for p in (points, points @ g))
    return np.asarray(np.linalg.solve(here, there))

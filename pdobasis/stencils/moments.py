r"""Moments of stencils: what they give on monomials, and the smallest change that makes them exact.

The moment of a stencil w for beta is $\sum_n w_n x_n^\beta$; a stencil of $\partial^\alpha$ that is exact on
$x^\beta$ has the moment $\alpha!$ if $\beta = \alpha$ and 0 otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import require_type
from pdobasis.stencils.errors import IllConditionedError
from pdobasis.stencils.multi_index import MultiIndex, factorials, monomial_values
from pdobasis.stencils.results import MonomialStencils

CONDITION_LIMIT = 1e10


def moments(
    stencils: MonomialStencils, betas: Sequence[MultiIndex]
) -> NDArray[np.float64]:
    """The moments (stencils, betas) of stencils on a grid.

    >>> from pdobasis.stencils.finite_difference import finite_difference
    >>> from pdobasis.stencils.grids import Grid
    >>> moments(finite_difference([(1,)], Grid.regular(1, 3)), [(0,), (1,), (2,), (3,)])
    array([[0., 1., 0., 1.]])

    Parameters
    ----------
    stencils : MonomialStencils
        Of some derivatives.
    betas : sequence of MultiIndex
        Of the monomials that they are applied to.

    Returns
    -------
    array
        (stencils, betas).
    """
    require_type(
        stencils, MonomialStencils, "stencils", "what finite_difference or rbf_fd makes"
    )
    flat = stencils.weights.reshape(len(stencils.alphas), prod(stencils.grid.size))
    return np.asarray(flat @ monomial_values(stencils.grid.coordinates(), betas))


def correct_moments(
    weights: NDArray[np.float64],
    density: NDArray[np.float64],
    nodes: NDArray[np.float64],
    alphas: Sequence[MultiIndex],
    conditions: Callable[[int], Sequence[MultiIndex]],
    what: str,
) -> NDArray[np.float64]:
    r"""The weights closest to ``weights`` that are exact on the monomials ``conditions(|alpha|)``.

    Minimises $\sum_n (w_n - w^0_n)^2 / G_n$ under $A w = b$, where A has a row $x_n^\beta$ per condition.
    With $w = w^0 + \sqrt{G}\,u$ this is the shortest u with $A \sqrt{G}\, u = b - A w^0$; from $\sqrt{G} A^T
    = Q R$ it is $u = Q R^{-T} (b - A w^0)$. Since G and the conditions are invariant, so is the correction.
    Batched: weights (batch, alphas, n), density (batch, n), nodes (batch, n, d), scaled to lengths about 1
    inside.
    """
    scale = unit_scale(nodes)
    # Monomials of lengths about 1 keep the columns of the system comparable.
    scaled = nodes / scale[:, None, None]
    # in v = u / sqrt(G) the norm is the usual one, and the shortest solution comes from a QR decomposition
    root = np.sqrt(density)
    result = weights.copy()
    # The conditions depend on the order of the derivative alone, so one decomposition serves all of one order.
    for order in sorted({sum(alpha) for alpha in alphas}):
        rows = [i for i, alpha in enumerate(alphas) if sum(alpha) == order]
        betas = conditions(order)
        a = monomial_values(scaled, betas)
        q, r = np.linalg.qr(root[:, :, None] * a)
        _check_triangle(r, what)
        target = np.array(
            [[factorials(beta) * (beta == alphas[i]) for beta in betas] for i in rows],
            dtype=float,
        )
        start = weights[:, rows] * (scale**order)[:, None, None]
        missing = np.swapaxes(target - start @ a, -1, -2)
        u = q @ np.linalg.solve(np.swapaxes(r, -1, -2), missing)
        corrected = start + root[:, None, :] * np.swapaxes(u, -1, -2)
        result[:, rows] = corrected / (scale**order)[:, None, None]
    return result


def unit_scale(nodes: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each neighbourhood (batch, n, d) a power of two (so that scaling is exact).

    It lies between the largest coordinate and twice that.
    """
    radius = np.abs(nodes).max(axis=(-2, -1), initial=0.0)
    # x = m 2^e with 1/2 <= m < 1, so 2^e lies between x and 2x; dividing by it loses no bit.
    _, exponent = np.frexp(np.where(radius > 0, radius, 1.0))
    return np.asarray(np.ldexp(1.0, exponent))


def _check_triangle(r: NDArray[np.float64], what: str) -> None:
    """The ratio of the diagonal entries bounds the condition number of R from below."""
    diagonal = np.abs(np.diagonal(r, axis1=-2, axis2=-1))
    smallest = diagonal.min(axis=-1, initial=np.inf)
    largest = diagonal.max(axis=-1, initial=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        worst = float(
            np.max(np.where(smallest > 0, largest / smallest, np.inf), initial=0.0)
        )
    # Fewer nodes than conditions, or a number that is too large, or none (NaN is not below the limit).
    if r.shape[-2] < r.shape[-1] or not worst < CONDITION_LIMIT:
        if r.shape[-2] < r.shape[-1]:
            worst = np.inf
        raise IllConditionedError(
            what,
            worst,
            CONDITION_LIMIT,
            "use more points, a larger sigma or a lower order, or normalize=None",
        )

r"""Sampled steerable kernels: angular polynomials times Gaussian rings.

For a matrix Y of harmonic polynomials, homogeneous of degree l, and a ring of radius $r_j$ and width $s_j$,

$$K(x) = Y(x / |x|)\, e^{-(|x| - r_j)^2 / 2 s_j^2},$$

sampled at the nodes. If Y solves $Y(g x) = \rho_{out}(g) Y(x) \rho_{in}(g)^{-1}$, so does K, and so do its
samples under the grid's own point group. At the origin x / |x| has no value; the mean over all directions is
taken, so only l = 0 survives.

Band limit (the idea of Weiler & Cesa 2019): a ring of radius r crosses about $2 \pi r / h$ cells, so by the
sampling theorem it holds angular frequencies up to $\pi r / h$. An angular part of degree l is kept on a ring
only if $l \le \text{band\_limit} \cdot r / h$, with 3 (just below pi) by default and h the largest step of
the grid; a ring of radius 0 keeps l = 0 alone. What is cut would be aliased and break the equivariance under
rotations off the grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.stencils.combine import combine
from pdobasis.stencils.errors import KernelError, ShapeError, as_numbers
from pdobasis.stencils.grids import Grid
from pdobasis.stencils.multi_index import MultiIndex, check_alphas, monomial_values

VANISHING = 1e-12
"""A ring whose profile is below this everywhere would give a stencil of zeros."""
BAND_LIMIT = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class KernelStencils:
    """Kernels (kernels, c_out, c_in, *grid.array_shape).

    Kernel i is the angular part ``elements[i]`` on the ring ``rings[i]``.
    """

    grid: Grid
    weights: NDArray[np.float64]
    elements: tuple[int, ...]
    rings: tuple[int, ...]

    def __post_init__(self) -> None:
        self.weights.setflags(write=False)


def sampled_kernels(
    exponents: ArrayLike,
    coefficients: NDArray[np.float64],
    grid: Grid,
    radii: Sequence[float],
    widths: float | Sequence[float],
    *,
    band_limit: float | None = BAND_LIMIT,
) -> KernelStencils:
    """Every angular part on every ring that can hold it.

    exponents (terms, d) and coefficients (elements, c_out, c_in, terms) describe the polynomials, each
    element homogeneous of one degree; radii and widths are in the units of the spacing; ``band_limit=None``
    keeps everything.
    """
    terms = check_alphas(np.asarray(exponents).tolist(), grid.dim)
    if coefficients.ndim != 4 or coefficients.shape[-1] != len(terms):
        raise ShapeError(f"coefficients (elements, c_out, c_in, {len(terms)}) are needed, got {coefficients.shape}")
    rings = _check_rings(radii, widths)
    degrees = _degrees(coefficients, np.array([sum(term) for term in terms]))
    angular = _angular(coefficients, terms, grid)
    distance = np.sqrt(np.sum(grid.coordinates() ** 2, axis=1)).reshape(grid.array_shape)
    step = max(float(h * n) for h, n in zip(grid.spacing, grid.dilation, strict=True))
    kept = [
        (e, j)
        for e, degree in enumerate(degrees)
        for j, (radius, _) in enumerate(rings)
        if band_limit is None or degree <= band_limit * radius / step
    ]
    profiles = [np.exp(-((distance - radius) ** 2) / (2 * width**2)) for radius, width in rings]
    for (radius, _), profile in zip(rings, profiles, strict=True):
        if profile.max() < VANISHING:
            raise KernelError(
                f"the ring of radius {radius:g} does not reach the grid, whose corners are at {distance.max():.3g}: "
                "use a smaller radius or a larger stencil"
            )
    weights = np.empty((len(kept), *angular.shape[1:]))
    for row, (e, j) in enumerate(kept):
        weights[row] = angular[e] * profiles[j]
    return KernelStencils(grid, weights, tuple(e for e, _ in kept), tuple(j for _, j in kept))


def _angular(coefficients: NDArray[np.float64], terms: Sequence[MultiIndex], grid: Grid) -> NDArray[np.float64]:
    """Y(x / |x|) at the nodes; at the origin Y(0), which is its mean over all directions."""
    x = grid.coordinates()
    radius = np.sqrt(np.sum(x * x, axis=1))
    directions = x / np.where(radius == 0, 1.0, radius)[:, None]
    values = combine(coefficients, monomial_values(directions, terms).T)
    return values.reshape(*coefficients.shape[:3], *grid.array_shape)


def _degrees(coefficients: NDArray[np.float64], totals: NDArray[np.int64]) -> list[int]:
    degrees = []
    for e, element in enumerate(coefficients):
        used = np.unique(totals[np.any(element != 0, axis=(0, 1))])
        if len(used) > 1:
            raise KernelError(f"angular part {e} mixes the degrees {used.tolist()}: give homogeneous polynomials")
        degrees.append(int(used[0]) if len(used) else 0)
    return degrees


def _check_rings(radii: Sequence[float], widths: float | Sequence[float]) -> list[tuple[float, float]]:
    inner = as_numbers(radii, "radii")
    each = as_numbers([widths] * len(inner) if isinstance(widths, (int, float)) else widths, "widths")
    if not inner:
        raise KernelError("no rings: give at least one radius")
    if len(each) != len(inner):
        raise KernelError(f"{len(inner)} rings need one width, or {len(inner)} widths, got {len(each)}")
    rings = list(zip(inner, each, strict=True))
    if not all(0 <= r < np.inf and 0 < s < np.inf for r, s in rings):
        raise KernelError(f"rings need radii >= 0 and widths > 0, got {rings}")
    return rings

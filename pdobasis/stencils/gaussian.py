r"""Derivatives of Gaussians.

With $G(x) = \prod_i g_{\sigma_i}(x_i)$, $g_\sigma(t) = e^{-t^2/2\sigma^2} / (\sqrt{2\pi}\,\sigma)$,
integration by parts gives $\partial^\alpha (G * f)(0) = (-1)^{|\alpha|} \int (\partial^\alpha G)(x) f(x) dx$,
so the weights are

$$w_n = (-1)^{|\alpha|} (\partial^\alpha G)(x_n)\, v_n, \qquad
(-1)^a g_\sigma^{(a)}(t) = \sigma^{-a} He_a(t/\sigma)\, g_\sigma(t),$$

with the volume $v_n$ that node n stands for, and $He_{a+1}(t) = t\, He_a(t) - a\, He_{a-1}(t)$.
Applied to x1, the stencil of $\partial_1$ gives +1 up to the truncation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import pi, prod, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pdobasis.stencils.arrays import numbers
from pdobasis.stencils.cloud import Neighbourhoods, gather, neighbourhoods
from pdobasis.stencils.discretization import Change, Derivatives
from pdobasis.stencils.errors import (
    DegreeTooHighError,
    ShapeError,
    StencilError,
    as_numbers,
)
from pdobasis.stencils.finite_difference import check_sizes
from pdobasis.stencils.grids import Grid, per_axis, require_grid, to_floats
from pdobasis.stencils.moments import correct_moments
from pdobasis.stencils.multi_index import MultiIndex, check_alphas, multi_indices
from pdobasis.stencils.options import Kind, given, option
from pdobasis.stencils.results import CloudStencils, MonomialStencils
from pdobasis.stencils.symmetrise import symmetrise

Normalize = Literal["moments"] | None
Sigma = float | Sequence[float]
SIGMA_PER_POINT = 0.26
"""The default sigma, in steps of the grid, for each point along an axis: 1.3 for five."""


@dataclass(frozen=True, slots=True)
class GaussOptions:
    sigma: Sigma | None = option(
        Kind.NUMBERS,
        "standard deviation.  [0.26 size; with moments sqrt((size + 1.5)/4 pi)]",
        on_page=True,
        needed_on_points="Gaussian weights need sigma, in the units of the points: about their distance",
    )
    sigma_paper: Sigma | None = option(
        Kind.NUMBERS,
        "instead of sigma, the s of the paper's exp(-(r/s^2)^2): sigma is s^2/sqrt(2).",
        stands_for="sigma",
    )
    normalize: Normalize = option(
        Kind.NAME, "'moments' makes stencils exact on monomials up to the order."
    )


class Gauss(Derivatives[GaussOptions]):
    name = "gauss"
    Options = GaussOptions
    listed_after = "size"
    has_clouds = True

    def completed(self, options: GaussOptions, grid: Grid, order: int) -> GaussOptions:
        options = as_deviation(options)
        if options.sigma is not None:
            return options
        return replace(options, sigma=default_sigma(grid, options.normalize))

    def completed_on_points(self, options: GaussOptions, order: int) -> GaussOptions:
        return as_deviation(options)

    def rounder(self, options: GaussOptions) -> Change | None:
        """A Gaussian that is cut off to a square lets high orders see low ones, differently along the diagonals."""
        if options.normalize is not None:
            return None
        return Change(self.name, (("normalize", "moments"),))

    def stencils(
        self, alphas: Sequence[MultiIndex], grid: Grid, options: GaussOptions
    ) -> MonomialStencils:
        return gaussian(alphas, grid, **given(options))

    def cloud(
        self,
        points: NDArray[np.float64],
        targets: NDArray[np.float64],
        alphas: Sequence[MultiIndex],
        neighbours: int | Neighbourhoods,
        options: GaussOptions,
    ) -> CloudStencils:
        return gaussian_cloud(
            points, targets, alphas, neighbours=neighbours, **given(options)
        )


def as_deviation(options: GaussOptions) -> GaussOptions:
    r"""With sigma alone: $e^{-(r/s^2)^2} = e^{-r^2/2\sigma^2}$ for $\sigma = s^2/\sqrt 2$.

    >>> as_deviation(GaussOptions(sigma_paper=1.0)).sigma == 1 / sqrt(2)
    True
    """
    given_as = options.sigma_paper
    if given_as is None:
        return options
    if options.sigma is not None:
        raise StencilError(
            "sigma and sigma_paper are two ways to say the same: leave out one of them"
        )
    sigma: Sigma
    if isinstance(given_as, Sequence) and not isinstance(given_as, str):
        sigma = tuple(map(_deviation, as_numbers(given_as, "sigma_paper")))
    else:
        (sigma,) = map(_deviation, as_numbers((given_as,), "sigma_paper"))
    return replace(options, sigma=sigma, sigma_paper=None)


def _deviation(paper: float) -> float:
    if not 0 < paper < float("inf"):
        raise StencilError(
            f"sigma_paper must be positive and finite, got {paper}: the paper has 1 and 1.3"
        )
    return paper**2 / sqrt(2)


def default_sigma(grid: Grid, normalize: Normalize = None) -> tuple[float, ...]:
    r"""In steps of the grid 0.26 n for n points along an axis; with moments the one of the roundest stencils.

    With $\sigma^2 = R / 2\pi$ (0.6, 0.72, 0.82 for 3, 5, 7 points) what the window cuts off, $e^{-R^2/2\sigma^2}$, and
    what the sampling folds back, $e^{-2\pi^2\sigma^2}$, are of one size: a wider Gaussian is cut to a square, a
    narrower one is no Gaussian on the grid. R is the first node that is missing, $(n + 1)/2$, and a quarter of a step,
    which was found by measurement (docs/stencils.md).
    """
    if grid.lattice is not None:
        # One number: a Gaussian that all rotations keep.
        n, step = min(grid.size), min(grid.steps)
        if normalize == "moments":
            return (sqrt((n + 1.5) / (4 * pi)) * step,) * grid.dim
        return (SIGMA_PER_POINT * n * step,) * grid.dim
    steps = zip(grid.size, grid.spacing, grid.dilation, strict=True)
    if normalize == "moments":
        return tuple(sqrt((n + 1.5) / (4 * pi)) * float(h * k) for n, h, k in steps)
    return tuple(SIGMA_PER_POINT * n * float(h * k) for n, h, k in steps)


def gaussian(
    alphas: Sequence[MultiIndex],
    grid: Grid,
    sigma: Sigma,
    *,
    normalize: Normalize = None,
) -> MonomialStencils:
    r"""Gaussian derivatives sampled on a grid; sigma in the units of the spacing, one value or one per axis.

    ``normalize="moments"`` changes the truncated stencils as little as possible, in the norm $\sum_n (w_n -
    w^0_n)^2 / G(x_n)$, so that they are exact on all monomials of degree <= |alpha|.

    >>> gaussian([(1,)], Grid.regular(1, 3), 1.0, normalize="moments").weights.round(12)
    array([[-0.5,  0. ,  0.5]])

    Parameters
    ----------
    alphas : sequence of MultiIndex
        Of the derivatives.
    grid : Grid
        The nodes.
    sigma : float or sequence of float
        Width of the Gaussian.
    normalize : str, optional
        ``moments``, or nothing.

    Returns
    -------
    MonomialStencils
        One stencil for each derivative.

    Raises
    ------
    StencilError
        A sigma for which all weights vanish.
    """
    require_grid(grid)
    checked = check_alphas(alphas, grid.dim)
    sigmas = _check_sigma(sigma, grid.dim)
    _check_normalize(normalize)
    profiles = [
        _derivatives(to_floats(grid.axis_nodes(i)), s, checked, i)
        for i, s in enumerate(sigmas)
    ]
    volume = float(grid.cell_volume)
    # The midpoint rule: every node stands for one cell.
    sampled = [
        grid.lay_out([profiles[i][a] for i, a in enumerate(alpha)]) * volume
        for alpha in checked
    ]
    weights = np.array(sampled).reshape(len(checked), *grid.array_shape)
    if normalize == "moments":
        weights = _exact_on_grid(
            checked, weights, grid, grid.lay_out([p[0] for p in profiles])
        )
    if not weights.any(axis=tuple(range(1, weights.ndim))).all():
        # a Gaussian that is narrower than a step, or so wide that it is flat; or one point, where slopes are zero
        shown = ", ".join(f"{s:.3g}" for s in dict.fromkeys(sigmas))
        raise StencilError(
            f"all weights of a derivative vanish with sigma={shown}: about one spacing is usual, and 3 points or more"
        )
    # Axes with different sigmas are of different kinds: no symmetry exchanges them.
    return MonomialStencils(checked, grid, symmetrise(checked, weights, grid, sigmas))


def gaussian_cloud(
    points: NDArray[np.float64],
    targets: NDArray[np.float64],
    alphas: Sequence[MultiIndex],
    sigma: Sigma,
    *,
    neighbours: int | Neighbourhoods,
    volumes: NDArray[np.float64] | None = None,
    normalize: Normalize = None,
) -> CloudStencils:
    r"""Gaussian derivatives at every target from its nearest points.

    ``volumes`` holds the volume of each point. Without it all points of a neighbourhood count equally, with
    the v for which $\sum_n v\, G(x_n) = 1$, so that order 0 is an average.

    >>> points = np.array([[-1.0], [0.0], [1.0]])
    >>> float(gaussian_cloud(points, np.zeros((1, 1)), [(0,)], 1.0, neighbours=3).weights.sum().round(12))
    1.0

    Parameters
    ----------
    points : array
        (points, d).
    targets : array
        (targets, d): where derivatives are wanted.
    alphas : sequence of MultiIndex
        Of the derivatives.
    sigma : float or sequence of float
        Width of the Gaussian.
    neighbours : int or Neighbourhoods
        How many nearest points, or those that were found.
    volumes : array, optional
        Of each point.
    normalize : str, optional
        ``moments``, or nothing.

    Returns
    -------
    CloudStencils
        Weights for each target.

    Raises
    ------
    ShapeError
        Volumes that are not one for each point.
    """
    points = numbers(points, "points", 2)
    dim = np.shape(points)[-1]
    checked = check_alphas(alphas, dim)
    sigmas = _check_sigma(sigma, dim)
    _check_normalize(normalize)
    near = neighbourhoods(points, targets, neighbours)
    if volumes is not None and np.shape(volumes) != (len(points),):
        raise ShapeError(
            f"volumes needs one entry per point, shape ({len(points)},), got {np.shape(volumes)}"
        )
    places = np.asarray(targets, dtype=float)
    weights = np.zeros((len(places), len(checked), near.indices.shape[1]))
    for count, rows in near.alike():
        indices = near.indices[rows, :count]
        own = None
        if volumes is not None:
            own = np.asarray(volumes, dtype=float)[indices]
        weights[rows, :, :count] = _near(
            gather(points, places[rows], indices), checked, sigmas, own, normalize
        )
    return CloudStencils(checked, near.indices, weights)


def _near(
    nodes: NDArray[np.float64],
    alphas: tuple[MultiIndex, ...],
    sigmas: Sequence[float],
    volumes: NDArray[np.float64] | None,
    normalize: Normalize,
) -> NDArray[np.float64]:
    """Weights (batch, alphas, n) of neighbourhoods (batch, n, d)."""
    neighbours, dim = nodes.shape[1:]
    profiles = [_derivatives(nodes[..., i], s, alphas, i) for i, s in enumerate(sigmas)]
    density = _product([profile[0] for profile in profiles])
    if volumes is None:
        # For its refusal only: weights that are all zero cannot be divided by their sum.
        _relative(density)
        volumes = np.asarray(1 / density.sum(axis=1, keepdims=True))
    weights = np.empty((len(nodes), len(alphas), neighbours))
    for row, alpha in enumerate(alphas):
        weights[:, row] = (
            _product([profiles[i][a] for i, a in enumerate(alpha)]) * volumes
        )
    if normalize != "moments":
        return weights
    highest = max((sum(alpha) for alpha in alphas), default=0)
    needed = len(multi_indices(dim, highest))
    if neighbours < needed:
        remedy = f"use neighbours={2 * needed}"
        raise DegreeTooHighError(highest, neighbours, needed, "per target", remedy)
    return correct_moments(
        weights,
        _relative(density),
        nodes,
        alphas,
        lambda n: multi_indices(dim, n),
        "the system of moments of a neighbourhood",
    )


def hermite(order: int, t: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """The probabilists' Hermite polynomials He_0(t), ..., He_order(t)."""
    values = [np.ones_like(t), t]
    for a in range(1, order):
        values.append(t * values[a] - a * values[a - 1])
    return values[: order + 1]


def _derivatives(
    x: NDArray[np.float64], sigma: float, alphas: Sequence[MultiIndex], axis: int
) -> list[NDArray[np.float64]]:
    """(-1)^a g^(a)(x) for a = 0, ..., the highest order along this axis."""
    t = x / sigma
    density = np.exp(-t * t / 2) / (
        sqrt(2 * pi) * sigma
    )  # sigma is a standard deviation
    highest = max((alpha[axis] for alpha in alphas), default=0)
    return [h * density / sigma**a for a, h in enumerate(hermite(highest, t))]


def _exact_on_grid(
    alphas: Sequence[MultiIndex],
    weights: NDArray[np.float64],
    grid: Grid,
    density: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Correct the moments; powers x_i^b with b >= size_i need no condition of their own.

    On n nodes such a power equals a combination of lower ones along its axis, so its moment is a combination
    of moments of lower total degree, none of which is that of alpha: it vanishes with them.
    """
    check_sizes(alphas, grid)

    def conditions(order: int) -> list[MultiIndex]:
        return [
            b
            for b in multi_indices(grid.dim, order)
            if all(k < n for k, n in zip(b, grid.size, strict=True))
        ]

    # One neighbourhood: the grid itself.
    flat = weights.reshape(1, len(alphas), prod(grid.size))
    relative = _relative(density.reshape(1, -1))
    what = f"the system of moments on a grid of size {grid.size}"
    corrected = correct_moments(
        flat, relative, grid.coordinates()[None], alphas, conditions, what
    )
    return corrected.reshape(weights.shape)


def _relative(density: NDArray[np.float64]) -> NDArray[np.float64]:
    """The density divided by its largest value in each neighbourhood (batch, n)."""
    # A common factor of the densities changes nothing in the correction; the largest is made 1.
    largest = density.max(axis=1, keepdims=True)
    if not np.all(largest > 0):
        raise StencilError(
            "sigma is so small that the Gaussian vanishes on every node: use a larger one"
        )
    return np.asarray(density / largest)


def _product(factors: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    return np.asarray(np.prod(np.stack(factors), axis=0))


def _check_sigma(sigma: Sigma, dim: int) -> tuple[float, ...]:
    sigmas = as_numbers(per_axis(sigma, dim, "sigma"), "sigma")
    if not all(0 < s < float("inf") for s in sigmas):
        raise StencilError(
            f"sigma must be positive and finite, got {sigma}: about one spacing is usual"
        )
    return sigmas


def _check_normalize(normalize: str | None) -> None:
    if normalize not in (None, "moments"):
        raise StencilError(
            f"unknown normalization {normalize!r}: use 'moments' or None"
        )

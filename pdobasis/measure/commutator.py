r"""How far a filter is from commuting with g, on smooth random fields, in closed form.

Let f be a stationary random field with independent channels and covariance $C(x - x') = e^{-|x - x'|^2 / 2\ell^2}$:
white noise, blurred by a Gaussian of standard deviation *width*, has $\ell = \sqrt 2 \cdot$ width, and the power
spectrum $S(k) \propto e^{-\text{width}^2 |k|^2}$. A wave $e^{ik \cdot x}$ is multiplied by the transfer function
$\hat W(k) = \sum_y W(y) e^{ik \cdot y}$, and equivariance is $\hat W(g^{-T} k)\, \rho_{in}(g) = \rho_{out}(g)\, \hat
W(k)$.
In the mean over all such fields, at every point x,

$$E\,|W(g f) - g\,(W f)|^2 = \int |\hat W(g^{-T} k) \rho_{in} - \rho_{out} \hat W(k)|^2\, S(k)\, dk
  = E\,\Big|\sum_y W(y) \rho_{in} f(g^{-1} y) - \sum_y \rho_{out} W(y) f(y)\Big|^2 .$$

The right side needs neither frequencies nor interpolation. For any weights A at points p,
$E\,|\sum_p A(p) f(p)|^2 = \sum_{p, p'} \mathrm{tr}\, A(p) A(p')^T C(p - p')$, and $e^{p \cdot p' / \ell^2}$ is an
exponential series, so

$$E\,\Big|\sum_p A(p) f(p)\Big|^2 = \sum_\alpha \Big|\sum_p A(p)\, \varphi_\alpha(p)\Big|^2, \qquad
  \varphi_\alpha(p) = e^{-|p|^2 / 2\ell^2} \frac{p^\alpha}{\ell^{|\alpha|} \sqrt{\alpha!}} .$$

It is a sum of squares of (damped) moments, so small errors do not drown in rounding.
"""

from __future__ import annotations

from math import isfinite, sqrt

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import SpecError
from pdobasis.stencils.multi_index import multi_indices

TAIL = 1e-30
"""What may be missing of the series, relative to the square of the sum of all weights: rounding, squared."""
MAX_REACH = 30.0
"""Of a stencil, in correlation lengths: beyond, points are independent, and the series grows long."""
DEPENDENT = 1e-13
"""Singular values below this, relative to the largest, are rounding."""


def commutator(
    filters: NDArray[np.float64],
    nodes: NDArray[np.float64],
    g: NDArray[np.float64],
    rho_in: NDArray[np.float64],
    rho_out: NDArray[np.float64],
    width: float,
) -> tuple[float, float]:
    r"""$\sum_W E\,|W(gf) - g(Wf)|^2$ and $\sum_W E\,|g(Wf)|^2$ over filters (number, c_out, c_in, nodes).

    nodes (nodes, d) and width in the same units.
    """
    taps, mixtures = _in_common(filters)
    length = correlation_length(width)
    points = np.concatenate([nodes @ np.linalg.inv(g).T, nodes])
    values = moments(points, length)
    # What the few stencils in common give at the moved points, and where they were.
    both = np.concatenate([taps @ values[: len(nodes)], taps @ values[len(nodes) :]])
    # Rows of a triangle with the same products: a few numbers stand for the whole series.
    triangle = np.asarray(np.linalg.qr(both.T, mode="r")).T
    moved, still = triangle[: len(taps)], triangle[len(taps) :]
    before = np.swapaxes(np.swapaxes(mixtures, -1, -2) @ rho_in, -1, -2) @ moved
    after = np.einsum("op,epin->eoin", rho_out, mixtures, optimize=True) @ still
    return float(np.sum((before - after) ** 2)), float(np.sum(after**2))


def correlation_length(width: float) -> float:
    """Of white noise that was blurred to this width."""
    if not (isfinite(width) and width > 0):
        raise SpecError(
            f"the width of a field is a positive number of samples, got {width:g}: 3 is usual"
        )
    return sqrt(2) * width


def moments(points: NDArray[np.float64], length: float) -> NDArray[np.float64]:
    r"""$\varphi_\alpha(p)$ for points (n, d), by increasing $|\alpha|$, as far as the series matters."""
    reach = float(np.sqrt((points**2).sum(axis=1).max(initial=0.0))) / length
    if reach > MAX_REACH:
        raise SpecError(
            f"the stencil reaches {reach:.3g} correlation lengths of so rough a field, beyond {MAX_REACH:g}: "
            "use a larger width"
        )
    degree = _degree(reach**2)
    scaled = points / length
    # One factor for every axis and power, by repeated products: t^a e^{-t²/2} / sqrt(a!).
    powers = [np.exp(-(scaled**2) / 2)]
    for a in range(1, degree + 1):
        powers.append(powers[-1] * scaled / sqrt(a))
    table = np.stack(powers)
    alphas = np.array(multi_indices(points.shape[1], degree), dtype=np.int64)
    out = np.ones((len(points), len(alphas)))
    for axis in range(points.shape[1]):
        out *= table[alphas[:, axis], :, axis].T
    return out


def _degree(mean: float) -> int:
    """Where the series may end: its terms are the probabilities of Poisson's distribution with this mean."""
    degree, term = 0, float(np.exp(-mean))
    # Behind the mean the terms fall faster than a geometric series of ratio 1/2 once n > 2 mean.
    while degree <= 2 * mean or 2 * term > TAIL:
        degree += 1
        term *= mean / degree
    return degree


def _in_common(
    filters: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Few stencils (rank, nodes), and every filter as a mixture of them (number, c_out, c_in, rank).

    There are no more of them than derivatives, although there are many channels.
    """
    rows = filters.reshape(-1, filters.shape[-1])
    # R of a QR decomposition has the row space and the singular values of the whole, and few rows.
    _, s, v = np.linalg.svd(np.linalg.qr(rows, mode="r"), full_matrices=False)
    rank = int(np.count_nonzero(s > DEPENDENT * s.max(initial=0.0)))
    return v[:rank], filters @ v[:rank].T

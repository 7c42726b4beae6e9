r"""PDOs as the infinitesimal limit of kernels, measured.

For $K_\sigma = D(P)\,G_\sigma$ the convolution $K_\sigma * f = D(P)(G_\sigma * f)$ differs from $D(P)f$ by
$\tfrac{\sigma^2}{2}\,\mathrm{tr}(B^{-1}\nabla\nabla^T)\,D(P)f + O(\sigma^4)$: order 2 in σ for every smooth field. Here
the convolution is done as an integral, over kernels that are polynomials times a Gaussian, and $D(P)f$ by a formula for
the field that knows nothing of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.polynomial import hermite_e
from numpy.typing import NDArray

from pdobasis.answer.basis import Basis
from pdobasis.exact.numbers import to_float

Array = NDArray[np.float64]
Derivative = Callable[[Array, tuple[int, ...]], Array]
"""Points (..., d) and an exponent α to the derivative ∂^α of all channels, (..., channels)."""

STEP, REACH = 0.5, 8.0
"""Of the trapezoidal rule, in units of σ: for a Gaussian the error is below 1e-16."""
POINTS = 5
TERMS = 4
SIGMAS = (0.4, 0.2, 0.1, 0.05)


@dataclass(frozen=True, slots=True)
class GaussianLimit:
    """One field: the largest relative error of all elements, for each σ.

    Attributes
    ----------
    field : str
        The kind of field.
    seed : int
        Of the field.
    sigmas : tuple of float
        Widths of the Gaussians.
    errors : tuple of float
        For each width the largest relative error.

    Examples
    --------
    >>> found = GaussianLimit("waves", 0, (0.2, 0.1), (0.04, 0.01))
    >>> [round(rate, 6) for rate in found.rates]
    [2.0]
    """

    field: str
    seed: int
    sigmas: tuple[float, ...]
    errors: tuple[float, ...]

    @property
    def rates(self) -> tuple[float, ...]:
        """The observed order between one σ and the next."""
        logs = np.diff(np.log(self.errors)) / np.diff(np.log(self.sigmas))
        return tuple(logs.tolist())


def gaussian_limit(
    basis: Basis, sigmas: tuple[float, ...] = SIGMAS, seeds: Iterable[int] = range(4)
) -> tuple[GaussianLimit, ...]:
    """The errors of Gaussian kernels as approximations of PDOs, for every kind of field and every seed.

    Parameters
    ----------
    basis : Basis
        The operators.
    sigmas : tuple of float, optional
        Widths of the Gaussians.
    seeds : iterable of int, optional
        Of the fields.

    Returns
    -------
    tuple of GaussianLimit
        One for each kind of field and seed.

    Examples
    --------
    >>> import pdobasis
    >>> gradient = pdobasis.solve("D4", "trivial", "vector", order=1)
    >>> [round(found.rates[0]) for found in gaussian_limit(gradient, sigmas=(0.2, 0.1), seeds=[0])]
    [2, 2, 2]
    """
    family = basis.gaussian_kernels()
    nodes, volume = _nodes(to_float(family.form))
    kernels = family.at(nodes, 1.0) * volume
    channels, dim = basis.problem.in_type.size, basis.problem.group.dim
    out = []
    for (name, make), seed in product(FIELDS.items(), seeds):
        rng = np.random.default_rng(seed)
        field = make(rng, channels, dim)
        at = rng.uniform(-0.5, 0.5, (POINTS, dim))
        errors = [_error(basis, field, at, (nodes, kernels), sigma) for sigma in sigmas]
        out.append(GaussianLimit(name, seed, tuple(sigmas), tuple(errors)))
    return tuple(out)


def _error(
    basis: Basis, field: Derivative, at: Array, rule: tuple[Array, Array], sigma: float
) -> float:
    """Of all elements the largest, relative to D(P)f at all points."""
    derivatives = np.stack([field(at, alpha) for alpha in basis.monomials()], axis=-1)
    expected = np.einsum("eoim,pim->epo", basis.coefficients(), derivatives)
    nodes, kernels = rule
    values = field(at[:, None, :] - sigma * nodes, (0,) * at.shape[1])
    # The integral over y = sigma z: K_sigma(y) dy is sigma^-n K_1(z) dz.
    found = np.einsum("enoi,pni->epo", kernels, values, optimize=True)
    orders = np.array([element.order for element in basis.elements])
    found *= (sigma ** -orders.astype(float))[:, None, None]
    errors = np.linalg.norm(found - expected, axis=(1, 2)) / np.linalg.norm(
        expected, axis=(1, 2)
    )
    return float(errors.max())


def _nodes(form: Array) -> tuple[Array, float]:
    """A lattice for the integral over G_1, and the volume of its cell; a cube where B is 1."""
    dim = len(form)
    axis = np.arange(-REACH, REACH + STEP / 2, STEP)
    grid = np.stack(np.meshgrid(*[axis] * dim, indexing="ij"), axis=-1).reshape(-1, dim)
    # B = L L^T, so x = L^-T z has x^T B x = z^T z
    root = np.linalg.inv(np.linalg.cholesky(form)).T
    return grid @ root.T, float(np.linalg.det(STEP * root))


def _waves(rng: np.random.Generator, channels: int, dim: int) -> Derivative:
    """Sums of cosines: each derivative is a quarter turn of the phase."""
    k = rng.normal(size=(channels, TERMS, dim))
    phase = rng.uniform(0, 2 * np.pi, (channels, TERMS))

    def derivative(x: Array, alpha: tuple[int, ...]) -> Array:
        angle = np.einsum("...d,ctd->...ct", x, k) + phase + sum(alpha) * np.pi / 2
        return np.asarray(
            (np.prod(k ** np.array(alpha), axis=-1) * np.cos(angle)).sum(axis=-1)
        )

    return derivative


def _exponentials(rng: np.random.Generator, channels: int, dim: int) -> Derivative:
    """Real parts of e^{iφ + k·x} with complex k: each derivative is a factor k."""
    k = rng.uniform(0.4, 1.2, (channels, dim)) * np.exp(
        1j * rng.uniform(0.3, 1.2, (channels, dim))
    )
    phase = np.exp(1j * rng.uniform(0, 2 * np.pi, channels))

    def derivative(x: Array, alpha: tuple[int, ...]) -> Array:
        return np.asarray(
            (np.exp(x @ k.T) * phase * np.prod(k ** np.array(alpha), axis=-1)).real
        )

    return derivative


def _bumps(rng: np.random.Generator, channels: int, dim: int) -> Derivative:
    """Sums of Gaussians of width 1 at random centres: Hermite polynomials."""
    centre = rng.uniform(-1.5, 1.5, (channels, TERMS, dim))
    height = rng.normal(size=(channels, TERMS))

    def derivative(x: Array, alpha: tuple[int, ...]) -> Array:
        z = x[..., None, None, :] - centre
        out = height * np.exp(-(z**2).sum(axis=-1) / 2)
        for i, n in enumerate(alpha):
            out = out * (-1) ** n * hermite_e.hermeval(z[..., i], [0] * n + [1])
        return np.asarray(out.sum(axis=-1))

    return derivative


FIELDS: dict[str, Callable[[np.random.Generator, int, int], Derivative]] = {
    "waves": _waves,
    "exponentials": _exponentials,
    "bumps": _bumps,
}

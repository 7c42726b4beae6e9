r"""Convergence under $h \to h/2$ on a smooth field.

Component i of the field is $f_i(x) = \mathrm{Re}\, e^{i\varphi_i + k_i \cdot x}$ with complex $k_i$, so that
$D(P) f (0) = \mathrm{Re} \sum_i P_{\cdot i}(k_i) e^{i \varphi_i}$ is known exactly. A stencil of order n on a grid
scaled by h is $h^{-n}$ times the stencil (a Gaussian's sigma and a radial function's shape scale with the grid).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from pdobasis.stencils.multi_index import monomial_values
from pdobasis.stencils.sampled import Sampled

NOISE = 1e-10
"""Errors below this (relative, times the growth of rounding) are rounding, not truncation."""
STEPS = 7


@dataclass(frozen=True, slots=True)
class Convergence:
    """For one element: relative errors for the spacings 1/2, 1/4, ..., and the observed order (None: no error).

    Attributes
    ----------
    element : int
        Its number in the basis.
    order : int
        Of its derivatives.
    errors : tuple of float
        Relative, for the spacings 1/2, 1/4, ...
    rate : float or None
        The observed order; None where there is no error.

    Examples
    --------
    >>> import pdobasis
    >>> from pdobasis.stencils.sampled import sample
    >>> gradient = pdobasis.solve("O(2)", "trivial", "vector", order=1)
    >>> (found,) = convergence(sample(gradient, "fd", 3))
    >>> found.element, found.order, len(found.errors)
    (0, 1, 7)
    """

    element: int
    order: int
    errors: tuple[float, ...]
    rate: float | None


def convergence(sampled: Sampled, seed: int = 0) -> tuple[Convergence, ...] | None:
    """The observed order of every element; None for kernels, which do not approximate a derivative.

    >>> import pdobasis
    >>> from pdobasis.stencils.sampled import sample
    >>> gradient = pdobasis.solve("O(2)", "trivial", "vector", order=1)
    >>> [round(found.rate) for found in convergence(sample(gradient, "fd", 3))]
    [2]

    Parameters
    ----------
    sampled : Sampled
        Stencils of a basis, as ``pdobasis.stencils.sampled.sample`` makes them.
    seed : int, optional
        Of the waves.

    Returns
    -------
    tuple of Convergence or None
        One for each element.
    """
    if sampled.rings is not None:
        return None
    dim, c_in = sampled.grid.dim, sampled.problem.in_type.size
    rng = np.random.default_rng(seed)
    # Complex and of size below 1: waves that grow or decay, smooth at the first spacing, in no special direction.
    k = rng.uniform(0.4, 1.0, (c_in, dim)) * np.exp(
        1j * rng.uniform(0.3, 1.2, (c_in, dim))
    )
    phase = np.exp(1j * rng.uniform(0, 2 * np.pi, c_in))
    exact = _exact(sampled, k, phase)
    scale = np.maximum(np.abs(exact).max(axis=1, initial=0.0), np.finfo(float).tiny)
    spacings = [0.5**s for s in range(1, STEPS + 1)]
    errors = []
    for h in spacings:
        # The same weights on a grid of spacing h are h^n times those of the derivative.
        approximate = (
            _apply(sampled, k, phase, h) * (h ** -sampled.orders.astype(float))[:, None]
        )
        errors.append(np.abs(approximate - exact).max(axis=1, initial=0.0) / scale)
    table = np.stack(errors, axis=1)
    return tuple(
        Convergence(
            e, int(n), tuple(table[e].tolist()), _rate(table[e], spacings, int(n))
        )
        for e, n in enumerate(sampled.orders)
    )


def _exact(
    sampled: Sampled, k: NDArray[np.complex128], phase: NDArray[np.complex128]
) -> NDArray[np.float64]:
    alphas = [tuple(alpha) for alpha in sampled.monomials.tolist()]
    values = monomial_values(k, alphas) * phase[:, None]
    return np.asarray(np.einsum("eoim,im->eo", sampled.coefficients, values).real)


def _apply(
    sampled: Sampled, k: NDArray[np.complex128], phase: NDArray[np.complex128], h: float
) -> NDArray[np.float64]:
    elements, c_out, c_in = sampled.stencils.shape[:3]
    flat = sampled.stencils.reshape(elements, c_out, c_in, prod(sampled.grid.size))
    if sampled.places is None:
        field = (np.exp(h * sampled.grid.coordinates() @ k.T) * phase).real
        return np.asarray(np.einsum("eoin,ni->eo", flat, field))
    out = np.zeros((elements, c_out))
    for o in range(c_out):
        for i in range(c_in):
            field = (
                np.exp(h * sampled.node_grid(o, i).coordinates() @ k[i]) * phase[i]
            ).real
            out[:, o] += flat[:, o, i] @ field
    return out


def _rate(
    errors: NDArray[np.float64], spacings: list[float], order: int
) -> float | None:
    """log2 of the last ratio of errors that is above rounding."""
    # Dividing by h^n magnifies rounding as much as it magnifies the stencil.
    usable = [
        s
        for s, (e, h) in enumerate(zip(errors, spacings, strict=True))
        if e > NOISE + 1e-14 * h**-order
    ]
    # The finest pair of spacings: there the leading term of the error is most nearly alone.
    last = next((s for s in reversed(usable) if s - 1 in usable), None)
    if last is None:
        return None
    return float(np.log2(errors[last - 1] / errors[last]))

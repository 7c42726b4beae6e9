"""Derivatives of arrays: spectral on periodic grids, by any discretization, or at the points of a cloud."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.errors import SpecError
from pdobasis.exact.given import numbers_of
from pdobasis.stencils.discretization import Derivatives
from pdobasis.stencils.grids import Grid
from pdobasis.stencils.options import missing_on_points, only_given
from pdobasis.stencils.registry import discretizations, find, require_options

Array = NDArray[np.float64]
Derivative = Callable[[Array, tuple[int, ...]], Array]
SPECTRAL = "spectral"
ARGUMENTS = (
    "spacing", "stencil", "size", "boundary", "grid", "points", "neighbours", "block",
)  # fmt: skip
"""That stand beside the options, to guess at a misspelt one."""
BOUNDARIES = {
    "periodic": "wrap",
    "reflect": "reflect",
    "nearest": "nearest",
    "zero": "constant",
}


def derivative_of(
    dim: int,
    spacing: float | Sequence[float],
    stencil: str,
    size: int | Sequence[int],
    boundary: str,
    options: Mapping[str, Any],
) -> Derivative:
    """∂^α of an array whose last axis is x1, the one before it x2, …"""
    steps = steps_of(dim, spacing)
    if stencil == SPECTRAL:
        known = [name for method in discretizations() for name in method.option_names]
        if boundary != "periodic" or not options.keys().isdisjoint(known):
            raise SpecError(
                "spectral derivatives are for periodic grids and have no options: choose a stencil (fd, gauss, rbffd)"
            )
        require_options(options, [SPECTRAL], (), ARGUMENTS)
        return lambda array, alpha: spectral(array, alpha, steps)
    if boundary not in BOUNDARIES:
        raise SpecError(f"boundary is {', '.join(BOUNDARIES)}, got {boundary!r:.40}")
    return _Correlation(dim, steps, stencil, size, BOUNDARIES[boundary], options)


def spectral(array: Array, alpha: tuple[int, ...], steps: Sequence[float]) -> Array:
    """Exact for trigonometric polynomials below the highest frequency, whose odd derivatives are set to zero."""
    out = array
    for i, order in enumerate(alpha):
        if not order:
            continue
        axis = array.ndim - 1 - i
        n = array.shape[axis]
        k = 2 * np.pi * np.fft.fftfreq(n, steps[i])
        factor = (1j * k) ** order
        if n % 2 == 0 and order % 2:
            factor[n // 2] = 0
        shape = [1] * array.ndim
        shape[axis] = n
        moved = np.fft.fft(out, axis=axis) * factor.reshape(shape)
        out = np.fft.ifft(moved, axis=axis).real
    return out


class _Correlation:
    """By the stencils of one discretization, made once for each α."""

    def __init__(
        self,
        dim: int,
        steps: Sequence[float],
        stencil: str,
        size: int | Sequence[int],
        mode: str,
        options: Mapping[str, Any],
    ) -> None:
        self.method = _method(stencil)
        self.grid = Grid.regular(dim, size)
        self.steps, self.mode = steps, mode
        self.options = _options(self.method, options)
        self.known: dict[tuple[int, ...], Array] = {}

    def __call__(self, array: Array, alpha: tuple[int, ...]) -> Array:
        from scipy.ndimage import correlate

        if alpha not in self.known:
            own = self.method.completed(self.options, self.grid, sum(alpha))
            weights = self.method.stencils([alpha], self.grid, own).weights[0]
            lengths = np.prod([h**a for h, a in zip(self.steps, alpha, strict=True)])
            self.known[alpha] = weights / lengths
        found = correlate(array, self.known[alpha], mode=self.mode)
        return np.asarray(found, dtype=np.float64)


def cloud_derivative(
    points: ArrayLike,
    alphas: Sequence[tuple[int, ...]],
    stencil: str,
    neighbours: int,
    options: Mapping[str, Any],
) -> Derivative:
    """The same at the points of a cloud."""
    method = _method(stencil)
    places = np.asarray(points, dtype=np.float64)
    order = max(map(sum, alphas), default=0)
    given = _options(method, options)
    missing = missing_on_points(options, method.options)
    if missing is not None:
        raise SpecError(missing)
    own = method.completed_on_points(given, order)
    wanted = [alpha for alpha in dict.fromkeys(alphas) if any(alpha)]
    if not wanted:
        return lambda array, alpha: array
    found = method.cloud(places, places, wanted, neighbours, own)
    where = {alpha: k for k, alpha in enumerate(wanted)}

    def derivative(array: Array, alpha: tuple[int, ...]) -> Array:
        weights = found.weights[:, where[alpha]]
        return np.asarray(np.einsum("tk,tk->t", weights, array[found.indices]))

    return derivative


def _method(stencil: str) -> Derivatives[Any]:
    method = find(stencil)
    if not isinstance(method, Derivatives):
        raise SpecError(f"{stencil} samples no derivatives: take fd, rbffd or gauss")
    return method


def _options(method: Derivatives[Any], options: Mapping[str, Any]) -> Any:
    require_options(options, [method.name], method.option_names, ARGUMENTS)
    return method.Options(**only_given(options, method.options))


def steps_of(dim: int, spacing: float | Sequence[float]) -> tuple[float, ...]:
    """The spacing along x1, x2, …"""
    given = numbers_of(spacing, "the spacing")
    if given.shape not in ((), (dim,)) or not (np.isfinite(given) & (given > 0)).all():
        raise SpecError(f"the spacing is positive, one number or {dim} (x1 first)")
    return tuple(np.broadcast_to(given, (dim,)).tolist())

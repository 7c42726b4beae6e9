"""SciPy: a function by ``scipy.ndimage``, and a matrix-free ``LinearOperator`` of arrays of one shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.errors import SpecError
from pdobasis.handover.stencil_set import StencilSet
from pdobasis.handover.target import Target

MODES = {
    "wrap": "grid-wrap",
    "constant": "constant",
    "edge": "nearest",
    "reflect": "mirror",
    "symmetric": "reflect",
}
"""SciPy's words for those of numpy.pad."""
WITH_ADJOINT = ("wrap", "constant")


def build(
    stencils: StencilSet,
    shape: int | Sequence[int] | None = None,
    weights: ArrayLike | None = None,
    padding: str = "wrap",
) -> Any:
    """``apply(field, weights=None, padding="wrap")``; with ``shape`` (of the array, x1 last) a LinearOperator.

    The adjoint of a correlation with the kernel W is that with W turned around, as long as what is beyond the array is
    periodic or zero: $\\sum_y v(y) W(z - y) u(z) = \\sum_z u(z) W^*(y - z) v(y)$ with $W^*(z) = W(-z)^T$.
    """
    if shape is None:
        return _function(stencils)
    from scipy.sparse.linalg import LinearOperator

    _require_odd(stencils)
    if padding not in WITH_ADJOINT:
        raise SpecError(
            f"a LinearOperator needs padding={' or '.join(map(repr, WITH_ADJOINT))}, got {padding!r:.40}"
        )
    space = stencils.space(shape)
    kernel = _spread(stencils, weights)
    axes = tuple(range(2, kernel.ndim))
    turned = np.ascontiguousarray(np.flip(np.swapaxes(kernel, 0, 1), axes))
    points = prod(space)

    def by(own: NDArray[np.float64], vector: ArrayLike) -> NDArray[Any]:
        field = np.reshape(vector, (own.shape[1], *space))
        return _correlate(field, own, padding).ravel()

    return LinearOperator(
        (stencils.c_out * points, stencils.c_in * points),
        matvec=lambda vector: by(kernel, vector),
        rmatvec=lambda vector: by(turned, vector),
        dtype=kernel.dtype,
    )


def _function(stencils: StencilSet) -> Callable[..., NDArray[Any]]:
    _require_odd(stencils)

    def apply(
        field: ArrayLike, weights: ArrayLike | None = None, padding: str = "wrap"
    ) -> NDArray[Any]:
        if padding not in MODES:
            raise SpecError(f"padding is {', '.join(MODES)}, got {padding!r:.40}")
        array = np.asarray(field)
        dim = stencils.dim
        if array.ndim < dim + 1 or array.shape[-dim - 1] != stencils.c_in:
            raise SpecError(
                f"expected a field (..., {stencils.c_in}, *space), got {array.shape}"
            )
        kernel = _spread(stencils, weights)
        many = array.reshape(-1, *array.shape[-dim - 1 :])
        out = np.stack([_correlate(one, kernel, padding) for one in many])
        lead = array.shape[: -dim - 1]
        return out.reshape(*lead, stencils.c_out, *array.shape[-dim:])

    return apply


def _correlate(
    field: NDArray[Any], kernel: NDArray[np.float64], padding: str
) -> NDArray[Any]:
    """(c_in, *space) to (c_out, *space)."""
    from scipy.ndimage import correlate

    kind = np.result_type(field, float)
    out = np.zeros((kernel.shape[0], *field.shape[1:]), dtype=kind)
    for o, i in np.argwhere(kernel.any(axis=tuple(range(2, kernel.ndim)))):
        own = field[i].astype(kind)
        out[o] += correlate(own, kernel[o, i], mode=MODES[padding])
    return out


def _spread(stencils: StencilSet, weights: ArrayLike | None) -> NDArray[np.float64]:
    """One kernel (c_out, c_in, *size) of all points between the ends: ndimage knows no dilation."""
    own = stencils.combined(weights).weights[0]
    steps = stencils.steps
    size = [(n - 1) * step + 1 for n, step in zip(stencils.size, steps, strict=True)]
    out = np.zeros((*own.shape[:2], *size))
    places = tuple(slice(None, None, step) for step in steps)
    out[(slice(None), slice(None), *places)] = own
    return out


def _require_odd(stencils: StencilSet) -> None:
    if any(n % 2 == 0 for n in stencils.size):
        raise SpecError(
            "SciPy's arrays keep their size, which even stencils do not: use odd sizes, or the target 'numpy'"
        )


TARGET = Target("scipy", "a function by ndimage; with shape= a LinearOperator", build)

"""Symbols of a basis at points, in floats: rounded once, at the end."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.answer.basis import Basis
from pdobasis.errors import SpecError
from pdobasis.exact.given import numbers_of


def points_of(points: ArrayLike, dim: int) -> NDArray[np.float64]:
    """float64 (..., dim)."""
    out = numbers_of(points, "points")
    if out.ndim == 0 or out.shape[-1] != dim:
        raise SpecError(
            f"points need {dim} coordinates along the last axis, "
            f"got an array of shape {out.shape}"
        )
    return out


def evaluate(basis: Basis, points: ArrayLike) -> NDArray[np.float64]:
    """P(x) of every element: float64 (elements, ..., c_out, c_in)."""
    x = points_of(points, basis.problem.group.dim)
    powers = np.array(basis.monomials(), dtype=np.int64)
    # NumPy's 0**0 is 1, which the constant monomial needs at the origin.
    values = np.prod(x[..., None, :] ** powers, axis=-1)
    axes = ([3], [values.ndim - 1])
    terms = np.tensordot(basis.coefficients(), values, axes=axes)
    # (element, row, column, ...) with the points in front of the matrix
    return np.moveaxis(terms, (1, 2), (-2, -1))

"""From the stencils of monomials to the stencils of a basis."""

from __future__ import annotations

from math import prod

import numpy as np
from numpy.typing import NDArray

from pdobasis.stencils.arrays import numbers
from pdobasis.stencils.errors import ShapeError


def combine(
    coefficients: NDArray[np.float64], monomial_weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    r"""$W_{e,o,i}(y) = \sum_\alpha c_{e,o,i,\alpha}\, w_\alpha(y)$ as one matrix product.

    coefficients (elements, c_out, c_in, monomials), monomial_weights (monomials, *shape), the same order of
    monomials; the result is (elements, c_out, c_in, *shape).

    >>> combine(np.array([[[[2.0, 1.0]]]]), np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 5.0]]))
    array([[[[2., 0., 5.]]]])

    Parameters
    ----------
    coefficients : array
        (elements, c_out, c_in, monomials).
    monomial_weights : array
        (monomials, *shape).

    Returns
    -------
    array
        (elements, c_out, c_in, *shape).

    Raises
    ------
    ShapeError
        Coefficients and weights that do not fit.
    """
    coefficients = numbers(coefficients, "coefficients", 1)
    monomial_weights = numbers(monomial_weights, "monomial_weights", 1)
    if (
        coefficients.ndim != 4
        or monomial_weights.ndim < 2
        or coefficients.shape[-1] != monomial_weights.shape[0]
    ):
        raise ShapeError(
            f"coefficients (elements, c_out, c_in, monomials) and weights (monomials, *shape) do not fit: "
            f"got {coefficients.shape} and {monomial_weights.shape}"
        )
    lead, shape = coefficients.shape[:-1], monomial_weights.shape[1:]
    # One product of matrices instead of one sum per element.
    left = np.ascontiguousarray(coefficients, dtype=np.float64).reshape(
        prod(lead), len(monomial_weights)
    )
    right = np.ascontiguousarray(monomial_weights, dtype=np.float64).reshape(
        len(monomial_weights), prod(shape)
    )
    return np.asarray(left @ right).reshape(*lead, *shape)

"""Multi-indices alpha = (a1, ..., ad): checked, enumerated, evaluated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement
from math import factorial, prod
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.stencils.errors import MultiIndexError

MultiIndex = tuple[int, ...]


def check_alphas(alphas: Iterable[Sequence[int]], dim: int) -> tuple[MultiIndex, ...]:
    """The multi-indices as tuples of integers, refused unless each has ``dim`` non-negative entries."""
    return tuple(_check(alpha, dim) for alpha in alphas)


def multi_indices(dim: int, degree: int) -> tuple[MultiIndex, ...]:
    """All multi-indices with |alpha| <= degree, by order, then with the first axes first.

    >>> multi_indices(2, 2)
    ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2))

    Parameters
    ----------
    dim : int
        Number of variables.
    degree : int
        The highest.

    Returns
    -------
    tuple of MultiIndex
        By order.
    """
    return tuple(
        tuple(axes.count(i) for i in range(dim))
        for order in range(degree + 1)
        for axes in combinations_with_replacement(range(dim), order)
    )


def factorials(alpha: MultiIndex) -> int:
    """alpha! = a1! ... ad!, the value of the derivative of order alpha on the monomial x^alpha."""
    return prod(factorial(a) for a in alpha)


def monomial_values(x: NDArray[Any], alphas: Sequence[MultiIndex]) -> NDArray[Any]:
    """x^alpha for points x of shape (..., n, d): shape (..., n, len(alphas)), with 0^0 = 1."""
    result = np.ones((*x.shape[:-1], len(alphas)), dtype=x.dtype)
    highest = max((max(alpha, default=0) for alpha in alphas), default=0)
    for axis in range(x.shape[-1]):
        # By repeated products, not by pow: the same bits on every machine.
        powers = [np.ones(x.shape[:-1], dtype=x.dtype)]
        for _ in range(highest):
            powers.append(powers[-1] * x[..., axis])
        for column, alpha in enumerate(alphas):
            if alpha[axis]:
                result[..., column] *= powers[alpha[axis]]
    return result


def _check(alpha: Sequence[int], dim: int) -> MultiIndex:
    try:
        result = tuple(index(a) for a in alpha)
    except TypeError:
        raise MultiIndexError(alpha, dim) from None
    if len(result) != dim or any(a < 0 for a in result):
        raise MultiIndexError(alpha, dim)
    return result

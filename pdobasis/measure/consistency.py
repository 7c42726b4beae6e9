r"""Consistency: the moments of every stencil, against those of its operator.

The stencil of $D(P) = \sum_\alpha c_\alpha \partial^\alpha$ should give $c_\beta\, \beta!$ on $x^\beta$. If it does for
all $|\beta| < n + p$, where n is the order, the error on smooth functions is $O(h^p)$.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from pdobasis.stencils.multi_index import (
    MultiIndex,
    factorials,
    monomial_values,
    multi_indices,
)
from pdobasis.stencils.sampled import Sampled

EXACT = 1e-11
"""A moment is exact if it misses by less than this, relative to the sum of the absolute values of its terms (or to
a hundredth of what the largest weight gives at the farthest node, so that rounding errors are not compared to
themselves)."""


@dataclass(frozen=True, slots=True, eq=False)
class Consistency:
    """``given`` and ``expected`` (elements, c_out, c_in, monomials); ``errors`` (elements, degrees), relative.

    ``accuracy[e]`` is p; None if no monomial that was tried sees an error; 0 if the stencil is not consistent.

    Attributes
    ----------
    monomials : tuple of MultiIndex
        On which the stencils were tried.
    given : array
        (elements, c_out, c_in, monomials), what the stencils give.
    expected : array
        Of the same shape, what the operators give.
    errors : array
        (elements, degrees), relative.
    accuracy : tuple of int or None
        p of every element.

    Examples
    --------
    >>> import pdobasis
    >>> from pdobasis.stencils.sampled import sample
    >>> gradient = pdobasis.solve("O(2)", "trivial", "vector", order=1)
    >>> found = consistency(sample(gradient, "fd", 3))
    >>> found.given.shape, found.accuracy
    ((1, 2, 1, 15), (2,))
    """

    monomials: tuple[MultiIndex, ...]
    given: NDArray[np.float64]
    expected: NDArray[np.float64]
    errors: NDArray[np.float64]
    accuracy: tuple[int | None, ...]


def consistency(sampled: Sampled) -> Consistency | None:
    """All moments up to the largest order plus the size; None for kernels, which are no derivatives.

    >>> import pdobasis
    >>> from pdobasis.stencils.sampled import sample
    >>> gradient = pdobasis.solve("O(2)", "trivial", "vector", order=1)
    >>> consistency(sample(gradient, "fd", 3)).accuracy
    (2,)

    Parameters
    ----------
    sampled : Sampled
        Stencils of a basis, as ``pdobasis.stencils.sampled.sample`` makes them.

    Returns
    -------
    Consistency or None
        What the stencils give on monomials.
    """
    if sampled.rings is not None:
        return None
    degree = sampled.problem.order + max(sampled.grid.size)
    betas = multi_indices(sampled.grid.dim, degree)
    given, scale = _moments(sampled, betas)
    expected = np.zeros_like(given)
    where = {beta: k for k, beta in enumerate(betas)}
    for column, alpha in enumerate(map(tuple, sampled.monomials.tolist())):
        expected[..., where[alpha]] = sampled.coefficients[..., column] * factorials(
            alpha
        )
    degrees = np.array([sum(beta) for beta in betas])
    largest = np.abs(sampled.stencils).max(
        axis=tuple(range(1, sampled.stencils.ndim)), initial=0.0
    )
    # A moment that should be zero is compared with what the weights could give, not with itself.
    reach = float(np.abs(sampled.grid.coordinates()).max())
    floor = np.maximum(0.01 * largest[:, None] * reach**degrees, np.finfo(float).tiny)
    miss = np.abs(given - expected) / np.maximum(
        np.maximum(scale, np.abs(expected)), floor[:, None, None]
    )
    worst = miss.max(axis=(1, 2), initial=0.0)
    errors = np.stack(
        [worst[:, degrees == n].max(axis=1) for n in range(degree + 1)], axis=1
    )
    accuracy = tuple(
        _accuracy(row, int(order))
        for row, order in zip(errors, sampled.orders, strict=True)
    )
    return Consistency(betas, given, expected, errors, accuracy)


def _accuracy(errors: NDArray[np.float64], order: int) -> int | None:
    wrong = np.flatnonzero(errors > EXACT)
    if not len(wrong):
        return None
    # Moments are right below the degree n + p, so the first that is wrong has this degree.
    return max(0, int(wrong[0]) - order)


def _moments(
    sampled: Sampled, betas: tuple[MultiIndex, ...]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Moments, and the sums of the absolute values of their terms."""
    elements, c_out, c_in = sampled.stencils.shape[:3]
    flat = sampled.stencils.reshape(elements, c_out, c_in, prod(sampled.grid.size))
    if sampled.places is None:
        values = monomial_values(sampled.grid.coordinates(), betas)
        return flat @ values, np.abs(flat) @ np.abs(values)
    # On a staggered grid each pair of components has nodes of its own.
    given = np.empty((elements, c_out, c_in, len(betas)))
    scale = np.empty_like(given)
    for o in range(c_out):
        for i in range(c_in):
            values = monomial_values(sampled.node_grid(o, i).coordinates(), betas)
            given[:, o, i] = flat[:, o, i] @ values
            scale[:, o, i] = np.abs(flat[:, o, i]) @ np.abs(values)
    return given, scale

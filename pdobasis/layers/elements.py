"""Group elements as numbers: which matrix, and what a representation makes of it."""

from __future__ import annotations

from functools import reduce

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.bounds.caches import remembered
from pdobasis.errors import RepresentationError
from pdobasis.exact.array import ExactArray, integers
from pdobasis.exact.numbers import to_float
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group
from pdobasis.layers.errors import LayerError
from pdobasis.representations.representation import Representation, all_matrices
from pdobasis.stencils import signed_permutations

CLOSE = 1e-9

Element = int | ArrayLike | ExactArray


def element_matrix(group: Group, g: Element) -> NDArray[np.float64]:
    """The matrix of an element: a matrix itself, or its number in the order of a finite group."""
    if isinstance(g, ExactArray):
        return to_float(g)
    if isinstance(g, (int, np.integer)):
        if not group.is_finite or not 0 <= g < (group.order or 0):
            raise LayerError(
                f"{group.name} has {group.order_text} elements, so none has the number {g}: give a matrix"
            )
        return np.asarray(_matrices(group)[int(g)])
    matrix = np.asarray(g, dtype=np.float64)
    if matrix.shape != (group.dim, group.dim):
        raise LayerError(
            f"an element of {group.name} is {group.dim}x{group.dim}, got an array of shape {matrix.shape}"
        )
    return matrix


def rho(rep: Representation, g: NDArray[np.float64]) -> NDArray[np.float64]:
    """rho(g) in floating point; LayerError when g is not in the group."""
    if rep.group.is_finite:
        index = _index(rep.group, g)
        return np.asarray(_images(rep)[index])
    if is_whole(g):
        try:
            return to_float(rep.at(integers(np.rint(g).astype(np.int64))))
        # Without a formula rho is known on generators only; its derivative gives the connected part all the same.
        except RepresentationError:
            pass
    return _exponential(rep, g)


def is_signed_permutation(g: NDArray[np.float64]) -> bool:
    near = np.rint(g)
    size = np.abs(near)
    return bool(
        np.allclose(g, near, atol=CLOSE)
        and (size.sum(0) == 1).all()
        and (size.sum(1) == 1).all()
    )


def is_whole(g: NDArray[np.float64]) -> bool:
    """Whether g maps the points of whole coordinates to themselves: whole entries and determinant ±1.

    >>> [is_whole(np.array(g, dtype=float)) for g in ([[0, -1], [1, 0]], [[1, -1], [1, 0]], [[2, 0], [0, 1]])]
    [True, True, False]
    """
    if not np.allclose(g, np.rint(g), rtol=0, atol=CLOSE):
        return False
    return abs(abs(float(np.linalg.det(np.rint(g)))) - 1) < CLOSE


def grid_elements(group: Group) -> list[NDArray[np.float64]]:
    """The elements that map the points of a grid to themselves; for a continuous group those of SO(d) and O(d)."""
    if group.is_finite:
        return [g for g in _matrices(group) if is_whole(g)]
    term = group.term
    if term is None or term.family not in ("SO", "O"):
        raise LayerError(
            f"give elements=[...]: those of {group.name} that keep the grid are not known"
        )
    every = [np.asarray(g, dtype=np.float64) for g in signed_permutations(group.dim)]
    return [g for g in every if term.family == "O" or np.linalg.det(g) > 0]


def contains(group: Group, g: NDArray[np.float64]) -> bool:
    """Whether a symmetry of the grid is in the group."""
    return any(np.abs(h - g).max() <= CLOSE for h in grid_elements(group))


@remembered
def _matrices(group: Group) -> NDArray[np.float64]:
    return to_float(closure(group).matrices)


@remembered
def _images(rep: Representation) -> NDArray[np.float64]:
    return to_float(all_matrices(rep))


def _index(group: Group, g: NDArray[np.float64]) -> int:
    distance = np.abs(_matrices(group) - g).max(axis=(1, 2))
    if distance.min() > CLOSE:
        raise LayerError(
            f"{np.round(g, 6).tolist()} is not in {group.name}, so its fields do not know it"
        )
    return int(distance.argmin())


def _exponential(rep: Representation, g: NDArray[np.float64]) -> NDArray[np.float64]:
    """rho(h exp X) = rho(h) exp d rho(X), over the finite part h of a continuous group."""
    from scipy.linalg import expm

    # g = h exp X for one h of the finite part: X is a logarithm of h^{-1} g that lies in the Lie algebra
    basis = np.stack([to_float(x).ravel() for x in rep.group.lie], axis=1)
    discrete = rep.group.discrete
    for index, h in enumerate(_matrices(discrete)):
        logarithm = _logarithm(np.linalg.inv(h) @ g)
        if logarithm is None:
            continue
        weights, *_ = np.linalg.lstsq(basis, logarithm.ravel(), rcond=None)
        if np.allclose(basis @ weights, logarithm.ravel(), atol=1e-7):
            words = closure(discrete).word(index)
            # rho is known on the generators: h is a word in them, and rho(h) the same word in their images.
            finite = reduce(
                np.matmul,
                [to_float(rep.matrices()[s]) for s in words],
                np.eye(rep.size),
            )
            tangent = sum(
                (w * to_float(x) for w, x in zip(weights, rep.lie, strict=True)),
                np.zeros((rep.size,) * 2),
            )
            return np.asarray(finite @ expm(tangent))
    raise LayerError(
        f"{np.round(g, 6).tolist()} is not in {rep.group.name}, so its fields do not know it"
    )


def _logarithm(m: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """A real logarithm; rotations by half a turn, where the usual one is complex, through their square root."""
    from scipy.linalg import logm

    # det exp X = exp tr X is positive.
    if np.linalg.det(m) <= 0:
        return None
    result = logm(m)
    if np.isrealobj(result) or np.abs(result.imag).max() < 1e-9:
        return np.asarray(result.real)
    return None

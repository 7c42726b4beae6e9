r"""Remove rounding errors that break the symmetry of the grid.

For a signed permutation g with $g e_j = s_j e_{\pi(j)}$ the symbol $x^\alpha$ becomes
$s^\alpha x^{\pi\alpha}$, so stencils that respect g satisfy $W_\alpha(g^{-1} y) = s^\alpha W_{\pi\alpha}(y)$
(see `symmetry`). Solved linear systems satisfy this up to rounding only.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import fsum, prod

import numpy as np
from numpy.typing import NDArray

from pdobasis.stencils.grids import Grid
from pdobasis.stencils.multi_index import MultiIndex
from pdobasis.stencils.symmetry import (
    grid_point_group,
    split_signed_permutation,
    transform_stencil,
)


def symmetrise(
    alphas: Sequence[MultiIndex],
    weights: NDArray[np.float64],
    grid: Grid,
    axis_kinds: Sequence[Hashable] | None = None,
) -> NDArray[np.float64]:
    """Stencils that are equal bit by bit where the grid's symmetries say so, and closest to those given.

    One alpha of each orbit is averaged over its stabiliser, with correctly rounded sums, so that equal
    weights come out equal whatever the order; the others are moved copies. Axes of different kinds are never
    exchanged.
    """
    kinds = axis_kinds or (0,) * grid.dim
    group = [_Element(g, grid) for g in grid_point_group(grid)]
    group = [
        g for g in group if all(kinds[j] == kinds[i] for j, i in enumerate(g.images))
    ]
    flat = weights.reshape(len(alphas), prod(grid.size))
    done: dict[MultiIndex, NDArray[np.float64]] = {}
    for row, alpha in zip(flat, alphas, strict=True):
        if alpha not in done:
            stabiliser = [g for g in group if g.apply(alpha) == alpha]
            # averaging over the stabiliser projects onto the weights that it leaves alone
            mean = _mean([g.sign(alpha) * row[g.sources] for g in stabiliser])
            # The rest of the orbit are moved copies, so that they agree bit by bit.
            for g in group:
                done.setdefault(g.apply(alpha), g.sign(alpha) * mean[g.sources])
    found = np.array([done[alpha] for alpha in alphas]).reshape(weights.shape)
    # A sign may have made -0.0 of a zero; with 0.0 added it is one again.
    return found + 0.0


class _Element:
    """A signed permutation g with the flat index of g^{-1} y for every node y."""

    __slots__ = ("images", "signs", "sources")

    def __init__(self, g: NDArray[np.int64], grid: Grid) -> None:
        self.images, self.signs = split_signed_permutation(g)
        places = np.arange(prod(grid.size)).reshape(grid.array_shape)
        self.sources = transform_stencil(places, g, grid.layout).ravel()

    def apply(self, alpha: MultiIndex) -> MultiIndex:
        moved = [0] * len(alpha)
        for j, image in enumerate(self.images):
            moved[image] = alpha[j]
        return tuple(moved)

    def sign(self, alpha: MultiIndex) -> int:
        return prod(s**a for s, a in zip(self.signs, alpha, strict=True))


def _mean(rows: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    # fsum rounds once, so that the order of the terms does not matter.
    stacked = np.stack(rows, axis=-1)
    return np.array([fsum(column) for column in stacked.tolist()]) / len(rows)

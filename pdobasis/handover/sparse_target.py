"""A sparse matrix of SciPy, on a periodic grid."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pdobasis.errors import SizeError, SpecError
from pdobasis.handover.stencil_set import StencilSet
from pdobasis.handover.target import Target

MAX_NUMBERS = 500_000_000
"""Entries of one matrix: 6 GB."""


def build(
    stencils: StencilSet,
    shape: int | Sequence[int],
    weights: ArrayLike | None = None,
) -> Any:
    """The csr_array of a sum of the elements on a periodic array of this shape (x1 last).

    ``Basis.matrix`` has boundaries, and one matrix per element.
    """
    from scipy.sparse import coo_array

    space = stencils.space(shape)
    kernel = stencils.combined(weights).weights[0]
    _require_room(stencils, space)
    points = prod(space)
    if float(np.count_nonzero(kernel)) * points > MAX_NUMBERS:
        raise SizeError(
            f"{np.count_nonzero(kernel)} weights at {points:,} points are too many for a matrix: use the target "
            "'scipy' with shape=, which needs none"
        )
    here = np.arange(points).reshape(space)
    axes = tuple(range(stencils.dim))
    rows, columns, values = [], [], []
    for o, i, *place in np.argwhere(kernel).tolist():
        # The window begins half its reach before the target.
        shift = [
            (n - 1) * step // 2 - p * step
            for n, step, p in zip(stencils.size, stencils.steps, place, strict=True)
        ]
        columns.append(np.roll(here, shift, axes).ravel() + i * points)
        rows.append(here.ravel() + o * points)
        values.append(np.full(points, kernel[(o, i, *place)]))
    size = (stencils.c_out * points, stencils.c_in * points)
    if not values:
        return coo_array(size).tocsr()
    entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    return coo_array(entries, shape=size).tocsr()


def _require_room(stencils: StencilSet, space: Sequence[int]) -> None:
    for n, size, step in zip(space, stencils.size, stencils.steps, strict=True):
        if n < (size - 1) * step + 1:
            raise SpecError(
                f"a stencil of {size} points does not fit on a periodic axis of {n}: use a larger shape"
            )


TARGET = Target("sparse", "a sparse matrix of SciPy on a periodic grid", build)

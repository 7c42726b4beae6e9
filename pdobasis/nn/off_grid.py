"""The off-grid error of a layer, by its filters or by its basis: what `layer.off_grid_error()` answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from pdobasis.layers.elements import Element
from pdobasis.layers.errors import LayerError
from pdobasis.layers.off_grid import basis_error, filter_error
from pdobasis.nn.places import is_staggered
from pdobasis.nn.steerable import Steerable


def off_grid_error(
    layer: Steerable,
    filters: Callable[[], Tensor],
    of: str,
    width: float,
    elements: Sequence[Element] | None,
) -> float:
    """``filters`` gives those of the present weights, (out channels, in channels of a group, *kernel)."""
    if of not in ("weights", "basis"):
        raise LayerError(f"unknown of {of!r}: 'weights' or 'basis'")
    layer.require_numbers()
    if is_staggered(layer.in_type, layer.out_type):
        if elements is not None:
            raise LayerError(
                "all elements of the group of a staggered layer keep the grid: leave out elements="
            )
        return 0.0
    if of == "basis":
        return basis_error(layer.basis, elements, width)
    with torch.no_grad():
        found = filters().double().cpu().numpy()
    # One convolution group after the other, each between the same field types.
    by_group = found.reshape(layer.groups, -1, *found.shape[1:])
    return filter_error(layer.basis, by_group, elements, width)

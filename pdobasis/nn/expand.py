"""From weights to filters: one matrix product per pair of summands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from pdobasis.nn.layer_basis import Unit


def expand(
    weight: Tensor,
    basis: Tensor,
    elements: Tensor | None,
    source: Tensor | None,
    shape: tuple[int, int],
    taps: int,
    groups: int,
) -> Tensor:
    r"""$F_{o c_o, i c_i, t} = \sum_e w_{oie} B_{e c_o c_i t}$ as (groups, out channels, in channels, taps).

    weight (groups * out copies, in copies, elements); basis (components, elements, entries * taps).
    """
    rows, columns, size = weight.shape
    flat = weight.reshape(rows * columns, size)
    if source is None:
        entries = flat @ basis[0]
    else:
        picked = flat if elements is None else flat.index_select(1, elements)
        parts = torch.bmm(picked.view(rows * columns, len(basis), -1).transpose(0, 1), basis)
        listed = parts.view(len(basis), rows * columns, -1, taps).transpose(0, 1)
        entries = listed.reshape(rows * columns, -1, taps).index_select(1, source)
    filters = entries.view(rows, columns, *shape, -1).transpose(1, 2)
    return filters.reshape(groups, rows // groups * shape[0], columns * shape[1], -1)


def join_blocks(
    blocks: dict[tuple[int, int], Tensor],
    out_units: Sequence[Unit],
    in_units: Sequence[Unit],
    orders: tuple[Tensor | None, Tensor | None],
) -> Tensor:
    """(groups * out channels, in channels, taps), with the channels in the order of the field types."""
    some = next(iter(blocks.values()))
    rows = []
    for o, target in enumerate(out_units):
        parts = [
            blocks[o, i]
            if (o, i) in blocks
            else some.new_zeros(some.shape[0], target.copies * target.size, source.copies * source.size, some.shape[3])
            for i, source in enumerate(in_units)
        ]
        rows.append(parts[0] if len(parts) == 1 else torch.cat(parts, 2))
    joined = rows[0] if len(rows) == 1 else torch.cat(rows, 1)
    for axis, order in enumerate(orders, start=1):
        joined = joined if order is None else joined.index_select(axis, order)
    return joined.flatten(0, 1)


def channel_order(units: Sequence[Unit]) -> NDArray[np.int64] | None:
    """For every channel its place when the copies of each unit stand together; None if they do already."""
    listed = np.concatenate([np.arange(start, start + u.size) for u in units for start in u.offsets])
    order = np.argsort(listed)
    return None if np.array_equal(order, np.arange(len(order))) else order

"""From weights to filters: one (batched) matrix product per pair of summands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from pdobasis.layers.layer_basis import Unit
from pdobasis.layers.pack import Packed
from pdobasis.nn.tracing import is_traced


@dataclass(frozen=True, slots=True)
class TakenRows:
    """Which rows of a table are taken, and for every row of the table where it went."""

    taken: Tensor
    went: Tensor


def expand(
    weight: Tensor,
    basis: Tensor,
    elements: TakenRows | None,
    entries: TakenRows | None,
    shape: tuple[int, int],
    groups: int,
) -> Tensor:
    r"""$F_{o c_o, i c_i, t} = \sum_e w_{oie} B_{e c_o c_i t}$ as (groups, out channels, in channels, taps).

    weight (groups * out copies, in copies, elements); basis (components, elements, entries, taps). With several
    components ``entries`` brings their rows into the order of the filter in one pass.
    """
    rows, columns, size = weight.shape
    flat = weight.reshape(rows * columns, size)
    taps = basis.shape[3]
    if elements is None or entries is None:
        merged = flat @ basis[0].flatten(1)
        # Channels are counted copy by copy: (copy, c_out) of the output, then (copy, c_in) of the input.
        filters = merged.view(rows, columns, *shape, taps).transpose(1, 2)
    else:
        # The weights of every component side by side, then one batched product.
        picked = (
            _take(flat, 1, elements)
            .view(rows * columns, len(basis), -1)
            .transpose(0, 1)
        )
        filters = _take(torch.bmm(picked, basis.flatten(2)).view(-1, taps), 0, entries)
    return filters.reshape(groups, rows // groups * shape[0], columns * shape[1], taps)


def entry_rows(
    packed: Packed, rows: int, columns: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """`TakenRows` of the filter, (row, c_out, column, c_in), among (component, row * column, entry)."""
    components, _, width, _ = packed.coefficients.shape
    source = packed.source
    if source is None:
        source = np.arange(width)
    # ``source`` counts (component, entry) in one number.
    component, slot = np.divmod(
        source.reshape(1, packed.shape[0], 1, packed.shape[1]), width
    )
    copy = np.arange(rows)[:, None, None, None] * columns + np.arange(columns)[:, None]
    taken = ((component * rows * columns + copy) * width + slot).reshape(-1)
    return taken, inverse(taken, components * rows * columns * width)


def inverse(taken: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Where each of ``size`` rows went first; 0 for those that were not taken."""
    went = np.zeros(size, dtype=np.int64)
    # Backwards, so that the first of several wins.
    went[taken[::-1]] = np.arange(len(taken))[::-1]
    return went


def _take(x: Tensor, axis: int, places: TakenRows) -> Tensor:
    """Tracers and function transforms see the plain operation; its own gradient adds row by row, which is slow."""
    if is_traced():
        return x.index_select(axis, places.taken)
    result: Tensor = _Take.apply(x, axis, places.taken, places.went)  # type: ignore[no-untyped-call]
    return result


class _Take(torch.autograd.Function):
    """Rows of a table, with a gradient that is taken as well, instead of added up.

    That is the gradient except at rows that are taken twice or never: the padding of a component, which the basis
    multiplies by zero on the other side, whatever stands there.
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor, axis: int, taken: Tensor, went: Tensor) -> Tensor:
        ctx.axis = axis
        ctx.save_for_backward(taken, went)
        return x.index_select(axis, taken)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        # The same function with the two tables exchanged, so that it can be differentiated again.
        taken, went = ctx.saved_tensors
        return _Take.apply(gradients[0], ctx.axis, went, taken), None, None, None  # type: ignore[no-untyped-call]


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
        parts = []
        for i, source in enumerate(in_units):
            if (o, i) in blocks:
                parts.append(blocks[o, i])
            else:  # no PDO maps one to the other
                shape = (target.copies * target.size, source.copies * source.size)
                parts.append(some.new_zeros(some.shape[0], *shape, some.shape[3]))
        rows.append(_joined(parts, 2))
    joined = _joined(rows, 1)
    for axis, order in enumerate(orders, start=1):
        if order is not None:
            joined = joined.index_select(axis, order)
    return joined.flatten(0, 1)


def _joined(parts: Sequence[Tensor], axis: int) -> Tensor:
    if len(parts) == 1:  # without the copy that torch.cat would make
        return parts[0]
    return torch.cat(list(parts), axis)


def channel_order(units: Sequence[Unit]) -> NDArray[np.int64] | None:
    """For every channel its place when the copies of each unit stand together; None if they do already."""
    listed = np.concatenate(
        [np.arange(start, start + u.size) for u in units for start in u.offsets]
    )
    # Sorting a permutation gives its inverse.
    order = np.argsort(listed)
    if np.array_equal(order, np.arange(len(order))):
        return None
    return order

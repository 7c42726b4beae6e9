"""A small network in space, for volumes: regular fields of a point group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from torch import nn

from pdobasis.layers.request import Stencil
from pdobasis.nn.conv import PDOConv3d
from pdobasis.nn.keywords import SpatialKeywords
from pdobasis.nn.nonlinear import Pointwise
from pdobasis.nn.norm import FieldBatchNorm
from pdobasis.nn.pooling import GlobalPool, GroupPool


def spatial_network(
    group: str = "Oh",
    in_rep: str = "trivial",
    *,
    classes: int = 10,
    fields: Sequence[int] = (1, 2, 4),
    size: int = 3,
    stencil: Stencil | Sequence[Stencil] | None = "fd",
    **options: Unpack[SpatialKeywords],
) -> nn.Sequential:
    """Layers with norm and ReLU, averages of 2x2x2 points between them, a maximum over the group, a mean over space.

    >>> import torch
    >>> spatial_network("O", classes=3, fields=(1, 1))(torch.zeros(2, 1, 8, 8, 8)).shape
    torch.Size([2, 3])

    Parameters
    ----------
    group : str, optional
        A finite group of space.
    in_rep : str, optional
        What the input holds.
    classes : int, optional
        Outputs.
    fields : sequence of int, optional
        Regular fields after each layer.
    size : int, optional
        Of the stencils, in points.
    stencil : str, optional
        As `PDOConv3d` takes it.
    **options
        Those of every layer, as `PDOConv3d` takes them.

    Returns
    -------
    nn.Sequential
        Fields (batch, channels, x3, x2, x1) to (batch, classes).
    """
    parts: list[nn.Module] = []
    before = in_rep
    for k, count in enumerate(fields):
        after = f"{count}xregular"
        conv = PDOConv3d(
            group, before, after, size=size, padding=size // 2, stencil=stencil, bias=False, **options
        )  # fmt: skip
        if k:
            parts.append(nn.AvgPool3d(2))
        parts += [conv, FieldBatchNorm(conv.out_type), Pointwise(conv.out_type)]
        before = after
    pool = GroupPool(conv.out_type)
    linear = nn.Linear(pool.out_type.size, classes)
    return nn.Sequential(*parts, pool, GlobalPool(pool.out_type), linear)

"""What a network hands on to all of its layers, as keywords with types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdobasis.layers.keywords import LayerKeywords, PointLayerKeywords

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch

    from pdobasis.layers.request import Stencil
    from pdobasis.nn.cost import Costs
    from pdobasis.stencils.grids import Layout


class _Common(LayerKeywords, total=False):
    padding_mode: str
    layout: Layout
    apply: str | Costs
    parametrisation: str
    init: str
    device: torch.device | str | None
    dtype: torch.dtype | None


class BlockKeywords(_Common, total=False):
    """Of the layers of a network that settles the rest of :class:`pdobasis.nn.PDOConv2d`."""

    stencil: Stencil | Sequence[Stencil] | None


class NetworkKeywords(BlockKeywords, total=False):
    """Of the layers of a network that leaves them their biases."""

    bias: bool


class SpatialKeywords(_Common, total=False):
    """Of the layers of a network whose stencil is an argument of its own."""


class PointNetworkKeywords(PointLayerKeywords, total=False):
    """Of the layers of a network on points."""

    stencil: str
    dim: int | None
    parametrisation: str
    init: str
    device: torch.device | str | None
    dtype: torch.dtype | None

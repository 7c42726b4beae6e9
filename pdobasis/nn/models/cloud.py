"""A network on scattered points: derivatives from the nearest points, found once for all layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from torch import Tensor, nn

from pdobasis.layers.errors import LayerError
from pdobasis.nn.keywords import PointNetworkKeywords
from pdobasis.nn.nonlinear import Pointwise
from pdobasis.nn.norm import FieldBatchNorm
from pdobasis.nn.points import CloudJets, PDOPointConv
from pdobasis.question.field_type import FieldType


class PointNetwork(nn.Module):
    """``model(x, jets)`` for fields (batch, channels, points), with ``jets = model.jets(points)``.

    Regular fields inside; any fields at both ends, by default a scalar to a vector.

    >>> import torch
    >>> model = PointNetwork("C4", fields=(1,), neighbours=8)
    >>> model(torch.zeros(1, 1, 30), model.jets(torch.rand(30, 2))).shape
    torch.Size([1, 2, 30])

    Parameters
    ----------
    group : str, optional
        A finite group.
    in_rep : str, optional
        What the input holds.
    out_rep : str, optional
        What the output holds.
    fields : sequence of int, optional
        Regular fields after each inner layer.
    order : int, optional
        The highest of the derivatives.
    neighbours : int, optional
        Points that a derivative is made from.
    **options
        Those of every layer, as `PDOPointConv` takes them.
    """

    def __init__(
        self,
        group: str = "C8",
        in_rep: str = "trivial",
        out_rep: str = "vector",
        *,
        fields: Sequence[int] = (4, 8),
        order: int = 2,
        neighbours: int = 20,
        **options: Unpack[PointNetworkKeywords],
    ) -> None:
        super().__init__()
        if not fields:
            raise LayerError("a network needs at least one layer of regular fields")
        layers: list[nn.Module] = []
        convs: list[PDOPointConv] = []
        before = in_rep
        for count in fields:
            after = f"{count}xregular"
            conv = PDOPointConv(
                group,
                before,
                after,
                order,
                neighbours=neighbours,
                bias=False,
                **options,
            )
            convs.append(conv)
            layers += [conv, FieldBatchNorm(conv.out_type), Pointwise(conv.out_type)]
            before = after
        last = PDOPointConv(
            group, before, out_rep, order, neighbours=neighbours, **options
        )
        self.layers: nn.ModuleList = nn.ModuleList([*layers, last])
        self.in_type: FieldType = convs[0].in_type
        self.out_type: FieldType = last.out_type

    def jets(self, points: Any) -> CloudJets:
        """The derivatives at every point of a cloud, or of a list of clouds: one set for all layers."""
        return self._first.jets(points)

    def reset_for(self, jets: CloudJets) -> None:
        """Normalise and initialise all layers for a cloud."""
        for layer in self.layers:
            if isinstance(layer, PDOPointConv):
                layer.reset_for(jets)

    @property
    def _first(self) -> PDOPointConv:
        layer = self.layers[0]
        if not isinstance(layer, PDOPointConv):
            raise LayerError("the first layer of a PointNetwork is a PDOPointConv")
        return layer

    def forward(self, x: Tensor, jets: CloudJets) -> Tensor:
        """Fields on points to fields on points."""
        for layer in self.layers:
            if isinstance(layer, PDOPointConv):
                x = layer(x, jets)
            else:
                x = layer(x)
        return x

"""The paper's network for digits with e2cnn's own layers, where e2cnn is installed: one more method."""

from __future__ import annotations

import math
from importlib.util import find_spec
from typing import Any

import torch
from torch import Tensor, nn

from experiments.errors import ExperimentError
from experiments.networks.digits import head
from experiments.settings.values import Network
from pdobasis.nn import FieldBatchNorm, PDOConv2d
from pdobasis.nn.models.regular import FIELDS, PADDING, POOLED


def is_there() -> bool:
    return find_spec("e2cnn") is not None


def peer(network: Network, channels: int = 1) -> E2cnn:
    if not is_there():
        raise ExperimentError("this row needs e2cnn (0.2.3), which is not installed; all others do without it")
    return E2cnn(network, channels)


class E2cnn(nn.Module):
    """Tensors in, tensors out; ``body`` holds e2cnn's modules in the order of ours."""

    def __init__(self, network: Network, channels: int) -> None:
        from e2cnn import gspaces
        from e2cnn import nn as enn

        super().__init__()
        space = gspaces.Rot2dOnR2(int(network.group.removeprefix("C")))
        self.source = before = enn.FieldType(space, channels * [space.trivial_repr])
        self.tensor: Any = enn.GeometricTensor
        size, parts = network.size, []
        for k, (count, padding) in enumerate(zip(FIELDS[size], PADDING[size], strict=True), start=1):
            after = enn.FieldType(space, max(1, round(count * network.width)) * [space.regular_repr])
            conv = enn.R2Diffop(
                before,
                after,
                kernel_size=size,
                maximum_order=size // 2 + 1,
                maximum_offset=network.layers.max_offset,
                padding=padding,
            )
            parts += [conv, enn.InnerBatchNorm(after), enn.ELU(after)]
            if k in POOLED[size]:
                parts.append(enn.PointwiseMaxPool(after, 2))
            before = after
        pool = enn.GroupPooling(before)
        self.body = nn.Sequential(*parts, pool)
        self.head = nn.Sequential(*head(pool.out_type.size, network.dropout))

    def forward(self, x: Tensor) -> Any:
        y = self.body(self.tensor(x, self.source)).tensor
        return self.head(y.flatten(2).amax(2))


def carried(theirs: E2cnn, ours: nn.Module) -> float:
    """Give our network the weights of theirs; how much of their filters lies outside the span of ours (relative)."""
    convs: list[Any] = [part for part in theirs.body if hasattr(part, "basisexpansion")]
    norms: list[Any] = [part for part in theirs.body if type(part).__name__ == "InnerBatchNorm"]
    rest = 0.0
    for old, new in zip(convs, (m for m in ours.modules() if isinstance(m, PDOConv2d)), strict=True):
        filters, bias = (tensor.detach() for tensor in old.expand_parameters())
        rest = max(rest, _fitted(new, filters))
        if new.bias is not None:
            # One number a field, in front of the vector of ones.
            new.bias.data.copy_(bias.reshape(len(new.bias), -1)[:, 0])
    for parent, norm in zip(norms, (m for m in ours.modules() if isinstance(m, FieldBatchNorm)), strict=True):
        # Both keep their numbers in a norm of torch, e2cnn one for each kind of fields.
        (own,) = [m for m in parent.modules() if isinstance(m, nn.BatchNorm3d)]
        norm.get_submodule("batch_norm").load_state_dict(own.state_dict())
    nn.Sequential(*list(ours.children())[-len(theirs.head) :]).load_state_dict(theirs.head.state_dict())
    return rest


def _fitted(layer: Any, filters: Tensor) -> float:
    """Weights of least squares: the filters are linear in them, and the same for every pair of copies."""
    (weight,) = layer.weights.values()
    out_copies, in_copies, elements = weight.shape
    small = filters.shape[0] // out_copies, filters.shape[1] // in_copies
    with torch.no_grad():
        columns = []
        for k in range(elements):
            weight.zero_()
            weight[0, 0, k] = 1.0
            columns.append(layer.filter()[: small[0], : small[1]].flatten())
        basis = torch.stack(columns, 1).double()
        blocks = filters.reshape(out_copies, small[0], in_copies, small[1], *filters.shape[2:])
        wanted = blocks.transpose(1, 2).reshape(out_copies * in_copies, -1).T.double()
        found = torch.linalg.lstsq(basis, wanted).solution
        weight.copy_(found.T.reshape(weight.shape))
    return float(torch.linalg.norm(basis @ found - wanted) / math.sqrt(float((wanted**2).sum())))

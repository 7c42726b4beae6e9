"""The paper's C16 network, written with e2cnn."""

from __future__ import annotations

import warnings
from importlib.metadata import version
from typing import Any

import torch
from e2cnn import gspaces
from e2cnn import nn as enn
from torch import Tensor, nn

from benchmarks.peers.c16_network import GROUP_ORDER, KERNEL, ORDER, Build, blocks, head, jobs
from benchmarks.peers.protocol import serve

warnings.filterwarnings("ignore")


class Network(nn.Module):
    def __init__(self, divisor: int) -> None:
        super().__init__()
        space = gspaces.Rot2dOnR2(GROUP_ORDER)
        self.source = before = enn.FieldType(space, [space.trivial_repr])
        parts: list[nn.Module] = []
        for block in blocks(divisor):
            after = enn.FieldType(space, block.after * [space.regular_repr])
            conv = enn.R2Diffop(
                before, after, kernel_size=KERNEL, maximum_order=ORDER, padding=block.padding, bias=False
            )
            parts += [conv, enn.InnerBatchNorm(after), enn.ELU(after)]
            parts += [enn.PointwiseMaxPool(after, 2)] if block.is_pooled else []
            before = after
        pool = enn.GroupPooling(before)
        self.body = nn.Sequential(*parts, pool)
        self.head = nn.Sequential(*head(pool.out_type.size))

    def forward(self, x: Tensor) -> Any:
        y = self.body(enn.GeometricTensor(x, self.source)).tensor
        return self.head(y.flatten(2).amax(2))


BUILDERS: dict[str, Build] = {"e2cnn": Network}

if __name__ == "__main__":
    serve(jobs(BUILDERS), {"e2cnn": version("e2cnn"), "torch (e2cnn's environment)": torch.__version__})

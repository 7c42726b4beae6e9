"""Our network of the paper's shapes, beside the plain one: as it is, converted to ordinary layers, traced, compiled."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from benchmarks.peers.c16_network import IMAGE, KERNEL, ORDER, Build, blocks, head, plain
from pdobasis.nn import FieldBatchNorm, GlobalPool, GroupPool, PDOConv2d, Pointwise


def ours(divisor: int, apply: str = "auto") -> nn.Module:
    parts: list[nn.Module] = []
    for block in blocks(divisor):
        source, target = (f"{n}xregular" if n else "trivial" for n in (block.before, block.after))
        conv = PDOConv2d(
            "C16", source, target, ORDER, size=KERNEL, stencil="fd", padding=block.padding, bias=False, apply=apply
        )
        parts += [conv, FieldBatchNorm(conv.out_type), Pointwise(conv.out_type, nn.functional.elu)]
        parts += [nn.MaxPool2d(2)] if block.is_pooled else []
    pool = GroupPool(conv.out_type)
    return nn.Sequential(*parts, pool, GlobalPool(pool.out_type, "max"), *head(pool.out_type.size))


def converted(divisor: int) -> nn.Module:
    """Every steerable layer as the nn.Conv2d that it is in evaluation."""
    model = ours(divisor)
    return nn.Sequential(*(part.to_conv() if isinstance(part, PDOConv2d) else part for part in model.children()))


def traced(divisor: int) -> nn.Module:
    found: nn.Module = torch.jit.trace(ours(divisor).eval(), torch.randn(2, 1, IMAGE, IMAGE))  # type: ignore[no-untyped-call]
    return found


def compiled(build: Build) -> Build:
    def make(divisor: int) -> Any:
        torch.compiler.reset()
        # fullgraph: a break of the graph is an error.
        return torch.compile(build(divisor), fullgraph=True)

    return make


BUILDERS: dict[str, Build] = {
    "plain": plain,
    "again": plain,
    "ours": ours,
    "dense": lambda divisor: ours(divisor, "dense"),
    "converted": converted,
    "traced": traced,
    "plain compiled": compiled(plain),
    "ours compiled": compiled(ours),
}

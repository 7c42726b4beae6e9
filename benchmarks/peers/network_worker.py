"""The paper's C16 network with our layers, beside the plain one: as it is, as ordinary layers, traced, compiled."""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch import nn

from benchmarks.peers.c16_network import IMAGE, KERNEL, Build, jobs, plain
from benchmarks.peers.protocol import serve
from pdobasis.nn import to_plain
from pdobasis.nn.models import regular_network

warnings.filterwarnings("ignore")


def ours(divisor: int, apply: str = "auto") -> nn.Module:
    return regular_network("C16", size=KERNEL, width=1 / divisor, dropout=0, stencil="fd", bias=False, apply=apply)


def converted(divisor: int) -> nn.Module:
    """All layers as torch's own, as they are in evaluation."""
    return to_plain(ours(divisor))


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

if __name__ == "__main__":
    serve(jobs(BUILDERS), {"torch": torch.__version__})

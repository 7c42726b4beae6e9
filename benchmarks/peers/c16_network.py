"""The paper's C16 network on 28×28 images as plain numbers, and what every worker does with a network of that shape.

torch only: it runs in the environment of every peer.
"""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from benchmarks.peers.protocol import Job, timed

GROUP_ORDER = 16
KERNEL, ORDER, IMAGE, CLASSES, HIDDEN = 5, 3, 28, 10, 64
FIELDS = (16, 24, 32, 32, 48, 64)
PADDING = (1, 2, 2, 2, 2, 0)
POOLED_AFTER = (2, 3)


@dataclass(frozen=True)
class Block:
    """A convolution from so many regular fields to so many (none: the image), with what comes behind it."""

    before: int
    after: int
    padding: int
    is_pooled: bool


def blocks(divisor: int) -> list[Block]:
    fields = [f // divisor for f in FIELDS]
    return [
        Block(before, after, padding, layer in POOLED_AFTER)
        for layer, (before, after, padding) in enumerate(zip([0, *fields], fields, PADDING, strict=False), start=1)
    ]


def plain(divisor: int) -> nn.Module:
    """The same shapes with ordinary filters."""
    parts: list[nn.Module] = []
    for block in blocks(divisor):
        sizes = max(1, block.before * GROUP_ORDER), block.after * GROUP_ORDER
        parts += [nn.Conv2d(*sizes, KERNEL, padding=block.padding, bias=False), nn.BatchNorm2d(sizes[1]), nn.ELU()]
        parts += [nn.MaxPool2d(2)] if block.is_pooled else []
    return nn.Sequential(*parts, nn.AdaptiveMaxPool2d(1), nn.Flatten(), *head(sizes[1]))


def head(channels: int) -> list[nn.Module]:
    return [nn.Linear(channels, HIDDEN), nn.BatchNorm1d(HIDDEN), nn.ELU(), nn.Linear(HIDDEN, CLASSES)]


Build = Callable[[int], nn.Module]
MODELS: dict[str, Any] = {}


def jobs(builders: dict[str, Build]) -> dict[str, Job]:
    """What a worker answers, by name; ``kind`` is a name among the builders."""

    def network(kind: str, divisor: int) -> dict[str, Any]:
        torch.manual_seed(0)
        MODELS.clear() if kind == next(iter(builders)) else None
        MODELS[kind] = builders[kind](divisor)
        return {"parameters": sum(p.numel() for p in MODELS[kind].parameters())}

    def memory(kind: str, divisor: int, batch: int) -> dict[str, Any]:
        return step_memory(lambda: builders[kind](divisor), batch)

    return {"network": network, "network_step": step, "network_evaluate": evaluate, "network_memory": memory}


def settings(threads: int) -> dict[str, Any]:
    torch.set_num_threads(threads)
    return {}


def step(kind: str, batch: int, cpu_time: bool = False) -> dict[str, Any]:
    """Forward, loss and gradients of all weights; an optimiser's update would add more to networks with more weights."""
    run = training(MODELS[kind].train(), batch)
    return {"seconds": measured(run, cpu_time)}


def evaluate(kind: str, batch: int, cpu_time: bool = False) -> dict[str, Any]:
    model = MODELS[kind].eval()
    x = torch.randn(batch, 1, IMAGE, IMAGE)
    with torch.no_grad():
        model(x)
        return {"seconds": measured(lambda: model(x), cpu_time)}


def training(model: Any, batch: int) -> Callable[[], None]:
    torch.manual_seed(1)
    x, y = torch.randn(batch, 1, IMAGE, IMAGE), torch.randint(CLASSES, (batch,))

    def run() -> None:
        model.zero_grad(set_to_none=True)
        nn.functional.cross_entropy(model(x), y).backward()

    return run


def measured(run: Callable[[], Any], cpu_time: bool) -> float:
    if not cpu_time:
        return timed(run)[0]
    start = time.process_time()
    run()
    return time.process_time() - start


def step_memory(build: Callable[[], Any], batch: int) -> dict[str, Any]:
    """The peak of what the process holds during two steps, over what it held before the network was built, in bytes.

    Two: in the second the gradients of the first are dropped, as in every later one. Linux only.
    """
    gc.collect()
    before = resident("VmRSS")
    model = build()
    run = training(model.train(), batch)
    Path("/proc/self/clear_refs").write_text("5")  # the peak counts from here
    for _ in range(2):
        run()
    return {"peak": resident("VmHWM") - before}


def resident(key: str) -> int:
    found = re.search(rf"{key}:\s*(\d+) kB", Path("/proc/self/status").read_text())
    if found is None:
        raise OSError("no figures of memory in /proc/self/status")
    return int(found[1]) * 1024

"""The paper's C16 network on 28×28 images as plain numbers, and what every worker does with a network of that shape.

torch only: it runs in the environment of every peer.
"""

from __future__ import annotations

import ctypes
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

M_MMAP_THRESHOLD = -3
"""glibc's number for the size from which on memory is asked of the system, and given back to it."""

Build = Callable[[int], nn.Module]


@dataclass(frozen=True)
class Block:
    """A convolution from so many regular fields (none: from the image) to so many."""

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
    linear = nn.Linear(channels, HIDDEN), nn.Linear(HIDDEN, CLASSES)
    return [linear[0], nn.BatchNorm1d(HIDDEN), nn.ELU(), linear[1], nn.BatchNorm1d(CLASSES)]


def jobs(builders: dict[str, Build]) -> dict[str, Job]:
    """What a worker answers about the networks that it can build."""
    models: dict[str, Any] = {}

    def build(kind: str, divisor: int) -> dict[str, Any]:
        models[kind] = None  # before the new one is there
        models[kind] = builders[kind](divisor)
        return {}

    def step(kind: str, batch: int, cpu_time: bool) -> dict[str, Any]:
        run = training(models[kind].train(), batch)
        return {"seconds": measured(run, cpu_time)}

    def evaluate(kind: str, batch: int, cpu_time: bool) -> dict[str, Any]:
        model, x = models[kind].eval(), torch.randn(batch, 1, IMAGE, IMAGE)
        with torch.no_grad():
            return {"seconds": measured(lambda: model(x), cpu_time)}

    def memory(kind: str, divisor: int, batch: int) -> dict[str, Any]:
        return {"peak": step_memory(lambda: builders[kind](divisor), batch)}

    def threads(count: int) -> dict[str, Any]:
        torch.set_num_threads(count)
        return {}

    return {"build": build, "step": step, "evaluate": evaluate, "memory": memory, "threads": threads}


def training(model: Any, batch: int) -> Callable[[], None]:
    """Forward, loss and gradients of all weights. Without an update, which takes longer the more weights there are."""
    torch.manual_seed(1)
    x, y = torch.randn(batch, 1, IMAGE, IMAGE), torch.randint(CLASSES, (batch,))

    def run() -> None:
        model.zero_grad(set_to_none=True)
        loss: Any = nn.functional.cross_entropy(model(x), y)
        loss.backward()

    return run


def measured(run: Callable[[], Any], cpu_time: bool) -> float:
    if not cpu_time:
        return timed(run)[0]
    start = time.process_time()
    run()
    return time.process_time() - start


def step_memory(build: Callable[[], Any], batch: int) -> int:
    """The peak of what the process holds during two steps, over what it held before the network was built, in bytes.

    Two: in the second the gradients of the first are dropped, as in every later one. Linux with glibc only.
    """
    libc = ctypes.CDLL(None)
    libc.mallopt(M_MMAP_THRESHOLD, 1 << 16)  # tensors that are freed leave the process
    training(build().train(), 2)()  # what is loaded and kept for the first step does not count
    gc.collect()
    libc.malloc_trim(0)
    before = resident("VmRSS")
    run = training(build().train(), batch)
    Path("/proc/self/clear_refs").write_text("5")  # from here on the peak is counted
    for _ in range(2):
        run()
    return resident("VmHWM") - before


def resident(key: str) -> int:
    found = re.search(rf"{key}:\s*(\d+) kB", Path("/proc/self/status").read_text())
    if found is None:
        raise OSError("no figures of memory in /proc/self/status")
    return int(found[1]) * 1024

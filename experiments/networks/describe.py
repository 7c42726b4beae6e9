"""A network without numbers: built and run on the meta device, which knows shapes alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor, nn

from experiments.data.sets import kind
from experiments.networks.build import build
from experiments.settings.values import Config

BYTES = 4
"""Of a number in single precision."""
STATES = {"adam": 2, "adamw": 2, "sgd": 1}
"""Numbers that an optimiser keeps for each parameter."""


@dataclass(frozen=True, slots=True)
class Part:
    """A module that holds no others: what leaves it, and how many parameters it has."""

    name: str
    kind: str
    fields: str
    shape: tuple[int, ...]
    parameters: int


@dataclass(frozen=True, slots=True)
class Description:
    """``memory`` in bytes for a training step: parameters, gradients, optimiser, outputs of all parts for a batch."""

    config: str
    scale: str
    parts: tuple[Part, ...]
    parameters: int
    batch: int
    output: tuple[int, ...]
    memory: Mapping[str, int]

    @property
    def plain(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        table = [("layer", "fields", "output", "parameters")]
        for part in self.parts:
            shape = "x".join(map(str, part.shape[1:]))
            table.append((f"{part.name} {part.kind}", part.fields, shape, f"{part.parameters:,}"))
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in table]
        parts = ", ".join(f"{name} {size / 2**20:,.1f}" for name, size in self.memory.items())
        total = sum(self.memory.values()) / 2**20
        lines.append(f"{self.config} at the scale {self.scale}: {self.parameters:,} parameters")
        lines.append(f"a training step of {self.batch} samples: about {total:,.0f} MiB ({parts})")
        return "\n".join(lines)


def described(config: Config) -> Description:
    """Layers, fields, parameters, memory; nothing is computed."""
    known = kind(config.data.kind)
    with torch.device("meta"):
        model = build(config.network, known.channels)
        x = torch.empty(config.training.batch, known.channels, config.data.size, config.data.size)
    parts: list[Part] = []
    numbers = x.numel()

    def watch(name: str, module: nn.Module) -> None:
        def seen(_: nn.Module, __: Any, out: Tensor) -> None:
            nonlocal numbers
            numbers += out.numel()
            own = sum(p.numel() for p in module.parameters())
            parts.append(Part(name, type(module).__name__, _fields(module), tuple(out.shape), own))

        module.register_forward_hook(seen)

    for name, module in _parts(model):
        watch(name, module)
    out = model(x)
    count = sum(p.numel() for p in model.parameters())
    fixed = sum(b.numel() * b.element_size() for b in model.buffers())
    return Description(
        f"{config.table}/{config.name}",
        config.scale,
        tuple(parts),
        count,
        config.training.batch,
        tuple(out.shape),
        {
            "parameters": BYTES * count,
            "gradients": BYTES * count,
            "optimiser": BYTES * count * STATES.get(config.training.optimiser, 2),
            "buffers": fixed,
            "outputs": BYTES * numbers,
        },
    )


def _parts(model: nn.Module, prefix: str = "") -> Iterator[tuple[str, nn.Module]]:
    """What has fields and holds nothing but modules of torch, or holds nothing at all."""
    for name, child in model.named_children():
        inner = list(child.modules())[1:]
        foreign = all(type(m).__module__.startswith("torch.") for m in inner)
        if not inner or (foreign and hasattr(child, "out_type")):
            yield prefix + name, child
        else:
            yield from _parts(child, f"{prefix}{name}.")


def _fields(module: nn.Module) -> str:
    fields = getattr(module, "out_type", None)
    if fields is None:
        return "-"
    text = str(fields)
    return text if len(text) <= 60 else f"{text[:59]}…"

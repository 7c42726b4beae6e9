"""Another resolution than that of training: a PDO keeps its meaning when the spacing changes; does a network?

A network without strides learns from digits of 14x14 points and is tested on the same digits at 14x14 and at 28x28,
where the spacing is one half. The weights that it learned become weights of a network for the finer grid in some ways:

- *same filters*: every filter stays the array that it is, and sees half as much of the image;
- *spread filters*: the array is dilated by two, so that its points lie where they lay;
- *same operators*: the coefficients stay, and the stencils of the PDOs are made for the finer grid; Gaussians and
  kernels on so many points that they keep their width in the image (an integral has four times as many points).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from experiments.data.samples import CACHE, Samples
from experiments.data.sets import samples
from experiments.networks.layers import quiet
from experiments.settings.values import Data
from pdobasis.nn import FieldBatchNorm, GlobalPool, GroupPool, PDOConv2d, Pointwise

GROUP = "C8"
FIELDS = (4, 6, 6)
SIZE = 5
BATCH = 32
RATE = 0.03
AT_ONCE = 100
FINER = 2
METHODS: Mapping[str, Mapping[str, Any]] = {
    "Kernels": {"stencil": "kernel"},
    "FD": {"stencil": "fd"},
    "Gauss": {"stencil": "gauss", "sigma": 1.0},
    "Gauss, moments": {},
}
FINE: Mapping[str, Mapping[str, Any]] = {
    # the rings that the coarse grid has by default, in lengths of the image
    "Kernels": {"size": FINER * (SIZE - 1) + 1, "radii": (0.0, 1.0, 2.0), "widths": 0.6, "band_limit": 3.0 / FINER},
    "Gauss": {"size": FINER * (SIZE - 1) + 1},
}
"""On the finer grid, so that a filter keeps its width; sigma is a length in the image."""
COARSE, SAME, SPREAD, OPERATORS = "coarse", "same filters", "spread filters", "same operators"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Test errors in percent, by how the network was carried over."""

    method: str
    seed: int
    errors: Mapping[str, float]

    @property
    def plain(self) -> dict[str, Any]:
        return {"method": self.method, "seed": self.seed, "errors": dict(self.errors)}


def measured(
    seeds: int, train: int = 2000, test: int = 1000, epochs: int = 4, cache: Path = CACHE
) -> Iterator[Outcome]:
    for seed in range(seeds):
        data = samples(Data("mnist_rot", train=train, test=test), seed, cache)
        for method in METHODS:
            yield outcome(method, seed, data, epochs)


def outcome(method: str, seed: int, data: Samples, epochs: int) -> Outcome:
    model = learned(method, seed, data, epochs)
    fine = data.x_test, data.y_test
    errors = {COARSE: _error(model, _coarse(data.x_test), data.y_test), SAME: _error(model, *fine)}
    errors[SPREAD] = _error(carried(model, method, dilation=FINER), *fine)
    finer = carried(model, method, spacing=1 / FINER, **FINE.get(method, {}))
    errors[OPERATORS] = _error(finer, *fine)
    return Outcome(method, seed, errors)


def network(method: str, **others: Any) -> nn.Sequential:
    """Three layers, the maxima over group and image: no step depends on the number of points."""
    given: dict[str, Any] = {"size": SIZE, "order": SIZE // 2 + 1, **METHODS[method], **others}
    given["parametrisation"] = "orthonormal"  # what the page was made with, whatever the default of the layers
    given["padding"] = given["size"] // 2 * given.get("dilation", 1)
    parts: list[nn.Module] = []
    source: Any = "trivial"
    with quiet():
        for count in FIELDS:
            conv = PDOConv2d(GROUP, source, f"{count}xregular", **given)
            parts += [conv, FieldBatchNorm(conv.out_type), Pointwise(conv.out_type, nn.ELU())]
            source = conv.out_type
    pool = GroupPool(source)
    return nn.Sequential(
        *parts, pool, GlobalPool(pool.out_type, "max"), nn.Linear(FIELDS[-1], 64), nn.ELU(), nn.Linear(64, 10)
    )


def learned(method: str, seed: int, data: Samples, epochs: int) -> nn.Sequential:
    torch.manual_seed(seed)
    model = network(method)
    x, y = _coarse(data.x), data.y
    steps = -(-len(x) // BATCH) * epochs
    optimiser = torch.optim.Adam(model.parameters(), RATE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps)
    for _ in range(epochs):
        order = torch.randperm(len(x))
        for start in range(0, len(x), BATCH):
            batch = order[start : start + BATCH]
            optimiser.zero_grad()
            F.cross_entropy(model(x[batch]), y[batch]).backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
    return model.eval()


def carried(model: nn.Sequential, method: str, **others: Any) -> nn.Sequential:
    """The same network with other layers: with the coefficients of its PDOs, if the spacing is another; else with its
    weights."""
    other = network(method, **others).eval()
    for old, new in zip(model, other, strict=True):
        if not isinstance(old, PDOConv2d) or "spacing" not in others:
            _load(new, old)
            continue
        assert isinstance(new, PDOConv2d)
        # A kernel is summed over the points of an area; the weights of a PDO know their spacing.
        factor = FINER**-2 if METHODS[method].get("stencil") == "kernel" else 1
        new.coefficients = {pair: factor * values.detach() for pair, values in old.coefficients.items()}
        if old.bias is not None and new.bias is not None:
            new.bias.data.copy_(old.bias.data)
    return other


def _load(new: nn.Module, old: nn.Module) -> None:
    """The fingerprint of a layer knows its dilation: parameters are carried over by name."""
    state = dict(old.named_parameters()) | dict(old.named_buffers())
    every: dict[str, Tensor] = dict(new.named_parameters()) | dict(new.named_buffers())
    with torch.no_grad():
        for name, tensor in every.items():
            tensor.copy_(state[name])


def _coarse(x: Tensor) -> Tensor:
    return F.avg_pool2d(x, FINER)


def _error(model: nn.Module, x: Tensor, y: Tensor) -> float:
    wrong = 0
    with torch.no_grad():
        for start in range(0, len(x), AT_ONCE):
            part = slice(start, start + AT_ONCE)
            wrong += int((model(x[part]).argmax(1) != y[part]).sum())
    return round(100.0 * wrong / len(x), 2)

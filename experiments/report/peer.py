"""One run of e2cnn's network beside ours: its weights are carried over as it learns, and the losses compared.

The parameters of both are coordinates in different bases of the same filters, so that two optimisers would go different
ways. What can be compared along one run is the network itself: with the weights that e2cnn's has after so many steps,
ours has the same loss.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from experiments.data.augment import augmented
from experiments.data.samples import CACHE, Samples
from experiments.data.sets import samples
from experiments.networks.digits import digits
from experiments.networks.peer import carried, peer
from experiments.settings.values import Config
from experiments.training.rates import optimiser, rate_at

EVERY = 10
"""Steps between two comparisons."""


def compared(config: Config, seed: int, cache: Path = CACHE) -> dict[str, Any]:
    """Losses of both along the run, and their test errors at its end."""
    data = samples(config.data, seed, cache)
    torch.manual_seed(seed)
    theirs = peer(replace(config.network, kind="e2cnn"))
    # e2cnn's second axis points upwards
    ours = digits(config.network, layout="image")
    curve = [
        {"step": step, "e2cnn": loss, "ours": _loss(theirs, ours, x, y)}
        for step, loss, x, y in _trained(theirs, config, data, seed)
    ]
    rest = carried(theirs, ours)
    errors = {name: _error(model.eval(), data) for name, model in (("e2cnn", theirs), ("ours", ours))}
    return {
        "row": config.name,
        "seed": seed,
        "parameters": sum(p.numel() for p in theirs.parameters()),
        "curve": curve,
        "largest_difference": max(abs(line["e2cnn"] - line["ours"]) for line in curve),
        "outside_of_span": rest,
        "errors": errors,
    }


def _trained(model: nn.Module, config: Config, data: Samples, seed: int) -> Iterator[tuple[int, float, Tensor, Tensor]]:
    """Every so many steps: the loss of the batch before the step, and the batch."""
    training = config.training
    steps = len(data.x) // training.batch
    descent = optimiser(model, replace(training, weight_decay=0.0))
    random = torch.Generator().manual_seed(seed)
    for epoch in range(training.epochs):
        order = torch.randperm(len(data.x), generator=random)
        for step in range(steps):
            for group in descent.param_groups:
                group["lr"] = rate_at(training, epoch, step / steps)
            which = order[step * training.batch : (step + 1) * training.batch]
            x, y = augmented(data.x[which], data.y[which], config.data, random)
            loss = F.cross_entropy(model.train()(x), y)
            if (epoch * steps + step) % EVERY == 0:
                yield epoch * steps + step, float(loss.detach()), x, y
            descent.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            descent.step()


def _loss(theirs: Any, ours: Any, x: Tensor, y: Tensor) -> float:
    carried(theirs, ours)
    with torch.no_grad():
        return float(F.cross_entropy(ours.train()(x), y))


def _error(model: nn.Module, data: Samples) -> float:
    with torch.no_grad():
        wrong = model(data.x_test).argmax(1) != data.y_test
    return round(100.0 * float(wrong.double().mean()), 2)

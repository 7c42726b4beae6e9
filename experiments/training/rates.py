"""The learning rate of every step, and which weights decay."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import nn

from experiments.settings.values import Training
from pdobasis.errors import UnknownNameError
from pdobasis.nn.steerable import Steerable

RISING = 0.3
"""Part of a cycle in which the rate rises, from a 25th of the highest."""
START = 25.0
OPTIMISERS = ("adam", "adamw", "sgd")


def rate_at(training: Training, epoch: int, part: float) -> float:
    """In epoch 0, 1, … after this part of it.

    >>> paper = Training(epochs=30, batch=64, rate=0.05, hold_epochs=5, decay=0.7)
    >>> [round(rate_at(paper, e, 0.0), 5) for e in (0, 4, 5, 6)]
    [0.05, 0.05, 0.035, 0.0245]
    """
    rate = training.rate
    if epoch < training.warm_epochs:
        rate *= training.warm_factor
    if epoch >= training.hold_epochs:
        rate *= training.decay ** (epoch + 1 - training.hold_epochs)
    rate *= training.step_factor ** sum(epoch >= m for m in training.milestones)
    if training.cycle:
        rate *= _cycle((epoch + part) / training.epochs)
    return rate


def _cycle(done: float) -> float:
    if done < RISING:
        return 1 / START + (1 - 1 / START) * (1 - math.cos(math.pi * done / RISING)) / 2
    return (1 + math.cos(math.pi * (done - RISING) / (1 - RISING))) / 2


def optimiser(model: nn.Module, training: Training) -> torch.optim.Optimizer:
    groups = _decaying(model, training)
    if training.optimiser == "adam":
        return torch.optim.Adam(groups, training.rate)
    if training.optimiser == "adamw":
        return torch.optim.AdamW(groups, training.rate)
    if training.optimiser == "sgd":
        return torch.optim.SGD(groups, training.rate, training.momentum, nesterov=training.nesterov)
    raise UnknownNameError("optimiser", training.optimiser, OPTIMISERS)


def _decaying(model: nn.Module, training: Training) -> list[dict[str, Any]]:
    """Two groups of parameters: those that decay and the others."""
    if training.decayed not in ("all", "convolutions"):
        raise UnknownNameError("decayed", training.decayed, ("all", "convolutions"))
    linear = [m for m in model.modules() if isinstance(m, nn.Linear)]
    chosen: set[int] = set()
    for module in model.modules():
        # The last linear layer gives the scores: it is left alone, as in the paper's runs.
        inner = isinstance(module, (Steerable, nn.Conv2d)) or module in linear[:-1]
        if inner or training.decayed == "all":
            chosen |= {id(p) for p in module.parameters()}
    parameters = list(model.parameters())
    return [
        {"params": [p for p in parameters if id(p) in chosen], "weight_decay": training.weight_decay},
        {"params": [p for p in parameters if id(p) not in chosen], "weight_decay": 0.0},
    ]

"""What is learned: a loss for a batch, and what is measured of every sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from pdobasis.errors import UnknownNameError

Measures = Mapping[str, Tensor]
"""One number for every sample, by name."""


@dataclass(frozen=True, slots=True)
class Task:
    """``scale(y)`` is made once of all training targets, and given to loss and measures with every batch."""

    loss: Callable[[Tensor, Tensor, Tensor], Tensor]
    measures: Callable[[Tensor, Tensor, Tensor], Measures]
    scale: Callable[[Tensor], Tensor]


def _cross_entropy(out: Tensor, y: Tensor, scale: Tensor) -> Tensor:
    return F.cross_entropy(out, y)


def _wrong(out: Tensor, y: Tensor, scale: Tensor) -> Measures:
    return {
        "error": 100.0 * (out.argmax(1) != y).double(),
        "test_loss": F.cross_entropy(out, y, reduction="none").double(),
    }


def _no_scale(y: Tensor) -> Tensor:
    return torch.ones(())


def _flow_loss(out: Tensor, y: Tensor, scale: Tensor) -> Tensor:
    r"""As DeepCFD: squares for the velocity, absolute values for the pressure, by the mean square of the channel."""
    difference = out - y
    velocity = (difference[:, :2].square() / scale[:2, None, None]).sum(1)
    return (velocity + difference[:, 2].abs() / scale[2]).mean()


def _flow_errors(out: Tensor, y: Tensor, scale: Tensor) -> Measures:
    """Mean squares over the points, relative to those of the channel, summed over the channels (in percent)."""
    by_channel = 100.0 * (out - y).double().square().mean((2, 3)) / scale.double()
    return {"mse": by_channel.sum(1), "velocity": by_channel[:, :2].sum(1), "pressure": by_channel[:, 2]}


def _mean_squares(y: Tensor) -> Tensor:
    return y.square().mean((0, 2, 3))


TASKS = {
    "classify": Task(_cross_entropy, _wrong, _no_scale),
    "flow": Task(_flow_loss, _flow_errors, _mean_squares),
}


def task(name: str) -> Task:
    if name not in TASKS:
        raise UnknownNameError("task", name, TASKS)
    return TASKS[name]

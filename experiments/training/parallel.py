"""Processes that share every batch, so that the numbers do not depend on how many they are (but for rounding).

torchrun starts them. A batch is cut into equal parts; statistics of batch norms go over all of it; of what is drawn by
chance, batches, augmentations, dropout, every process draws all, and takes its part.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from experiments.errors import ExperimentError
from pdobasis.nn import FieldBatchNorm
from pdobasis.nn.moments import across, moments, scaled


@dataclass(frozen=True, slots=True)
class World:
    """This process among ``size``."""

    rank: int = 0
    size: int = 1

    @property
    def is_first(self) -> bool:
        return self.rank == 0

    @property
    def device(self) -> torch.device:
        if torch.cuda.is_available():
            return torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)) % torch.cuda.device_count())
        return torch.device("cpu")

    def part(self, x: Tensor) -> Tensor:
        """Every size-th sample, from the rank on."""
        return x[self.rank :: self.size]

    def total(self, x: Tensor) -> Tensor:
        """The sum over all processes."""
        if self.size > 1:
            dist.all_reduce(x)
        return x

    def wait(self) -> None:
        if self.size > 1:
            dist.barrier()


@contextmanager
def world() -> Iterator[World]:
    """The processes that torchrun started, or this one alone."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        yield World()
        return
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    try:
        yield World(dist.get_rank(), size)
    finally:
        dist.destroy_process_group()


def shared(model: nn.Module, world: World, batch: int) -> nn.Module:
    """The model for this process: gradients are means over all."""
    if world.size == 1:
        return model
    if batch % world.size:
        raise ExperimentError(f"a batch of {batch} cannot be cut into {world.size} equal parts: use a divisor of it")
    devices = [world.device.index] if world.device.type == "cuda" else None
    together = DistributedDataParallel(model, device_ids=devices)
    # Afterwards: torch takes no SyncBatchNorm on processors, where ours works. Parameters stay the same objects.
    _of_whole_batches(model, world)
    return together


def _of_whole_batches(model: nn.Module, world: World) -> nn.Module:
    for name, child in model.named_children():
        if isinstance(child, FieldBatchNorm):
            convert: Any = nn.SyncBatchNorm.convert_sync_batchnorm
            child.batch_norm = convert(child.batch_norm)
        elif isinstance(child, nn.modules.batchnorm._BatchNorm):
            setattr(model, name, SharedBatchNorm(child))
        elif isinstance(child, nn.Dropout):
            setattr(model, name, SharedDropout(child.p, world))
        else:
            _of_whole_batches(child, world)
    return model


class SharedBatchNorm(nn.Module):
    """Torch's batch norm with statistics over all processes, on any device (torch has it for GPUs alone).

    Parameters and buffers keep their names, so that checkpoints do not depend on the number of processes.
    """

    def __init__(self, norm: Any) -> None:
        super().__init__()
        self.eps, self.momentum = norm.eps, norm.momentum
        self.weight, self.bias = norm.weight, norm.bias
        for name in ("running_mean", "running_var", "num_batches_tracked"):
            self.register_buffer(name, getattr(norm, name))

    def forward(self, x: Tensor) -> Tensor:
        mean, variance = self.get_buffer("running_mean"), self.get_buffer("running_var")
        if self.training:
            own_mean, own_variance = moments(x)
            count = x.numel() // x.shape[1]
            seen_mean, seen_variance, points = across(own_mean, own_variance, count, dist.group.WORLD)
            self.get_buffer("num_batches_tracked").add_(1)
            mean.lerp_(seen_mean.detach(), self.momentum)
            variance.lerp_(seen_variance.detach() * points / (points - 1), self.momentum)
            mean, variance = seen_mean, seen_variance
        return scaled(x, mean, self.weight * (variance + self.eps).rsqrt(), self.bias)


class SharedDropout(nn.Module):
    """As nn.Dropout: every process draws for the whole batch."""

    def __init__(self, p: float, world: World) -> None:
        super().__init__()
        self.p, self.world = p, world

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or self.p == 0:
            return x
        everything = torch.ones(x.shape[0] * self.world.size, *x.shape[1:], device=x.device)
        return x * self.world.part(torch.dropout(everything, self.p, True))

"""One run, from its first step or from its last checkpoint to its result."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from experiments.data.augment import augmented
from experiments.data.samples import CACHE, Samples
from experiments.data.sets import kind, samples
from experiments.networks.build import build
from experiments.settings.values import Config
from experiments.training.folder import Folder, Line, started
from experiments.training.parallel import World, shared
from experiments.training.rates import optimiser, rate_at
from experiments.training.tasks import Task, task

AT_ONCE = 250
"""Samples in one step of a test."""
Notice = Callable[[int, int, float], None]
"""Told after every step: steps done, steps in all, loss."""


@dataclass(slots=True)
class _State:
    """Where a run stands; everything else follows from the configuration and the seed."""

    epoch: int = 0
    step: int = 0
    lines: int = 0
    seconds: float = 0.0
    losses: list[float] = field(default_factory=list)


def run(
    config: Config,
    seed: int,
    folder: Folder,
    cache: Path = CACHE,
    world: World | None = None,
    notice: Notice = lambda done, total, loss: None,
) -> Line:
    """The result, which is in the folder, too; a finished run is not repeated."""
    world = world or World()
    if world.is_first:
        folder.begin(config, seed)
    world.wait()
    if (known := folder.result) is not None:
        return known
    return _Run(config, seed, folder, samples(config.data, seed, cache), world, notice).finished()


class _Run:
    def __init__(self, config: Config, seed: int, folder: Folder, data: Samples, world: World, notice: Notice) -> None:
        self.config, self.seed, self.folder, self.world, self.notice = config, seed, folder, world, notice
        self.task: Task = task(config.task)
        device = world.device
        self.data = Samples(*(t.to(device) for t in (data.x, data.y, data.x_test, data.y_test)))
        self.scale = self.task.scale(self.data.y)
        torch.manual_seed(seed)
        self.plain = build(config.network, kind(config.data.kind).channels).to(device)
        self.parameters = sum(p.numel() for p in self.plain.parameters())
        self.optimiser = optimiser(self.plain, config.training)
        self.state = _State()
        self._resume()
        # After the checkpoint: the names in it are those of the plain network.
        self.model = shared(self.plain, world, config.training.batch)
        self.clock = time.process_time()

    @property
    def steps(self) -> int:
        """Of an epoch; the last short batch is dropped."""
        return max(1, len(self.data.x) // self.config.training.batch)

    def finished(self) -> Line:
        training = self.config.training
        while self.state.epoch < training.epochs:
            self._epoch()
        measured = self.evaluated()
        result = started(self.config, self.seed) | {
            "measures": {name: _short(value) for name, value in measured.items()},
            "parameters": self.parameters,
            "seconds": round(self._seconds(), 1),
            "processes": self.world.size,
            "curve": self.folder.lines,
        }
        if self.world.is_first:
            self.folder.finish(result)
        self.world.wait()
        return result

    def _epoch(self) -> None:
        training, state = self.config.training, self.state
        order = torch.randperm(len(self.data.x), generator=self._draw(0))
        self.model.train()
        for step in range(state.step, self.steps):
            state.losses.append(self._step(step, order[step * training.batch : (step + 1) * training.batch]))
            state.step = step + 1
            self.notice(state.epoch * self.steps + state.step, training.epochs * self.steps, state.losses[-1])
            if training.checkpoint_steps and state.step % training.checkpoint_steps == 0 and state.step < self.steps:
                self._keep()
        line: Line = {
            "epoch": state.epoch + 1,
            "rate": _short(rate_at(training, state.epoch, 0.0)),
            "loss": _short(sum(state.losses) / len(state.losses)),
        }
        state.epoch, state.step, state.losses = state.epoch + 1, 0, []
        if training.evaluate_every and state.epoch % training.evaluate_every == 0:
            line |= {name: _short(value) for name, value in self.evaluated().items()}
        if self.world.is_first:
            self.folder.add(line | {"seconds": round(self._seconds(), 1)})
        state.lines += 1
        self._keep()

    def _step(self, step: int, which: Tensor) -> float:
        training, state = self.config.training, self.state
        for group in self.optimiser.param_groups:
            group["lr"] = rate_at(training, state.epoch, step / self.steps)
        x, y = self.data.x[which], self.data.y[which]
        x, y = augmented(x, y, self.config.data, self._draw(1 + step))
        part = self.world.part
        loss = self.task.loss(self.model(part(x)), part(y), self.scale)
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimiser.step()
        # Parts are equal: the mean of their means is that of the batch.
        return float(self.world.total(loss.detach().clone())) / self.world.size

    @torch.no_grad()
    def evaluated(self) -> dict[str, float]:
        """Means over the test samples, of which every process takes its part."""
        self.model.eval()
        sums: dict[str, Tensor] = {}
        x, y = self.world.part(self.data.x_test), self.world.part(self.data.y_test)
        for start in range(0, len(x), AT_ONCE):
            here = slice(start, start + AT_ONCE)
            for name, values in self.task.measures(self.plain(x[here]), y[here], self.scale).items():
                sums[name] = sums.get(name, torch.zeros((), dtype=torch.float64, device=values.device)) + values.sum()
        return {name: float(self.world.total(total)) / len(self.data.x_test) for name, total in sums.items()}

    def _draw(self, stream: int) -> torch.Generator:
        """Numbers that depend on seed, epoch and stream alone, so that an epoch may be taken up in its middle."""
        # Large primes: no two of the few thousand combinations of a run coincide.
        mixed = (self.seed * 1_000_003 + self.state.epoch) * 1_000_033 + stream
        return torch.Generator().manual_seed(mixed)

    def _seconds(self) -> float:
        """Of the processor, over all that worked on this run before it was killed."""
        return self.state.seconds + time.process_time() - self.clock

    def _keep(self) -> None:
        if not self.world.is_first:
            return
        state = self.state
        self.folder.keep(
            {
                "model": self.plain.state_dict(),
                "optimiser": self.optimiser.state_dict(),
                "generator": torch.get_rng_state(),
                "generators_cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
                "epoch": state.epoch,
                "step": state.step,
                "lines": state.lines,
                "losses": list(state.losses),
                "seconds": self._seconds(),
            }
        )

    def _resume(self) -> None:
        found = self.folder.checkpoint()
        if found is None:
            if self.world.is_first:
                self.folder.cut(0)
            return
        self.plain.load_state_dict(found["model"])
        self.optimiser.load_state_dict(found["optimiser"])
        torch.set_rng_state(found["generator"])
        if found["generators_cuda"]:
            torch.cuda.set_rng_state_all(found["generators_cuda"])
        names: dict[str, Any] = {k: found[k] for k in ("epoch", "step", "lines", "losses", "seconds")}
        self.state = _State(**names)
        if self.world.is_first:
            self.folder.cut(self.state.lines)


def _short(value: float) -> float | None:
    """Six digits; what is no number is null in JSON."""
    if value != value or value in (float("inf"), float("-inf")):
        return None
    return float(f"{value:.6g}")


def trained(config: Config, seed: int, folder: Folder) -> nn.Module:
    """The network of a run with the weights of its last checkpoint, in evaluation."""
    model = build(config.network, kind(config.data.kind).channels)
    found = folder.checkpoint()
    if found is not None:
        model.load_state_dict(found["model"])
    return model.eval()

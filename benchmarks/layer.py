"""How fast are the layers? Ratios to nn.Conv2d of the same shape, interleaved in one run.

    python benchmarks/layer.py            # the goals
    python benchmarks/layer.py --table    # dense against jets over many shapes, for the cost model
    python benchmarks/layer.py --cpu-time # processor time of one thread, where other programs share the machine

Two figures each: the median over rounds of the ratio within one round, so that the machine's moods cancel; and the
ratio of the shortest times, which is what a quiet machine would show: a second thread that waits for a processor makes
many short steps look far worse than one long one.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import nn

from pdobasis.nn import PDOConv2d, PDOConv3d
from pdobasis.nn.cost import choose

Run = Callable[[], Any]
clock = time.perf_counter


class Ratio(NamedTuple):
    """Time / time of the reference: the median over rounds, and of the shortest times."""

    median: float
    best: float

    def __str__(self) -> str:
        return f"{self.median:7.3f} {self.best:7.3f}"


def ratios(reference: Run, others: dict[str, Run], rounds: int) -> dict[str, Ratio]:
    """Each pair is measured side by side."""
    for run in (reference, *others.values()):
        run()
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in others}
    for _ in range(rounds):
        for name, run in others.items():
            a = seconds(reference)
            b = seconds(run)
            c = seconds(reference)
            found[name].append((b, (a + c) / 2))
    shortest = min(r for values in found.values() for _, r in values)
    return {
        name: Ratio(statistics.median(b / r for b, r in values), min(b for b, _ in values) / shortest)
        for name, values in found.items()
    }


def seconds(run: Run) -> float:
    start = clock()
    run()
    return clock() - start


def training(module: nn.Module, x: torch.Tensor) -> Run:
    def run() -> None:
        module.train()
        module.zero_grad(set_to_none=True)
        module(x).sum().backward()

    return run


def evaluation(module: nn.Module, x: torch.Tensor) -> Run:
    def run() -> None:
        module.eval()
        with torch.no_grad():
            module(x)

    return run


def goals(rounds: int) -> None:
    print(f"load {os.getloadavg()[0]:.1f}, {torch.get_num_threads()} threads")
    print("goal                                              median    best   wanted")
    for channels, fields, wanted in (((256, 384), (16, 24), 1.04), ((64, 64), (4, 4), 1.12)):
        x = torch.randn(8, channels[0], 28, 28, requires_grad=True)
        conv = nn.Conv2d(*channels, 5, padding=2)
        shape = ("C16", f"{fields[0]}xregular", f"{fields[1]}xregular")
        dense = PDOConv2d(*shape, order=3, size=5, padding=2, apply="dense")
        auto = PDOConv2d(*shape, order=3, size=5, padding=2)
        many = rounds if channels[0] > 64 else 8 * rounds
        name = f"{channels[0]}->{channels[1]}, 5x5, batch 8, 28x28"
        both = {"dense": dense, f"auto ({auto.apply_by})": auto}
        for which, ratio in ratios(training(conv, x), {k: training(m, x) for k, m in both.items()}, many).items():
            print(f"train {name} {which:12s} {ratio}   {wanted}")
        plain = x.detach()
        for which, ratio in ratios(
            evaluation(conv, plain), {k: evaluation(m, plain) for k, m in both.items()}, many
        ).items():
            print(f"eval  {name} {which:12s} {ratio}   {0.8 if which.endswith('(jets)') else 1.01}")
    construct()
    print(f"load {os.getloadavg()[0]:.1f}")


def construct() -> None:
    def build() -> None:
        PDOConv2d("C16", "16xregular", "24xregular", order=3, size=5, padding=2)

    from pdobasis.layers.request import _solved_once

    times, again = [], []
    for _ in range(5):
        _solved_once.cache_clear()
        times.append(seconds(build))
        again.append(seconds(build))
    print(f"construction of 256->384, C16, order 3: {statistics.median(times):.3f} s (wanted 0.2), "
          f"{statistics.median(again):.3f} s for the next layer of the same kind")  # fmt: skip


def table(rounds: int) -> None:
    print("dim kernel order  channels      image     train jets/dense   eval jets/dense   model")
    shapes = [
        (2, 5, 3, (16, 24), 28), (2, 5, 3, (8, 8), 28), (2, 5, 3, (4, 4), 28), (2, 5, 3, (4, 4), 96),
        (2, 5, 3, (2, 2), 128), (2, 5, 2, (8, 8), 28), (2, 3, 2, (16, 16), 28), (2, 7, 4, (8, 8), 28),
        (2, 7, 3, (4, 4), 28), (2, 7, 3, (2, 2), 64), (2, 5, 3, (16, 24), 96), (2, 5, 3, (16, 24), 160),
        (3, 3, 2, (6, 6), 12), (3, 5, 3, (6, 6), 12),
    ]  # fmt: skip
    for dim, size, order, (a, b), n in shapes:
        kind, group, unit = (PDOConv2d, "C16", 16) if dim == 2 else (PDOConv3d, "Oh", 3)
        rep = "regular" if dim == 2 else "vector"
        if dim == 3:
            a, b = 8 * a, 8 * b
        layers = [
            kind(group, f"{a}x{rep}", f"{b}x{rep}", order, size=size, padding="same", apply=way)
            for way in ("dense", "jets")
        ]
        x = torch.randn(4 if n < 96 else 1, a * unit, *(n,) * dim)
        train = ratios(training(layers[0], x), {"jets": training(layers[1], x)}, rounds)["jets"]
        evaluated = ratios(evaluation(layers[0], x), {"jets": evaluation(layers[1], x)}, rounds)["jets"]
        print(f"{dim:3d} {size:6d} {order:5d} {a * unit:5d}->{b * unit:<5d} {n:5d}   {train}   {evaluated}"
              f"   {choose(layers[0].basis, layers[1].factors)}", flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--table", action="store_true", help="dense against jets over many shapes")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--cpu-time", action="store_true", help="processor time of one thread, for a busy machine")
    options = parser.parse_args()
    torch.set_num_threads(1 if options.cpu_time else options.threads)
    if options.cpu_time:
        globals()["clock"] = time.process_time
    table(options.rounds) if options.table else goals(options.rounds)


if __name__ == "__main__":
    main()

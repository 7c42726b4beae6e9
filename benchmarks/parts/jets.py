"""Part 8: dense convolutions against jets over many shapes, for the cost model of ``apply="auto"``.

Two figures each: the median over rounds of the ratio within one round, so that the machine's moods cancel; and the
ratio of the shortest times, which is what a quiet machine would show: a second thread that waits for a processor makes
many short steps look far worse than one long one.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from benchmarks.common import Context, Section

SHAPES = [
    (2, 5, 3, (16, 24), 28), (2, 5, 3, (8, 8), 28), (2, 5, 3, (4, 4), 28), (2, 5, 3, (4, 4), 96),
    (2, 5, 3, (2, 2), 128), (2, 5, 2, (8, 8), 28), (2, 3, 2, (16, 16), 28), (2, 7, 4, (8, 8), 28),
    (2, 7, 3, (4, 4), 28), (2, 7, 3, (2, 2), 64), (2, 5, 3, (16, 24), 96), (2, 5, 3, (16, 24), 160),
    (3, 3, 2, (48, 48), 12), (3, 5, 3, (48, 48), 12),
]  # fmt: skip
"""(dimension, size, order, fields in and out, points along an axis): regular fields of C16, vectors of Oh."""
QUICK = [(2, 3, 2, (1, 1), 8)]

Run = Callable[[], Any]


def run(context: Context) -> Section:
    import torch

    clock = time.process_time if context.cpu_time else time.perf_counter
    threads = torch.get_num_threads()
    torch.set_num_threads(1 if context.cpu_time else context.threads)
    try:
        rows = [measure(shape, context.rounds, clock) for shape in (QUICK if context.quick else SHAPES)]
    finally:
        torch.set_num_threads(threads)
    section = Section("8. Dense and jets")
    counted = "processor time of one thread" if context.cpu_time else f"wall clock, {context.threads} threads"
    section.add(
        f"Time of jets / time of dense ({counted}): the median over rounds, and the ratio of the shortest times. "
        "*auto* is what the cost model of pdobasis/nn/cost.py says."
    )
    section.table(["kernel", "order", "channels", "image", "train", "shortest", "eval", "shortest", "auto"], rows)
    return section


def measure(shape: tuple[int, int, int, tuple[int, int], int], rounds: int, clock: Callable[[], float]) -> list[str]:
    import torch

    from pdobasis.nn import PDOConv2d, PDOConv3d
    from pdobasis.nn.cost import choose, costs_of

    dim, size, order, (a, b), points = shape
    kind, group, rep, unit = (PDOConv2d, "C16", "regular", 16) if dim == 2 else (PDOConv3d, "Oh", "vector", 3)
    dense, jets = (
        kind(group, f"{a}x{rep}", f"{b}x{rep}", order, size=size, padding="same", apply=way)
        for way in ("dense", "jets")
    )
    x = torch.randn(4 if points < 96 else 1, a * unit, *(points,) * dim)
    cells = []
    for step in (training, evaluation):
        cells += [f"{value:.2f}" for value in ratios(step(dense, x), step(jets, x), rounds, clock)]
    kernel, image = "×".join([str(size)] * dim), f"{points}{'²' if dim == 2 else '³'}"
    chosen = choose(dense.basis, jets.factors, costs_of("cpu"))
    return [kernel, str(order), f"{a * unit}→{b * unit}", image, *cells, chosen]


def ratios(reference: Run, other: Run, rounds: int, clock: Callable[[], float]) -> tuple[float, float]:
    """The median of the ratios within rounds, and the ratio of the shortest times; measured side by side."""

    def seconds(run: Run) -> float:
        start = clock()
        run()
        return clock() - start

    reference()
    other()
    found = []
    for _ in range(rounds):
        a, b, c = seconds(reference), seconds(other), seconds(reference)
        found.append((b, (a + c) / 2))
    shortest = min(r for _, r in found)
    return statistics.median(b / r for b, r in found), min(b for b, _ in found) / shortest


def training(module: Any, x: Any) -> Run:
    def run() -> None:
        module.train()
        module.zero_grad(set_to_none=True)
        module(x).sum().backward()

    return run


def evaluation(module: Any, x: Any) -> Run:
    import torch

    def run() -> None:
        module.eval()
        with torch.no_grad():
            module(x)

    return run

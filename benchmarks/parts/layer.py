"""Part 5: a layer beside nn.Conv2d of the same shape, which is the limit, and e2cnn's."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.common import Answer, Context, Goal, Section, failure, interleaved, median, ratio, seconds
from benchmarks.parts.plots import dot_plot

GROUP = "C16"
BATCH = 8
SHAPES = [((64, 64), 3), ((64, 64), 5), ((256, 384), 3), ((256, 384), 5)]
IMAGES = (28, 96)
KINDS = {"again": "nn.Conv2d again", "dense": "ours, dense", "jets": "ours, jets", "e2cnn": "e2cnn.nn.R2Diffop"}


def run(context: Context) -> Section:
    section = Section("5. Layer")
    section.add(
        f"{GROUP} regular fields, finite differences, order ≤ 2 on 3×3, ≤ 3 on 5×5, batch {BATCH}, single precision. "
        "Ratios to `nn.Conv2d` of the same shape, without bias: a training step (forward, gradients of weights and "
        "input) and evaluation; *nn.Conv2d again* is a second one, built like the first: what differs from 1 no more "
        "than that cannot be told from it. Construction is from nothing (caches emptied), initialisation included."
    )
    shapes = [((16, 16), 3)] if context.quick else SHAPES
    steps, constructions = [], []
    dots: dict[str, dict[str, float]] = {}
    for channels, size in shapes:
        shape = f"{channels[0]}→{channels[1]}, {size}×{size}"
        made = interleaved(_constructions(context, channels, size), context.rounds, f"construct {shape}")
        row = [shape, *(seconds(median(made[k])) if k in made else "–" for k in ("conv", "dense", "e2cnn"))]
        constructions.append([*row, _cell(made, "e2cnn", "dense")])
        if not context.quick and shape == "256→384, 5×5":
            taken = median(made["dense"]) or 0.0
            section.goals.append(Goal(f"layer: construction of {shape} < 0.2 s", seconds(taken), taken < 0.2))
        for image in (8,) if context.quick else IMAGES:
            for what, job in (("training step", "step"), ("evaluation", "evaluate")):
                jobs = {k: partial(_apply, context, k, job, channels, image) for k in made if not failure(made[k])}
                found = interleaved(dict(jobs), context.rounds, f"{job} {shape} {image}")
                cells = [_cell(found, k, "conv") for k in KINDS]
                steps.append([shape, f"{image}×{image}", what, seconds(median(found["conv"])), *cells])
                section.goals += [] if context.quick or image != IMAGES[0] else _goals(what, shape, found)
                dots[f"{shape} on {image}×{image}, {what}"] = {
                    name: r.median for k, name in KINDS.items() if k in found and (r := ratio(found[k], found["conv"]))
                }
    section.table(["shape", "image", "", "nn.Conv2d", *KINDS.values()], steps)
    if any(dots.values()):
        picture = dot_plot(context, "layer", dots, "times as long as nn.Conv2d")
        section.add(f"![time of layers next to nn.Conv2d]({picture})")
    section.table(["construction", "nn.Conv2d", "ours", "e2cnn", "e2cnn / ours"], constructions)
    return section


LIMITS = {
    ("256→384, 5×5", "training step", "dense"): 1.04, ("64→64, 5×5", "training step", "dense"): 1.12,
    ("256→384, 5×5", "evaluation", "dense"): 1.01, ("64→64, 5×5", "evaluation", "dense"): 1.01,
    ("256→384, 5×5", "evaluation", "jets"): 0.8,
}  # fmt: skip


def _goals(what: str, shape: str, found: dict[Any, list[Answer]]) -> list[Goal]:
    """The limits that are set for this shape, next to nn.Conv2d."""
    out = []
    for (at, step, kind), limit in LIMITS.items():
        r = ratio(found.get(kind, []), found["conv"]) if (at, step) == (shape, what) else None
        if r is not None:
            figure = f"{r.median:.3f} ({r.low:.3f}–{r.high:.3f})"
            floor = ratio(found.get("again", []), found["conv"])
            figure += f"; a second nn.Conv2d {floor.median:.3f} ({floor.low:.3f}–{floor.high:.3f})" if floor else ""
            out.append(Goal(f"layer: {what}, {shape}, {kind} ≤ {limit} × nn.Conv2d", figure, r.median <= limit))
    return out


def _constructions(context: Context, channels: tuple[int, int], size: int) -> dict[Any, Callable[[], Answer]]:
    arguments: dict[str, Any] = {
        "group": GROUP,
        "channels": list(channels),
        "size": size,
        "order": 2 if size == 3 else 3,
    }
    jobs: dict[Any, Callable[[], Answer]] = {}
    if ours := context.worker("ours"):
        for kind in ("conv", "again", "dense", "jets"):
            jobs[kind] = partial(ours.ask, "construct", kind=kind, **arguments)
    if e2cnn := context.worker("e2cnn", "e2cnn"):
        jobs["e2cnn"] = partial(e2cnn.ask, "construct", **arguments)
    return jobs


def _apply(context: Context, kind: str, job: str, channels: tuple[int, int], image: int) -> Answer:
    if kind == "e2cnn":
        worker = context.worker("e2cnn", "e2cnn")
        return worker.ask(job, batch=BATCH, image=image) if worker else {"error": "not running"}
    worker = context.worker("ours")
    arguments: dict[str, Any] = {"kind": kind, "channels": channels[0], "batch": BATCH, "image": image}
    return worker.ask(job, **arguments) if worker else {"error": "not running"}


def _cell(found: dict[Any, list[Answer]], slower: str, faster: str) -> str:
    if slower not in found or faster not in found:
        return "–"
    r = ratio(found[slower], found[faster])
    if r is None:
        return failure(found[slower]) or "–"
    spread = f" ({r.low:.2f}–{r.high:.2f})" if r.rounds > 1 else ""
    return f"{r.median:.2f}{spread}" + (f", n = {r.rounds}" if r.rounds < 5 else "")

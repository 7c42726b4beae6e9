"""Part 11: a training step of a whole network beside the same plain CNN and e2cnn's; evaluation, compilers, memory."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.common import (
    Answer,
    Context,
    Goal,
    Section,
    Worker,
    failure,
    interleaved,
    median,
    ratio,
    seconds,
)

WIDTHS = [(8, 64), (4, 64), (1, 16)]
"""What the paper's numbers of fields are divided by, and how many images make a batch."""
QUICK = [(16, 2)]
STEPS = ("again", "ours", "dense", "e2cnn")
EVALUATIONS = ("again", "ours", "converted", "traced", "e2cnn")
NAMES = {
    "again": "plain again",
    "ours": "ours",
    "dense": "ours, dense",
    "converted": "ours, `to_plain`",
    "traced": "ours, `jit.trace`",
    "e2cnn": "e2cnn",
}
LIMIT = 1.05

Found = dict[Any, list[Answer]]


def run(context: Context) -> Section:
    section = Section("11. Network")
    counted = "processor time of one thread" if context.cpu_time else f"{context.threads} threads"
    section.add(
        "The paper's network for rotated digits: six layers of 5×5, regular fields of C16, order ≤ 3, finite "
        "differences, batch norm and ELU after each, beside the same CNN with `nn.Conv2d` of the same channels and "
        f"`nn.BatchNorm2d`. The widths are the paper's divided by 8, 4 and 1. Ratios to the plain network, {counted}; "
        "*plain again* is a second one, built like the first. A step is forward, loss and all gradients, without an "
        "update. Evaluation: as it is, with all layers as torch's own (`to_plain`), and traced."
    )
    steps, evaluations, compilers, memories = [], [], [], []
    for divisor, batch in QUICK if context.quick else WIDTHS:
        title = f"÷{divisor}" if divisor > 1 else "full"
        row = [title, str(batch)]
        kinds = build(context, divisor, ("plain", *dict.fromkeys(STEPS + EVALUATIONS)))
        found = measure(context, "step", [k for k in ("plain", *STEPS) if k in kinds], batch, title)
        steps.append([*row, *cells(found, STEPS), cell(found, "e2cnn", "ours")])
        section.goals += [] if context.quick else goals(title, found)
        found = measure(context, "evaluate", [k for k in ("plain", *EVALUATIONS) if k in kinds], batch, title)
        evaluations.append([*row, *cells(found, EVALUATIONS)])
        section.goals += [] if context.quick else [goal(f"evaluation, {title}, converted", found, "converted", 1.0)]
        if divisor > 1 and not context.quick:
            compilers.append([*row, *compiled(context, divisor, batch, title)])
        held = memory(context, divisor, batch)
        memories.append([*row, *(megabytes(held.get(k)) for k in ("plain", "again", "ours", "dense", "e2cnn"))])
        section.goals += [] if context.quick else [memory_goal(title, held)]
    section.add("A training step:")
    section.table(["width", "batch", "plain", *(NAMES[k] for k in STEPS), "e2cnn / ours"], steps)
    section.add("Evaluation:")
    section.table(["width", "batch", "plain", *(NAMES[k] for k in EVALUATIONS)], evaluations)
    if compilers:
        section.add("A step under `torch.compile(…, fullgraph=True)`, where a break of the graph is an error:")
        section.table(["width", "batch", "plain / plain eager", "ours / ours eager", "ours / plain"], compilers)
    section.add("The peak of resident memory in a step, network included, in MB:")
    section.table(["width", "batch", "plain", "plain again", "ours", "ours, dense", "e2cnn"], memories)
    return section


def worker(context: Context, kind: str) -> Worker | None:
    if kind == "e2cnn":
        return context.worker("e2cnn_network", "e2cnn")
    return context.worker("network")


def build(context: Context, divisor: int, kinds: Sequence[str]) -> list[str]:
    """Those that could be built."""
    out = []
    for kind in kinds:
        place = worker(context, kind)
        if place is None:
            continue
        place.ask("threads", count=1 if context.cpu_time else context.threads)
        if "error" not in place.ask("build", kind=kind, divisor=divisor):
            out.append(kind)
    return out


def measure(context: Context, job: str, kinds: Sequence[str], batch: int, title: str) -> Found:
    jobs = {}
    for kind in kinds:
        place = worker(context, kind)
        if place is not None:
            jobs[kind] = partial(place.ask, job, kind=kind, batch=batch, cpu_time=context.cpu_time)
            jobs[kind]()  # once, unmeasured: compilers and caches
    return interleaved(dict(jobs), context.rounds, f"{job} {title}")


def compiled(context: Context, divisor: int, batch: int, title: str) -> list[str]:
    pairs = [("plain compiled", "plain"), ("ours compiled", "ours"), ("ours compiled", "plain compiled")]
    kinds = build(context, divisor, ("plain compiled", "ours compiled"))
    found = measure(context, "step", ["plain", "ours", *kinds], batch, f"compiled {title}")
    return [cell(found, *pair) for pair in pairs]


def memory(context: Context, divisor: int, batch: int) -> dict[str, int]:
    """In a process of its own each: what one network leaves behind is not the next one's."""
    out = {}
    for kind in ("plain", "ours") if context.quick else ("plain", "again", "ours", "dense", "e2cnn"):
        place = alone(context, kind)
        if place is None:
            continue
        place.ask("threads", count=1)
        answer = place.ask("memory", kind=kind, divisor=divisor, batch=batch)
        place.close()
        if "peak" in answer:
            out[kind] = answer["peak"]
    return out


def alone(context: Context, kind: str) -> Worker | None:
    """A fresh process like the one that measures time; None where that did not start."""
    usual = worker(context, kind)
    if usual is None:
        return None
    return Worker(usual.command[0], Path(usual.command[1]))


def cells(found: Found, kinds: Sequence[str]) -> list[str]:
    return [seconds(median(found["plain"])), *(cell(found, kind, "plain") for kind in kinds)]


def cell(found: Found, slower: str, faster: str) -> str:
    if slower not in found or faster not in found:
        return "–"
    r = ratio(found[slower], found[faster])
    if r is None:
        return failure(found[slower]) or "–"
    spread = f" ({r.low:.2f}–{r.high:.2f})" if r.rounds > 1 else ""
    return f"{r.median:.2f}{spread}" + (f", n = {r.rounds}" if r.rounds < 5 else "")


def goals(title: str, found: Found) -> list[Goal]:
    r = ratio(found.get("e2cnn", []), found.get("ours", []))
    is_faster = None if r is None else r.median > 1
    return [
        goal(f"training step, {title}", found, "ours", LIMIT),
        Goal(f"network: training step, {title}, faster than e2cnn", cell(found, "e2cnn", "ours"), is_faster),
    ]


def goal(what: str, found: Found, kind: str, limit: float) -> Goal:
    """Met within what a second plain network differs from the first."""
    text = f"network: {what} ≤ {limit:.2f} × plain"
    r, floor = ratio(found.get(kind, []), found["plain"]), ratio(found.get("again", []), found["plain"])
    if r is None or floor is None:
        return Goal(text, "–", None)
    figures = [f"{q.median:.3f} ({q.low:.3f}–{q.high:.3f})" for q in (r, floor)]
    return Goal(text, "; a second plain one ".join(figures), r.median <= max(limit, floor.high))


def memory_goal(title: str, held: dict[str, int]) -> Goal:
    text = f"network: memory of a step, {title} ≤ {LIMIT} × plain"
    if "ours" not in held or "plain" not in held:
        return Goal(text, "–", None)
    share = held["ours"] / held["plain"]
    return Goal(text, f"{share:.3f}", share <= LIMIT)


def megabytes(value: int | None) -> str:
    return "–" if value is None else f"{value / 2**20:.0f}"

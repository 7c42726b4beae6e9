"""Part: questions drawn from the grammar, to find those that take far longer than their size explains."""

from __future__ import annotations

import csv
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks.common import Answer, Context, Goal, Section, exponent, number, seconds
from benchmarks.parts.plots import link, scatter
from benchmarks.parts.start import CALL, ON, process
from benchmarks.sampling import CRYSTALS, FAMILIES, TEXTBOOK, Question, sample, textbook

COUNT = 180
LIMIT = 60.0
ROUNDS = 3
"""Of which the fastest counts, for every method."""
CLIFF = 10.0
"""Times above the trend."""
LARGEST = 1_000_000
"""Numbers of an answer up to which there should be no cliff."""
BETTER = 1.5
LATER = 0.005
"""Seconds that auto may come later, whatever the ratio is: what labels are worth where a method takes milliseconds."""
WORST = 12
"""Questions in which auto is furthest from the better method, that are asked as commands."""
MEMORY = 4.0
SMALL = 5e6
"""Bytes of answer and system below which memory is that of the interpreter's own tables."""
EXPONENT = 1.15
METHODS = ("auto", "direct", "transfer")
STAGES = ("reading", "solving", "proving")
SIZES = ("numbers", "entries", "bytes", "system")
"""Numbers of the answer and non-zeros of the system; the bytes of both."""
LIMITS = (
    "What limits auto: the transfer solver tells of every element its angular order, its power of the Laplacian and "
    "the irreps that it connects, and decomposes both sides for that: some milliseconds that the direct one does not "
    "need. auto takes it unless its estimate is twice that of the direct one, so that answers stay what they were."
)


@dataclass(frozen=True)
class Point:
    """What a question took, by every method that answers it."""

    question: Question
    answers: dict[str, Answer]
    peak: float | None = None

    def __str__(self) -> str:
        taken = [m if "error" in a else f"{m} {self.taken(m):.4f}" for m, a in self.answers.items()]
        return f"{self.question} ({', '.join(taken)})"

    @property
    def own(self) -> Answer:
        return self.answers["auto"]

    @property
    def stopped(self) -> bool:
        return "error" in self.own

    def taken(self, method: str = "auto") -> float:
        return sum(float(self.answers[method][stage]) for stage in STAGES)

    @property
    def size(self) -> float:
        """Numbers of the answer, and of the linear system that it solves."""
        return float(self.own["numbers"] + self.own["entries"])

    @property
    def better(self) -> float:
        """What the better of the methods takes that auto chooses among."""
        others = [self.taken(m) for m in METHODS[1:] if m in self.answers and "error" not in self.answers[m]]
        return min(others, default=self.taken())

    @property
    def over_the_better(self) -> float:
        return self.taken() / self.better

    @property
    def is_near(self) -> bool:
        return self.taken() <= max(BETTER * self.better, self.better + LATER)


@dataclass(frozen=True)
class Trend:
    """A fixed cost, and so much for each number."""

    fixed: float
    each: float

    def __call__(self, size: float) -> float:
        return self.fixed + self.each * size


def run(context: Context) -> Section:
    section = Section("12. Cliffs")
    count = 6 if context.quick else COUNT
    section.add(
        f"{count} questions drawn from the grammar (`benchmarks/sampling.py`, seed {context.seed}): groups, "
        "representations, orders; caches emptied, processor time (one thread of BLAS), with proof. *Size* is the "
        "numbers of the answer and the non-zeros of the linear system. The trend is a fixed cost (the median of the "
        "smaller half) and so much for each number (the median of the larger half); a cliff is a question that takes "
        f"{CLIFF:.0f} times the trend."
    )
    points = []
    for k, question in enumerate(sample(count, context.seed)):
        points.append(measure(context, question))
        print(f"{k}: {points[-1]}", file=sys.stderr, flush=True)
    done = [p for p in points if not p.stopped]
    trend = fit(done)
    cliffs = [p for p in done if p.taken() > CLIFF * trend(p.size)]
    _families(section, done, trend)
    _worst(section, done, trend)
    _goals(section, context, points, done, cliffs)
    _crystals(section, context)
    section.add(LIMITS)
    curves = {f: [p for p in done if p.question.family == f] for f in FAMILIES}
    picture = scatter(
        context, "cliffs", {f: [(p.size, p.taken()) for p in own] for f, own in curves.items() if own},
        (trend, CLIFF), "numbers of answer and system", "seconds",
    )  # fmt: skip
    section.add(f"![time of sampled questions against their size]({picture})")
    kept = {f: [(p.own["bytes"] + p.own["system"], p.peak) for p in own if p.peak] for f, own in curves.items() if own}
    picture = scatter(
        context, "cliffs_memory", kept, (lambda size: size, MEMORY), "bytes of answer and system", "peak bytes"
    )
    section.add(f"![memory of sampled questions against their size]({picture})")
    section.add(
        f"Every question by every method, with its stages: [cliffs.csv]({link(_write(context, points))}). "
        "Another sample: `--seed`."
    )
    return section


def _write(context: Context, points: list[Point]) -> Path:
    """Each point of the plots, and what it is made of: a row a question and method; seconds, bytes."""
    path = context.plots / "cliffs.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["family", "group", "in", "out", "order", "asked", "method", *SIZES, *STAGES, "peak", "error"])
        for point in points:
            question = point.question
            asked = [question.family, question.group, question.source, question.target, question.order]
            for method, own in point.answers.items():
                peak = point.peak if method == "auto" else None
                sizes = [own.get(name) for name in SIZES]
                times = [f"{own[stage]:.6f}" if stage in own else None for stage in STAGES]
                rows.writerow([*asked, method, own.get("method"), *sizes, *times, peak, own.get("error")])
    return path


def measure(context: Context, question: Question) -> Point:
    return Point(question, answers(context, question), peak(context, question))


def answers(context: Context, question: Question, again: bool = False) -> dict[str, Answer]:
    """By every method, the fastest of some rounds."""
    worker = context.worker("ours", threads=1)
    if worker is None:
        raise RuntimeError(f"pdobasis does not run: {context.missing['ours']}")
    limit = 20.0 if context.quick else LIMIT
    out: dict[str, Answer] = {}
    for _ in range(1 if context.quick else ROUNDS):
        for method in METHODS:
            if "error" in out.get(method, {}):
                continue
            found = worker.ask(
                "stages", limit, group=question.group, source=question.source, target=question.target,
                order=question.order, method=method, again=again,
            )  # fmt: skip
            best = out.get(method)
            if best is None or "error" in found or sum(found[s] for s in STAGES) < sum(best[s] for s in STAGES):
                out[method] = found
    return out


def peak(context: Context, question: Question) -> float | None:
    """Bytes held at most; None where watching every allocation takes too long."""
    worker = context.worker("ours", threads=1)
    if worker is None:
        return None
    found = worker.ask(
        "memory", LIMIT, group=question.group, source=question.source, target=question.target, order=question.order
    )
    return found.get("peak")


def fit(points: list[Point]) -> Trend:
    ordered = sorted(points, key=lambda p: p.size)
    half = len(ordered) // 2
    fixed = statistics.median(p.taken() for p in ordered[: half or 1])
    each = statistics.median(max(0.0, p.taken() - fixed) / p.size for p in ordered[half:])
    return Trend(fixed, each)


def _families(section: Section, points: list[Point], trend: Trend) -> None:
    rows = []
    for family in FAMILIES:
        own = [p for p in points if p.question.family == family]
        if len(own) < 2:
            continue
        slope = _slope(own)
        rows.append([
            family, str(len(own)), f"{number(min(p.size for p in own))} … {number(max(p.size for p in own))}",
            seconds(statistics.median(p.taken() for p in own)), seconds(max(p.taken() for p in own)),
            f"{max(p.taken() / trend(p.size) for p in own):.1f}", "–" if slope is None else f"{slope:.2f}",
        ])  # fmt: skip
    head = ["family", "questions", "size", "median", "slowest", "most above the trend (times)", "exponent"]
    section.table(head, rows)
    section.add(
        f"The trend: {seconds(trend.fixed)} and {trend.each * 1e9:.0f} ns for each number. Exponents are slopes of "
        "log(time) over log(size) by least squares, over sizes from 10,000 on, where the fixed cost is small."
    )


def _slope(points: list[Point]) -> float | None:
    large = [p for p in points if p.size >= 10_000]
    if len(large) < 4:
        return None
    return exponent([p.size for p in large], [p.taken() for p in large])


def _worst(section: Section, points: list[Point], trend: Trend) -> None:
    """The questions furthest above the trend, with where their time goes."""
    ranked = sorted(points, key=lambda p: -p.taken() / trend(p.size))[:8]
    rows = []
    for p in ranked:
        stages = [seconds(p.own[stage]) for stage in STAGES]
        rows.append([str(p.question), f"{p.own['numbers']:,}", f"{p.own['entries']:,}", seconds(p.taken()), *stages,
                     f"{p.taken() / trend(p.size):.1f}"])  # fmt: skip
    section.table(["question", "numbers", "system", "time", *STAGES, "times the trend"], rows)
    _furthest(section, points)


def _furthest(section: Section, points: list[Point]) -> None:
    """The questions in which auto is furthest from the better method."""
    rows = []
    for p in sorted(points, key=lambda p: -p.over_the_better)[:8]:
        others = [m for m in METHODS[1:] if "error" not in p.answers[m]]
        times = ", ".join(f"{m} {seconds(p.taken(m))}" for m in others)
        rows.append([str(p.question), seconds(p.taken()), times, f"{p.over_the_better:.2f}"])
    section.table(["question", "auto", "by name", "auto / better"], rows)


def _crystals(section: Section, context: Context) -> None:
    """Where auto is furthest from the better method: small questions that direct solves by counting orbits."""
    questions = textbook()[:: 40 if context.quick else 1]
    first = [Point(q, answers(context, q)) for q in questions]
    again = [Point(q, answers(context, q, again=True)) for q in questions]
    told = []
    for points in (first, again):
        ratios = [p.over_the_better for p in points]
        later = max(p.taken() - p.better for p in points)
        over = sum(r > BETTER for r in ratios)
        told.append(
            f"{over} of {len(points)} above {BETTER}, median {statistics.median(ratios):.2f}, worst {max(ratios):.2f}; "
            f"at most {seconds(later)} later than the better method"
        )
    section.add(
        f"*Textbook questions of crystals* ({len(questions)}: {len(CRYSTALS)} groups, {len(TEXTBOOK)} pairs such as "
        f"vector → tensor(vector, vector), orders up to 1, 2 and 4), where a method takes 1 to 10 ms. Caches emptied: "
        f"{told[0]}. Asked a second time in one process, with what is remembered of the first: {told[1]}."
    )
    _furthest(section, first)
    if context.quick:
        return
    ranked = sorted(first, key=lambda p: -p.over_the_better)
    typed = max(map(_as_command, ranked[:WORST]))
    ratios = sorted(p.over_the_better for p in first)
    section.goals += [
        Goal(f"cliffs, crystals: auto ≤ {BETTER} × the better method", told[0], ratios[-1] <= BETTER),
        Goal(f"cliffs, crystals: auto ≤ {BETTER} × the better method, or at most {LATER * 1e3:.0f} ms later",
             f"{sum(p.is_near for p in first)} of {len(first)}", all(p.is_near for p in first)),
        Goal(f"cliffs, crystals: auto ≤ {BETTER} × the better method, as commands ({WORST} worst)",
             f"worst {typed:.2f}", typed <= BETTER),
    ]  # fmt: skip


def _as_command(point: Point) -> float:
    """auto beside the method that is better in one process, as what a user types."""
    question = point.question
    better = min((m for m in METHODS[1:] if "error" not in point.answers[m]), key=point.taken)
    asked = ["--group", question.group, "--in", question.source, "--out", question.target, "-n", str(question.order)]
    taken: dict[str, list[float]] = {"auto": [], better: []}
    for _ in range(ROUNDS):
        for method, own in taken.items():
            found = process(Path(sys.executable), [*CALL, "solve", *asked, "--method", method])
            if "error" in found:
                raise RuntimeError(f"{question} by {method}: {found['error']}")
            own.append(found[ON])
    return min(taken["auto"]) / min(taken[better])


def _goals(section: Section, context: Context, points: list[Point], done: list[Point], cliffs: list[Point]) -> None:
    below = [p for p in cliffs if p.own["numbers"] < LARGEST]
    stopped = len(points) - len(done)
    large = [p for p in done if p.own["bytes"] + p.own["system"] > SMALL]
    heavy = max((p.peak / (p.own["bytes"] + p.own["system"]) for p in large if p.peak), default=0.0)
    ratios = sorted(p.over_the_better for p in done)
    within = sum(r <= BETTER for r in ratios) / max(1, len(ratios))
    slopes = {f: _slope([p for p in done if p.question.family == f]) for f in FAMILIES}
    steepest = max((s for s in slopes.values() if s is not None), default=0.0)
    if context.quick:
        return
    slower = [p for p in done if p.over_the_better > BETTER]
    typed = [_as_command(p) for p in slower]
    section.add(
        f"As whole commands (`pdobasis solve`, start and printing with it, processor time, fastest of {ROUNDS} each) "
        f"questions that auto takes more than {BETTER} times as long for ({len(slower)} of {len(done)}) take "
        f"{min(typed, default=1):.2f} to {max(typed, default=1):.2f} times as long as by the better method."
    )
    section.goals += [
        Goal(f"cliffs: none of {len(points)} sampled questions below {LARGEST:,} numbers of answer",
             f"{len(below)} cliffs, {stopped} stopped after {LIMIT:.0f} s", not below and not stopped),
        Goal(f"cliffs: auto ≤ {BETTER} × the better method",
             f"{within:.0%} of questions, median {statistics.median(ratios):.2f}, worst {ratios[-1]:.2f}",
             ratios[-1] <= BETTER),
        Goal(f"cliffs: auto ≤ {BETTER} × the better method, or at most {LATER * 1e3:.0f} ms later",
             f"{sum(p.is_near for p in done)} of {len(done)}", all(p.is_near for p in done)),
        Goal(f"cliffs: auto ≤ {BETTER} × the better method, as commands", f"worst {max(typed, default=1):.2f}",
             max(typed, default=1) <= BETTER),
        Goal(f"cliffs: exponent ≤ {EXPONENT} in every family", f"{steepest:.2f}", steepest <= EXPONENT),
        Goal(f"cliffs: peak memory ≤ {MEMORY:.0f} × (answer + system) beyond {SMALL / 1e6:.0f} MB", f"{heavy:.1f}",
             heavy <= MEMORY),
    ]  # fmt: skip

"""Part 1: finding a basis. Ours is exact and proved; e2cnn and EMLP are in floating point."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from benchmarks.common import (
    Answer,
    Context,
    Goal,
    Ratio,
    Section,
    failure,
    interleaved,
    median,
    number,
    ratio,
    seconds,
)
from benchmarks.parts.plots import dot_plot
from benchmarks.peers import programs
from pdobasis.answer.solve import ask
from pdobasis.exact.numbers import readable, to_float, to_sympy

SO2 = "irrep(0) + irrep(1) + irrep(2) + irrep(3)"
O2 = "irrep(0,0) + irrep(1,0) + irrep(1,1) + irrep(1,2) + irrep(1,3)"
EXACT = ("Singular", "GAP", "Macaulay2")
EMLP_LIMIT = 150.0
SYMPY_LIMIT = 60.0
LIMIT = 60.0


@dataclass(frozen=True)
class Question:
    group: str
    source: str
    target: str
    order: int
    peers: tuple[str, ...]

    @property
    def name(self) -> str:
        short = {SO2: "irreps 0…3", O2: "irreps 0…3"}
        a, b = short.get(self.source, self.source), short.get(self.target, self.target)
        return f"{self.group} {a}→{b}, order ≤ {self.order}"

    @property
    def is_large(self) -> bool:
        return self.group in ("C16", "D16")


PLANE = ("e2cnn",)
ALL = ("e2cnn", "EMLP", "SymPy", *EXACT)
SPACE = ("EMLP", "SymPy", *EXACT)
QUESTIONS = [
    Question("C8", "regular", "regular", 2, ALL),
    Question("C8", "regular", "regular", 3, PLANE),
    Question("C16", "regular", "regular", 2, PLANE),
    Question("C16", "regular", "regular", 3, ALL),
    Question("D8", "regular", "regular", 2, PLANE),
    Question("D8", "regular", "regular", 3, ("e2cnn", "EMLP", "Singular")),
    Question("D16", "regular", "regular", 2, PLANE),
    Question("D16", "regular", "regular", 3, ("e2cnn", "EMLP", "Singular", "GAP")),
    Question("D8", "regular", "trivial", 2, PLANE),
    Question("D8", "regular", "trivial", 4, ALL),
    Question("SO(2)", SO2, SO2, 3, PLANE),
    Question("O(2)", O2, O2, 3, PLANE),
    Question("O", "vector", "vector", 4, SPACE),
    Question("I", "vector", "vector", 4, SPACE),
    Question("SO(3)", "vector", "vector", 4, SPACE),
    Question("SO(1,3)", "vector", "vector", 2, SPACE),
]
QUICK = [q for q in QUESTIONS if q.group in ("C8", "SO(3)") or (q.group, q.order) == ("D8", 4)]


def run(context: Context) -> Section:
    questions = QUICK if context.quick else QUESTIONS
    answers = {q: measure(context, q) for q in questions}
    context.versions |= programs.versions() if context.use_peers else {}
    section = Section("1. Basis")
    section.add(
        "All equivariant PDOs up to an order. Ours is exact, and its time includes the proof; e2cnn's and EMLP's are "
        "in floating point, without one. All are warm: imports are done, the group and both representations are built "
        "(ours with all elements of a finite group, as e2cnn's are), and every cache that could hold a part of the "
        "answer is emptied before each repetition: ours keeps the arithmetic of the number field, primes, lists of "
        "monomials (those of the proof, too) and the names of operators, that the arithmetic of a field and the "
        "elements of a group were looked at, and forgets whatever a solver or the proof has made of a question. "
        "Where the tables are is looked up once, so that forgetting them leaves the processor's own caches to us as to "
        "the peers. "
        "*from text* is `direct` with nothing built beforehand, next to `direct`. Columns of peers: how many times "
        "longer than ours (the faster of `--method auto` and `direct`, which is named), median of the rounds and "
        "interquartile range."
    )
    names = ["e2cnn", "EMLP", "SymPy", *EXACT]
    rows = []
    for q, found in answers.items():
        base = best(found)
        row = [q.name, str(dimension(found[base])), f"{seconds(median(found[base]))} ({base})"]
        row += [_times(ratio(found["from text"], found["direct"]))]
        row += [_cell(found.get(name), found[base]) for name in names]
        rows.append(row)
    section.table(["question", "elements", "ours", "from text", *names], rows)
    dots = {
        q.name: {n: r.median for n in names if n in f and (r := ratio(f[n], f[best(f)]))} for q, f in answers.items()
    }
    if any(dots.values()):
        picture = dot_plot(context, "basis", dots, "times as long as ours, proof included")
        section.add(f"![how much longer the others take]({picture})")
    whole = _whole(answers)
    if whole:
        section.add(
            "The systems of computer algebra are asked inside one running process. As whole processes (start, program, "
            "answer; `pdobasis solve` as a whole process is in part 3), in seconds: " + "; ".join(whole) + "."
        )
    wrong = [f"{name} on {q.name}: {d} instead of {dimension(f[best(f)])}" for q, f in answers.items()
             for name in names if (d := dimension(f.get(name, []))) not in (None, dimension(f[best(f)]))]  # fmt: skip
    section.add("All peers that answered found the same number of elements." if not wrong else
                "Different numbers of elements: " + "; ".join(wrong) + ".")  # fmt: skip
    failures = [f"{name} on {q.name}: {message}" for q, f in answers.items() for name in names
                if (message := failure(f.get(name, [])))]  # fmt: skip
    failures += [f"{name}: {message}" for name, message in context.missing.items()]
    if failures:
        section.add("Without an answer: " + "; ".join(failures) + ".")
    section.add(
        "What limits: a small question is some hundred operations on small integer arrays, a few µs each in NumPy, for "
        "all its orders and blocks together; half of them are the proof. Singular does its half of that in C. EMLP, "
        "once JAX has compiled it for the shapes at hand, asks LAPACK for one small SVD an order, in floating point: "
        "twenty times faster would be 0.6 to 4 ms on the small questions, with exact numbers and a proof. SO(1,3) has "
        "no characters to count with, so its proof takes a rank over all coefficients that no half turn forbids."
    )
    if not context.quick and context.use_peers:
        section.goals = goals(answers)
    return section


def measure(context: Context, q: Question) -> dict[str, list[Answer]]:
    ours = context.worker("ours")
    if ours is None:
        raise RuntimeError(f"pdobasis does not run: {context.missing['ours']}")
    arguments: dict[str, Any] = {"group": q.group, "source": q.source, "target": q.target, "order": q.order}
    jobs: dict[str, Callable[[], Answer]] = {
        "auto": lambda: ours.ask("basis", **arguments),
        "direct": lambda: ours.ask("basis", method="direct", **arguments),
        "from text": lambda: ours.ask("basis", method="direct", whole=True, **arguments),
    }
    for peer in q.peers if context.use_peers else ():
        job = _peer(context, peer, q)
        if job is not None:
            jobs[peer] = job
    return interleaved(jobs, context.rounds, q.name)


def _peer(context: Context, peer: str, q: Question) -> Callable[[], Answer] | None:
    arguments: dict[str, Any] = {"group": q.group, "source": q.source, "target": q.target, "order": q.order}
    if peer == "e2cnn":
        worker = context.worker("e2cnn", "e2cnn")
        irreps = {SO2: "irreps", O2: "irreps"}
        arguments |= {"source": irreps.get(q.source, q.source), "target": irreps.get(q.target, q.target)}
        return None if worker is None else partial(worker.ask, "basis", **arguments)
    if peer == "EMLP":
        worker = context.worker("emlp", "emlp")
        return None if worker is None else partial(worker.ask, "basis", limit=EMLP_LIMIT, **block_diagonal(q))
    if peer == "SymPy":
        worker = context.worker("sympy")
        return None if worker is None else partial(worker.ask, "basis", limit=SYMPY_LIMIT, **exact_text(q))
    given = programs.given(q.group, q.source, q.target, q.order)
    repeats = 1 if q.is_large or peer != "Singular" else 5
    text = programs.program(peer, given, repeats)
    return lambda: dict(programs.run(peer, text, repeats, LIMIT))


def block_diagonal(q: Question) -> dict[str, Any]:
    """The generators as EMLP gets them: rho_out, rho_in and the matrix that acts on x, in one block-diagonal matrix."""
    problem = ask(q.group, q.source, q.target, q.order)
    (a,), (b,), g = problem.in_type.distinct, problem.out_type.distinct, problem.group

    def joined(parts: list[Any]) -> list[list[float]]:
        size = sum(len(p) for p in parts)
        out, at = np.zeros((size, size)), 0
        for p in parts:
            out[at : at + len(p), at : at + len(p)] = p
            at += len(p)
        found: list[list[float]] = out.tolist()
        return found

    triples = zip(b.matrices(), a.matrices(), g.generators, strict=True)
    finite = [joined([to_float(x), to_float(y), to_float(z)]) for x, y, z in triples]
    lie = [joined([to_float(x), to_float(y), to_float(z)]) for x, y, z in zip(b.lie, a.lie, g.lie, strict=True)]
    sizes = [b.size, a.size, g.dim]
    return {"key": q.name, "order": q.order, "sizes": sizes, "generators": finite, "lie": lie}


def exact_text(q: Question) -> dict[str, Any]:
    """The generators as SymPy reads them, with roots written out."""
    problem = ask(q.group, q.source, q.target, q.order)
    (a,), (b,), g = problem.in_type.distinct, problem.out_type.distinct, problem.group

    def text(m: Any) -> list[list[str]]:
        return [[str(to_sympy(readable(tuple(map(int, entry)), m.denominator, m.field))) for entry in row]
                for row in m.numerators]  # fmt: skip

    finite = [[text(x), text(y), text(z)] for x, y, z in zip(g.generators, a.matrices(), b.matrices(), strict=True)]
    lie = [[text(x), text(y), text(z)] for x, y, z in zip(g.lie, a.lie, b.lie, strict=True)]
    return {"dim": g.dim, "order": q.order, "generators": finite, "lie": lie}


def best(found: dict[str, list[Answer]]) -> str:
    return min(("auto", "direct"), key=lambda m: median(found[m]) or float("inf"))


def dimension(answers: list[Answer]) -> int | None:
    return next((int(a["dimension"]) for a in answers if "dimension" in a), None)


def _times(value: Ratio | None) -> str:
    return str(value) if value else "–"


def _cell(answers: list[Answer] | None, base: list[Answer]) -> str:
    if not answers:
        return ""
    message = failure(answers)
    if message and message.startswith("stopped after"):
        at_least = float(message.split()[2]) / (median(base) or 1.0)
        return f"> {number(at_least)}× ({message})"
    return "no answer" if message else _times(ratio(answers, base))


def _whole(answers: dict[Question, dict[str, list[Answer]]]) -> list[str]:
    out = []
    for name in EXACT:
        found = [(q.name, median(f[name], "whole")) for q, f in answers.items() if name in f]
        cells = [f"{q} {number(v)}" for q, v in found if v is not None and "16" not in q]
        if cells:
            out.append(f"{name} " + ", ".join(cells))
    return out


def goals(answers: dict[Question, dict[str, list[Answer]]]) -> list[Goal]:
    def check(text: str, peer: str, wanted: float, chosen: Callable[[Question], bool]) -> Goal:
        figures = []
        for q, found in answers.items():
            if not chosen(q) or peer not in found:
                continue
            r = ratio(found[peer], found[best(found)])
            stopped = failure(found[peer])
            if r is not None:
                figures.append((r.median, f"{q.name}: {number(r.median)}"))
            elif stopped and stopped.startswith("stopped after"):
                at_least = float(stopped.split()[2]) / (median(found[best(found)]) or 1.0)
                figures.append((at_least, f"{q.name}: > {number(at_least)}"))
        missed = [text for value, text in figures if value < wanted]
        lowest = min(figures, default=(0.0, "no figure"))
        return Goal(text, "; ".join(missed) or f"lowest: {lowest[1]}", not missed if figures else None)

    regular = ("regular", "regular")
    return [
        check("basis: ≥ 10 times faster than e2cnn, C16 and D16 regular→regular", "e2cnn", 10,
              lambda q: q.is_large),
        check("basis: ≥ 2 times faster than e2cnn elsewhere", "e2cnn", 2, lambda q: not q.is_large),
        check("basis: ≥ 20 times faster than EMLP", "EMLP", 20, lambda q: True),
        check("basis: ≥ 10 times faster than Singular, C16 and D16 regular→regular", "Singular", 10,
              lambda q: q.is_large and (q.source, q.target) == regular),
        check("basis: not slower than Singular on the small questions", "Singular", 1, lambda q: not q.is_large),
    ]  # fmt: skip

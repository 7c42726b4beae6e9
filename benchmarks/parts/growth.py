"""Part 2: how time and memory grow with the size of the answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.common import Answer, Context, Goal, Section, exponent, failure, interleaved, median, number, seconds
from benchmarks.parts.plots import log_plot

EXPONENT = 1.15
MEMORY = 4.0
MEGABYTE = 1e6


def run(context: Context) -> Section:
    section = Section("2. Growth")
    section.add(
        "Time of solving and proving against the size of the answer (the integers that it consists of; for point "
        "clouds the weights), warm, caches emptied. The exponent is the slope of log(time) against log(size) by least "
        "squares, over all sizes and over the upper half of them, where fixed costs matter less. Memory is the peak "
        "that Python and NumPy hold beyond what was there before, in one further run, next to the bytes of the answer "
        "and of the system: the non-zeros of the constraint, each with its row and its column (none for point clouds)."
    )
    curves = {}
    rows = []
    for name, points in families(context.quick).items():
        answers = interleaved(
            {label: _job(context, kind, a) for label, (kind, a) in points.items()}, context.rounds, name
        )
        memory = {label: _memory(context, kind, a) for label, (kind, a) in points.items()}
        good = [label for label in points if not failure(answers[label])]
        if len(good) < 2:
            raise RuntimeError(f"{name}: {failure(answers[next(iter(points))])}")
        sizes = [float(answers[label][0]["numbers"]) for label in good]
        times = [median(answers[label]) or 0.0 for label in good]
        curves[name] = (sizes, times)
        slope, upper = _slopes(sizes, times)
        last = memory[good[-1]]
        held = last["bytes"] + last.get("system", 0)
        quotient = last["peak"] / held
        rows.append([
            name, f"{number(sizes[0])} … {number(sizes[-1])}", f"{seconds(times[0])} … {seconds(times[-1])}",
            f"{slope:.2f}", f"{upper:.2f}", f"{last['peak'] / MEGABYTE:,.2f}", f"{last['bytes'] / MEGABYTE:,.2f}",
            f"{last.get('system', 0) / MEGABYTE:,.2f}", number(quotient),
        ])  # fmt: skip
        if not context.quick:
            section.goals += [
                Goal(f"growth of {name}: exponent ≤ {EXPONENT}", f"{slope:.2f}, upper half {upper:.2f}",
                     max(slope, upper) <= EXPONENT),
                Goal(f"growth of {name}: peak memory ≤ {MEMORY:.0f} × (answer + system)",
                     f"{number(quotient)} at {good[-1]} ({held / MEGABYTE:,.2f} MB)", quotient <= MEMORY),
            ]  # fmt: skip
    head = ["family", "numbers", "time", "exponent", "upper half", "peak MB", "answer MB", "system MB", "peak / both"]
    section.table(head, rows)
    section.add(
        "What limits: for SO(1,3) the answer is a handful of invariant tensors, but the linear system has 16 unknowns "
        "for each monomial, so its entries alone take many times the memory of the answer: memory is judged against "
        "both. For O(3) the time goes into evaluating the constraint in the proof: matrices of size 2l+1 have few "
        "zeros to skip, and the values outgrow 53 bits at high orders."
    )
    picture = log_plot(context, "growth", curves, "numbers in the answer", "seconds")
    section.add(f"![time against the size of the answer]({picture})")
    return section


def families(quick: bool) -> dict[str, dict[str, tuple[str, dict[str, Any]]]]:
    def basis(group: str, rep: str, order: int, method: str = "direct") -> tuple[str, dict[str, Any]]:
        return "basis", {"group": group, "source": rep, "target": rep, "order": order, "method": method}

    cyclic = [4, 8] if quick else [4, 8, 16, 32, 64]
    angular = range(2 if quick else 7)
    lorentz = range(3 if quick else 9)
    clouds = [1000, 2000] if quick else [10**3, 10**4, 10**5, 10**6]
    return {
        "C_N regular→regular, order ≤ 3": {f"N = {n}": basis(f"C{n}", "regular", 3) for n in cyclic},
        "O(3) l→l, order ≤ 2l": {f"l = {k}": basis("O(3)", f"1x{k}{'eo'[k % 2]}", 2 * k, "auto") for k in angular},
        "SO(1,3) vector→vector": {f"order ≤ {n}": basis("SO(1,3)", "vector", n) for n in lorentz},
        "point cloud, RBF-FD": {f"{n:,} targets": ("cloud", {"targets": n}) for n in clouds},
    }


def _slopes(sizes: list[float], times: list[float]) -> tuple[float, float]:
    half = max(2, (len(sizes) + 1) // 2)
    return exponent(sizes, times), exponent(sizes[-half:], times[-half:])


def _job(context: Context, kind: str, arguments: dict[str, Any]) -> Callable[[], Answer]:
    worker = context.worker("ours")
    if worker is None:
        raise RuntimeError(f"pdobasis does not run: {context.missing['ours']}")
    return lambda: worker.ask(kind, **arguments)


def _memory(context: Context, kind: str, arguments: dict[str, Any]) -> Answer:
    worker = context.worker("ours")
    if worker is None:
        raise RuntimeError(f"pdobasis does not run: {context.missing['ours']}")
    return worker.ask("memory" if kind == "basis" else "cloud_memory", **arguments)

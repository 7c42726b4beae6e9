"""Time to build and prove exact bases, as ratios in one interleaved run.

    python benchmarks/engine.py

Every row is the median of several rounds; in each round all questions and the reference (``import sympy`` in a new
process) are timed one after the other, so that a busy machine slows all of them alike.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

QUESTIONS = [
    ("C16 regular→regular, order 3", ("C16", "regular", "regular", 3), 0.3),
    ("D16 regular→regular, order 3", ("D16", "regular", "regular", 3), 2.0),
    ("I regular→regular, order 2", ("I", "regular", "regular", 2), 5.0),
    ("D8 regular→trivial, order 2", ("D8", "regular", "trivial", 2), None),
    ("SO(3) vector→vector, order 4", ("SO(3)", "vector", "vector", 4), None),
    ("SO(1,3) vector→vector, order 4", ("SO(1,3)", "vector", "vector", 4), None),
]
CALL = ["-c", "from pdobasis_cli import main; main()"]  # what the installed script does
COLD = [
    ("pdobasis solve --group D8 --in regular --out trivial", [*CALL, "solve", "--group", "D8", "--in",
     "regular", "--out", "trivial"]),
    ("pdobasis --help", [*CALL, "--help"]),
    ("import pdobasis", ["-c", "import pdobasis"]),
    ("python -c pass", ["-c", "pass"]),
]  # fmt: skip


def process(arguments: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True, env={**os.environ})
    return time.perf_counter() - start


def warm(question: tuple[str, str, str, int], method: str) -> float:
    """Solve and prove with empty caches in a warm interpreter."""
    import pdobasis

    clear_caches()
    start = time.perf_counter()
    pdobasis.solve(*question[:3], order=question[3], method=method)
    return time.perf_counter() - start


def clear_caches() -> None:
    """Forget every group, representation and table, so that each round does the whole work."""
    for module in [m for name, m in sys.modules.items() if name.startswith("pdobasis.")]:
        for value in vars(module).values():
            if callable(getattr(value, "cache_clear", None)):
                value.cache_clear()


def interleaved(jobs: dict[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            times[name].append(job())
    return {name: statistics.median(values) for name, values in times.items()}


def growth(sizes: list[int], rounds: int, method: str) -> float:
    """The exponent of time against the size of the answer (coefficients), for C_N regular→regular to order 3."""
    import pdobasis

    def answer(n: int) -> int:
        basis = pdobasis.solve(f"C{n}", "regular", "regular", order=3, method=method)
        return sum(p.coefficients.numerators.size for b in basis.blocks for p in b.orders)

    jobs: dict[str, Callable[[], float]] = {
        str(n): partial(warm, (f"C{n}", "regular", "regular", 3), method) for n in sizes
    }
    times = interleaved(jobs, rounds)
    points = [(math.log(answer(n)), math.log(times[str(n)])) for n in sizes]
    mean_x, mean_y = (statistics.mean(p[i] for p in points) for i in (0, 1))
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    for n, (x, y) in zip(sizes, points, strict=True):
        print(f"  C{n:<4} {math.exp(x):>12,.0f} numbers  {math.exp(y):8.3f} s")
    return slope


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs="*", default=[8, 16, 32, 64])
    parser.add_argument("--methods", nargs="*", default=["direct", "auto"])
    options = parser.parse_args()
    reference = ["-c", "import sympy"]
    jobs: dict[str, Callable[[], float]] = {"import sympy": lambda: process(reference)}
    jobs |= {name: partial(process, arguments) for name, arguments in COLD}
    for method in options.methods:
        jobs |= {f"{name} ({method})": partial(warm, q, method) for name, q, _ in QUESTIONS}
    times = interleaved(jobs, options.rounds)
    base = times["import sympy"]
    goals = {f"{name} ({m})": goal for name, _, goal in QUESTIONS for m in options.methods}
    for name, value in times.items():
        goal = f"   goal < {goals[name]} s" if goals.get(name) else ""
        print(f"{name:60} {value:8.3f} s   {value / base:6.2f} x import sympy{goal}")
    for method in options.methods:
        print(f"growth of C_N regular→regular, order 3 ({method})")
        print(f"  exponent of time against the size of the answer: {growth(options.sizes, 3, method):.2f}")


if __name__ == "__main__":
    main()

"""The transfer solver against the direct one and against e2cnn, as ratios in one interleaved run.

    python benchmarks/transfer.py [--e2cnn /path/to/python]

Every time includes the certificate and starts from empty caches in a warm interpreter; each row is the median of
several rounds, in which all jobs are done one after the other. e2cnn (floating point, no proof) is timed in an
interpreter that has it, given by --e2cnn; without one its times are taken from a table, and the row says so. It is
asked for angular orders up to 3 with at most one power of the Laplacian: 224 elements for C16, of which 160 have order
at most 3 (the rest is cut off later, when a layer is made).
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

REGULAR = [("C16", 0.70), ("D16", 7.7)]
"""Group, and e2cnn's seconds for regular → regular to order 3 on a similar machine."""
QUESTIONS = [
    ("C16", "regular", "regular", 3), ("D16", "regular", "regular", 3), ("I", "regular", "regular", 2),
    ("SO(3)", "irrep(2)", "irrep(2)", 4), ("SO(2)", "vector", "vector", 8), ("D12", "irrep(1,5)", "irrep(1,2)", 8),
    ("Oh", "vector", "vector", 6), ("Ih", "vector", "vector", 4), ("SO(4)", "vector", "vector", 4),
    ("SO(4)", "alt(2, vector)", "alt(2, vector)", 3),
]  # fmt: skip
ORDER, TOP = 8, 4

E2CNN = """
import time, warnings
warnings.filterwarnings("ignore")
from e2cnn import diffops, group
rho = group.{family}(16).regular_representation
start = time.perf_counter()
diffops.{build}(rho, rho, max_power=1, max_frequency=3)
print(time.perf_counter() - start)
"""
FAMILIES = {"C16": ("cyclic_group", "diffops_CN_act_R2"), "D16": ("dihedral_group", "diffops_DN_act_R2")}


def solve(question: tuple[str, str, str, int], method: str) -> float:
    """Seconds to solve and prove one question."""
    import pdobasis

    clear_caches()
    start = time.perf_counter()
    pdobasis.solve(*question[:3], order=question[3], method=method)
    return time.perf_counter() - start


def all_pairs() -> float:
    """All pairs of irreps of O(3) up to l = 4, to order 8, with certificates."""
    import pdobasis

    clear_caches()
    names = [f"{degree}{parity}" for degree in range(TOP + 1) for parity in "eo"]
    start = time.perf_counter()
    for a in names:
        for b in names:
            pdobasis.solve("O(3)", a, b, order=ORDER, method="transfer")
    return time.perf_counter() - start


def e2cnn(python: str, group: str) -> float:
    family, build = FAMILIES[group]
    script = E2CNN.format(family=family, build=build)
    done = subprocess.run([python, "-c", script], capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--e2cnn", metavar="PYTHON", help="an interpreter that has e2cnn 0.2.3")
    options = parser.parse_args()
    jobs: dict[str, Callable[[], float]] = {}
    for question in QUESTIONS:
        for method in ("direct", "transfer"):
            jobs[f"{_text(question)} {method}"] = partial(solve, question, method)
    if options.e2cnn:
        jobs |= {f"e2cnn {group}": partial(e2cnn, options.e2cnn, group) for group, _ in REGULAR}
    jobs["pairs"] = all_pairs
    times = interleaved(jobs, options.rounds)
    report(times, measured=bool(options.e2cnn))


def report(times: dict[str, float], *, measured: bool) -> None:
    print(f"{'question':56} {'direct':>8} {'transfer':>8}   ratio")
    for question in QUESTIONS:
        direct, transfer = (times[f"{_text(question)} {m}"] for m in ("direct", "transfer"))
        print(f"{_text(question):56} {direct:8.3f} {transfer:8.3f}   {direct / transfer:5.2f}")
    print()
    for group, known in REGULAR:
        ours = times[f"{group} regular → regular, order 3 transfer"]
        theirs = times[f"e2cnn {group}"] if measured else known
        source = "same run" if measured else "from a table"
        print(f"{group} regular → regular, order 3: e2cnn {theirs:.2f} s ({source}), transfer with proof {ours:.3f} s: "
              f"{theirs / ours:.1f} times faster (goal 3)")  # fmt: skip
    print(f"O(3), 100 pairs of irreps up to l = {TOP}, order {ORDER}, with proof: {times['pairs']:.2f} s (goal 10)")


def _text(question: tuple[str, str, str, int]) -> str:
    group, a, b, order = question
    return f"{group} {a} → {b}, order {order}"


if __name__ == "__main__":
    main()

"""How a sweep scales: one process and two, and what a million questions would cost.

python -m benchmarks.sweep [--rounds 3]

The questions are those of the crystal classes (all orders), each round in a new store, one and two processes in turn.
Efficiency is the time of one process over twice that of two. The model for a cluster of many cores: answers are written
by the one process that asks, so T = max(total / cores, questions * writing) + the longest question, with the processor
time that writing an answer takes.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

from pdobasis.atlas.answering import answer_all
from pdobasis.atlas.questions import Question, read_questions
from pdobasis.atlas.store import Store
from pdobasis.atlas.sweep import sweep

FILE = Path(__file__).parents[1] / "tables" / "atlas" / "crystal_classes.yaml"


def measure(questions: tuple[Question, ...], jobs: int) -> tuple[float, list[float]]:
    """(seconds of the sweep, seconds of every question)."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(folder)
        start = time.perf_counter()
        sweep(questions, store, jobs=jobs)
        return time.perf_counter() - start, [row.seconds for row in store.rows()]


def writing(questions: tuple[Question, ...]) -> float:
    """Seconds of the processor that the store takes for an answer."""
    answered = answer_all(questions)
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        Store(folder).add(answered)
        return (time.process_time() - start) / len(answered)


def model(mean: float, longest: float, written: float, count: float, cores: int) -> float:
    """Seconds for so many questions.

    >>> model(0.1, 1.0, 0.0005, 1e6, 100), model(0.1, 1.0, 0.0005, 1e6, 1000)
    (1001.0, 501.0)
    """
    return max(count * mean / cores, count * written) + longest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--every", type=int, default=1, help="every K-th question")
    options = parser.parse_args()
    questions = read_questions(FILE)[:: options.every]
    times: dict[int, list[float]] = {1: [], 2: []}
    each: list[float] = []
    for _ in range(options.rounds):
        for jobs in (1, 2):
            seconds, own = measure(questions, jobs)
            times[jobs].append(seconds)
            if jobs == 1:
                each += own
    ratios = [a / (2 * b) for a, b in zip(times[1], times[2], strict=True)]
    print(f"{len(questions)} questions, {options.rounds} rounds")
    for jobs, own_times in times.items():
        print(f"{jobs} processes: {statistics.median(own_times):.1f} s")
    spread = f"{min(ratios):.2f}–{max(ratios):.2f}"
    print(f"efficiency of two: {statistics.median(ratios):.2f} ({spread})")
    mean, longest = float(np.mean(each)), max(each)
    shown = np.quantile(each, [0.5, 0.9, 0.99])
    print(
        f"a question: mean {mean * 1e3:.0f} ms, median {shown[0] * 1e3:.0f}, 90 % {shown[1] * 1e3:.0f}, "
        f"99 % {shown[2] * 1e3:.0f}, longest {longest * 1e3:.0f}"
    )
    written = writing(questions[:100])
    print(f"writing an answer: {written * 1e3:.2f} ms")
    seconds = model(mean, longest, written, 1e6, 1000)
    print(
        f"10^6 such questions on 1000 cores: {seconds:.0f} s ({1e6 * mean / 3600:.1f} core hours); "
        f"more than {mean / written:.0f} cores wait for the one that writes"
    )


if __name__ == "__main__":
    main()

"""How a sweep scales: one process and two, and what a million questions would cost.

python -m benchmarks.sweep [--rounds 3]

The questions are those of the crystal classes (all orders), each round in a new store, one and two processes in turn.
Efficiency is the time of one process over twice that of two: by the clock, which says something on an idle machine
only, and by processor time: on two processors that do nothing else, workers that take w_1 and w_2 and the process that
asks, which takes p, need max(w_1, w_2, (w_1 + w_2 + p) / 2).

The model for a cluster of many cores whose workers see the store, and write their answers themselves: rows are
gathered by the one process that asks, so T = max(total / cores, questions * gathering) + the longest question.
Gathering is the processor time of that process for a question, from the list to the table, measured with workers that
send rows at once. Where workers do not see the store, writing an answer comes on top of it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import pickle
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from pdobasis.atlas.answering import Answered, Row, answer_all
from pdobasis.atlas.questions import Question, read_questions
from pdobasis.atlas.shares import Shares
from pdobasis.atlas.store import Store
from pdobasis.atlas.sweep import Tally, _Sweep, sweep

FILE = Path(__file__).parents[1] / "tables" / "atlas" / "crystal_classes.yaml"


@dataclass(frozen=True, slots=True)
class Measured:
    """Of one sweep: seconds by the clock, processor time on two idle processors, seconds of every question."""

    clock: float
    path: float
    each: list[float]


def measure(questions: tuple[Question, ...], jobs: int) -> Measured:
    workers: dict[int, float] = {}

    def look(tally: Tally) -> None:
        for child in multiprocessing.active_children():
            if child.pid is not None:
                workers[child.pid] = processor_time(child.pid, workers.get(child.pid, 0.0))

    with tempfile.TemporaryDirectory() as folder:
        store = Store(folder)
        start, own = time.perf_counter(), time.process_time()
        sweep(questions, store, jobs=jobs, tell=look)
        clock, parent = time.perf_counter() - start, time.process_time() - own
        rows = store.rows()
    spent = list(workers.values())
    path = max(*spent, 0.0, (sum(spent) + parent) / 2)
    return Measured(clock, path, [row.seconds for row in rows])


def processor_time(pid: int, before: float) -> float:
    """Of another process, on Linux; what was known before where it has gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return before
    # after the name in brackets, which may hold anything: the 12th and 13th are ticks in the program and the system
    fields = text.rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


LEAST = 0.01
"""Seconds of a question that counts: smaller ones travel in batches."""


def writing(answered: list[Answered]) -> float:
    """Seconds of the processor that the store takes for an answer."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        Store(folder).write_answers(answered)
        return (time.process_time() - start) / len(answered)


class Ready:
    """As many workers as you like, who send a row back at once; batches and rows travel as bytes."""

    size = 1000

    def __init__(self, row: Row) -> None:
        self.row = row
        self.batches: dict[int, bytes] = {}
        self.sent = 0

    def submit(self, batch: Sequence[Question], lane: int) -> int:
        rows = [Answered(replace(self.row, key=q.key, group=q.group)) for q in batch]
        self.batches[self.sent] = pickle.dumps(rows)
        self.sent += 1
        return self.sent - 1

    def next(self, waiting: Sequence[Any]) -> list[Any]:
        return list(waiting[: self.size])

    def result(self, future: int) -> list[Answered]:
        found: list[Answered] = pickle.loads(self.batches.pop(future))  # noqa: S301, made above
        return found


def gathering(row: Row, count: int = 50_000) -> float:
    """Seconds of the processor that the process which asks takes for a question whose worker writes the answer.

    Making the rows, which is the workers' part, is counted along: the figure is a little too large.
    """
    asked = [Question(f"C{k % 100}", "trivial", f"irrep({k})") for k in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        store = Store(folder)
        start = time.process_time()
        known = store.keys(with_failed=True)
        shares = Shares(q for q in asked if q.key not in known)
        _Sweep(Ready(row), store, Tally(count), lambda tally: None, shares).run()
        store.compact()
        return (time.process_time() - start) / count


def model(mean: float, longest: float, gathered: float, count: float, cores: int) -> float:
    """Seconds for so many questions.

    >>> model(0.1, 1.0, 0.0005, 1e6, 100), model(0.1, 1.0, 0.0005, 1e6, 1000)
    (1001.0, 501.0)
    """
    return max(count * mean / cores, count * gathered) + longest


def show_efficiency(how: str, times: list[list[float]]) -> None:
    one, two = times
    ratios = [a / (2 * b) for a, b in zip(one, two, strict=True)]
    spread = f"{min(ratios):.2f}–{max(ratios):.2f}"
    print(
        f"{how}: one process {statistics.median(one):.1f} s, two {statistics.median(two):.1f} s, "
        f"efficiency {statistics.median(ratios):.2f} ({spread})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--every", type=int, default=1, help="every K-th question")
    options = parser.parse_args()
    questions = read_questions(FILE)[:: options.every]
    found: dict[int, list[Measured]] = {1: [], 2: []}
    for _ in range(options.rounds):
        for jobs in found:
            found[jobs].append(measure(questions, jobs))
    # where others use the processor too, the clock of a question runs on while it waits
    each = [t * one.path / sum(one.each) for one in found[1] for t in one.each]
    long = sum(seconds >= LEAST for seconds in each)
    share = f"{100 * long / len(each):.0f} % of {LEAST * 1e3:.0f} ms or more"
    print(f"{len(questions)} questions, {options.rounds} rounds; {share}")
    show_efficiency("by the clock", [[m.clock for m in found[jobs]] for jobs in (1, 2)])
    show_efficiency("by processor time", [[m.path for m in found[jobs]] for jobs in (1, 2)])
    mean, longest = float(np.mean(each)), max(each)
    shown = np.quantile(each, [0.5, 0.9, 0.99])
    print(
        f"a question, by processor time: mean {mean * 1e3:.0f} ms, "
        f"median {shown[0] * 1e3:.0f}, 90 % {shown[1] * 1e3:.0f}, "
        f"99 % {shown[2] * 1e3:.0f}, longest {longest * 1e3:.0f}"
    )
    answered = answer_all(questions[:100])
    written, gathered = writing(answered), gathering(answered[0].row)
    print(
        f"the process that asks: {gathered * 1e3:.3f} ms for a row; writing an answer {written * 1e3:.2f} ms, "
        "which is the workers' where they see the store"
    )
    for how, each_row in (("see", gathered), ("do not see", gathered + written)):
        seconds = model(mean, longest, each_row, 1e6, 1000)
        print(
            f"10^6 such questions on 1000 cores that {how} the store: {seconds:.0f} s "
            f"({1e6 * mean / 3600:.1f} core hours); more than {mean / each_row:.0f} cores wait for the one that asks"
        )


if __name__ == "__main__":
    main()

"""Estimates of time and memory beside what was measured, and the constants they are made of.

    python -m benchmarks.estimates            # estimate, measured, ratio of every case
    python -m benchmarks.estimates --refit    # measure questions, and write their constants
    python -m benchmarks.estimates --commands # the other commands: all that they estimate, beside what they take

Seconds are those of the processor, memory is what a process of its own grew by. A case that takes too long is stopped:
then its estimate has to be at least that.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from pdobasis.answer.solve import ask
from pdobasis.bounds import constants
from pdobasis.bounds.estimate import cost
from pdobasis.question.cost import features

PATIENCE = 40
"""Seconds of the processor after which a case is stopped."""
ROOM = 6_000_000_000
"""Bytes of address space that a case may have."""
FLOOR = {"seconds": 0.1, "memory": 20e6}
"""Below this nobody asks, and nothing can be measured."""

Question = tuple[str, str, str, int]


SOLVE: list[Question] = [
    ("trivial(1)", "300xtrivial", "300xtrivial", 2),
    ("trivial(1)", "1000xtrivial", "1000xtrivial", 2),
    ("trivial(2)", "trivial", "trivial", 20),
    ("trivial(3)", "vector", "vector", 8),
    ("trivial(6)", "trivial", "trivial", 5),
    ("trivial(6)", "trivial", "trivial", 6),
    ("trivial(8)", "trivial", "trivial", 4),
    ("trivial(24)", "trivial", "trivial", 2),
    ("trivial(24)", "trivial", "trivial", 3),
    ("C16", "regular", "regular", 3),
    ("C64", "regular", "regular", 2),
    ("C100", "regular", "trivial", 2),
    ("C100", "regular", "regular", 1),
    ("C200", "regular", "trivial", 2),
    ("C200", "regular", "regular", 0),
    ("C400", "regular", "trivial", 1),
    ("C400", "regular", "regular", 0),
    ("D50", "regular", "trivial", 2),
    ("D100", "regular", "trivial", 2),
    ("D200", "regular", "trivial", 2),
    ("D16", "regular", "regular", 2),
    ("D8", "regular", "regular", 6),
    ("C31", "vector", "vector", 2),
    ("C61", "vector", "vector", 2),
    ("C97", "vector", "vector", 2),
    ("C199", "vector", "vector", 2),
    ("D31", "vector", "vector", 4),
    ("SO(2)", "vector", "vector", 20),
    ("O(2)", "irrep(1,3)", "vector", 30),
    ("O(3)", "vector", "vector", 8),
    ("O(3)", "vector", "vector", 16),
    ("O(3)", "vector", "vector", 24),
    ("O(3)", "vector", "vector", 32),
    ("SO(3)", "vector", "vector", 24),
    ("SO(3)", "irrep(2)", "irrep(2)", 32),
    ("O(3)", "4e", "4e", 16),
    ("O(3)", "4e", "4e", 24),
    ("SO(3)", "sym(3,vector)", "vector", 4),
    ("SO(3)", "sym(5,vector)", "vector", 4),
    ("SO(3)", "sym(7,vector)", "vector", 4),
    ("SO(3)", "tensor(vector,vector)", "vector", 8),
    ("Oh", "regular", "regular", 2),
    ("Oh", "vector", "vector", 10),
    ("Ih", "vector", "vector", 8),
    ("Ih", "regular", "trivial", 4),
    ("SL(2)", "sym(6,vector)", "sym(6,vector)", 6),
    ("SL(3)", "vector", "vector", 8),
    ("SO(1,3)", "vector", "vector", 4),
    ("GL(3)", "tensor(vector,vector)", "tensor(vector,vector)", 4),
    ("SO(4)", "vector", "vector", 8),
    ("SO(5)", "vector", "vector", 5),
]
NAMED: list[Question] = [
    ("trivial(1)", "3000xtrivial", "3000xtrivial", 2),
    ("trivial(24)", "trivial", "trivial", 4),
    ("trivial(6)", "trivial", "trivial", 8),
    ("C1000", "regular", "trivial", 2),
    ("C1000", "regular", "regular", 0),
    ("D500", "regular", "trivial", 2),
    ("C997", "vector", "vector", 2),
    ("O(3)", "vector", "vector", 64),
    ("SO(3)", "sym(10,vector)", "vector", 4),
]
"""Of the issue: tried too, to see that they are refused or fast."""

LISTED = [
    "solve -g trivial(1) --in 3000xtrivial --out 3000xtrivial",
    "solve -g trivial(1) --in 100000xtrivial --out 100000xtrivial",
    "solve -g trivial(24) --in trivial --out trivial --order 3",
    "solve -g trivial(24) --in trivial --out trivial --order 4",
    "solve -g trivial(6) --in trivial --out trivial --order 8",
    "solve -g C1000 --in regular --out trivial",
    "solve -g C1000 --in regular --out regular --order 0",
    "solve -g D500 --in regular --out trivial",
    "solve -g C997 --in vector --out vector",
    "solve -g O(3) --in vector --out vector --order 64",
    "solve -g SO(3) --in sym(10,vector) --out vector --order 4",
    "groups D5000",
    "groups C500",
    "reps --group D1000",
    "reps --group D255h",
    "reps --group C500",
    "export -g trivial(3) --in trivial --out trivial --stencil gauss --size 60 -o a.npz",
    "export -g trivial(3) --in trivial --out trivial --stencil gauss --size 100 -o a.npz",
    "export -g trivial(3) --in trivial --out trivial --stencil gauss --size 180 -o a.npz",
    "export -g trivial(2) --in 8xtrivial --out 8xtrivial --size 15 -o a.json",
    "export -g trivial(2) --in 8xtrivial --out 8xtrivial --size 30 -o a.json",
    "export -g trivial(2) --in 8xtrivial --out 8xtrivial --size 50 -o a.json",
    "plot -g D4 --in regular --out regular --order 2 --show 12 --entries 16 -o a.png",
    "plot -g D8 --in regular --out regular --order 3 --show 30 --entries 16 -o a.png",
    "plot -g D8 --in regular --out regular --order 3 --show 100 --entries 64 -o a.png",
    "report -g D4 --in regular --out regular --order 3 --size 31 --show 100000 -o a.html",
    "report -g C8 --in regular --out regular --order 3 --size 31 --show 100000 -o a.html",
    "table -g D24",
    "table -g D88",
    "table -g D88 --counts",
    "table -g O(3) --limit 24 --order 12 --counts",
    'layer "C4", "1500xtrivial", "1500xtrivial"',
    'layer "C4", "5000xtrivial", "5000xtrivial"',
]
"""Of the issue, as they stand there, and smaller where they are refused; what is not measured is refused."""
COMMANDS = [
    "export -g C4 --in trivial --out vector --stencil rbffd --size 21 -o a.npz",
    "table -g D12",
    "terms -g O(2) --field u=vector --field p=trivial --out vector --degree 3 --max-total 2",
    "terms -g SO(3) --field Q=2e --out trivial --degree 3 --derivatives 1",
    "terms -g O(2) --field p=trivial --out trivial --degree 24 --max-total 2",
    "terms -g O(3) --field u=vector --out vector --degree 4 --max-total 5",
    "terms -g O(3) --field u=vector --out vector --degree 5 --max-total 4",
    "terms -g Ih --field u=vector --out vector --degree 3 --max-total 2",
    "terms -g GL(8) --field u=vector --out vector --degree 1",
    "discover data.npz -g O(2) --field p=trivial --degree 3",
    "discover data.npz -g O(2) --field p=trivial --degree 24",
    "discover data.npz -g O(2) --field u=vector --degree 5",
    "solve -g trivial(1) --in 1000xtrivial --out 1000xtrivial -o a.json",
    "solve -g Oh --in vector --out vector --all-orders",
    "solve -g Ih --in vector --out vector --all-orders",
    "solve -g D21 --in irrep(1,1) --out irrep(1,1) --all-orders",
    "solve -g D48 --in irrep(1,1) --out irrep(1,1) --all-orders",
    "solve -g D64 --in irrep(1,1) --out irrep(1,1) --all-orders",
    "solve -g D45 --in trivial --out trivial --all-orders",
    "solve -g C20h --in trivial --out trivial --all-orders",
    "solve -g C25h --in trivial --out trivial --all-orders",
    "solve -g D16 --in irrep(1,1) --out irrep(1,1) --order 40",
    "solve -g C24h --in trivial --out trivial --all-orders",
    "solve -g Td --in regular --out regular --all-orders",
    "solve -g D8h --in regular --out regular --all-orders",
    "solve -g D4 --in regular --out regular --order 6 -o a.json",
    "check -g O(3) --in vector --out vector --operator d1**2,d1*d2,d1*d3;d1*d2,d2**2,d2*d3;d1*d3,d2*d3,d3**2",
    "complex -g SO(3) --field trivial --field vector --field vector --field trivial",
    "error -g D4 --in regular --out regular --stencil gauss --size 7",
    'layer "D8", "32xregular", "32xregular"',
    'layer "SO(2)", "64xvector", "64xvector"',
]
"""The others, as large as they can be measured in a moment."""
COMMAND = """
import json, os, resource, sys, time
from click.testing import CliRunner
import pdobasis, numpy, scipy.linalg
from pdobasis.bounds import estimate
from pdobasis.bounds.memory import resident
from pdobasis_cli import main
resource.setrlimit(resource.RLIMIT_CPU, ({patience}, {patience} + 5))
resource.setrlimit(resource.RLIMIT_AS, ({room}, {room}))
told = {{}}

def noted(self, what, less):
    # a table asks one question after the other, which its own estimate counts: each kind of work counts once
    kind = what.split()[0]
    seconds, memory = told.get(kind, (0.0, 0.0))
    told[kind] = (max(seconds, self.seconds), max(memory, self.memory))
    print(json.dumps(expected()), file=sys.__stdout__, flush=True)
    if self.seconds > {patience} or self.memory > {room}:
        sys.exit("not tried")

def expected():
    return [sum(t[0] for t in told.values()), max([t[1] for t in told.values()], default=0)]

estimate.Estimate.require = noted
line = {line!r}
is_layer = line.startswith("layer ")
if is_layer:
    from pdobasis.nn import PDOConv2d
else:
    arguments = line.split()
    main.get_command(None, arguments[0])
before, start = resident(), time.process_time()
if is_layer:
    with pdobasis.budget(1e9, 1e12):
        PDOConv2d(*json.loads("[" + line.removeprefix("layer ") + "]"))
else:
    done = CliRunner().invoke(main, [*arguments, "--max-seconds", "1e9", "--max-memory", "1TB"])
    if done.exit_code:
        sys.exit(done.output[-300:])
seconds = time.process_time() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps([*expected(), seconds, max(0, peak - before)]))
"""

WORKER = """
import json, resource, sys, time
resource.setrlimit(resource.RLIMIT_CPU, ({patience}, {patience} + 5))
resource.setrlimit(resource.RLIMIT_AS, ({room}, {room}))
import pdobasis, pdobasis.files.json_file
from pdobasis.answer.solve import ask, solve_problem
from pdobasis.bounds.memory import resident
from pdobasis.bounds.watch import budget
before, start = resident(), time.process_time()
with budget(1e9, 1e15):
    {work}
seconds = time.process_time() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps([seconds, max(0, peak - before)]))
"""


def measure(work: str) -> tuple[float, float] | None:
    """(seconds of the processor, bytes); None where it was stopped."""
    program = WORKER.format(work=work, patience=PATIENCE, room=ROOM)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    if done.returncode:
        return None
    seconds, memory = json.loads(done.stdout.splitlines()[-1])
    return float(seconds), float(memory)


def report_commands(lines: list[str]) -> None:
    """All estimates that a command makes (of the question, of sampling, of the file, …) beside what it takes."""
    print("command | estimate s | measured s | ratio | estimate MB | measured MB | ratio")
    for line in lines:
        program = COMMAND.format(line=line, patience=PATIENCE, room=ROOM)
        with tempfile.TemporaryDirectory() as folder:
            record(Path(folder) / "data.npz")
            done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=folder)
        told, room, *measured = json.loads(done.stdout.splitlines()[-1]) if done.stdout else (0.0, 0.0)
        if done.returncode or not measured:
            why = done.stderr.strip()[-100:] or f"stopped at {PATIENCE} s or {ROOM / 1e9:.0f} GB"
            print(f"{line} | {told:.2f} | {why} | | {room / 1e6:.0f} | |", flush=True)
            continue
        seconds, memory = measured
        print(
            f"{line} | {told:.2f} | {seconds:.2f} | {ratio(told, seconds, FLOOR['seconds']):.2f} "
            f"| {room / 1e6:.0f} | {memory / 1e6:.0f} | {ratio(room, memory, FLOOR['memory']):.2f}",
            flush=True,
        )


def record(path: Path) -> None:
    """Fields that decay, for discoveries."""
    t, x = np.linspace(0, 1, 24), np.linspace(0, 2 * np.pi, 32, endpoint=False)
    waves = np.stack([np.sin(x + x[:, None]), np.cos(x) + 0 * x[:, None]])
    falling = np.exp(-t)[:, None, None, None]
    np.savez(path, u=falling * waves, p=falling**2 * (np.sin(x) + np.cos(x[:, None])), t=t, x1=x, x2=x)


def solving(question: Question) -> str:
    return f"solve_problem(ask(*{question!r}), max_unknowns=10**12)"


def fit(rows: list[dict[str, float]], values: list[float], floor: float) -> dict[str, float]:
    """Constants that are not negative, for the least relative errors."""
    from scipy.optimize import nnls

    names = sorted({name for row in rows for name in row})
    table = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    wanted = np.maximum(values, floor)
    scale = table.max(axis=0)
    scale[scale == 0] = 1.0
    weights = 1.0 / wanted
    # a few rounds: relative to the mean of what was measured and what is estimated, so that neither is far below
    found = np.zeros(len(names))
    for _ in range(30):
        found, _ = nnls(table / scale * weights[:, None], wanted * weights)
        estimated = np.maximum(table / scale @ found, floor)
        weights = 1.0 / np.sqrt(wanted * estimated)
    constants = found / scale
    return {name: float(f"{c:.3g}") for name, c in zip(names, constants, strict=True) if c > 0}


STOPPED = 2
"""Times PATIENCE: what a question that was stopped is taken to need, when constants are fitted."""


def refit(measured: dict[Question, tuple[float, float]]) -> None:
    rows = [features(ask(*question)) for question in measured]
    found = {
        "seconds": fit(rows, [m[0] for m in measured.values()], FLOOR["seconds"]),
        "memory": fit(rows, [m[1] for m in measured.values()], FLOOR["memory"]),
    }
    file = Path(constants.__file__)
    head, _, _ = file.read_text().partition(" = ")
    # names and numbers are written in Python as in JSON
    file.write_text(f"{head} = {json.dumps({**constants.CONSTANTS, 'solve': found}, indent=4)}\n")


def ratio(estimated: float, measured: float, floor: float) -> float:
    return max(estimated, floor) / max(measured, floor)


def report(questions: list[Question], measured: dict[Question, tuple[float, float]]) -> None:
    print("question | estimate s | measured s | ratio | estimate MB | measured MB | ratio")
    for question in questions:
        estimate = cost("solve", features(ask(*question)))
        own = measured.get(question)
        text = f"{' '.join(map(str, question))} | {estimate.seconds:.2f} |"
        if own is None:
            print(f"{text} stopped at {PATIENCE} s or {ROOM / 1e9:.0f} GB | | {estimate.memory / 1e6:.0f} | |")
            continue
        seconds = ratio(estimate.seconds, own[0], FLOOR["seconds"])
        memory = ratio(estimate.memory, own[1], FLOOR["memory"])
        print(f"{text} {own[0]:.2f} | {seconds:.2f} | {estimate.memory / 1e6:.0f} | {own[1] / 1e6:.0f} | {memory:.2f}")


def measured_again(questions: list[Question], kept: Path | None) -> dict[Question, tuple[float, float]]:
    """Of every question that was not stopped; ``kept`` remembers from one run to the next."""
    known: dict[str, list[float] | None] = {}
    if kept is not None and kept.exists():
        known = json.loads(kept.read_text())
    measured: dict[Question, tuple[float, float]] = {}
    for question in questions:
        key = " ; ".join(map(str, question))
        if key not in known:
            own = measure(solving(question))
            known[key] = own and list(own)
            print(key, known[key], file=sys.stderr, flush=True)
            if kept is not None:
                kept.write_text(json.dumps(known, indent=1))
        found = known[key]
        if found is not None:
            measured[question] = (found[0], found[1])
    return measured


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--refit", action="store_true", help="write the constants")
    parser.add_argument("--kept", type=Path, help="a file to keep measurements in, and to take them from")
    parser.add_argument(
        "--commands", action="store_true", help="commands and layers: the list of the issue, and others"
    )
    parser.add_argument("--only", default="", help="commands that begin so")
    arguments = parser.parse_args()
    if arguments.commands:
        report_commands([c for c in (*LISTED, *COMMANDS) if c.startswith(arguments.only)])
        return
    questions = [*SOLVE, *NAMED]
    measured = measured_again(questions, arguments.kept)
    if arguments.refit:
        refit(measured)
    report(questions, measured)


if __name__ == "__main__":
    main()

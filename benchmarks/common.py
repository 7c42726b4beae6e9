"""What all benchmarks share: peers' environments, workers, interleaved rounds, ratios, tables, pages."""

from __future__ import annotations

import json
import math
import os
import select
import statistics
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
TORCH = "torch==2.13.0"
ENVIRONMENTS: dict[str, tuple[tuple[str, ...], ...]] = {
    "e2cnn": ((TORCH,), ("e2cnn",), ("treverhines-rbf",)),  # the last for its Gaussian and RBF-FD stencils
    "emlp": (("emlp", "six"),),  # six: needed by objax, which does not say so
    "rbf": (("treverhines-rbf",),),
}
"""For each peer, the calls of pip that make its environment, one tuple of packages each."""
SLOW = 20.0
"""Seconds after which a job is measured fewer times (the tables say how often)."""

Answer = dict[str, Any]


class PeerError(Exception):
    """A peer that could not be installed, started, or asked."""


def environment(peer: str, cache: Path) -> Path:
    """The interpreter of the peer's own environment, made on first use by ordinary pip."""
    folder = cache / peer
    python, stamp, log = folder / "bin" / "python", folder / "complete", cache / f"{peer}.log"
    if stamp.exists():
        return python
    print(f"making the environment of {peer} (once)", file=sys.stderr)
    venv.create(folder, with_pip=True, clear=True)
    for packages in ENVIRONMENTS[peer]:
        done = subprocess.run([python, "-m", "pip", "install", *packages], capture_output=True, text=True)
        with log.open("a") as file:
            file.write(done.stdout + done.stderr)
        if done.returncode and not (peer == "e2cnn" and packages == ENVIRONMENTS["rbf"][0]):  # it does without
            errors = [line for line in done.stderr.splitlines() if "rror" in line]
            raise PeerError(f"pip install {' '.join(packages)}: {(errors or ['failed'])[-1].strip()[:300]}")
    stamp.touch()
    return python


class Worker:
    """A warm process that answers requests one by one."""

    def __init__(
        self, python: Path | str, script: Path, start_limit: float = 300, *, threads: int | None = None
    ) -> None:
        self.command = [str(python), str(script)]
        self.versions: dict[str, str] = {}
        self._start_limit = start_limit
        self._environment = worker_environment(threads)
        self._log = open(os.devnull, "w")  # noqa: SIM115
        self._process: subprocess.Popen[bytes] | None = None
        self._start()

    def ask(self, job: str, limit: float = 600, **arguments: Any) -> Answer:
        if self._process is None:
            self._start()
        process = self._process
        if process is None or process.stdin is None:
            raise PeerError("the worker has no input")
        process.stdin.write((json.dumps({"job": job, "arguments": arguments}) + "\n").encode())
        process.stdin.flush()
        return self._read(limit)

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
            self._rest = b""

    def _start(self) -> None:
        self._process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, env=self._environment
        )
        self._rest = b""
        self.versions = self._read(self._start_limit).get("versions", {})

    def _read(self, limit: float) -> Answer:
        process = self._process
        if process is None or process.stdout is None:
            raise PeerError("the worker is not running")
        end = time.monotonic() + limit
        while b"\n" not in self._rest:
            ready, _, _ = select.select([process.stdout], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                self.close()
                return {"error": f"stopped after {limit:.0f} s", "limit": limit}
            piece = os.read(process.stdout.fileno(), 1 << 16)
            if not piece:
                code = process.wait()
                self.close()
                return {"error": f"the process ended with code {code}"}
            self._rest += piece
        line, self._rest = self._rest.split(b"\n", 1)
        answer: Answer = json.loads(line)
        return answer


Job = Callable[[], Answer]


def interleaved(jobs: dict[Any, Job], rounds: int, title: str = "") -> dict[Any, list[Answer]]:
    """In every round all jobs, one after the other; a job that fails or is slow is not asked as often."""
    answers: dict[Any, list[Answer]] = {key: [] for key in jobs}
    if not sys.stderr.isatty():
        print(title, file=sys.stderr, flush=True)
    for number in range(rounds):
        for key, job in jobs.items():
            earlier = answers[key]
            if earlier and ("error" in earlier[-1] or spent(earlier) > SLOW):
                continue
            if sys.stderr.isatty():
                print(f"\r\033[K{title} round {number + 1}/{rounds}: {key}", end="", file=sys.stderr, flush=True)
            answers[key].append(job())
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    return answers


def spent(answers: Sequence[Answer]) -> float:
    return float(sum(a.get("seconds", 0.0) for a in answers))


@dataclass(frozen=True)
class Ratio:
    """How many times longer one thing takes than another: per round, then the median and quartiles."""

    median: float
    low: float
    high: float
    rounds: int

    def __str__(self) -> str:
        spread = f" ({number(self.low)}–{number(self.high)})" if self.rounds > 1 else ""
        return f"{number(self.median)}{spread}" + (f", n = {self.rounds}" if self.rounds < 5 else "")


def ratio(slower: Sequence[Answer], faster: Sequence[Answer], key: str = "seconds") -> Ratio | None:
    """Round by round; a job that was measured less often is compared in the rounds that it has."""
    values = sorted(a[key] / b[key] for a, b in zip(slower, faster, strict=False) if key in a and key in b)
    if not values:
        return None
    low, high = quartiles(values)
    return Ratio(statistics.median(values), low, high, len(values))


def quartiles(values: Sequence[float]) -> tuple[float, float]:
    if len(values) < 2:
        return values[0], values[0]
    cuts = statistics.quantiles(values, n=4, method="inclusive")
    return cuts[0], cuts[2]


def median(answers: Sequence[Answer], key: str = "seconds") -> float | None:
    values = [a[key] for a in answers if key in a]
    return statistics.median(values) if values else None


def failure(answers: Sequence[Answer]) -> str | None:
    return next((a["error"] for a in answers if "error" in a), None)


def number(value: float) -> str:
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    digits = max(0, 1 - math.floor(math.log10(abs(value)) + 1e-9))
    return f"{value:,.{digits}f}"


def seconds(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{number(value * 1000)} ms" if value < 1 else f"{number(value)} s"


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """The slope of log(value) against log(size)."""
    x, y = [math.log(s) for s in sizes], [math.log(v) for v in values]
    mean_x, mean_y = statistics.mean(x), statistics.mean(y)
    over = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    under = sum((a - mean_x) ** 2 for a in x)
    return over / under if under else math.nan


@dataclass
class Goal:
    """One goal, its figure, and whether it is met (None: it could not be measured)."""

    text: str
    figure: str
    met: bool | None

    def row(self) -> list[str]:
        return [self.text, self.figure, {True: "met", False: "**missed**", None: "not measured"}[self.met]]


@dataclass
class Section:
    """One part of the page."""

    title: str
    paragraphs: list[str] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)

    def add(self, text: str) -> None:
        self.paragraphs.append(text)

    def table(self, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        self.add(table(head, rows))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


@dataclass
class Context:
    """What a part needs: rounds, sizes, and the peers, each started when it is first asked for."""

    rounds: int = 5
    quick: bool = False
    cache: Path = HERE / ".peers"
    plots: Path = ROOT / "docs" / "benchmarks"
    use_peers: bool = True
    threads: int = 2
    cpu_time: bool = False
    seed: int = 17
    versions: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    _workers: dict[tuple[str, int | None], Worker] = field(default_factory=dict)

    def worker(self, name: str, environment_of: str | None = None, *, threads: int | None = None) -> Worker | None:
        """The warm worker ``peers/<name>_worker.py``; None, with the message kept, where it does not come up.

        ``threads`` of BLAS: where processor time is measured, several would be counted while they wait for work.
        """
        key = name, threads
        if key in self._workers:
            return self._workers[key]
        if name in self.missing or (environment_of and not self.use_peers):
            return None
        try:
            python = environment(environment_of, self.cache) if environment_of else Path(sys.executable)
            worker = Worker(python, HERE / "peers" / f"{name}_worker.py", threads=threads)
        except (PeerError, OSError, subprocess.SubprocessError) as error:
            self.missing[name] = str(error)
            return None
        if not worker.versions:
            self.missing[name] = "it does not start: " + start_message(python, HERE / "peers" / f"{name}_worker.py")
            return None
        self.versions |= worker.versions
        self._workers[key] = worker
        return worker

    def close(self) -> None:
        for worker in self._workers.values():
            worker.close()
        self._workers.clear()


def worker_environment(threads: int | None = None) -> dict[str, str]:
    """With the checkout on the path: a worker imports the protocol, and ours the library."""
    own = {**os.environ, "PYTHONPATH": os.pathsep.join(str(p) for p in (ROOT, ROOT / "cli", ROOT / "tables"))}
    if threads is not None:
        own["OPENBLAS_NUM_THREADS"] = str(threads)
    return own


def start_message(python: Path, script: Path) -> str:
    done = subprocess.run(
        [python, script],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        env=worker_environment(),
    )
    return (done.stderr.strip().splitlines() or ["no message"])[-1][:300]

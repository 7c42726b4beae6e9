"""Training: one run, and many of them side by side, each one line of JSON when it is finished."""

from __future__ import annotations

import json
import math
import multiprocessing
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path

import torch
from torch import Tensor, nn

from benchmarks.common import ROOT
from benchmarks.training.data import Digits, digits
from benchmarks.training.networks import network
from benchmarks.training.setting import Setting

AT_ONCE = 500
"""Images in one step of a test."""
Source = Callable[[Setting], Digits]


@dataclass(frozen=True, slots=True)
class Run:
    """A setting, and what came out: the share of wrong answers and the mean cross-entropy on the test images.

    ``revision`` is the last change of the library.
    """

    setting: Setting
    error: float
    loss: float | None
    parameters: int
    seconds: float
    revision: str

    @property
    def line(self) -> str:
        """As JSON; a loss that is no number is null."""
        found = asdict(self)
        return json.dumps(found.pop("setting") | found)

    @classmethod
    def from_line(cls, line: str) -> Run:
        values = json.loads(line)
        setting = Setting(**{f.name: values.pop(f.name) for f in fields(Setting)})
        return cls(setting, **values)


def run(setting: Setting, source: Source = digits) -> Run:
    """Train the network of the setting, and test it; the seconds are those of the processor."""
    start = time.process_time()
    data = source(setting)
    torch.manual_seed(setting.seed)
    model = network(setting)
    fit(model, data.x, data.y, setting)
    error, loss = tested(model, data.x_test, data.y_test)
    parameters = sum(p.numel() for p in model.parameters())
    # Four digits: lines stay short, and no difference that means anything is lost.
    shown = round(loss, 4) if math.isfinite(loss) else None
    seconds = round(time.process_time() - start, 1)
    return Run(setting, round(error, 5), shown, parameters, seconds, revision())


@cache
def revision() -> str:
    """The last commit that changed the library; none outside of a repository."""
    command = ["git", "log", "-1", "--format=%h", "--", "pdobasis"]
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def fit(model: nn.Module, x: Tensor, y: Tensor, setting: Setting) -> None:
    """Adam, one cycle of rates, as in the example; every model sees the same batches, the last short one dropped."""
    order = torch.Generator().manual_seed(setting.seed)
    steps = len(x) // setting.batch
    optimiser = torch.optim.Adam(model.parameters(), setting.rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, setting.rate, total_steps=setting.epochs * steps)
    model.train()
    for _ in range(setting.epochs):
        shuffled = torch.randperm(len(x), generator=order)
        for part in shuffled[: steps * setting.batch].view(steps, setting.batch):
            loss = nn.functional.cross_entropy(model(x[part]), y[part])
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()


@torch.no_grad()
def tested(model: nn.Module, x: Tensor, y: Tensor) -> tuple[float, float]:
    """(share of wrong answers, mean cross-entropy)."""
    model.eval()
    scores = torch.cat([model(part) for part in x.split(AT_ONCE)])  # type: ignore[no-untyped-call]
    wrong = (scores.argmax(1) != y).float().mean()
    return float(wrong), float(nn.functional.cross_entropy(scores, y))


def sweep(settings: Sequence[Setting], results: Path, jobs: int = 2, source: Source = digits) -> Iterator[Run]:
    """The runs that are not in the file yet, as they finish; each is in the file before it is given back."""
    done = {finished.setting for finished in read(results)}
    missing = [setting for setting in settings if setting not in done]
    with _complete_lines(results).open("a") as file:
        for finished in _finished(missing, jobs, source):
            file.write(finished.line + "\n")
            file.flush()
            yield finished


def read(results: Path) -> list[Run]:
    """The finished runs of a file; what was cut off in the middle of a line is none."""
    if not results.exists():
        return []
    lines = results.read_text().splitlines(keepends=True)
    return [Run.from_line(line) for line in lines if line.endswith("\n")]


def _finished(settings: Sequence[Setting], jobs: int, source: Source) -> Iterator[Run]:
    if jobs == 1 or len(settings) < 2:
        yield from (run(setting, source) for setting in settings)
        return
    # One thread each: on images this small a second thread costs more than it gives. Spawned, as torch asks for: a
    # fork would copy its threads' locks.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        waiting = [pool.submit(run, setting, source) for setting in settings]
        try:
            for future in as_completed(waiting):
                yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _complete_lines(results: Path) -> Path:
    """The file without what was cut off at its end, so that the next line starts a line."""
    results.parent.mkdir(parents=True, exist_ok=True)
    results.touch()
    text = results.read_bytes()
    if not text.endswith(b"\n"):
        results.write_bytes(text[: text.rfind(b"\n") + 1])
    return results

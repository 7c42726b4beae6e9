"""What is shown while runs are made: bars on a terminal, a line for each run that is finished."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import click
from rich.console import Console
from rich.progress import BarColumn, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

from experiments.training.folder import Line
from experiments.training.many import Job, Progress

COLUMNS = ("{task.description}", "{task.fields[loss]}")
LOOK_EVERY = 20
"""Steps between two looks at what was measured last: it changes once an epoch at most."""


@dataclass(slots=True)
class Display:
    """One bar for every run under way, one for all."""

    bars: Bars
    all_steps: TaskID
    own: dict[str, TaskID] = field(default_factory=dict)
    done: dict[str, int] = field(default_factory=dict)
    looked: dict[str, int] = field(default_factory=dict)
    measured: dict[str, str] = field(default_factory=dict)
    speaks: bool = True

    def tell(self, progress: Progress) -> None:
        job = progress.job
        if progress.result is not None:
            self._finish(job, progress.result)
        elif progress.done:
            self._move(job, progress)

    def _move(self, job: Job, progress: Progress) -> None:
        if job.name not in self.own:
            self.own[job.name] = self.bars.add_task(job.name, total=job.steps, loss="")
        if not self.bars.disable and progress.done >= self.looked.get(job.name, 0) + LOOK_EVERY:
            self.looked[job.name], self.measured[job.name] = progress.done, progress.measured
        loss = "" if progress.loss is None else f"loss {progress.loss:.3f} {self.measured.get(job.name, '')}"
        self.bars.update(self.own[job.name], completed=progress.done, loss=loss.rstrip())
        self.done[job.name] = progress.done
        self.bars.update(self.all_steps, completed=sum(self.done.values()))

    def _finish(self, job: Job, result: Line) -> None:
        if job.name in self.own:
            self.bars.remove_task(self.own.pop(job.name))
        self.done[job.name] = job.steps
        self.bars.update(self.all_steps, completed=sum(self.done.values()))
        if self.speaks:
            measured = ", ".join(
                f"{name} {value:.4g}" for name, value in result["measures"].items() if value is not None
            )
            click.echo(f"{job.name}: {measured}; {result['parameters']:,} parameters, {result['seconds']:.0f} s")


@contextmanager
def show(found: Sequence[Job], speaks: bool) -> Iterator[Display]:
    """On a terminal alone; results go to stdout in any case, from the first process."""
    console = Console(stderr=True)
    text = [TextColumn(column) for column in COLUMNS]
    columns = (text[0], BarColumn(), text[1], TimeElapsedColumn(), TimeRemainingColumn())
    with Bars(*columns, console=console, disable=not (speaks and console.is_terminal)) as bars:
        total = sum(job.steps for job in found)
        yield Display(bars, bars.add_task("all runs", total=total, loss=""), speaks=speaks)

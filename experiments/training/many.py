"""Several runs: one after the other, or side by side in processes of one thread; all of a list, or a share of it."""

from __future__ import annotations

import json
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

import torch

from experiments.errors import ExperimentError
from experiments.settings.values import Config
from experiments.training.fit import Notice, run
from experiments.training.folder import ALWAYS, Folder, Line, folder_of, write_json
from experiments.training.parallel import World

LOOK = 0.5
"""Seconds between two looks at runs in other processes."""
TELL_EVERY = 5
"""Steps between two notes of a run on how far it is."""


@dataclass(frozen=True, slots=True)
class Job:
    config: Config
    seed: int
    folder: Folder

    @property
    def name(self) -> str:
        return f"{self.config.table}/{self.config.name} {self.config.scale} seed {self.seed}"

    @property
    def steps(self) -> int:
        """Of all epochs."""
        training = self.config.training
        return training.epochs * max(1, self.config.data.train // training.batch)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: ``result`` once it is finished."""

    job: Job
    done: int
    loss: float | None
    result: Line | None = None

    @property
    def measured(self) -> str:
        """The first measure of the last epoch that was tested, such as "error 12.3"; reads the folder."""
        for line in reversed(self.job.folder.lines):
            for name, value in line.items():
                if name not in ALWAYS and value is not None:
                    return f"{name} {value:.3g}"
        return ""


def jobs(configs: Sequence[Config], seeds: Sequence[int], runs: Path) -> list[Job]:
    """Seed after seed: a list that is stopped has run all rows about equally often."""
    return [Job(config, seed, folder_of(runs, config, seed)) for seed in seeds for config in configs]


def share(all_jobs: Sequence[Job], text: str) -> list[Job]:
    """Part i of n, as an array of jobs on a cluster asks for: "0/4", "1/4", …"""
    first, _, second = text.partition("/")
    if not (first.isdigit() and second.isdigit() and int(first) < int(second)):
        raise ExperimentError(f"--shard is i/n with 0 <= i < n, such as 0/4, got {text!r}")
    return list(all_jobs[int(first) :: int(second)])


def one_by_one(
    found: Sequence[Job], cache: Path, world: World, tell: Callable[[Progress], None] = lambda progress: None
) -> Iterator[Progress]:
    """In this process, or in all that torchrun started; alone with one thread, so that the numbers are those of runs
    side by side: sums in several threads are rounded otherwise.
    """
    if world.size == 1:
        torch.set_num_threads(1)
    for job in found:
        # Only the first takes the lock: the others belong to it.
        if world.is_first:
            with job.folder.alone():
                result = run(job.config, job.seed, job.folder, cache, world, _telling(job, tell))
        else:
            result = run(job.config, job.seed, job.folder, cache, world)
        yield Progress(job, job.steps, None, result)


def side_by_side(found: Sequence[Job], cache: Path, processes: int) -> Iterator[Progress]:
    """Each in a process of its own; how far they are is read from their folders."""
    # Spawned, as torch asks for: a fork would copy its threads' locks.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        waiting: dict[Future[Line], Job] = {pool.submit(_alone, job, cache, os.getpid()): job for job in found}
        try:
            while waiting:
                done, _ = wait(waiting, LOOK, FIRST_COMPLETED)
                yield from (Progress(job, *_seen(job)) for job in waiting.values() if job.folder.path.exists())
                for future in done:
                    job = waiting.pop(future)
                    yield Progress(job, job.steps, None, future.result())
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _alone(job: Job, cache: Path, parent: int) -> Line:
    note = job.folder.path / "progress.json"

    def tell(done: int, total: int, loss: float) -> None:
        # If the command that started us is gone, so are we: the checkpoint stays.
        if os.getppid() != parent:
            raise SystemExit(1)
        if done % TELL_EVERY == 0:
            write_json(note, {"done": done, "loss": loss})

    with job.folder.alone():
        result = run(job.config, job.seed, job.folder, cache, None, tell)
    note.unlink(missing_ok=True)
    return result


def _seen(job: Job) -> tuple[int, float | None]:
    try:
        found = json.loads((job.folder.path / "progress.json").read_text())
    except (OSError, json.JSONDecodeError):
        return 0, None
    return found["done"], found["loss"]


def _telling(job: Job, tell: Callable[[Progress], None]) -> Notice:
    return lambda done, total, loss: tell(Progress(job, done, loss))

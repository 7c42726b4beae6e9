"""Answer a list of questions side by side, and go on where it stopped.

Questions travel in batches, so that small ones do not pay for the journey: batches start with one question and grow
until one takes about a quarter of a second. A worker that dies takes its batch with it; the batch is tried again
question by question, and a question that has killed a worker three times becomes a row with that message.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import forkserver
from typing import Any, Protocol

from pdobasis.atlas.answering import Answered, answer_all, failed
from pdobasis.atlas.questions import Question
from pdobasis.atlas.store import Store
from pdobasis.errors import MissingExtraError, SpecError

GOAL = 0.25
"""Seconds that a batch should take."""
LARGEST = 256
"""Questions of a batch."""
KILLS = 3
"""Workers that a question may take with it."""
AHEAD = 2
"""Batches for each worker that are under way."""
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
MOMENT = 0.5
"""Seconds between two looks at workers of which none is finished."""
SAVED_EVERY = 500
"""Answers that are kept back at most before they are written."""


@dataclass(slots=True)
class Tally:
    """How far a sweep is."""

    total: int
    known: int = 0
    done: int = 0
    failed: int = 0
    running: int = 0
    now: tuple[Question, ...] = ()
    """The question that each worker is at, or the first of its batch; the longest under way comes first."""
    busy: float = 0.0
    """Seconds that questions took in their workers."""

    @property
    def left(self) -> int:
        return self.total - self.known - self.done - self.failed


Tell = Callable[[Tally], None]


class Workers(Protocol):
    """Who answers: processes here, or a cluster."""

    @property
    def size(self) -> int: ...

    def submit(self, batch: Sequence[Question]) -> Any: ...

    def next(self, waiting: Sequence[Any]) -> list[Any]:
        """What is finished; nothing after a moment, so that somebody may be told."""

    def result(self, future: Any) -> list[Answered] | None:
        """None when the worker died."""


@dataclass
class _Sweep:
    workers: Workers
    store: Store
    tally: Tally
    tell: Tell
    queue: deque[Question]
    batch: int = 1
    kills: dict[Question, int] = field(default_factory=dict)
    unsaved: list[Answered] = field(default_factory=list)

    def run(self) -> None:
        waiting: dict[Any, tuple[Question, ...]] = {}
        try:
            while self.queue or waiting:
                while self.queue and len(waiting) < AHEAD * self.workers.size:
                    questions = self._take()
                    waiting[self.workers.submit(questions)] = questions
                self.tally.running = sum(map(len, waiting.values()))
                # batches are taken in the order in which they were sent
                sent = list(waiting.values())[: self.workers.size]
                self.tally.now = tuple(batch[0] for batch in sent)
                self.tell(self.tally)
                for future in self.workers.next(list(waiting)):
                    self._finish(waiting.pop(future), self.workers.result(future))
        finally:
            self._save()
        self.tally.running, self.tally.now = 0, ()
        self.tell(self.tally)

    def _take(self) -> tuple[Question, ...]:
        """The next batch; what has killed a worker travels alone."""
        first = self.queue.popleft()
        out = [first]
        while self.queue and first not in self.kills and len(out) < self.batch:
            if self.queue[0] in self.kills:
                break
            out.append(self.queue.popleft())
        return tuple(out)

    def _finish(
        self, questions: Sequence[Question], found: list[Answered] | None
    ) -> None:
        if found is None:
            found = self._again(questions)
        else:
            self._adapt(found)
        for one in found:
            self.tally.busy += one.row.seconds
            if one.row.status == "done":
                self.tally.done += 1
            else:
                self.tally.failed += 1
        self.unsaved += found
        seconds = sum(one.row.seconds for one in self.unsaved)
        if len(self.unsaved) >= SAVED_EVERY or seconds > self.workers.size:
            self._save()

    def _again(self, questions: Sequence[Question]) -> list[Answered]:
        """Back into the queue, but for those that were tried often enough."""
        lost = []
        for question in questions:
            self.kills[question] = self.kills.get(question, 0) + 1
            if self.kills[question] >= KILLS:
                message = f"the worker died, {KILLS} times"
                lost.append(failed(question, message))
            else:
                self.queue.append(question)
        return lost

    def _adapt(self, found: Sequence[Answered]) -> None:
        """Towards GOAL, at most doubling."""
        each = max(sum(one.row.seconds for one in found) / len(found), 1e-4)
        fitting = max(int(GOAL / each), 1)
        self.batch = min(fitting, 2 * self.batch, LARGEST)

    def _save(self) -> None:
        self.store.add(self.unsaved)
        self.unsaved = []


def sweep(
    questions: Sequence[Question],
    store: Store,
    *,
    jobs: int | None = None,
    scheduler: str | None = None,
    seconds: float | None = None,
    retry: bool = False,
    tell: Tell = lambda tally: None,
) -> Tally:
    """Answer what the store does not have yet; ``retry`` asks again what failed.

    ``jobs`` processes of one thread each, or the workers of the Dask cluster at ``scheduler``. ``seconds`` is what one
    question may take.
    """
    known = store.keys(with_failed=not retry)
    queue = deque(q for q in questions if q.key not in known)
    tally = Tally(len(questions), known=len(questions) - len(queue))
    if not queue:
        tell(tally)
        return tally
    with _workers(jobs, scheduler, seconds) as workers:
        _Sweep(workers, store, tally, tell, queue).run()
    store.compact()
    return tally


@contextmanager
def _workers(
    jobs: int | None, scheduler: str | None, seconds: float | None
) -> Iterator[Workers]:
    if scheduler is not None:
        with _dask(scheduler, seconds) as cluster:
            yield cluster
        return
    pool = Processes(jobs or os.cpu_count() or 1, seconds)
    try:
        yield pool
    finally:
        pool.close()


class Processes:
    """Processes on this machine; a pool that breaks is replaced."""

    def __init__(self, size: int, seconds: float | None) -> None:
        self._size = size
        self.seconds = seconds
        self.pool: ProcessPoolExecutor = self._start()

    @property
    def size(self) -> int:
        return self._size

    def submit(self, batch: Sequence[Question]) -> Future[list[Answered]]:
        try:
            return self.pool.submit(answer_all, batch, self.seconds)
        except BrokenProcessPool:
            self.pool.shutdown(wait=False)
            self.pool = self._start()
            return self.pool.submit(answer_all, batch, self.seconds)

    def next(self, waiting: Sequence[Any]) -> list[Any]:
        return list(wait(waiting, MOMENT, return_when=FIRST_COMPLETED).done)

    def result(self, future: Future[list[Answered]]) -> list[Answered] | None:
        try:
            return future.result()
        except BrokenProcessPool:
            return None

    def close(self) -> None:
        self.pool.shutdown(wait=False, cancel_futures=True)

    def _start(self) -> ProcessPoolExecutor:
        # a fork of a program with threads may wait for a lock for ever
        context = multiprocessing.get_context("forkserver")
        with _one_thread():
            forkserver.ensure_running()
        return ProcessPoolExecutor(self.size, mp_context=context, initializer=_prepare)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Processes that start here have one thread each: NumPy asks when it is loaded, and not again."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value


def _prepare() -> None:
    """A process ends with the one that started it, even when that is killed."""
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _dask(scheduler: str, seconds: float | None) -> Iterator[Workers]:
    try:
        from pdobasis.atlas.cluster import Cluster
    except ImportError:
        raise MissingExtraError("dask.distributed", "atlas", "a cluster") from None
    try:
        cluster = Cluster(scheduler, seconds)
    except (OSError, ValueError, TimeoutError) as error:
        first = str(error).splitlines()[0][:120]
        raise SpecError(
            f"there is no Dask scheduler at {scheduler!r:.80} ({first})"
        ) from None
    try:
        yield cluster
    finally:
        cluster.close()

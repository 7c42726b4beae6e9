"""Answer a list of questions side by side, and go on where it stopped.

Questions travel in batches, so that small ones do not pay for the journey: batches start with one question and grow
until one takes about half a second. A worker that dies takes its batch with it; the batch is tried again
question by question, and a question that has killed a worker three times becomes a row with that message.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import forkserver
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from typing import Any, Protocol

from pdobasis.atlas.answering import DONE, Answered, failed
from pdobasis.atlas.questions import Question
from pdobasis.atlas.shares import Shares
from pdobasis.atlas.store import Store
from pdobasis.atlas.working import Task, standing_place
from pdobasis.bounds.amounts import read_seconds
from pdobasis.errors import MissingExtraError, SpecError

GOAL = 0.5
"""Seconds that a batch should take."""
BATCHES = 100
"""Batches a second that the process which asks should see at most."""
LARGEST = 256
"""Questions of a batch."""
KILLS = 3
"""Workers that a question may take with it."""
AHEAD = 2
"""Batches for each worker that are under way."""
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
MOMENT = 0.5
"""Seconds between two looks at workers of which none is finished."""
SAVED_EVERY = 1.0
"""Seconds after which rows that have come are written."""


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

    def submit(self, batch: Sequence[Question], lane: int) -> Any:
        """To the worker of this lane, 0 to size − 1."""

    def next(self, waiting: Sequence[Any]) -> list[Any]:
        """What is finished; nothing after a moment, so that somebody may be told."""

    def result(self, future: Any) -> list[Answered] | None:
        """None when the worker died."""


@dataclass(frozen=True, slots=True)
class _Sent:
    """A batch under way."""

    lane: int
    questions: tuple[Question, ...]


@dataclass
class _Sweep:
    workers: Workers
    store: Store
    tally: Tally
    tell: Tell
    shares: Shares
    batch: int = 1
    kills: dict[Question, int] = field(default_factory=dict)
    unsaved: list[Answered] = field(default_factory=list)
    waiting: dict[Any, _Sent] = field(default_factory=dict)
    """In the order in which they were sent: the first of a lane is the one that is worked at."""
    saved: float = field(default_factory=time.monotonic)

    def run(self) -> None:
        try:
            self._send()
            self.store.get_ready()
            while self.waiting:
                heads = self._heads()
                self.tally.running = sum(
                    len(s.questions) for s in self.waiting.values()
                )
                self.tally.now = tuple(sent.questions[0] for sent in heads)
                self.tell(self.tally)
                for future in self.workers.next(list(self.waiting)):
                    sent = self.waiting.pop(future)
                    found = self.workers.result(future)
                    if found is None:
                        found = self._again(sent, was_running=sent in heads)
                    else:
                        self._adapt(found)
                    self._keep(found)
                # workers first: they have something to do while this process writes
                self._send()
                if time.monotonic() - self.saved > SAVED_EVERY:
                    self._save()
        finally:
            self._save()
        self.tally.running, self.tally.now = 0, ()
        self.tell(self.tally)

    def _heads(self) -> list[_Sent]:
        heads: dict[int, _Sent] = {}
        for sent in self.waiting.values():
            heads.setdefault(sent.lane, sent)
        return list(heads.values())

    def _send(self) -> None:
        """Every lane has one batch that is worked at, and the next ones."""
        size = self.workers.size
        under_way = Counter(sent.lane for sent in self.waiting.values())
        for _ in range(AHEAD):
            for lane in range(size):
                if under_way[lane] >= AHEAD:
                    continue
                # towards the end batches become small, so that no worker has a long one left for itself
                share = -(-self.shares.left // (2 * AHEAD * size))
                questions = self.shares.take(lane, max(min(self.batch, share), 1))
                if not questions:
                    return
                future = self.workers.submit(questions, lane)
                self.waiting[future] = _Sent(lane, questions)
                under_way[lane] += 1

    def _keep(self, found: Sequence[Answered]) -> None:
        for one in found:
            self.tally.busy += one.row.seconds
            if one.row.status == DONE:
                self.tally.done += 1
            else:
                self.tally.failed += 1
        self.unsaved += found

    def _again(self, sent: _Sent, *, was_running: bool) -> list[Answered]:
        """Back to the others, each alone, but for those that were tried often enough.

        A batch that only waited behind the one that was worked at had no part in the death of the worker.
        """
        lost = []
        for question in sent.questions:
            self.kills[question] = self.kills.get(question, 0) + was_running
            if self.kills[question] >= KILLS:
                message = f"the worker died, {KILLS} times"
                lost.append(failed(question, message))
            else:
                self.shares.back(question)
        return lost

    def _adapt(self, found: Sequence[Answered]) -> None:
        """Towards GOAL, at most doubling; longer where many workers would otherwise ask for batches all the time."""
        goal = max(GOAL, self.workers.size / BATCHES)
        each = max(sum(one.row.seconds for one in found) / len(found), 1e-4)
        fitting = max(int(goal / each), 1)
        self.batch = min(fitting, 2 * self.batch, LARGEST)

    def _save(self) -> None:
        self.store.add(self.unsaved)
        self.unsaved = []
        self.saved = time.monotonic()


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
    if seconds is not None:
        read_seconds(seconds)
    known = store.keys(with_failed=not retry)
    shares = Shares(q for q in questions if q.key not in known)
    tally = Tally(len(questions), known=len(questions) - shares.left)
    if not shares.left:
        tell(tally)
        return tally
    with standing_place(store) as place:
        task = Task(seconds, place)
        with _workers(jobs, scheduler, task) as workers:
            _Sweep(workers, store, tally, tell, shares).run()
    store.compact()
    return tally


@contextmanager
def _workers(jobs: int | None, scheduler: str | None, task: Task) -> Iterator[Workers]:
    if scheduler is not None:
        with _dask(scheduler, task) as cluster:
            yield cluster
        return
    pool = Processes(jobs or os.cpu_count() or 1, task)
    try:
        yield pool
    except BaseException:
        pool.kill()
        raise
    finally:
        pool.close()


class Processes:
    """Processes on this machine, one for each lane; one that dies is replaced, and the others go on."""

    def __init__(self, size: int, task: Task) -> None:
        self._size = size
        self.task = task
        # a fork of a program with threads may wait for a lock for ever; the server has none, and has loaded for all
        # of them what they need
        self.context: ForkServerContext = multiprocessing.get_context("forkserver")
        self.context.set_forkserver_preload(["__main__", Task.__module__])
        with _one_thread(), _quiet():
            forkserver.ensure_running()
        self.lanes: dict[int, ProcessPoolExecutor] = {}
        # what the program that asks has started besides
        self.others: set[BaseProcess] = set(multiprocessing.active_children())

    @property
    def size(self) -> int:
        return self._size

    def submit(self, batch: Sequence[Question], lane: int) -> Future[list[Answered]]:
        if lane not in self.lanes:
            self.lanes[lane] = self._start()
        try:
            return self.lanes[lane].submit(self.task, batch)
        except BrokenProcessPool:
            self.lanes[lane].shutdown(wait=False)
            self.lanes[lane] = self._start()
            return self.lanes[lane].submit(self.task, batch)

    def next(self, waiting: Sequence[Any]) -> list[Any]:
        return list(wait(waiting, MOMENT, return_when=FIRST_COMPLETED).done)

    def result(self, future: Future[list[Answered]]) -> list[Answered] | None:
        try:
            return future.result()
        except BrokenProcessPool:
            return None

    def kill(self) -> None:
        """Whoever was interrupted does not wait for questions that may take a minute more, as pools do at the end.

        Files appear whole or not at all, so that nothing of a worker has to be saved.
        """
        for process in set(multiprocessing.active_children()) - self.others:
            process.kill()

    def close(self) -> None:
        for pool in self.lanes.values():
            pool.shutdown(wait=False, cancel_futures=True)

    def _start(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, mp_context=self.context, initializer=_prepare)


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


@contextmanager
def _quiet() -> Iterator[None]:
    """Processes that start here have no stderr: what goes wrong is told in rows.

    Otherwise one that is started while its parent is interrupted would write a traceback behind its last word.
    """
    try:
        kept = os.dup(2)
    except OSError:  # there is none
        yield
        return
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _prepare() -> None:
    """A process ends with the one that started it, even when that is killed."""
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _dask(scheduler: str, task: Task) -> Iterator[Workers]:
    try:
        from pdobasis.atlas.cluster import Cluster
    except ImportError:
        raise MissingExtraError("dask.distributed", "atlas", "a cluster") from None
    try:
        cluster = Cluster(scheduler, task)
    # what Dask asserts of an address is input too
    except (OSError, ValueError, TypeError, AssertionError, RuntimeError) as error:
        first = (str(error) or "no address").splitlines()[0][:120]
        raise SpecError(
            f"there is no Dask scheduler at {scheduler!r:.80} ({first})"
        ) from None
    try:
        yield cluster
    finally:
        cluster.close()

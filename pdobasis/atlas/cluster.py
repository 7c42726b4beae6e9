"""The workers of a Dask cluster; one that dies is replaced by another, as Dask does it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from distributed import Client, KilledWorker
from distributed import wait as wait_for

from pdobasis.atlas.answering import Answered
from pdobasis.atlas.questions import Question
from pdobasis.atlas.working import Task

MOMENT = 0.5
"""Seconds between two looks at workers of which none is finished."""
PATIENCE = 10
"""Seconds until a scheduler that does not answer is believed not to be there."""


class Cluster:
    """A client of a scheduler. The workers have to have pdobasis installed; those that see the store write into it."""

    def __init__(self, scheduler: str, task: Task) -> None:
        client: Any = Client
        # ours alone: a default one would also take what else the program asks of Dask, even where it was not reached
        self.client: Any = client(scheduler, timeout=PATIENCE, set_as_default=False)
        self.task = task
        self.lanes: list[str] = []

    @property
    def size(self) -> int:
        """Threads of all workers at this moment: some may have come, or gone."""
        threads: dict[str, int] = self.client.nthreads()
        self.lanes = [name for name in sorted(threads) for _ in range(threads[name])]
        return max(len(self.lanes), 1)

    def submit(self, batch: Sequence[Question], lane: int) -> Any:
        where: dict[str, object] = {}
        if lane < len(self.lanes):
            # a wish: when that worker has gone, or is late, another one may do it
            where = {"workers": [self.lanes[lane]], "allow_other_workers": True}
        # a batch may be sent again after a worker died, so no result is taken from before
        return self.client.submit(self.task, batch, pure=False, **where)

    def next(self, waiting: Sequence[Any]) -> list[Any]:
        wait: Any = wait_for
        try:
            with self.client.as_current():
                found = wait(waiting, timeout=MOMENT, return_when="FIRST_COMPLETED")
        except TimeoutError:
            return []
        return list(found.done)

    def result(self, future: Any) -> list[Answered] | None:
        try:
            found: list[Answered] = future.result()
        except KilledWorker:
            return None
        return found

    def close(self) -> None:
        self.client.close()

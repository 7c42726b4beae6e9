"""The workers of a Dask cluster; one that dies is replaced by another, as Dask does it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from distributed import Client, KilledWorker
from distributed import wait as wait_for

from pdobasis.atlas.answering import Answered, answer_all
from pdobasis.atlas.questions import Question

MOMENT = 0.5
"""Seconds between two looks at workers of which none is finished."""
PATIENCE = 10
"""Seconds until a scheduler that does not answer is believed not to be there."""


class Cluster:
    """A client of a scheduler. The workers have to have pdobasis installed; files are written here."""

    def __init__(self, scheduler: str, seconds: float | None) -> None:
        client: Any = Client
        self.client: Any = client(scheduler, timeout=PATIENCE)
        self.seconds = seconds

    @property
    def size(self) -> int:
        threads: dict[str, int] = self.client.nthreads()
        return max(sum(threads.values()), 1)

    def submit(self, batch: Sequence[Question]) -> Any:
        # a batch may be sent again after a worker died, so no result is taken from before
        return self.client.submit(answer_all, batch, self.seconds, pure=False)

    def next(self, waiting: Sequence[Any]) -> list[Any]:
        wait: Any = wait_for
        try:
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

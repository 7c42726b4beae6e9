"""Work that is shared among threads, and that Ctrl-C and budgets end in good order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from pdobasis.bounds.watch import check

T = TypeVar("T")


def in_threads(
    work: Callable[[T], None], parts: Iterable[T], workers: int | None = None
) -> None:
    """Do the work for every part; None: a thread for each processor. An error of a part is raised here.

    SciPy's own threads (``workers=-1``) go on writing where arrays have been when Ctrl-C comes while it waits for
    them, and the process crashes. Here what has begun is waited for, and what has not is left.
    """
    pool = ThreadPoolExecutor(workers or os.cpu_count())
    try:
        for future in [pool.submit(work, part) for part in parts]:
            check()
            future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)

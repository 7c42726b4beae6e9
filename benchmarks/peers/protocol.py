"""A worker answers one JSON request per line; imports and set-up are done before it says that it is ready.

Standard library only: it runs inside the environment of every peer. A job is a function of the request's arguments
that returns a dictionary; ``timed`` makes the usual one.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any

Job = Callable[..., dict[str, Any]]
REPEATS = 7
ENOUGH = 0.15
"""Seconds after which a short job is not repeated any further within one round."""


def timed(job: Callable[[], Any], before: Callable[[], Any] = lambda: None) -> tuple[float, Any]:
    """(the median time of a few repetitions within one round, the last result); ``before`` is not timed."""
    times: list[float] = []
    while True:
        before()
        start = time.perf_counter()
        result = job()
        times.append(time.perf_counter() - start)
        if len(times) == REPEATS or sum(times) > ENOUGH:
            return statistics.median(times), result


def serve(jobs: dict[str, Job], versions: dict[str, str]) -> None:
    """Answer requests from stdin until it ends; whatever the jobs print goes to stderr."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    _send(answers, {"ready": True, "versions": versions})
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = jobs[request["job"]](**request["arguments"])
        except Exception as error:
            traceback.print_exc()
            answer = {"error": f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"}
        _send(answers, answer)


def _send(stream: Any, message: dict[str, Any]) -> None:
    stream.write(json.dumps(message) + "\n")
    stream.flush()

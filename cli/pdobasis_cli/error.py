"""pdobasis error: what a discretization does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pdobasis_cli.console import json_text, print_line, print_table, progress
from pdobasis_cli.stencil_options import StencilCommand, source_options, stencils_from

if TYPE_CHECKING:
    from pdobasis.measure import Consistency, TableRow
    from pdobasis.measure.summary import Report


@click.command("error", cls=StencilCommand)
@source_options
@click.option(
    "--runs",
    default=10,
    show_default=True,
    type=click.IntRange(1, 1000),
    help="Random layers for each seed.",
)
@click.option(
    "--seeds",
    default=6,
    show_default=True,
    type=click.IntRange(1, 1000),
    help="Random fields.",
)
@click.option(
    "--field-width",
    "width",
    default=3.0,
    show_default=True,
    help="Of the smooth fields of the off-grid error, in samples.",
)
@click.option(
    "--moments", is_flag=True, help="Print what each stencil gives on each monomial."
)
@click.option(
    "--table",
    is_flag=True,
    help="The paper's comparison: C16, 3×3 and 5×5, all methods (a minute).",
)
@click.option(
    "--show",
    default=24,
    show_default=True,
    type=click.IntRange(0),
    help="Elements to print.",
)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(
    file: Path | None,
    runs: int,
    seeds: int,
    width: float,
    moments: bool,
    table: bool,
    show: int,
    as_json: bool,
    **given: Any,
) -> None:
    """Measure stencils, of FILE or of a question: each kind of error by itself.

    Consistency (moments), the order of convergence, exact equivariance under the symmetries of the grid, and the
    relative equivariance error for other elements of the group: on turned images (the median over all seeds and
    layers, and the lowest and highest median of one seed), and in closed form, which is layer.off_grid_error("basis").
    Exit code 1: a symmetry of the grid is broken.

    \b
    pdobasis error d8.npz
    pdobasis error --group C16 --in trivial --out regular --stencil fd --size 3
    pdobasis error --table
    """
    from pdobasis.measure.summary import measure

    if table:
        _table(file, given, runs, seeds, as_json)
        return
    with progress() as report:
        sampled = stencils_from(file, given, report).sampled()
        found = measure(sampled, runs, seeds, report, width)
    if as_json:
        click.echo(json_text(found.to_json(moments), indent=1))
    else:
        _print(found, show, moments)
    if not found.holds:
        raise click.exceptions.Exit(1)


def _print(found: Report, show: int, moments: bool) -> None:
    from pdobasis.answer.told import question_text

    print_line(question_text(found.sampled.problem), "bold")
    print_line(found.title)
    if found.consistency is None or found.convergence is None:
        print_line(
            "Consistency and convergence: not defined for kernels, which approximate no derivative."
        )
    else:
        rows = found.element_rows()
        print_table(
            ("element", "order", "accuracy", *_degrees(found.consistency), "observed"),
            rows[:show],
            CONSISTENCY,
        )
        if len(rows) > show:
            click.echo(f"… and {len(rows) - show} more (--show {len(rows)})")
        if moments:
            print_table(
                ("element", "entry", "monomial", "given", "exact"),
                found.moment_rows(show),
                "Moments",
            )
    shared = found.symmetry_rows()
    print_table(
        ("symmetry of the grid", "kind", "largest defect"),
        shared[:show],
        "Exact equivariance",
    )
    if len(shared) > show:
        click.echo(f"… and {len(shared) - show} more (--show {len(shared)})")
    if found.off_grid:
        rows = found.rotation_rows()
        shown = max(show, len(found.rotations))
        print_table(
            ("element of the group", "relative error", "closed form"),
            rows[:shown],
            "Other elements of the group",
        )
        if len(rows) > shown:
            click.echo(f"… and {len(rows) - shown} more (--show {len(rows)})")
        print_line(found.off_grid_text)
    print_line(found.verdict, {True: "green", False: "red"}[found.holds])


CONSISTENCY = "Consistency: relative error of the moments of each degree; convergence: observed order under h → h/2"


def _degrees(found: Consistency) -> list[str]:
    return [f"deg {n}" for n in range(found.errors.shape[1])]


def _table(
    file: Path | None, given: dict[str, Any], runs: int, seeds: int, as_json: bool
) -> None:
    from pdobasis.measure import comparison_table

    if file is not None:
        raise click.UsageError(
            "--table compares all methods for a group: leave out FILE"
        )
    with progress() as report:
        group, in_rep, out_rep = (
            given["group"] or "C16",
            given["in_rep"] or "trivial",
            given["out_rep"] or "regular",
        )
        rows = comparison_table(group, in_rep, out_rep, runs, seeds, report)
    if as_json:
        from dataclasses import asdict

        found = [
            {"method": r.method, "size": r.size, "field": r.field, **asdict(r.error)}
            for r in rows
        ]
        click.echo(json_text(found, indent=1))
        return
    title = f"Relative equivariance errors, {group}, {in_rep} → {out_rep}: median (of the seeds: lowest – highest)"
    print_table(
        ("method", "stencil", "smooth fields", "rough fields"), _table_rows(rows), title
    )
    print_line(f"{seeds} seeds, each with a field and {runs} random layers of its own")


def _table_rows(rows: tuple[TableRow, ...]) -> list[tuple[str, ...]]:
    cells: dict[tuple[str, int], dict[str, str]] = {}
    for row in rows:
        cells.setdefault((row.method, row.size), {})[row.field] = row.error.text
    return [
        (m, f"{n}×{n}", found["smooth"], found["rough"])
        for (m, n), found in cells.items()
    ]

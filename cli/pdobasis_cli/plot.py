"""pdobasis plot: stencils as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pdobasis_cli.console import progress
from pdobasis_cli.output import check, refuse_terminal, write
from pdobasis_cli.stencil_options import StencilCommand, source_options, stencils_from
from pdobasis_cli.words import as_options

SUFFIXES = (".png", ".svg", ".pdf")


@click.command("plot", cls=StencilCommand)
@source_options
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(path_type=Path),
    help="FILE.png, .svg or .pdf; - is stdout, as PNG.",
)
@click.option(
    "--show",
    default=12,
    show_default=True,
    type=click.IntRange(1, 100),
    help="Elements to draw.",
)
@click.option(
    "--entries",
    default=16,
    show_default=True,
    type=click.IntRange(1, 1000),
    help="Entries of each element.",
)
@click.option(
    "--dpi",
    default=150,
    show_default=True,
    type=click.IntRange(20, 600),
    help="Resolution of a PNG.",
)
def command(
    file: Path | None, output: Path, show: int, entries: int, dpi: int, **given: Any
) -> None:
    """Draw stencils, of FILE or of a question: one row for each element; vector fields as arrows.

    \b
    pdobasis plot d8.npz -o d8.png
    pdobasis plot --group "O(2)" --in trivial --out vector --order 3 \\
        --stencil gauss --size 9 -o fields.svg
    """
    check(output, SUFFIXES, f"the name has to end in {', '.join(SUFFIXES)}")
    refuse_terminal(output, "a picture")
    from pdobasis.pictures import require_matplotlib
    from pdobasis.pictures.panels import of_file
    from pdobasis.pictures.stencils import stencils_picture

    require_matplotlib()
    with progress() as report:
        contents = stencils_from(file, given, report)
        report("drawing")
        # a name without an ending, as that of stdout
        kind = output.suffix[1:]
        if output.suffix not in SUFFIXES:
            kind = "png"
        notes: list[str] = []
        figure = stencils_picture(of_file(contents), show, entries, notes.append)
        data = figure.data(kind, dpi)
    for note in notes:
        click.echo(as_options(note, command.params), err=True)
    write(output, data, with_size=True)

"""pdobasis plot: stencils as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pdobasis_cli.console import progress
from pdobasis_cli.stencil_options import StencilCommand, source_options, stencils_from

SUFFIXES = (".png", ".svg", ".pdf")


@click.command("plot", cls=StencilCommand)
@source_options
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(path_type=Path),
    help="FILE.png, .svg or .pdf.",
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
    default=8,
    show_default=True,
    type=click.IntRange(1, 64),
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
    pdobasis plot --group "O(2)" --in trivial --out vector --order 3 --stencil gauss --size 9 -o fields.svg
    """
    if output.suffix not in SUFFIXES:
        raise click.BadParameter(
            f"{output}: the name has to end in {', '.join(SUFFIXES)}", param_hint="-o"
        )
    if not output.parent.is_dir():
        raise click.BadParameter(
            f"{output}: there is no folder {output.parent}", param_hint="-o"
        )
    from pdobasis.files.atomic import write_atomically
    from pdobasis_cli.figure import draw, require_matplotlib

    require_matplotlib()
    with progress() as report:
        contents = stencils_from(file, given, report)
        report("drawing")
        data = draw(contents, output.suffix[1:], show, entries, dpi)
    write_atomically(output, data)
    click.echo(f"wrote {output} ({len(data):,} bytes)", err=True)

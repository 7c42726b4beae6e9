"""pdobasis export: a basis as stencils, in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pdobasis_cli.console import progress
from pdobasis_cli.output import DASH, check, names_no_format, refuse_terminal, write
from pdobasis_cli.stencil_options import StencilCommand, source_options, stencils_from

if TYPE_CHECKING:
    from pdobasis.files.stencil_file import StencilFile


class ExportCommand(StencilCommand):
    """The help of --format lists the formats that there are when it is asked for."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        from pdobasis.errors import listed
        from pdobasis.files.formats import formats

        params = super().get_params(ctx)
        for param in params:
            if isinstance(param, click.Option) and param.name == "format":
                param.help = (
                    f"{listed([f.name for f in formats()])}.  [the end of the name]"
                )
        return params


@click.command("export", cls=ExportCommand)
@source_options
@click.option("--format", "--to", "format")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    help="The file to write; - is stdout. Texts go there without.",
)
def command(
    file: Path | None, format: str | None, output: Path | None, **given: Any
) -> None:
    """Write the stencils of a basis: FILE (of solve -o, or of export), or a question.

    \b
    pdobasis export --group D8 --in regular --out trivial --stencil gauss \\
        --size 5 --sigma 1.3 -o d8.npz
    pdobasis export --group D4 --in trivial --out vector --stencil fd --size 3 \\
        --out-offsets "1/2,0;0,1/2" -o c.json
    pdobasis export basis.json --stencil fd --size 3 --format python
    """
    from pdobasis.files.formats import to_bytes

    chosen = check_output(output, format)
    with progress() as report:
        contents = stencils_from(file, given, report)
        data = to_bytes(contents, chosen)
    if not len(contents.orders):
        tell_empty(contents)
    write(output or Path(DASH), data, with_size=True)


def tell_empty(contents: StencilFile) -> None:
    """A file without stencils is written, since scripts ask for it; people are told."""
    from pdobasis.answer.told import empty_text

    said = empty_text(contents.sampled().problem)
    click.echo(f"{said} The file holds no stencils.", err=True)


def check_output(output: Path | None, format: str | None) -> str:
    """The format; a wrong name is refused before any work."""
    from pdobasis.errors import listed
    from pdobasis.files.formats import find, format_of, texts

    if output is None and (not format or not find(format).is_text):
        raise click.UsageError(
            f"give -o FILE (or --format {listed(texts())}, which can be printed)"
        )
    if output is None or names_no_format(output):
        if not format:
            raise click.UsageError(f"{output}: say --format, which its name does not")
        if not find(format).is_text:
            refuse_terminal(output or Path(DASH), f"{format}")
        return find(format).name
    chosen = format_of(output, format)
    check(output, (output.suffix,), "")
    return chosen

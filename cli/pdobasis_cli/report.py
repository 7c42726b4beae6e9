"""pdobasis report: one page about one question."""

from __future__ import annotations

from pathlib import Path

import click

from pdobasis_cli.console import progress
from pdobasis_cli.options import question_options, size_option


@click.command("report")
@question_options
@size_option
@click.option(
    "--stencil", type=click.Choice(["fd", "rbffd", "gauss", "none"]), default="gauss", show_default=True,
    help="How the stencils are made.",
)  # fmt: skip
@click.option("--size", default=5, show_default=True, type=click.IntRange(1, 31), help="Points along each axis.")
@click.option("--sigma", type=click.FloatRange(0, min_open=True), help="gauss: standard deviation.  [0.26 size]")
@click.option("--show", default=24, show_default=True, type=click.IntRange(0), help="Elements on the page.")
@click.option("--output", "-o", required=True, type=click.Path(path_type=Path), help="FILE.html.")
def command(
    group: str, dim: int | None, max_elements: int, in_rep: str, out_rep: str, order: int, max_unknowns: int,
    stencil: str, size: int, sigma: float | None, show: int, output: Path,
) -> None:  # fmt: skip
    """Write a self-contained HTML page: the question, the basis, the certificate, the stencils.

    \b
    pdobasis report --group D8 --in regular --out trivial -o report.html
    pdobasis report --group "SO(3)" --in vector --out vector --order 2 --stencil fd --size 3 -o curl.html
    """
    check_output(output)
    from pdobasis_tables.page import report as page
    from pdobasis_tables.page import sampled

    from pdobasis.answer.solve import solve_problem
    from pdobasis.files.atomic import write_atomically
    from pdobasis.question.text import parse_problem

    words = ["report", "--group", group, *(["--dim", str(dim)] if dim else []), "--in", in_rep, "--out", out_rep]
    words += ["--order", str(order), "--stencil", stencil, "--size", str(size)]
    words += [*(["--sigma", str(sigma)] if sigma else []), "-o", output.name]
    with progress() as report:
        problem = parse_problem(group, in_rep, out_rep, order, dim, max_elements)
        basis = solve_problem(problem, max_unknowns=max_unknowns, progress=report)
        report("drawing")
        drawn = sampled(basis, stencil, size, sigma)
        text = page(basis, drawn, words, show)
    write_atomically(output, text.encode())
    click.echo(f"wrote {output} ({len(text.encode()):,} bytes)", err=True)


def check_output(output: Path) -> None:
    """A wrong name is refused before any work."""
    if output.suffix not in (".html", ".htm"):
        raise click.BadParameter(f"{output}: the name has to end in .html", param_hint="-o")
    if not output.parent.is_dir():
        raise click.BadParameter(f"{output}: there is no folder {output.parent}", param_hint="-o")

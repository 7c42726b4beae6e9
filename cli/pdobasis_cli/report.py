"""pdobasis report: one page about one question."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pdobasis_cli.console import progress
from pdobasis_cli.options import (
    TRUNCATION_FLAGS,
    asked_order,
    question_options,
    size_option,
    truncation_arguments,
    truncation_options,
)
from pdobasis_cli.output import DASH, check, is_stdout, write

NO_STENCILS = "none"


class ReportCommand(click.Command):
    """A command that offers the discretizations of derivatives, and those of their options that suit a page."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        from pdobasis.stencils.registry import discretizations

        # derivatives only: a kernel has no place on a page about PDOs
        methods = [method for method in discretizations() if not method.samples_kernels]
        stencil = click.Option(
            ["--stencil"],
            type=click.Choice([*(method.name for method in methods), NO_STENCILS]),
            default="gauss",
            show_default=True,
            help="How the stencils are made.",
        )
        own = super().get_params(ctx)
        at = [param.name for param in own].index("size")
        return [*own[:at], stencil, own[at], *page_options(), *own[at + 1 :]]


def page_options() -> list[click.Option]:
    from pdobasis.stencils.registry import discretizations

    out = []
    for method in discretizations():
        for option in method.options:
            if not option.on_page:
                continue
            flag = "--" + option.name.replace("_", "-")
            made = click.Option(
                [flag, option.name],
                type=click.FloatRange(0, min_open=True),
                help=f"{method.name}: {option.help}",
            )
            out.append(made)
    return out


@click.command("report", cls=ReportCommand)
@question_options
@truncation_options
@size_option
@click.option(
    "--size",
    default=5,
    show_default=True,
    type=click.IntRange(1, 31),
    help="Points along each axis.",
)
@click.option(
    "--show",
    default=24,
    show_default=True,
    type=click.IntRange(0),
    help="Elements on the page.",
)
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(path_type=Path),
    help="FILE.html; - is stdout.",
)
def command(
    group: str, dim: int | None, max_elements: int, in_rep: str, out_rep: str, order: int, max_unknowns: int,
    stencil: str, size: int, show: int, output: Path, **options: Any,
) -> None:  # fmt: skip
    """Write a self-contained HTML page: the question, the basis, the certificate, the stencils.

    \b
    pdobasis report --group D8 --in regular --out trivial -o report.html
    pdobasis report --group "SO(3)" --in vector --out vector --order 2 \\
        --stencil fd --size 3 -o curl.html
    """
    # a wrong name is told at once: the library takes a while to load
    check(output, (".html", ".htm"), "the name has to end in .html")
    from pdobasis_tables.page import report as page
    from pdobasis_tables.page import sampled

    from pdobasis.answer.solve import ask, solve_problem

    truncation = {name: options.pop(name) for name in TRUNCATION_FLAGS.values()}
    with progress():
        problem = ask(
            group,
            in_rep,
            out_rep,
            asked_order(order),
            dim=dim,
            limit=max_elements,
            **truncation_arguments(truncation),
        )
    words = ["report", "--group", group]
    if dim:
        words += ["--dim", str(dim)]
    words += ["--in", in_rep, "--out", out_rep]
    words += ["--order", str(problem.order)]
    for flag, name in TRUNCATION_FLAGS.items():
        if truncation[name] is not None:
            words += [flag, str(truncation[name])]
    words += ["--stencil", stencil, "--size", str(size)]
    for option in page_options():
        if option.name is not None and options[option.name]:
            words += [option.opts[0], str(options[option.name])]
    # without its folder: the same question makes the same page wherever it is written
    words += ["-o", DASH if is_stdout(output) else output.name]
    with progress() as report:
        basis = solve_problem(problem, max_unknowns=max_unknowns, progress=report)
        report("drawing")
        drawn = None
        if stencil != NO_STENCILS:
            drawn = sampled(basis, stencil, size, options)
        text = page(basis, drawn, words, show)
    write(output, text.encode(), with_size=True)

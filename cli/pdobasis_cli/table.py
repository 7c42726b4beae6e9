"""pdobasis table: solution tables in LaTeX, Markdown or HTML."""

from __future__ import annotations

import os
from pathlib import Path

import click

from pdobasis_cli.console import progress
from pdobasis_cli.options import filter_options
from pdobasis_cli.output import DASH, names_no_format
from pdobasis_cli.output import check as check_name
from pdobasis_cli.output import write as write_file

STYLES = ("standalone", "fragment", "markdown", "html")


@click.command("table")
@click.option(
    "--paper",
    is_flag=True,
    help="The five tables of the plane in T_k, U_k with symbolic m, n, N, t.",
)
@click.option(
    "--all-orders",
    is_flag=True,
    help="Generators of all orders for C_N and D_N, with symbolic m, n, N.",
)
@click.option(
    "--convention",
    type=click.Choice(["pdobasis", "paper"]),
    help="With --paper: ψ(f) = diag(1, −1), or the paper's diag(−1, 1).  [default: pdobasis]",
)
@click.option(
    "--group",
    "-g",
    help="A group: D8, SO(3), Oh, my.yaml, …",
)
@click.option(
    "--dim",
    type=click.IntRange(1, 24),
    help="Dimension, where the name leaves it open (C4, D4, flip).",
)
@click.option(
    "--order",
    "-n",
    type=click.IntRange(0, 64),
    help="Largest order of a derivative.  [default: 2]",
)
@click.option(
    "--irreps",
    help="Rows and columns, between commas: 'irrep(1,1), vector'.  [default: all irreps]",
)
@click.option(
    "--limit",
    type=click.IntRange(0, 24),
    help="Largest frequency of SO(2), O(2) [3]; largest l of SO(3), O(3) [2].",
)
@click.option(
    "--counts",
    is_flag=True,
    help="Only the numbers of PDOs of order 0, 1, …, n.",
)
@filter_options
@click.option(
    "--style",
    type=click.Choice(STYLES),
    help="[default: by the name of the file, else standalone]",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    help="FILE.tex, .md or .html; a folder with --paper and --all-orders; - is stdout.",
)
@click.option(
    "--max-elements",
    default=10_000,
    show_default=True,
    help="Largest finite group that is made.",
)
@click.option(
    "--max-unknowns",
    default=5_000_000,
    show_default=True,
    help="Refuse questions with more coefficients.",
)
def command(
    paper: bool, all_orders: bool, convention: str | None, group: str | None, dim: int | None, order: int | None,
    irreps: str | None, limit: int | None, counts: bool, max_offset: int | None, max_angular: int | None,
    max_laplacian_power: int | None,
    style: str | None, output: Path | None, max_elements: int, max_unknowns: int,
) -> None:  # fmt: skip
    """Write solution tables, rows for the output and columns for the input.

    Every entry of a table of a group is a proved basis. The symbolic entries of --paper are proved for all m, n, N
    and t by the congruences of their frequencies, and compared with the solver for N ≤ 5 and orders ≤ 4.

    \b
    pdobasis table --paper -o tables/
    pdobasis table --all-orders -o tables/
    pdobasis table --group D8 --order 2 -o d8.tex
    pdobasis table --group Oh --order 1 --style markdown
    pdobasis table --group "O(3)" --counts --order 4
    """
    from pdobasis_tables.request import AllOrders, Concrete, Paper
    from pdobasis_tables.styles import STYLES as WRITERS

    # what is only for the table of a group: given where it is not None
    concrete = {
        "--group": group,
        "--dim": dim,
        "--order": order,
        "--irreps": irreps,
        "--limit": limit,
        "--counts": counts or None,
        "--max-offset": max_offset,
        "--max-angular": max_angular,
        "--max-laplacian-power": max_laplacian_power,
    }
    given = [flag for flag, value in concrete.items() if value is not None]
    check(paper, all_orders, convention, given)
    style = choose_style(style, output, folder=paper or all_orders)
    request: AllOrders | Concrete | Paper
    if all_orders:
        request = AllOrders()
    elif group is None:
        request = Paper(convention or "pdobasis")
    else:
        request = Concrete(
            group,
            dim,
            order,
            irreps,
            limit,
            counts,
            max_offset,
            max_angular,
            max_laplacian_power,
            max_elements,
            max_unknowns,
        )
    # the command that makes the same file stands in it
    words = request.words()
    if style != "standalone":
        words += ["--style", style]
    with progress() as report:
        tables = request.tables(report)
    if output is None or str(output) == DASH:
        click.echo(WRITERS[style](list(tables.values()), words), nl=False)
        return
    # all texts before the first file: an error leaves none half done
    texts = {stem: WRITERS[style]([table], words) for stem, table in tables.items()}
    write(output, style, texts)


def check(
    paper: bool, all_orders: bool, convention: str | None, concrete: list[str]
) -> None:
    """Refuse options that do not go together; ``concrete`` are those that the table of a group has."""
    for name, given in (("--paper", paper), ("--all-orders", all_orders)):
        if given and concrete:
            extra = ", ".join(concrete)
            raise click.UsageError(
                f"{name} has its own groups and no order: leave out {extra}, or {name}"
            )
    if paper and all_orders:
        raise click.UsageError(
            "--paper and --all-orders are different tables: one of them"
        )
    if paper:
        return
    if "--group" not in concrete and not all_orders:
        raise click.UsageError(
            "say which table: --group D8, or --paper for the five of the plane"
        )
    if convention is not None:
        raise click.UsageError(
            "--convention belongs to --paper; concrete tables are in the conventions of pdobasis"
        )


def choose_style(style: str | None, output: Path | None, *, folder: bool) -> str:
    """The style; a wrong name is refused before any work."""
    from pdobasis_tables.styles import SUFFIXES, style_of

    if output is None or str(output) == DASH:
        return style or "standalone"
    if folder:
        # a folder that is there, or one that can be made: a name with a suffix was meant as a file
        can_be_made = (
            not os.path.lexists(output) and not output.suffix and output.parent.is_dir()
        )
        if not output.is_dir() and not can_be_made:
            raise click.BadParameter(
                f"{output}: these tables need a folder", param_hint="-o"
            )
        return style or "standalone"
    known = sorted(set(SUFFIXES.values()))
    if style is not None:
        known = [SUFFIXES[style]]
    check_name(output, known, f"the name has to end in {' or '.join(known)}")
    if names_no_format(output):
        return style or "standalone"
    return style or style_of(output.suffix)


def write(output: Path, style: str, texts: dict[str, str]) -> None:
    """One file, or one for each stem in a folder."""
    from pdobasis_tables.styles import SUFFIXES

    from pdobasis.errors import SpecError

    for stem, text in texts.items():
        path = output
        if stem:
            path = output / f"{stem}{SUFFIXES[style]}"
        try:
            path.parent.mkdir(exist_ok=True)
        except OSError as error:
            raise SpecError(
                f"cannot make the folder {path.parent}: {error.strerror}"
            ) from None
        write_file(path, text.encode())

"""pdobasis solve: the main job."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pdobasis_cli.console import bracketed, print_line, print_table, progress
from pdobasis_cli.options import question_options, size_option

if TYPE_CHECKING:
    from pdobasis.basis import Basis, Element
    from pdobasis.field_type import Problem

DENSE_COLUMNS = 16
MAX_TEXT = 4_000


@click.command("solve")
@question_options
@size_option
@click.option("--json", "as_json", is_flag=True, help="Print the whole answer as JSON.")
@click.option("--latex", "as_latex", is_flag=True, help="Print the elements as LaTeX.")
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Write the answer to FILE.json as well.")
@click.option("--show", default=24, show_default=True, type=click.IntRange(0), help="Elements of each order to print.")
def command(
    group: str, dim: int | None, max_elements: int, in_rep: str, out_rep: str, order: int, max_unknowns: int,
    as_json: bool, as_latex: bool, output: Path | None, show: int,
) -> None:  # fmt: skip
    """Find all PDOs of order at most N that commute with a group, exactly, and prove that there are no others.

    \b
    pdobasis solve --group D8 --in regular --out trivial
    pdobasis solve --group "SO(3)" --in vector --out vector --order 3
    pdobasis solve --group my.yaml --in vector --out "sym(2, vector)" --json
    """
    from pdobasis.files.json_file import dump
    from pdobasis.solve import solve_problem
    from pdobasis.spec import parse_problem

    check_output(output)
    with progress() as report:
        problem = parse_problem(group, in_rep, out_rep, order, dim, max_elements)
        basis = solve_problem(problem, max_unknowns=max_unknowns, progress=report)
        text = dump(basis) if as_json or output else ""
    if as_json:
        click.echo(text, nl=False)
    elif as_latex:
        for element in basis.elements:
            click.echo(element.latex())
    else:
        print_basis(basis, show)
    if output:
        from pdobasis.files.atomic import write_atomically

        write_atomically(output, text.encode())
        click.echo(f"wrote {output}", err=True)


def check_output(output: Path | None) -> None:
    """A wrong name is refused before any work."""
    if output is not None and output.suffix != ".json":
        raise click.BadParameter(
            f"{output}: a basis is written as JSON; give a name that ends in .json", param_hint="-o"
        )
    if output is not None and not output.parent.is_dir():
        raise click.BadParameter(f"{output}: there is no folder {output.parent}", param_hint="-o")


def print_basis(basis: Basis, show: int) -> None:
    """The answer for a reader."""
    problem = basis.problem
    print_line(question_text(problem), "bold")
    if basis.dimension:
        print_table(("order", "name", "operator"), _rows(basis, show))
    else:
        print_line(empty_text(problem))
    _print_summary(basis)


def question_text(problem: Problem) -> str:
    group = problem.group
    elements = "infinitely many elements" if group.order is None else f"{group.order} element{'s' * (group.order != 1)}"
    return (
        f"{group.name} ({elements}, dimension {group.dim}): {problem.in_type} (size {problem.in_type.size}) "
        f"→ {problem.out_type} (size {problem.out_type.size}), order ≤ {problem.order}"
    )


def empty_text(problem: Problem) -> str:
    from pdobasis.solve import lowest_order

    found, searched = lowest_order(problem)
    if found is None:
        return f"There are no equivariant PDOs up to order {searched}."
    return f"There are no equivariant PDOs of order ≤ {problem.order}; the lowest order with solutions is {found}."


def _rows(basis: Basis, show: int) -> list[tuple[str, str, str]]:
    rows: list[tuple[str, str, str]] = []
    at = 0
    for order, number in basis.dimensions.items():
        shown = basis.elements[at : at + min(number, show)]
        rows += [(str(order), element.name or "", operator_text(element)) for element in shown]
        if number > len(shown):
            rows.append((str(order), "", f"… and {number - len(shown)} more (--show {number}, --json or -o FILE.json)"))
        at += number
    return rows


def operator_text(element: Element) -> str:
    """The matrix when it fits, otherwise its non-zero entries."""
    rows, columns = element.shape
    if rows * columns <= DENSE_COLUMNS or (rows == 1 and columns <= 64):
        return bracketed(element.pretty())
    pretty = element.pretty()
    entries = [f"({r + 1},{c + 1}) {pretty[r][c]}" for r, c in element.entries]
    text = f"{rows}×{columns}: " + "; ".join(entries)
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def _print_summary(basis: Basis) -> None:
    counts = ", ".join(f"{k} of order {n}" for n, k in basis.dimensions.items())
    certificate = basis.certificate
    print_line(f"{basis.dimension} element{'s' * (basis.dimension != 1)}: {counts}", "bold")
    for claim, holds, how in (
        ("equivariant", certificate.equivariant, certificate.how_equivariant),
        ("independent", certificate.independent, certificate.how_independent),
        ("complete", certificate.complete, certificate.how_complete),
    ):
        print_line(f"{'✓' if holds else '✗'} {claim}: {how}", "green" if holds else "red")

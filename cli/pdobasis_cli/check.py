"""pdobasis check: the reverse question."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from pdobasis_cli.console import MARKS, bracketed, print_line, progress
from pdobasis_cli.options import group_options

if TYPE_CHECKING:
    from pdobasis.algebra.symmetries import Symmetries
    from pdobasis.exact.array import ExactArray

SHOWN = 6
"""Elements of a finite group that are printed."""


@click.command("check")
@group_options
@click.option("--in", "in_rep", required=True, help="Input representation.")
@click.option("--out", "out_rep", required=True, help="Output representation.")
@click.option(
    "--operator",
    "text",
    required=True,
    metavar="MATRIX",
    help="Rows with ; and columns with , as in 'd1, d2' or 'd2; -d1'.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def command(
    group: str, dim: int | None, max_elements: int, in_rep: str, out_rep: str, text: str, as_json: bool
) -> None:  # fmt: skip
    """Is an operator equivariant, exactly? If not: under which subgroup is it?

    The subalgebra of the Lie algebra that it commutes with, and the elements (of a finite group; of an infinite one the
    signed permutations in it, and turns where no continuous symmetry is left).

    \b
    pdobasis check --group "O(2)" --in vector --out trivial --operator "d1, d2"
    pdobasis check --group "GL(3)" --in trivial --out trivial \\
        --operator "d1**2 + d2**2 - d3**2"

    Exit code 0: it is equivariant. 1: it is not.
    """
    from pdobasis.algebra.operator import operator
    from pdobasis.algebra.symmetries import symmetries
    from pdobasis.question.text import resolve_group

    with progress():
        own = resolve_group(group, dim, max_elements)
        op = operator(text, own.dim)
        found = symmetries(op, own, in_rep, out_rep)
    if as_json:
        square = op.shape[0] == op.shape[1]
        more = {
            "operator": op.strings(),
            "order": op.order,
            "self_adjoint": square and op.adjoint() == op,
            "skew": square and op.adjoint() == -op,
        }
        click.echo(json.dumps({**found.to_json(), **more}))
    else:
        print_line(f"{op.name or 'operator'}: {in_rep} → {out_rep}, {op}", "bold")
        print_symmetries(found)
    if not found.is_equivariant:
        raise click.exceptions.Exit(1)


def print_symmetries(found: Symmetries) -> None:
    mark, style = MARKS[found.is_equivariant]
    verdict = "equivariant" if found.is_equivariant else "not equivariant"
    print_line(f"{mark} {verdict} under {found.group.name}", style)
    if found.is_equivariant:
        return
    if found.of_algebra:
        print_line(
            f"Lie algebra of its symmetries: dimension {len(found.algebra)} of {found.of_algebra}"
        )
        for x in found.algebra:
            click.echo(_matrix(x))
    if found.of_elements:
        number = f"elements found that keep it: {len(found.elements)}"
        if found.group.is_finite:
            number = (
                f"elements that keep it: {len(found.elements)} of {found.of_elements}"
            )
        print_line(number)
        for g in found.elements[:SHOWN]:
            click.echo(_matrix(g))
        if len(found.elements) > SHOWN:
            click.echo(f"… and {len(found.elements) - SHOWN} more (--json)")


def _matrix(m: ExactArray) -> str:
    from pdobasis.exact.writing import pretty_number

    n = range(len(m))
    return bracketed([[pretty_number(m[i, j]) for j in n] for i in n])

"""pdobasis complex: operators that compose to zero."""

from __future__ import annotations

import json

import click

from pdobasis_cli.console import bracketed, print_line, progress
from pdobasis_cli.options import group_options


@click.command("complex")
@group_options
@click.option(
    "--field",
    "fields",
    multiple=True,
    required=True,
    metavar="REP",
    help="The fields one after the other: trivial, vector, …",
)
@click.option(
    "--order",
    "orders",
    multiple=True,
    type=click.IntRange(1),
    help="Order of the operators: one for all, or one for each step.",
)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Chains whose symbols are no exact sequence, too.",
)
@click.option(
    "--show",
    default=4,
    show_default=True,
    type=click.IntRange(0),
    help="Complexes to print, the sparsest first.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the operators as JSON.")
def command(
    group: str, dim: int | None, max_elements: int, fields: tuple[str, ...], orders: tuple[int, ...],
    everything: bool, show: int, as_json: bool
) -> None:  # fmt: skip
    """Find all operators that annihilate those before them, from bases alone.

    \b
    pdobasis complex --group "SO(3)" --field trivial --field vector \\
        --field vector --field trivial
    pdobasis complex --group "O(3)" --field vector --field "sym(2, vector)" \\
        --field "sym(2, vector)" --field vector --order 1 --order 2 --order 1
    pdobasis complex --group "SO(3)" --field trivial --field "sym(2, vector)" \\
        --field "irrep(2)+vector" --field vector --order 2 --order 1 --order 1

    These are the complexes of de Rham, of elasticity, and of Hessians.
    """
    from pdobasis.algebra.complexes import complexes
    from pdobasis.question.text import resolve_group

    wanted = list(orders) or [1]
    if len(wanted) == 1:
        wanted *= len(fields) - 1
    with progress():
        own = resolve_group(group, dim, max_elements)
        found = complexes(own, fields, wanted, exact=not everything)
    if as_json:
        chains = [
            {
                "operators": [op.strings() for op in chain.operators],
                "names": [op.name for op in chain.operators],
                "is_complex": chain.is_complex,
                "is_exact": chain.is_exact,
            }
            for chain in found
        ]
        answer = {"fields": list(fields), "orders": wanted, "complexes": chains}
        click.echo(json.dumps(answer))
        return
    for chain in found[:show]:
        print_line(chain.outline(), "bold")
        for k, op in enumerate(chain.operators, start=1):
            if op.name is None:
                print_line(f"P{k} =")
                click.echo(bracketed(op.pretty()))
    if len(found) > show:
        print_line(f"… and {len(found) - show} more (--show {len(found)}, --json)")
    number = f"{len(found)} complex{'es' * (len(found) != 1)}"
    if not found and not everything:
        number += (
            ": none is exact from end to end (--all lists parts of complexes, too)"
        )
    print_line(number)

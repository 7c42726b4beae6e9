"""pdobasis groups: the catalogue, or one group."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from pdobasis_cli.console import bracketed, print_line, print_table

if TYPE_CHECKING:
    from pdobasis.exact.array import ExactArray
    from pdobasis.groups.group import Group

EXAMPLES = (
    # of the plane, or of any dimension
    *("C4", "C8", "D4", "D8", "flip", "flip(pi/4)", "trivial(2)", "inversion(3)"),
    # classical
    *("SO(2)", "O(2)", "SO(3)", "O(3)", "SO(4)"),
    *("SO(1,1)", "SO(1,3)", "SO+(1,3)", "O(1,3)"),
    *("SL(2)", "GL(2)", "GL(3)", "Sp(4)", "scaling(1,2)", "SO(3) x inversion"),
    # point groups
    *("C4v", "C4h", "D4h", "D2d", "S4"),
    *("Cs", "Ci", "T", "Td", "Th", "O", "Oh", "I", "Ih"),
)


@click.command("groups")
@click.argument("name", required=False)
@click.option(
    "--dim",
    type=click.IntRange(1, 24),
    help="Dimension, where the name leaves it open.",
)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(name: str | None, dim: int | None, as_json: bool) -> None:
    """List the groups with dimension, order and generators; or show one, with its matrices.

    \b
    pdobasis groups
    pdobasis groups D8
    pdobasis groups my.yaml
    """
    from pdobasis.groups.catalogue import catalogue, parse_group
    from pdobasis.groups.point import HERMANN_MAUGUIN
    from pdobasis.question.text import resolve_group

    if name is not None:
        group = resolve_group(name, dim)
        _require(group)
        if as_json:
            _print_json([group])
        else:
            _print_one(group)
        return
    listed = [parse_group(n) for n in (*EXAMPLES, *HERMANN_MAUGUIN)]
    if as_json:
        _print_json(listed)
        return
    print_table(("name", "dimension", "what"), catalogue(), "What can be written")
    rows = [(g.name, str(g.dim), g.order_text, generators_text(g)) for g in listed]
    print_table(
        ("group", "dim", "order", "generators"),
        rows,
        "Some groups, and all crystal classes",
    )
    click.echo("pdobasis groups NAME shows one group with its matrices.")


def _require(group: Group) -> None:
    """Numbers are shown as cosines where they are: the cosines of the conductor are looked through for that."""
    from pdobasis.bounds.estimate import cost

    numbers = group.field.conductor / 2 * group.field.degree
    cost("cosines", {"numbers": numbers}).require(
        f"writing the numbers of {group.name}", "take a smaller group"
    )


def generators_text(group: Group) -> str:
    from pdobasis.exact.writing import pretty_number

    parts = []
    for label, m in zip(group.labels, group.generators, strict=True):
        rows = [" ".join(row) for row in _texts(m, pretty_number)]
        parts.append(f"{label} = [{'; '.join(rows)}]")
    number = len(group.lie)
    if number == 1:
        parts.append("1 Lie generator")
    elif number:
        parts.append(f"{number} Lie generators")
    return ", ".join(parts) or "none"


def _matrix(m: ExactArray) -> str:
    from pdobasis.exact.writing import pretty_number

    return bracketed(_texts(m, pretty_number))


def _texts(m: ExactArray, write: Callable[[ExactArray], str]) -> list[list[str]]:
    rows, columns = m.shape
    return [[write(m[i, j]) for j in range(columns)] for i in range(rows)]


def _print_one(group: Group) -> None:
    print_line(
        f"{group.name}: dimension {group.dim}, order {group.order_text}, over {group.field}",
        "bold",
    )
    if group.is_orthogonal:
        print_line("a subgroup of O(d)")
    else:
        print_line("not orthogonal")
    rows = []
    for label, m in zip(group.labels, group.generators, strict=True):
        rows.append((label, _matrix(m)))
    for k, x in enumerate(group.lie):
        rows.append((f"X{k + 1} (Lie)", _matrix(x)))
    print_table(("generator", "matrix"), rows or [("none", "")])


def _print_json(groups: list[Group]) -> None:
    import json

    click.echo(json.dumps([_as_json(group) for group in groups], indent=1))


def _as_json(group: Group) -> dict[str, Any]:
    from pdobasis.exact.writing import number_text

    # as texts: a number such as sqrt(3)/2 stays exact
    generators = {}
    for label, m in zip(group.labels, group.generators, strict=True):
        generators[label] = _texts(m, number_text)
    return {
        "group": group.name,
        "dim": group.dim,
        "order": group.order,
        "orthogonal": group.is_orthogonal,
        "field": str(group.field),
        "generators": generators,
        "lie": [_texts(x, number_text) for x in group.lie],
    }

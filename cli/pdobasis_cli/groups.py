"""pdobasis groups: the catalogue, or one group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pdobasis_cli.console import bracketed, print_line, print_table

if TYPE_CHECKING:
    from pdobasis.exact.array import ExactArray
    from pdobasis.groups.group import Group

EXAMPLES = (
    "C4", "C8", "D4", "D8", "flip", "flip(pi/4)", "trivial(2)", "inversion(3)", "SO(2)", "O(2)", "SO(3)", "O(3)",
    "SO(4)", "SO(1,1)", "SO(1,3)", "SO+(1,3)", "O(1,3)", "SL(2)", "GL(2)", "GL(3)", "Sp(4)", "scaling(1,2)",
    "SO(3) x inversion", "C4v", "C4h", "D4h", "D2d", "S4", "Cs", "Ci", "T", "Td", "Th", "O", "Oh", "I", "Ih",
)  # fmt: skip


@click.command("groups")
@click.argument("name", required=False)
@click.option("--dim", type=click.IntRange(1, 24), help="Dimension, where the name leaves it open.")
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
        _print_json([group]) if as_json else _print_one(group)
        return
    listed = [parse_group(n) for n in (*EXAMPLES, *HERMANN_MAUGUIN)]
    if as_json:
        _print_json(listed)
        return
    print_table(("name", "dimension", "what"), catalogue(), "What can be written")
    rows = [(g.name, str(g.dim), g.order_text, generators_text(g)) for g in listed]
    print_table(("group", "dim", "order", "generators"), rows, "Some groups, and all crystal classes")
    click.echo("pdobasis groups NAME shows one group with its matrices.")


def generators_text(group: Group) -> str:
    from pdobasis.exact.writing import pretty_number

    parts = []
    for label, m in zip(group.labels, group.generators, strict=True):
        rows = "; ".join(" ".join(pretty_number(m[i, j]) for j in range(group.dim)) for i in range(group.dim))
        parts.append(f"{label} = [{rows}]")
    if group.lie:
        parts.append(f"{len(group.lie)} Lie generator{'s' * (len(group.lie) > 1)}")
    return ", ".join(parts) or "none"


def _matrix(m: ExactArray) -> str:
    from pdobasis.exact.writing import pretty_number

    return bracketed([[pretty_number(m[i, j]) for j in range(m.shape[1])] for i in range(m.shape[0])])


def _print_one(group: Group) -> None:
    print_line(f"{group.name}: dimension {group.dim}, order {group.order_text}, over {group.field}", "bold")
    print_line("a subgroup of O(d)" if group.is_orthogonal else "not orthogonal")
    rows = [(label, _matrix(m)) for label, m in zip(group.labels, group.generators, strict=True)]
    rows += [(f"X{k + 1} (Lie)", _matrix(x)) for k, x in enumerate(group.lie)]
    print_table(("generator", "matrix"), rows or [("none", "")])


def _print_json(groups: list[Group]) -> None:
    import json

    from pdobasis.exact.writing import number_text

    def rows(m: ExactArray) -> list[list[str]]:
        return [[number_text(m[i, j]) for j in range(m.shape[1])] for i in range(m.shape[0])]

    data: list[dict[str, Any]] = [
        {
            "group": g.name,
            "dim": g.dim,
            "order": g.order,
            "orthogonal": g.is_orthogonal,
            "field": str(g.field),
            "generators": {k: rows(m) for k, m in zip(g.labels, g.generators, strict=True)},
            "lie": [rows(x) for x in g.lie],
        }
        for g in groups
    ]
    click.echo(json.dumps(data, indent=1))

"""pdobasis reps: what representations a group has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from pdobasis_cli.console import print_line, print_table, progress
from pdobasis_cli.options import group_options

if TYPE_CHECKING:
    from pdobasis.groups.group import Group

Row = tuple[str, int, str]
"""The text, the size, what it is."""


@click.command("reps")
@group_options
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(group: str, dim: int | None, max_elements: int, as_json: bool) -> None:
    """List the representations of a group, their sizes, and how the regular one decomposes.

    \b
    pdobasis reps --group D8
    pdobasis reps --group "O(3)"
    """
    from pdobasis.bounds.estimate import cost
    from pdobasis.question.text import parse_field_type, resolve_group
    from pdobasis.representations.listing import (
        CONSTRUCTIONS,
        listed,
        regular_decomposition,
    )
    from pdobasis.representations.named import irreps_of, named_irreps

    with progress():
        g = resolve_group(group, dim, max_elements)
        number = float(len(irreps_of(g)))
        cost("irreps", {"irreps": number}).require(
            f"{number:,.0f} irreps", "take a smaller group"
        )
        irreps = named_irreps(g)
        rows = []
        for name, what in listed(g):
            # sizes come from the representations themselves, so that whatever is listed can be read
            if name == "regular":
                size = g.order or 0
            elif name in irreps:
                size = irreps[name].size
            else:
                size = parse_field_type(name, g).size
            rows.append((name, size, what))
        parts = regular_decomposition(g)
    if as_json:
        _print_json(g, rows, parts)
        return
    print_line(f"{g.name}: dimension {g.dim}, order {g.order_text}", "bold")
    cells = [(name, str(size), what) for name, size, what in rows]
    print_table(("representation", "size", "what"), cells)
    if parts is not None:
        total = " + ".join(_times(name, times) for name, times in parts)
        print_line(f"regular = {total}")
    print_table(("construction", "what"), CONSTRUCTIONS)


def _print_json(
    group: Group, rows: Sequence[Row], parts: Sequence[tuple[str, int]] | None
) -> None:
    import json

    reps = [{"spec": name, "size": size, "what": what} for name, size, what in rows]
    # null where the irreps have no names; an empty mapping would say that there are none
    regular = None
    if parts is not None:
        regular = dict(parts)
    data = {
        "group": group.name,
        "order": group.order,
        "reps": reps,
        "regular": regular,
    }
    click.echo(json.dumps(data, indent=1))


def _times(name: str, times: int) -> str:
    if times == 1:
        return name
    return f"{times}x{name}"

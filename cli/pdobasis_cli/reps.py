"""pdobasis reps: what representations a group has."""

from __future__ import annotations

import click

from pdobasis_cli.console import print_line, print_table
from pdobasis_cli.options import group_options


@click.command("reps")
@group_options
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(group: str, dim: int | None, max_elements: int, as_json: bool) -> None:
    """List the representations of a group, their sizes, and how the regular one decomposes.

    \b
    pdobasis reps --group D8
    pdobasis reps --group "O(3)"
    """
    from pdobasis.question.text import parse_field_type, resolve_group
    from pdobasis.representations.listing import CONSTRUCTIONS, listed, regular_decomposition

    g = resolve_group(group, dim, max_elements)
    rows = [(name, parse_field_type(name, g).size, what) for name, what in listed(g)]
    parts = regular_decomposition(g)
    if as_json:
        import json

        reps = [{"spec": name, "size": size, "what": what} for name, size, what in rows]
        decomposition = dict(parts) if parts is not None else None
        click.echo(json.dumps({"group": g.name, "order": g.order, "reps": reps, "regular": decomposition}, indent=1))
        return
    print_line(f"{g.name}: dimension {g.dim}, order {g.order_text}", "bold")
    print_table(("representation", "size", "what"), [(name, str(size), what) for name, size, what in rows])
    if parts is not None:
        total = " + ".join(f"{times}x{name}" if times > 1 else name for name, times in parts)
        print_line(f"regular = {total}")
    print_table(("construction", "what"), CONSTRUCTIONS)

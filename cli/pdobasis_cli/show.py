"""pdobasis show: what is in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pdobasis_cli.console import print_line, print_table, progress

if TYPE_CHECKING:
    from pdobasis.files.stencil_file import StencilFile


@click.command("show")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--show", default=12, show_default=True, type=click.IntRange(0), help="Elements to print.")
@click.option("--entries", default=8, show_default=True, type=click.IntRange(1), help="Non-zero entries of each.")
@click.option("--json", "as_json", is_flag=True, help="Print the meta data as JSON.")
def command(file: Path, show: int, entries: int, as_json: bool) -> None:
    """Print what is in FILE: a basis (of solve -o) or stencils (of export -o).

    Stencils are read and their checksum is checked; verify proves them.

    \b
    pdobasis show d8.npz
    """
    from pdobasis.files import load_stencils
    from pdobasis.files.formats import is_stencil_file

    if not is_stencil_file(file):
        _show_basis(file, show, as_json)
        return
    with progress():
        contents = load_stencils(file)
    if as_json:
        import json

        shapes = {name: list(array.shape) for name, array in contents.arrays.items()}
        click.echo(json.dumps({**contents.meta, "shapes": shapes}, ensure_ascii=False, indent=1))
        return
    _print_meta(contents)
    for element in range(min(show, len(contents.orders))):
        _print_element(contents, element, entries)
    if len(contents.orders) > show:
        click.echo(f"… and {len(contents.orders) - show} more elements (--show {len(contents.orders)})")


def _show_basis(file: Path, show: int, as_json: bool) -> None:
    from pdobasis.files.json_file import dump, load_basis
    from pdobasis_cli.solve import print_basis

    with progress() as report:
        basis = load_basis(file, report)
    if as_json:
        click.echo(dump(basis), nl=False)
    else:
        print_basis(basis, show)


def _print_meta(file: StencilFile) -> None:
    from pdobasis.files.python_source import what

    meta = file.meta
    spaces = f"{meta['in']['spec']} → {meta['out']['spec']}"
    print_line(f"{meta['group']}: {spaces}, order ≤ {meta['order']}, {len(file.orders)} elements", "bold")
    up = "x2 ↑" if meta["discretization"]["layout"] == "image" else "x2 ↓"
    axes = "" if file.monomials.shape[1] == 1 else f", {up}"
    claims = meta.get("certificate", {})
    proved = all(claims.get(k) is True for k in ("equivariant", "independent", "complete"))
    rows = [
        ("stencils", what(file)),
        ("layout", f"{meta['discretization']['layout']}: x1 →{axes}"),
        ("certificate", "claims a proof (pdobasis verify proves it again)" if proved else "claims no proof"),
        ("checksum", f"fits ({meta['checksum'][:19]}…)"),
        *((name, " × ".join(str(n) for n in array.shape)) for name, array in file.arrays.items()),
    ]
    print_table(("what", "value"), rows)


def _print_element(file: StencilFile, element: int, entries: int) -> None:
    import numpy as np

    from pdobasis_cli.blocks import print_stencils

    meta = file.meta["elements"]
    name = meta[element].get("name", "") if len(meta) == len(file.orders) else ""
    rings = file.meta["discretization"].get("rings")
    ring = f", ring {rings[element]}" if rings else ""
    what = "angular order" if rings else "order"
    print_line(f"element {element}: {what} {file.orders[element]}{ring}{f', {name}' if name else ''}", "bold")
    stencil = file.stencils[element]
    places = [p for p in np.ndindex(*stencil.shape[:2]) if stencil[p].any()]
    named = [(f"out {o} ← in {i}", stencil[o, i]) for o, i in places[:entries]]
    print_stencils(named, float(np.abs(stencil).max(initial=0.0)))
    if len(places) > entries:
        click.echo(f"  … and {len(places) - entries} more entries (--entries {len(places)})")

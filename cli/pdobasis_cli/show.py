"""pdobasis show: what is in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pdobasis_cli.console import print_line, print_table, progress

if TYPE_CHECKING:
    from pdobasis.files.stencil_file import StencilFile


@click.command("show")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--show",
    default=12,
    show_default=True,
    type=click.IntRange(0),
    help="Elements to print.",
)
@click.option(
    "--entries",
    default=8,
    show_default=True,
    type=click.IntRange(1),
    help="Non-zero entries of each.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the meta data as JSON.")
def command(file: Path, show: int, entries: int, as_json: bool) -> None:
    """Print what is in FILE: a basis (of solve -o) or stencils (of export -o).

    Stencils are read and their checksum is checked; verify proves them.

    \b
    pdobasis show d8.npz
    """
    from pdobasis.files.formats import open_file

    with progress():
        contents = open_file(file)
    if isinstance(contents, dict):
        _show_basis(file, contents, show, as_json)
        return
    if as_json:
        import json

        shapes = {name: list(array.shape) for name, array in contents.arrays.items()}
        click.echo(
            json.dumps(
                {**contents.meta, "shapes": shapes}, ensure_ascii=False, indent=1
            )
        )
        return
    _print_meta(contents)
    for element in range(min(show, len(contents.orders))):
        _print_element(contents, element, entries)
    if len(contents.orders) > show:
        click.echo(
            f"… and {len(contents.orders) - show} more elements (--show {len(contents.orders)})"
        )


def _show_basis(file: Path, data: dict[str, Any], show: int, as_json: bool) -> None:
    from pdobasis.files.json_file import dump, prove_basis
    from pdobasis_cli.solve import print_basis

    with progress() as report:
        basis = prove_basis(file, data, report)
    if as_json:
        click.echo(dump(basis), nl=False)
    else:
        print_basis(basis, show)


def _print_meta(file: StencilFile) -> None:
    from pdobasis.files.python_source import truncated, what

    meta = file.meta
    spaces = f"{meta['in']['spec']} → {meta['out']['spec']}"
    print_line(
        f"{meta['group']}: {spaces}, order ≤ {meta['order']}{truncated(file)}, {len(file.orders)} elements",
        "bold",
    )
    axes = ""
    if file.monomials.shape[1] > 1:
        axes = {"image": ", x2 ↑", "grid": ", x2 ↓"}[meta["discretization"]["layout"]]
    claims = meta.get("certificate", {})
    proof = "claims no proof"
    third = "truncated" if "truncated" in claims else "complete"
    if all(claims.get(k) is True for k in ("equivariant", "independent", third)):
        proof = "claims a proof (pdobasis verify proves it again)"
    rows = [
        ("stencils", what(file)),
        ("layout", f"{meta['discretization']['layout']}: x1 →{axes}"),
        ("certificate", proof),
        ("checksum", f"fits ({meta['checksum'][:19]}…)"),
        *(
            (name, " × ".join(str(n) for n in array.shape))
            for name, array in file.arrays.items()
        ),
    ]
    print_table(("what", "value"), rows)


def _print_element(file: StencilFile, element: int, entries: int) -> None:
    import numpy as np

    from pdobasis_cli.blocks import print_stencils

    print_line(f"element {element}: {_described(file, element)}", "bold")
    stencil = file.stencils[element]
    places = [p for p in np.ndindex(*stencil.shape[:2]) if stencil[p].any()]
    named = [(f"out {o} ← in {i}", stencil[o, i]) for o, i in places[:entries]]
    print_stencils(named, float(np.abs(stencil).max(initial=0.0)))
    if len(places) > entries:
        click.echo(
            f"  … and {len(places) - entries} more entries (--entries {len(places)})"
        )


def _described(file: StencilFile, element: int) -> str:
    words = f"order {file.orders[element]}"
    rings = file.meta["discretization"].get("rings")
    if rings:
        words = f"angular order {file.orders[element]}, ring {rings[element]}"
    meta = file.meta["elements"]
    # kernels are more than the elements of the basis, which have the names
    if len(meta) == len(file.orders) and meta[element].get("name"):
        words += f", {meta[element]['name']}"
    return words

"""pdobasis show: what is in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pdobasis_cli.console import (
    json_text,
    layout_of,
    print_line,
    print_table,
    progress,
)
from pdobasis_cli.options import choice_options, size_option

if TYPE_CHECKING:
    from pdobasis.answer.choose import Condition
    from pdobasis.answer.told import Layout
    from pdobasis.files.stencil_file import StencilFile


@click.command("show")
@click.argument("file", type=click.Path(path_type=Path))
@size_option
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
@choice_options
@click.option("--json", "as_json", is_flag=True, help="Print the meta data as JSON.")
def command(
    file: Path,
    show: int,
    entries: int,
    full: bool,
    only: tuple[Condition, ...],
    sort: str | None,
    as_json: bool,
    max_unknowns: int,
) -> None:
    """Print what is in FILE: a basis (of solve -o), terms (of terms -o) or stencils (of export -o).

    Stencils are read and their checksum is checked; verify proves them. --only, --sort and --full are about a basis.

    \b
    pdobasis show d8.npz
    """
    from pdobasis.files.formats import open_file
    from pdobasis.nonlinear.file import open_terms

    layout = layout_of(show, full, only, sort)
    # a pipe can be read once, and is left to the reader of bases
    if file.is_file() and (terms := open_terms(file)) is not None:
        _show_terms(terms, show, as_json)
        return
    with progress():
        contents = open_file(file)
    if isinstance(contents, dict):
        _show_basis(file, contents, layout, as_json, max_unknowns)
        return
    if as_json:
        shapes = {name: list(array.shape) for name, array in contents.arrays.items()}
        click.echo(json_text({**contents.meta, "shapes": shapes}, indent=1))
        return
    _print_meta(contents)
    for element in range(min(show, len(contents.orders))):
        _print_element(contents, element, entries)
    if len(contents.orders) > show:
        click.echo(
            f"… and {len(contents.orders) - show} more elements (--show {len(contents.orders)})"
        )


def _show_terms(data: dict[str, Any], show: int, as_json: bool) -> None:
    """What a file of terms says; verify proves it."""
    import json

    if as_json:
        data = {key: value for key, value in data.items() if key != "terms"}
        click.echo(json.dumps(data, ensure_ascii=False, indent=1))
        return
    from pdobasis.errors import FileFormatError

    try:
        listed = list(data["terms"])
        fields = ", ".join(f"{f['name']} ({f['spec']})" for f in data["fields"])
        title = f"{data['group']}: {fields} → {data['out']['spec']}"
        rows = [(str(t.get("name", "")), str(t["text"])) for t in listed[:show]]
    except (KeyError, TypeError, AttributeError) as error:
        raise FileFormatError(f"the file of terms is damaged: {error!r:.80}") from None
    print_line(f"{title}: {len(listed)} terms", "bold")
    print_table(("name", "term"), rows)
    if len(listed) > show:
        click.echo(f"… and {len(listed) - show} more (--show {len(listed)})")


def _show_basis(
    file: Path, data: dict[str, Any], layout: Layout, as_json: bool, max_unknowns: int
) -> None:
    from pdobasis.files.json_file import dump, prove_basis
    from pdobasis.files.module_file import is_module
    from pdobasis_cli.all_orders import show_all_orders
    from pdobasis_cli.solve import print_basis

    if is_module(data):
        show_all_orders(file, data, layout.show, as_json)
        return

    with progress() as report:
        basis = prove_basis(file, data, report, max_unknowns)
    if as_json:
        click.echo(dump(basis), nl=False)
    else:
        print_basis(basis, layout)


def _print_meta(file: StencilFile) -> None:
    from pdobasis.answer.family import counted
    from pdobasis.files.words import truncated, what

    meta = file.meta
    spaces = f"{meta['in']['spec']} → {meta['out']['spec']}"
    count = counted(len(file.orders), "element")
    print_line(
        f"{meta['group']}: {spaces}, order ≤ {meta['order']}{truncated(file)}, {count}",
        "bold",
    )
    axes = ""
    if file.monomials.shape[1] > 1:
        # one orientation for both layouts, and that of pictures
        axes = {
            "image": ", x2 ↑ (as the rows of the array)",
            "grid": ", x2 ↑ (the last row of the array first)",
        }[meta["discretization"]["layout"]]
    first = "x1"
    if "lattice" in meta["discretization"]:
        first, axes = "n1", axes.replace("x2", "n2") + ": steps along the vectors"
    claims = meta.get("certificate", {})
    proof = "claims no proof"
    third = "truncated" if "truncated" in claims else "complete"
    if all(claims.get(k) is True for k in ("equivariant", "independent", third)):
        proof = "claims a proof (pdobasis verify proves it again)"
    rows = [
        ("stencils", what(file)),
        ("layout", f"{meta['discretization']['layout']}: {first} →{axes}"),
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
    upwards = stencil
    if stencil.ndim > 3 and file.meta["discretization"]["layout"] == "grid":
        upwards = np.flip(stencil, axis=-2)
    named = [(f"out {o + 1} ← in {i + 1}", upwards[o, i]) for o, i in places[:entries]]
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

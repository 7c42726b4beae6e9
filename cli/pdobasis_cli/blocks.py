"""Small stencils as coloured blocks in a terminal, as numbers in a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import numpy as np

from pdobasis_cli.console import is_terminal

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from rich.text import Text

MAX_SIDE = 15
RED, BLUE = (178, 24, 43), (33, 102, 172)


def print_stencils(named: list[tuple[str, NDArray[np.float64]]], scale: float) -> None:
    """Stencils of one element side by side, with their titles; ``scale`` is the weight of full colour."""
    blocks = [(title, plane) for name, array in named for title, plane in _planes(name, array)]
    if _has_colours() and all(max(plane.shape) <= MAX_SIDE for _, plane in blocks):
        _print_coloured(blocks, scale)
        return
    for title, plane in blocks:
        click.echo(f"  {title}")
        cells = [[f"{v:.6g}" for v in row] for row in plane.tolist()]
        width = max(len(cell) for row in cells for cell in row)
        for row in cells:
            click.echo("    " + " ".join(cell.rjust(width) for cell in row))


def _has_colours() -> bool:
    if not is_terminal():
        return False
    from rich.console import Console

    console = Console()
    return console.color_system is not None and not console.no_color


def colour(value: float, scale: float) -> tuple[int, int, int]:
    """White at zero, red for positive weights, blue for negative ones."""
    part = 0.0
    if scale:
        part = min(1.0, abs(value) / scale)
    end = BLUE
    if value > 0:
        end = RED
    # A power below 1 makes small weights visible.
    red, green, blue = (round(255 + (c - 255) * part**0.7) for c in end)
    return red, green, blue


def _planes(name: str, array: NDArray[np.float64]) -> list[tuple[str, NDArray[np.float64]]]:
    """An array in the plane as it is; in space its planes, x3 growing."""
    if array.ndim <= 2:
        return [(name, np.atleast_2d(array))]
    flat = array.reshape(-1, *array.shape[-2:])
    return [(f"{name} [{k}]", plane) for k, plane in enumerate(flat)]


def _print_coloured(blocks: list[tuple[str, Any]], scale: float) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console()
    room = console.width - 2
    line: list[tuple[str, Any]] = []
    for title, plane in [*blocks, ("", None)]:
        used = sum(_width(t, p) + 2 for t, p in line)
        if line and (plane is None or used + _width(title, plane) > room):
            _print_line(console, line, scale)
            line = []
        if plane is not None:
            line.append((title, plane))
    console.print(Text(), end="")


def _width(title: str, plane: NDArray[np.float64]) -> int:
    return max(len(title), 2 * int(plane.shape[1]))


def _print_line(console: Any, line: list[tuple[str, Any]], scale: float) -> None:
    from rich.text import Text

    head = Text("  ")
    for title, plane in line:
        head.append(title.ljust(_width(title, plane) + 2), style="dim")
    console.print(head)
    for r in range(max(plane.shape[0] for _, plane in line)):
        row = Text("  ")
        for title, plane in line:
            if r < plane.shape[0]:
                _append_cells(row, plane[r], scale)
                row.append(" " * (_width(title, plane) + 2 - 2 * plane.shape[1]))
            else:
                row.append(" " * (_width(title, plane) + 2))
        console.print(row)


def _append_cells(row: Text, values: NDArray[np.float64], scale: float) -> None:
    for value in values.tolist():
        red, green, blue = colour(value, scale)
        row.append("  ", style=f"on rgb({red},{green},{blue})")

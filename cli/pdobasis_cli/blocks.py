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
CELL = 2
"""Characters of one weight: two of them are about a square."""
GAP = 2
"""Spaces between blocks."""
RED = (178, 24, 43)
BLUE = (33, 102, 172)
GAMMA = 0.7
"""Small weights get more colour than their share, or nobody would see them."""

Block = tuple[str, "NDArray[np.float64]"]
"""A title and a plane of weights."""


def print_stencils(named: list[tuple[str, NDArray[np.float64]]], scale: float) -> None:
    """Stencils of one element side by side, with their titles; ``scale`` is the weight of full colour."""
    blocks = [
        (title, plane) for name, array in named for title, plane in _planes(name, array)
    ]
    # in a pipe, without colours, or where they are too wide: numbers
    if _has_colours() and all(max(plane.shape) <= MAX_SIDE for _, plane in blocks):
        _print_coloured(blocks, scale)
        return
    for title, plane in blocks:
        click.echo(f"  {title}")
        _print_numbers(plane)


def _print_numbers(plane: NDArray[np.float64]) -> None:
    cells = [[f"{v:.6g}" for v in row] for row in plane.tolist()]
    width = max(len(cell) for row in cells for cell in row)
    for row in cells:
        aligned = [cell.rjust(width) for cell in row]
        click.echo("    " + " ".join(aligned))


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
    strength = part**GAMMA
    red, green, blue = (round(255 + (c - 255) * strength) for c in end)
    return red, green, blue


def _planes(name: str, array: NDArray[np.float64]) -> list[Block]:
    """An array in the plane as it is; in space its planes, x3 growing."""
    if array.ndim <= 2:
        return [(name, np.atleast_2d(array))]
    # the last two axes are x2 and x1
    flat = array.reshape(-1, *array.shape[-2:])
    return [(f"{name} [{k}]", plane) for k, plane in enumerate(flat)]


def _print_coloured(blocks: list[Block], scale: float) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console()
    for line in _lines(blocks, console.width - 2):
        _print_line(console, line, scale)
    # nothing, but with rich's reset of the colours
    console.print(Text(), end="")


def _lines(blocks: list[Block], room: int) -> list[list[Block]]:
    """As many blocks on a line as there is room for, and at least one."""
    lines: list[list[Block]] = []
    used = 0
    for block in blocks:
        if not lines or used + _width(block) > room:
            lines.append([])
            used = 0
        lines[-1].append(block)
        used += _width(block) + GAP
    return lines


def _width(block: Block) -> int:
    title, plane = block
    return max(len(title), CELL * int(plane.shape[1]))


def _print_line(console: Any, line: list[Block], scale: float) -> None:
    from rich.text import Text

    head = Text("  ")
    for block in line:
        title, _ = block
        head.append(title.ljust(_width(block) + GAP), style="dim")
    console.print(head)
    for r in range(max(plane.shape[0] for _, plane in line)):
        row = Text("  ")
        for block in line:
            _append_row(row, block, r, scale)
        console.print(row)


def _append_row(text: Text, block: Block, r: int, scale: float) -> None:
    """Row r of a block, filled up with spaces; nothing but spaces below its last row."""
    _, plane = block
    spaces = _width(block) + GAP
    if r < plane.shape[0]:
        _append_cells(text, plane[r], scale)
        spaces -= CELL * plane.shape[1]
    text.append(" " * spaces)


def _append_cells(row: Text, values: NDArray[np.float64], scale: float) -> None:
    for value in values.tolist():
        red, green, blue = colour(value, scale)
        row.append(" " * CELL, style=f"on rgb({red},{green},{blue})")

"""A table as a value: formulas in a grid, notes, and where it comes from. Every style writes the same one."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from pdobasis_tables.escape import comment
from pdobasis_tables.formula import Formula, Matrix

LINE = 64
"""Characters on one line of a cell before the next matrix starts a new one."""

Item = Matrix | Formula
Prose = tuple[str | Formula, ...]
"""Words and formulas in turn."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The elements of one entry, broken into lines; no lines are the empty set."""

    lines: tuple[tuple[Item, ...], ...]

    @property
    def width(self) -> int:
        widths = (sum(map(_room, line)) for line in self.lines)
        return max(widths, default=1)

    @property
    def height(self) -> float:
        """In lines of text."""
        if not self.lines:
            return 1.0
        return sum(max(map(_height, line)) + 0.3 for line in self.lines)

    @property
    def columns(self) -> int:
        """Of the widest matrix."""
        items = (item for line in self.lines for item in line)
        return max(map(_columns, items), default=0)


@dataclass(frozen=True, slots=True)
class Head:
    """The name of a row or column, a condition under which it exists, and the mark of a note."""

    name: Formula
    condition: Formula | None = None
    mark: str = ""

    @property
    def width(self) -> int:
        width = self.name.width + len(self.mark)
        if self.condition is None:
            return width
        return max(width, self.condition.width)


@dataclass(frozen=True, slots=True)
class Table:
    """Invariant: ``cells`` has a row for each of ``rows`` and a column for each of ``columns``.

    ``marked`` are the notes that a mark of a head refers to; ``proof`` the sentences on how the entries were proved.
    """

    title: Prose
    columns: tuple[Head, ...]
    rows: tuple[Head, ...]
    cells: tuple[tuple[Cell, ...], ...]
    notes: tuple[Prose, ...] = ()
    marked: tuple[tuple[str, Prose], ...] = ()
    proof: tuple[str, ...] = ()
    circular: bool = False

    @property
    def widths(self) -> list[int]:
        out = []
        columns = zip(*self.cells, strict=True)
        for head, column in zip(self.columns, columns, strict=True):
            widest = max(head.width, *(cell.width for cell in column))
            # with the space between columns
            out.append(widest + 3)
        return out

    @property
    def heights(self) -> list[float]:
        return [max(c.height for c in row) + 0.8 for row in self.cells]


def broken(items: Sequence[Item], limit: int = LINE) -> Cell:
    """Matrices one after the other, on as few lines of ``limit`` characters as they need, and on even ones."""
    widths = [_room(item) for item in items]
    starts = starts_of_runs(widths, limit)
    # the smallest limit that needs no more lines makes them as even as they get
    for smaller in range(max(widths, default=0), limit):
        tighter = starts_of_runs(widths, smaller)
        if len(tighter) == len(starts):
            starts = tighter
            break
    ends = [*starts[1:], len(items)]
    lines = [tuple(items[a:b]) for a, b in zip(starts, ends, strict=True)]
    return Cell(tuple(line for line in lines if line))


def starts_of_runs(sizes: Sequence[float], limit: float) -> list[int]:
    """Where runs with sums up to the limit start; a run of one may be larger.

    >>> starts_of_runs([2, 2, 2, 5, 1], 4)
    [0, 2, 3, 4]
    """
    starts = [0]
    total = 0.0
    for i, size in enumerate(sizes):
        # the first of a run is taken whatever its size
        if total and total + size > limit:
            starts.append(i)
            total = 0.0
        total += size
    return starts


def origins(tables: Sequence[Table], command: Sequence[str]) -> list[list[str]]:
    """The lines of the comment before every table: how it was proved; before the first one who made the file, too."""
    line = comment(" ".join(shlex.join(["pdobasis", *command]).split()))
    made = [
        # not the version: a release that computes the same makes the same bytes
        "Made by pdobasis; do not edit. The same command makes the same bytes:",
        f"  {line}",
    ]
    blocks = [[comment(line) for line in table.proof] for table in tables]
    if blocks:
        blocks[0] = made + blocks[0]
    return blocks


def _room(item: Item) -> int:
    """With a comma and a space behind it."""
    return item.width + 2


def _height(item: Item) -> float:
    if isinstance(item, Matrix):
        return item.height
    return 1.0


def _columns(item: Item) -> int:
    if isinstance(item, Matrix):
        return len(item.rows[0])
    return 1

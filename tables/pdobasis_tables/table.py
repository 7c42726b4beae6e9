"""A table as a value: formulas in a grid, notes, and where it comes from. Every style writes the same one."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

import pdobasis
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
        return max((sum(item.width + 2 for item in line) for line in self.lines), default=1)

    @property
    def height(self) -> float:
        """In lines of text."""
        return sum(max(_height(item) for item in line) + 0.3 for line in self.lines) if self.lines else 1.0

    @property
    def columns(self) -> int:
        """Of the widest matrix."""
        sizes = (len(i.rows[0]) if isinstance(i, Matrix) else 1 for line in self.lines for i in line)
        return max(sizes, default=0)


@dataclass(frozen=True, slots=True)
class Head:
    """The name of a row or column, a condition under which it exists, and the mark of a note."""

    name: Formula
    condition: Formula | None = None
    mark: str = ""

    @property
    def width(self) -> int:
        return max(self.name.width + len(self.mark), self.condition.width if self.condition else 0)


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
        columns = zip(*self.cells, strict=True)
        return [max(h.width, *(c.width for c in column)) + 3 for h, column in zip(self.columns, columns, strict=True)]

    @property
    def heights(self) -> list[float]:
        return [max(c.height for c in row) + 0.8 for row in self.cells]


def broken(items: Sequence[Item], limit: int = LINE) -> Cell:
    """Matrices one after the other, on as few lines of ``limit`` characters as they need, and on even ones."""
    widths = [item.width + 2 for item in items]
    starts = starts_of_runs(widths, limit)
    for smaller in range(max(widths, default=0), limit):
        if len(starts_of_runs(widths, smaller)) == len(starts):
            starts = starts_of_runs(widths, smaller)
            break
    ends = [*starts[1:], len(items)]
    return Cell(tuple(tuple(items[a:b]) for a, b in zip(starts, ends, strict=True) if b > a))


def starts_of_runs(sizes: Sequence[float], limit: float) -> list[int]:
    """Where runs with sums up to the limit start; a run of one may be larger.

    >>> starts_of_runs([2, 2, 2, 5, 1], 4)
    [0, 2, 3, 4]
    """
    starts, total = [0], 0.0
    for i, size in enumerate(sizes):
        if total and total + size > limit:
            starts.append(i)
            total = 0.0
        total += size
    return starts


def origin(table: Table, command: Sequence[str]) -> list[str]:
    """The lines of the comment that every file starts with."""
    return [
        f"Made by pdobasis {pdobasis.__version__}; do not edit. The same command makes the same bytes:",
        "  " + " ".join(shlex.join(["pdobasis", *command]).split()),
        *table.proof,
    ]


def _height(item: Item) -> float:
    return item.height if isinstance(item, Matrix) else 1.0

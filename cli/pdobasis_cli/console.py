"""What is seen: rich tables in a terminal, plain text in a pipe, progress on stderr after a second."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

OTHER_COLUMNS = 48
MARKS = {True: ("✓", "green"), False: ("✗", "red"), None: ("?", "yellow")}
"""A verdict as it is printed: what was decided, and what is assumed."""


def is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def print_table(headers: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> None:
    """A rich table in a terminal, aligned columns in a pipe."""
    if is_terminal():
        from rich import box
        from rich.console import Console
        from rich.table import Table

        table = Table(title=title or None, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
        for header in headers:
            table.add_column(header, overflow="fold")
        for row in rows:
            table.add_row(*(_escaped(cell) for cell in row))
        Console().print(table)
        return
    if title:
        click.echo(title)
    blocks = [[cell.split("\n") for cell in row] for row in [list(headers), *rows]]
    widths = [max(len(line) for block in blocks for line in block[c]) for c in range(len(headers))]
    for block in blocks:
        for i in range(max(len(cell) for cell in block)):
            cells = ["".join(cell[i : i + 1]) for cell in block]  # no line where a cell has fewer
            click.echo("  ".join(text.ljust(w) for text, w in zip(cells, widths, strict=True)).rstrip())


def print_line(text: str, style: str = "") -> None:
    if is_terminal() and style:
        from rich.console import Console

        Console(highlight=False).print(_escaped(text), style=style)
    else:
        click.echo(text)


def bracketed(rows: Sequence[Sequence[str]]) -> str:
    """A matrix of texts with aligned columns and tall brackets."""
    widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    lines = ["  ".join(cell.rjust(w) for cell, w in zip(row, widths, strict=True)) for row in rows]
    if len(lines) == 1:
        if is_terminal():
            return f"[{_wrapped(rows[0])}]"
        return f"[{lines[0]}]"
    left = ["⎡", *["⎢"] * (len(lines) - 2), "⎣"]
    right = ["⎤", *["⎥"] * (len(lines) - 2), "⎦"]
    return "\n".join(a + line + b for a, line, b in zip(left, lines, right, strict=True))


def fits(text: str) -> bool:
    """Whether a matrix goes next to the other columns of a table without being broken."""
    return not is_terminal() or max(map(len, text.split("\n"))) <= max(
        shutil.get_terminal_size().columns - OTHER_COLUMNS, 30
    )


def _wrapped(cells: Sequence[str]) -> str:
    """Entries in lines that leave room for the other columns of a table; broken between entries only."""
    room = max(shutil.get_terminal_size().columns - OTHER_COLUMNS, 30)
    lines = [""]
    for cell in cells:
        if not lines[-1]:
            lines[-1] = cell
        elif len(lines[-1]) + 2 + len(cell) > room:
            lines.append(cell)
        else:
            lines[-1] += "  " + cell
    return "\n ".join(lines)


class Progress:
    """The latest message, shown on stderr once the work has taken a second."""

    def __init__(self) -> None:
        self.message = "working"
        self.done = threading.Event()

    def __call__(self, message: str) -> None:
        self.message = message

    def watch(self) -> None:
        if self.done.wait(1.0):
            return
        if sys.stderr.isatty():
            from rich.console import Console

            with Console(stderr=True).status(self.message) as status:
                while not self.done.wait(0.1):
                    status.update(_escaped(self.message))
            return
        shown, start = "", time.monotonic() - 1
        while True:
            if self.message != shown:
                shown = self.message
                click.echo(f"{shown} … ({time.monotonic() - start:.0f} s)", err=True)
            if self.done.wait(2.0):
                return


@contextmanager
def progress() -> Iterator[Progress]:
    state = Progress()
    thread = threading.Thread(target=state.watch, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.done.set()
        thread.join()


def _escaped(text: str) -> str:
    return text.replace("[", r"\[")

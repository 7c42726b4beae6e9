"""What is seen: rich tables in a terminal, plain text in a pipe, progress on stderr after a second."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest

import click

OTHER_COLUMNS = 48
"""Characters of a table beside its widest column."""
NARROWEST = 30
"""Characters that a matrix may always have."""
MARKS = {
    True: ("✓", "green"),
    False: ("✗", "red"),
    None: ("?", "yellow"),
}
"""A verdict as it is printed: what was decided, and what is assumed."""


def is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def print_table(
    headers: Sequence[str], rows: Sequence[Sequence[str]], title: str = ""
) -> None:
    """A rich table in a terminal, aligned columns in a pipe."""
    if is_terminal():
        _print_rich_table(headers, rows, title)
    else:
        _print_plain_table(headers, rows, title)


def _print_rich_table(
    headers: Sequence[str], rows: Sequence[Sequence[str]], title: str
) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(
        title=title or None,
        box=box.SIMPLE_HEAD,
        title_justify="left",
        pad_edge=False,
    )
    for header in headers:
        table.add_column(header, overflow="fold")
    for row in rows:
        table.add_row(*map(_escaped, row))
    Console().print(table)


def _print_plain_table(
    headers: Sequence[str], rows: Sequence[Sequence[str]], title: str
) -> None:
    if title:
        click.echo(title)
    # a cell may have several lines: a matrix has one for each of its rows
    blocks = [[cell.split("\n") for cell in row] for row in (headers, *rows)]
    widths = []
    for column in zip(*blocks, strict=True):
        widths.append(max(len(line) for cell in column for line in cell))
    for block in blocks:
        for line in zip_longest(*block, fillvalue=""):
            aligned = [
                text.ljust(width) for text, width in zip(line, widths, strict=True)
            ]
            click.echo("  ".join(aligned).rstrip())


def print_line(text: str, style: str = "") -> None:
    if is_terminal() and style:
        from rich.console import Console

        Console(highlight=False).print(_escaped(text), style=style)
    else:
        click.echo(text)


def bracketed(rows: Sequence[Sequence[str]]) -> str:
    """A matrix of texts with aligned columns and tall brackets."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        lines.append("  ".join(cells))
    if len(lines) == 1 and is_terminal():
        return f"[{_wrapped(rows[0])}]"
    if len(lines) == 1:
        return f"[{lines[0]}]"
    first, *middle, last = lines
    out = [f"⎡{first}⎤"]
    for line in middle:
        out.append(f"⎢{line}⎥")
    out.append(f"⎣{last}⎦")
    return "\n".join(out)


def fits(text: str) -> bool:
    """Whether a matrix goes next to the other columns of a table without being broken."""
    if not is_terminal():
        return True
    widest = max(map(len, text.split("\n")))
    return widest <= _matrix_room()


def _matrix_room() -> int:
    width = shutil.get_terminal_size().columns
    return max(width - OTHER_COLUMNS, NARROWEST)


def _wrapped(cells: Sequence[str]) -> str:
    """Entries in lines that leave room for the other columns of a table; broken between entries only."""
    room = _matrix_room()
    first, *others = cells
    lines = [first]
    for cell in others:
        longer = f"{lines[-1]}  {cell}"
        if len(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(cell)
    # under the opening bracket
    return "\n ".join(lines)


class Progress:
    """The latest message, shown on stderr once the work has taken a second."""

    def __init__(self) -> None:
        self.message = "working"
        self.done = threading.Event()

    def __call__(self, message: str) -> None:
        self.message = message

    def watch(self) -> None:
        # quick answers come without a message
        if self.done.wait(1.0):
            return
        if sys.stderr.isatty():
            self._spin()
        else:
            self._write()

    def _spin(self) -> None:
        from rich.console import Console

        with Console(stderr=True).status(self.message) as status:
            while not self.done.wait(0.1):
                status.update(_escaped(self.message))

    def _write(self) -> None:
        """A line for every new message, every two seconds at most."""
        shown = ""
        # the second that was waited counts
        start = time.monotonic() - 1
        while True:
            if self.message != shown:
                shown = self.message
                seconds = time.monotonic() - start
                click.echo(f"{shown} … ({seconds:.0f} s)", err=True)
            if self.done.wait(2.0):
                return


@contextmanager
def progress() -> Iterator[Progress]:
    # in a thread of its own, which ends with the work, whether it succeeds or not
    state = Progress()
    thread = threading.Thread(target=state.watch, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.done.set()
        thread.join()


def _escaped(text: str) -> str:
    """Square brackets are markup to rich."""
    return text.replace("[", r"\[")

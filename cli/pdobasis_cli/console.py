"""What is seen: rich tables in a terminal, plain text in a pipe, progress on a terminal after a second."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from pdobasis.answer.choose import Condition
    from pdobasis.answer.told import Layout

NARROW = 30
"""Characters of all other columns, if the last is not to be broken."""
MAX_MESSAGE = 1_200
"""Characters of a refusal."""
MARKS = {
    True: ("✓", "green"),
    False: ("✗", "red"),
    None: ("?", "yellow"),
}
"""A verdict as it is printed: what was decided, and what is assumed."""


def shown(text: str) -> str:
    """A text for people, on one line: what a terminal would obey instead of showing is written by its number.

    >>> shown("a\x1b[31m\\nproved"), shown("Δ of ∂₁")
    ('a\\\\x1b[31m\\\\nproved', 'Δ of ∂₁')
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def cut(message: str) -> str:
    """A message without the middle of what somebody gave as an argument of a thousand letters."""
    if len(message) <= MAX_MESSAGE:
        return message
    half = MAX_MESSAGE // 2
    return f"{message[:half]} … {message[-half:]}"


def json_text(data: Any, indent: int | None = None) -> str:
    """JSON: the letters of mathematics as they are, what a terminal would obey by its number."""
    import json

    text = json.dumps(data, ensure_ascii=False, indent=indent)
    if text.replace("\n", "").isprintable():
        return text
    # outside of texts there are line ends only; inside them JSON has written its own as two letters
    return "".join(
        c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text
    )


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
    from rich.text import Text

    table = Table(
        title=Text(shown(title)) if title else None,
        box=box.SIMPLE_HEAD,
        title_justify="left",
        pad_edge=False,
    )
    *others, last = headers
    for header in others:
        table.add_column(header, overflow="fold")
    # the last column is laid out already: lines are not to be broken inside of an entry
    fits = _widest(rows) <= _terminal_width() - NARROW
    table.add_column(last, overflow="fold", no_wrap=fits)
    for row in rows:
        # as a Text: square brackets and backslashes would be markup
        table.add_row(*(Text(_lines_shown(cell)) for cell in row))
    Console().print(table)


def _terminal_width() -> int:
    import shutil

    return shutil.get_terminal_size().columns


def _widest(rows: Sequence[Sequence[str]]) -> int:
    """Characters of the longest line in the last column."""
    return max((len(line) for row in rows for line in row[-1].split("\n")), default=0)


def _print_plain_table(
    headers: Sequence[str], rows: Sequence[Sequence[str]], title: str
) -> None:
    from pdobasis.operators.layout import columns

    if title:
        click.echo(shown(title))
    cells = [[_lines_shown(cell) for cell in row] for row in rows]
    click.echo(columns(headers, cells))


def print_line(text: str, style: str = "") -> None:
    if is_terminal() and style:
        from rich.console import Console
        from rich.text import Text

        Console(highlight=False).print(Text(shown(text)), style=style)
    else:
        click.echo(shown(text))


def _lines_shown(cell: str) -> str:
    """A cell of a table may have several lines, as a matrix has; names have one, since they are read."""
    return "\n".join(map(shown, cell.split("\n")))


def layout_of(
    show: int,
    full: bool = False,
    only: tuple[Condition, ...] = (),
    sort: str | None = None,
) -> Layout:
    """What fits into this terminal, or into lines of an ordinary length."""
    from pdobasis.answer.told import WIDTH, Layout

    width = WIDTH
    if is_terminal():
        width = _terminal_width()
    return Layout(
        show,
        width,
        full,
        " (--show {number}, --json or -o FILE.json)",
        only,
        sort,
    )


def bracketed(rows: Sequence[Sequence[str]]) -> str:
    """A matrix of texts with aligned columns and tall brackets."""
    from pdobasis.operators.layout import bracketed as in_brackets

    room = None
    if is_terminal():
        room = layout_of(0).room
    return in_brackets(rows, room)


class Progress:
    """The latest message, shown on a terminal once the work has taken a second."""

    def __init__(self) -> None:
        self.message = "working"
        self.started = time.monotonic()
        self.done = threading.Event()

    def __call__(self, message: str) -> None:
        self.message = message

    def watch(self) -> None:
        # quick answers come without a message
        if self.done.wait(1.0):
            return
        from rich.console import Console
        from rich.text import Text

        with Console(stderr=True).status("") as status:
            while not self.done.wait(0.1):
                seconds = time.monotonic() - self.started
                status.update(Text(shown(f"{self.message} ({seconds:.0f} s)")))


@contextmanager
def progress() -> Iterator[Progress]:
    """What is being done, on stderr where that is a terminal; stages of the library are told by themselves."""
    from pdobasis.bounds.watch import telling

    state = Progress()
    with telling(state):
        if sys.stderr is None or not sys.stderr.isatty():
            yield state
            return
        # in a thread of its own, which ends with the work, whether it succeeds or not
        thread = threading.Thread(target=state.watch, daemon=True)
        thread.start()
        try:
            yield state
        finally:
            state.done.set()
            thread.join()

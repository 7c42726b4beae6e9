"""Text in columns: matrices with tall brackets, lists of entries in lines, tables with aligned columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

LONGEST = 4_000
"""Characters of one operator that are worth printing."""


def bracketed(rows: Sequence[Sequence[str]], room: int | None = None) -> str:
    """A matrix of texts; one row may go on in further lines where there is no room for it.

    >>> print(bracketed([["a", "-b"], ["10", "c"]]))
    ⎡ a  -b⎤
    ⎣10   c⎦
    """
    if len(rows) == 1:
        return f"[{_lines(rows[0], '  ', room)}]"
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        lines.append("  ".join(cells))
    first, *middle, last = lines
    out = [f"⎡{first}⎤"]
    out += [f"⎢{line}⎥" for line in middle]
    out.append(f"⎣{last}⎦")
    return "\n".join(out)


def listed(head: str, parts: Iterable[str], room: int | None = None) -> str:
    """Parts behind a head, between semicolons; lines are broken between parts, never inside one.

    Parts that would not be printed are not asked for.

    >>> print(listed("2×2:", ["(1,1) ∂₁", "(2,2) ∂₂"], 14))
    2×2: (1,1) ∂₁;
     (2,2) ∂₂
    """
    kept: list[str] = []
    length = 0
    for part in parts:
        kept.append(part)
        length += len(part)
        if length > LONGEST:
            kept.append("…")
            break
    # the semicolon stays with the part before it
    cells = [f"{part};" for part in kept[:-1]] + kept[-1:]
    return _lines([f"{head} {cells[0]}", *cells[1:]], " ", room)


def _lines(cells: Sequence[str], between: str, room: int | None) -> str:
    if room is None:
        return between.join(cells)
    first, *others = cells
    lines = [first]
    for cell in others:
        longer = f"{lines[-1]}{between}{cell}"
        # further lines begin with a space
        if len(longer) + (len(lines) > 1) <= room:
            lines[-1] = longer
        else:
            lines.append(cell)
    # under the opening bracket
    return "\n ".join(lines)


def widest(text: str) -> int:
    return max(map(len, text.split("\n")))


def columns(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; a cell may have several lines, as a matrix has one for each of its rows.

    >>> print(columns(("order", "operator"), [("1", "⎡∂₁⎤\\n⎣∂₂⎦")]))
    order  operator
    1      ⎡∂₁⎤
           ⎣∂₂⎦
    """
    blocks = [[cell.split("\n") for cell in row] for row in (headers, *rows)]
    widths = []
    for column in zip(*blocks, strict=True):
        widths.append(max(len(line) for cell in column for line in cell))
    out = []
    for block in blocks:
        for line in zip_longest(*block, fillvalue=""):
            cells = zip(line, widths, strict=True)
            out.append("  ".join(text.ljust(width) for text, width in cells).rstrip())
    return "\n".join(out)

"""Markdown: a pipe table with $…$ formulas, and the same notes."""

from __future__ import annotations

from collections.abc import Sequence

from pdobasis_tables.escape import escape_markdown
from pdobasis_tables.formula import Formula
from pdobasis_tables.table import Cell, Head, Prose, Table, origins

# in this order: a line end with a skip before the plain one
_PLAIN = (
    (r"\PDOT{", r"\mathsf{T}_{"),
    (r"\PDOU{", r"\mathsf{U}_{"),
    (r"\\[2pt]", r"\cr"),
    (r"\\", r"\cr"),
    (r"\{", r"\lbrace "),
    (r"\}", r"\rbrace "),
    (r"\,", r"\thinspace "),
    ("|", r"\vert "),
)


def markdown(tables: Sequence[Table], command: Sequence[str]) -> str:
    out = []
    blocks = origins(tables, command)
    for table, block in zip(tables, blocks, strict=True):
        out += ["<!--", *block, "-->", ""]
        out += [*_body(table), ""]
    return "\n".join(out)


def _body(table: Table) -> list[str]:
    heads = ["out \\ in", *map(_head, table.columns)]
    lines = [f"### {_prose(table.title)}", ""]
    lines.append(_row(heads))
    lines.append("|" + " --- |" * len(heads))
    for head, row in zip(table.rows, table.cells, strict=True):
        lines.append(_row([_head(head), *map(_cell, row)]))
    # a blank line before every note, else they would be one paragraph
    for note in table.notes:
        lines += ["", _prose(note)]
    for mark, note in table.marked:
        lines += ["", f"<sup>{mark}</sup> {_prose(note)}"]
    return lines


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell) -> str:
    if not cell.lines:
        return "∅"
    lines = []
    for line in cell.lines:
        items = [_math(item.latex) for item in line]
        lines.append(", ".join(items))
    return "<br>".join(lines)


def _head(head: Head) -> str:
    out = _math(head.name.latex)
    if head.mark:
        out += f"<sup>{head.mark}</sup>"
    if head.condition is not None:
        out += f"<br>{_math(head.condition.latex)}"
    return out


def _prose(parts: Prose) -> str:
    out = ""
    for part in parts:
        if isinstance(part, Formula):
            out += _math(part.latex)
        else:
            out += escape_markdown(part)
    return out


def _math(latex: str) -> str:
    r"""Without macros of our own, and without what Markdown reads before the formula does: | and \ before a sign."""
    for ours, plain in _PLAIN:
        latex = latex.replace(ours, plain)
    return f"${latex}$"

"""Markdown: a pipe table with $…$ formulas, and the same notes."""

from __future__ import annotations

from collections.abc import Sequence

from pdobasis_tables.formula import Formula
from pdobasis_tables.table import Cell, Head, Prose, Table, origin


def markdown(tables: Sequence[Table], command: Sequence[str]) -> str:
    out = []
    for k, table in enumerate(tables):
        lines = origin(table, command) if k == 0 else list(table.proof)
        out += ["<!--", *lines, "-->", "", *_body(table), ""]
    return "\n".join(out)


def _body(table: Table) -> list[str]:
    heads = ["out \\ in", *(_head(h) for h in table.columns)]
    lines = [f"### {_prose(table.title)}", "", f"| {' | '.join(heads)} |", f"|{' --- |' * len(heads)}"]
    for head, row in zip(table.rows, table.cells, strict=True):
        lines.append(f"| {' | '.join([_head(head), *(_cell(c) for c in row)])} |")
    for note in table.notes:
        lines += ["", _prose(note)]
    for mark, note in table.marked:
        lines += ["", f"<sup>{mark}</sup> {_prose(note)}"]
    return lines


def _cell(cell: Cell) -> str:
    if not cell.lines:
        return "∅"
    return "<br>".join(", ".join(_math(item.latex) for item in line) for line in cell.lines)


def _head(head: Head) -> str:
    name = _math(head.name.latex) + (f"<sup>{head.mark}</sup>" if head.mark else "")
    return name if head.condition is None else f"{name}<br>{_math(head.condition.latex)}"


def _prose(parts: Prose) -> str:
    return "".join(_math(p.latex) if isinstance(p, Formula) else p for p in parts)


def _math(latex: str) -> str:
    r"""Without macros of our own, and without what Markdown reads before the formula does: | and \ before a sign."""
    for ours, plain in _PLAIN:
        latex = latex.replace(ours, plain)
    return f"${latex}$"


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

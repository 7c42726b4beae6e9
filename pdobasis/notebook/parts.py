"""Tables, lists of facts and matrices: what all pages of a notebook are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from pdobasis.exact.array import ExactArray

SHOWN = 24
"""Rows of a table."""
DENSE = 64
"""Entries of a matrix that is drawn; of larger ones the size is said."""


def table(headers: Sequence[str], rows: Iterable[Sequence[str]], more: int = 0) -> str:
    """Cells are HTML, headers are text; ``more`` rows are left out, and it is said.

    >>> "… 2 more" in table(["n"], [["<i>1</i>"]], 2)
    True
    """
    head = "".join(f"<th>{escape(name)}</th>" for name in headers)
    body = "".join(_row(row) for row in rows)
    if more > 0:
        body += f'<tr><td colspan="{len(headers)}">… {more} more</td></tr>'
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _row(cells: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def lines(texts: Iterable[str]) -> str:
    """A paragraph, line by line."""
    return "<p>" + "<br>".join(escape(text) for text in texts) + "</p>"


def preformatted(text: str) -> str:
    """Text in columns; long lines are broken, and no room is lost around it."""
    return f'<pre style="margin:0;white-space:pre-wrap">{escape(text)}</pre>'


def page(*parts: str) -> str:
    return "<div>" + "".join(parts) + "</div>"


def matrix(values: ExactArray) -> str:
    """A matrix of exact numbers as MathML; its size where it is large."""
    if values.size > DENSE:
        return "×".join(map(str, values.shape))
    # what writes tables has the MathML
    from pdobasis_tables.formula import math_element
    from pdobasis_tables.polynomial import of_numbers

    return math_element(of_numbers(values).mathml)


def formula(latex: str) -> str | None:
    """A line of LaTeX as MathML; None where it is beyond what tables write."""
    from pdobasis_tables.formula import math_element
    from pdobasis_tables.mathml import mathml

    try:
        return math_element(mathml(latex))
    except (ValueError, KeyError):
        return None

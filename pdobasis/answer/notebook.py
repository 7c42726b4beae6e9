"""A basis in a notebook: a table with MathML, which every browser draws without scripts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from pdobasis.answer.told import (
    Layout,
    headers,
    operator_text,
    part_text,
    question_text,
    summary,
)
from pdobasis.proof.certificate import MARKS

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis
    from pdobasis.answer.element import Element

SHOWN = 24
"""Elements of a table."""
DENSE = 64
"""Entries of a matrix that is drawn; of larger ones the entries that are not zero are listed."""
LONGEST = 12_000
"""Characters of MathML of one operator."""


def basis_html(basis: Basis) -> str:
    """Order, part, name and operator of the first elements, and what is proved of all."""
    head = "".join(f"<th>{escape(name)}</th>" for name in headers(basis))
    body = "".join(_row(basis, element) for element in basis.elements[:SHOWN])
    left = basis.dimension - SHOWN
    if left > 0:
        body += f'<tr><td colspan="4">… {left} more</td></tr>'
    lines = [escape(question_text(basis.problem))]
    after = [escape(line) for line in summary(basis)]
    for claim in basis.certificate.told:
        after.append(escape(f"{MARKS[claim.holds]} {claim.what}: {claim.how}"))
    return (
        f"<div><p>{'<br>'.join(lines)}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        f"<p>{'<br>'.join(after)}</p></div>"
    )


def _row(basis: Basis, element: Element) -> str:
    cells = [str(element.order), escape(element.name or ""), operator_html(element)]
    if basis.has_structure:
        cells.insert(1, escape(part_text(element, irreps=False)))
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def operator_html(element: Element) -> str:
    rows, columns = element.shape
    if rows * columns <= DENSE:
        # what writes tables has the MathML
        from pdobasis_tables.formula import math_element
        from pdobasis_tables.polynomial import of_element

        text = math_element(of_element(element).mathml)
        if len(text) <= LONGEST:
            return text
    return f"<pre>{escape(operator_text(element, Layout()))}</pre>"

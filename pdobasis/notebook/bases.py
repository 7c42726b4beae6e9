"""Bases, their elements, and operators: order, part, name, MathML and what is proved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from pdobasis.algebra.operator import Operator
from pdobasis.answer.basis import Basis
from pdobasis.answer.element import Element
from pdobasis.answer.told import (
    Layout,
    empty_text,
    headers,
    legend,
    operator_text,
    part_text,
    question_text,
    shown_elements,
    summary,
)
from pdobasis.answer.told import rows as text_rows
from pdobasis.notebook.parts import DENSE, SHOWN, lines, page, preformatted, table
from pdobasis.proof.certificate import MARKS

FEW = 8
"""Elements of each order that are shown of a basis."""
LONGEST = 12_000
"""Characters of MathML of one operator."""


def basis_html(basis: Basis) -> str:
    """Order, part, name and operator of the first elements, and what is proved of all."""
    layout = Layout(show=FEW)
    after = summary(basis) + legend(text_rows(basis, layout))
    after += [f"{MARKS[c.holds]} {c.what}: {c.how}" for c in basis.certificate.told]
    shown = lines([empty_text(basis.problem)]) if not basis.dimension else ""
    if basis.dimension:
        heads, rows = headers(basis), []
        for head, number, own in shown_elements(basis, layout):
            rows += [_row(basis, element) for element in own]
            if number > len(own):
                empty = [""] * (len(heads) - 2)
                rows.append([head, *empty, f"… {number - len(own)} more"])
        shown = table(heads, rows)
    return page(lines([question_text(basis.problem)]), shown, lines(after))


def _row(basis: Basis, element: Element) -> list[str]:
    cells = [str(element.order), escape(element.name or ""), operator_html(element)]
    if basis.has_structure:
        cells.insert(1, escape(part_text(element, irreps=False)))
    return cells


def element_html(element: Element) -> str:
    """The operator under what is known of it."""
    facts = [f"order {element.order}", part_text(element, irreps=True)]
    if element.name:
        facts.insert(0, element.name)
    mark = MARKS[element.basis.certificate.holds]
    facts.append(f"{mark} proved with its basis")
    title = ", ".join(fact for fact in facts if fact)
    return page(lines([title]), operator_html(element))


def operator_html(element: Element) -> str:
    """The matrix in MathML; what is larger as text, by orbits."""
    rows, columns = element.shape
    if rows * columns <= DENSE:
        # what writes tables has the MathML
        from pdobasis_tables.formula import math_element
        from pdobasis_tables.polynomial import of_element

        text = math_element(of_element(element).mathml)
        if len(text) <= LONGEST:
            return text
    return preformatted(operator_text(element, Layout()))


def matrix_html(op: Operator) -> str:
    """An operator of any orders, entry by entry."""
    rows, columns = op.shape
    if rows * columns <= DENSE:
        from pdobasis_tables.formula import math_element
        from pdobasis_tables.polynomial import of_operator

        text = math_element(of_operator(op).mathml)
        if len(text) <= LONGEST:
            return text
    return preformatted(str(op))


def operators_html(title: Sequence[str], operators: Iterable[Operator]) -> str:
    """A list of operators with their names."""
    every = list(operators)
    rows = []
    for k, op in enumerate(every[:SHOWN], start=1):
        name = escape(op.name or "")
        rows.append([str(k), str(op.order), name, matrix_html(op)])
    heads = ("", "order", "name", "operator")
    return page(lines(title), table(heads, rows, len(every) - SHOWN))

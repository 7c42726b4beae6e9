"""Kernels and multipliers, generators of all orders, nonlinear terms."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from pdobasis.answer.element import shortened
from pdobasis.answer.family import Family
from pdobasis.modules.module_basis import ModuleBasis
from pdobasis.nonlinear.result import Term, Terms
from pdobasis.notebook.bases import operator_html
from pdobasis.notebook.parts import SHOWN, formula, lines, page, table
from pdobasis.proof.certificate import MARKS

LONG = 400
"""Characters of LaTeX that become MathML; of text that is shown instead."""


def family_html(family: Family[Any]) -> str:
    """The order and the formula of every member."""
    rows = [[str(m.order), _text(str(m))] for m in family[:SHOWN]]
    shown = table(("order", "formula"), rows, len(family) - SHOWN)
    return page(lines([family.title]), shown)


def module_html(module: ModuleBasis) -> str:
    """Invariants, generators, series and proof."""
    rows = []
    for each in module.invariants[:SHOWN]:
        rows.append([escape(each.name), str(each.order), _text(str(each))])
    for k, g in enumerate(module.generators[:SHOWN], start=1):
        name = f"D<sub>{k}</sub>"
        if g.name:
            name += f" {escape(g.name)}"
        rows.append([name, str(g.order), operator_html(g)])
    left = len(module.invariants[SHOWN:]) + max(0, len(module) - SHOWN)
    claims = [f"{MARKS[c.holds]} {c.what}: {c.how}" for c in module.certificate.told]
    series = f"dimensions of all orders: {module.hilbert}"
    return page(
        lines([module.title]),
        table(("", "order", "operator"), rows, left),
        lines([series, *claims]),
    )


def terms_html(terms: Terms) -> str:
    """Every term with its multidegree and its name, and what is proved."""
    rows = [_term_row(term) for term in terms[:SHOWN]]
    shown = table(("factors", "name", "term"), rows, len(terms) - SHOWN)
    certificates = [block.certificate for block in terms.blocks]
    proved = sum(certificate.holds for certificate in certificates)
    claim = (
        f"{MARKS[terms.holds]} proved for {proved} of {len(certificates)} multidegrees"
    )
    return page(lines([terms.title]), shown, lines([claim]))


def term_html(term: Term) -> str:
    """One term, with its name."""
    named = [term.name] if term.name else []
    return page(lines(named) if named else "", _formula(term.latex(), term.text))


def _term_row(term: Term) -> Sequence[str]:
    factors = term.question.label(term.multidegree)
    shown = _formula(term.latex(), term.text)
    return [escape(factors), escape(term.name or ""), shown]


def _formula(latex: str, text: str) -> str:
    """MathML where the formula is short and plain, its text elsewhere."""
    if len(latex) <= LONG and "\\begin" not in latex:
        made = formula(latex)
        if made is not None:
            return made
    return _text(text)


def _text(text: str) -> str:
    return f"<code>{escape(shortened(text, LONG))}</code>"

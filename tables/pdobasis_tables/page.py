"""One self-contained page about one question: what was asked, the basis, its certificate, its stencils."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import pdobasis
from pdobasis.answer.basis import Basis
from pdobasis.bounds.estimate import cost
from pdobasis.exact.array import ExactArray
from pdobasis.groups.group import Group
from pdobasis.question.as_json import CONVENTIONS
from pdobasis.question.field_type import FieldType
from pdobasis.stencils.discretize import Discretized, discretize
from pdobasis_tables.cards import basis_section
from pdobasis_tables.escape import escape_html
from pdobasis_tables.formula import math_element
from pdobasis_tables.html import page
from pdobasis_tables.mathml import mathml
from pdobasis_tables.polynomial import of_numbers

SMALL = 4
"""Largest matrices of a representation that are shown."""
FEW = 3
"""Representations of a field type whose matrices are shown."""
DRAWN = 3
"""Largest dimension in which stencils are drawn."""

CONSTRAINT = r"P(g^{-T}x) = \rho_{\text{out}}(g) P(x) \rho_{\text{in}}(g)^{-1}"
LEAD = (
    '<p class="lead">All constant-coefficient PDOs D(P) that commute with the group, '
    "that is, all polynomial matrices P with</p>"
)

MARKS = {
    True: ("yes", "✓"),
    False: ("no", "✗"),
    # what is assumed, and not decided
    None: ("", "?"),
}
"""A verdict as it is shown: its class and its mark."""

Fact = tuple[str, str]
"""A name and its value, both as HTML."""


def sampled(
    basis: Basis, method: str, size: int, options: Mapping[str, Any]
) -> Discretized | None:
    """The stencils to draw; None beyond space, and where there is nothing to draw."""
    if basis.problem.group.dim > DRAWN or not basis.dimension:
        return None
    return discretize(basis, method, size, **options)


def report(
    basis: Basis, sampled: Discretized | None, command: Sequence[str], show: int
) -> str:
    """The page; ``sampled`` None leaves the stencils out, ``show`` limits the elements that are shown."""
    problem = basis.problem
    require_small(basis, sampled, show)
    truncated = ""
    if problem.truncation is not None:
        truncated = f", truncated to {problem.truncation.text}"
    title = escape_html(
        f"{problem.group.name}: {problem.in_type} → {problem.out_type}, order ≤ {problem.order}{truncated}"
    )
    body = [
        f"<h1>{title}</h1>",
        *_question(basis),
        *basis_section(basis, sampled, show),
        *certificate_section(basis),
        "<h2>Conventions</h2>",
        _facts(
            [
                (escape_html(name), escape_html(text))
                for name, text in CONVENTIONS.items()
            ]
        ),
        "<h2>How to make this page</h2>",
        f"<pre>{escape_html(shlex.join(['pdobasis', *command]))}</pre>",
        f'<p class="note">pdobasis {pdobasis.__version__}</p>',
    ]
    return page(title, "\n".join(body), "report.css")


def require_small(basis: Basis, sampled: Discretized | None, show: int) -> None:
    """Every weight of every stencil that is shown is a square of its own."""
    problem = basis.problem
    shown = min(show, basis.dimension)
    cells = float(shown * problem.in_type.size * problem.out_type.size)
    weights = 0.0
    if sampled is not None:
        weights = cells * float(np.prod(sampled.grid.array_shape))
    cost("page", {"cells": cells, "weights": weights}).require(
        f"a page of {shown:,} elements", "show fewer with show=, or use a smaller size="
    )


def counted(number: int, thing: str) -> str:
    """
    >>> counted(1, "channel"), counted(2, "channel")
    ('1 channel', '2 channels')
    """
    if number == 1:
        return f"1 {thing}"
    return f"{number} {thing}s"


def _question(basis: Basis) -> list[str]:
    problem = basis.problem
    constraint = math_element(mathml(CONSTRAINT), block=True)
    answer = escape_html(_answer(basis))
    facts = [
        *_group(problem.group),
        ("input", _type(problem.in_type)),
        ("output", _type(problem.out_type)),
        ("order", f"at most {problem.order}"),
    ]
    return [
        f"{LEAD}{constraint}<p>for all g in the group. {answer}</p>",
        _facts(facts),
    ]


def _answer(basis: Basis) -> str:
    """How many there are."""
    if not basis.dimension:
        return "There are none."
    within = ""
    if basis.problem.truncation is not None:
        within = f" of {sum(basis.certificate.of)} within the truncation"
    start = f"There are {basis.dimension}"
    if basis.dimension == 1:
        start = "There is one"
    counts = ", ".join(f"{k} of order {n}" for n, k in basis.dimensions.items() if k)
    answer = f"{start}{within}: {counts}."
    if basis.angular:
        angular = counted(len(basis.angular), "angular operator")
        answer += f" {angular}, times powers of Δ."
    return answer


def _group(group: Group) -> list[Fact]:
    size = "infinitely many elements"
    if group.order is not None:
        size = counted(group.order, "element")
    space = math_element(mathml(rf"\mathbb{{R}}^{{{group.dim}}}"))
    facts = [("group", f"{escape_html(group.name)}, {size}, acting on {space}")]
    for label, g in zip(group.labels, group.generators, strict=True):
        facts.append((f"generator {escape_html(label)}", _matrix(g)))
    for k, x in enumerate(group.lie):
        facts.append((f"Lie generator {k + 1}", _matrix(x)))
    return facts


def _type(field_type: FieldType) -> str:
    size = counted(field_type.size, "channel")
    text = f"{escape_html(field_type.spec)}, {size}"
    # the matrices of the vector are those of the group
    small = [
        rep
        for rep in field_type.distinct
        if 1 < rep.size <= SMALL and rep.spec != "vector"
    ]
    shown = []
    for rep in small[:FEW]:
        for label, m in zip(rep.group.labels, rep.matrices(), strict=True):
            name = f"{escape_html(rep.spec)}({escape_html(label)})"
            shown.append(f"{name} = {_matrix(m)}")
    if not shown:
        return text
    return f"{text}: {', '.join(shown)}"


def _matrix(values: ExactArray) -> str:
    return math_element(of_numbers(values).mathml)


def _facts(facts: Sequence[Fact]) -> str:
    listed = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts)
    return f'<dl class="facts">{listed}</dl>'


def certificate_section(basis: Basis) -> list[str]:
    proof = basis.certificate
    claims = [_claim(c.what, c.holds, c.how) for c in proof.told]
    heads = _row("th", ("order", "found", "exact rank", "counted"))
    # one row for each order: a basis has as many elements as its rank, and as were counted
    orders = range(len(proof.found))
    rows = zip(orders, proof.found, proof.ranks, proof.counted, strict=True)
    cells = "".join(_row("td", row) for row in rows)
    table = f'<table class="grid"><thead>{heads}</thead><tbody>{cells}</tbody></table>'
    return [
        "<h2>The certificate</h2>",
        f'<ul class="proof">{"".join(claims)}</ul>',
        f'<div class="wide">{table}</div>',
    ]


def _claim(claim: str, holds: bool | None, how: str) -> str:
    kind, mark = MARKS[holds]
    return f"<li><span class='{kind}'>{mark} {claim}</span>: {escape_html(how)}</li>"


def _row(tag: str, values: Sequence[object]) -> str:
    cells = [f"<{tag}>{value}</{tag}>" for value in values]
    return f"<tr>{''.join(cells)}</tr>"

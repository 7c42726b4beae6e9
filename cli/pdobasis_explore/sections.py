"""Parts of the page as HTML, from an answer: nothing here knows of a browser."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from pdobasis_tables.cards import element_heading
from pdobasis_tables.formula import math_element
from pdobasis_tables.page import certificate_section
from pdobasis_tables.polynomial import of_element
from pdobasis_tables.svg import stencil

from pdobasis.stencils.sampled import Sampled
from pdobasis_explore.answer import Answer
from pdobasis_explore.polar import errors, plot

SHOWN = 24
"""Operators on the page."""
WIDE = 400
"""Entries of an operator that is written out."""
PICTURES = 32
"""Stencils of one operator that are drawn."""
LARGEST = 20_000
"""Weights of all stencils that are measured against the angle."""


def operators(found: Answer) -> str:
    """The operators as MathML, with their names."""
    basis = found.basis
    if not basis.dimension:
        return "<p>There is no equivariant operator up to this order but zero.</p>"
    out = []
    for k, element in enumerate(basis.elements[:SHOWN]):
        rows, columns = element.shape
        body = f"<p>{rows}×{columns}, written out by pdobasis solve --full</p>"
        if rows * columns <= WIDE:
            body = math_element(of_element(element).mathml)
        heading = f"<h3>{k}. {element_heading(element)}</h3>"
        # what may be wider than the page can be scrolled by keyboard
        scrolls = f'class="wide" tabindex="0" role="region" aria-label="operator {k}"'
        out.append(
            f'<section class="card">{heading}<div {scrolls}>{body}</div></section>'
        )
    if basis.dimension > SHOWN:
        out.append(f"<p>… and {basis.dimension - SHOWN} more, in every export.</p>")
    return "".join(out)


def summary(found: Answer) -> str:
    basis = found.basis
    number = f"{basis.dimension} operators"
    if basis.dimension == 1:
        number = "1 operator"
    sizes = f"{basis.problem.in_type.size} → {basis.problem.out_type.size} channels"
    return f"{number}, {sizes}, solved and proved in {1000 * found.seconds:.0f} ms"


def certificate(found: Answer) -> str:
    return "".join(certificate_section(found.basis)[1:])


def dimensions(found: Answer) -> str:
    """Bars: how many of each order; those that were not asked for are pale."""
    asked = list(found.basis.dimensions.values())
    numbers = list(found.further) or asked
    top = max(numbers, default=0) or 1
    bars = []
    for n, number in enumerate(numbers):
        height = 60 * number / top
        kind = "asked"
        if n >= len(asked):
            kind = "further"
        x = 4 + 34 * n
        bars.append(
            f'<rect x="{x}" y="{76 - height:.1f}" width="26" height="{height:.1f}" class="{kind}"/>'
        )
        bars.append(f'<text x="{x + 13}" y="{72 - height:.1f}">{number}</text>')
        bars.append(f'<text x="{x + 13}" y="90">{n}</text>')
    words = "elements of order 0, 1, …: " + ", ".join(map(str, numbers))
    width = 8 + 34 * len(numbers)
    shape = f'viewBox="0 0 {width} 94" style="max-width:{1.6 * width:.0f}px"'
    told = f'class="bars" role="img" aria-label="{words}"'
    return f"<svg {shape} {told}>{''.join(bars)}</svg>"


def stencil_pictures(found: Answer, sampled: Sampled, element: int) -> str:
    """The stencils of one operator, entry by entry; one scale for all."""
    weights = sampled.stencils[element]
    if weights.ndim > 5:
        return "<p>Stencils are drawn up to dimension 3.</p>"
    scale = float(abs(weights).max(initial=0.0))
    figures = []
    places = sorted(found.basis.elements[element].entries)
    for row, column in places[:PICTURES]:
        picture = stencil(
            weights[row, column],
            scale,
            f"stencil of entry ({row + 1}, {column + 1})",
            1.3,
        )
        figures.append(
            f"<figure>{picture}<figcaption>({row + 1}, {column + 1})</figcaption></figure>"
        )
    rest = ""
    if len(places) > PICTURES:
        rest = f"<p>… and {len(places) - PICTURES} more entries</p>"
    return f"<div class='stencils'>{''.join(figures)}</div>{rest}"


def polar(sampled: Sampled) -> str:
    """The plot, or why there is none."""
    if sampled.stencils.size > LARGEST:
        return f"<p>{sampled.stencils.size:,} weights are not measured here: pdobasis error does.</p>"
    found = errors(sampled)
    if not found:
        return "<p>This group has no rotation of x1 and x2 that both fields are known for.</p>"
    group = sampled.problem.group
    return plot(found, bool(group.lie))


def options(names: Sequence[str]) -> str:
    """Suggestions for an input: a browser offers them, and anything else may be typed."""
    return "".join(f'<option value="{escape(name)}">' for name in names)

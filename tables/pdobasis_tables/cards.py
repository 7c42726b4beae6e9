"""The elements of a basis on a page: one card each, with its matrix and the stencils of its entries."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pdobasis.answer.basis import Basis
from pdobasis.answer.element import Element
from pdobasis.answer.told import empty_text
from pdobasis.stencils.discretize import Discretized
from pdobasis_tables.escape import escape_html
from pdobasis_tables.formula import math_element
from pdobasis_tables.polynomial import of_element
from pdobasis_tables.svg import stencil

MANY = 32
"""Stencils of one element that are drawn."""

_LEGEND = (
    '<p class="note">Under each operator: the stencils of its non-zero entries ({made}), '
    "x1 to the right and x2 upwards{slices}. "
    "Weights from negative to positive, relative to the largest of the operator: "
    '<span class="legend"></span>. Each square tells its weight when pointed at.</p>'
)


def basis_section(basis: Basis, sampled: Discretized | None, show: int) -> list[str]:
    number = basis.dimension
    out = ["<h2>The basis</h2>"]
    if not number:
        out.append(f"<p>{escape_html(empty_text(basis.problem))}</p>")
        return out
    weights = None
    if sampled is not None:
        out.append(_legend(sampled))
        weights = sampled.dense()
    for k, element in enumerate(basis.elements[:show]):
        # the stencils are of all elements, in the order of the basis
        pictures = ""
        if weights is not None:
            pictures = _pictures(element, weights[k])
        out.append(_card(k, element, pictures))
    if number > show:
        out.append(
            f"<p>… and {number - show} more: ask for them with <code>--show {number}</code>.</p>"
        )
    return out


def _card(k: int, element: Element, pictures: str) -> str:
    heading = f"<h3>{k}. {element_heading(element)}</h3>"
    matrix = math_element(of_element(element).mathml)
    wide = f'<div class="wide" tabindex="0">{matrix}</div>'
    return f'<section class="card">{heading}{wide}{pictures}</section>'


def element_heading(element: Element) -> str:
    facts = [f"order {element.order}"]
    structure = element.structure
    if structure is not None:
        facts.append(f"angular order {structure.angular_order}")
        power = structure.laplacian_power
        if power == 1:
            facts.append("Δ × an angular operator")
        elif power:
            facts.append(f"Δ^{power} × an angular operator")
    name = escape_html(element.name or "")
    return f"{name} <small>{', '.join(facts)}</small>"


def _pictures(element: Element, weights: NDArray[np.float64]) -> str:
    places = sorted(element.entries)
    # one scale for all entries: they are compared with each other
    scale = float(np.abs(weights).max(initial=0.0))
    figures = [
        _figure(element, weights[place], place, scale) for place in places[:MANY]
    ]
    out = f"<div class='stencils'>{''.join(figures)}</div>"
    if len(places) > MANY:
        out += f'<p class="note">… and {len(places) - MANY} more entries</p>'
    return out


def _figure(
    element: Element, weights: NDArray[np.float64], place: tuple[int, int], scale: float
) -> str:
    row, column = place[0] + 1, place[1] + 1
    picture = stencil(weights, scale, f"stencil of entry ({row}, {column})")
    caption = _caption(element.shape, row, column)
    return f"<figure>{picture}{caption}</figure>"


def _caption(shape: tuple[int, int], row: int, column: int) -> str:
    """The place of an entry, as far as there are several."""
    rows, columns = shape
    if rows == columns == 1:
        return ""
    if columns == 1:
        name = f"{row}"
    elif rows == 1:
        name = f"{column}"
    else:
        name = f"({row}, {column})"
    return f"<figcaption>{name}</figcaption>"


def _legend(sampled: Discretized) -> str:
    sizes = "×".join(map(str, sampled.grid.size))
    made = f"{sampled.method}, {sizes} points"
    for name, value in sampled.options:
        made += f", {name} = {_value(value)}"
    slices = ""
    if len(sampled.grid.size) == 3:
        slices = "; slices for increasing x3 from left to right"
    return _LEGEND.format(made=escape_html(made), slices=slices)


def _value(value: object) -> str:
    if not isinstance(value, tuple):
        return str(value)
    # one number for each axis, mostly the same
    if len(set(value)) == 1:
        return str(value[0])
    return ", ".join(map(str, value))

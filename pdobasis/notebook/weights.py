"""Stencils as small pictures: one square for each node, red for positive and blue for negative weights."""

from __future__ import annotations

from html import escape

import numpy as np

from pdobasis.answer.basis import Basis
from pdobasis.notebook.parts import lines, page, table
from pdobasis.pictures.panels import made_text
from pdobasis.stencils.sampled import Sampled

SHOWN = 12
"""Elements."""
ENTRIES = 8
"""Entries of one element that are drawn."""
LARGEST = 400
"""Nodes of a stencil that is drawn, and not only measured."""


def stencils_html(basis: Basis, sampled: Sampled) -> str:
    """Order, name and the pictures of the entries that are not zero."""
    p = basis.problem
    title = f"{p.group.name}: {p.in_type} → {p.out_type}, {made_text(sampled)}"
    named = sampled.elements == basis.dimension
    rows = []
    for k in range(min(SHOWN, sampled.elements)):
        name = basis.elements[k].name or "" if named else ""
        order = str(int(sampled.orders[k]))
        rows.append([order, escape(name), _pictures(sampled, k)])
    heads = ("order", "name", "stencils (x1 →, x2 ↑)")
    return page(lines([title]), table(heads, rows, sampled.elements - SHOWN))


def _pictures(sampled: Sampled, element: int) -> str:
    from pdobasis_tables.svg import stencil

    weights = sampled.stencils[element]
    places = [p for p in np.ndindex(*weights.shape[:2]) if weights[p].any()]
    scale = float(np.abs(weights).max(initial=0.0))
    if sampled.grid.dim > 3 or weights[0, 0].size > LARGEST:
        return escape(f"{len(places)} entries, weights up to {scale:.4g}")
    drawn = []
    for o, i in places[:ENTRIES]:
        own = weights[o, i]
        # the rows of an image run downwards: turned round, x2 grows upwards as the drawing expects
        if sampled.grid.layout == "image" and own.ndim > 1:
            own = np.flip(own, axis=-2)
        label = f"out {o + 1} ← in {i + 1}"
        picture = stencil(own, scale, label, side=0.7)
        drawn.append(
            f'<span title="{label}" style="margin-right:0.5em">{picture}</span>'
        )
    if len(places) > ENTRIES:
        drawn.append(f"… {len(places) - ENTRIES} more")
    return "".join(drawn)

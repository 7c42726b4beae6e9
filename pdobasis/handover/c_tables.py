"""What C and CUDA have in common: a comment, and the weights as tables of constants."""

from __future__ import annotations

import numpy as np

from pdobasis.handover.stencil_set import StencilSet
from pdobasis.handover.texts import line, lines
from pdobasis.version import __version__

HEAD = """/* {title}
 *
 * Stencils: {what}; layout {layout}.
 * Spacing of x1, x2, ...: {spacing}. Elements: {names}.
{places} * Written by {writer}.
 */
#include <stddef.h>

#ifndef REAL
#define REAL double /* float: the weights stay double */
#endif
"""

TABLES = """
enum {{ DIM = {dim}, ELEMENTS = {elements}, C_OUT = {c_out}, C_IN = {c_in}, TERMS = {terms} }};

/* Where each weight belongs: output channel, input channel, the shift along each array axis (the last is x1). */
{constant} int TERM[{room}][2 + DIM] = {{
{term}
}};
{constant} double WEIGHT[ELEMENTS][{room}] = {{
{weight}
}};
/* The terms of output channel o are START[o], ..., START[o + 1] - 1. */
{constant} int START[C_OUT + 1] = {{{start}}};
/* How far the stencil reaches along each array axis, downwards and upwards. */
{constant} ptrdiff_t LOW[DIM] = {{{low}}};
{constant} ptrdiff_t HIGH[DIM] = {{{high}}};
"""


def head(stencils: StencilSet) -> str:
    named = [
        f"{k} {name or 'without a name'} (order {order})"
        for k, (name, order) in enumerate(
            zip(stencils.names, stencils.orders, strict=True)
        )
    ]
    shown = ", ".join(named[:8]) + (", ..." if len(named) > 8 else "")
    places = ""
    if any(s != 0 for p in (*stencils.in_offsets, *stencils.out_offsets) for s in p):
        places = (
            f" * Places in the cell (x1 first): in {_places(stencils.in_offsets)}; "
            f"out {_places(stencils.out_offsets)}.\n"
        )
    return HEAD.format(
        title=line(stencils.title),
        what=line(stencils.what),
        layout=stencils.layout,
        spacing=", ".join(map(str, stencils.spacing)),
        names=line(shown),
        places=places,
        writer=f"pdobasis {__version__}",
    )


def tables(stencils: StencilSet, constant: str) -> str:
    stencils.require_few("write an .npz file")
    used = np.argwhere(stencils.weights.any(axis=0))
    middle = [
        (n - 1) * step // 2
        for n, step in zip(stencils.size, stencils.steps, strict=True)
    ]
    shifts = used[:, 2:] * np.array(stencils.steps) - np.array(middle)
    term = [
        "{" + ", ".join(map(str, row)) + "}"
        for row in np.concatenate([used[:, :2], shifts], axis=1).tolist()
    ]
    values = stencils.weights[(slice(None), *used.T)]
    # argwhere gives the terms row after row, so those of a channel follow each other.
    start = np.searchsorted(used[:, 0], np.arange(stencils.c_out + 1)).tolist()
    return TABLES.format(
        dim=stencils.dim,
        elements=stencils.elements,
        c_out=stencils.c_out,
        c_in=stencils.c_in,
        terms=len(used),
        # C has no arrays without entries; the zero operator has no terms.
        room=max(len(used), 1),
        constant=constant,
        term=lines(term or ["{0}"]),
        weight="\n".join(
            "  {\n" + lines([repr(v) for v in row] or ["0.0"]) + "\n  },"
            for row in values.tolist()
        ),
        start=", ".join(map(str, start)),
        low=", ".join(str(int(-s)) for s in shifts.min(axis=0, initial=0)),
        high=", ".join(str(int(s)) for s in shifts.max(axis=0, initial=0)),
    )


def _places(places: tuple[tuple[object, ...], ...]) -> str:
    return " ".join("(" + ", ".join(map(str, p)) + ")" for p in places)

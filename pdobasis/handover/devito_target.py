"""Devito: stencils as expressions in its functions, with these very weights; Devito makes and compiles the loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pdobasis.errors import MissingExtraError, SpecError
from pdobasis.handover.stencil_set import StencilSet
from pdobasis.handover.target import Target
from pdobasis.handover.texts import data, head

APPLY = '''

def expressions(fields, weights=None):
    """sum_k weights[k] * (element k) of fields: one expression for each of the c_out components.

    fields: c_in functions of Devito, whose last dimension is x1, with a space_order of at least {space_order}.
    """
    if weights is None:
        if SHAPE[0] != 1:
            raise ValueError(f"give one weight for each of the {{SHAPE[0]}} elements")
        weights = [1.0]
    kernel = np.tensordot(np.asarray(weights, dtype=float), STENCILS, 1)
    out = [0] * SHAPE[1]
    for o, i, *place in np.argwhere(kernel).tolist():
        dimensions = fields[i].space_dimensions
        shift = {{
            d: d + (p - (n - 1) // 2) * step * d.spacing
            for d, p, n, step in zip(dimensions, place, SHAPE[3:], DILATION)
        }}
        out[o] = out[o] + float(kernel[(o, i, *place)]) * fields[i].subs(shift)
    return out
'''


def build(stencils: StencilSet) -> Callable[..., list[Any]]:
    """``expressions(fields, weights=None)``: one expression of Devito for each of the c_out components.

    ``fields`` are c_in functions of Devito, whose last dimension is x1.
    """
    try:
        import devito  # noqa: F401
    except ImportError:
        raise MissingExtraError("devito", "devito", "an object of Devito") from None
    _require_odd(stencils)

    def expressions(
        fields: Sequence[Any], weights: ArrayLike | None = None
    ) -> list[Any]:
        kernel = stencils.combined(weights).weights[0]
        if len(fields) != stencils.c_in:
            raise SpecError(f"expected {stencils.c_in} functions, got {len(fields)}")
        out: list[Any] = [0] * stencils.c_out
        for o, i, *place in np.argwhere(kernel).tolist():
            dimensions = fields[i].space_dimensions
            shift = {
                d: d + (p - (n - 1) // 2) * step * d.spacing
                for d, p, n, step in zip(
                    dimensions, place, stencils.size, stencils.steps, strict=True
                )
            }
            value = float(kernel[(o, i, *place)])
            out[o] = out[o] + value * fields[i].subs(shift)
        return out

    return expressions


def source(stencils: StencilSet) -> str:
    stencils.require_few("write an .npz file")
    _require_odd(stencils)
    reach = [
        (n - 1) * step for n, step in zip(stencils.size, stencils.steps, strict=True)
    ]
    body = APPLY.format(space_order=max(reach))
    return head(stencils, "NumPy") + "\nimport numpy as np\n\n" + data(stencils) + body


def _require_odd(stencils: StencilSet) -> None:
    if any(n % 2 == 0 for n in stencils.size):
        raise SpecError("Devito's functions live at points of the grid: use odd sizes")


TARGET = Target("devito", "expressions in Devito's functions", build, source)

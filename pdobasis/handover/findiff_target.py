r"""findiff: operators as its expressions, which it applies, takes apart, makes matrices of and solves equations with.

findiff chooses weights itself, so that only what it has as well is handed over: plain finite differences. With n points
along an axis the derivative of order m has the accuracy $n + 1 - 2\lfloor (m+1)/2 \rfloor$, and inside the grid
the weights are the same; at the ends findiff takes one-sided ones, or a periodic axis.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pdobasis.errors import MissingExtraError, SpecError
from pdobasis.handover.stencil_set import StencilSet
from pdobasis.handover.target import Target
from pdobasis.handover.texts import head

MODULE = '''
from findiff import Diff, Identity


def operators(periodic=False):
    """One matrix (c_out, c_in) of findiff's expressions for each element; array axis {last} is x1."""

    def d(k, order, acc):
        return Diff(k, SPACING[k], periodic=periodic, acc=acc) ** order

    return [
{matrices}
    ]


ORDERS = {orders}
NAMES = {names}  # the operators; "" where they have no name
SPACING = {spacing}  # in the order of the array axes
'''


def build(stencils: StencilSet, periodic: bool = False) -> list[list[list[Any]]]:
    """One matrix (c_out, c_in) of expressions for each element."""
    try:
        from findiff import Diff, Identity
    except ImportError:
        raise MissingExtraError("findiff", "findiff", "an object of findiff") from None

    steps = [float(h) for h in reversed(stencils.spacing)]

    def term(value: float, alpha: tuple[int, ...]) -> Any:
        out: Any = value * Identity()
        for axis, order, acc in _factors(stencils, alpha):
            out = out * Diff(axis, steps[axis], periodic=periodic, acc=acc) ** order
        return out

    def cell(terms: list[tuple[float, tuple[int, ...]]]) -> Any:
        out: Any = None
        for value, alpha in terms:
            own = term(value, alpha)
            out = own if out is None else out + own
        return 0.0 * Identity() if out is None else out

    return [[[cell(c) for c in row] for row in matrix] for matrix in _terms(stencils)]


def source(stencils: StencilSet) -> str:
    stencils.require_few("write an .npz file")
    text = []
    for matrix in _terms(stencils):
        text.append("        [")
        for row in matrix:
            cells = ", ".join(_cell(stencils, terms) for terms in row)
            text.append(f"            [{cells}],")
        text.append("        ],")
    return head(stencils, "findiff") + MODULE.format(
        last=stencils.dim - 1,
        matrices="\n".join(text),
        orders=list(stencils.orders),
        names=list(stencils.names),
        spacing=tuple(float(h) for h in reversed(stencils.spacing)),
    )


def _cell(stencils: StencilSet, terms: list[tuple[float, tuple[int, ...]]]) -> str:
    parts = []
    for value, alpha in terms:
        factors = [f"d{f}" for f in _factors(stencils, alpha)] or ["Identity()"]
        parts.append(" * ".join([repr(value), *factors]))
    return " + ".join(parts) or "0.0 * Identity()"


def _terms(
    stencils: StencilSet,
) -> list[list[list[list[tuple[float, tuple[int, ...]]]]]]:
    """(coefficient, exponents) of every cell of every element."""
    _require_plain(stencils)
    return [
        [
            [
                [(float(cell[k]), stencils.monomials[k]) for k in np.flatnonzero(cell)]
                for cell in row
            ]
            for row in element
        ]
        for element in stencils.coefficients
    ]


def _factors(
    stencils: StencilSet, alpha: tuple[int, ...]
) -> list[tuple[int, int, int]]:
    """(array axis, order, accuracy) of the derivatives of a monomial."""
    out = []
    for k, order in enumerate(alpha):
        if order:
            axis = stencils.dim - 1 - k
            points = stencils.size[axis]
            out.append((axis, order, points + 1 - 2 * ((order + 1) // 2)))
    return out


def _require_plain(stencils: StencilSet) -> None:
    places = {*stencils.in_offsets, *stencils.out_offsets}
    same = len(places) == 1 and all(s == 0 for s in places.pop())
    odd = all(n % 2 for n in stencils.size) and set(stencils.dilation) == {1}
    if not (stencils.is_plain and same and odd and stencils.layout == "grid"):
        raise SpecError(
            "findiff takes derivatives by finite differences of its own: use the stencil fd of odd size on one grid "
            "(layout grid), without options; or another target"
        )


TARGET = Target("findiff", "findiff's expressions, and a module of them", build, source)

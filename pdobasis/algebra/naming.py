"""Names of operators that somebody computed."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from pdobasis.exact.polynomials import position
from pdobasis.exact.scalars import Surd
from pdobasis.operators.textbook_operators import named_operators

if TYPE_CHECKING:
    from pdobasis.algebra.operator import Operator


def name_of_operator(op: Operator) -> str | None:
    """The name of a named operator, with a factor in front of it where it is a multiple."""
    if op.is_zero:
        return "0"
    found = factor_of(op)
    if found is None:
        return None
    name, factor = found
    if factor == 1:
        return name
    return f"{factor} {name}"


def factor_of(op: Operator) -> tuple[str, Fraction] | None:
    """(name, factor) where the operator is a multiple of a named one."""
    n = op.order
    where = position(op.dim, n)
    own: dict[tuple[int, int, int], Fraction] = {}
    for (r, c), p in op.cells.items():
        for alpha, value in p.items():
            if sum(alpha) != n or isinstance(value, Surd):
                return None
            own[r, c, where[alpha]] = Fraction(int(value.p), int(value.q))
    if not own:
        return None
    for name, flat in named_operators(op.dim, n, op.shape, composed=True):
        if flat.keys() != own.keys():
            continue
        ratios = {own[place] / Fraction(v) for place, v in flat.items()}
        if len(ratios) == 1:
            return name, ratios.pop()
    return None

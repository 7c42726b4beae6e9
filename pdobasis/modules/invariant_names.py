r"""Names of primary invariants.

Δ for $\sum \partial_i^2$, $T_N$ for $\mathrm{Re}(\partial_1 + i\partial_2)^N$, else θ with a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np

from pdobasis.exact.array import ExactArray, integers
from pdobasis.exact.polynomials import monomials
from pdobasis.operators.symbols import Symbols

_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def invariant_names(primary: Sequence[Symbols]) -> list[str]:
    """One for each; two never agree.

    >>> from pdobasis.groups.catalogue import parse_group
    >>> from pdobasis.modules.primary import primary_invariants
    >>> invariant_names(primary_invariants(parse_group("C6")))
    ['Δ', 'T₆']
    """
    out = []
    for k, theta in enumerate(primary, start=1):
        name = _known(theta)
        if name is None or name in out:
            name = f"θ{str(k).translate(_SUBSCRIPTS)}"
        out.append(name)
    return out


def _known(theta: Symbols) -> str | None:
    values = theta.coefficients[0]
    if theta.order == 2 and values.equals(_squares(theta.dim)):
        return "Δ"
    if theta.dim == 2 and values.equals(_real_part(theta.order)):
        return f"T{str(theta.order).translate(_SUBSCRIPTS)}"
    return None


def _squares(dim: int) -> ExactArray:
    return integers([int(max(alpha) == 2) for alpha in monomials(dim, 2)])


def _real_part(order: int) -> ExactArray:
    """i^b is real for even b, and 1, -1, 1, …"""
    out = []
    for _, b in monomials(2, order):
        sign = (1, 0, -1, 0)[b % 4]
        out.append(sign * comb(order, b))
    return integers(np.array(out, dtype=object))

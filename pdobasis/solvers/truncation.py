r"""Truncation by the order in each variable, $\alpha_i \le m$, as in
PDO-eConvs: where the group preserves it.
"""

from __future__ import annotations

import numpy as np

from pdobasis.errors import GroupError, SpecError
from pdobasis.exact.array import ExactArray
from pdobasis.exact.polynomials import derivation, monomials, substitution
from pdobasis.exact.types import IndexArray
from pdobasis.groups.group import Group


def beyond(dim: int, order: int, partial_order: int) -> IndexArray:
    """The monomials of an order that are left out."""
    largest = [max(alpha) for alpha in monomials(dim, order)]
    return np.flatnonzero(np.array(largest) > partial_order)


def require_preserved(group: Group, order: int, partial_order: int) -> None:
    """GroupError with an example when some derivative that is kept is mapped to
    one that is not.
    """
    if partial_order < 0:
        raise GroupError(
            f"the order in each variable has to be at least 0, got {partial_order}"
        )
    for n in range(order + 1):
        outside = beyond(group.dim, n, partial_order)
        # Kept and left-out monomials of one order: a group preserves the limit
        # when its generators do not mix them.
        every = np.arange(len(monomials(group.dim, n)))
        inside = np.setdiff1d(every, outside)
        if not len(outside) or not len(inside):
            continue
        for label, moved in _actions(group, n):
            mixed = moved.nonzero_mask()[np.ix_(inside, outside)]
            if mixed.any():
                i, j = np.argwhere(mixed)[0]
                kept = _text(group.dim, n, inside[i])
                left_out = _text(group.dim, n, outside[j])
                raise GroupError(
                    f"{group.name} does not preserve the limit {partial_order} "
                    f"on the order in each variable: {label} maps {kept} to a "
                    f"sum with {left_out}; limit the total order instead "
                    "(order=), or in the frame of regular fields (frame_order=)"
                )


def not_kept_by_the_laplacian() -> SpecError:
    """Why a truncated question has neither powers of the Laplacian nor angular
    parts.
    """
    return SpecError(
        "a limit on the order in each variable is not kept by the Laplacian "
        "or by harmonic polynomials, so partial_order= goes with "
        "method='direct' (or auto) and without kernel="
    )


def not_by(what: str, method: str, other: str) -> SpecError:
    """Why a method is not for a truncation that has a name."""
    return SpecError(
        f"{what} is not for method={method!r}: use method={other!r} or auto"
    )


def _actions(group: Group, order: int) -> list[tuple[str, ExactArray]]:
    """What every generator does to the monomials of an order."""
    out = []
    dim = group.dim
    for label, g in zip(group.labels, group.on_space, strict=True):
        moved = substitution(g.T.reshape(1, dim, dim), order)[0]
        out.append((f"the generator {label}", moved))
    for k, x in enumerate(group.lie_on_space):
        out.append((f"the Lie generator {k + 1}", derivation(x.T, order)))
    return out


def _text(dim: int, order: int, number: int) -> str:
    """A monomial in d1, d2, …"""
    factors = []
    for i, power in enumerate(monomials(dim, order)[number]):
        if power == 1:
            factors.append(f"d{i + 1}")
        elif power > 1:
            factors.append(f"d{i + 1}**{power}")
    return "*".join(factors)

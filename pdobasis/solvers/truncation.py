r"""Truncation by the order in each variable, $\alpha_i \le m$, as in PDO-eConvs: where the group preserves it."""

from __future__ import annotations

import numpy as np

from pdobasis.errors import GroupError, SpecError
from pdobasis.exact.array import ExactArray
from pdobasis.exact.polynomials import derivation, monomials, substitution
from pdobasis.exact.types import IndexArray
from pdobasis.groups.group import Group


def beyond(dim: int, order: int, partial_order: int) -> IndexArray:
    """The monomials of an order that are left out."""
    return np.flatnonzero([max(alpha) > partial_order for alpha in monomials(dim, order)])


def require_preserved(group: Group, order: int, partial_order: int) -> None:
    """GroupError with an example when some derivative that is kept is mapped to one that is not."""
    if partial_order < 0:
        raise GroupError(f"the order in each variable has to be at least 0, got {partial_order}")
    for n in range(order + 1):
        outside = beyond(group.dim, n, partial_order)
        inside = np.setdiff1d(np.arange(len(monomials(group.dim, n))), outside)
        if not len(outside) or not len(inside):
            continue
        for label, moved in _actions(group, n):
            at = np.argwhere(moved.nonzero_mask()[np.ix_(inside, outside)])
            if len(at):
                kept, left_out = inside[at[0, 0]], outside[at[0, 1]]
                raise GroupError(
                    f"{group.name} does not preserve the limit {partial_order} on the order in each variable: {label} "
                    f"maps {_text(group.dim, n, kept)} to a sum with {_text(group.dim, n, left_out)}; limit the total "
                    f"order instead (--order), which every group preserves"
                )


def not_kept_by_the_laplacian() -> SpecError:
    """Why a truncated question has neither powers of the Laplacian nor angular parts."""
    return SpecError(
        "a limit on the order in each variable is not kept by the Laplacian or by harmonic polynomials, so "
        "--partial-order goes with --method direct (or auto) and without --kernel"
    )


def _actions(group: Group, order: int) -> list[tuple[str, ExactArray]]:
    finite = [
        (f"the generator {label}", substitution(g.T.reshape(1, group.dim, group.dim), order)[0])
        for label, g in zip(group.labels, group.generators, strict=True)
    ]
    return finite + [(f"the Lie generator {k + 1}", derivation(x.T, order)) for k, x in enumerate(group.lie)]


def _text(dim: int, order: int, number: int) -> str:
    powers = [(i + 1, p) for i, p in enumerate(monomials(dim, order)[number]) if p]
    return "*".join(f"d{i}" if p == 1 else f"d{i}**{p}" for i, p in powers)

r"""Sums of irreps: solve between the irreps, pad, and change the basis back.

With $Q\rho Q^{-1}$ block diagonal for both representations, the symbols are
$Q_{out}^{-1} P Q_{in}$, where P has one block between two irreps (paper,
"Decomposition into irreducible representations").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import compress

from pdobasis.exact.array import ExactArray, concatenate
from pdobasis.groups.matrices import without_large_field
from pdobasis.operators.symbols import (
    Symbols,
    dense,
    empty,
    from_dense,
    tidy,
)
from pdobasis.representations.decomposition import (
    Summand,
    decomposition,
)
from pdobasis.representations.representation import Representation
from pdobasis.solvers.module import Angular

Pair = tuple[Representation, Representation]
Solve = Callable[[list[Pair]], list[list[Symbols]]]
"""The symbols between each of many pairs of irreps, for each of the orders."""


def through_irreps(
    rep_in: Representation,
    rep_out: Representation,
    orders: Sequence[int],
    solve: Solve,
) -> list[Angular] | None:
    """For each order the symbols and the irreps that each connects.

    None where the irreps are not known.
    """
    source, target = decomposition(rep_in), decomposition(rep_out)
    if source is None or target is None:
        return None
    pieces: list[list[ExactArray]] = [[] for _ in orders]
    labels: list[list[tuple[str, str]]] = [[] for _ in orders]
    meeting = []
    for b in target.summands:
        meeting += [(a, b) for a in source.summands if a.may_meet(b, orders)]
    # All at once: their linear systems are small, and many.
    solved = solve([(a.irrep, b.irrep) for a, b in meeting])
    joined = [any(part.size for part in parts) for parts in solved]
    projections = _by_name(source.projections, [a for a, _ in compress(meeting, joined)])
    inclusions = _by_name(target.inclusions, [b for _, b in compress(meeting, joined)])
    for (a, b), parts in zip(meeting, solved, strict=True):
        for k, found in enumerate(parts):
            if not found.size:
                continue
            spread = _spread(dense(found), projections[a.name], inclusions[b.name])
            pieces[k].append(spread)
            labels[k] += [(a.name, b.name)] * len(spread)
    out = []
    for k, n in enumerate(orders):
        part = _put_together(rep_in, rep_out, n, pieces[k])
        out.append(Angular(part, tuple(labels[k])))
    return out


def _put_together(
    rep_in: Representation,
    rep_out: Representation,
    order: int,
    pieces: list[ExactArray],
) -> Symbols:
    group = rep_in.group
    if not pieces:
        shape = (rep_out.size, rep_in.size)
        return empty(group.dim, order, shape, group.field)
    # Roots that the bases of irreps brought in go out again with them.
    part = tidy(from_dense(concatenate(pieces), group.dim, order))
    return replace(part, coefficients=without_large_field(part.coefficients))


def _by_name(
    found: Callable[..., tuple[list[ExactArray], ...]], summands: list[Summand]
) -> dict[str, list[ExactArray]]:
    """The maps of every summand, all of them found at once."""
    once = {s.name: s for s in summands}
    return dict(zip(once, found(*once.values()), strict=True))


def _spread(
    chi: ExactArray, projections: list[ExactArray], inclusions: list[ExactArray]
) -> ExactArray:
    """Q_out^-1 chi Q_in for every pair of copies.

    (element, row, column, monomial), for every copy of b, then of a.
    """
    # Matrices are multiplied along the last axis, so the axis that is changed is
    # brought there: first columns, then rows; for all copies side by side.
    right = chi.transpose(0, 1, 3, 2) @ concatenate(projections, axis=1)
    left = right.transpose(0, 2, 3, 1) @ concatenate(inclusions).T
    size, monomials = len(chi), chi.shape[-1]
    copies_in, copies_out = len(projections), len(inclusions)
    height, width = inclusions[0].shape[0], projections[0].shape[1]
    apart = left.reshape(size, monomials, copies_in, width, copies_out, height)
    ordered = apart.transpose(4, 2, 0, 5, 3, 1)
    return ordered.reshape(copies_out * copies_in * size, height, width, monomials)

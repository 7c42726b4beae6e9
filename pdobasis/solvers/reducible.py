r"""Sums of irreps: solve between the irreps, pad, and change the basis back.

With $Q\rho Q^{-1}$ block diagonal for both representations, the symbols are $Q_{out}^{-1} P Q_{in}$, where P has one
block between two irreps (paper, "Decomposition into irreducible representations").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pdobasis.exact.array import ExactArray, concatenate
from pdobasis.operators.symbols import Symbols, dense, empty, tidy
from pdobasis.representations.decomposition import Decomposition, Summand, decomposition, irrep_name
from pdobasis.representations.representation import Representation
from pdobasis.solvers.planar import from_dense

Solve = Callable[[Representation, Representation], list[Symbols]]
Labels = tuple[tuple[str, str], ...]


def through_irreps(
    rep_in: Representation, rep_out: Representation, orders: Sequence[int], solve: Solve
) -> list[tuple[Symbols, Labels]] | None:
    """For each order the symbols and the irreps that each connects.

    None where the irreps are not known or nothing is to be done.
    """
    if irrep_name(rep_in) and irrep_name(rep_out):
        return None
    source, target = decomposition(rep_in), decomposition(rep_out)
    if source is None or target is None:
        return None
    pieces: list[list[ExactArray]] = [[] for _ in orders]
    labels: list[list[tuple[str, str]]] = [[] for _ in orders]
    for b in target.summands:
        for a in source.summands:
            for k, found in enumerate(solve(a.irrep, b.irrep)):
                if found.size:
                    spread = _spread(dense(found), source, a, target, b)
                    pieces[k] += spread
                    labels[k] += [(a.name, b.name)] * sum(len(p) for p in spread)
    dim, nothing = rep_in.group.dim, (rep_out.size, rep_in.size)
    return [
        (
            tidy(from_dense(concatenate(own), dim, n)) if own else empty(dim, n, nothing, rep_in.group.field),
            tuple(names),
        )
        for n, own, names in zip(orders, pieces, labels, strict=True)
    ]


def _spread(chi: ExactArray, source: Decomposition, a: Summand, target: Decomposition, b: Summand) -> list[ExactArray]:
    """Q_out^-1 chi Q_in for every pair of copies: (element, row, column, monomial) each."""
    out = []
    for rows in target.places(b):
        for columns in source.places(a):
            right = chi.transpose(0, 1, 3, 2) @ source.change[columns]  # (element, row, monomial, column)
            left = right.transpose(0, 2, 3, 1) @ target.inverse[:, rows].T  # (element, monomial, column, row)
            out.append(left.transpose(0, 3, 2, 1))
    return out

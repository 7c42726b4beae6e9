"""The irreps that a file says its elements connect. Angular orders and Laplacian powers are in the certificate."""

from __future__ import annotations

import numpy as np

from pdobasis.answer.basis import Basis
from pdobasis.operators.block import Block
from pdobasis.operators.symbols import Symbols, dense, renumber
from pdobasis.representations.decomposition import (
    Decomposition,
    decomposition,
    irrep_name,
)


def false_irreps(basis: Basis) -> list[str]:
    """A sentence where some element does not connect the irreps that it is said to."""
    if all(_connects(basis, block) for block in basis.blocks):
        return []
    return [
        "the irreps of the elements (in_irrep, out_irrep) are not those that they connect"
    ]


def _connects(basis: Basis, block: Block) -> bool:
    """Every element vanishes on the other irreps of rho_in, and has no part in the other irreps of rho_out."""
    if block.structure is None:
        return True
    rep_in = basis.problem.in_type.distinct[block.in_index]
    rep_out = basis.problem.out_type.distinct[block.out_index]
    for part, described in zip(block.orders, block.structure, strict=True):
        for pair in {(s.in_irrep, s.out_irrep) for s in described}:
            if (
                "" in pair
            ):  # a side that is not decomposed: the other one is an irrep, or nothing is said
                if pair not in (("", ""), (irrep_name(rep_in), irrep_name(rep_out))):
                    return False
                continue
            own = _chosen(
                part,
                [
                    k
                    for k, s in enumerate(described)
                    if (s.in_irrep, s.out_irrep) == pair
                ],
            )
            if not _is_between(
                own, decomposition(rep_in), decomposition(rep_out), *pair
            ):
                return False
    return True


def _is_between(
    part: Symbols,
    source: Decomposition | None,
    target: Decomposition | None,
    in_irrep: str,
    out_irrep: str,
) -> bool:
    if source is None or target is None:
        return False
    columns, rows = _others(source, in_irrep), _others(target, out_irrep)
    if columns is None or rows is None:
        return False
    values = dense(part)  # (element, row, column, monomial)
    # Columns of the inverse are bases of the irreps, rows of the change coordinates.
    seen = values.transpose(0, 1, 3, 2) @ source.inverse[:, columns]
    made = values.transpose(0, 2, 3, 1) @ target.change[rows].T
    return seen.is_zero and made.is_zero


def _others(found: Decomposition, irrep: str) -> list[int] | None:
    """The coordinates that do not belong to an irrep; None when it does not occur."""
    if irrep not in [summand.name for summand in found.summands]:
        return None
    others = [summand for summand in found.summands if summand.name != irrep]
    return [
        k
        for summand in others
        for place in found.places(summand)
        for k in range(place.start, place.stop)
    ]


def _chosen(part: Symbols, numbers: list[int]) -> Symbols:
    ranks = np.full(part.size, -1)
    ranks[numbers] = np.arange(len(numbers))
    return renumber(part, ranks, len(numbers))

"""The irreps that a file says its elements connect. Angular orders and Laplacian powers are in the certificate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pdobasis.exact.array import ExactArray, concatenate
from pdobasis.operators.block import Block
from pdobasis.operators.symbols import Symbols, dense, renumber
from pdobasis.question.problem import Problem
from pdobasis.representations.decomposition import (
    Decomposition,
    decomposition,
    irrep_name,
)


def false_irreps(problem: Problem, blocks: Sequence[Block]) -> list[str]:
    """A sentence where some element does not connect the irreps that it is said to."""
    if all(_connects(problem, block) for block in blocks):
        return []
    return [
        "the irreps of the elements (in_irrep, out_irrep) are not those that they connect"
    ]


def _connects(problem: Problem, block: Block) -> bool:
    """Every element vanishes on the other irreps of rho_in, and has no part in the other irreps of rho_out."""
    if block.structure is None:
        return True
    rep_in = problem.in_type.distinct[block.in_index]
    rep_out = problem.out_type.distinct[block.out_index]
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
    before, after = _onto(source, in_irrep), _onto(target, out_irrep)
    if before is None or after is None:
        return False
    values = dense(part)  # (element, row, column, monomial)
    # P vanishes on the other irreps when P = P E_in, and has no part in them when P = E_out P.
    columns, rows = values.transpose(0, 1, 3, 2), values.transpose(0, 2, 3, 1)
    return (columns @ before).equals(columns) and (rows @ after.T).equals(rows)


def _onto(found: Decomposition, irrep: str) -> ExactArray | None:
    """The projection E onto all copies of an irrep; None when it does not occur."""
    for summand in found.summands:
        if summand.name == irrep:
            (images,), (maps,) = found.inclusions(summand), found.projections(summand)
            return concatenate(images, axis=1) @ concatenate(maps)
    return None


def _chosen(part: Symbols, numbers: list[int]) -> Symbols:
    ranks = np.full(part.size, -1)
    ranks[numbers] = np.arange(len(numbers))
    return renumber(part, ranks, len(numbers))

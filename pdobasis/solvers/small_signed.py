"""The elements of a finite group that are signed permutations, and how many double cosets they leave."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pdobasis.exact.array import ExactArray
from pdobasis.exact.types import IndexArray
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group
from pdobasis.representations.representation import Representation, all_matrices
from pdobasis.solvers.small import moves_as_space
from pdobasis.values import dataclass

MAX_SIGNS = 7
"""Matrices of signs that are made use of."""


@dataclass(frozen=True, slots=True, eq=False)
class Signed:
    """The subgroup of all elements that are signed permutations, in space and on all fibres, and those ``chosen`` of
    it; whether these generate it.
    """

    members: list[int]
    chosen: list[int]
    is_generated: bool


def signed_elements(group: Group, reps: Sequence[Representation]) -> Signed:
    """Matrices of signs, and what permutes."""
    table = closure(group)
    others = (all_matrices(rep) for rep in reps if not moves_as_space(rep))
    members, is_diagonal = _signed_among(table.matrices, np.arange(len(table)))
    for m in others:
        found, is_also = _signed_among(m, members)
        # both lists are sorted, the second is a part of the first
        is_diagonal = is_diagonal[members.searchsorted(found)] & is_also
        members = found
    # The first element is 1.
    diagonal = members[is_diagonal].tolist()
    signs = diagonal[1 : 1 + MAX_SIGNS]
    permuting = members[~is_diagonal].tolist()
    movers = [h for h in (int(move[0]) for move in table.left) if h in permuting]
    # One element that permutes leaves fewer unknowns; all of them would only make the walk round orbits longer.
    chosen = [*signs, *(movers or permuting[:1])]
    # A matrix of signs commutes with what permutes up to other signs: beside them a prime number of classes has one
    # generator, whichever it is.
    classes = len(members) // len(diagonal)
    is_generated = len(diagonal) <= 1 + MAX_SIGNS and classes in (1, 2, 3, 5, 7)
    return Signed(members.tolist(), chosen, is_generated)


def double_coset(group: Group, signed: Signed, s: int) -> int | None:
    r"""|G|/|H| where G is H and HgH, for the subgroup H of signed elements and a generator g; else None.

    HgH consists of $|H|/|H \cap gHg^{-1}|$ cosets of H, and $h' g = g h$ says that $h'$ is in both.
    """
    table = closure(group)
    count, rest = divmod(len(table), len(signed.members))
    moves = [move.tolist() for move in table.left]
    # an element of H has no double coset beside H; 1 may be a generator, too
    if not signed.is_generated or rest or moves[s][0] in signed.members:
        return None
    via, parent = table.via.tolist(), table.parent.tolist()
    # g_i g for all i: g_i is a generator times an element that comes earlier in the tree
    times = [moves[s][0]] * len(via)
    for level in table.levels:
        for i in level.tolist():
            times[i] = moves[via[i]][times[parent[i]]]
    ours = {times[h] for h in signed.members}
    shared = sum(moves[s][h] in ours for h in signed.members)
    if shared * (count - 1) != len(signed.members):
        return None
    return count


def _signed_among(m: ExactArray, among: IndexArray) -> tuple[IndexArray, IndexArray]:
    """Which of the matrices ``among`` all have as many non-zeros as rows, all of them 1 or -1; which are diagonal."""
    size, degree = m.shape[1], m.field.degree
    flat = m.numerators.reshape(len(m), -1)[among]
    few = (flat != 0).sum(axis=1) == size
    among, flat = among[few], flat[few]
    rational = flat[:, ::degree]
    own = (abs(rational) == m.denominator).sum(axis=1) == size
    # the diagonal is every (size + 1)-th number
    is_diagonal = rational[own, :: size + 1].all(axis=1)
    return among[own], np.asarray(is_diagonal)

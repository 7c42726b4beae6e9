"""Representations that come from the elements of a finite group: regular, quotient, induced."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pdobasis.errors import RepresentationError
from pdobasis.exact.array import ExactArray, concatenate, zeros
from pdobasis.exact.types import IndexArray
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group
from pdobasis.representations.representation import Representation, from_matrices


def regular(group: Group) -> Representation:
    """rho(g) e_h = e_{gh}."""
    require_finite(group, "regular")
    table = closure(group)
    permutations = tuple(tuple(map(int, p)) for p in table.left)
    return Representation(group, "regular", len(table), permutations=permutations)


def quotient(group: Group, subgroup: Sequence[ExactArray], spec: str) -> Representation:
    """rho(g) e_{hH} = e_{ghH}; cosets in the order of their first elements."""
    require_finite(group, "quotient")
    coset, first = cosets(group, subgroup)
    # s moves the coset of t to that of st, whatever t is chosen from it
    permutations = []
    for left in closure(group).left:
        moved = coset[left[first]]
        permutations.append(tuple(map(int, moved)))
    return Representation(group, spec, len(first), permutations=tuple(permutations))


def induced(
    group: Group, subgroup: Group, inner: Representation, spec: str
) -> Representation:
    r"""$\rho(g)(e_{t_i} \otimes v) = e_{t_j} \otimes \sigma(h) v$ where $g t_i = t_j h$ with h in H."""
    require_finite(group, "induced")
    table = closure(group)
    coset, first = cosets(group, subgroup.generators)
    size = inner.size
    images = []
    for g, left in zip(group.generators, table.left, strict=True):
        blocks = [[zeros((size, size)) for _ in first] for _ in first]
        for i, t in enumerate(first.tolist()):
            # g t is in the coset of t_j, and t_j^-1 (g t) is in H
            j = int(coset[left[t]])
            t_j = table.matrices[int(first[j])]
            h = t_j.inverse() @ (g @ table.matrices[t])
            blocks[j][i] = inner.at(h)
        rows = [concatenate(row, axis=1) for row in blocks]
        images.append(concatenate(rows, axis=0))
    return from_matrices(group, spec, size * len(first), tuple(images))


def cosets(
    group: Group, subgroup: Sequence[ExactArray]
) -> tuple[IndexArray, IndexArray]:
    """(coset number of every element, first element of every coset) for the left cosets gH."""
    table = closure(group)
    members = subgroup_elements(group, subgroup)
    coset = np.full(len(table), -1)
    first: list[int] = []
    for i in range(len(table)):
        # the first element of a coset that was not met yet: all of gH gets its number
        if coset[i] < 0:
            coset[table.action(i)[members]] = len(first)
            first.append(i)
    return coset, np.array(first)


def subgroup_elements(group: Group, generators: Sequence[ExactArray]) -> IndexArray:
    """The indices of the subgroup that the matrices generate; RepresentationError when one is not in G."""
    table = closure(group)
    actions = []
    for g in generators:
        index = table.find(g)
        if index is None:
            raise RepresentationError(
                f"the subgroup is not contained in {group.name} (in this orientation)"
            )
        actions.append(table.action(index))
    return orbit_of(actions, 0)


def orbit_of(actions: Sequence[IndexArray], start: int) -> IndexArray:
    """What the permutations reach from ``start``, sorted."""
    reached = {start}
    frontier = [start]
    while frontier:
        moved = [int(a[i]) for a in actions for i in frontier]
        # each once
        frontier = [i for i in dict.fromkeys(moved) if i not in reached]
        reached.update(frontier)
    return np.array(sorted(reached))


def require_finite(group: Group, what: str) -> None:
    if not group.is_finite:
        raise RepresentationError(
            f"{what} needs a finite group, and {group.name} is infinite: use irrep(...), vector or tensor(...)"
        )

"""Is a matrix an element of a group? Decided exactly, where the group says what its elements are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pdobasis.errors import GroupError
from pdobasis.exact.array import ExactArray, stack
from pdobasis.groups.closure import closure
from pdobasis.groups.families import family_of
from pdobasis.groups.group import Group
from pdobasis.groups.rows import as_matrix
from pdobasis.linear.null_space import null_space
from pdobasis.linear.sparse import Sparse


def contains(group: Group, g: Any) -> bool:
    """Finite groups by their elements; groups of the catalogue by what they preserve."""
    m = as_matrix(g)
    if m.shape != (group.dim, group.dim):
        return False
    if group.is_finite:
        return closure(group).find(m) is not None
    family = family_of(group)
    if family is None or family.contains is None:
        raise GroupError(
            f"whether a matrix lies in {group.name} is not decided: only its generators are known"
        )
    return family.contains(group, m)


def contains_group(larger: Group, group: Group) -> bool:
    """G <= larger: the generators are elements, and the Lie generators lie in its Lie algebra.

    Undecided where nobody knows the elements of the larger group: then a generator of its finite part will do.
    """
    if larger.dim != group.dim or not lie_contains(larger, group.lie):
        return False
    family = family_of(larger)
    if larger.is_finite or family is None or family.contains is None:
        if not larger.discrete.is_finite:
            # The elements of an infinite discrete group cannot be listed.
            return all(g in larger.generators for g in group.generators)
        table = closure(larger.discrete)
        return all(table.find(g) is not None for g in group.generators)
    return all(family.contains(larger, g) for g in group.generators)


def lie_contains(larger: Group, lie: Sequence[ExactArray]) -> bool:
    """Whether the matrices are combinations of the Lie generators, brackets not counted: by exact ranks."""
    if not lie:
        return True
    if not larger.lie:
        return all(x.is_zero for x in lie)
    own = stack([x.reshape(x.size) for x in larger.lie])
    both = stack([x.reshape(x.size) for x in (*larger.lie, *lie)])
    # The rank grows exactly if some matrix lies outside of the span.
    return exact_rank(both) == exact_rank(own)


def exact_rank(m: ExactArray) -> int:
    """The rank over K: the size less the nullity of the columns."""
    rows, columns = np.nonzero(m.nonzero_mask())
    return (
        m.shape[1]
        - null_space(
            Sparse(rows, columns, m[rows, columns], (m.shape[0], m.shape[1]))
        ).shape[0]
    )

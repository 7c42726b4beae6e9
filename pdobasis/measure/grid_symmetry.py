r"""Exact equivariance under the symmetries that the group shares with the grid.

For these g, rotations and reflections alike, $\rho_{out}(g)\, W(g^{-1} y)\, \rho_{in}(g)^{-1} = W(y)$ at every node, up
to rounding. A stencil that is turned by a quarter fails it for reflections, which no test through scalars sees.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdobasis.exact.array import ExactArray, integers
from pdobasis.field_type import Problem
from pdobasis.groups.closure import closure
from pdobasis.sampled import Sampled, matrix_at, signed_permutation
from pdobasis.stencils import equivariance_defect, grid_point_group, staggered_defect

TOLERANCE = 1e-14


@dataclass(frozen=True, slots=True, eq=False)
class GridSymmetry:
    """One symmetry g of the grid that lies in the group, and the largest |gW - W| relative to the largest |W|."""

    matrix: NDArray[np.int64]
    defect: float

    @property
    def is_reflection(self) -> bool:
        return bool(round(float(np.linalg.det(self.matrix))) < 0)

    @property
    def holds(self) -> bool:
        return self.defect <= TOLERANCE


def grid_equivariance(sampled: Sampled) -> tuple[GridSymmetry, ...]:
    """The defect of every shared symmetry, the identity left out."""
    out = []
    for g, matrix in shared_symmetries(sampled):
        if np.array_equal(matrix, np.eye(len(matrix))):
            continue
        rho_out, rho_in = matrix_at(sampled.problem.out_type, g), matrix_at(sampled.problem.in_type, g)
        if sampled.places is None:
            layout = sampled.grid.layout
            defect = equivariance_defect(sampled.stencils, matrix, rho_out, rho_in, layout)
        else:
            rows, columns = range(sampled.problem.out_type.size), range(sampled.problem.in_type.size)
            grids = [[sampled.node_grid(o, i) for i in columns] for o in rows]
            defect = staggered_defect(sampled.stencils, grids, matrix, rho_out, rho_in)
        out.append(GridSymmetry(matrix, defect))
    return tuple(out)


def shared_symmetries(sampled: Sampled) -> list[tuple[ExactArray, NDArray[np.int64]]]:
    """The elements of the group that map the nodes to themselves, as exact and as integer matrices."""
    of_grid = {g.tobytes() for g in grid_point_group(sampled.grid)}
    found = [(g, signed_permutation(g)) for g in candidates(sampled.problem)]
    return [(g, m) for g, m in found if m is not None and m.tobytes() in of_grid]


def candidates(problem: Problem) -> list[ExactArray]:
    """All elements of a finite group; of SO(d) and O(d) the signed permutations; else those that the generators make.

    (A signed permutation lies in O(d) always, and in SO(d) if its determinant is 1.)
    """
    from pdobasis.groups.group import Group
    from pdobasis.stencils import signed_permutations

    group = problem.group
    if group.lie and group.family.name in ("SO", "O"):
        whole = group.family.name == "O"
        return [integers(g) for g in signed_permutations(group.dim) if whole or round(float(np.linalg.det(g))) == 1]
    if group.lie:
        finite = Group(group.name, group.dim, group.generators, group.labels, limit=group.limit)
        table = closure(finite).matrices
    else:
        table = closure(group).matrices
    return [table[k] for k in range(len(table))]

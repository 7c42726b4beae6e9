r"""Exact equivariance under the symmetries that the group shares with the grid.

For these g, rotations and reflections alike, $\rho_{out}(g)\, W(g^{-1} y)\, \rho_{in}(g)^{-1} = W(y)$ at every node, up
to rounding. A stencil that is turned by a quarter fails it for reflections, which no test through scalars sees.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from pdobasis.exact.array import ExactArray, integers
from pdobasis.exact.numbers import to_float
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group
from pdobasis.question.problem import Problem
from pdobasis.stencils import equivariance_defect, grid_point_group, staggered_defect
from pdobasis.stencils.sampled import Sampled, matrix_at, signed_permutation

TOLERANCE = 1e-14
# The symmetries of the grid are 384 in four dimensions and 3840 in five.
CLOSED_DIM = 4


@dataclass(frozen=True, slots=True, eq=False)
class GridSymmetry:
    """One symmetry g of the grid that lies in the group, and the largest |gW - W| relative to the largest |W|."""

    matrix: NDArray[np.int64]
    defect: float

    @property
    def is_reflection(self) -> bool:
        # 1 or -1, but computed in floating point.
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
        rho_out, rho_in = (
            matrix_at(sampled.problem.out_type, g),
            matrix_at(sampled.problem.in_type, g),
        )
        if sampled.places is None:
            layout = sampled.grid.layout
            defect = equivariance_defect(
                sampled.stencils, matrix, rho_out, rho_in, layout
            )
        else:
            rows, columns = (
                range(sampled.problem.out_type.size),
                range(sampled.problem.in_type.size),
            )
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
    """All elements of a finite group; of a continuous one those that its finite generators and quarter turns make.

    In more than four dimensions only these themselves: what holds for generators holds for all.
    """
    group = problem.group
    if group.is_finite:
        return _elements(group)
    if not group.discrete.is_finite:
        return list(group.generators)
    if any(
        rep.term is None
        for rep in (*problem.in_type.distinct, *problem.out_type.distinct)
    ):
        return []  # such a representation is known on its generators only
    # A continuous group meets the grid in its finite part and in quarter turns of the planes that it rotates.
    finite = _elements(group.discrete)
    own = [g for g in finite if signed_permutation(g) is not None]
    turns = [_quarter_turn(group.dim, plane) for plane in rotation_planes(group)]
    if group.dim > CLOSED_DIM:
        return [*own, *turns]
    together = (*own, *turns)
    labels = tuple(f"g{k}" for k in range(len(together)))
    return _elements(Group("symmetries of the grid", group.dim, together, labels))


def rotation_planes(group: Group) -> list[tuple[int, int]]:
    """The coordinate planes whose rotations lie in the group: E_ji - E_ij is in the span of the Lie generators."""
    if not group.lie:
        return []
    span = np.stack([to_float(x).ravel() for x in group.lie], axis=1)
    out = []
    for i, j in combinations(range(group.dim), 2):
        turn = np.zeros((group.dim, group.dim))
        turn[j, i], turn[i, j] = 1, -1
        # A turn that is not in the span misses it by far more than rounding.
        best = np.linalg.lstsq(span, turn.ravel(), rcond=None)[0]
        if np.abs(span @ best - turn.ravel()).max() < 1e-9:
            out.append((i, j))
    return out


def _elements(group: Group) -> list[ExactArray]:
    table = closure(group).matrices
    return [table[k] for k in range(len(table))]


def _quarter_turn(dim: int, plane: tuple[int, int]) -> ExactArray:
    i, j = plane
    turn = np.eye(dim, dtype=np.int64)
    turn[[i, j], [i, j]] = 0
    turn[j, i], turn[i, j] = 1, -1
    return integers(turn)

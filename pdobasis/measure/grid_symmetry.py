r"""Exact equivariance under the symmetries that the group shares with the grid.

For these g, rotations and reflections alike, $\rho_{out}(g)\, W(g^{-1} y)\, \rho_{in}(g)^{-1} = W(y)$ should hold at
every point y, up to rounding. A stencil that is turned by a quarter fails it for reflections, which no test through
scalars sees; one in a box that g does not map to itself fails it, unless it is zero where the box goes beyond.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from pdobasis.exact.array import ExactArray, integers
from pdobasis.exact.numbers import to_float
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group
from pdobasis.question.problem import Problem
from pdobasis.stencils import staggered_defect
from pdobasis.stencils.lattice_symmetry import (
    images_of_nodes,
    keeps_places,
    lattice_defect,
    whole_matrix,
)
from pdobasis.stencils.sampled import Sampled, matrix_at, signed_permutation
from pdobasis.stencils.symmetry import keeps_grid

TOLERANCE = 1e-14
# The symmetries of the grid are 384 in four dimensions and 3840 in five.
CLOSED_DIM = 4


@dataclass(frozen=True, slots=True, eq=False)
class GridSymmetry:
    """One symmetry g of the grid that lies in the group, and the largest |gW - W| relative to the largest |W|.

    ``matrix`` is g in steps of the grid; ``keeps_nodes`` says whether it maps the nodes of the stencil to themselves.

    Attributes
    ----------
    matrix : array
        g, in steps of the grid.
    defect : float
        The largest |gW - W|, relative.
    keeps_nodes : bool
        Whether g maps the nodes of the stencil to themselves.

    Examples
    --------
    >>> turn = GridSymmetry(np.array([[0, -1], [1, 0]]), 0.0)
    >>> turn.kind, turn.holds
    ('rotation', True)
    """

    matrix: NDArray[np.int64]
    defect: float
    keeps_nodes: bool = True

    @property
    def kind(self) -> str:
        """A shear has infinite order; everything else is a rotation or a reflection in some coordinates."""
        if self.is_reflection:
            return "reflection"
        dim = len(self.matrix)
        nilpotent = np.linalg.matrix_power(
            self.matrix - np.eye(dim, dtype=np.int64), dim
        )
        if not nilpotent.any():
            return "shear"
        return "rotation"

    @property
    def is_reflection(self) -> bool:
        """Whether its determinant is negative."""
        # 1 or -1, but computed in floating point.
        return bool(round(float(np.linalg.det(self.matrix))) < 0)

    @property
    def holds(self) -> bool:
        """Whether the defect is rounding."""
        return self.defect <= TOLERANCE


def grid_equivariance(sampled: Sampled) -> tuple[GridSymmetry, ...]:
    """The defect of every shared symmetry, the identity left out.

    >>> import pdobasis
    >>> from pdobasis.stencils.sampled import sample
    >>> gradient = pdobasis.solve("O(2)", "trivial", "vector", order=1)
    >>> [found.defect for found in grid_equivariance(sample(gradient, "fd", 3))]
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]

    Parameters
    ----------
    sampled : Sampled
        Stencils of a basis, as ``pdobasis.stencils.sampled.sample`` makes them.

    Returns
    -------
    tuple of GridSymmetry
        One for each symmetry.
    """
    out = []
    for g, matrix in shared_symmetries(sampled):
        if np.array_equal(matrix, np.eye(len(matrix))):
            continue
        rho_out = matrix_at(sampled.problem.out_type, g)
        rho_in = matrix_at(sampled.problem.in_type, g)
        if sampled.places is None:
            images = images_of_nodes(matrix, sampled.grid)
            # A window of a lattice is closed, whatever becomes of the box around it.
            is_closed = bool((images >= 0).all()) or sampled.grid.lattice is not None
            defect = lattice_defect(
                sampled.stencils, sampled.grid, matrix, rho_out, rho_in
            )
        else:
            rows = range(sampled.problem.out_type.size)
            columns = range(sampled.problem.in_type.size)
            grids = [[sampled.node_grid(o, i) for i in columns] for o in rows]
            is_closed = keeps_grid(matrix, sampled.grid)
            defect = staggered_defect(sampled.stencils, grids, matrix, rho_out, rho_in)
        out.append(GridSymmetry(matrix, defect, is_closed))
    return tuple(out)


def shared_symmetries(sampled: Sampled) -> list[tuple[ExactArray, NDArray[np.int64]]]:
    """The elements g of the group that map the points of the grid to themselves, and H^{-1} g H in whole numbers."""
    grid = sampled.grid
    if grid.lattice is not None:
        return list(grid.lattice.symmetries(sampled.problem.group))
    found = [(g, whole_matrix(g, grid.spacing)) for g in candidates(sampled.problem)]
    kept = [(g, m) for g, m in found if m is not None]
    if sampled.places is not None:
        return kept  # components have places of their own, which were checked when they were sampled
    return [(g, m) for g, m in kept if keeps_places(m, grid)]


def candidates(problem: Problem) -> list[ExactArray]:
    """All elements of a finite group; of a continuous one what finite generators and quarter turns make, and shears.

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
    # Without a length that all keep, the rest might make infinitely many: they stand for themselves.
    rest = [g for g in finite if signed_permutation(g) is None]
    rest += _shears(group)
    turns = [_quarter_turn(group.dim, plane) for plane in rotation_planes(group)]
    if group.dim > CLOSED_DIM:
        return [*own, *turns, *rest]
    together = (*own, *turns)
    labels = tuple(f"g{k}" for k in range(len(together)))
    closed = _elements(Group("symmetries of the grid", group.dim, together, labels))
    return [*closed, *rest]


def rotation_planes(group: Group) -> list[tuple[int, int]]:
    """The coordinate planes whose rotations lie in the group: E_ji - E_ij is in the span of the Lie generators."""
    out = []
    for i, j in combinations(range(group.dim), 2):
        turn = np.zeros((group.dim, group.dim))
        turn[j, i], turn[i, j] = 1, -1
        if _in_algebra(turn, group):
            out.append((i, j))
    return out


def _in_algebra(x: NDArray[np.float64], group: Group) -> bool:
    if not group.lie:
        return False
    span = np.stack([to_float(y).ravel() for y in group.lie], axis=1)
    # A matrix that is not in the span misses it by far more than rounding.
    best = np.linalg.lstsq(span, x.ravel(), rcond=None)[0]
    return bool(np.abs(span @ best - x.ravel()).max() < 1e-9)


def _shears(group: Group) -> list[ExactArray]:
    """1 + E_ij = exp E_ij, where E_ij is in the Lie algebra."""
    out = []
    for i, j in permutations(range(group.dim), 2):
        unit = np.zeros((group.dim, group.dim))
        unit[i, j] = 1
        if _in_algebra(unit, group):
            out.append(
                integers(np.eye(group.dim, dtype=np.int64) + unit.astype(np.int64))
            )
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

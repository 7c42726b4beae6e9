r"""The direct solver: one mechanism for every group.

Where a finite group permutes the rows or columns of P, it is enough to know one entry (column, row) of each orbit:
there P is any solution for the *stabiliser*, and it is carried round by $P_{t\omega}(y) = F(t) P_\omega(t^T y)$
(Frobenius reciprocity). With two regular representations the stabiliser is trivial and no linear algebra is left;
with no permutations at all the "orbit" is the whole matrix, the stabiliser is G, and what is left is the null space.

Canonical: within a block the result is the reduced row echelon form of the solution space, unknowns ordered by
(column, row, monomial), or (row, column, monomial) where only $\rho_{out}$ is a permutation representation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from pdobasis.exact.array import ExactArray, RightFactor, batched_matmul, concatenate, identity, zeros
from pdobasis.exact.field import join
from pdobasis.exact.nullspace import Sparse, null_space
from pdobasis.exact.polynomials import count, substitution
from pdobasis.exact.types import IndexArray
from pdobasis.groups.closure import Closure, closure
from pdobasis.groups.group import Group
from pdobasis.groups.lie import generating_indices
from pdobasis.representations.representation import Representation, all_matrices, all_permutations
from pdobasis.solvers.constraint import (
    Fibre,
    group_equations,
    join_systems,
    laplace_equations,
    lie_equations,
    vanishing_equations,
)
from pdobasis.solvers.truncation import beyond
from pdobasis.symbols import Symbols, empty, symbols


def solve_block(
    rep_in: Representation,
    rep_out: Representation,
    order: int,
    *,
    orbits: bool = True,
    harmonic: bool = False,
    partial_order: int | None = None,
) -> Symbols:
    r"""All P of exactly this order between two representations; ``orbits=False`` forces the plain null space.

    ``harmonic`` adds $\Delta P = 0$ to the constraint, which commutes with it for $G \le O(d)$;
    ``partial_order`` limits the order in each variable, for groups that preserve that.
    """
    finite = rep_in.group.is_finite and orbits
    over_in, over_out = finite and rep_in.is_permutation, finite and rep_out.is_permutation
    frame = _Frame(rep_in, rep_out, over_in, over_out, order, harmonic, partial_order)
    if not (frame.over_in or frame.over_out):
        row_major = rep_out.is_permutation and not rep_in.is_permutation
        return _whole_matrix(frame, row_major=row_major)
    return _round_orbits(frame)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Which index sets are permuted, and what is left over as the fibre at a point."""

    rep_in: Representation
    rep_out: Representation
    over_in: bool
    over_out: bool
    order: int
    harmonic: bool
    partial_order: int | None

    def further_equations(self) -> list[Sparse]:
        """What is asked of every entry besides the constraint; each is kept by the whole group."""
        out = []
        if self.harmonic:
            out.append(laplace_equations(self.fibre, self.group.dim, self.order))
        if self.partial_order is not None:
            left_out = beyond(self.group.dim, self.order, self.partial_order)
            out.append(vanishing_equations(self.fibre, left_out, count(self.group.dim, self.order)))
        return out

    @property
    def group(self) -> Group:
        return self.rep_in.group

    @property
    def fibre(self) -> Fibre:
        return Fibre(1 if self.over_out else self.rep_out.size, 1 if self.over_in else self.rep_in.size)

    @property
    def points(self) -> int:
        return (self.rep_in.size if self.over_in else 1) * (self.rep_out.size if self.over_out else 1)

    def images(self, point: int) -> IndexArray:
        """Where every element of G sends the point."""
        if not self.over_out:
            return all_permutations(self.rep_in)[:, point]
        if not self.over_in:
            return all_permutations(self.rep_out)[:, point]
        column, row = divmod(point, self.rep_out.size)
        return all_permutations(self.rep_in)[:, column] * self.rep_out.size + all_permutations(self.rep_out)[:, row]

    def entries(self, points: IndexArray) -> tuple[IndexArray, IndexArray]:
        """(row, column) in P of every fibre entry at the points, (points, fibre)."""
        f = np.arange(self.fibre.size)
        if self.over_in and self.over_out:
            return points[:, None] % self.rep_out.size, points[:, None] // self.rep_out.size
        if self.over_in:
            return np.broadcast_to(f, (len(points), len(f))), np.broadcast_to(points[:, None], (len(points), len(f)))
        return np.broadcast_to(points[:, None], (len(points), len(f))), np.broadcast_to(f, (len(points), len(f)))


def _round_orbits(frame: _Frame) -> Symbols:
    group, dim = frame.group, frame.group.dim
    shape = (frame.rep_out.size, frame.rep_in.size)
    visited = np.zeros(frame.points, dtype=bool)
    carried: dict[bytes, ExactArray] = {}
    elements, rows, columns, values = [], [], [], []
    total = 0
    for point in range(frame.points):
        if visited[point]:
            continue
        images = frame.images(point)
        orbit, transversal = np.unique(images, return_index=True)
        visited[orbit] = True
        stabiliser = np.flatnonzero(images == point)
        key = stabiliser.tobytes() + b"|" + transversal.tobytes()
        if key not in carried:
            carried[key] = _carry(frame, _invariants(frame, stabiliser), transversal)
        block = carried[key]  # (orbit, element, fibre, monomial)
        t, k, f, m = block.shape
        if not k:
            continue
        r, c = frame.entries(orbit)
        elements.append(np.broadcast_to(np.arange(total, total + k)[None, :, None], (t, k, f)).ravel())
        rows.append(np.broadcast_to(r[:, None, :], (t, k, f)).ravel())
        columns.append(np.broadcast_to(c[:, None, :], (t, k, f)).ravel())
        values.append(block.reshape(t * k * f, m))
        total += k
    if not total:
        return empty(dim, frame.order, shape, group.field)
    entries = (np.concatenate(elements), np.concatenate(rows), np.concatenate(columns))
    return symbols(dim, frame.order, total, shape, entries, concatenate(values))


def _invariants(frame: _Frame, stabiliser: IndexArray) -> ExactArray:
    """The solutions at one point, for the stabiliser alone: (elements, fibre, monomials)."""
    m = count(frame.group.dim, frame.order)
    size = frame.fibre.size
    systems = frame.further_equations()
    if len(stabiliser) == 1 and not systems:
        return identity(size * m).reshape(size * m, size, m)
    table = closure(frame.group)
    for h in _generating(table, stabiliser):
        rho_in = identity(1) if frame.over_in else all_matrices(frame.rep_in)[h]
        rho_out = identity(1) if frame.over_out else all_matrices(frame.rep_out)[h]
        systems.append(group_equations(frame.fibre, rho_in, rho_out, table.matrices[h], frame.order))
    return _dense(null_space(join_systems(systems))).reshape(-1, size, m)


def _carry(frame: _Frame, invariants: ExactArray, transversal: IndexArray) -> ExactArray:
    """P_{t w}(y) = rho_out(t) P_w(t^T y) rho_in(t)^{-1} for all t: (t, elements, fibre, monomials)."""
    k, f, m = invariants.shape
    t = len(transversal)
    if not k:
        return zeros((t, 0, f, m), frame.group.field)
    moved = _substitutions(frame.group, frame.order).take(transversal)  # (t, alpha, beta)
    field = join(invariants.field, moved.field)
    flat = invariants.reshape(k * f, m).T.over(field)
    value = RightFactor(flat)(moved.over(field).transpose(0, 2, 1)).reshape(t, m, k, f)
    if frame.over_in and not frame.over_out:
        rho = all_matrices(frame.rep_out).take(transversal)
        value = batched_matmul(rho, value.transpose(0, 3, 1, 2).reshape(t, f, m * k))
        return value.reshape(t, f, m, k).transpose(0, 3, 1, 2)
    if frame.over_out and not frame.over_in:
        rho = all_matrices(frame.rep_in).take(_inverses(frame.group)[transversal])
        value = batched_matmul(value.reshape(t, m * k, f), rho).reshape(t, m, k, f)
    return value.transpose(0, 2, 3, 1)


@cache
def _substitutions(group: Group, order: int) -> ExactArray:
    """S(g^T) for all elements."""
    return substitution(closure(group).matrices.transpose(0, 2, 1), order)


@cache
def _inverses(group: Group) -> IndexArray:
    """The index of every inverse."""
    table = closure(group)
    out = np.empty(len(table), dtype=np.int64)
    for i in range(len(table)):
        g = table.matrices[i]
        index = table.find(g.T if group.is_orthogonal else g.inverse())
        out[i] = 0 if index is None else index
    return out


def _generating(table: Closure, members: IndexArray) -> list[int]:
    """A few elements that generate the subgroup with these members."""
    if len(members) == len(table):
        return [int(p[0]) for p in table.left]
    chosen: list[int] = []
    actions: list[IndexArray] = []
    reached = np.zeros(len(table), dtype=bool)
    reached[0] = True
    for h in members.tolist():
        if not reached[h]:
            chosen.append(h)
            actions.append(table.action(h))
            _spread(reached, actions)
    return chosen


def _spread(reached: IndexArray, actions: list[IndexArray]) -> None:
    """Close the marked set under the permutations."""
    frontier = np.flatnonzero(reached)
    while len(frontier):
        moved = np.unique(np.concatenate([a[frontier] for a in actions]))
        frontier = moved[~reached[moved]]
        reached[frontier] = True


def _whole_matrix(frame: _Frame, *, row_major: bool) -> Symbols:
    rep_in, rep_out, order, group = frame.rep_in, frame.rep_out, frame.order, frame.group
    fibre = Fibre(rep_out.size, rep_in.size)
    m = count(group.dim, order)
    systems = [
        group_equations(fibre, a, b, g, order)
        for a, b, g in zip(rep_in.matrices(), rep_out.matrices(), group.generators, strict=True)
    ]
    systems += [
        lie_equations(fibre, rep_in.lie[k], rep_out.lie[k], group.lie[k], order) for k in generating_indices(group)
    ]
    shape = (rep_out.size, rep_in.size)
    systems += frame.further_equations()
    if not systems:
        every = np.zeros(0, dtype=np.int64)
        systems = [Sparse(every, every, zeros((0,)), (0, fibre.size * m))]
    entry = np.arange(fibre.size)
    rank = (entry % fibre.rows) * fibre.columns + entry // fibre.rows if row_major else entry
    system = join_systems(systems)
    renumbered = Sparse(system.rows, rank[system.columns // m] * m + system.columns % m, system.values, system.shape)
    found = null_space(renumbered)
    where, slot = np.unique(found.rows * fibre.size + found.columns // m, return_inverse=True)
    blank = zeros((len(where), m), found.values.field).numerators.astype(found.values.numerators.dtype)
    blank[slot, found.columns % m] = found.values.numerators
    coefficients = ExactArray(blank, found.values.denominator, found.values.field)
    element, point = where // fibre.size, where % fibre.size
    row, column = (point // fibre.columns, point % fibre.columns) if row_major else (
        point % fibre.rows, point // fibre.rows
    )  # fmt: skip
    return symbols(group.dim, order, found.shape[0], shape, (element, row, column), coefficients)


def _dense(vectors: Sparse) -> ExactArray:
    out = np.zeros((*vectors.shape, vectors.values.field.degree), dtype=vectors.values.numerators.dtype)
    out[vectors.rows, vectors.columns] = vectors.values.numerators
    return ExactArray(out, vectors.values.denominator, vectors.values.field)

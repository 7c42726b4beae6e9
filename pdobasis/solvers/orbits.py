r"""Solutions round orbits, where a finite group permutes the rows or columns of P.

It is enough to know one entry (column, row) of each orbit: there P is any solution for the *stabiliser*, and it is
carried round by $P_{t\omega}(y) = F(t) P_\omega(t^T y)$ (Frobenius reciprocity). With two regular representations the
stabiliser is trivial and no linear algebra is left.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from pdobasis.exact.array import (
    ExactArray,
    RightFactor,
    batched_matmul,
    concatenate,
    identity,
    zeros,
)
from pdobasis.exact.field import join
from pdobasis.exact.polynomials import count, next_substitution, substitution
from pdobasis.exact.types import IndexArray
from pdobasis.groups.closure import closure, generating
from pdobasis.groups.group import Group
from pdobasis.linear.sparse import Sparse
from pdobasis.linear.stages import null_space_in_stages
from pdobasis.operators.symbols import Symbols, empty, symbols
from pdobasis.representations.representation import (
    Representation,
    all_matrices,
    all_permutations,
)
from pdobasis.solvers.constraint import (
    Unknowns,
    further_equations,
    group_equations,
    substitutions,
)


def round_orbits(frame: Frame) -> Symbols:
    group, dim = frame.group, frame.group.dim
    shape = (frame.rep_out.size, frame.rep_in.size)
    carried: dict[bytes, ExactArray] = {}
    elements, rows, columns, values = [], [], [], []
    total = 0
    for orbit, transversal, stabiliser in _orbits(frame.rep_in, frame.rep_out, frame.over_in, frame.over_out):
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
    entries = (
        np.concatenate(elements),
        np.concatenate(rows),
        np.concatenate(columns),
    )
    return symbols(dim, frame.order, total, shape, entries, concatenate(values))


@dataclass(frozen=True, slots=True)
class Frame:
    """Which index sets are permuted, and what is left over as the fibre at a point."""

    rep_in: Representation
    rep_out: Representation
    over_in: bool
    over_out: bool
    order: int
    harmonic: bool
    partial_order: int | None

    @property
    def group(self) -> Group:
        return self.rep_in.group

    @property
    def fibre(self) -> tuple[int, int]:
        """The rows and columns at a point."""
        return (
            1 if self.over_out else self.rep_out.size,
            1 if self.over_in else self.rep_in.size,
        )

    def entries(self, points: IndexArray) -> tuple[IndexArray, IndexArray]:
        """(row, column) in P of every fibre entry at the points, (points, fibre)."""
        f = np.arange(self.fibre[0] * self.fibre[1])
        if self.over_in and self.over_out:
            return points[:, None] % self.rep_out.size, points[:, None] // self.rep_out.size
        if self.over_in:
            return np.broadcast_to(f, (len(points), len(f))), np.broadcast_to(points[:, None], (len(points), len(f)))
        return np.broadcast_to(points[:, None], (len(points), len(f))), np.broadcast_to(f, (len(points), len(f)))


@lru_cache(maxsize=64)
def _orbits(
    rep_in: Representation,
    rep_out: Representation,
    over_in: bool,
    over_out: bool,
) -> list[tuple[IndexArray, IndexArray, IndexArray]]:
    """For every orbit of G on the points: the points, an element that reaches each, the stabiliser of the first."""
    columns = all_permutations(rep_in) if over_in else None  # (elements, places of columns)
    rows = all_permutations(rep_out) if over_out else None
    height = rep_out.size if over_out else 1
    points = height * (rep_in.size if over_in else 1)
    visited = np.zeros(points, dtype=bool)
    out = []
    for point in range(points):
        if visited[point]:
            continue
        column, row = divmod(point, height)
        images = np.zeros(1, dtype=np.int64) if columns is None else columns[:, column] * height
        images = images if rows is None else images + rows[:, row]
        orbit, transversal = np.unique(images, return_index=True)
        visited[orbit] = True
        out.append((orbit, transversal, np.flatnonzero(images == point)))
    return out


def _invariants(frame: Frame, stabiliser: IndexArray) -> ExactArray:
    """The solutions at one point, for the stabiliser alone: (elements, fibre, monomials)."""
    m = count(frame.group.dim, frame.order)
    rows, columns = frame.fibre
    size = rows * columns
    number = np.arange(size * m).reshape(columns, rows, m).transpose(1, 0, 2)
    unknowns = Unknowns(frame.group.dim, frame.order, frame.order, number, size * m)
    systems = further_equations(unknowns, frame.harmonic, frame.partial_order)
    if len(stabiliser) == 1 and not systems:
        return identity(size * m).reshape(size * m, size, m)
    table = closure(frame.group)
    chosen = generating(table, stabiliser)
    for h, action in zip(
        chosen,
        substitutions([table.matrices[h] for h in chosen], unknowns),
        strict=True,
    ):
        rho_in = identity(1) if frame.over_in else all_matrices(frame.rep_in)[h]
        rho_out = identity(1) if frame.over_out else all_matrices(frame.rep_out)[h]
        systems.append(group_equations(unknowns, rho_in, rho_out, action))
    return _dense(null_space_in_stages(systems)).reshape(-1, size, m)


def _carry(frame: Frame, invariants: ExactArray, transversal: IndexArray) -> ExactArray:
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
    """S(g^T) for all elements; the order below is kept."""
    maps = closure(group).matrices.transpose(0, 2, 1)
    return next_substitution(maps, _substitutions(group, order - 1), order) if order else substitution(maps, 0)


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


def _dense(vectors: Sparse) -> ExactArray:
    out = np.zeros(
        (*vectors.shape, vectors.values.field.degree),
        dtype=vectors.values.numerators.dtype,
    )
    out[vectors.rows, vectors.columns] = vectors.values.numerators
    return ExactArray(out, vectors.values.denominator, vectors.values.field)

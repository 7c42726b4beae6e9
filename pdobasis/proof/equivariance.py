r"""Does (1) hold? Decided by evaluation, not by comparing coefficients.

Both sides of $P(y)\,\rho_{in}(g) = \rho_{out}(g)\,P(g^T y)$ are polynomials of the orders of P, so they are equal when
they are equal on a lattice on which no other polynomial of these orders vanishes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pdobasis.exact.array import ExactArray, RightFactor, concatenate, integers, stack, zeros
from pdobasis.exact.field import join
from pdobasis.exact.matrices import batched_matmul
from pdobasis.exact.polynomials import evaluation, exponents, lattice
from pdobasis.exact.types import IndexArray
from pdobasis.groups.group import Group
from pdobasis.linear.sparse import cancel, runs
from pdobasis.proof.claim import Claim, slices
from pdobasis.representations.representation import Representation

SAFE_ORDER = 15
"""n^n fits into int64, as do the n-fold drifts of monomials on the lattice of order n."""
AT_ONCE = 200_000
"""Values at points that are held at a time, before a representation spreads them."""
Sum = tuple[Representation, ...]
"""The direct sum of some representations."""
Sided = tuple[IndexArray, ExactArray]
"""(element, row and column of P as one number; values at all points) of one side of an equation."""


def is_equivariant(claim: Claim, reps_in: Sum, reps_out: Sum) -> bool:
    """For every generator, and every Lie generator, of the group; some elements and some points at a time."""
    group = reps_in[0].group
    tables = _tables(group, claim.low, claim.high)
    count = max(len(group.generators), len(group.lie), 1)
    for some in slices(claim):
        numbers = len(some.row) * some.coefficients.field.degree * count
        step = max(1, AT_ONCE // max(1, numbers))
        for first in range(0, len(tables.here), step):
            if not _is_equivariant(some, reps_in, reps_out, tables.at(first, first + step)):
                return False
    return True


def _is_equivariant(claim: Claim, reps_in: Sum, reps_out: Sum, tables: _Tables) -> bool:
    """All generators at once: entry e for generator s is number s * (number of entries) + e."""
    here = values(claim.coefficients, tables.here)
    if len(tables.there):
        count = len(tables.there)
        left = _times(claim, claim.column, _again(here, count), _rows(reps_in), transposed=False)
        right = _times(claim, claim.row, _turned(claim, tables.there), _columns(reps_out), transposed=True)
        if not _cancel([left, (right[0], -right[1])]):
            return False
    if len(tables.drift):
        count = len(tables.drift)
        every = np.tile(np.arange(len(claim.row)), count)
        drift = key(claim, every, claim.row[every], claim.column[every], _which(claim, count))
        left = _times(claim, claim.column, _again(here, count), _lie_rows(reps_in), transposed=False)
        right = _times(claim, claim.row, _again(here, count), _lie_columns(reps_out), transposed=True)
        if not _cancel([left, (right[0], -right[1]), (drift, -_turned(claim, tables.drift))]):
            return False
    return True


def _turned(claim: Claim, tables: ExactArray) -> ExactArray:
    """The values for every generator, one below the other."""
    count, points, monomials = tables.shape
    found = values(claim.coefficients, tables.reshape(count * points, monomials))
    return found.reshape(len(claim.row), count, points).transpose(1, 0, 2).reshape(count * len(claim.row), points)


def _again(found: ExactArray, count: int) -> ExactArray:
    return found if count == 1 else found.take(np.tile(np.arange(len(found)), count))


def _which(claim: Claim, count: int) -> IndexArray:
    return np.repeat(np.arange(count), len(claim.row))


def _times(claim: Claim, index: IndexArray, at_points: ExactArray, lines: Lines, *, transposed: bool) -> Sided:
    """P rho: entry (r, i) goes to the columns j of row i of rho; rho P: entry (b, j) to the rows a of column b."""
    count = len(at_points) // max(1, len(index))
    which = _which(claim, count)
    numbers = which * (claim.shape[0] if transposed else claim.shape[1]) + np.tile(index, count)
    virtual, slot, moved = expand(numbers, at_points, lines)
    entry = virtual % max(1, len(index))
    place = lines.position[slot]
    row, column = (place, claim.column[entry]) if transposed else (claim.row[entry], place)
    return key(claim, entry, row, column, which[virtual]), moved


@dataclass(frozen=True, slots=True, eq=False)
class _Tables:
    """The monomials at the points y of the lattice; at g^T y for every generator; and their drift for every X."""

    here: ExactArray
    there: ExactArray
    drift: ExactArray

    def at(self, first: int, last: int) -> _Tables:
        """At some of the points."""
        if first == 0 and last >= len(self.here):
            return self
        return _Tables(self.here[first:last], self.there[:, first:last], self.drift[:, first:last])


@lru_cache(maxsize=64)
def _tables(group: Group, low: int, high: int) -> _Tables:
    points = integers(lattice(group.dim, low, high))
    powers = exponents(group.dim, low, high)
    none = zeros((0, len(points), len(powers)))
    there = none
    if group.generators:
        moved = concatenate([points @ g for g in group.generators])
        there = evaluation(moved, powers).reshape(len(group.generators), len(points), len(powers))
    drift = _drifts(points, group.lie, low, high) if group.lie else none
    return _Tables(evaluation(points, powers), there, drift)


def _drifts(points: ExactArray, lie: Sequence[ExactArray], low: int, high: int) -> ExactArray:
    r"""$(X^T y) \cdot \nabla y^\alpha$ for every X, at the points."""
    k, dim = points.shape
    velocity = concatenate([points @ x for x in lie])  # rows (X^T y)^T
    slopes = integers(_slopes(dim, low, high))
    total = zeros((len(lie), k, slopes.shape[2]), velocity.field)
    for i in range(dim):
        total = total + slopes[i].reshape(1, k, -1) * velocity[:, i].reshape(len(lie), k, 1)
    return total


@lru_cache(maxsize=64)
def _slopes(dim: int, low: int, high: int) -> IndexArray:
    """The partial derivatives in all directions of all monomials, at the points of the lattice."""
    alphas = exponents(dim, low, high)
    points = lattice(dim, low, high).astype(np.int64 if high <= SAFE_ORDER else object)
    out = []
    for i in range(dim):
        lowered = alphas.copy()
        lowered[:, i] = np.maximum(lowered[:, i] - 1, 0)
        out.append(np.prod(points[:, None, :] ** lowered, axis=-1) * alphas[:, i])
    return np.stack(out)


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The rows of a sparse matrix: where each starts, then position and value of the non-zeros (None: all ones).

    Over a ring of polynomials ``power`` says which power each value belongs to.
    """

    start: IndexArray
    position: IndexArray
    weight: ExactArray | None
    power: IndexArray | None = None


def values(coefficients: ExactArray, at: ExactArray) -> ExactArray:
    """Every polynomial at every point."""
    field = join(coefficients.field, at.field)
    return RightFactor(at.T.over(field))(coefficients.over(field))


def expand(index: IndexArray, at_points: ExactArray, lines: Lines) -> tuple[IndexArray, IndexArray, ExactArray]:
    """Every entry times every non-zero of its line: (entry, which non-zero, the product at all points)."""
    if lines.weight is None and lines.power is None:  # a permutation
        return np.arange(len(index)), index, at_points
    entry, slot = runs(lines.start, index)
    moved = at_points.take(entry)
    if lines.weight is not None:
        k, points = moved.shape
        weight = lines.weight.take(slot)
        if moved.field.is_rational and weight.field.is_rational:
            moved = moved * weight.reshape(k, 1)
        else:  # one weight for all points: one small product of matrices each
            moved = batched_matmul(moved.reshape(k, points, 1), weight.reshape(k, 1, 1)).reshape(k, points)
    return entry, slot, moved


def key(
    claim: Claim, entry: IndexArray, row: IndexArray, column: IndexArray, which: IndexArray | None = None
) -> IndexArray:
    """The place (row, column) of the element of an entry, for one of several generators, as one number."""
    element = claim.element[entry] if which is None else which * claim.size + claim.element[entry]
    return np.asarray((element * claim.shape[0] + row) * claim.shape[1] + column)


def _cancel(sides: list[Sided]) -> bool:
    return cancel(np.concatenate([k for k, _ in sides]), concatenate([v for _, v in sides]))


@lru_cache(maxsize=64)
def _rows(reps: Sum) -> Lines:
    """Row i of a permutation matrix e_j -> e_{p[j]} holds a one at j = p^-1[i]."""
    if all(rep.is_permutation for rep in reps):
        return _permuted(reps, inverse=True)
    return sum_lines([stack(rep.matrices()) for rep in reps], transposed=False)[0]


@lru_cache(maxsize=64)
def _columns(reps: Sum) -> Lines:
    if all(rep.is_permutation for rep in reps):
        return _permuted(reps, inverse=False)
    return sum_lines([stack(rep.matrices()) for rep in reps], transposed=True)[0]


@lru_cache(maxsize=64)
def _lie_rows(reps: Sum) -> Lines:
    return sum_lines([stack(rep.lie) for rep in reps], transposed=False)[0]


@lru_cache(maxsize=64)
def _lie_columns(reps: Sum) -> Lines:
    return sum_lines([stack(rep.lie) for rep in reps], transposed=True)[0]


def _permuted(reps: Sum, *, inverse: bool) -> Lines:
    """One non-zero a line, for all generators one below the other."""
    offsets = np.cumsum([0, *(rep.size for rep in reps)])
    tables = [np.array(rep.permutations) for rep in reps]
    tables = [np.argsort(t, axis=1) if inverse else t for t in tables]
    position = np.concatenate([t + shift for t, shift in zip(tables, offsets, strict=False)], axis=1)
    return Lines(np.arange(position.size + 1), position.ravel(), None)


def sum_lines(parts: Sequence[ExactArray], *, transposed: bool, apart: bool = True) -> tuple[Lines, IndexArray]:
    """The rows (columns) of block-diagonal matrices, given by (matrices, size, size) for every block.

    ``apart`` puts the lines of one matrix below those of the other; else line i of all matrices is one line. With them
    comes the matrix that each non-zero is from.
    """
    offsets = np.cumsum([0, *(m.shape[1] for m in parts)])
    height = int(offsets[-1])
    rows, position, which, weight = [], [], [], []
    for m, offset in zip(parts, offsets, strict=False):
        k, i, j = np.nonzero(m.nonzero_mask())
        weight.append(m[k, i, j])
        i, j = (j, i) if transposed else (i, j)
        rows.append(k * height * apart + i + offset)
        position.append(j + offset)
        which.append(k)
    row = np.concatenate(rows)
    order = np.argsort(row, kind="stable")
    count = height * (parts[0].shape[0] if apart else 1)
    start = np.searchsorted(row[order], np.arange(count + 1))
    lines = Lines(start, np.concatenate(position)[order], concatenate(weight).take(order))
    return lines, np.concatenate(which)[order]

r"""Does (1) hold? Decided by evaluation, not by comparing coefficients.

Both sides of $P(y)\,\rho_{in}(g) = \rho_{out}(g)\,P(g^T y)$ are homogeneous of the order n of P, so they are equal when
they are equal on the lattice $\{|a| = n\}$, on which no other polynomial of that order vanishes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from pdobasis.exact.array import ExactArray, RightFactor, batched_matmul, concatenate, integers, zeros
from pdobasis.exact.field import join
from pdobasis.exact.nullspace import scatter_sum
from pdobasis.exact.polynomials import evaluation, lattice, monomials
from pdobasis.exact.types import IndexArray
from pdobasis.groups.group import Group
from pdobasis.representations.representation import Representation
from pdobasis.symbols import Symbols


def is_equivariant(part: Symbols, rep_in: Representation, rep_out: Representation) -> bool:
    """For every generator, and every Lie generator, of the group; some elements at a time, to bound the memory."""
    return all(_is_equivariant(some, rep_in, rep_out) for some in _slices(part))


def _is_equivariant(part: Symbols, rep_in: Representation, rep_out: Representation) -> bool:
    tables = _tables(rep_in.group, part.order)
    here = _values(part.coefficients, tables.here)
    for s, table in enumerate(tables.there):
        there = _values(part.coefficients, table)
        left = _times_in(part, here, _rows(rep_in, s))
        right = _times_out(part, there, _columns(rep_out, s))
        if not _cancel(part, [left, _minus(right)]):
            return False
    for k, table in enumerate(tables.drift):
        drift = (_key(part, part.row, part.column), _values(part.coefficients, table))
        left = _times_in(part, here, _matrix_rows(rep_in.lie[k]))
        right = _times_out(part, here, _matrix_rows(rep_out.lie[k].T))
        if not _cancel(part, [left, _minus(right), _minus(drift)]):
            return False
    return True


def _slices(part: Symbols) -> Iterator[Symbols]:
    """Consecutive elements whose coefficients are about ``CHUNK`` numbers, at least one element each."""
    numbers = part.coefficients.numerators.size
    if numbers <= CHUNK:
        if part.size:
            yield part
        return
    bounds = np.searchsorted(part.element, np.arange(part.size + 1))
    step = max(1, part.size * CHUNK // numbers)
    for first in range(0, part.size, step):
        last = min(first + step, part.size)
        entries = slice(int(bounds[first]), int(bounds[last]))
        yield replace(
            part,
            size=last - first,
            element=part.element[entries] - first,
            row=part.row[entries],
            column=part.column[entries],
            coefficients=part.coefficients[entries],
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Tables:
    """The monomials at the points y of the lattice, at g^T y for every generator, and their drift for every X."""

    here: ExactArray
    there: tuple[ExactArray, ...]
    drift: tuple[ExactArray, ...]


@lru_cache(maxsize=64)
def _tables(group: Group, order: int) -> _Tables:
    points = integers(lattice(group.dim, order))
    return _Tables(
        evaluation(points, order),
        tuple(evaluation(points @ g, order) for g in group.generators),
        tuple(_directional(points, x, order) for x in group.lie),
    )


CHUNK = 50_000
"""Coefficients that are evaluated at a time."""
SAFE_ORDER = 15
"""n^n fits into int64, as do the n-fold drifts of monomials on the lattice of order n."""
Sided = tuple[IndexArray, ExactArray]
Lines = tuple[IndexArray, IndexArray, ExactArray | None]
"""(start of every line, position of every non-zero, its value; None for ones)."""


def _values(coefficients: ExactArray, at: ExactArray) -> ExactArray:
    """Every polynomial at every point."""
    field = join(coefficients.field, at.field)
    return RightFactor(at.T.over(field))(coefficients.over(field))


def _times_in(part: Symbols, values: ExactArray, lines: Lines) -> Sided:
    """(P rho)_{rj}: entry (r, i) goes to the columns j of row i of rho."""
    entry, target, values = _expand(part.column, values, lines)
    return _key(part, part.row[entry], target, entry), values


def _times_out(part: Symbols, values: ExactArray, lines: Lines) -> Sided:
    """(rho P)_{aj}: entry (b, j) goes to the rows a of column b of rho."""
    entry, target, values = _expand(part.row, values, lines)
    return _key(part, target, part.column[entry], entry), values


def _expand(index: IndexArray, values: ExactArray, lines: Lines) -> tuple[IndexArray, IndexArray, ExactArray]:
    start, position, weight = lines
    lengths = start[index + 1] - start[index]
    entry = np.repeat(np.arange(len(index)), lengths)
    offset = np.arange(len(entry)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    slot = start[index][entry] + offset
    moved = values.take(entry)
    if weight is not None:
        k, points = moved.shape  # one weight for all points: one small product of matrices each
        moved = batched_matmul(moved.reshape(k, points, 1), weight.take(slot).reshape(k, 1, 1)).reshape(k, points)
    return entry, position[slot], moved


def _rows(rep: Representation, s: int) -> Lines:
    """Row i of a permutation matrix e_j -> e_{p[j]} holds a one at j = p^-1[i]."""
    if rep.permutations is not None:
        return np.arange(rep.size + 1), np.argsort(np.array(rep.permutations[s])), None
    return _matrix_rows(rep.generators[s])


def _columns(rep: Representation, s: int) -> Lines:
    if rep.permutations is not None:
        return np.arange(rep.size + 1), np.array(rep.permutations[s]), None
    return _matrix_rows(rep.generators[s].T)


def _matrix_rows(m: ExactArray) -> Lines:
    rows, columns = np.nonzero(m.nonzero_mask())
    start = np.searchsorted(rows, np.arange(m.shape[0] + 1))
    return start, columns, m[rows, columns]


def _key(part: Symbols, row: IndexArray, column: IndexArray, entry: IndexArray | None = None) -> IndexArray:
    element = part.element if entry is None else part.element[entry]
    return np.asarray((element * part.shape[0] + row) * part.shape[1] + column)


def _minus(side: Sided) -> Sided:
    return side[0], -side[1]


def _cancel(part: Symbols, sides: list[Sided]) -> bool:
    keys = np.concatenate([k for k, _ in sides])
    unique, slots = np.unique(keys, return_inverse=True)
    return scatter_sum(concatenate([v for _, v in sides]), slots, len(unique)).is_zero


def _directional(points: ExactArray, x: ExactArray, order: int) -> ExactArray:
    r"""The matrix of $(X^T y) \cdot \nabla y^\alpha$ at the points."""
    k, dim = points.shape
    alphas = np.array(monomials(dim, order), dtype=np.int64)
    plain = points.numerators[..., 0].astype(np.int64 if order <= SAFE_ORDER else object)
    velocity = points @ x  # rows (X^T y)^T
    total = zeros((k, len(alphas)), velocity.field)
    for i in range(dim):
        lowered = alphas.copy()
        lowered[:, i] = np.maximum(lowered[:, i] - 1, 0)
        values = np.prod(plain[:, None, :] ** lowered[None], axis=-1) * alphas[:, i]
        total = total + integers(values) * velocity[:, i].reshape(k, 1)
    return total

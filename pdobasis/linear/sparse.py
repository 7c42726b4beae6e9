"""Sparse matrices over a number field, and how their entries meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pdobasis.bounds.watch import check
from pdobasis.exact.array import ExactArray, common, concatenate, exact, zeros
from pdobasis.exact.field import RATIONALS, Field
from pdobasis.exact.integers import INT_LIMIT, bound, widen
from pdobasis.exact.scattered import entries_of, runs
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.values import dataclass

AT_ONCE = 1_000_000
"""Products that are held at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Sparse:
    """Entries (row, column, value) of a matrix over K; duplicates add up.

    It is what equations, their solutions and the actions on monomials have in
    common.
    """

    rows: IndexArray
    columns: IndexArray
    values: ExactArray
    shape: tuple[int, int]


def no_entries(shape: tuple[int, int], field: Field = RATIONALS) -> Sparse:
    none = np.zeros(0, dtype=np.int64)
    return Sparse(none, none, zeros((0,), field), shape)


def nonzeros(matrix: ExactArray) -> Sparse:
    """The non-zeros of a matrix."""
    found = entries_of(matrix)
    height, width = found.shape
    return Sparse(found.rows, found.columns, found.values, (height, width))


def to_dense(matrix: Sparse) -> ExactArray:
    """Of a matrix without duplicates."""
    values = matrix.values
    shape = (*matrix.shape, values.field.degree)
    out = np.zeros(shape, dtype=values.numerators.dtype)
    out[matrix.rows, matrix.columns] = values.numerators
    return ExactArray(out, values.denominator, values.field)


def join_entries(parts: Sequence[Sparse]) -> Sparse:
    """The sum of matrices of one shape."""
    rows = np.concatenate([part.rows for part in parts])
    columns = np.concatenate([part.columns for part in parts])
    values = concatenate([part.values for part in parts])
    return Sparse(rows, columns, values, parts[0].shape)


def join_systems(systems: Sequence[Sparse]) -> Sparse:
    """All equations together, one system below the other."""
    if len(systems) == 1:
        return systems[0]
    heights = [system.shape[0] for system in systems]
    starts = np.cumsum([0, *heights]).tolist()
    shape = (starts[-1], systems[0].shape[1])
    moved = []
    for system, start in zip(systems, starts, strict=False):
        rows = system.rows + start
        moved.append(Sparse(rows, system.columns, system.values, shape))
    return join_entries(moved)


def collapse(system: Sparse) -> Sparse:
    """Sum duplicate entries, drop zeros, sort by row and column."""
    if not len(system.values):
        return system
    width = system.shape[1]
    keys = system.rows * width + system.columns
    unique, slots = np.unique(keys, return_inverse=True)
    values = scatter_sum(system.values, slots, len(unique))
    kept = np.flatnonzero(values.nonzero_mask())
    rows, columns = np.divmod(unique[kept], width)
    return Sparse(rows, columns, values.take(kept), system.shape)


def scatter_sum(values: ExactArray, slots: IndexArray, count: int) -> ExactArray:
    """Sums of the rows of ``values`` that share a slot."""
    if not len(values):
        return zeros((count, *values.shape[1:]), values.field)
    data = values.numerators
    most = int(np.bincount(slots, minlength=1).max())
    if most <= 1:  # nothing meets: the rows only have to be put in their place
        out = np.zeros((count, *data.shape[1:]), dtype=data.dtype)
        out[slots] = data
        return exact(out, values.denominator, values.field)
    if data.dtype != object and bound(data) * most >= INT_LIMIT:
        data = data.astype(object)
    # Sorted by slot, what shares one stands together: sums of runs are one
    # reduceat, many times faster than np.add.at.
    order = np.argsort(slots, kind="stable")
    heads = run_starts(slots[order])
    out = np.zeros((count, *data.shape[1:]), dtype=data.dtype)
    out[slots[order[heads]]] = np.add.reduceat(data[order], heads, axis=0)
    return exact(out, values.denominator, values.field)


def annihilates(system: Sparse, vectors: Sparse, modulus: int = 1) -> bool:
    r"""Whether system @ v = 0 for every row v, exactly.

    Modulo an odd ``modulus`` that is known already: what is a multiple of it
    and certainly smaller is zero. Else sums of products of numerators are
    looked at modulo $2^{64}$, where machine integers wrap round: what is zero
    there, too, is a multiple of both, and zero where it is certainly smaller
    than $2^{64}$ times the modulus.
    """
    if not len(system.rows) or not len(vectors.rows):
        return True
    a, b, field = common(system.values, vectors.values)
    # A sum of so many terms is bounded before it is taken.
    most = int(np.bincount(system.rows).max()) * field.degree
    limit = bound(a.numerators) * bound(b.numerators) * field.expansion * most
    if limit < modulus:
        return True
    order = np.argsort(vectors.columns, kind="stable")
    starts = np.searchsorted(vectors.columns[order], np.arange(system.shape[1] + 1))
    for own in _blocks(system, starts):
        check()
        which, place = runs(starts, system.columns[own])
        entry, slot = own[which], order[place]
        keys = system.rows[entry] * vectors.shape[0] + vectors.rows[slot]
        together = np.argsort(keys, kind="stable")
        heads = run_starts(keys[together])
        entry, slot = entry[together], slot[together]
        if limit < modulus << 64:
            if not _cancel_wrapped(a, b, entry, slot, heads):
                return False
            continue
        (data,) = widen((a.take(entry) * b.take(slot)).numerators, limit=limit)
        if np.add.reduceat(data, heads, axis=0).any():
            return False
    return True


def _blocks(system: Sparse, starts: IndexArray) -> Iterator[IndexArray]:
    """Entries of some rows at a time, which meet about ``AT_ONCE`` others; those that meet none are left out."""
    lengths = np.diff(starts)[system.columns]
    order = np.argsort(system.rows, kind="stable")
    order = order[lengths[order] > 0]
    if not len(order):
        return
    heads = run_starts(system.rows[order])
    before = np.cumsum(lengths[order]) - lengths[order]
    # rows begin a block where another multiple of AT_ONCE is passed
    cuts = heads[run_starts(before[heads] // AT_ONCE)]
    yield from np.split(order, cuts[1:])


def _cancel_wrapped(
    a: ExactArray,
    b: ExactArray,
    entry: IndexArray,
    slot: IndexArray,
    heads: IndexArray,
) -> bool:
    """Whether runs of the products a[entry] b[slot] add up to 0 modulo 2^64.

    Coordinate by coordinate, with the matrices that the numbers ``a`` are.
    """
    n = a.field.degree
    table = _wrapped(a.numerators)
    if n > 1:
        table = table @ _wrapped(a.field.products()).reshape(n, n * n)
    factors = [row[slot] for row in np.ascontiguousarray(_wrapped(b.numerators).T)]
    # row j n + k: how a number adds its coordinate j, times another, to k
    parts = np.ascontiguousarray(table.T)
    for k in range(n):
        terms = parts[k][entry] * factors[0]
        for j in range(1, n):
            terms += parts[j * n + k][entry] * factors[j]
        if np.add.reduceat(terms, heads).any():
            return False
    return True


def _wrapped(values: IntArray) -> IntArray:
    """Modulo 2^64, as machine integers without a sign."""
    if values.dtype == object:
        return np.asarray((values & (2**64 - 1)).astype(np.uint64))
    return values.view(np.uint64)


def run_starts(ordered: IndexArray) -> IndexArray:
    """Where equal neighbours begin, in a sorted array that is not empty.

    >>> run_starts(np.array([3, 3, 5, 8, 8])).tolist()
    [0, 2, 3]
    """
    is_new = ordered[1:] != ordered[:-1]
    return np.flatnonzero(np.concatenate([[True], is_new]))

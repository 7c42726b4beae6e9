r"""Null spaces of sparse systems over a number field, exactly, in one canonical
form.

The system is cut into connected components; components that are the same system
up to the names of their unknowns are solved once. One component is reduced
modulo primes that split in K, at every place, lifted back to K by rational
reconstruction, and checked exactly ($Av = 0$); more primes are taken until the
check holds.

Canonical: the reduced row echelon form of the solution space in the given order
of unknowns, which depends on nothing but that space: every vector starts with
1, and the other vectors vanish there.

There are two null spaces: this one takes any numbers and any size, one
component after the other; :mod:`.stages` is faster where the numbers are small
and the components many, and falls back on this one. They give the same bytes.
"""

from __future__ import annotations

import numpy as np

from pdobasis.bounds.watch import check
from pdobasis.errors import ExactnessError, SizeError
from pdobasis.exact.array import ExactArray, integers
from pdobasis.exact.primes import split_prime
from pdobasis.exact.types import IndexArray
from pdobasis.linear.components import components
from pdobasis.linear.gauge import find_gauge
from pdobasis.linear.lift import Lift
from pdobasis.linear.sparse import (
    Sparse,
    collapse,
    join_entries,
    no_entries,
    nonzeros,
    scatter_sum,
)

MAX_CELLS = 60_000_000
"""Entries of the dense matrix of one connected component."""
MAX_PRIMES = 40


def null_space(system: Sparse) -> Sparse:
    """The solutions of system @ v = 0, as rows in reduced echelon form."""
    system = collapse(system)
    unknowns = system.shape[1]
    solved: dict[bytes, Sparse] = {}
    starts: list[int] = []
    pieces: list[Sparse] = []
    for names, local in components(system):
        check()
        key = _fingerprint(local)
        if key not in solved:
            solved[key] = _solve_component(local)
        own = solved[key]
        if len(own.values):
            # Entries are sorted, and names increase: a vector starts at the
            # unknown of its first entry.
            first = np.searchsorted(own.rows, np.arange(own.shape[0]))
            rows = own.rows + len(starts)
            columns = names[own.columns]
            pieces.append(Sparse(rows, columns, own.values, own.shape))
            starts.extend(columns[first].tolist())
    shape = (len(starts), unknowns)
    if not pieces:
        return no_entries(shape, system.values.field)
    # An echelon form has its vectors in the order of their first unknowns.
    rank = np.empty(len(starts), dtype=np.int64)
    rank[np.argsort(starts, kind="stable")] = np.arange(len(starts))
    every = join_entries(pieces)
    rows = rank[every.rows]
    order = np.lexsort((every.columns, rows))
    values = every.values.take(order)
    return Sparse(rows[order], every.columns[order], values, shape)


def _fingerprint(system: Sparse) -> bytes:
    """Equal for systems that are the same up to the names of unknowns."""
    values = system.values
    parts = (system.shape, values.denominator, values.numerators.tolist())
    places = system.rows.tobytes() + system.columns.tobytes()
    return repr(parts).encode() + places


def _solve_component(system: Sparse) -> Sparse:
    """The echelon form of one component's solutions, sorted by row, column."""
    height, width = system.shape
    if width * height > MAX_CELLS:
        raise SizeError(
            f"a connected part of the linear system has {height:,} equations "
            f"for {width:,} unknowns, beyond {MAX_CELLS:,} entries: ask for a "
            "lower order, or write the representations as sums of smaller ones"
        )
    if not len(system.values):
        return _all_free(system)
    gauge = find_gauge(system)
    if gauge is not None:
        return gauge.restore(_solve_component(gauge.rational(system)))
    return _lifted(system)


def _all_free(system: Sparse) -> Sparse:
    width = system.shape[1]
    every = np.arange(width)
    ones = integers(np.ones(width, dtype=np.int64), system.values.field)
    return Sparse(every, every, ones, (width, width))


def _lifted(system: Sparse) -> Sparse:
    """By one prime after the other, until the lifted vectors are solutions.

    Why a prime may be trusted: it need not be. The rank modulo p is at most
    the rank over K, so there are at least as many null vectors modulo p as
    over K; if all that are lifted satisfy the system exactly, there are no
    more, and none is missing.
    """
    width = system.shape[1]
    field = system.values.field
    # FLINT takes pivots from the first column on. Vectors are to start at
    # their free columns, so pivots have to be taken from the last.
    columns = width - 1 - system.columns
    mirrored = Sparse(system.rows, columns, system.values, system.shape)
    lift = Lift(field)
    for index in range(MAX_PRIMES):
        if not lift.add(mirrored, split_prime(field, index)):
            continue
        if not lift.free:
            return no_entries((0, width), field)
        vectors = lift.vectors(width)
        if vectors is None:
            continue
        upright = _mirrored_back(vectors)
        if _annihilates(system, upright):
            return nonzeros(upright)
    raise ExactnessError(
        f"the null space was not reconstructed from {MAX_PRIMES} primes"
    )


def _mirrored_back(vectors: ExactArray) -> ExactArray:
    """In the given numbering, the vector with the first free column first."""
    return vectors[::-1, ::-1]


def _annihilates(system: Sparse, vectors: ExactArray) -> bool:
    """Whether system @ v = 0 for every row v, exactly."""
    height, width = system.shape
    place: IndexArray = system.rows * width + system.columns
    cells = scatter_sum(system.values, place, height * width)
    return (vectors @ cells.reshape(height, width).T).is_zero

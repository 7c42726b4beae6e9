r"""Null spaces of sparse systems over a number field, exactly, in one canonical form.

The system is cut into connected components; components that are the same system up to the names of their
unknowns are solved once. One component is reduced modulo primes that split in K, at every place, lifted back to
K by rational reconstruction, and checked exactly ($Av = 0$); more primes are taken until the check holds.

Canonical: the reduced row echelon form of the solution space in the given order of unknowns, which depends on
nothing but that space: every vector starts with 1, and the other vectors vanish there.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from flint import nmod_mat

from pdobasis.errors import ExactnessError, SizeError
from pdobasis.exact.array import ExactArray, concatenate, exact, integers, zeros
from pdobasis.exact.field import Field
from pdobasis.exact.integers import bound, widen
from pdobasis.exact.primes import SplitPrime, rational, residues, sparse_matrix, split_prime
from pdobasis.exact.types import IndexArray
from pdobasis.linear.gauge import find_gauge

MAX_CELLS = 60_000_000
"""Entries of the dense matrix of one connected component."""
MAX_PRIMES = 40


@dataclass(frozen=True, slots=True)
class Sparse:
    """Entries (row, column, value) of a matrix over K; duplicates add up."""

    rows: IndexArray
    columns: IndexArray
    values: ExactArray
    shape: tuple[int, int]


def null_space(system: Sparse) -> Sparse:
    """The solutions of system @ v = 0 as rows of a sparse matrix in reduced row echelon form."""
    system = collapse(system)
    unknowns = system.shape[1]
    field = system.values.field
    solved: dict[bytes, tuple[IndexArray, IndexArray, ExactArray]] = {}
    starts: list[int] = []
    pieces: list[tuple[IndexArray, IndexArray, ExactArray]] = []
    for names, local in _components(system):
        key = _fingerprint(local)
        if key not in solved:
            solved[key] = _dense_null_space(local)
        vectors, columns, values = solved[key]
        if len(values):
            firsts = np.full(int(vectors.max()) + 1, unknowns)
            np.minimum.at(firsts, vectors, columns)
            pieces.append((vectors + len(starts), names[columns], values))
            starts.extend(names[firsts].tolist())
    if not pieces:
        empty = np.zeros(0, dtype=np.int64)
        return Sparse(empty, empty, zeros((0,), field), (0, unknowns))
    rank = np.empty(len(starts), dtype=np.int64)
    rank[np.argsort(np.array(starts), kind="stable")] = np.arange(len(starts))
    rows = rank[np.concatenate([p[0] for p in pieces])]
    columns = np.concatenate([p[1] for p in pieces])
    values = concatenate([p[2] for p in pieces])
    order = np.lexsort((columns, rows))
    return Sparse(rows[order], columns[order], values.take(order), (len(starts), unknowns))


def collapse(system: Sparse) -> Sparse:
    """Sum duplicate entries, drop zeros, sort by row and column."""
    if not len(system.values):
        return system
    height, width = system.shape
    keys = system.rows * width + system.columns
    unique, inverse = np.unique(keys, return_inverse=True)
    values = scatter_sum(system.values, inverse, len(unique))
    keep = values.nonzero_mask()
    unique = unique[keep]
    return Sparse(unique // width, unique % width, values.take(np.flatnonzero(keep)), (height, width))


def scatter_sum(values: ExactArray, slots: IndexArray, count: int) -> ExactArray:
    """Sums of the rows of ``values`` that share a slot."""
    if not len(values):
        return zeros((count, *values.shape[1:]), values.field)
    most = int(np.bincount(slots, minlength=1).max())
    if most <= 1:
        out = np.zeros((count, *values.numerators.shape[1:]), dtype=values.numerators.dtype)
        out[slots] = values.numerators
        return exact(out, values.denominator, values.field)
    data = values.numerators
    if data.dtype != object and max(int(data.max()), -int(data.min())) * most >= 1 << 63:
        data = data.astype(object)
    order = np.argsort(slots, kind="stable")
    sorted_slots = slots[order]
    heads = np.flatnonzero(np.r_[True, sorted_slots[1:] != sorted_slots[:-1]])
    out = np.zeros((count, *data.shape[1:]), dtype=data.dtype)
    out[sorted_slots[heads]] = np.add.reduceat(data[order], heads, axis=0)
    return exact(out, values.denominator, values.field)


def cancel(keys: IndexArray, values: ExactArray) -> bool:
    """Whether the rows of ``values`` that share a key add up to zero, for every key."""
    if not len(keys):
        return True
    order = np.argsort(keys, kind="stable")
    heads = np.flatnonzero(np.concatenate([[True], np.diff(keys[order]) != 0]))
    most = int(np.diff(heads, append=len(keys)).max())
    (data,) = widen(values.numerators, limit=bound(values.numerators) * most)
    return not np.add.reduceat(data[order], heads, axis=0).any()


def runs(start: IndexArray, index: IndexArray) -> tuple[IndexArray, IndexArray]:
    """All (i, position) with start[index[i]] <= position < start[index[i] + 1], by increasing i.

    >>> [a.tolist() for a in runs(np.array([0, 2, 3]), np.array([1, 0]))]
    [[0, 1, 1], [2, 0, 1]]
    """
    first = start[index]
    lengths = start[index + 1] - first
    which = np.repeat(np.arange(len(index)), lengths)
    return which, np.arange(len(which)) + np.repeat(first - np.cumsum(lengths) + lengths, lengths)


def component_labels(rows: IndexArray, columns: IndexArray, shape: tuple[int, int]) -> IndexArray:
    """For every column the smallest column connected with it through rows."""
    height, width = shape
    label = np.arange(width)
    while True:
        least = np.full(height, width)
        np.minimum.at(least, rows, label[columns])
        new = label.copy()
        np.minimum.at(new, columns, least[rows])
        np.minimum.at(new, label, new)  # hook whole trees, then shorten the paths
        new = new[new]
        if np.array_equal(new, label):
            return label
        label = new


def _components(system: Sparse) -> list[tuple[IndexArray, Sparse]]:
    """(the unknowns, the system in their local numbering) for each connected component."""
    width = system.shape[1]
    label = component_labels(system.rows, system.columns, system.shape)
    roots, component = np.unique(label, return_inverse=True)
    by_column = np.argsort(component, kind="stable")
    column_start = np.searchsorted(component[by_column], np.arange(len(roots) + 1))
    local_column = np.empty(width, dtype=np.int64)
    local_column[by_column] = np.arange(width) - column_start[component[by_column]]
    entry_component = component[system.columns]
    by_entry = np.argsort(entry_component, kind="stable")
    entry_start = np.searchsorted(entry_component[by_entry], np.arange(len(roots) + 1))
    out = []
    for c in range(len(roots)):
        names = by_column[column_start[c] : column_start[c + 1]]
        entries = by_entry[entry_start[c] : entry_start[c + 1]]
        distinct, rows = np.unique(system.rows[entries], return_inverse=True)
        local = Sparse(
            rows, local_column[system.columns[entries]], system.values.take(entries), (len(distinct), len(names))
        )
        out.append((names, local))
    return out


def _fingerprint(system: Sparse) -> bytes:
    parts = (system.shape, system.values.denominator, system.values.numerators.tolist())
    return repr(parts).encode() + system.rows.tobytes() + system.columns.tobytes()


def _image(system: Sparse, prime: SplitPrime, place: int) -> nmod_mat:
    image = residues(system.values.numerators, system.values.denominator, prime.places[place], prime.prime)
    return sparse_matrix(
        system.shape, zip(system.rows.tolist(), system.columns.tolist(), image, strict=True), prime.prime
    )


def _dense_null_space(system: Sparse) -> tuple[IndexArray, IndexArray, ExactArray]:
    """(vector, unknown, value) of the echelon form of one component's solutions."""
    width = system.shape[1]
    field = system.values.field
    if width * system.shape[0] > MAX_CELLS:
        raise SizeError(
            f"a connected part of the linear system has {system.shape[0]:,} equations for {width:,} unknowns, beyond "
            f"{MAX_CELLS:,} entries: ask for a lower order, or write the representations as sums of smaller ones"
        )
    if not len(system.values):
        every = np.arange(width)
        return every, every, integers(np.ones(width, dtype=np.int64), field)
    gauge = find_gauge(system.shape, (system.rows, system.columns, system.values))
    if gauge is not None:
        plain = Sparse(system.rows, system.columns, gauge.rational(system.columns, system.values), system.shape)
        which, unknowns, scaled = _dense_null_space(plain)
        return which, unknowns, gauge.restore(which, unknowns, scaled)
    mirrored = Sparse(system.rows, width - 1 - system.columns, system.values, system.shape)
    lift = _Lift(field)
    for index in range(MAX_PRIMES):
        if not lift.add(mirrored, split_prime(field, index)):
            continue
        free = [width - 1 - f for f in lift.free]
        if not free:
            empty = np.zeros(0, dtype=np.int64)
            return empty, empty, zeros((0,), field)
        numbers = lift.numbers()
        if numbers is None:
            continue
        vectors = _assemble(numbers, lift.pivots, lift.free, width, field)
        if _annihilates(system, vectors):
            order = np.argsort(np.array(free))
            dense = vectors.take(order)
            mask = dense.nonzero_mask()
            at = np.argwhere(mask)
            return at[:, 0], at[:, 1], dense.reshape(-1).take(np.flatnonzero(mask.ravel()))
    raise ExactnessError(f"the null space was not reconstructed from {MAX_PRIMES} primes")


class _Lift:
    """Echelon forms modulo several primes, put together by the Chinese remainder theorem."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.modulus = 1
        self.pivots: list[int] = []
        self.free: list[int] = []
        self.residues: list[list[int]] = []  # per entry (pivot row, free column): one residue per basis element

    def add(self, system: Sparse, prime: SplitPrime) -> bool:
        """Reduce modulo a prime at every place; False when the prime is unlucky."""
        images: list[list[int]] = []
        pivots: list[int] | None = None
        for place in range(self.field.degree):
            reduced, rank = _image(system, prime, place).rref()
            table = reduced.table()[:rank]
            found = [next(j for j, v in enumerate(row) if int(v)) for row in table]
            if pivots is not None and found != pivots:
                return False
            pivots = found
            free = sorted(set(range(system.shape[1])) - set(found))
            images.append([-int(row[f]) % prime.prime for row in table for f in free])
            if not free:
                break
        pivots = pivots or []
        if self.modulus > 1 and pivots != self.pivots:
            if len(pivots) < len(self.pivots):
                return False
            self.modulus = 1
        values = [
            [sum(w * image[k] for w, image in zip(row, images, strict=False)) % prime.prime for row in prime.inverse]
            for k in range(len(images[0]))
        ]
        self._combine(values, prime.prime, pivots, free)
        return True

    def _combine(self, values: list[list[int]], prime: int, pivots: list[int], free: list[int]) -> None:
        if self.modulus == 1:
            self.residues, self.modulus, self.pivots, self.free = values, prime, pivots, free
            return
        inverse = pow(self.modulus, -1, prime)
        self.residues = [
            [a + self.modulus * ((b - a) * inverse % prime) for a, b in zip(old, new, strict=True)]
            for old, new in zip(self.residues, values, strict=True)
        ]
        self.modulus *= prime

    def numbers(self) -> list[list[Fraction]] | None:
        known: dict[int, Fraction | None] = {}
        out: list[list[Fraction]] = []
        for entry in self.residues:
            row: list[Fraction] = []
            for r in entry:
                if r not in known:
                    known[r] = rational(r, self.modulus)
                value = known[r]
                if value is None:
                    return None
                row.append(value)
            out.append(row)
        return out


def _assemble(
    numbers: list[list[Fraction]], pivots: list[int], free: list[int], width: int, field: Field
) -> ExactArray:
    """Vectors v_f = e_f + sum over pivots, in the unmirrored numbering."""
    den = lcm(1, *(q.denominator for row in numbers for q in row))
    data = np.zeros((len(free), width, field.degree), dtype=object)
    for i, f in enumerate(free):
        data[i, width - 1 - f, 0] = den
    for k, row in enumerate(numbers):
        i, j = divmod(k, len(free))
        data[j, width - 1 - pivots[i]] = [q.numerator * (den // q.denominator) for q in row]
    return exact(data, den, field)


def _annihilates(system: Sparse, vectors: ExactArray) -> bool:
    """Whether system @ v = 0 for every row v, exactly."""
    height, width = system.shape
    dense = scatter_sum(system.values, system.rows * width + system.columns, height * width).reshape(height, width)
    return (vectors @ dense.T).is_zero

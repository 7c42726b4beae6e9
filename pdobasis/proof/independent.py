"""Theorem: the elements are independent. A lower bound on their rank reaches their number.

Different places of P are different coefficients, so the ranks of the blocks of a sum add up, each as often as it
occurs. The rank modulo a prime is at most the rank over K; the number of elements is at least it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from pdobasis.errors import ExactnessError
from pdobasis.exact.array import ExactArray
from pdobasis.exact.types import IndexArray
from pdobasis.operators.symbols import Symbols
from pdobasis.proof.batch import Batch, single
from pdobasis.proof.claim import Claim
from pdobasis.proof.modular import ATTEMPTS, BITS, place, rank_of, residues
from pdobasis.proof.sparse import nonzeros, parts
from pdobasis.values import dataclass

SPARSE = 4
"""Coefficients for each one that is not zero, up to which they are not numbered anew."""


def independent(found: IndexArray, ranked: IndexArray) -> Claim:
    """From the number of elements of each order, and their ranks."""
    return Claim(
        "independent",
        bool((ranked == found).all()),
        f"exact rank, attained modulo a prime below 2^{BITS}",
        (("found", tuple(found.tolist())), ("ranks", tuple(ranked.tolist()))),
    )


def rank(part: Symbols) -> int:
    """The rank modulo a prime, which the rank over K cannot fall short of."""
    if not part.size:
        return 0
    return int(ranks(single(part)).sum())


def ranks(batch: Batch) -> IndexArray:
    """What every element adds to the rank, modulo a prime; a connected part counts with its first element.

    Elements that own a coefficient in which no other element takes part count without any elimination, as long
    as all elements of a connected part do; other parts are eliminated modulo the prime.
    """
    entry, monomial = nonzeros(batch.coefficients)
    element = batch.element[entry]
    width, column = _coefficients(batch, entry, monomial)
    # an element with a coefficient of its own is no combination of the others, and none of them needs it
    alone = np.bincount(column, minlength=width) == 1
    owns = np.zeros(batch.size, dtype=bool)
    owns[element[alone[column]]] = True
    if owns.all():
        return owns.astype(np.int64)
    # elements that share no coefficient, however indirectly, are independent of each other
    label = parts(column, element, (width, batch.size))
    settled = np.ones(batch.size, dtype=bool)
    np.logical_and.at(settled, label, owns)
    out = settled[label].astype(np.int64)
    # entries of one part side by side, so that a part is a slice
    order = np.argsort(label[element], kind="stable")
    values = batch.coefficients[entry[order], monomial[order]]
    known: dict[tuple[object, ...], int] = {}
    for root, own in _parts(label, element[order], column[order], settled):
        # most parts are the same matrix, for other elements and coefficients
        key = own.fingerprint(values)
        if key not in known:
            known[key] = _part_rank(own, values)
        out[root] = known[key]
    return out


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """The numbers of elements that hang together, and where they stand in a matrix of their own."""

    first: int
    rows: IndexArray
    columns: IndexArray
    shape: tuple[int, int]

    def fingerprint(self, values: ExactArray) -> tuple[object, ...]:
        own = values.numerators[self.first : self.first + len(self.rows)]
        if own.dtype == object:
            numbers: object = repr(own.tolist())
        else:
            numbers = own.tobytes()
        return self.shape, self.rows.tobytes(), self.columns.tobytes(), numbers


def _parts(
    label: IndexArray, element: IndexArray, column: IndexArray, settled: IndexArray
) -> Iterator[tuple[int, _Part]]:
    """The first element of every connected part that is not ``settled``, and its entries, which stand together."""
    rows, heights = _within(label, np.arange(len(label)))
    # a coefficient belongs to the part of any element that has it
    of_column = np.full(int(column.max(initial=-1)) + 1, -1)
    of_column[column] = label[element]
    used = np.flatnonzero(of_column >= 0)
    columns, widths = _within(of_column, used)
    row, place_of = rows[element], columns[column]
    ordered = label[element]
    heads = np.flatnonzero(np.diff(ordered, prepend=-1))
    roots = ordered[heads]
    sizes = zip(heights[roots].tolist(), widths[roots].tolist(), strict=True)
    ends = [*heads[1:].tolist(), len(ordered)]
    done = settled[roots].tolist()
    every = zip(roots.tolist(), heads.tolist(), ends, sizes, done, strict=True)
    for root, first, end, shape, is_settled in every:
        if not is_settled:
            own = slice(first, end)
            yield root, _Part(first, row[own], place_of[own], shape)


def _within(label: IndexArray, members: IndexArray) -> tuple[IndexArray, IndexArray]:
    """For every member its number among those of its label, and how many each label has.

    >>> [a.tolist() for a in _within(np.array([5, 2, 5, 5]), np.arange(4))]
    [[0, 0, 1, 2], [0, 0, 1, 0, 0, 3]]
    """
    order = members[np.argsort(label[members], kind="stable")]
    counts = np.bincount(label[members])
    first = np.cumsum(counts) - counts
    numbers = np.full(len(label), -1)
    numbers[order] = np.arange(len(order)) - first[label[order]]
    return numbers, counts


def _coefficients(
    batch: Batch, entry: IndexArray, monomial: IndexArray
) -> tuple[int, IndexArray]:
    """Which coefficient of P each number is, from 0 up to a bound."""
    rows, columns = batch.shape
    monomials = batch.coefficients.numerators.shape[1]
    position = (batch.row[entry] * columns + batch.column[entry]) * monomials + monomial
    width = rows * columns * monomials
    if width <= SPARSE * len(position):
        return width, position
    names, position = np.unique(position, return_inverse=True)
    return len(names), position


def _part_rank(own: _Part, values: ExactArray) -> int:
    height, width = own.shape
    few = np.flatnonzero(own.columns < 4 * height)
    # a rank that some columns attain is attained by all, so a few columns are asked first
    for some in (few, np.arange(len(own.rows))):
        taken = values.take(own.first + some)
        found = _rank((own.rows[some], own.columns[some], taken), (height, width))
        if found == height or len(some) == len(own.rows):
            break
    return found


def _rank(
    entries: tuple[IndexArray, IndexArray, ExactArray], shape: tuple[int, int]
) -> int:
    """The largest rank modulo some primes; the first one attains full rank but for bad luck, or an adversary."""
    rows, columns, values = entries
    best = 0
    for number in range(ATTEMPTS):
        with suppress(ExactnessError):  # the prime divides a denominator
            at = place(values.field, number)
            triples = zip(
                rows.tolist(),
                columns.tolist(),
                residues(values, at).tolist(),
                strict=True,
            )
            best = max(best, rank_of(shape, triples, at.prime))
        if best == min(shape):
            break
    return best

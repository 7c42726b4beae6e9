"""Theorem: the elements are independent. A lower bound on their rank reaches their number.

Different places of P are different coefficients, so the ranks of the blocks of a sum add up, each as often as it
occurs. The rank modulo a prime is at most the rank over K; the number of elements is at least it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from pdobasis.bounds.watch import check
from pdobasis.errors import ExactnessError
from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.operators.symbols import Symbols
from pdobasis.proof.batch import Batch, single
from pdobasis.proof.claim import Claim
from pdobasis.proof.modular import (
    ATTEMPTS,
    BITS,
    first_independent,
    place,
    rank_of,
    residues,
)
from pdobasis.proof.sparse import nonzeros, parts
from pdobasis.values import dataclass

FEW = 400
"""Coefficients that are eliminated one after the other, without looking for parts that hang together."""
FEW_BITS = 28
"""Of the prime that they are eliminated with: PDOs are counted modulo the same one, and small numbers are faster."""
LOW = 24
"""Elements that hang together, up to which they are eliminated beside all others of their number."""
ROOM = 1 << 20
"""Numbers in their tables, at most."""
SPARSE = 4
"""Coefficients for each one that is not zero, up to which they are not numbered anew."""
NARROW = 10_000
"""Coefficients up to which they are not in any case: to count in so many places takes less time than to sort."""


def independent(found: IndexArray, ranked: IndexArray) -> Claim:
    """From the number of elements of each order, and their ranks."""
    numbers, reached = tuple(found.tolist()), tuple(ranked.tolist())
    return Claim(
        "independent",
        reached == numbers,
        f"exact rank, attained modulo a prime below 2^{BITS}",
        (("found", numbers), ("ranks", reached)),
    )


def rank(part: Symbols) -> int:
    """The rank modulo a prime, which the rank over K cannot fall short of."""
    if not part.size:
        return 0
    return int(ranks(single(part)).sum())


def ranks(batch: Batch) -> IndexArray:
    """What every element adds to the rank, modulo a prime; a connected part counts with its first element.

    Elements that own a coefficient in which no other element takes part count without any elimination; then those that
    own one beside the elements that are left, and so on. What is left at last is eliminated modulo the prime.
    """
    entry, monomial = nonzeros(batch.coefficients)
    element = batch.element[entry]
    width, column = _coefficients(batch, entry, monomial)
    owns, left = _peeled(element, column, (batch.size, width))
    out = owns.astype(np.int64)
    if not len(left):
        return out
    entry, monomial, element = entry[left], monomial[left], element[left]
    column = column[left]
    if len(left) <= FEW:
        values = batch.coefficients[entry, monomial]
        if _are_independent(element, column, values):
            out[element] = 1
            return out
    # elements that share no coefficient, however indirectly, are independent of each other
    label = parts(column, element, (width, batch.size))
    members = np.flatnonzero(~owns)
    kept = batch.coefficients.numerators[entry, monomial]
    # the denominator is one number for all: without it the rank is the same
    values = exact(kept, 1, batch.coefficients.field)
    full = _full(label, members, (element, column, values))
    out[full] = np.bincount(label[members], minlength=batch.size)[full]
    unsettled = np.ones(batch.size, dtype=bool)
    unsettled[full] = False
    rest = np.flatnonzero(unsettled[label[element]])
    if not len(rest):
        return out
    members = members[unsettled[label[members]]]
    element, column, values = element[rest], column[rest], values.take(rest)
    # entries of one part side by side, so that a part is a slice
    order = np.argsort(label[element], kind="stable")
    values = values.take(order)
    for roots, own in _parts(label, members, element[order], column[order], values):
        out[roots] = _part_rank(own, values)
    return out


def _peeled(
    element: IndexArray, column: IndexArray, shape: tuple[int, int]
) -> tuple[IndexArray, IndexArray]:
    """Which elements are independent of all others and of each other by where they are not zero; the entries of the
    rest.

    An element with a coefficient of its own is no combination of the others, and none of them needs it: without it the
    rank is one less, whatever the others are. So it is taken away, and others may then have a coefficient of their own.

    >>> owns, left = _peeled(np.array([0, 0, 1, 2, 3]), np.array([0, 1, 1, 2, 2]), (4, 3))
    >>> owns.tolist(), left.tolist()
    ([True, True, False, False], [3, 4])
    """
    size, width = shape
    owns = np.zeros(size, dtype=bool)
    left = np.arange(len(element))
    own_element, own_column = element, column
    while len(left):
        alone = np.bincount(own_column, minlength=width) == 1
        found = own_element[alone[own_column]]
        if not len(found):
            break
        owns[found] = True
        # of a basis in echelon form every element has one, and none is left
        if np.count_nonzero(owns) == size:
            return owns, left[:0]
        left = left[~owns[own_element]]
        own_element, own_column = element[left], column[left]
    return owns, left


def _full(
    label: IndexArray,
    members: IndexArray,
    entries: tuple[IndexArray, IndexArray, ExactArray],
) -> IndexArray:
    """The labels of low parts that are of full rank modulo a small prime; that of the others is left open."""
    # loaded where there are parts: a short command has none
    from pdobasis.proof.small_ranks import by_heights, have_full_rank

    element, column, values = entries
    rows, heights = _within(label, members)
    columns, widths = _columns(label, element, column)
    found = [np.zeros(0, dtype=np.int64)]
    with suppress(ExactnessError):  # there is no such prime
        at = place(values.field, bits=FEW_BITS)
        numbers = residues(values, at)
        for own, shape in by_heights(heights, widths):
            # a rank that some columns attain is attained by all
            height, width = shape[0], min(shape[1], 4 * shape[0])
            if height > LOW or len(own) * height * width > ROOM:
                continue
            where = np.full(len(label), -1)
            where[own] = np.arange(len(own))
            of = where[label[element]]
            some = (of >= 0) & (columns[column] < width)
            tables = np.zeros((len(own), height, width), dtype=np.int64)
            tables[of[some], rows[element[some]], columns[column[some]]] = numbers[some]
            if have_full_rank(tables, at.prime):
                found.append(own)
    return np.concatenate(found)


def _columns(
    label: IndexArray, element: IndexArray, column: IndexArray
) -> tuple[IndexArray, IndexArray]:
    """For every coefficient its number among those of its part, and how many each part has."""
    # a coefficient belongs to the part of any element that has it
    of_column = np.full(int(column.max(initial=-1)) + 1, -1)
    of_column[column] = label[element]
    numbers, counts = _within(of_column, np.flatnonzero(of_column >= 0))
    # an element that is zero is a part without coefficients
    return numbers, np.append(counts, np.zeros(len(label) - len(counts), dtype=int))


def _are_independent(
    element: IndexArray, column: IndexArray, values: ExactArray
) -> bool:
    """Whether the elements that have these few coefficients are, modulo a small prime."""
    rows: dict[int, dict[int, int]] = {}
    with suppress(ExactnessError):  # the prime divides a denominator, or there is none
        at = place(values.field, bits=FEW_BITS)
        numbers = residues(values, at).tolist()
        for e, c, v in zip(element.tolist(), column.tolist(), numbers, strict=True):
            rows.setdefault(e, {})[c] = v
        return len(first_independent(list(rows.values()), at.prime)) == len(rows)
    return False


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """The numbers of elements that hang together, and where they stand in a matrix of their own."""

    first: int
    rows: IndexArray
    columns: IndexArray
    shape: tuple[int, int]


def _parts(
    label: IndexArray,
    members: IndexArray,
    element: IndexArray,
    column: IndexArray,
    values: ExactArray,
) -> Iterator[tuple[IndexArray, _Part]]:
    """Of the connected parts of the ``members`` one of every kind, and the first elements of all parts of this kind.

    Entries of a part stand together. Most parts are the same matrix, for other elements and coefficients.
    """
    rows, heights = _within(label, members)
    columns, widths = _columns(label, element, column)
    row, place_of = rows[element], columns[column]
    ordered = label[element]
    heads = np.flatnonzero(np.diff(ordered, prepend=-1))
    roots = ordered[heads]
    lengths = np.diff(heads, append=len(ordered))
    for length in np.unique(lengths).tolist():
        own = np.flatnonzero(lengths == length)
        entries = heads[own][:, None] + np.arange(length)
        # no row and no column of a part is empty, so that its entries tell its shape
        kinds = _kinds((row[entries], place_of[entries], values.numerators[entries]))
        for like in kinds:
            some = own[like]
            root, first = int(roots[some[0]]), int(heads[some[0]])
            at = slice(first, first + length)
            shape = int(heights[root]), int(widths[root])
            yield roots[some], _Part(first, row[at], place_of[at], shape)


def _kinds(columns: tuple[IntArray, ...]) -> Iterator[IndexArray]:
    """The numbers of the rows that are equal in all arrays, for every kind of row.

    >>> [k.tolist() for k in _kinds((np.array([[1], [2], [1]]), np.array([[3], [3], [3]])))]
    [[0, 2], [1]]
    """
    count = len(columns[0])
    known: dict[bytes | str, list[int]] = {}
    for k, key in enumerate(_keys([a.reshape(count, -1) for a in columns])):
        known.setdefault(key, []).append(k)
    return (np.array(own) for own in known.values())


def _keys(arrays: list[IntArray]) -> Iterator[bytes | str]:
    """One for each row, equal for equal rows."""
    table = np.concatenate(arrays, axis=1)
    if table.dtype == object:
        return (repr(row) for row in table.tolist())
    every, size = table.tobytes(), table.shape[1] * table.itemsize
    return (every[k : k + size] for k in range(0, len(every), size))


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
    if width <= max(NARROW, SPARSE * len(position)):
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
        check()
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

"""Theorem: the elements are independent. A lower bound on their rank reaches their number.

Different places of P are different coefficients, so the ranks of the blocks of a sum add up, each as often as it
occurs. The rank modulo a prime is at most the rank over K; the number of elements is at least it.
"""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from pdobasis.errors import ExactnessError
from pdobasis.exact.array import ExactArray
from pdobasis.exact.types import IndexArray
from pdobasis.operators.symbols import Symbols
from pdobasis.proof.batch import Batch, single
from pdobasis.proof.claim import Claim
from pdobasis.proof.modular import ATTEMPTS, BITS, filled, place, residues
from pdobasis.proof.sparse import nonzeros, parts

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
    values = batch.coefficients[entry, monomial]
    for root in np.unique(label[~settled[label]]).tolist():
        out[root] = _part_rank(root, label, element, column, values)
    return out


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


def _part_rank(
    root: int,
    label: IndexArray,
    element: IndexArray,
    column: IndexArray,
    values: ExactArray,
) -> int:
    inside = np.flatnonzero(label[element] == root)
    members, rows = np.unique(element[inside], return_inverse=True)
    names, columns = np.unique(column[inside], return_inverse=True)
    few = np.flatnonzero(columns < 4 * len(members))
    # a rank that some columns attain is attained by all, so a few columns are asked first
    for some in (few, np.arange(len(inside))):
        shape = (len(members), len(names))
        found = _rank((rows[some], columns[some], values.take(inside[some])), shape)
        if found == len(members) or len(some) == len(inside):
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
            best = max(best, int(filled(shape, triples, at.prime).rank()))
        if best == min(shape):
            break
    return best

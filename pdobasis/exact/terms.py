r"""Products of numbers with few terms, in fields of large degree.

A rotation by $2\pi k/N$ has entries $b_k/2$, and an entry of an orthonormal irrep of
SO(3) is a rational times one square root: of a hundred coordinates over the basis
one or two are not zero. Multiplying by such a number is no work for an $n \times n$
matrix. Here only pairs of coordinates that are not zero are multiplied, and each
product of two basis elements has at most two terms (see :mod:`.field`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.field import Field, fold, square_classes
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.values import dataclass

AT_ONCE = 1 << 20
"""Pairs of coordinates that are held at a time."""

Pairs = tuple[IndexArray, IndexArray, IndexArray]
"""(number of the first factor, of the second, of the sum that the product goes to)."""
Parts = tuple[IndexArray, IndexArray, IntArray]
"""(number, basis element, coordinate)."""


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """The coordinates of many numbers that are not zero, number by number."""

    start: IndexArray
    basis: IndexArray
    values: IntArray

    @property
    def lengths(self) -> IndexArray:
        return np.diff(self.start)


def terms(numbers: IntArray) -> Terms:
    """Of an array (..., n) of coordinates."""
    flat = numbers.reshape(-1, numbers.shape[-1])
    number, basis = np.nonzero(flat)
    start = np.searchsorted(number, np.arange(len(flat) + 1))
    return Terms(start, basis, flat[number, basis])


def work(a: Terms, b: Terms, pairs: Pairs) -> int:
    """How many pairs of coordinates there are."""
    left, right, _ = pairs
    return int((a.lengths[left] * b.lengths[right]).sum())


def sums_of_products(
    a: Terms, b: Terms, pairs: Pairs, size: int, field: Field
) -> IntArray:
    """The sums over all pairs with one number in the last place, (size, n).

    The values have to be wide enough for the sums: the caller knows how large they
    may become.

    >>> from pdobasis.exact.field import radical
    >>> root = terms(np.array([[0, 1]]))  # sqrt(3)
    >>> one = np.array([0])
    >>> sums_of_products(root, root, (one, one, one), 1, radical(3)).tolist()
    [[3, 0]]
    """
    dtype = np.result_type(a.values, b.values)
    out: IntArray = np.zeros(size * field.degree, dtype=dtype)
    for number, i, j, values in _products(a, b, pairs):
        for parts in _basis_products(field, number, i, j, values):
            place = parts[0] * field.degree + parts[1]
            np.add.at(out, place, parts[2])
    return out.reshape(size, field.degree)


def _products(
    a: Terms, b: Terms, pairs: Pairs
) -> Iterator[tuple[IndexArray, IndexArray, IndexArray, IntArray]]:
    """(sum, basis element of a, of b, product of coordinates), some at a time."""
    left, right, number = pairs
    lengths = a.lengths[left] * b.lengths[right]
    ends = np.cumsum(lengths)
    first = 0
    while first < len(lengths):
        before = 0
        if first:
            before = int(ends[first - 1])
        last = int(np.searchsorted(ends, before + AT_ONCE, side="right"))
        last = max(last, first + 1)
        some = slice(first, last)
        which = np.repeat(np.arange(first, last), lengths[some])
        # The pairs of two numbers are counted through, one factor within the other.
        within = np.arange(len(which)) - (ends[which] - lengths[which] - before)
        outer, inner = np.divmod(within, b.lengths[right[which]])
        u, v = a.start[left[which]] + outer, b.start[right[which]] + inner
        yield number[which], a.basis[u], b.basis[v], a.values[u] * b.values[v]
        first = last


def _basis_products(
    field: Field, number: IndexArray, i: IndexArray, j: IndexArray, values: IntArray
) -> Iterator[Parts]:
    if field.conductor == 1:
        place, factor = basis_product(field, i, j)
        yield number, place, values * factor
        return
    # b_i b_j = b_{i+j} + b_{|i-j|}, but b_0 stands for 1 and not for 2.
    yield from _folded(field, number, i + j, values)
    both = np.flatnonzero((i > 0) & (j > 0))
    doubled = values[both] * (1 + (i[both] == j[both]))
    yield number[both], np.abs(i - j)[both], doubled


def basis_product(
    field: Field, i: IndexArray, j: IndexArray
) -> tuple[IndexArray, IntArray]:
    """sqrt(r) sqrt(s) = g sqrt(rs/g^2) with g = gcd(r, s): which root, and g."""
    radicands = _radicands(field)
    r, s = radicands[i], radicands[j]
    bits, places = square_classes(field)
    return places[bits[i] ^ bits[j]], np.gcd(r, s)


@remembered
def _radicands(field: Field) -> IndexArray:
    # Products of classes are radicands, too: int64 holds them if it holds these.
    return np.array(field.radicands, dtype=np.int64)


def _folded(
    field: Field, number: IndexArray, e: IndexArray, values: IntArray
) -> Iterator[Parts]:
    """b_e, which is a sum of basis elements for e >= n."""
    low = np.flatnonzero(e < field.degree)
    yield number[low], e[low], values[low]
    high = np.flatnonzero(e >= field.degree)
    if not len(high):
        return
    rows = _fold_terms(field)
    lengths = rows.lengths[e[high]]
    which = np.repeat(high, lengths)
    within = np.arange(len(which)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    at = rows.start[e[which]] + within
    yield number[which], rows.basis[at], values[which] * rows.values[at]


@remembered
def _fold_terms(field: Field) -> Terms:
    return terms(fold(field))

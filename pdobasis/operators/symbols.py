r"""Polynomial matrices of one order, stored by their non-zero entries.

The symbols $P$ of many PDOs are kept together: entry e belongs to ``element[e]``, stands in ``row[e]`` and
``column[e]``, and has the coefficients ``coefficients[e]`` over the monomials of the order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from pdobasis.exact.array import ExactArray, concatenate, exact, zeros
from pdobasis.exact.field import RATIONALS, Field
from pdobasis.exact.polynomials import count
from pdobasis.exact.types import IndexArray


@dataclass(frozen=True, slots=True)
class Structure:
    """What the transfer solver knows of an element: angular order l, Laplacian power k, the irreps it connects."""

    angular_order: int
    laplacian_power: int
    in_irrep: str = ""
    out_irrep: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Symbols:
    """Invariants: entries are sorted by (element, row, column), distinct, and not zero."""

    dim: int
    order: int
    size: int
    shape: tuple[int, int]
    element: IndexArray
    row: IndexArray
    column: IndexArray
    coefficients: ExactArray

    def select(self, element: int) -> tuple[IndexArray, IndexArray, ExactArray]:
        """(rows, columns, coefficients) of one element."""
        low, high = np.searchsorted(self.element, [element, element + 1])
        return self.row[low:high], self.column[low:high], self.coefficients[int(low) : int(high)]

    def equals(self, other: Symbols) -> bool:
        return (
            (self.dim, self.order, self.size, self.shape) == (other.dim, other.order, other.size, other.shape)
            and np.array_equal(self.element, other.element)
            and np.array_equal(self.row, other.row)
            and np.array_equal(self.column, other.column)
            and self.coefficients.equals(other.coefficients)
        )


def symbols(
    dim: int,
    order: int,
    size: int,
    shape: tuple[int, int],
    entries: tuple[IndexArray, IndexArray, IndexArray],
    coefficients: ExactArray,
) -> Symbols:
    """Sort the entries and drop zeros."""
    element, row, column = entries
    keep = np.flatnonzero(coefficients.nonzero_mask().any(axis=-1)) if len(element) else np.zeros(0, dtype=np.int64)
    order_of = keep[np.lexsort((column[keep], row[keep], element[keep]))]
    return Symbols(
        dim, order, size, shape, element[order_of], row[order_of], column[order_of], coefficients.take(order_of)
    )


def empty(dim: int, order: int, shape: tuple[int, int], field: Field = RATIONALS) -> Symbols:
    none = np.zeros(0, dtype=np.int64)
    return Symbols(dim, order, 0, shape, none, none, none, zeros((0, count(dim, order)), field))


def renumber(part: Symbols, ranks: IndexArray, size: int) -> Symbols:
    """Give element k the number ranks[k]; ranks < 0 drops it."""
    keep = ranks[part.element] >= 0
    at = np.flatnonzero(keep)
    entries = (ranks[part.element[at]], part.row[at], part.column[at])
    return symbols(part.dim, part.order, size, part.shape, entries, part.coefficients.take(at))


def join_symbols(parts: Sequence[Symbols]) -> Symbols:
    """One after the other; all of one order and shape."""
    if len(parts) == 1:
        return parts[0]
    shifts = np.cumsum([0, *(p.size for p in parts)])
    return Symbols(
        parts[0].dim,
        parts[0].order,
        int(shifts[-1]),
        parts[0].shape,
        np.concatenate([p.element + s for p, s in zip(parts, shifts, strict=False)]),
        np.concatenate([p.row for p in parts]),
        np.concatenate([p.column for p in parts]),
        concatenate([p.coefficients for p in parts]),
    )


def dense(part: Symbols) -> ExactArray:
    """All coefficients, (element, row, column, monomial)."""
    values = part.coefficients
    out = np.zeros((part.size, *part.shape, values.shape[1], values.field.degree), dtype=values.numerators.dtype)
    out[part.element, part.row, part.column] = values.numerators
    return ExactArray(out, values.denominator, values.field)


def tidy(part: Symbols) -> Symbols:
    """Every element scaled to coprime integers over the field's basis, the first positive, and rational if possible."""
    pieces = []
    for k in range(part.size):
        values = _without_root(part.select(k)[2])
        flat = values.numerators.ravel()
        content = int(np.gcd.reduce(flat.astype(object)))
        sign = 1 if flat[np.flatnonzero(flat)[0]] > 0 else -1
        pieces.append(values.scale(Fraction(sign * values.denominator, content)))
    return replace(part, coefficients=concatenate(pieces)) if pieces else part


def _without_root(values: ExactArray) -> ExactArray:
    """Times the square root that makes the first number rational, where it is a multiple of one square root."""
    field = values.field
    first = values.numerators.reshape(-1, field.degree)
    present = np.flatnonzero(first[np.flatnonzero(first.any(axis=-1))[0]])
    if field.conductor > 1 or len(present) > 1 or present[0] == 0:
        return values
    root = np.zeros(field.degree, dtype=np.int64)
    root[present[0]] = 1
    return values * exact(root, 1, field)


def replace_element(part: Symbols, number: int, other: Symbols) -> Symbols:
    """The one element of ``other`` in the place of element ``number``."""
    ranks = np.arange(part.size)
    ranks[number] = -1
    rest = renumber(part, ranks, part.size)
    moved = Symbols(
        part.dim, part.order, part.size, part.shape,
        other.element + number, other.row, other.column, other.coefficients,
    )  # fmt: skip
    entries = [np.concatenate(pair) for pair in zip(_index(rest), _index(moved), strict=True)]
    values = concatenate([rest.coefficients, moved.coefficients])
    return symbols(part.dim, part.order, part.size, part.shape, (entries[0], entries[1], entries[2]), values)


def _index(part: Symbols) -> tuple[IndexArray, IndexArray, IndexArray]:
    return part.element, part.row, part.column

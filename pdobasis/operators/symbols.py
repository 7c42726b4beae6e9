r"""Polynomial matrices of one order, stored by their non-zero entries.

The symbols $P$ of many PDOs are kept together: entry e belongs to
``element[e]``, stands in ``row[e]`` and ``column[e]``, and has the coefficients
``coefficients[e]`` over the monomials of the order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pdobasis.exact.array import ExactArray, concatenate, exact, zeros
from pdobasis.exact.field import RATIONALS, Field
from pdobasis.exact.polynomials import count
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.values import dataclass

Index = tuple[IndexArray, IndexArray, IndexArray]
"""(element, row, column) of entries."""


@dataclass(frozen=True, slots=True)
class Structure:
    """What the transfer solver knows of an element.

    The angular order l, the Laplacian power k, and the irreps it connects.
    """

    angular_order: int
    laplacian_power: int
    in_irrep: str = ""
    out_irrep: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Symbols:
    """Sparse matrices of polynomials, many of one order and shape.

    Invariants: entries are sorted by (element, row, column), distinct, and not
    zero.
    """

    dim: int
    order: int
    size: int
    shape: tuple[int, int]
    element: IndexArray
    row: IndexArray
    column: IndexArray
    coefficients: ExactArray

    @property
    def index(self) -> Index:
        return self.element, self.row, self.column

    def select(self, element: int) -> tuple[IndexArray, IndexArray, ExactArray]:
        """(rows, columns, coefficients) of one element."""
        ends = np.searchsorted(self.element, [element, element + 1])
        low, high = ends.tolist()
        values = self.coefficients[low:high]
        return self.row[low:high], self.column[low:high], values

    def equals(self, other: Symbols) -> bool:
        sizes = (self.dim, self.order, self.size, self.shape)
        if sizes != (other.dim, other.order, other.size, other.shape):
            return False
        for mine, theirs in zip(self.index, other.index, strict=True):
            if not np.array_equal(mine, theirs):
                return False
        return self.coefficients.equals(other.coefficients)


def symbols(
    dim: int,
    order: int,
    size: int,
    shape: tuple[int, int],
    entries: Index,
    coefficients: ExactArray,
) -> Symbols:
    """Sort the entries and drop zeros."""
    element, row, column = entries
    kept = np.flatnonzero(coefficients.nonzero_mask().any(axis=-1))
    # lexsort takes the most important key last.
    keys = (column[kept], row[kept], element[kept])
    own = kept[np.lexsort(keys)]
    return Symbols(
        dim,
        order,
        size,
        shape,
        element[own],
        row[own],
        column[own],
        coefficients.take(own),
    )


def empty(
    dim: int, order: int, shape: tuple[int, int], field: Field = RATIONALS
) -> Symbols:
    none = np.zeros(0, dtype=np.int64)
    values = zeros((0, count(dim, order)), field)
    return Symbols(dim, order, 0, shape, none, none, none, values)


def over(part: Symbols, field: Field) -> Symbols:
    """The same in a larger field."""
    return replace(part, coefficients=part.coefficients.over(field))


def renumber(part: Symbols, ranks: IndexArray, size: int) -> Symbols:
    """Give element k the number ranks[k]; ranks < 0 drops it."""
    numbers = ranks[part.element]
    kept = np.flatnonzero(numbers >= 0)
    entries = (numbers[kept], part.row[kept], part.column[kept])
    values = part.coefficients.take(kept)
    return symbols(part.dim, part.order, size, part.shape, entries, values)


def join_symbols(parts: Sequence[Symbols]) -> Symbols:
    """One after the other; all of one order and shape."""
    if len(parts) == 1:
        return parts[0]
    starts = np.cumsum([0, *(p.size for p in parts)]).tolist()
    # Elements are numbered on; entries stay sorted, since parts come in order.
    elements = []
    for part, start in zip(parts, starts, strict=False):
        elements.append(part.element + start)
    return Symbols(
        parts[0].dim,
        parts[0].order,
        starts[-1],
        parts[0].shape,
        np.concatenate(elements),
        np.concatenate([p.row for p in parts]),
        np.concatenate([p.column for p in parts]),
        concatenate([p.coefficients for p in parts]),
    )


def replace_element(part: Symbols, number: int, other: Symbols) -> Symbols:
    """The one element of ``other`` in the place of element ``number``."""
    ranks = np.arange(part.size)
    ranks[number] = -1
    rest = renumber(part, ranks, part.size)
    entries = (
        np.concatenate([rest.element, other.element + number]),
        np.concatenate([rest.row, other.row]),
        np.concatenate([rest.column, other.column]),
    )
    values = concatenate([rest.coefficients, other.coefficients])
    return symbols(part.dim, part.order, part.size, part.shape, entries, values)


def dense(part: Symbols) -> ExactArray:
    """All coefficients, (element, row, column, monomial)."""
    values = part.coefficients
    monomials, degree = values.shape[1], values.field.degree
    shape = (part.size, *part.shape, monomials, degree)
    out = np.zeros(shape, dtype=values.numerators.dtype)
    out[part.index] = values.numerators
    return ExactArray(out, values.denominator, values.field)


def from_dense(values: ExactArray, dim: int, order: int) -> Symbols:
    """From an array (element, row, column, monomial)."""
    k, rows, columns, m = values.shape
    flat = values.reshape(k * rows * columns, m)
    kept = np.flatnonzero(flat.nonzero_mask().any(axis=-1))
    # Places of an array come sorted by (element, row, column).
    rest, column = np.divmod(kept, columns)
    element, row = np.divmod(rest, rows)
    shape = (rows, columns)
    return Symbols(dim, order, k, shape, element, row, column, flat.take(kept))


def tidy(part: Symbols) -> Symbols:
    """Every element scaled to coprime integers over the field's basis, the
    first positive, and rational if possible.
    """
    if not part.size:
        return part
    starts = np.searchsorted(part.element, np.arange(part.size))
    values = _without_roots(part, starts)
    # Scaled to coprime integers an element has one form, up to its sign.
    contents = np.gcd.reduce(values.reshape(len(values), -1), axis=1)
    content = np.gcd.reduceat(contents, starts)
    leading = values[starts].reshape(part.size, -1)
    first = (leading != 0).argmax(axis=1)
    content = np.where(leading[np.arange(part.size), first] < 0, -content, content)
    divided = values // content[part.element][:, None, None]
    return replace(part, coefficients=exact(divided, 1, part.coefficients.field))


def _without_roots(part: Symbols, starts: IndexArray) -> IntArray:
    """The numerators of every element times the square root that makes its first
    number rational, where that is a multiple of one square root.
    """
    field, values = part.coefficients.field, part.coefficients.numerators
    # Only fields of square roots: there the basis consists of roots.
    if field.conductor > 1 or field.is_rational:
        return values
    leading = values[starts]
    first = (leading != 0).any(axis=-1).argmax(axis=1)
    present = leading[np.arange(part.size), first] != 0
    roots = np.where(present.sum(axis=1) == 1, present.argmax(axis=1), 0)
    for k in np.unique(roots[roots > 0]).tolist():
        # sqrt(r) sqrt(r) = r
        root = np.zeros(field.degree, dtype=np.int64)
        root[k] = 1
        own = roots[part.element] == k
        moved = exact(values[own], 1, field) * exact(root, 1, field)
        values = values.astype(np.result_type(values, moved.numerators))
        values[own] = moved.numerators
    return values

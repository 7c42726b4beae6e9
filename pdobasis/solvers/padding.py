r"""Symbols between irreps, padded and brought back to the given bases entry by entry: $T \chi Q$.

T holds the inclusions of copies of an irrep, Q the projections to those of another. Where both have few entries that
are not zero most of $T \chi Q$ is zero as well: each entry of $\chi$ goes to the places where a column of T and a row
of Q lead it, and what meets there is added up.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pdobasis.bounds.watch import check
from pdobasis.exact.array import ExactArray, concatenate, exact
from pdobasis.exact.scattered import runs
from pdobasis.exact.types import IndexArray
from pdobasis.linear.sparse import scatter_sum
from pdobasis.operators.symbols import Symbols, symbols
from pdobasis.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The rows of some matrices, one after the other, each by its entries that are not zero."""

    copies: int
    height: int
    starts: IndexArray
    places: IndexArray
    values: ExactArray


def lines_of(matrices: Sequence[ExactArray]) -> Lines:
    """Of matrices of one shape, up to a common positive factor."""
    every = concatenate(matrices)
    rows, places = np.nonzero(every.nonzero_mask())
    starts = np.searchsorted(rows, np.arange(len(every) + 1))
    values = every[rows, places]
    whole = exact(values.numerators, 1, values.field)
    return Lines(len(matrices), len(matrices[0]), starts, places, whole)


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Symbols of one order between two irreps; the columns of the inclusions, and the rows of the projections."""

    chi: Symbols
    inclusions: Lines
    projections: Lines

    @property
    def size(self) -> int:
        return self.chi.size * self.inclusions.copies * self.projections.copies

    @property
    def products(self) -> int:
        """How many entries the products have before they are added up."""
        left, right = (_lengths(own) for own in (self.inclusions, self.projections))
        return int((left[self.chi.row] * right[self.chi.column]).sum())


def _lengths(lines: Lines) -> IndexArray:
    """The entries of line k of all copies together."""
    each = np.diff(lines.starts).reshape(lines.copies, lines.height)
    return np.asarray(each.sum(axis=0))


def brought_back(pieces: Sequence[Piece], shape: tuple[int, int]) -> Symbols:
    """T chi Q of all pieces, for every copy of the output, then of the input, then every element."""
    element, row, column, number = _copied(pieces)
    left = _joined([piece.inclusions for piece in pieces])
    right = _joined([piece.projections for piece in pieces])
    # every entry of its column of T, with every entry of its row of Q
    which, t = runs(left.starts, row)
    again, q = runs(right.starts, column[which])
    which, t = which[again], t[again]
    check()
    scales = left.values.take(t) * right.values.take(q)
    check()
    coefficients = concatenate([_whole(piece.chi) for piece in pieces])
    values = coefficients.take(number[which]) * scales.reshape(-1, 1)
    check()
    rows, columns = shape
    keys = (element[which] * rows + left.places[t]) * columns + right.places[q]
    names, slots = np.unique(keys, return_inverse=True)
    values = scatter_sum(values, slots, len(names))
    check()
    rest, column = np.divmod(names, columns)
    element, row = np.divmod(rest, rows)
    dim, order = pieces[0].chi.dim, pieces[0].chi.order
    size = sum(piece.size for piece in pieces)
    return symbols(dim, order, size, shape, (element, row, column), values)


def _whole(chi: Symbols) -> ExactArray:
    """Without the denominator: elements are scaled at the end."""
    return exact(chi.coefficients.numerators, 1, chi.coefficients.field)


def _copied(pieces: Sequence[Piece]) -> tuple[IndexArray, ...]:
    """(element, row of T, row of Q, number of its coefficients) of every entry, for all copies of all pieces."""
    found = []
    elements = rows = columns = numbers = 0
    for piece in pieces:
        chi, left, right = piece.chi, piece.inclusions, piece.projections
        t = np.arange(left.copies)[:, None, None]
        q = np.arange(right.copies)[:, None]
        own = (
            elements + (t * right.copies + q) * chi.size + chi.element,
            rows + t * left.height + chi.row + 0 * q,
            columns + q * right.height + chi.column + 0 * t,
            numbers + np.arange(len(chi.element)) + 0 * (t + q),
        )
        found.append([a.ravel() for a in own])
        elements += piece.size
        rows += left.copies * left.height
        columns += right.copies * right.height
        numbers += len(chi.element)
    return tuple(np.concatenate(own) for own in zip(*found, strict=True))


def _joined(every: Sequence[Lines]) -> Lines:
    """All lines, one after the other."""
    ends = np.cumsum([0, *(len(lines.places) for lines in every)]).tolist()
    starts = [lines.starts[:-1] + e for lines, e in zip(every, ends, strict=False)]
    return Lines(
        1,
        sum(len(own) for own in starts),
        np.concatenate([*starts, [ends[-1]]]),
        np.concatenate([lines.places for lines in every]),
        concatenate([lines.values for lines in every]),
    )

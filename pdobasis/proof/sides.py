"""Both sides of the constraint at points: entries of P times the non-zeros of rho that they meet."""

from __future__ import annotations

import numpy as np

from pdobasis.exact.array import ExactArray
from pdobasis.exact.types import IndexArray
from pdobasis.proof.batch import Batch
from pdobasis.proof.lines import Lines, expand
from pdobasis.proof.sparse import Sided


def again(found: ExactArray, count: int) -> ExactArray:
    """The same values for every generator."""
    if count == 1:
        return found
    return found.take(np.tile(np.arange(len(found)), count))


def numbers(batch: Batch, rows: int) -> tuple[IndexArray, IndexArray]:
    """(generator, entry) of every row of values."""
    entries = max(1, len(batch.row))
    return np.divmod(np.arange(rows), entries)


def times_rho(batch: Batch, at_points: ExactArray, lines: Lines) -> Sided:
    """P rho: entry (r, i) goes to the columns j of row i of rho."""
    generator, entry = numbers(batch, len(at_points))
    index = generator * batch.shape[1] + batch.column[entry]
    number, slot, moved = expand(index, at_points, lines)
    entry = entry[number]
    return key(
        batch, entry, batch.row[entry], lines.position[slot], generator[number]
    ), moved


def rho_times(batch: Batch, at_points: ExactArray, lines: Lines) -> Sided:
    """rho P: entry (b, j) goes to the rows a of column b of rho."""
    generator, entry = numbers(batch, len(at_points))
    index = generator * batch.shape[0] + batch.row[entry]
    number, slot, moved = expand(index, at_points, lines)
    entry = entry[number]
    return key(
        batch, entry, lines.position[slot], batch.column[entry], generator[number]
    ), moved


def key(
    batch: Batch,
    entry: IndexArray,
    row: IndexArray,
    column: IndexArray,
    generator: IndexArray | None = None,
) -> IndexArray:
    """The place (row, column) of the element of an entry, for one of several generators, as one number."""
    element = batch.element[entry]
    if generator is not None:
        element = generator * batch.size + element
    return np.asarray((element * batch.shape[0] + row) * batch.shape[1] + column)

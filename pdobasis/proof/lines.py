r"""Direct sums of representations, line by line: the non-zeros of every row (column) of the matrices of generators.

A product $P\rho$ or $\rho P$ then is a sum over the non-zeros that an entry of P meets.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, concatenate, exact, integers
from pdobasis.exact.field import LARGE_DEGREE, join
from pdobasis.exact.integers import bound, widen
from pdobasis.exact.matrices import batched_matmul
from pdobasis.exact.types import IndexArray
from pdobasis.proof.sparse import entries, spread
from pdobasis.representations.representation import Representation
from pdobasis.values import dataclass

Sum = tuple[Representation, ...]
"""The direct sum of some representations."""
AT_ONCE = 400_000
"""Numbers of the matrices of multiplication that are held at a time."""
AGAIN = 32
"""A number that is met so many times is worth a product of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The rows of a sparse matrix: where each starts, then position and value of the non-zeros (None: all ones).

    ``kind`` numbers the different values: many non-zeros of the matrices of tensors are the same few products.
    """

    start: IndexArray
    position: IndexArray
    weight: ExactArray | None
    kind: IndexArray | None = None


def expand(
    index: IndexArray, at_points: ExactArray, lines: Lines
) -> tuple[IndexArray, IndexArray, ExactArray]:
    """Every entry times every non-zero of its line: (entry, which non-zero, the product at all points)."""
    if lines.weight is None:  # a permutation: one non-zero a line, and it is 1
        return np.arange(len(index)), index, at_points
    entry, slot = spread(lines.start, index)
    moved = at_points.take(entry)
    count, points = moved.shape
    weight = lines.weight.take(slot)
    if moved.field.is_rational and weight.field.is_rational:
        return entry, slot, moved * weight.reshape(count, 1)
    if moved.is_rational:
        return entry, slot, _rational_times(moved, weight)
    kinds = 0 if lines.kind is None else int(lines.kind.max(initial=-1)) + 1
    if lines.kind is not None and AGAIN * kinds <= count:
        return _by_kinds(entry, slot, moved, lines.weight, lines.kind[slot])
    degree = join(moved.field, weight.field).degree
    if degree > LARGE_DEGREE:
        # by their terms, or by coordinates: no number becomes a matrix
        return entry, slot, moved * weight.reshape(count, 1)
    # one weight for all points: one small product of matrices each; a number becomes a matrix for it, so that some are
    # done at a time
    step = max(1, AT_ONCE // (degree * (degree + points)))
    products = []
    for first in range(0, count, step):
        own = slice(first, first + step)
        left, right = moved[own], weight[own]
        size = len(left)
        products.append(
            batched_matmul(left.reshape(size, points, 1), right.reshape(size, 1, 1))
        )
    if not products:
        return entry, slot, moved
    return entry, slot, concatenate(products).reshape(count, points)


def _by_kinds(
    entry: IndexArray,
    slot: IndexArray,
    moved: ExactArray,
    weight: ExactArray,
    kind: IndexArray,
) -> tuple[IndexArray, IndexArray, ExactArray]:
    """The products with one value after the other, which many entries meet: one matrix of multiplication for them."""
    order = np.argsort(kind, kind="stable")
    points = moved.shape[1]
    products = []
    for own in np.split(order, np.flatnonzero(np.diff(kind[order])) + 1):
        left = moved.take(own).reshape(len(own) * points, 1)
        found = left @ weight[slot[own[0]]].reshape(1, 1)
        products.append(found.reshape(len(own), points))
    return entry[order], slot[order], concatenate(products)


def _rational_times(values: ExactArray, weight: ExactArray) -> ExactArray:
    """Rows of rational numbers times one number each: every coordinate of it by itself, wherever they are written."""
    field = join(values.field, weight.field)
    own = weight.over(field)
    limit = bound(values.numerators) * bound(own.numerators)
    x, y = widen(values.numerators[..., :1], own.numerators[:, None], limit=limit)
    return exact(x * y, values.denominator * own.denominator, field)


@remembered
def rows_of(reps: Sum) -> Lines:
    """The rows of rho(s), those of one generator s below those of the other."""
    if all(rep.is_permutation for rep in reps):
        # row i of the matrix with e_j -> e_{p[j]} holds a one at j = p^-1[i]
        return _permuted([np.argsort(_images(rep), axis=1) for rep in reps])
    return sum_lines([matrices_of(rep) for rep in reps], transposed=False)[0]


@remembered
def columns_of(reps: Sum) -> Lines:
    """The columns of rho(s), likewise."""
    if all(rep.is_permutation for rep in reps):
        return _permuted([_images(rep) for rep in reps])
    return sum_lines([matrices_of(rep) for rep in reps], transposed=True)[0]


@remembered
def lie_rows_of(reps: Sum) -> Lines:
    return sum_lines([rep.lie for rep in reps], transposed=False)[0]


@remembered
def lie_columns_of(reps: Sum) -> Lines:
    return sum_lines([rep.lie for rep in reps], transposed=True)[0]


def matrices_of(rep: Representation) -> tuple[ExactArray, ...]:
    """rho of every generator; e_i -> e_{p[i]} for a permutation p.

    >>> from pdobasis import field_type, group
    >>> (turn,) = matrices_of(field_type("regular", group("C3")).distinct[0])
    >>> turn.numerators[..., 0].tolist()
    [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    """
    if rep.permutations is None:
        return rep.generators
    one = np.eye(
        rep.size, dtype=np.int64
    )  # column i of the result is column p[i] of this
    return tuple(integers(one[:, list(p)]) for p in rep.permutations)


def _images(rep: Representation) -> IndexArray:
    """Where every generator sends every index."""
    return np.array(rep.permutations, dtype=np.int64)


def _permuted(tables: Sequence[IndexArray]) -> Lines:
    """One non-zero a line, for all generators one below the other."""
    offsets = np.cumsum([0, *(table.shape[1] for table in tables)])
    position = np.concatenate(
        [table + shift for table, shift in zip(tables, offsets, strict=False)], axis=1
    )
    return Lines(np.arange(position.size + 1), position.ravel(), None)


def sum_lines(
    parts: Sequence[Sequence[ExactArray]], *, transposed: bool, apart: bool = True
) -> tuple[Lines, IndexArray]:
    """The rows (columns) of block-diagonal matrices, given by all matrices of every block.

    ``apart`` puts the lines of one matrix below those of the other; else line i of all matrices is one line. With them
    comes the matrix that each non-zero is from.
    """
    offsets = np.cumsum([0, *(len(own[0]) for own in parts)])
    height = int(offsets[-1])
    count = height
    if apart:
        count *= len(parts[0])
    lines, position, which, weight = [], [], [], []
    for own, offset in zip(parts, offsets, strict=False):
        for number, m in enumerate(own):
            i, j, values = entries(m)
            weight.append(values)
            if transposed:
                i, j = j, i
            lines.append(number * height * apart + i + offset)
            position.append(j + offset)
            which.append(np.full(len(i), number))
    # sorted by lines, so that a line is a run of non-zeros
    line = np.concatenate(lines)
    order = np.argsort(line, kind="stable")
    start = np.searchsorted(line[order], np.arange(count + 1))
    values = concatenate(weight).take(order)
    found = Lines(start, np.concatenate(position)[order], values, _kinds(values))
    return found, np.concatenate(which)[order]


def _kinds(values: ExactArray) -> IndexArray | None:
    """Equal numbers for equal values; None where no number needs a matrix to be multiplied with."""
    if values.field.is_rational:
        return None
    # over one denominator numbers are equal where their numerators are
    first: dict[bytes, int] = {}
    keys = (str(row).encode() for row in values.numerators.tolist())
    return np.array([first.setdefault(key, len(first)) for key in keys], dtype=np.int64)

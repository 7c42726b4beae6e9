r"""Sums of Kronecker products of banded matrices, row by row at the speed of memory.

Along an axis most rows are alike: the same weights at the same distances. Ranges of such rows are *runs*. For one run
along every axis the rows of the whole matrix are one stencil, and their entries lie in the arrays of the matrix at even
distances: one assignment to a strided view writes them all. What has no long runs (uneven axes) is left to
`scipy.sparse`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from pdobasis.stencils.axes import Sparse

Cells = Mapping[tuple[int, int], Mapping[tuple[int, ...], float]]
"""The coefficients of an operator: (row, column) to alpha to number."""
Shapes = tuple[tuple[int, ...], ...]
Along = Callable[[int, int, int, int], Sparse]
"""(out component, in component, axis, order) to the derivative along that axis."""

MAX_RUNS = 3000
"""Products of runs: beyond, few rows are alike."""

Line = tuple[tuple[int, float], ...]
"""(distance of the column from the row, weight)."""
Stencil = tuple[tuple[int, float, int], ...]
"""(column, weight, in component) for the first row of a product of runs, sorted."""


@dataclass(frozen=True, slots=True)
class Run:
    """Rows start, …, stop - 1 of an axis, and their entries for every (in component, order)."""

    start: int
    stop: int
    lines: tuple[Line, ...]


def assembled(
    cells: Cells, shapes_out: Shapes, shapes_in: Shapes, along: Along
) -> Sparse:
    """Σ c ⊗ ∂ for all components: one matrix in rows, sorted."""
    plans = [
        _Rows.of(cells, o, len(shapes_out[o]), along) for o in range(len(shapes_out))
    ]
    if any(plan.count > MAX_RUNS for plan in plans):
        return by_products(cells, shapes_out, shapes_in, along)
    return _written(plans, shapes_out, shapes_in)


def by_products(
    cells: Cells, shapes_out: Shapes, shapes_in: Shapes, along: Along
) -> Sparse:
    """The same by SciPy's Kronecker products."""
    from scipy.sparse import bmat, csr_matrix, kron

    blocks: list[list[Sparse]] = [
        [csr_matrix((prod(rows), prod(columns))) for columns in shapes_in]
        for rows in shapes_out
    ]
    for (o, i), p in cells.items():
        for alpha, value in p.items():
            own: Sparse = np.ones((1, 1))
            for axis in reversed(range(len(alpha))):
                own = kron(own, along(o, i, axis, alpha[axis]), format="csr")
            blocks[o][i] = blocks[o][i] + value * own
    return csr_matrix(bmat(blocks, format="csr"))


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of one component of the output: terms (in component, orders, coefficient), and runs along every axis."""

    terms: tuple[tuple[int, tuple[int, ...], float], ...]
    keys: tuple[tuple[tuple[int, int], ...], ...]
    runs: tuple[tuple[Run, ...], ...]

    @classmethod
    def of(cls, cells: Cells, o: int, dim: int, along: Along) -> _Rows:
        terms = tuple(
            (i, alpha, value)
            for (row, i), p in cells.items()
            if row == o
            for alpha, value in p.items()
        )
        keys, runs = [], []
        for axis in range(dim):
            own = tuple(dict.fromkeys((i, alpha[axis]) for i, alpha, _ in terms))
            keys.append(own)
            runs.append(_runs([along(o, i, axis, order) for i, order in own]))
        return cls(terms, tuple(keys), tuple(runs))

    @property
    def count(self) -> int:
        return prod(len(own) for own in self.runs)

    def stencil(
        self, runs: tuple[Run, ...], strides: list[list[int]], first: list[int]
    ) -> Stencil:
        total: dict[tuple[int, int], float] = {}
        for i, alpha, value in self.terms:
            entries = [(first[i], value)]
            for axis, run in enumerate(runs):
                line = run.lines[self.keys[axis].index((i, alpha[axis]))]
                step = strides[i][axis]
                at = run.start * step
                entries = [
                    (c + at + d * step, v * w) for c, v in entries for d, w in line
                ]
            for column, weight in entries:
                total[column, i] = total.get((column, i), 0.0) + weight
        return tuple(sorted((c, v, i) for (c, i), v in total.items() if v))


def _runs(matrices: list[Sparse]) -> tuple[Run, ...]:
    """Consecutive rows that are alike in all matrices."""
    if not matrices:
        return ()
    same = np.logical_and.reduce([_continues(m) for m in matrices])
    starts = np.flatnonzero(~same).tolist()
    ends = [*starts[1:], matrices[0].shape[0]]
    return tuple(
        Run(start, stop, tuple(_line(m, start) for m in matrices))
        for start, stop in zip(starts, ends, strict=True)
    )


def _continues(matrix: Sparse) -> NDArray[np.bool_]:
    """For every row whether it has the entries of the row before, one column further."""
    counts = np.diff(matrix.indptr)
    rows = np.repeat(np.arange(len(counts)), counts)
    distances = matrix.indices - rows
    same = np.zeros(len(counts), dtype=np.bool_)
    same[1:] = counts[1:] == counts[:-1]
    # Entries of rows as long as the one before, and those that many places before them.
    here = np.flatnonzero(same[rows])
    before = here - counts[rows[here]]
    differs = (distances[here] != distances[before]) | (
        matrix.data[here] != matrix.data[before]
    )
    same[rows[here[differs]]] = False
    return same


def _line(matrix: Sparse, row: int) -> Line:
    part = slice(matrix.indptr[row], matrix.indptr[row + 1])
    columns, values = matrix.indices[part].tolist(), matrix.data[part].tolist()
    return tuple(sorted(zip([c - row for c in columns], values, strict=True)))


def _written(plans: list[_Rows], shapes_out: Shapes, shapes_in: Shapes) -> Sparse:
    from scipy.sparse import csr_matrix

    # Steps of a column along x1, x2, …, and the first column of every component.
    strides = [
        [prod(shape[len(shape) - k :]) for k in range(len(shape))]
        for shape in shapes_in
    ]
    first = [sum(prod(s) for s in shapes_in[:i]) for i in range(len(shapes_in))]
    pieces = []
    counts = [np.zeros(shape, dtype=np.int64) for shape in shapes_out]
    for o, plan in enumerate(plans):
        for runs in product(*plan.runs):
            line = plan.stencil(runs, strides, first)
            place = tuple(slice(r.start, r.stop) for r in reversed(runs))
            counts[o][place] = len(line)
            pieces.append((o, place, line))
    starts = np.concatenate(
        [[0], np.cumsum(np.concatenate([c.ravel() for c in counts]))]
    )
    columns = sum(prod(s) for s in shapes_in)
    kind: Any = np.int32
    if max(int(starts[-1]), columns) >= 2**31:
        kind = np.int64
    data, indices = np.empty(starts[-1]), np.empty(starts[-1], dtype=kind)
    at = 0
    firsts = []
    for shape in shapes_out:
        firsts.append(starts[at : at + prod(shape)].reshape(shape))
        at += prod(shape)
    for o, place, line in pieces:
        if line:
            fill(data, indices, firsts[o][place], line, strides)
    out = csr_matrix(
        (data, indices, starts.astype(kind)), shape=(len(starts) - 1, columns)
    )
    out.has_sorted_indices = True
    out.has_canonical_format = True
    return out


def fill(
    data: NDArray[np.float64],
    indices: NDArray[Any],
    starts: NDArray[np.int64],
    line: Stencil,
    strides: list[list[int]],
) -> None:
    """Write the rows of one product of runs: their first entries lie at even distances along every axis."""
    shape = (*starts.shape, len(line))
    gaps = []
    for axis in range(starts.ndim):
        gap = 0
        if starts.shape[axis] > 1:
            gap = int(np.take(starts, 1, axis).flat[0] - starts.flat[0])
        gaps.append(gap)
    begin = int(starts.flat[0])
    places = (*gaps, 1)
    view = as_strided(data[begin:], shape, [g * data.itemsize for g in places])
    view[...] = [weight for _, weight, _ in line]
    numbers = as_strided(indices[begin:], shape, [g * indices.itemsize for g in places])
    own: NDArray[Any] = np.array([c for c, _, _ in line], dtype=indices.dtype)
    moves = []
    for axis, count in enumerate(starts.shape):
        # A step along an axis of the array moves the columns of a component by its own stride.
        steps = np.array(
            [strides[i][starts.ndim - 1 - axis] for _, _, i in line],
            dtype=indices.dtype,
        )
        moved = np.arange(count, dtype=indices.dtype)
        moves.append(moved.reshape(-1, *(1,) * (starts.ndim - axis)) * steps)
    for move in moves[1:]:
        own = own + move
    # The first axis last and in place: all numbers at once exist in the matrix only.
    np.add(moves[0], own, out=numbers)

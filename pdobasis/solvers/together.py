"""The constraint of many blocks and orders as one linear system, and its solutions taken apart again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pdobasis.exact.array import ExactArray, block_diagonal, exact, zeros
from pdobasis.exact.polynomials import count
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.groups.closure import closure, generating
from pdobasis.groups.lie import generating_indices
from pdobasis.linear.sparse import Sparse
from pdobasis.linear.stages import null_space_in_stages
from pdobasis.operators.symbols import Symbols, empty
from pdobasis.representations.representation import Representation, all_matrices
from pdobasis.solvers.constraint import (
    Unknowns,
    further_equations,
    group_equations,
    lie_equations,
    substitutions,
)

AT_ONCE = 4_000
"""Unknowns up to which tasks are put together."""
WORTH_A_SUBGROUP = 60
"""Unknowns of a task from which it is worth to solve for a subgroup of monomial matrices first."""
MAX_IMAGES = 500_000
"""Numbers in the matrices of all group elements up to which that subgroup is looked for."""

Sum = tuple[Representation, ...]
Acting = tuple[ExactArray, ExactArray, ExactArray]
"""A group element, and what it is in both sums."""


@dataclass(frozen=True, slots=True)
class Task:
    """All P of exactly one order between two representations."""

    rep_in: Representation
    rep_out: Representation
    order: int

    @property
    def unknowns(self) -> int:
        return self.rep_in.size * self.rep_out.size * count(self.rep_in.group.dim, self.order)

    @property
    def is_row_major(self) -> bool:
        """In which order the unknowns are numbered, which decides the echelon form."""
        return self.rep_out.is_permutation and not self.rep_in.is_permutation


def solve_together(tasks: Sequence[Task], *, harmonic: bool, partial_order: int | None) -> list[Symbols]:
    """The solutions of every task, all of one group."""
    found: dict[int, Symbols] = {}
    for numbers in _batches(tasks):
        batch = _Batch([tasks[k] for k in numbers])
        systems = [
            *further_equations(batch.unknowns, harmonic, partial_order),
            *_constraint(batch),
        ]
        found |= zip(
            numbers,
            _take_apart(batch, null_space_in_stages(systems)),
            strict=True,
        )
    return [found[k] for k in range(len(tasks))]


def _batches(tasks: Sequence[Task]) -> Iterator[list[int]]:
    """Numbers of tasks by increasing order, as many as make ``AT_ONCE`` unknowns."""
    batch: list[int] = []
    unknowns = 0
    for k in sorted(range(len(tasks)), key=lambda k: tasks[k].order):
        if batch and unknowns + tasks[k].unknowns > AT_ONCE:
            yield batch
            batch, unknowns = [], 0
        batch.append(k)
        unknowns += tasks[k].unknowns
    if batch:
        yield batch


class _Batch:
    """Tasks, the sums of their different representations, and one numbering of all their unknowns.

    ``starts`` holds the first unknown of every task.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.tasks = tasks
        self.group = tasks[0].rep_in.group
        self.reps_in: Sum = tuple(dict.fromkeys(task.rep_in for task in tasks))
        self.reps_out: Sum = tuple(dict.fromkeys(task.rep_out for task in tasks))
        dim, low, high = self.group.dim, tasks[0].order, tasks[-1].order
        self.columns, self.rows = (
            _offsets(self.reps_in),
            _offsets(self.reps_out),
        )
        self.orders = {n: sum(count(dim, k) for k in range(low, n)) for n in range(low, high + 2)}
        shape = (
            sum(r.size for r in self.reps_out),
            sum(r.size for r in self.reps_in),
            self.orders[high + 1],
        )
        number = np.full(shape, -1)
        starts = [0]
        for task in tasks:
            row, column, at = (
                self.rows[task.rep_out],
                self.columns[task.rep_in],
                self.orders[task.order],
            )
            size = (task.rep_out.size, task.rep_in.size, count(dim, task.order))
            own = np.arange(starts[-1], starts[-1] + task.unknowns)
            place = number[
                row : row + size[0],
                column : column + size[1],
                at : at + size[2],
            ]
            place[:] = own.reshape(size) if task.is_row_major else own.reshape(
                size[1], size[0], size[2]
            ).transpose(1, 0, 2)  # fmt: skip
            starts.append(starts[-1] + task.unknowns)
        self.starts = np.array(starts)
        self.unknowns = Unknowns(dim, low, high, number, starts[-1])

    @property
    def reps(self) -> Sum:
        return (*self.reps_in, *self.reps_out)

    def sums(self, matrices: Sequence[ExactArray]) -> tuple[ExactArray, ExactArray]:
        """The matrices of all ``reps``, put together for both sides."""
        count = len(self.reps_in)
        return block_diagonal(matrices[:count]), block_diagonal(matrices[count:])


def _offsets(reps: Sum) -> dict[Representation, int]:
    starts = np.cumsum([0, *(rep.size for rep in reps)]).tolist()
    return dict(zip(reps, starts, strict=False))


def _constraint(batch: _Batch) -> list[Sparse]:
    """One system for each generator, the sparsest first; without a group nothing is asked of the unknowns."""
    group, unknowns = batch.group, batch.unknowns
    elements = [*_monomial_elements(batch), *_generators(batch)]
    actions = substitutions([g for g, _, _ in elements], unknowns)
    systems = [group_equations(unknowns, a, b, s) for (_, a, b), s in zip(elements, actions, strict=True)]
    for k in generating_indices(group):
        systems.append(
            lie_equations(
                unknowns,
                *batch.sums([rep.lie[k] for rep in batch.reps]),
                group.lie[k],
            )
        )
    if not systems:
        none = np.zeros(0, dtype=np.int64)
        return [Sparse(none, none, zeros((0,)), (0, unknowns.count))]
    return sorted(systems, key=lambda system: len(system.values))


def _generators(batch: _Batch) -> list[Acting]:
    generators = enumerate(batch.group.generators)
    return [(g, *batch.sums([rep.matrices()[s] for rep in batch.reps])) for s, g in generators]


def _monomial_elements(batch: _Batch) -> list[Acting]:
    """Elements that permute coordinates and fibres up to factors, where no generator does and the task is large.

    They generate the subgroup of all such elements. Solving for it first is next to no work.
    """
    group = batch.group
    reps = tuple(dict.fromkeys(batch.reps))
    if not group.is_finite or max(task.unknowns for task in batch.tasks) < WORTH_A_SUBGROUP:
        return []
    table = closure(group)
    if len(table) * sum(rep.size**2 for rep in reps) > MAX_IMAGES or any(
        all(_is_monomial(m) for m in (g, *(rep.matrices()[s] for rep in reps)))
        for s, g in enumerate(group.generators)
    ):  # fmt: skip
        return []
    members = _is_monomial(table.matrices)
    for rep in reps:
        members = members & _is_monomial(all_matrices(rep))
    chosen = generating(table, np.flatnonzero(members))
    return [
        (
            table.matrices[h],
            *batch.sums([all_matrices(rep)[h] for rep in batch.reps]),
        )
        for h in chosen
    ]


def _is_monomial(m: ExactArray) -> IntArray:
    """Whether every row (of the last two axes) has one non-zero entry."""
    return np.asarray((m.nonzero_mask().sum(axis=-1) == 1).all(axis=-1))


def _take_apart(batch: _Batch, found: Sparse) -> Iterator[Symbols]:
    """The vectors of every task as symbols: entries by (element, row, column)."""
    number = batch.unknowns.number
    place = np.nonzero(number >= 0)
    where = np.empty((3, batch.unknowns.count), dtype=np.int64)
    where[:, number[place]] = place
    row, column, monomial = where[:, found.columns]
    keys = (found.rows * number.shape[0] + row) * number.shape[1] + column
    entry, slot = np.unique(keys, return_inverse=True)
    values = found.values
    table = np.zeros(
        (len(entry), number.shape[2], values.field.degree),
        dtype=values.numerators.dtype,
    )
    table[slot, monomial] = values.numerators
    leading = found.columns[np.searchsorted(found.rows, np.arange(found.shape[0]))]
    first = np.searchsorted(leading, batch.starts).tolist()  # the first vector of every task
    bounds = np.searchsorted(entry, np.array(first) * (number.shape[0] * number.shape[1])).tolist()
    for k, task in enumerate(batch.tasks):
        yield _symbols(batch, task, (first[k], first[k + 1]), entry[bounds[k] : bounds[k + 1]],
                       table[bounds[k] : bounds[k + 1]], values)  # fmt: skip


def _symbols(
    batch: _Batch,
    task: Task,
    vectors: tuple[int, int],
    entry: IndexArray,
    table: IntArray,
    values: ExactArray,
) -> Symbols:
    dim, order, shape = (
        batch.group.dim,
        task.order,
        (task.rep_out.size, task.rep_in.size),
    )
    size = vectors[1] - vectors[0]
    if not size:
        return empty(dim, order, shape, values.field)
    rows, columns, _ = batch.unknowns.number.shape
    at = batch.orders[order]
    element, rest = np.divmod(entry, rows * columns)
    row, column = np.divmod(rest, columns)
    numerators = np.ascontiguousarray(table[:, at : at + count(dim, order)])
    return Symbols(
        dim, order, size, shape,
        element - vectors[0], row - batch.rows[task.rep_out], column - batch.columns[task.rep_in],
        exact(numerators, values.denominator, values.field),
    )  # fmt: skip

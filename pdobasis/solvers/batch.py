"""What is solved at once: tasks, and one numbering of all their unknowns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import RATIONALS, Field, join
from pdobasis.exact.matrices import block_diagonal
from pdobasis.exact.polynomials import count
from pdobasis.exact.types import IndexArray
from pdobasis.groups.group import Group
from pdobasis.representations.representation import Representation
from pdobasis.solvers.constraint import Unknowns
from pdobasis.values import dataclass

Summands = tuple[Representation, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """All P of exactly one order between two representations."""

    rep_in: Representation
    rep_out: Representation
    order: int

    @property
    def group(self) -> Group:
        return self.rep_in.group

    @property
    def shape(self) -> tuple[int, int]:
        return self.rep_out.size, self.rep_in.size

    @property
    def monomials(self) -> int:
        return count(self.group.dim, self.order)

    @property
    def unknowns(self) -> int:
        return self.rep_in.size * self.rep_out.size * self.monomials

    @property
    def is_row_major(self) -> bool:
        """How the unknowns are numbered, which decides the echelon form."""
        return self.rep_out.is_permutation and not self.rep_in.is_permutation


class Batch:
    """Tasks, the sums of their different representations, and one numbering of
    all their unknowns.

    ``rows``, ``columns`` and ``monomials`` say where an output, an input and an
    order begin; ``starts`` holds the first unknown of every task.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.tasks = tasks
        self.group: Group = tasks[0].group
        self.reps_in: Summands = different([task.rep_in for task in tasks])
        self.reps_out: Summands = different([task.rep_out for task in tasks])
        self.columns: dict[Representation, int] = _offsets(self.reps_in)
        self.rows: dict[Representation, int] = _offsets(self.reps_out)
        dim, low, high = self.group.dim, tasks[0].order, tasks[-1].order
        self.monomials: dict[int, int] = {low: 0}
        for n in range(low, high + 1):
            self.monomials[n + 1] = self.monomials[n] + count(dim, n)
        sizes = [self._size(task) for task in tasks]
        self.starts: IndexArray = np.cumsum([0, *sizes])
        number = self._numbering(high)
        total = int(self.starts[-1])
        self.unknowns: Unknowns = Unknowns(dim, low, high, number, total, number)

    def _size(self, task: Task) -> int:
        """Its unknowns, from what is counted once for all."""
        monomials = self.monomials[task.order + 1] - self.monomials[task.order]
        return task.rep_in.size * task.rep_out.size * monomials

    def _numbering(self, high: int) -> IndexArray:
        height = sum(rep.size for rep in self.reps_out)
        width = sum(rep.size for rep in self.reps_in)
        number = np.full((height, width, self.monomials[high + 1]), -1)
        every = np.arange(self.starts[-1])
        for task, start in zip(self.tasks, self.starts.tolist(), strict=False):
            rows, columns = task.shape
            at, end = self.monomials[task.order], self.monomials[task.order + 1]
            own = every[start : start + rows * columns * (end - at)]
            if task.is_row_major:
                own = own.reshape(rows, columns, end - at)
            else:
                # Column by column: the echelon form then keeps the columns of
                # rho_in together.
                own = own.reshape(columns, rows, end - at).transpose(1, 0, 2)
            row, column = self.rows[task.rep_out], self.columns[task.rep_in]
            number[row : row + rows, column : column + columns, at:end] = own
        return number

    @property
    def field(self) -> Field:
        """That of the constraint."""
        images = (m for rep in self.reps for m in rep.matrices())
        return reduce(
            join, (m.field for m in (*self.group.on_space, *images)), RATIONALS
        )

    @property
    def reps(self) -> Summands:
        return (*self.reps_in, *self.reps_out)

    def sums(self, matrices: Sequence[ExactArray]) -> tuple[ExactArray, ExactArray]:
        """The matrices of all ``reps``, put together for both sides."""
        middle = len(self.reps_in)
        left, right = matrices[:middle], matrices[middle:]
        return block_diagonal(left), block_diagonal(right)


def different(reps: Sequence[Representation]) -> Summands:
    return tuple(dict.fromkeys(reps))


def _offsets(reps: Summands) -> dict[Representation, int]:
    sizes = [rep.size for rep in reps]
    starts = np.cumsum([0, *sizes]).tolist()
    return dict(zip(reps, starts, strict=False))

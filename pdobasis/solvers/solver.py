"""What every solver is: a name, the questions that it fits, and a way to their
solutions.

A new solver is one file with a subclass of :class:`Solver`, and one line in
:mod:`pdobasis.solvers.registry`. It need not be trusted: what it finds is
proved by others.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from itertools import product
from typing import ClassVar

from pdobasis.errors import PdoBasisError
from pdobasis.operators.block import Block
from pdobasis.question.problem import Problem
from pdobasis.values import dataclass

Progress = Callable[[str], None]
"""Told in a few words what is being done."""


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """One block for each pair of different summands, in the order of
    :func:`pairs`.
    """

    blocks: tuple[Block, ...]


class Solver(ABC):
    """A road to all solutions of a question.

    ``rank`` says when ``auto`` asks this solver, the lowest first, unless
    another one costs much less; a solver without a rank is only asked by its
    name.
    """

    name: ClassVar[str]
    rank: ClassVar[int | None] = None

    @abstractmethod
    def fits(self, problem: Problem) -> PdoBasisError | None:
        """None for a question that can be solved in this way; otherwise the
        reason, as the error to be raised.
        """

    @abstractmethod
    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """A basis of all solutions of a question that fits."""

    def cost(self, problem: Problem) -> int:
        """How many numbers are worked on, roughly: the unknowns, and what is
        made on the way. Known before any work.
        """
        return problem.unknowns

    def solve_again(self, problem: Problem, progress: Progress) -> Solution | None:
        """What another road leads to, and has to span the same spaces; None
        where one road is all that is asked.
        """
        return None


def pairs(problem: Problem) -> list[tuple[int, int]]:
    """(index into the different summands of the input, of the output) of every
    block.
    """
    return list(
        product(
            range(len(problem.in_type.distinct)),
            range(len(problem.out_type.distinct)),
        )
    )

"""The reference engine as a solver: the paper in SymPy, for small questions.

It is asked by its name only.
"""

from __future__ import annotations

from typing import ClassVar

from pdobasis.errors import PdoBasisError
from pdobasis.question.problem import Problem
from pdobasis.solvers.solver import Progress, Solution, Solver
from pdobasis.solvers.transfer import Transfer
from pdobasis.solvers.truncation import not_by


class Reference(Solver):
    """Slow, and written to be read; it judges the others and explains them."""

    name: ClassVar[str] = "reference"

    def fits(self, problem: Problem) -> PdoBasisError | None:
        reason: PdoBasisError | None = None
        if problem.truncation is not None:
            reason = not_by(problem.truncation.text, Reference.name, "transfer")
        elif problem.kernel:
            # Angular parts of kernels are there where the transfer solver
            # finds them.
            reason = Transfer().fits(problem)
        if reason is not None:
            return reason
        from pdobasis.reference.estimate import too_large

        return too_large(problem)

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        from pdobasis.reference.border import (
            solve,  # SymPy is loaded for those who ask for it
        )

        return Solution(tuple(solve(problem, progress)))

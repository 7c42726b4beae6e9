"""Both roads: the answer of the transfer solver, and the direct one as a
witness that spans the same spaces.
"""

from __future__ import annotations

from typing import ClassVar

from pdobasis.errors import PdoBasisError
from pdobasis.question.problem import Problem
from pdobasis.solvers.direct import Direct
from pdobasis.solvers.solver import Progress, Solution, Solver
from pdobasis.solvers.transfer import Transfer
from pdobasis.solvers.truncation import not_by


class Both(Solver):
    """A combination of two solvers."""

    name: ClassVar[str] = "both"
    answer: ClassVar[Solver] = Transfer()
    witness: ClassVar[Solver] = Direct()

    def fits(self, problem: Problem) -> PdoBasisError | None:
        if problem.truncation is not None:
            return not_by(problem.truncation.text, Both.name, "transfer")
        return self.answer.fits(problem)

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        return self.answer.solve(problem, progress)

    def solve_again(self, problem: Problem, progress: Progress) -> Solution:
        # The witness knows neither irreps nor closed forms nor powers of the
        # Laplacian.
        progress("solving again, directly")
        return self.witness.solve(problem, lambda message: None)

r"""The direct solver: one mechanism for every group.

Where a finite group permutes the rows or columns of P, solutions for
stabilisers are carried round orbits (:mod:`.orbits`). With no permutations at
all the "orbit" is the whole matrix, the stabiliser is G, and what is left is
the null space of the constraint (:mod:`.together`), for all blocks and orders
at once.

Canonical: within a block the result is the reduced row echelon form of the
solution space, unknowns ordered by (column, row, monomial), or (row, column,
monomial) where only $\rho_{out}$ is a permutation representation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pdobasis.bounds.watch import step
from pdobasis.errors import PdoBasisError, SpecError
from pdobasis.operators.block import Block
from pdobasis.operators.names import textbook_scale
from pdobasis.operators.symbols import Symbols
from pdobasis.question.problem import Problem
from pdobasis.representations.representation import Representation
from pdobasis.solvers.batch import Task
from pdobasis.solvers.carried import Frame
from pdobasis.solvers.orbits import round_orbits
from pdobasis.solvers.solver import Progress, Solution, Solver, pairs
from pdobasis.solvers.together import solve_together
from pdobasis.solvers.truncation import not_by, not_kept_by_the_laplacian

if TYPE_CHECKING:
    from pdobasis.question.frames import FrameLimit


class Direct(Solver):
    """The null space of the constraint itself: for every group."""

    name: ClassVar[str] = "direct"
    rank: ClassVar[int | None] = 2

    def fits(self, problem: Problem) -> PdoBasisError | None:
        truncation = problem.truncation
        if truncation is not None and truncation.frame is None:
            return not_by(truncation.text, Direct.name, "transfer")
        if not problem.kernel:
            return None
        if problem.partial_order is not None:
            return not_kept_by_the_laplacian()
        return SpecError(
            "the angular parts of kernels are harmonic: "
            "kernel= goes with method='transfer', both or auto"
        )

    def cost(self, problem: Problem) -> int:
        # The whole system is eliminated over K.
        return problem.unknowns * problem.field.degree

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        progress("solving directly")
        reps_in = problem.in_type.distinct
        reps_out = problem.out_type.distinct
        orders = range(problem.order + 1)
        if problem.truncation is not None and problem.truncation.frame is not None:
            return Solution(
                tuple(
                    in_frame(i, o, problem, problem.truncation.frame)
                    for i, o in pairs(problem)
                )
            )
        # All blocks and orders are handed over at once, so that small systems
        # can be solved together.
        tasks = []
        for i, o in pairs(problem):
            tasks += [Task(reps_in[i], reps_out[o], n) for n in orders]
        found = solve_blocks(
            tasks,
            harmonic=problem.kernel,
            partial_order=problem.partial_order,
        )
        parts = iter(textbook_scale(part) for part in found)
        blocks = []
        for i, o in pairs(problem):
            blocks.append(Block(i, o, tuple(next(parts) for _ in orders)))
        return Solution(tuple(blocks))


def in_frame(i: int, o: int, problem: Problem, limit: FrameLimit) -> Block:
    """The solutions within a limit in the frame of one side: its components are
    the points of an orbit, and the limit holds at the first.
    """
    # loaded for questions about frames alone
    from pdobasis.question.frames import frame_side

    rep_in, rep_out = problem.in_type.distinct[i], problem.out_type.distinct[o]
    side = frame_side(rep_in, rep_out, limit, problem.order)
    parts = []
    for n in range(problem.order + 1):
        frame = Frame(
            rep_in,
            rep_out,
            over_in=side == "in",
            over_out=side == "out",
            order=n,
            harmonic=False,
            partial_order=limit.order,
            turn=limit.turn,
        )
        parts.append(textbook_scale(round_orbits(frame)))
    return Block(i, o, tuple(parts))


def solve_block(
    rep_in: Representation,
    rep_out: Representation,
    order: int,
    *,
    orbits: bool = True,
    harmonic: bool = False,
    partial_order: int | None = None,
) -> Symbols:
    r"""All P of exactly this order between two representations;
    ``orbits=False`` forces the plain null space.

    ``harmonic`` adds $\Delta P = 0$ to the constraint, which commutes with it
    for $G \le O(d)$; ``partial_order`` limits the order in each variable, for
    groups that preserve that.
    """
    (found,) = solve_blocks(
        [Task(rep_in, rep_out, order)],
        orbits=orbits,
        harmonic=harmonic,
        partial_order=partial_order,
    )
    return found


def solve_blocks(
    tasks: list[Task],
    *,
    orbits: bool = True,
    harmonic: bool = False,
    partial_order: int | None = None,
) -> list[Symbols]:
    """The same for many blocks and orders, all of one group."""
    found: dict[int, Symbols] = {}
    plain: dict[int, Task] = {}
    for k, task in enumerate(tasks):
        step("solving", k, len(tasks))
        # An orbit is solved at one point, which leaves little linear algebra.
        if orbits and is_permuted(task) and _moves(task):
            frame = _frame(task, harmonic, partial_order)
            found[k] = round_orbits(frame)
        else:
            plain[k] = task
    rest = solve_together(
        list(plain.values()), harmonic=harmonic, partial_order=partial_order
    )
    found |= zip(plain, rest, strict=True)
    return [found[k] for k in range(len(tasks))]


def is_permuted(task: Task) -> bool:
    """Whether a finite group permutes the rows or the columns of P."""
    if not task.group.is_finite:
        return False
    return task.rep_in.is_permutation or task.rep_out.is_permutation


def _moves(task: Task) -> bool:
    """Whether a permutation has anything to permute: otherwise the orbit is all of P, and its stabiliser G."""
    return (
        max(rep.size for rep in (task.rep_in, task.rep_out) if rep.is_permutation) > 1
    )


def _frame(task: Task, harmonic: bool, partial_order: int | None) -> Frame:
    return Frame(
        task.rep_in,
        task.rep_out,
        over_in=task.rep_in.is_permutation,
        over_out=task.rep_out.is_permutation,
        order=task.order,
        harmonic=harmonic,
        partial_order=partial_order,
    )

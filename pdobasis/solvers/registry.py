"""The list of solvers, and the choice among them."""

from __future__ import annotations

from pdobasis.errors import SpecError
from pdobasis.question.problem import Problem
from pdobasis.solvers.both import Both
from pdobasis.solvers.direct import Direct
from pdobasis.solvers.reference import Reference
from pdobasis.solvers.solver import Solver
from pdobasis.solvers.transfer import Transfer
from pdobasis.solvers.truncation import require_preserved

AUTO = "auto"
MUCH = 2
"""A later solver is taken when the first one costs so many times as much."""

SOLVERS: list[Solver] = [
    Direct(),
    Transfer(),
    Both(),
    Reference(),
]
"""In the order in which they are listed for users."""


def methods() -> tuple[str, ...]:
    """What may be asked for by name.

    >>> methods()
    ('auto', 'direct', 'transfer', 'both', 'reference')
    """
    return (AUTO, *names())


def names() -> tuple[str, ...]:
    """The solvers themselves, as they stand in files."""
    return tuple(solver.name for solver in SOLVERS)


def choose(problem: Problem, method: str) -> Solver:
    """The solver that is meant, or a refusal of one that does not fit the
    question.
    """
    if method not in methods():
        raise SpecError(f"unknown method {method!r}: one of {', '.join(methods())}")
    if problem.partial_order is not None:
        # A limit that the group does not preserve is no question at all.
        require_preserved(problem.group, problem.order, problem.partial_order)
    candidates = _candidates(method)
    reasons = [solver.fits(problem) for solver in candidates]
    fitting = [s for s, reason in zip(candidates, reasons, strict=True) if not reason]
    # Whoever is asked for by name is not weighed.
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        costs = [solver.cost(problem) for solver in fitting]
        # What the first one tells of its elements is worth some time, but not
        # any time.
        if costs[0] > MUCH * min(costs):
            return fitting[costs.index(min(costs))]
        return fitting[0]
    # Nobody fits: the user is told what the first one, the best of them, has
    # against the question.
    raise next(reason for reason in reasons if reason is not None)


def _candidates(method: str) -> list[Solver]:
    if method != AUTO:
        return [solver for solver in SOLVERS if solver.name == method]
    ranked = [(solver.rank, solver) for solver in SOLVERS if solver.rank is not None]
    return [solver for _, solver in sorted(ranked, key=lambda pair: pair[0])]

"""The answer to a question of the page, found within a budget."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from pdobasis.answer.basis import Basis
from pdobasis.answer.solve import solve_problem
from pdobasis.bounds.watch import budget
from pdobasis.errors import PdoBasisError
from pdobasis.modules.all_orders import all_orders_of
from pdobasis.proof.counting import count_pdos
from pdobasis.question.problem import Problem
from pdobasis.stencils.sampled import Sampled, sample
from pdobasis_explore.question import Asked

FURTHER = 4
"""Orders beyond the asked one of which the number of elements is told."""
SMALL = 20_000
"""Unknowns up to which all orders are looked for."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one question may take."""

    seconds: float = 5.0
    memory: float = 500e6


@dataclass(frozen=True, slots=True)
class Answer:
    """``further`` counts elements of each order, also of some that were not asked for; ``seconds`` is what it took."""

    asked: Asked
    basis: Basis
    further: tuple[int, ...]
    seconds: float


def answer(asked: Asked, limits: Limits) -> Answer:
    """Solve and prove; a :class:`~pdobasis.errors.PdoBasisError` says what was wrong, or too much."""
    started = time.perf_counter()
    with budget(limits.seconds, limits.memory):
        basis = solve_problem(asked.problem(), method=asked.method)
        further = _further(basis.problem)
    return Answer(asked, basis, further, time.perf_counter() - started)


def series(asked: Asked, limits: Limits) -> str:
    """The Hilbert series, or why there is none."""
    try:
        with budget(min(limits.seconds, 2.0), limits.memory):
            problem = asked.problem()
            return str(all_orders_of(problem, max_unknowns=SMALL).hilbert)
    except PdoBasisError as error:
        return f"not found here: {error}"


def stencils(found: Answer, asked: Asked, limits: Limits) -> Sampled:
    """The stencils that the page asks for; σ is said to those methods that have one."""
    options: dict[str, Any] = {}
    if asked.stencil == "gauss":
        options["sigma"] = asked.sigma
    with budget(limits.seconds, limits.memory):
        return sample(found.basis, asked.stencil, asked.size, **options)


def _further(problem: Problem) -> tuple[int, ...]:
    """By counting alone; what is too much to count is left out."""
    last = problem.order + FURTHER
    total = [0] * (last + 1)
    try:
        with budget(0.5):
            for rep_in in problem.in_type.distinct:
                for rep_out in problem.out_type.distinct:
                    copies = problem.in_type.copies(rep_in)
                    copies *= problem.out_type.copies(rep_out)
                    counted = count_pdos(rep_in, rep_out, last)
                    if not counted.exact:
                        return ()
                    for n, number in enumerate(counted.numbers):
                        total[n] += copies * number
    except PdoBasisError:
        return ()
    return tuple(total)

"""How large a question the reference engine takes, and what a larger one would cost."""

from __future__ import annotations

from pdobasis.errors import SizeError
from pdobasis.exact.polynomials import count
from pdobasis.question.field_type import Problem

MAX_UNKNOWNS = 1_200
"""Coefficients of the largest system: one block of one order."""


def largest_system(problem: Problem) -> int:
    """Unknowns of the largest block of the highest order."""
    rows = max(rep.size for rep in problem.out_type.distinct)
    columns = max(rep.size for rep in problem.in_type.distinct)
    return rows * columns * count(problem.group.dim, problem.order)


def seconds(problem: Problem) -> float:
    """A rough time."""
    blocks = len(problem.in_type.distinct) * len(problem.out_type.distinct)
    generators = len(problem.group.generators) + len(problem.group.lie)
    return 1e-5 * blocks * generators * largest_system(problem) ** 2


def require_small(problem: Problem) -> None:
    size = largest_system(problem)
    if size > MAX_UNKNOWNS:
        raise SizeError(
            f"the reference engine takes up to {MAX_UNKNOWNS:,} unknowns at a time, and this question has {size:,} "
            f"(about {seconds(problem):,.0f} s): lower --order, or leave out --method reference"
        )

"""How large a question the reference engine takes, and what a larger one would cost."""

from __future__ import annotations

from pdobasis.errors import SizeError
from pdobasis.question.problem import Problem

MAX_UNKNOWNS = 6_000
"""Coefficients of one block of every kind, over all orders."""
SECONDS = 4e-4
"""For one unknown and one generator over Q, measured on one core; growing with the degree of the field."""


def seconds(problem: Problem) -> float:
    """A rough time: every unknown goes once through the constraint of every generator."""
    generators = len(problem.group.generators) + len(problem.group.lie)
    return SECONDS * problem.unknowns * max(generators, 1) * problem.field.degree


def require_small(problem: Problem) -> None:
    reason = too_large(problem)
    if reason is not None:
        raise reason


def too_large(problem: Problem) -> SizeError | None:
    """Why a question is not taken, as the error to be raised."""
    if problem.unknowns <= MAX_UNKNOWNS:
        return None
    return SizeError(
        f"the reference engine takes up to {MAX_UNKNOWNS:,} unknowns, and this question has {problem.unknowns:,} "
        f"(about {seconds(problem):,.0f} s): lower order=, or leave it to the fast engine (method='auto')"
    )

"""The main job: a question in, a proved basis out."""

from __future__ import annotations

from collections.abc import Callable

from pdobasis.basis import Basis, Block
from pdobasis.errors import ProofError, SpecError
from pdobasis.exact.polynomials import count
from pdobasis.field_type import DEFAULT_MAX_UNKNOWNS, MAX_ORDER, Problem
from pdobasis.groups.group import DEFAULT_LIMIT, Group
from pdobasis.names import textbook_scale
from pdobasis.proof.certificate import prove
from pdobasis.proof.counting import count_pdos
from pdobasis.solvers.direct import solve_block
from pdobasis.spec import parse_problem

METHODS = ("auto", "direct")

Progress = Callable[[str], None]


def solve(
    group: str | Group,
    in_rep: str,
    out_rep: str,
    order: int = 2,
    *,
    method: str = "auto",
    dim: int | None = None,
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS,
    max_elements: int = DEFAULT_LIMIT,
) -> Basis:
    r"""All PDOs of order at most ``order`` with $P(g^{-T}x) = \rho_{out}(g) P(x) \rho_{in}(g)^{-1}$, proved.

    A gradient and a rotated gradient map scalars to vectors; reflections forbid the second:

    >>> [solve(G, "trivial", "vector", order=1).dimension for G in ("C4", "D4", "SO(2)")]
    [2, 1, 2]
    """
    problem = parse_problem(group, in_rep, out_rep, order, dim, max_elements)
    return solve_problem(problem, method=method, max_unknowns=max_unknowns)


def solve_problem(
    problem: Problem,
    *,
    method: str = "auto",
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS,
    progress: Progress = lambda message: None,
) -> Basis:
    """Solve, then prove; a basis that cannot be proved is never returned."""
    if method not in METHODS:
        raise SpecError(f"unknown method {method!r}: one of {', '.join(METHODS)}")
    problem.require(max_unknowns)
    blocks = []
    for i, rep_in in enumerate(problem.in_type.distinct):
        for o, rep_out in enumerate(problem.out_type.distinct):
            parts = []
            for n in range(problem.order + 1):
                progress(f"solving {rep_in.spec} -> {rep_out.spec}, order {n}")
                parts.append(textbook_scale(solve_block(rep_in, rep_out, n)))
            blocks.append(Block(i, o, tuple(parts)))
    progress("proving")
    certificate = prove(problem, [(b.in_index, b.out_index, b.orders) for b in blocks])
    if not certificate.holds:
        raise ProofError("the basis could not be proved (please report this): " + "; ".join(certificate.failures()))
    return Basis(problem, "direct", tuple(blocks), certificate)


SEARCH = 12
"""Orders beyond the asked one that are searched for a first solution."""
SEARCH_UNKNOWNS = 20_000


def lowest_order(problem: Problem) -> tuple[int | None, int]:
    """(the lowest order above the asked one with solutions, or None; the order searched up to), by counting alone."""
    searched = problem.order
    for n in range(problem.order + 1, min(problem.order + SEARCH, MAX_ORDER) + 1):
        size = problem.in_type.size * problem.out_type.size * count(problem.group.dim, n)
        if not problem.group.is_orthogonal and size > SEARCH_UNKNOWNS:
            break
        searched = n
        for rep_in in problem.in_type.distinct:
            for rep_out in problem.out_type.distinct:
                if count_pdos(rep_in, rep_out, n, only=True).numbers[-1]:
                    return n, searched
    return None, searched

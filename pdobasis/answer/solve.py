"""The main job: a question in, a proved basis out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product

from pdobasis.answer.basis import Basis, Block
from pdobasis.errors import ProofError, SpecError
from pdobasis.exact.polynomials import count
from pdobasis.groups.closure import DEFAULT_LIMIT
from pdobasis.groups.group import Group
from pdobasis.operators.names import textbook_scale
from pdobasis.proof.certificate import prove
from pdobasis.proof.counting import count_pdos, has_characters
from pdobasis.proof.spans import same_span
from pdobasis.question.problem import DEFAULT_MAX_UNKNOWNS, MAX_ORDER, Problem
from pdobasis.question.text import parse_problem
from pdobasis.solvers.direct import solve_blocks
from pdobasis.solvers.textbook import textbook_module
from pdobasis.solvers.together import Task
from pdobasis.solvers.transfer import require_orthogonal, solve_module
from pdobasis.solvers.truncation import require_preserved

DEFAULT_ORDER = 2
METHODS = ("auto", "direct", "transfer", "both")

Progress = Callable[[str], None]


def solve(
    group: str | Group,
    in_rep: str,
    out_rep: str,
    order: int | None = None,
    *,
    method: str = "auto",
    kernel: bool = False,
    partial_order: int | None = None,
    dim: int | None = None,
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS,
    max_elements: int = DEFAULT_LIMIT,
) -> Basis:
    r"""All PDOs of order at most ``order`` with $P(g^{-T}x) = \rho_{out}(g) P(x) \rho_{in}(g)^{-1}$, proved.

    A gradient and a rotated gradient map scalars to vectors; reflections forbid the second:

    >>> [solve(G, "trivial", "vector", order=1).dimension for G in ("C4", "D4", "SO(2)")]
    [2, 1, 2]

    The order is 2 when nothing else is said. ``partial_order`` limits the order in each variable (and, without
    ``order``, nothing else); ``kernel`` asks for the angular parts $\chi(x/|x|)$ of steerable convolution kernels.
    """
    problem = ask(
        group, in_rep, out_rep, order, partial_order=partial_order, kernel=kernel, dim=dim, limit=max_elements
    )
    return solve_problem(problem, method=method, max_unknowns=max_unknowns)


def ask(
    group: str | Group,
    in_rep: str,
    out_rep: str,
    order: int | None = None,
    *,
    partial_order: int | None = None,
    kernel: bool = False,
    dim: int | None = None,
    limit: int = DEFAULT_LIMIT,
) -> Problem:
    """The question of :func:`solve` as a value; without ``order``, 2 or all that ``partial_order`` allows."""
    problem = parse_problem(group, in_rep, out_rep, DEFAULT_ORDER if order is None else order, dim, limit)
    if order is None and partial_order is not None:
        problem = replace(problem, order=problem.group.dim * partial_order)
    return replace(problem, partial_order=partial_order, kernel=kernel)


def solve_problem(
    problem: Problem,
    *,
    method: str = "auto",
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS,
    progress: Progress = lambda message: None,
) -> Basis:
    """Solve, then prove; a basis that cannot be proved is never returned."""
    problem.require(max_unknowns)
    method = choose(problem, method)
    blocks = _direct(problem, progress) if method == "direct" else _transfer(problem, progress)
    progress("proving")
    certificate = prove(problem, [(b.in_index, b.out_index, b.orders) for b in blocks])
    if method == "both":
        progress("solving again, directly")
        certificate = replace(certificate, spans_equal=_roads_meet(problem, blocks))
    if not certificate.holds:
        raise ProofError("the basis could not be proved (please report this): " + "; ".join(certificate.failures()))
    return Basis(problem, method, tuple(blocks), certificate)


def choose(problem: Problem, method: str) -> str:
    """The method that ``auto`` stands for, or a refusal of one that does not fit the question."""
    if method not in METHODS:
        raise SpecError(f"unknown method {method!r}: one of {', '.join(METHODS)}")
    if problem.partial_order is not None:
        require_preserved(problem.group, problem.order, problem.partial_order)
        if problem.kernel or method in ("transfer", "both"):
            raise SpecError(
                "a limit on the order in each variable is not kept by the Laplacian or by harmonic polynomials, so "
                "--partial-order goes with --method direct (or auto) and without --kernel"
            )
        return "direct"
    if problem.kernel and method == "direct":
        raise SpecError("the angular parts of kernels are harmonic: --kernel goes with --method transfer, both or auto")
    if problem.kernel or method in ("transfer", "both"):
        require_orthogonal(problem.group)
    if method == "auto":
        return "transfer" if problem.group.is_orthogonal else "direct"
    return method


def _direct(problem: Problem, progress: Progress) -> list[Block]:
    progress("solving directly")
    return [replace(b, orders=tuple(textbook_scale(part) for part in b.orders)) for b in _plain(problem)]


def _transfer(problem: Problem, progress: Progress) -> list[Block]:
    blocks = []
    for i, o in _pairs(problem):
        rep_in, rep_out = problem.in_type.distinct[i], problem.out_type.distinct[o]
        progress(f"solving {rep_in.spec} -> {rep_out.spec}")
        module = solve_module(rep_in, rep_out, problem.order)
        parts, structure = module.alone() if problem.kernel else textbook_module(module).orders()
        blocks.append(Block(i, o, parts, structure))
    return blocks


def _roads_meet(problem: Problem, blocks: Sequence[Block]) -> bool:
    """Whether the direct solver spans the same spaces, order by order."""
    others = zip(blocks, _plain(problem), strict=True)
    return all(same_span(a, b) for one, other in others for a, b in zip(one.orders, other.orders, strict=True))


def _plain(problem: Problem) -> list[Block]:
    """What the direct solver finds, for every pair of summands and every order."""
    reps_in, reps_out = problem.in_type.distinct, problem.out_type.distinct
    orders = range(problem.order + 1)
    tasks = [Task(reps_in[i], reps_out[o], n) for i, o in _pairs(problem) for n in orders]
    found = iter(solve_blocks(tasks, harmonic=problem.kernel, partial_order=problem.partial_order))
    return [Block(i, o, tuple(next(found) for _ in orders)) for i, o in _pairs(problem)]


def _pairs(problem: Problem) -> list[tuple[int, int]]:
    return list(product(range(len(problem.in_type.distinct)), range(len(problem.out_type.distinct))))


SEARCH = 12
"""Orders beyond the asked one that are searched for a first solution."""
SEARCH_UNKNOWNS = 3_000
"""Where counting means linear algebra, larger systems are not searched."""


def lowest_order(problem: Problem) -> tuple[int | None, int]:
    """(the lowest order above the asked one with solutions, or None; the order searched up to), by counting alone."""
    searched = problem.order
    for n in range(problem.order + 1, min(problem.order + SEARCH, MAX_ORDER) + 1):
        size = problem.in_type.size * problem.out_type.size * count(problem.group.dim, n)
        if not has_characters(problem.group) and size > SEARCH_UNKNOWNS:
            break
        searched = n
        for rep_in in problem.in_type.distinct:
            for rep_out in problem.out_type.distinct:
                if count_pdos(rep_in, rep_out, n, only=True).numbers[-1]:
                    return n, searched
    return None, searched

"""The main job: a question in, a proved basis out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Literal, overload

from pdobasis.answer.basis import Basis
from pdobasis.bounds.caches import trim
from pdobasis.bounds.watch import budget, step
from pdobasis.errors import OutOfMemoryError, ProofError, SpecError, require_type
from pdobasis.exact.polynomials import count
from pdobasis.groups.closure import DEFAULT_LIMIT
from pdobasis.groups.group import Group
from pdobasis.proof.batch import single
from pdobasis.proof.certificate import prove
from pdobasis.proof.counting import count_pdos, has_characters
from pdobasis.proof.equivariant import is_equivariant
from pdobasis.question.field_type import FieldType
from pdobasis.question.problem import (
    DEFAULT_MAX_UNKNOWNS,
    MAX_ORDER,
    Problem,
)
from pdobasis.question.text import parse_problem
from pdobasis.question.truncating import BasisFilter, truncation_of
from pdobasis.representations.representation import Representation
from pdobasis.solvers.batch import Task
from pdobasis.solvers.direct import solve_blocks
from pdobasis.solvers.registry import choose
from pdobasis.solvers.solver import Progress

if TYPE_CHECKING:
    from pdobasis.algebra.spaces import OperatorSpace

DEFAULT_ORDER = 2
SEARCH = 12
"""Orders beyond the asked one that are searched for a first solution."""
SEARCH_UNKNOWNS = 3_000
"""Where counting means linear algebra, larger systems are not searched."""


@overload
def solve(
    group: str | Group,
    in_rep: str,
    out_rep: str,
    order: int | None = None,
    *,
    self_adjoint: Literal[True],
    method: str = "auto",
    partial_order: int | None = None,
    dim: int | None = None,
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS,
    max_elements: int = DEFAULT_LIMIT,
    max_seconds: float | None = None,
    max_memory: str | float | None = None,
) -> OperatorSpace: ...


@overload
def solve(
    group: str | Group,
    in_rep: str,
    out_rep: str,
    order: int | None = None,
    *,
    skew: Literal[True],
    method: str = "auto",
    partial_order: int | None = None,
    dim: int | None = None,
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS,
    max_elements: int = DEFAULT_LIMIT,
    max_seconds: float | None = None,
    max_memory: str | float | None = None,
) -> OperatorSpace: ...


@overload
def solve(
    group: str | Group,
    in_rep: str,
    out_rep: str,
    order: int | None = None,
    *,
    method: str = "auto",
    kernel: bool = False,
    partial_order: int | None = None,
    max_offset: int | None = None,
    basis_filter: BasisFilter | None = None,
    frame_order: int | None = None,
    frame_angle: str | Fraction | None = None,
    dim: int | None = None,
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS,
    max_elements: int = DEFAULT_LIMIT,
    max_seconds: float | None = None,
    max_memory: str | float | None = None,
) -> Basis: ...


def solve(
    group: str | Group,
    in_rep: str,
    out_rep: str,
    order: int | None = None,
    *,
    self_adjoint: bool = False,
    skew: bool = False,
    method: str = "auto",
    kernel: bool = False,
    partial_order: int | None = None,
    max_offset: int | None = None,
    basis_filter: BasisFilter | None = None,
    frame_order: int | None = None,
    frame_angle: str | Fraction | None = None,
    dim: int | None = None,
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS,
    max_elements: int = DEFAULT_LIMIT,
    max_seconds: float | None = None,
    max_memory: str | float | None = None,
) -> Basis | OperatorSpace:
    r"""All PDOs of order at most ``order`` that are equivariant, proved.

    They are the D(P) with $P(g^{-T}x) = \rho_{out}(g) P(x) \rho_{in}(g)^{-1}$.

    A gradient and a rotated gradient map scalars to vectors; reflections forbid
    the second:

    >>> for group in ("C4", "D4", "SO(2)"):
    ...     print(solve(group, "trivial", "vector", order=1).dimension)
    2
    1
    2

    The order is 2 when nothing else is said. ``partial_order`` limits the order
    in each variable (and, without ``order``, nothing else); ``kernel`` asks for
    the angular parts $\chi(x/|x|)$ of steerable convolution kernels.

    A truncation asks for a subspace of the solutions that has a name (see
    docs/truncations.md): ``max_offset`` limits the offsets t of the frequencies
    $m \pm n + tN$ of C_N and D_N; ``basis_filter`` is a function of (order, angular
    order, Laplacian power); ``frame_order`` limits the order in each variable of a
    frame that turns with the field, as in PDO-eConvs, and ``frame_angle`` turns it.

    >>> solve("C16", "regular", "regular", order=3, max_offset=0).dimension
    138

    ``self_adjoint`` and ``skew`` ask for the operators with P* = P or P* = -P instead, as an
    :class:`~pdobasis.algebra.spaces.OperatorSpace`:

    >>> [str(op) for op in solve("SO(2)", "trivial", "trivial", order=2, self_adjoint=True)]
    ['[1]', '[∂₁² + ∂₂²]']

    What is estimated to need more than ``max_seconds`` or ``max_memory`` ("2GB"; by
    default a minute and two gigabytes) is refused, and what does need more is
    stopped (see docs/bounds.md).

    Parameters
    ----------
    group : str or Group
        A name of the catalogue, a file of one's own, or a group.
    in_rep, out_rep : str
        How the fields before and behind the operator transform, as in ``2xregular + vector``.
    order : int, optional
        The highest order of a derivative; 2 when nothing else is said.
    self_adjoint, skew : bool
        Only operators with P* = P, or with P* = -P.
    method : {"auto", "direct", "transfer", "both", "reference"}
        ``both`` solves twice and proves that the spans are equal; ``reference`` is the paper in SymPy.
    kernel : bool
        The angular parts of steerable kernels instead of PDOs.
    partial_order : int, optional
        The highest order in each variable.
    max_offset, basis_filter, frame_order, frame_angle : optional
        A part of the solutions that has a name.
    dim : int, optional
        The dimension, where the name of the group leaves it open (``C4``, ``D4``).
    max_unknowns : int
        Questions with more coefficients are refused.
    max_elements : int
        Largest finite group that is listed.
    max_seconds, max_memory : optional
        What the work may take.

    Returns
    -------
    Basis or OperatorSpace
        The operators by increasing order, with their certificate; a space for ``self_adjoint`` and ``skew``.

    Raises
    ------
    SpecError
        A text that says no group or representation; the message names the nearest.
    SizeError
        The question is too large for its limits: refused before any work.
    BudgetError
        The work went beyond ``max_seconds`` or ``max_memory``.
    ProofError
        The answer could not be proved; nothing unproved is ever returned.
    """
    if self_adjoint and skew:
        raise SpecError("self-adjoint or skew: only zero is both")
    problem = ask(
        group,
        in_rep,
        out_rep,
        order,
        partial_order=partial_order,
        kernel=kernel,
        max_offset=max_offset,
        basis_filter=basis_filter,
        frame_order=frame_order,
        frame_angle=frame_angle,
        dim=dim,
        limit=max_elements,
    )
    with budget(max_seconds, max_memory):
        basis = solve_problem(problem, method=method, max_unknowns=max_unknowns)
        if self_adjoint:
            return basis.self_adjoint()
        if skew:
            return basis.skew()
        return basis


def ask(
    group: str | Group,
    in_rep: str | FieldType,
    out_rep: str | FieldType,
    order: int | None = None,
    *,
    partial_order: int | None = None,
    kernel: bool = False,
    max_offset: int | None = None,
    basis_filter: BasisFilter | None = None,
    frame_order: int | None = None,
    frame_angle: str | Fraction | None = None,
    dim: int | None = None,
    limit: int = DEFAULT_LIMIT,
) -> Problem:
    """The question of :func:`solve` as a value.

    Without ``order``, 2 or all that ``partial_order`` or ``frame_order`` allows.
    """
    asked = order
    if asked is None:
        asked = DEFAULT_ORDER
    problem = parse_problem(group, in_rep, out_rep, asked, dim, limit)
    in_each = partial_order
    if in_each is None:
        in_each = frame_order
    if order is None and in_each is not None:
        # A limit in each of d variables is reached at d times that order.
        problem = replace(problem, order=problem.group.dim * in_each)
    truncation = truncation_of(
        problem.group,
        problem.order,
        max_offset=max_offset,
        basis_filter=basis_filter,
        frame_order=frame_order,
        frame_angle=frame_angle,
    )
    return replace(
        problem, partial_order=partial_order, kernel=kernel, truncation=truncation
    )


def solve_problem(
    problem: Problem,
    *,
    method: str = "auto",
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS,
    progress: Progress = lambda message: None,
) -> Basis:
    """Solve, then prove; a basis that cannot be proved is never returned.

    Parameters
    ----------
    problem : Problem
        The question as a value.
    method : str
        As in :func:`pdobasis.solve`.
    max_unknowns : int
        Questions with more coefficients are refused.
    progress : callable
        Is told, in a few words, what is being done.

    Returns
    -------
    Basis
        The operators and their certificate.

    Raises
    ------
    SizeError
        The question is too large for its limits: refused before any work.
    OutOfMemoryError
        The system had no more memory to give.
    ProofError
        The answer could not be proved; nothing unproved is ever returned.

    Examples
    --------
    >>> from pdobasis.question.text import parse_problem
    >>> solve_problem(parse_problem("O(2)", "trivial", "vector", 1)).dimension
    1
    """
    require_type(
        problem, Problem, "problem", "a Problem: solve(group, in_rep, out_rep) asks one"
    )
    # Here one question ends and the next begins.
    trim()
    # A question that is too large is refused before any work.
    problem.require(max_unknowns)
    solver = choose(problem, method)
    stage = "solving"
    try:
        step(stage)
        solution = solver.solve(problem, progress)
        witness = solver.solve_again(problem, progress)
        stage = "proving"
        progress(stage)
        step(stage)
        other = None
        if witness is not None:
            other = witness.blocks
        certificate = prove(problem, solution.blocks, other)
    except MemoryError as error:
        raise OutOfMemoryError(stage) from error
    if not certificate.holds:
        reasons = "; ".join(certificate.failures())
        raise ProofError(
            f"the basis could not be proved (please report this): {reasons}"
        )
    return Basis(problem, solver.name, solution.blocks, certificate)


def lowest_order(problem: Problem) -> tuple[int | None, int]:
    """The lowest order above the asked one with solutions, or None; and the
    order searched up to.

    By counting alone; where a count is only an upper bound, that order is
    solved. Truncations are not searched: they speak of the asked order.
    """
    searched = problem.order
    if problem.truncation is not None:
        return None, searched
    last = min(problem.order + SEARCH, MAX_ORDER)
    pairs = list(product(problem.in_type.distinct, problem.out_type.distinct))
    for n in range(problem.order + 1, last + 1):
        # Characters count in no time; without them counting is a rank.
        if not has_characters(problem.group):
            entries = problem.in_type.size * problem.out_type.size
            if entries * count(problem.group.dim, n) > SEARCH_UNKNOWNS:
                break
        known = [_has_solutions(*pair, n) for pair in pairs]
        if True in known:
            return n, n
        # An undecided order may hold the first solution, so later ones are no answer.
        if None in known:
            break
        searched = n
    return None, searched


def _has_solutions(
    rep_in: Representation, rep_out: Representation, order: int
) -> bool | None:
    """Of exactly this order; None where that is not known."""
    found = count_pdos(rep_in, rep_out, order, only=True)
    # An upper bound of zero is attained, whatever it was computed from.
    if found.exact or not found.numbers[-1]:
        return found.numbers[-1] > 0
    (part,) = solve_blocks([Task(rep_in, rep_out, order)])
    # One proved element is enough, since only the existence is asked for.
    if part.size and is_equivariant(single(part), (rep_in,), (rep_out,)):
        return True
    # The bound is not attained: another prime has to say that there is nothing.
    again = count_pdos(rep_in, rep_out, order, only=True, hoped=[0])
    if again.numbers[-1] == 0:
        return False
    return None

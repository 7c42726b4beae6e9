r"""All equivariant PDOs of all orders, by finitely many generators.

With primary invariants $\theta$ the steerable symbols M are a free module over the polynomials in $\theta$ (finite
groups: Cohen–Macaulay; Lie groups as in :mod:`pdobasis.proof.bounded`). By Nakayama generators are steerable symbols
whose classes are a basis of $M / (\theta) M$; and since a mean over the group leaves M alone, $M / (\theta) M$ is a
part of $S^c / (\theta) S^c$. So in every order one takes elements of the basis that are independent modulo $(\theta)$.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pdobasis.bounds.watch import check, step
from pdobasis.errors import GroupError, ProofError
from pdobasis.groups.closure import DEFAULT_LIMIT
from pdobasis.groups.group import Group
from pdobasis.modules.cost import estimate, proved_parts, require_proof
from pdobasis.modules.module_basis import ModuleBasis
from pdobasis.modules.primary import primary_invariants
from pdobasis.operators.block import Block
from pdobasis.operators.symbols import Symbols, renumber
from pdobasis.proof.all_orders import prove_all_orders
from pdobasis.proof.bounded import last_order
from pdobasis.proof.counting import count_pdos
from pdobasis.proof.parameters import (
    ideal,
    matrix_modulo,
    numerator,
    pivots,
)
from pdobasis.question import cost as question_cost
from pdobasis.question.problem import DEFAULT_MAX_UNKNOWNS, Problem
from pdobasis.question.text import parse_field_type, parse_problem
from pdobasis.solvers.registry import AUTO, choose
from pdobasis.solvers.solver import Progress


def all_orders(
    group: str | Group,
    in_rep: str,
    out_rep: str,
    *,
    dim: int | None = None,
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS,
    max_elements: int = DEFAULT_LIMIT,
) -> ModuleBasis:
    """Generators of the equivariant PDOs of every order, over the polynomials in some invariants, proved.

    The gradient of a scalar that D4 allows, times polynomials in Δ and T₄, and one more of order 3:

    >>> [str(g) for g in all_orders("D4", "trivial", "vector").generators]
    ['[[∂₁], [∂₂]]', '[[∂₁³ - 3 ∂₁∂₂²], [-3 ∂₁²∂₂ + ∂₂³]]']

    Parameters
    ----------
    group : str or Group
        A name of the catalogue, a file of one's own, or a group.
    in_rep, out_rep : str
        How the fields before and behind the operator transform, as in ``2xregular + vector``.
    dim : int, optional
        The dimension, where the name of the group leaves it open (``C4``, ``D4``).
    max_unknowns : int
        Questions with more coefficients are refused.
    max_elements : int
        Largest finite group that is listed.

    Returns
    -------
    ModuleBasis
        Generators, the primary invariants, the Hilbert series, and the proof for every order.

    Raises
    ------
    SpecError
        A text that says no group or representation; the message names the nearest.
    GroupError
        The group is neither finite nor one of the classical ones for which this is known.
    SizeError
        The question is too large for its limits: refused before any work.
    """
    problem = parse_problem(group, in_rep, out_rep, 0, dim, max_elements)
    return all_orders_of(problem, max_unknowns=max_unknowns)


def all_orders_of(
    problem: Problem,
    *,
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS,
    progress: Progress = lambda message: None,
) -> ModuleBasis:
    """The same for a question whose order is not asked."""
    group = problem.group
    progress("looking for primary invariants")
    step("looking for primary invariants")
    primary = primary_invariants(group)
    problem = replace(problem, order=_largest(problem, primary))
    problem.require_unknowns(max_unknowns)
    _require(problem, primary)
    # only the generators are proved, not all that they are chosen from
    every = choose(problem, AUTO).solve(problem, progress).blocks
    progress("choosing generators")
    step("choosing generators")
    blocks = tuple(_generators(block, primary) for block in every)
    progress("proving all orders")
    step("proving all orders")
    trivial = parse_field_type("trivial", group).distinct[0]
    certificate = prove_all_orders(problem, primary, blocks, trivial)
    found = ModuleBasis(problem, primary, blocks, certificate)
    if not certificate.holds:
        raise ProofError("all orders: " + "; ".join(certificate.failures()))
    return found


def _largest(problem: Problem, primary: tuple[Symbols, ...]) -> int:
    """The largest order of a generator."""
    ins, outs = problem.in_type.distinct, problem.out_type.distinct
    bound = last_order(problem.group, primary, ins, outs)
    if bound is None:
        raise GroupError(
            f"no bound on the orders of generators is known for {problem.group.name}: ask for an order"
        )
    degrees = [theta.order for theta in primary]
    largest = 0
    for rep_in in ins:
        for rep_out in outs:
            counts = count_pdos(rep_in, rep_out, bound)
            # upper bounds may count what is not there, and then nothing is left out
            if not counts.exact:
                return bound
            orders = np.flatnonzero(numerator(counts.numbers, degrees))
            largest = max(largest, int(orders.max(initial=0)))
    return largest


def _require(problem: Problem, primary: tuple[Symbols, ...]) -> None:
    """Refuse what would take too long, before any work."""
    degrees = [theta.order for theta in primary]
    blocks = []
    for rep_in in problem.in_type.distinct:
        for rep_out in problem.out_type.distinct:
            counts = count_pdos(rep_in, rep_out, problem.order).numbers
            blocks.append((rep_in.size * rep_out.size, counts))
    work = question_cost.estimate_of_finding(problem)
    work += estimate(problem.group.dim, degrees, blocks)
    require_proof(problem, degrees, proved_parts(degrees, blocks), work)


def _generators(block: Block, primary: tuple[Symbols, ...]) -> Block:
    chosen = [_independent(part, primary) for part in block.orders]
    orders = []
    for part, numbers in zip(block.orders, chosen, strict=True):
        ranks = np.full(part.size, -1)
        ranks[numbers] = np.arange(len(numbers))
        orders.append(renumber(part, ranks, len(numbers)))
    structure = block.structure
    if structure is not None:
        pairs = zip(structure, chosen, strict=True)
        structure = tuple(tuple(own[k] for k in numbers) for own, numbers in pairs)
    return Block(block.in_index, block.out_index, tuple(orders), structure)


def _independent(part: Symbols, primary: tuple[Symbols, ...]) -> list[int]:
    """The first elements that are independent modulo the invariants."""
    check()
    if not part.size:
        return []
    own = ideal(primary, part.dim, part.order, 0, part.coefficients.field)
    rows, columns = part.shape
    table = np.zeros((part.size, rows * columns, len(own.free)), dtype=np.int64)
    table[part.element, part.row * columns + part.column] = own.remainders(part)
    flat = table.reshape(part.size, -1).T
    flat = flat[flat.any(axis=1)]
    if not len(flat):
        return []
    return pivots(*matrix_modulo(flat, own.at.prime).rref())

"""Where the library's values come in and the solutions go out; the mathematics is in the other files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from sympy.polys.matrices import DomainMatrix

from pdobasis.exact.array import zeros
from pdobasis.exact.polynomials import count, position
from pdobasis.operators.block import Block
from pdobasis.operators.symbols import Structure, Symbols, symbols
from pdobasis.question.problem import Problem
from pdobasis.reference.estimate import require_small
from pdobasis.reference.numbers import Numbers, numbers_of
from pdobasis.reference.question import Functor, SymbolicQuestion, Triple
from pdobasis.reference.terms import functor_of
from pdobasis.reference.transfer import SymbolicSolution, direct, transfer
from pdobasis.representations.representation import Representation

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The solutions between two summands, in SymPy: ``orders[n]`` are those of order n."""

    in_index: int
    out_index: int
    question: SymbolicQuestion
    orders: tuple[tuple[SymbolicSolution, ...], ...]


def solve(problem: Problem, progress: Progress = lambda message: None) -> list[Block]:
    """The answer of the reference engine: not proved, like any other solver's."""
    numbers = numbers_of(problem.field)
    return [_block(part, numbers, problem.order) for part in derive(problem, progress)]


def derive(problem: Problem, progress: Progress = lambda message: None) -> list[Part]:
    """All solutions in SymPy: by transfer for G ≤ O(d), otherwise as the null space of the whole constraint."""
    require_small(problem)
    parts = []
    for i, o in pairs(problem):
        question = question_of(problem, i, o)
        progress(f"solving {question.in_name} -> {question.out_name} with SymPy")
        # Only O(d) keeps Δ, and |x|^2 P would break a limit in each variable.
        if question.is_orthogonal and problem.partial_order is None:
            found = transfer(question, problem.order)
        else:
            found = direct(question, problem.order, problem.partial_order)
        if problem.kernel:
            # The radial part of a kernel is free, so its angular parts are all that is asked for.
            found = [[s for s in own if s.laplacian_power == 0] for own in found]
        parts.append(Part(i, o, question, tuple(map(tuple, found))))
    return parts


def pairs(problem: Problem) -> list[tuple[int, int]]:
    """(which summand of the input, which of the output), every different one once."""
    return list(
        product(
            range(len(problem.in_type.distinct)), range(len(problem.out_type.distinct))
        )
    )


def question_of(problem: Problem, in_index: int, out_index: int) -> SymbolicQuestion:
    """One block of a problem as SymPy values."""
    numbers = numbers_of(problem.field)
    group = problem.group
    rep_in, rep_out = (
        problem.in_type.distinct[in_index],
        problem.out_type.distinct[out_index],
    )
    finite = zip(
        group.labels, group.on_space, rep_in.matrices(), rep_out.matrices(), strict=True
    )
    names = [f"X{k + 1}" for k in range(len(group.lie))]
    lie = zip(names, group.lie_on_space, rep_in.lie, rep_out.lie, strict=True)
    return SymbolicQuestion(
        group.name,
        rep_in.spec,
        rep_out.spec,
        group.dim,
        numbers.domain,
        tuple(Triple(name, *map(numbers.matrix, three)) for name, *three in finite),
        tuple(Triple(name, *map(numbers.matrix, three)) for name, *three in lie),
        (rep_out.size, rep_in.size),
        _functor(rep_in, numbers),
        _functor(rep_out, numbers),
    )


def symbols_in(
    part: Symbols, question: SymbolicQuestion, numbers: Numbers
) -> list[DomainMatrix]:
    """Elements of the library as matrices over K[x]."""
    ring = question.ring
    out: list[DomainMatrix] = []
    # Coefficients may lie in a smaller field than K, over another basis.
    values = part.coefficients.over(numbers.field)
    places = list(position(part.dim, part.order))
    for k in range(part.size):
        entries: dict[int, dict[int, object]] = {}
        # entries are sorted by element, so those of one are a slice
        low, high = np.searchsorted(part.element, [k, k + 1])
        for e in range(low, high):
            rows = values.numerators[e].tolist()
            listed = zip(places, rows, strict=True)
            terms = {
                alpha: numbers.scalar(row, values.denominator)
                for alpha, row in listed
                if any(row)
            }
            entries.setdefault(int(part.row[e]), {})[int(part.column[e])] = (
                ring.ring.from_dict(terms)
            )
        out.append(DomainMatrix(entries, part.shape, ring))
    return out


def symbols_out(
    found: tuple[SymbolicSolution, ...],
    dim: int,
    order: int,
    shape: tuple[int, int],
    numbers: Numbers,
) -> Symbols:
    """Matrices over K[x] as elements of the library."""
    where, width = position(dim, order), count(dim, order)
    index: list[tuple[int, int, int]] = []
    rows = []
    for k, solution in enumerate(found):
        for (i, j), p in solution.symbol.to_dok().items():
            row = [numbers.domain.zero] * width
            for alpha, value in p.terms():
                row[where[alpha]] = value
            index.append((k, i, j))
            rows.append(row)
    at = np.array(index, dtype=np.int64).reshape(-1, 3)
    # An empty list of rows would lose the number of monomials.
    values = zeros((0, width))
    if rows:
        values = numbers.array(rows)
    return symbols(
        dim, order, len(found), shape, (at[:, 0], at[:, 1], at[:, 2]), values
    )


def _block(part: Part, numbers: Numbers, order: int) -> Block:
    question = part.question
    orders = tuple(
        symbols_out(part.orders[n], question.dim, n, question.shape, numbers)
        for n in range(order + 1)
    )
    # Only transfer finds angular orders.
    if any(s.angular_order is None for own in part.orders for s in own):
        return Block(part.in_index, part.out_index, orders, None)
    structure = tuple(tuple(_structure(s) for s in own) for own in part.orders)
    return Block(part.in_index, part.out_index, orders, structure)


def _structure(solution: SymbolicSolution) -> Structure:
    return Structure(solution.angular_order or 0, solution.laplacian_power or 0)


def _functor(rep: Representation, numbers: Numbers) -> Functor | None:
    if rep.term is None:
        return None
    return functor_of(rep.term, numbers)

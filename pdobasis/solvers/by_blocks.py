r"""Solutions where a finite group moves blocks of the basis as wholes, without a system for all of P.

Let $B_q(g)$ take block q of $\rho_{in}$ to block gq, and $C_r(g)$ block r of $\rho_{out}$ to gr. Then
$P_{gr,gq}(y) = C_r(g)\,P_{rq}(g^T y)\,B_q(g)^{-1}$: P is known where it is known at one pair (r, q) of each orbit, and
there it is any solution for the stabiliser of that pair (Frobenius reciprocity). No two orbits have a place of P in
common; so the reduced echelon form of all solutions is that of each orbit: with as many rows as there are solutions
round it, a handful beside the unknowns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from pdobasis.bounds.watch import check
from pdobasis.errors import ExactnessError
from pdobasis.exact.array import (
    ExactArray,
    RightFactor,
    common,
    concatenate,
    identity,
    zeros,
)
from pdobasis.exact.field import Field
from pdobasis.exact.matrices import batched_matmul
from pdobasis.exact.primes import independent_rows
from pdobasis.exact.types import IndexArray
from pdobasis.groups.closure import closure, generating
from pdobasis.linear.sparse import to_dense
from pdobasis.linear.stages import null_space_in_stages
from pdobasis.operators.symbols import Symbols, empty, over
from pdobasis.representations.parts import Part
from pdobasis.representations.representation import all_parts, moves_blocks
from pdobasis.solvers.batch import Task
from pdobasis.solvers.carried import inverses, substitutions_of_all
from pdobasis.solvers.constraint import (
    Unknowns,
    further_equations,
    group_equations,
    substitutions,
)
from pdobasis.values import dataclass


def falls_into_blocks(task: Task) -> bool:
    """Whether a finite group moves blocks."""
    return any(moves_blocks(rep) for rep in (task.rep_in, task.rep_out))


@dataclass(frozen=True, slots=True, eq=False)
class Orbit:
    """Pairs of blocks: those of the columns and of the rows, the element that takes the first pair to each, and what
    fixes the first.
    """

    columns: IndexArray
    rows: IndexArray
    transversal: IndexArray
    stabiliser: IndexArray


@dataclass(frozen=True, slots=True, eq=False)
class Echelon:
    """The reduced echelon form of solutions round an orbit, by the places of P that are not zero; its pivots."""

    element: IndexArray
    place: IndexArray
    values: ExactArray
    pivots: IndexArray


def solve_by_blocks(
    task: Task,
    field: Field,
    *,
    harmonic: bool = False,
    partial_order: int | None = None,
) -> Symbols:
    """The reduced row echelon form of all solutions, written over a field.

    What is asked of every entry besides, the group keeps: it is asked at the first pair alone.
    """
    sides = all_parts(task.rep_in), all_parts(task.rep_out)
    return solve_parts(task, sides, field, harmonic, partial_order)


def solve_parts(
    task: Task,
    sides: tuple[Sequence[Part], Sequence[Part]],
    field: Field,
    harmonic: bool,
    partial_order: int | None,
) -> Symbols:
    """The same of those that have entries between some parts alone."""
    rounds: dict[tuple[int, int], list[tuple[Orbit, ExactArray]]] = {}
    known: dict[tuple[object, ...], Echelon] = {}
    leads, elements, rows, columns, values = [], [], [], [], []
    total, m = 0, task.monomials
    for a, b in product(*sides):
        check()
        # equal parts are the same objects
        pair = id(a.matrices), id(b.matrices)
        if pair not in rounds:
            asked = harmonic, partial_order
            rounds[pair] = [
                (o, _carried(task, _at_first(task, a, b, o, *asked), a, b, o))
                for o in _orbits(a, b)
            ]
        for number, (orbit, solutions) in enumerate(rounds[pair]):
            row, column = _places(a, b, orbit)
            at = column * task.rep_out.size + row
            if task.is_row_major:
                at = row * task.rep_in.size + column
            order = np.argsort(at)
            key = (*pair, number, order.tobytes())
            if key not in known:
                known[key] = _echelon(solutions, order)
            found = known[key]
            place, exponent = np.divmod(found.pivots, m)
            leads.append(at[order][place] * m + exponent)
            elements.append(found.element + total)
            rows.append(row[order][found.place])
            columns.append(column[order][found.place])
            values.append(found.values)
            total += len(found.pivots)
    dim, shape = task.group.dim, task.shape
    if not total:
        return empty(dim, task.order, shape, field)
    # vectors are sorted by their first unknown
    rank = np.empty(total, dtype=np.int64)
    rank[np.argsort(np.concatenate(leads))] = np.arange(total)
    element = rank[np.concatenate(elements)]
    row, column = np.concatenate(rows), np.concatenate(columns)
    own = np.lexsort((column, row, element))
    coefficients = concatenate(values).take(own)
    sorted_places = element[own], row[own], column[own]
    return over(
        Symbols(dim, task.order, total, shape, *sorted_places, coefficients), field
    )


def _shape(orbit: Orbit, a: Part, b: Part) -> tuple[int, int, int]:
    return len(orbit.rows), b.places.shape[1], a.places.shape[1]


def _places(a: Part, b: Part, orbit: Orbit) -> tuple[IndexArray, IndexArray]:
    """Row and column in P of what stands round an orbit."""
    shape = _shape(orbit, a, b)
    row = np.broadcast_to(b.places[orbit.rows][:, :, None], shape)
    column = np.broadcast_to(a.places[orbit.columns][:, None], shape)
    return row.reshape(-1), column.reshape(-1)


def _orbits(a: Part, b: Part) -> Iterator[Orbit]:
    """Pairs (column block, row block), numbered column by column."""
    height = len(b.places)
    seen = np.zeros(len(a.places) * height, dtype=bool)
    for first in range(len(seen)):
        if seen[first]:
            continue
        q, r = divmod(first, height)
        images = a.moves[:, q] * height + b.moves[:, r]
        points, transversal = np.unique(images, return_index=True)
        seen[points] = True
        # the first pair is where its own orbit starts
        yield Orbit(
            points // height,
            points % height,
            transversal,
            np.flatnonzero(images == first),
        )


def _carried(
    task: Task, start: ExactArray, a: Part, b: Part, orbit: Orbit
) -> ExactArray:
    """What solutions at the first pair are round its orbit: (solution, pair, row, column, monomial)."""
    group, m = task.group, task.monomials
    k, height, width, _ = start.shape
    if not k:
        return zeros((0, *_shape(orbit, a, b), m))
    moved = substitutions_of_all(group, task.order).take(orbit.transversal)
    flat, moved, _ = common(start.reshape(-1, m).T, moved)
    t = len(orbit.transversal)
    # (t, monomial, solution, row, column)
    value = RightFactor(flat)(moved.transpose(0, 2, 1)).reshape(t, m, k, height, width)
    left = b.matrices[orbit.transversal, orbit.rows[0]]
    right = a.matrices[inverses(group)[orbit.transversal], orbit.columns]
    value = value.transpose(0, 3, 1, 2, 4).reshape(t, height, m * k * width)
    value = batched_matmul(left, value).reshape(t, height * m * k, width)
    value = batched_matmul(value, right).reshape(t, height, m, k, width)
    return value.transpose(3, 0, 1, 4, 2)


def _at_first(
    task: Task,
    a: Part,
    b: Part,
    orbit: Orbit,
    harmonic: bool,
    partial_order: int | None,
) -> ExactArray:
    """The solutions at the first pair, for its stabiliser: (solution, row, column, monomial)."""
    q, r = int(orbit.columns[0]), int(orbit.rows[0])
    height, width, m = b.places.shape[1], a.places.shape[1], task.monomials
    size = height * width * m
    number = np.arange(size).reshape(height, width, m)
    unknowns = Unknowns(task.group.dim, task.order, task.order, number, size, number)
    systems = further_equations(unknowns, harmonic, partial_order)
    if len(orbit.stabiliser) == 1 and not systems:  # everything is a solution
        return identity(size).reshape(size, height, width, m)
    table = closure(task.group)
    chosen = generating(table, orbit.stabiliser)
    actions = substitutions([table.matrices[h] for h in chosen], unknowns)
    for h, action in zip(chosen, actions, strict=True):
        systems.append(
            group_equations(unknowns, a.matrices[h, q], b.matrices[h, r], action)
        )
    return to_dense(null_space_in_stages(systems)).reshape(-1, height, width, m)


def _echelon(solutions: ExactArray, order: IndexArray) -> Echelon:
    """Of independent solutions, places in an order."""
    k, m = solutions.shape[0], solutions.shape[-1]
    found = solutions.reshape(k, len(order), m)
    found = ExactArray(found.numerators[:, order], found.denominator, found.field)
    flat = found.reshape(k, len(order) * m)
    pivots = _pivots(flat)
    first = flat[:, pivots]
    if k and len(pivots) == k and not first.equals(identity(k)):
        # the smaller factor stands on the right: its numbers become matrices
        flat = (flat.T @ first.inverse().T).T
    if not _is_echelon(flat, pivots):
        raise ExactnessError("an unlucky prime: it has other pivots than K")
    found = flat.reshape(k, len(order), m)
    element, place = np.nonzero(found.nonzero_mask().any(axis=-1))
    return Echelon(element, place, found[element, place], pivots)


def _pivots(flat: ExactArray) -> IndexArray:
    """The first columns that are independent, modulo a prime; most often they are among the very first."""
    k, width = flat.shape
    seen = 2 * k
    if not k:
        return np.zeros(0, dtype=np.int64)
    while True:
        # those that are independent modulo a prime are so over K
        found = independent_rows(flat[:, :seen].T)
        if len(found) == k or seen >= width:
            return np.array(found, dtype=np.int64)
        seen *= 2


def _is_echelon(flat: ExactArray, pivots: IndexArray) -> bool:
    """Whether every row of a matrix that is 1 at its pivots starts there: none was missed by an unlucky prime."""
    return len(pivots) == len(flat) and np.array_equal(
        flat.nonzero_mask().argmax(axis=1), pivots
    )

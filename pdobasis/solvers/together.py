"""The constraint of many blocks and orders as one linear system, and its
solutions taken apart again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

import numpy as np

from pdobasis.bounds.watch import step
from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import RATIONALS, Field, join
from pdobasis.exact.types import IntArray
from pdobasis.groups.closure import closure, generating
from pdobasis.groups.group import Group
from pdobasis.linear.sparse import Sparse, no_entries
from pdobasis.operators.symbols import Symbols, empty, over
from pdobasis.representations.representation import all_parts, image_of
from pdobasis.solvers.batch import Batch, Summands, Task, different
from pdobasis.solvers.constraint import (
    Unknowns,
    further_equations,
    group_equations,
    lie_equations,
    substitutions,
    zero_equations,
)

AT_ONCE = 4_000
"""Unknowns up to which tasks are put together."""
WORTH_A_SUBGROUP = 60
"""Unknowns of a task from which it is worth to solve for a subgroup of monomial
matrices first.
"""
WORTH_BLOCKS = 500
"""Unknowns of a task, times the degree of their field, from which it is asked whether it falls into blocks."""
WORTH_ALL_ROTATIONS = 1_000
"""Unknowns, times the degree of their field, from which it is worth to look
whether all rotations ask for the same.
"""
MAX_IMAGES = 100_000
"""Numbers in the matrices of all group elements up to which that subgroup is
looked for.
"""
MAX_IMAGES_EACH = 100
"""The same for each unknown, where there are so many that it is worth more."""

Acting = tuple[ExactArray, ExactArray, ExactArray]
"""A group element, and what it is in both sums."""


def solve_together(
    tasks: Sequence[Task], *, harmonic: bool, partial_order: int | None
) -> list[Symbols]:
    """The solutions of every task, all of one group."""
    found: dict[int, Symbols] = {}
    for numbers in _batches(tasks):
        step("solving linear systems", len(found), len(tasks))
        own = [tasks[k] for k in numbers]
        parts = None
        if partial_order is None:
            parts = _apart(own, harmonic) or _few(own, harmonic)
        parts = parts or _eliminated(own, harmonic, partial_order)
        found |= zip(numbers, parts, strict=True)
    return [found[k] for k in range(len(tasks))]


def _eliminated(
    tasks: Sequence[Task], harmonic: bool, partial_order: int | None = None
) -> list[Symbols]:
    """By elimination in one system, but for what falls into blocks that the group moves."""
    batch = Batch(tasks)
    moved = _in_blocks(batch)
    if not moved:
        return list(_take_apart(batch, _solutions(batch, harmonic, partial_order)))
    from pdobasis.solvers.by_blocks import solve_by_blocks

    # one number is the same wherever it stands
    field = batch.field
    found = {}
    for task in moved:
        found[task] = solve_by_blocks(
            task, field, harmonic=harmonic, partial_order=partial_order
        )
    rest = [task for task in tasks if task not in found]
    if rest:
        own = Batch(rest)
        parts = _take_apart(own, _solutions(own, harmonic, partial_order))
        found |= zip(rest, (over(part, field) for part in parts), strict=True)
    return [found[task] for task in tasks]


def _in_blocks(batch: Batch) -> list[Task]:
    """Tasks of a finite group whose blocks move, where there are many unknowns."""
    most = max(task.unknowns for task in batch.tasks)
    if not batch.group.is_finite or most * batch.field.degree < WORTH_BLOCKS:
        return []
    # loaded where a system is large
    from pdobasis.solvers.by_blocks import falls_into_blocks

    return [task for task in batch.tasks if falls_into_blocks(task)]


def _solutions(batch: Batch, harmonic: bool, partial_order: int | None) -> Sparse:
    # loaded where a system is eliminated: a short command has none
    from pdobasis.linear.stages import null_space_in_stages
    from pdobasis.solvers.all_rotations import by_all_rotations

    rational = None
    if batch.unknowns.count * batch.field.degree >= WORTH_ALL_ROTATIONS:
        rational = by_all_rotations(batch)
    if rational is not None:
        rational += further_equations(batch.unknowns, harmonic, partial_order)
        found = null_space_in_stages(rational)
        return replace(found, values=found.values.over(batch.field))
    if batch.unknowns.count > AT_ONCE and not harmonic and partial_order is None:
        from pdobasis.solvers.through_irreps import through_irreps

        known = through_irreps(batch)
        if known is not None:
            return known
    # Equations that are kept by the group may come first: what they leave is a
    # system of the same kind.
    unknowns, settled, systems = _without_forbidden(batch)
    systems += further_equations(unknowns, harmonic, partial_order)
    systems += _constraint(batch, unknowns, settled)
    return null_space_in_stages(systems)


def _apart(tasks: Sequence[Task], harmonic: bool) -> list[Symbols] | None:
    """Tasks of a finite group whose matrices are rational up to square roots, by themselves, where a field is needed.

    All are written over the field that one system of them would have: so one number is the same wherever it stands.
    None where there are no such tasks, or not few.
    """
    from pdobasis.solvers.small import SMALL, solve_small
    from pdobasis.solvers.small_roots import rooted, unrooted

    group = tasks[0].group
    if not group.is_finite or not all(m.is_rational for m in group.on_space):
        return None
    # over Q there is nothing to leave out
    if group.field.is_rational and all(
        t.rep_in.field.is_rational and t.rep_out.field.is_rational for t in tasks
    ):
        return None
    plain: dict[int, Task] = {}
    for k, task in enumerate(tasks):
        source, target = unrooted(task.rep_in), unrooted(task.rep_out)
        if task.unknowns <= SMALL and source is not None and target is not None:
            plain[k] = Task(source.rep, target.rep, task.order)
    field = _field(tasks)
    if not plain or field is None or field.is_rational or field.conductor > 1:
        return None
    found = solve_small(list(plain.values()), harmonic=harmonic)
    if found is None:
        return None
    parts = {}
    for k, part in zip(plain, found, strict=True):
        parts[k] = rooted(part, tasks[k], field)
    others = [k for k in range(len(tasks)) if k not in parts]
    if others:
        rest = [tasks[k] for k in others]
        solved = _few(rest, harmonic) or _eliminated(rest, harmonic)
        parts |= zip(others, solved, strict=True)
    return [parts[k] for k in range(len(tasks))]


def _field(tasks: Sequence[Task]) -> Field | None:
    """Of the equations of all generators but those that are matrices of signs everywhere; None where there are none."""
    from pdobasis.solvers.small_actions import whole

    group = tasks[0].group
    reps = different([rep for task in tasks for rep in (task.rep_in, task.rep_out)])
    field = None
    for images in zip(group.on_space, *(rep.matrices() for rep in reps), strict=True):
        if not all(m.is_rational and whole(m).signs is not None for m in images):
            field = reduce(join, (m.field for m in images), field or RATIONALS)
    return field


def _few(tasks: Sequence[Task], harmonic: bool) -> list[Symbols] | None:
    """The solutions of small tasks, where calls of NumPy would be most of the work; None for others."""
    # they are loaded where there are such tasks: a short command has none
    from pdobasis.solvers.small import is_small, solve_small
    from pdobasis.solvers.small_average import solve_averaged

    if is_small(tasks):
        return solve_small(tasks, harmonic=harmonic)
    return None if harmonic else solve_averaged(tasks)


def _batches(tasks: Sequence[Task]) -> Iterator[list[int]]:
    """Numbers of tasks by increasing order, ``AT_ONCE`` unknowns at a time."""
    batch: list[int] = []
    unknowns = 0
    for k in sorted(range(len(tasks)), key=lambda k: tasks[k].order):
        if batch and unknowns + tasks[k].unknowns > AT_ONCE:
            yield batch
            batch, unknowns = [], 0
        batch.append(k)
        unknowns += tasks[k].unknowns
    if batch:
        yield batch


def _constraint(
    batch: Batch, unknowns: Unknowns, settled: Sequence[int]
) -> list[Sparse]:
    """One system for each generator that is not ``settled``, the sparsest first.

    Without a group nothing is asked of the unknowns.
    """
    # loaded where a system is put together at all, as signs are below
    from pdobasis.groups.lie import generating_indices

    group = batch.group
    elements = [*_monomial_elements(batch), *_generators(batch, settled)]
    actions = substitutions([g for g, _, _ in elements], unknowns)
    systems = []
    for (_, rho_in, rho_out), action in zip(elements, actions, strict=True):
        systems.append(group_equations(unknowns, rho_in, rho_out, action))
    # The constraint for X and Y implies that for [X, Y]: generators of the Lie
    # algebra are enough.
    for k in generating_indices(group):
        rho_in, rho_out = batch.sums([rep.lie[k] for rep in batch.reps])
        systems.append(lie_equations(unknowns, rho_in, rho_out, group.lie_on_space[k]))
    if not systems:
        return [no_entries((0, unknowns.count))]
    return sorted(systems, key=lambda system: len(system.values))


def _without_forbidden(batch: Batch) -> tuple[Unknowns, list[int], list[Sparse]]:
    """The unknowns that no matrix of signs forbids; the generators that ask for
    no more; that the other unknowns are zero.
    """
    unknowns, group = batch.unknowns, batch.group
    if not group.on_space and not group.lie:
        return unknowns, [], []
    from pdobasis.solvers.signs import forbidden

    is_left_out, settled = forbidden(batch, search=_is_worth_a_subgroup(batch))
    left_out = unknowns.number[is_left_out]
    left_out = left_out[left_out >= 0]
    if not len(left_out):
        return unknowns, settled.tolist(), []
    number = np.where(is_left_out, -1, unknowns.number)
    zero = zero_equations(left_out, unknowns.count)
    return replace(unknowns, number=number), settled.tolist(), [zero]


def _generators(batch: Batch, settled: Sequence[int]) -> list[Acting]:
    out = []
    for s, g in enumerate(batch.group.on_space):
        if s in settled:
            continue
        matrices = [rep.matrices()[s] for rep in batch.reps]
        out.append((g, *batch.sums(matrices)))
    return out


def _monomial_elements(batch: Batch) -> list[Acting]:
    """Elements that permute coordinates and fibres up to factors, where no
    generator does and the task is large.

    They generate the subgroup of all such elements. Solving for it first is
    next to no work: its equations join unknowns in pairs, and leave few of them
    to the generators.
    """
    group = batch.group
    reps = different(batch.reps)
    if not _is_worth_a_subgroup(batch) or _has_monomial_generator(group, reps):
        return []
    table = closure(group)
    members = _is_monomial(table.matrices)
    for rep in reps:
        for part in all_parts(rep):
            members = members & _is_monomial(part.matrices).all(axis=1)
    out = []
    for h in generating(table, np.flatnonzero(members)):
        matrices = [image_of(rep, h) for rep in batch.reps]
        out.append((table.matrices[h], *batch.sums(matrices)))
    return out


def _is_worth_a_subgroup(batch: Batch) -> bool:
    """Whether a task is large, and the matrices of all elements are not."""
    group = batch.group
    if not group.is_finite or not group.generators:
        return False
    most = max(task.unknowns for task in batch.tasks)
    if most < WORTH_A_SUBGROUP:
        return False
    reps, count = different(batch.reps), len(closure(group))
    if count * sum(rep.size**2 for rep in reps) <= MAX_IMAGES:
        return True
    # loaded for large representations alone
    from pdobasis.representations.parts import nonzeros

    return count * sum(nonzeros(rep.matrices()) for rep in reps) <= max(
        MAX_IMAGES, MAX_IMAGES_EACH * most
    )


def _has_monomial_generator(group: Group, reps: Summands) -> bool:
    for s, g in enumerate(group.on_space):
        images = [rep.matrices()[s] for rep in reps]
        if all(_is_monomial(m) for m in (g, *images)):
            return True
    return False


def _is_monomial(m: ExactArray) -> IntArray:
    """Whether every row (of the last two axes) has one non-zero entry."""
    entries = m.nonzero_mask().sum(axis=-1)
    return np.asarray((entries == 1).all(axis=-1))


def _take_apart(batch: Batch, found: Sparse) -> Iterator[Symbols]:
    """The vectors of every task as symbols, in the order of the tasks."""
    number = batch.unknowns.number
    rows, columns, monomials = number.shape
    # Where each unknown stands in P.
    place = np.nonzero(number >= 0)
    where = np.empty((3, batch.unknowns.count), dtype=np.int64)
    where[:, number[place]] = place
    row, column, monomial = where[:, found.columns]
    # Coefficients of one entry of one vector make one row of the table.
    keys = (found.rows * rows + row) * columns + column
    entry, slot = np.unique(keys, return_inverse=True)
    values = found.values
    shape = (len(entry), monomials, values.field.degree)
    table = np.zeros(shape, dtype=values.numerators.dtype)
    table[slot, monomial] = values.numerators
    # No vector has unknowns of two tasks, and vectors are sorted by their
    # first unknown: those of one task are neighbours.
    first_entry = np.searchsorted(found.rows, np.arange(found.shape[0]))
    leading = found.columns[first_entry]
    first = np.searchsorted(leading, batch.starts)
    bounds = np.searchsorted(entry, first * (rows * columns)).tolist()
    heads = first.tolist()
    element, place_in = np.divmod(entry, rows * columns)
    row, column = np.divmod(place_in, columns)
    for k, task in enumerate(batch.tasks):
        size = heads[k + 1] - heads[k]
        if not size:
            yield empty(batch.group.dim, task.order, task.shape, values.field)
            continue
        part = slice(bounds[k], bounds[k + 1])
        index = (
            element[part] - heads[k],
            row[part] - batch.rows[task.rep_out],
            column[part] - batch.columns[task.rep_in],
        )
        at = batch.monomials[task.order]
        own = np.ascontiguousarray(table[part, at : at + task.monomials])
        coefficients = exact(own, values.denominator, values.field)
        yield Symbols(
            batch.group.dim, task.order, size, task.shape, *index, coefficients
        )

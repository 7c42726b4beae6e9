r"""Harmonic symbols without a closed form: all symbols, projected.

The projection onto harmonics commutes with O(d), so it maps all steerable
symbols of an order onto the harmonic ones. That is never slower than adding
$\Delta P = 0$ to the constraint, whose components the equation would join;
round orbits, where there is hardly any linear algebra, the equation is added
for the stabilisers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress

import numpy as np

from pdobasis.exact.field import Field, join
from pdobasis.groups.group import ICOSAHEDRAL
from pdobasis.linear.small import first_independent
from pdobasis.operators.few import (
    Few,
    are_few,
    coprime,
    elements_of,
    harmonic_parts,
)
from pdobasis.operators.laplacian import project
from pdobasis.operators.symbols import Symbols, dense, empty, over, renumber, tidy
from pdobasis.representations.decomposition import irrep_name
from pdobasis.representations.representation import Representation
from pdobasis.solvers.batch import Task
from pdobasis.solvers.direct import is_permuted, solve_blocks
from pdobasis.solvers.together import AT_ONCE


def solve_harmonic(
    pairs: Sequence[tuple[Representation, Representation]], orders: Sequence[int]
) -> list[list[Symbols]]:
    """A basis of all steerable P with ΔP = 0, for each of the pairs and orders."""
    tasks = [Task(a, b, n) for a, b in pairs for n in orders]
    found = _partly_known(pairs, orders, tasks) or _harmonic(tasks, {})
    count = len(orders)
    return [found[k : k + count] for k in range(0, len(found), count)]


def _partly_known(
    pairs: Sequence[tuple[Representation, Representation]],
    orders: Sequence[int],
    tasks: Sequence[Task],
) -> list[Symbols] | None:
    """Without solving tasks whose symbols are known, or none; None where it is not known how many there are.

    All are written over the field that the systems of all tasks have.
    """
    if not tasks or tasks[0].group.term not in ICOSAHEDRAL:
        return None
    if sum(task.unknowns for task in tasks) > AT_ONCE:
        return None
    # what is permuted goes round orbits, each task in a field of its own
    if not all(irrep_name(rep) for pair in pairs for rep in pair):
        return None
    # loaded for these groups
    from pdobasis.solvers.by_maps import one_symbol
    from pdobasis.solvers.counted import harmonic_count, known_symbols

    counts: dict[Task, int] = {}
    sizes: dict[Task, int] = {}
    for task in tasks:
        own = harmonic_count(task)
        if own is None:
            return None
        counts[task] = own
        # multiples of r^2 are as many as there are symbols two orders below
        sizes[task] = own + sizes.get(replace(task, order=task.order - 2), 0)
    found = known_symbols(pairs, orders, counts)
    for task in tasks:
        if task not in found and sizes[task] == 1:
            own_symbol = one_symbol(task)
            if own_symbol is not None:
                # there is no symbol two orders below
                alone = _is_alone(task)
                found[task] = own_symbol if alone else _projected(own_symbol, 0)
    left = [task for task in tasks if task not in found]
    found |= zip(left, _harmonic(left, sizes), strict=True)
    fields: dict[bool, Field] = {}
    for task in tasks:
        known = fields.get(_is_alone(task), task.group.field)
        own_field = join(task.rep_in.field, task.rep_out.field)
        fields[_is_alone(task)] = join(known, own_field)
    return [over(found[task], fields[_is_alone(task)]) for task in tasks]


def _is_alone(task: Task) -> bool:
    """Whether the Laplacian is in its system. Below order 2 everything is harmonic: one road is enough."""
    return task.order >= 2 and is_permuted(task)


def _harmonic(tasks: Sequence[Task], sizes: dict[Task, int]) -> list[Symbols]:
    """With the numbers of all symbols of tasks, where they are known."""
    permuted = [_is_alone(task) for task in tasks]
    found: list[Symbols] = []
    harmonic = solve_blocks(list(compress(tasks, permuted)), harmonic=True)
    plain = solve_blocks([t for t, own in zip(tasks, permuted, strict=True) if not own])
    first, second = iter(harmonic), iter(plain)
    for task, own in zip(tasks, permuted, strict=True):
        if own:
            found.append(next(first))
            continue
        everything = next(second)
        sizes[task] = everything.size
        lower = sizes.get(replace(task, order=task.order - 2))
        found.append(_projected(everything, lower))
    return found


def _projected(everything: Symbols, lower: int | None = None) -> Symbols:
    """The harmonic parts that are independent; ``lower`` is how many symbols there are two orders below, if known.

    So many are multiples of r^2: what is left over tells how many are harmonic, and all or none need no projection.
    """
    dim, order, size = everything.dim, everything.order, everything.size
    if order < 2 or not size:
        return everything
    if lower == size:
        return empty(dim, order, everything.shape, everything.coefficients.field)
    if are_few(everything):
        found = _few_projected(everything, is_harmonic=lower == 0)
        if found is not None:
            return found
    if lower == 0:
        return tidy(everything)
    # loaded where something is projected: a short command has no other use for primes
    from pdobasis.exact.primes import independent_rows

    projected = replace(everything, coefficients=project(everything))
    # The projection has a kernel (multiples of r^2), so that images may be
    # dependent.
    rows = dense(projected).reshape(projected.size, -1)
    return tidy(_select(projected, independent_rows(rows)))


def _few_projected(everything: Symbols, *, is_harmonic: bool) -> Symbols | None:
    """None where numbers are large."""
    field = everything.coefficients.field
    chosen: list[Few] | None = None
    if is_harmonic:
        chosen = elements_of(everything)
    else:
        projected = harmonic_parts(everything)
        if projected is not None:
            chosen = _independent(projected, field)
    if chosen is None:
        return None
    dim, order = everything.dim, everything.order
    return coprime(chosen, dim, order, everything.shape, field)


def _independent(elements: list[Few], field: Field) -> list[Few] | None:
    """The first that are; None where that was not found out."""
    if field.is_rational:
        return [elements[k] for k in first_independent(elements)]
    # loaded where a field is needed
    from pdobasis.exact.packed import packed
    from pdobasis.linear.small_fields import first_independent_modulo

    at = packed(field)
    if at is None:
        return None
    found = first_independent_modulo(elements, at.modulus)
    if found is None:
        return None
    return [elements[k] for k in found]


def _select(part: Symbols, chosen: list[int]) -> Symbols:
    """The chosen elements, in this order."""
    ranks = np.full(part.size, -1)
    ranks[chosen] = np.arange(len(chosen))
    return renumber(part, ranks, len(chosen))

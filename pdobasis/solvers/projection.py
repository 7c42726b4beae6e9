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

from pdobasis.exact.field import Field
from pdobasis.linear.small import first_independent
from pdobasis.operators.few import (
    Few,
    are_few,
    coprime,
    elements_of,
    harmonic_parts,
)
from pdobasis.operators.laplacian import project
from pdobasis.operators.symbols import Symbols, empty, renumber, tidy
from pdobasis.representations.representation import Representation
from pdobasis.solvers.batch import Task
from pdobasis.solvers.direct import is_permuted, solve_blocks


def solve_harmonic(
    pairs: Sequence[tuple[Representation, Representation]], orders: Sequence[int]
) -> list[list[Symbols]]:
    """A basis of all steerable P with ΔP = 0, for each of the pairs and orders."""
    tasks = [Task(a, b, n) for a, b in pairs for n in orders]
    found = _harmonic(tasks)
    count = len(orders)
    return [found[k : k + count] for k in range(0, len(found), count)]


def _is_alone(task: Task) -> bool:
    """Whether the Laplacian is in its system. Below order 2 everything is harmonic: one road is enough."""
    return task.order >= 2 and is_permuted(task)


def _harmonic(tasks: Sequence[Task]) -> list[Symbols]:
    sizes: dict[Task, int] = {}
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
    from pdobasis.operators.independent import independent

    projected = replace(everything, coefficients=project(everything))
    # The projection has a kernel (multiples of r^2), so that images may be
    # dependent.
    return tidy(_select(projected, independent(projected)))


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

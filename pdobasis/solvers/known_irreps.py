r"""Irreps by their matrices, whatever their formulas are: closed forms, scaled as solutions of the constraint are.

$\rho^{-T}$ of an orthogonal irrep is the irrep, and so is its product with 1. The harmonic symbols $\chi$ between two
such are known in closed form (:mod:`.planar`, :mod:`.spherical`), and all steerable ones are the $r^{2k}\chi$.

:func:`.projection.solve_harmonic` would find the reduced echelon form of these; below order 2 that is the answer, as it
is of the harmonic ones alone where a finite group permutes. Elsewhere the answer is the first harmonic parts that are
independent, in coprime integers. Of one element only its scale is left to be found, whatever else is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from math import lcm

import numpy as np

from pdobasis.exact.array import exact
from pdobasis.exact.field import Field, join
from pdobasis.exact.polynomials import count
from pdobasis.groups.classical import turns_space
from pdobasis.groups.planar import planar_shape
from pdobasis.linear.small import Independent, echelon
from pdobasis.operators.few import Few, Place, coprime, harmonic_part, times_square
from pdobasis.operators.symbols import Symbols, over
from pdobasis.representations.decomposition import irrep_name
from pdobasis.representations.named import irreps_of
from pdobasis.representations.representation import Representation
from pdobasis.representations.terms import Term
from pdobasis.solvers import planar, spherical
from pdobasis.solvers.batch import Task
from pdobasis.solvers.direct import is_permuted
from pdobasis.solvers.restricted import from_one

Known = dict[int, list[Few]]
"""The harmonic symbols of every order, up to factors."""


def between_irreps(
    rep_in: Representation, rep_out: Representation, orders: Sequence[int]
) -> list[Symbols] | None:
    """All steerable P with ΔP = 0 of each of the orders, between irreps of the catalogue; None where none is known."""
    group, shape = rep_in.group, planar_shape(rep_in.group)
    is_space = turns_space(group) is not None
    if shape is None and not is_space:
        return None
    field = reduce(join, (rep_in.field, rep_out.field), group.field)
    tasks = [Task(rep_in, rep_out, n) for n in orders]
    if is_space:
        source, target = (
            spherical.ball(rep) or spherical.ball_of(_formula(rep))
            for rep in (rep_in, rep_out)
        )
        found = spherical.between_balls(group, source, target, orders)
        if found is None:
            return None
        return [
            _of_space(part, task, field)
            for part, task in zip(found, tasks, strict=True)
        ]
    if group.is_finite and group.field.is_rational and not field.is_rational:
        # the field of the irreps alone need not be that of the constraint
        return None
    known = _in_plane(rep_in, rep_out, orders)
    if known is None:
        return None
    return [over(_of_plane(known, task), field) for task in tasks]


def _formula(rep: Representation) -> Term | None:
    """That of the catalogue."""
    # no irrep of size s has a weight of s or more
    return irreps_of(rep.group, rep.size).get(irrep_name(rep))


def _of_space(part: Symbols, task: Task, field: Field) -> Symbols:
    """There is one element at most."""
    part = over(part, field)
    if part.size and task.order < 2:
        return from_one(part, task)
    return part


def _in_plane(
    rep_in: Representation, rep_out: Representation, orders: Sequence[int]
) -> Known | None:
    shape = planar_shape(rep_in.group)
    if shape is None:
        return None
    has_mirror = shape.axis is not None
    source, target = (
        planar.wave(rep) or planar.wave_of(_formula(rep), is_mirrored=has_mirror)
        for rep in (rep_in, rep_out)
    )
    if source is None or target is None:
        return None
    offsets = planar.Offsets(shape.turns, None)
    out: Known = {}
    for n in orders:
        rules = list(planar.allowed(source, target, n, offsets))
        # a square root that all coefficients share scales the element as a whole
        found = planar.plain_elements(rules, (target.rows, source.rows), shape.axis)
        if found is None:
            return None
        out[n] = [_placed(line, rep_in.size, n + 1) for line in found[0]]
    return out


def _placed(line: Sequence[int], columns: int, monomials: int) -> Few:
    out: Few = {}
    for place, v in enumerate(line):
        if v:
            entry, alpha = divmod(place, monomials)
            out[*divmod(entry, columns), alpha] = v
    return out


def _of_plane(known: Known, task: Task) -> Symbols:
    n = task.order
    if n < 2 or is_permuted(task):
        return _from_ones(_echelon(known[n], task), task)
    elements = known[n]
    if len(elements) > 1:
        elements = _projected(known, task)
    return coprime(elements, 2, n, task.shape)


def _projected(known: Known, task: Task) -> list[Few]:
    """The first harmonic parts of the echelon form of all symbols that are independent."""
    every: list[Few] = []
    for n in range(task.order % 2, task.order + 1, 2):
        every = [times_square(own, 2, n - 2) for own in every] + known[n]
    out: list[Few] = []
    pivots: Independent[Place] = Independent()
    for own in _echelon(every, task):
        part = harmonic_part(own, 2, task.order)
        if pivots.adds(part):
            out.append(part)
    return out


def _echelon(elements: Iterable[Few], task: Task) -> list[Few]:
    """In reduced echelon form for the numbering of the unknowns, in coprime integers."""
    number, places = _numbering(task)
    # by negative numbers: the pivot of a row is its first entry then
    rows = [{-number[place]: v for place, v in own.items()} for own in elements]
    pivots = echelon(rows)
    out = []
    for c in sorted(pivots, reverse=True):
        found = {places[-u]: v for u, v in pivots[c].items()}
        out.append({place: found[place] for place in sorted(found)})
    return out


def _numbering(task: Task) -> tuple[dict[Place, int], list[Place]]:
    """The numbers of the unknowns, and the unknowns by their numbers."""
    rows, columns = task.shape
    sides = [(r, c) for r in range(rows) for c in range(columns)]
    if not task.is_row_major:
        sides.sort(key=lambda side: side[::-1])
    monomials = range(count(task.group.dim, task.order))
    places = [(r, c, alpha) for r, c in sides for alpha in monomials]
    return {place: k for k, place in enumerate(places)}, places


def _from_ones(elements: list[Few], task: Task) -> Symbols:
    """The first coefficient of each is 1, in the order of the unknowns."""
    part = coprime(elements, 2, task.order, task.shape)
    number, _ = _numbering(task)
    first = [own[min(own, key=number.__getitem__)] for own in elements]
    common = lcm(*first)
    # signs are those of the first coefficients row by row, so far
    factors = [
        common // v if next(iter(own.values())) > 0 else -(common // v)
        for v, own in zip(first, elements, strict=True)
    ]
    if common == 1 and set(factors) <= {1}:
        return part
    scaled = (
        part.coefficients.numerators * np.array(factors)[part.element][:, None, None]
    )
    values = exact(scaled, common, part.coefficients.field)
    return replace(part, coefficients=values)

r"""Fields that are functions on a group, by their Fourier coefficients: the matrices that sample them.

A field x with an orthogonal representation $\rho$ and a vector v define a function on the group,
$f(s) = \langle \rho(s) v, x \rangle$. On the elements of a finite subgroup S these are |S| numbers, f = Ax with rows
$(\rho(s)v)^T$, and an element t of S permutes them:

$$(A \rho(t) x)(s) = \langle \rho(t^{-1}s) v, x \rangle = (Ax)(t^{-1} s).$$

So any function $\phi$ of single numbers may act on them, and $x \mapsto A^+ \phi(Ax)$ commutes with $\rho(t)$, where
$A^+ = (A^T A)^{-1} A^T$ takes the nearest function back that x can hold. For irreps of SO(2) with v = (1, 0) each,
$f(\theta) = a_0 + \sum_k a_k \cos k\theta + b_k \sin k\theta$.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from math import gcd

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import PdoBasisError
from pdobasis.exact.array import concatenate
from pdobasis.exact.field import RATIONALS, join
from pdobasis.exact.numbers import to_float
from pdobasis.groups.group import Group
from pdobasis.groups.membership import exact_rank
from pdobasis.layers.elements import contains, grid_elements
from pdobasis.layers.errors import LayerError
from pdobasis.layers.restrict import on_subgroup, require_subgroup
from pdobasis.question.field_type import FieldType
from pdobasis.question.text import resolve_group
from pdobasis.representations.representation import Representation, all_matrices

MAX_SAMPLES = 4096


@dataclass(frozen=True, slots=True, eq=False)
class Sampling:
    """``order`` lists the channels, one function after the other; ``there`` is A (samples, size), ``back`` is A^+.

    ``group`` is S; functions that it does not tell apart at some elements are sampled there once.
    """

    group: Group
    functions: int
    order: tuple[int, ...]
    there: NDArray[np.float64]
    back: NDArray[np.float64]


def sampling(fields: FieldType, group: Group) -> Sampling:
    """Fields as functions: the copies of every kind are dealt out evenly, to as many functions as possible."""
    require_subgroup(group, fields.group)
    if not group.is_finite or (group.order or 0) > MAX_SAMPLES:
        raise LayerError(
            f"functions are sampled on at most {MAX_SAMPLES} elements, and {group.name} has {group.order_text}"
        )
    offsets = {rep: fields.offsets(rep) for rep in fields.distinct}
    functions = reduce(gcd, map(len, offsets.values()))
    copies = {rep: len(starts) // functions for rep, starts in offsets.items()}
    order: list[int] = []
    for k in range(functions):
        for rep, starts in offsets.items():
            for start in starts[k * copies[rep] : (k + 1) * copies[rep]]:
                order += range(start, start + rep.size)
    there = _rows(copies, group, functions)
    # Elements that v cannot tell apart make the same row; each is kept once, in the order of the group.
    _, first = np.unique(there, axis=0, return_index=True)
    there = there[np.sort(first)]
    back = np.asarray(np.linalg.solve(there.T @ there, there.T), dtype=np.float64)
    return Sampling(group, functions, tuple(order), there, back)


def _rows(
    copies: dict[Representation, int], group: Group, functions: int
) -> NDArray[np.float64]:
    """rho(s) v for every s: the k-th copy of a representation takes the k-th of its basis vectors."""
    columns = []
    for rep, count in copies.items():
        images = all_matrices(on_subgroup(rep, group))
        for k in range(min(count, rep.size)):
            columns.append(images[:, :, k])
    field = reduce(join, (c.field for c in columns), RATIONALS)
    rows = concatenate([c.over(field) for c in columns], axis=1)
    size = sum(rep.size * count for rep, count in copies.items())
    if exact_rank(rows) < size:
        kinds = " + ".join(
            rep.spec if count == 1 else f"{count}x{rep.spec}"
            for rep, count in copies.items()
        )
        raise LayerError(
            f"the {size} coefficients {kinds} are not those of a function on {group.name}, whose {group.order_text} "
            "values do not tell them apart: take more samples, or as many copies of every irrep"
        )
    return to_float(rows)


def sampling_group(group: Group, samples: int | str | Group | None) -> Group:
    """A subgroup by name; of SO(2) and O(2) by the number of rotations; of a finite group all of it."""
    if samples is None:
        if not group.is_finite:
            raise LayerError(
                f"{group.name} has infinitely many elements: give samples, as in samples=16 or samples='C16'"
            )
        return group
    if isinstance(samples, int):
        families = {"SO": "C", "O": "D"}
        if group.term is None or group.term.family not in families or group.dim != 2:
            raise LayerError(
                f"a number of samples means rotations of SO(2) or O(2): name a subgroup of {group.name}"
            )
        samples = f"{families[group.term.family]}{samples}"
    return resolve_group(samples, group.dim)


def keeps_grid(group: Group, sampled: Group) -> bool:
    """Whether every element of the group that maps the grid to itself permutes the samples."""
    try:
        return all(contains(sampled, g) for g in grid_elements(group))
    except PdoBasisError:
        return True

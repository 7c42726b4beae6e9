r"""Intertwiners to representations that permute a basis: all but one row of an orbit are known.

Where b(s) takes $e_i$ to $e_{p(i)}$, the row $t_i$ of T satisfies $t_i = t_{p(i)}\,a(s)$. So along an orbit
$t_i = t_0 M_i$ with a product $M_i$ of matrices of a, and what is left of the equations speaks of $t_0$ alone: it has
to be fixed by the stabiliser of the point 0. The $t_0$ of an orbit is its first row, so that the echelon form of all T
is that of the $t_0$, carried on.
"""

from __future__ import annotations

import numpy as np

from pdobasis.exact.array import (
    ExactArray,
    concatenate,
    exact,
    identity,
)
from pdobasis.exact.types import IndexArray
from pdobasis.linear.sparse import nonzeros, to_dense
from pdobasis.linear.stages import null_space_in_stages
from pdobasis.representations.representation import Representation

Step = tuple[IndexArray, ExactArray]
"""q and m with t_{q(j)} = t_j m."""


def maps_to_points(a: Representation, b: Representation) -> ExactArray:
    """A basis of all T with T a(g) = b(g) T in echelon form, (number, size of b, size of a), for a permutation b.

    >>> from pdobasis import field_type, group
    >>> one, two = (field_type(text, group("C2")).distinct[0] for text in ("irrep(1)", "regular"))
    >>> maps_to_points(one, two)
    <ExactArray [[[1], [-1]]]>
    """
    steps: list[Step] = []
    for p, image in zip(b.permutations or (), a.matrices(), strict=True):
        steps.append((np.argsort(np.array(p)), image.over(a.field)))
    further = _doubled(steps, b.size)
    out = []
    seen = np.zeros(b.size, dtype=bool)
    for first in range(b.size):
        if not seen[first]:
            points, matrices = _orbit(first, further, a)
            seen[points] = True
            out.append(_maps(points, matrices, steps, a, b.size))
    return concatenate(out)


def _doubled(steps: list[Step], size: int) -> list[Step]:
    """With squares, fourth powers, …: a long way round is walked in few steps."""
    out = []
    for q, m in steps:
        reached = 1
        while True:
            out.append((q, m))
            reached *= 2
            if reached >= size or np.array_equal(q[q], np.arange(size)):
                break
            q, m = q[q], m @ m
    return out


def _orbit(
    first: int, steps: list[Step], a: Representation
) -> tuple[IndexArray, ExactArray]:
    """Its points i with the M_i, sorted."""
    one = identity(a.size, a.field)
    points, matrices = [np.array([first])], [one.reshape(1, *one.shape)]
    seen = {first}
    for start, known in zip(points, matrices, strict=True):
        # both lists grow while they are walked
        for q, m in steps:
            reached = q[start]
            new = np.array([k for k, i in enumerate(reached.tolist()) if i not in seen])
            if len(new):
                points.append(reached[new])
                matrices.append(known.take(new) @ m)
                seen.update(reached[new].tolist())
    every = np.concatenate(points)
    order = np.argsort(every)
    return every[order], concatenate(matrices).take(order)


def _maps(
    points: IndexArray,
    matrices: ExactArray,
    steps: list[Step],
    a: Representation,
    size: int,
) -> ExactArray:
    """Those that are zero on other orbits."""
    fixed = _fixed(points, matrices, steps, a)
    count = len(fixed)
    # (count, c) @ (c, points c): all rows of all maps in one product
    flat = matrices.transpose(1, 0, 2).reshape(a.size, len(points) * a.size)
    rows = (fixed @ flat).reshape(count, len(points), a.size)
    shape = (count, size, a.size, a.field.degree)
    out = np.zeros(shape, dtype=rows.numerators.dtype)
    out[:, points] = rows.numerators
    return exact(out, rows.denominator, a.field)


def _fixed(
    points: IndexArray, matrices: ExactArray, steps: list[Step], a: Representation
) -> ExactArray:
    """The t with t M_{q(j)} = t M_j m for every point j and every step, in echelon form."""
    one = identity(a.size, a.field)
    systems = []
    for q, m in steps:
        there = matrices.take(np.searchsorted(points, q[points]))
        columns = (matrices @ m - there).transpose(0, 2, 1)
        rows = columns.reshape(len(points) * a.size, a.size)
        kept = _distinct(rows)
        if len(kept):
            systems.append(nonzeros(rows.take(kept)))
    if not systems:
        return one
    return to_dense(null_space_in_stages(systems)).over(a.field)


def _distinct(rows: ExactArray) -> IndexArray:
    """Those that are not zero, each once."""
    found: dict[bytes, int] = {}
    mask = rows.nonzero_mask().any(axis=1)
    for k in np.flatnonzero(mask).tolist():
        found.setdefault(rows.numerators[k].tobytes(), k)
    return np.array(list(found.values()), dtype=np.int64)

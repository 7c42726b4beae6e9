r"""The constraint over Q, where square roots come from the bases of the representations alone.

Let $\rho' = D^{-1} \rho D$ be rational on both sides, with $D = \mathrm{diag}(\sqrt{d_1}, \sqrt{d_2}, \dots)$. P is
equivariant exactly when $P' = D_{out}^{-1} P D_{in}$ is, between $\rho_{in}'$ and $\rho_{out}'$. Its coefficients
are $P'_{rc} = P_{rc} \sqrt{d_r d_c} / d_r$; so $P' = \sum_s \sqrt s\, P'_s$ over different squarefree s, with rational
$P'_s$. Roots of different squarefree numbers are independent over Q, and the constraint is linear with rational
coefficients: P' satisfies it exactly when every $P'_s$ does.
"""

from __future__ import annotations

from dataclasses import replace
from math import isqrt, lcm

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.arithmetic import class_product
from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.integers import bound, widen
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.proof.batch import Batch
from pdobasis.proof.lines import Sum, matrices_of
from pdobasis.proof.roots import rational_forms
from pdobasis.representations.representation import Representation

Question = tuple[Batch, Sum, Sum]
"""Elements, and the sums of representations that they are between."""
Rational = tuple[tuple[int, ...], Representation]
"""The d_i, and the representation over Q."""


def over_q(batch: Batch, reps_in: Sum, reps_out: Sum) -> Question | None:
    """All $P'_s$ of the elements, and the rational representations; None where there are none."""
    if not reps_in[0].group.field.is_rational:
        return None
    if batch.coefficients.field.conductor > 1:
        return None
    sides: list[tuple[list[int], Sum]] = []
    for reps in (reps_in, reps_out):
        found = [_rational(rep) for rep in reps]
        known = [form for form in found if form is not None]
        if len(known) < len(reps):
            return None
        scales = [d for own, _ in known for d in own]
        sides.append((scales, tuple(rep for _, rep in known)))
    (columns, plain_in), (rows, plain_out) = sides
    return _taken_apart(batch, rows, columns), plain_in, plain_out


@remembered
def _rational(rep: Representation) -> Rational | None:
    images = (*matrices_of(rep), *rep.lie)
    if all(m.field.is_rational for m in images):
        return (1,) * rep.size, rep
    found = rational_forms(images)
    if found is None:
        return None
    scales, moved = found
    count = len(images) - len(rep.lie)
    generators, lie = tuple(moved[:count]), tuple(moved[count:])
    # by itself it is asked for its matrices only
    return tuple(scales), Representation(
        rep.group, rep.spec, rep.size, generators, lie, own=True
    )


def _taken_apart(batch: Batch, rows: list[int], columns: list[int]) -> Batch:
    """The elements $P'_s$, those of one P side by side."""
    numbers = batch.coefficients.numerators
    entry, place = np.nonzero(numbers.any(axis=1))
    root, factor = _scales(batch, entry, place, rows, columns)
    key = batch.element[entry] * (root.max(initial=0) + 1) + root
    names, label = np.unique(key, return_inverse=True)
    # entries of one element keep their order
    order = np.argsort(label, kind="stable")
    entry, place, label = entry[order], place[order], label[order]
    largest = max(1, bound(factor)) * max(1, bound(numbers))
    wide, factors = widen(numbers[entry, :, place], factor[order], limit=largest)
    common = batch.coefficients.denominator * lcm(*rows)
    coefficients: ExactArray = exact(
        (wide * factors[:, None])[..., None], common, RATIONALS
    )
    first = np.searchsorted(label, np.arange(len(names)))
    element = batch.element[entry[first]]
    return replace(
        batch,
        element=label,
        row=batch.row[entry],
        column=batch.column[entry],
        coefficients=coefficients,
        order=batch.order[element],
        copies=batch.copies[element],
    )


def _scales(
    batch: Batch,
    entry: IndexArray,
    place: IndexArray,
    rows: list[int],
    columns: list[int],
) -> tuple[IndexArray, IntArray]:
    r"""The number of s, and $m \,\mathrm{lcm}(d) / d_r$, with $\sqrt{k}\,\sqrt{d_r d_c} = m \sqrt s$ for the root of
    every number.
    """
    radicands = batch.coefficients.field.radicands
    width, height = len(columns), len(rows)
    key = (place * height + batch.row[entry]) * width + batch.column[entry]
    different, which = np.unique(key, return_inverse=True)
    common = lcm(*rows)
    roots: dict[int, int] = {}
    root, factor = [], []
    for k in different.tolist():
        rest, column = divmod(k, width)
        at, row = divmod(rest, height)
        r, d, c = radicands[at], rows[row], columns[column]
        s = class_product(class_product(r, d), c)
        root.append(roots.setdefault(s, len(roots)))
        factor.append(isqrt(r * d * c // s) * (common // d))
    return np.array(root, dtype=np.int64)[which], np.array(factor, dtype=object)[which]

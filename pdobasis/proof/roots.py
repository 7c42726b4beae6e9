r"""Two matrices without the square roots that an orthonormal basis brought into them.

With $D = \mathrm{diag}(\sqrt{d_1}, \sqrt{d_2}, \dots)$ the entries of $D^{-1} X D$ are $x_{ij} \sqrt{d_i d_j} / d_i$.
Traces of products, and which polynomials in X vanish, are the same; over Q they are found far sooner.
"""

from __future__ import annotations

from math import isqrt, lcm

import numpy as np

from pdobasis.exact.arithmetic import class_product
from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import RATIONALS

Pair = tuple[ExactArray, ExactArray]


def without_roots(x: ExactArray, h: ExactArray) -> Pair:
    """Both as $D^{-1} X D$ and $D^{-1} h D$ over Q where there is such a D, otherwise as they are."""
    if x.field.is_rational or x.field.conductor > 1 or h.field != x.field:
        return x, h
    entries = [_multiples_of_roots(m) for m in (x, h)]
    joined: list[dict[int, int]] = [{} for _ in range(len(x))]
    for found in entries:
        if found is None:
            return x, h
        for i, j, _, r in found:
            joined[i][j] = joined[j][i] = r
    scales = _scales(joined)
    moved = []
    for m, found in zip((x, h), entries, strict=True):
        rational = _scaled(m, found or [], scales)
        if rational is None:
            return x, h
        moved.append(rational)
    return moved[0], moved[1]


def _multiples_of_roots(m: ExactArray) -> list[tuple[int, int, int, int]] | None:
    """(row, column, a, r) of all entries, each being a sqrt(r) over the denominator; None where one is not."""
    if ((m.numerators != 0).sum(axis=-1) > 1).any():
        return None
    rows, columns, places = np.nonzero(m.numerators)
    values = m.numerators[rows, columns, places].tolist()
    roots = [m.field.radicands[k] for k in places.tolist()]
    return list(zip(rows.tolist(), columns.tolist(), values, roots, strict=True))


def _scales(joined: list[dict[int, int]]) -> list[int]:
    """d_i by going from entry to entry: r d_i d_j has to be a square."""
    scales = [0] * len(joined)
    for first in range(len(joined)):
        if scales[first]:
            continue
        scales[first] = 1
        waiting = [first]
        while waiting:
            i = waiting.pop()
            for j, r in joined[i].items():
                if not scales[j]:
                    scales[j] = class_product(r, scales[i])
                    waiting.append(j)
    return scales


def _scaled(
    m: ExactArray, entries: list[tuple[int, int, int, int]], scales: list[int]
) -> ExactArray | None:
    common = lcm(*scales)
    out = np.zeros((*m.shape, 1), dtype=object)
    for i, j, a, r in entries:
        square = r * scales[i] * scales[j]
        root = isqrt(square)
        if root * root != square:
            return None
        out[i, j, 0] = a * root * (common // scales[i])
    return exact(out, m.denominator * common, RATIONALS)

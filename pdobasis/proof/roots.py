r"""Matrices without the square roots that an orthonormal basis brought into them.

With $D = \mathrm{diag}(\sqrt{d_1}, \sqrt{d_2}, \dots)$ the entries of $D^{-1} X D$ are $x_{ij} \sqrt{d_i d_j} / d_i$.
Traces of products, and which polynomials in X vanish, are the same; over Q they are found far sooner.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt, lcm

import numpy as np

from pdobasis.exact.arithmetic import class_product
from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.scattered import Scattered
from pdobasis.proof.sparse import entries

Pair = tuple[ExactArray, ExactArray]
Entry = tuple[int, int, int, int]
"""(row, column, a, r) of a sqrt(r) over the denominator."""


def without_roots(x: ExactArray, h: ExactArray) -> Pair:
    """Both as $D^{-1} X D$ and $D^{-1} h D$ over Q where there is such a D, otherwise as they are."""
    if x.field.is_rational and h.field.is_rational:
        return x, h
    found = rational_forms((x, h))
    if found is None:
        return x, h
    first, second = found[1]
    return first, second


def rational_forms(
    matrices: Sequence[ExactArray],
) -> tuple[list[int], list[ExactArray]] | None:
    """The d_i of one D, and $D^{-1} X D$ over Q for every matrix; None where there is no such D."""
    every = []
    joined: list[dict[int, int]] = [{} for _ in range(len(matrices[0]))]
    for m in matrices:
        found = _multiples_of_roots(m)
        if found is None:
            return None
        for i, j, _, r in found:
            joined[i][j] = joined[j][i] = r
        every.append(found)
    scales = _scales(joined)
    moved = []
    for m, found in zip(matrices, every, strict=True):
        rational = _scaled(m, found, scales)
        if rational is None:
            return None
        moved.append(rational)
    return scales, moved


def _multiples_of_roots(m: ExactArray) -> list[Entry] | None:
    """All entries; None where one is no multiple of one square root."""
    rows, columns, entry = entries(m)
    numbers = entry.numerators
    if m.field.conductor > 1 or ((numbers != 0).sum(axis=-1) > 1).any():
        return None
    places = (numbers != 0).argmax(axis=-1)
    values = numbers[np.arange(len(places)), places].tolist()
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
    m: ExactArray, found: Sequence[Entry], scales: Sequence[int]
) -> ExactArray | None:
    common = lcm(*scales)
    moved = []
    for i, j, a, r in found:
        square = r * scales[i] * scales[j]
        root = isqrt(square)
        if root * root != square:
            return None
        moved.append(a * root * (common // scales[i]))
    numbers = np.array(moved, dtype=object).reshape(-1, 1)
    values = exact(numbers, m.denominator * common, RATIONALS)
    rows, columns, _ = entries(m)
    height, width = m.shape
    return Scattered((height, width), rows, columns, values)

r"""Elements over $\mathbb{Z}[\sqrt5]$, times square roots of 3, as symbols over $\mathbb{Q}(\sqrt5)$ or with
$\sqrt3$ besides.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, lcm

import numpy as np

from pdobasis.exact.array import exact
from pdobasis.exact.field import Field
from pdobasis.exact.polynomials import count
from pdobasis.operators.symbols import Symbols, empty
from pdobasis.solvers.golden import Vector, digits
from pdobasis.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    r"""For every place the coordinates of 1 and $\sqrt5$, in one list, and whether they are times $\sqrt3$."""

    places: list[int]
    flat: list[int]
    rooted: list[int]
    denominator: int


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    r"""$\sqrt{t}\,N_{out}P_0N_{in}^{-1}$, with t = ``root`` and the ``squares`` of both N; all are 1 or 3.

    It is scaled to coprime integers, or to a 1 at the place ``first``, where the number is rational.
    """

    values: Vector
    root: int
    squares: tuple[tuple[int, ...], tuple[int, ...]]
    first: int | None

    def numbers(self, size: int) -> Numbers:
        places = sorted(self.values.values)
        pairs = [digits(self.values.values[u]) for u in places]
        scales = [self._scale(u // size) for u in places]
        leading = 0 if self.first is None else places.index(self.first)
        if self.first is None and 0 in pairs[0]:
            # the first number is a rational multiple of a root, which makes it rational
            if scales[0][1]:
                scales = [(3 * q if r else q, not r) for q, r in scales]
            if not pairs[0][0]:
                pairs = [(5 * b, a) for a, b in pairs]
        flat = [q * v for (q, _), pair in zip(scales, pairs, strict=True) for v in pair]
        factor = gcd(*flat)
        if next(filter(None, flat[2 * leading :])) < 0:
            factor = -factor
        whole = [v // factor for v in flat]
        denominator = 1 if self.first is None else whole[2 * leading]
        return Numbers(places, whole, [int(r) for _, r in scales], denominator)

    def _scale(self, cell: int) -> tuple[int, bool]:
        """Three times what an entry is multiplied by, as a rational number and whether that is times sqrt(3)."""
        outer, inner = self.squares
        i, j = divmod(cell, len(inner))
        square = 9 * self.root * outer[i] // inner[j]
        # 3, 9, 27 or 81
        return {3: (1, True), 9: (3, False), 27: (3, True), 81: (9, False)}[square]


def symbols(
    elements: Sequence[Element], order: int, shape: tuple[int, int], field: Field
) -> Symbols:
    """All elements of an order, in lowest terms."""
    if not elements:
        return empty(3, order, shape, field)
    size, cells = count(3, order), shape[0] * shape[1]
    places: list[int] = []
    numbers: list[int] = []
    rooted: list[int] = []
    every = [own.numbers(size) for own in elements]
    common = lcm(*(own.denominator for own in every))
    for k, own in enumerate(every):
        places += [k * cells * size + u for u in own.places]
        scale = common // own.denominator
        numbers += own.flat if scale == 1 else [scale * v for v in own.flat]
        rooted += own.rooted
    cell, alpha = np.divmod(np.array(places, dtype=np.int64), size)
    is_first = np.ones(len(cell), dtype=bool)
    np.not_equal(cell[1:], cell[:-1], out=is_first[1:])
    line = is_first.cumsum() - 1
    try:
        pairs = np.array(numbers, dtype=np.int64).reshape(-1, 2)
    except OverflowError:
        pairs = np.array(numbers, dtype=object).reshape(-1, 2)
    degree = field.degree
    table = np.zeros((int(line[-1]) + 1, size, degree), dtype=pairs.dtype)
    # the basis is 1, sqrt(5), or 1, sqrt(3), sqrt(5), sqrt(15)
    at = np.array(rooted, dtype=np.int64)
    table[line, alpha, at] = pairs[:, 0]
    table[line, alpha, at + degree // 2] = pairs[:, 1]
    element, place = np.divmod(cell[is_first], cells)
    row, column = np.divmod(place, shape[1])
    values = exact(table, common, field)
    return Symbols(3, order, len(elements), shape, element, row, column, values)

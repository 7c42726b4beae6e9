r"""Systems over $\mathbb{Q}(\sqrt{r_1}, \dots)$ that are rational after scaling rows and columns by square roots.

Orthonormal bases of rational representations give such systems: every entry is a rational multiple of one square
root, $v_{ij} = q_{ij} \sqrt{s_{ij}}$, with $s_{ij}$ in the square class of $r_i c_j$. With $x_j = \sqrt{c_j}\, y_j$ the
system for y is rational, and so is its reduced echelon form, from which that of x follows by scaling.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import gcd, lcm

import numpy as np

from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import RATIONALS, Field
from pdobasis.exact.integers import bound, widen
from pdobasis.exact.types import IndexArray, IntArray

Entries = tuple[IndexArray, IndexArray, ExactArray]
"""(row, column, value) of a sparse matrix."""


@dataclass(frozen=True, slots=True, eq=False)
class Gauge:
    """The square class of every column, as a position in the field's list of radicands."""

    field: Field
    columns: IndexArray

    def rational(self, columns: IndexArray, values: ExactArray) -> ExactArray:
        """The entries of the system for y."""
        place = values.numerators.astype(bool).argmax(axis=-1)
        factors = _products(self.field)[1][place, self.columns[columns]]
        plain = values.numerators[np.arange(len(place)), place]
        (wide,) = widen(plain, limit=bound(plain) * bound(factors))
        return exact((wide * factors)[:, None], values.denominator, RATIONALS)

    def restore(self, vectors: IndexArray, columns: IndexArray, values: ExactArray) -> ExactArray:
        """Echelon vectors of x from those of y, whose entries are sorted by vector and column (a 1 comes first)."""
        first = np.searchsorted(vectors, vectors)
        own, lead = self.columns[columns], self.columns[columns[first]]
        classes, factors = _products(self.field)
        radicands = np.array(self.field.radicands, dtype=np.int64)
        common = lcm(*(int(c) for c in radicands[np.unique(lead)]))
        scale = factors[own, lead] * (common // radicands[lead])  # sqrt(a/b) = gcd(a, b) sqrt(ab) / b
        plain = values.numerators[:, 0]
        wide, weights = widen(plain, scale, limit=bound(plain) * bound(scale))
        out: IntArray = np.zeros((len(plain), self.field.degree), dtype=wide.dtype)
        out[np.arange(len(plain)), classes[own, lead]] = wide * weights
        return exact(out, values.denominator * common, self.field)


def find_gauge(shape: tuple[int, int], entries: Entries) -> Gauge | None:
    """The scaling of a connected system, if it has one."""
    rows, columns, values = entries
    field = values.field
    if field.is_rational or field.conductor > 1 or (np.count_nonzero(values.numerators, axis=-1) != 1).any():
        return None
    place = values.numerators.astype(bool).argmax(axis=-1)
    classes = _products(field)[0]
    row_class, column_class = np.full(shape[0], -1), np.full(shape[1], -1)
    column_class[0] = 0
    known = 0
    while known < (known := int((row_class >= 0).sum() + (column_class >= 0).sum())):
        _reach(row_class, rows, column_class[columns], place, classes)
        _reach(column_class, columns, row_class[rows], place, classes)
    if (column_class < 0).any() or (classes[place, column_class[columns]] != row_class[rows]).any():
        return None
    return Gauge(field, column_class)


def _reach(target: IndexArray, where: IndexArray, source: IndexArray, place: IndexArray, classes: IndexArray) -> None:
    """Give every unknown end of an entry the class that the other end asks for."""
    ready = (source >= 0) & (target[where] < 0)
    target[where[ready]] = classes[place[ready], source[ready]]


@cache
def _products(field: Field) -> tuple[IndexArray, IndexArray]:
    """sqrt(a) sqrt(b) = gcd(a, b) sqrt(class): (position of the class, gcd) for every pair of radicands."""
    position = {r: k for k, r in enumerate(field.radicands)}
    pairs = [[(position[a * b // gcd(a, b) ** 2], gcd(a, b)) for b in field.radicands] for a in field.radicands]
    table = np.array(pairs, dtype=np.int64)
    return table[..., 0], table[..., 1]

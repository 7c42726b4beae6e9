r"""Systems over $\mathbb{Q}(\sqrt{r_1}, \dots)$ that are rational after scaling
rows and columns by square roots.

Orthonormal bases of rational representations give such systems: every entry is
a rational multiple of one square root, $v_{ij} = q_{ij} \sqrt{s_{ij}}$, with
$s_{ij}$ in the square class of $r_i c_j$. With $x_j = \sqrt{c_j}\, y_j$ the
system for y is rational, and so is its reduced echelon form, from which that of
x follows by scaling.
"""

from __future__ import annotations

from dataclasses import replace
from math import gcd, lcm

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import exact
from pdobasis.exact.components import component_labels
from pdobasis.exact.field import RATIONALS, Field
from pdobasis.exact.integers import bound, widen
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.linear.sparse import Sparse
from pdobasis.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Gauge:
    """The square class of every column, by its place in the radicands."""

    field: Field
    columns: IndexArray

    def rational(self, system: Sparse) -> Sparse:
        r"""The system for y.

        $q\sqrt{s} \cdot \sqrt{c} = q \gcd(s, c) \sqrt{r}$ with r the class of
        the row, which is the same in the whole row and may be left out.
        """
        # a stage may be written in a smaller field, whose roots have other places
        values = system.values.over(self.field)
        place = _root_of(values.numerators)
        _, factors = _products(self.field)
        scale = factors[place, self.columns[system.columns]]
        plain = values.numerators[np.arange(len(place)), place]
        (wide,) = widen(plain, limit=bound(plain) * bound(scale))
        numerators = (wide * scale)[:, None]
        numbers = exact(numerators, values.denominator, RATIONALS)
        return replace(system, values=numbers)

    def restore(self, vectors: Sparse) -> Sparse:
        r"""Echelon vectors of x from those of y, whose entries are sorted.

        $x_j = \sqrt{c_j} y_j$, divided by the $\sqrt{c_l}$ of the leading
        unknown l, so that the vector starts with 1 again:
        $\sqrt{a/b} = \gcd(a, b) \sqrt{[ab]} / b$.
        """
        first = np.searchsorted(vectors.rows, vectors.rows)
        own = self.columns[vectors.columns]
        lead = own[first]
        classes, factors = _products(self.field)
        radicands = np.array(self.field.radicands, dtype=np.int64)
        common = lcm(*(int(c) for c in radicands[np.flatnonzero(np.bincount(lead))]))
        # Over the common multiple of all leading radicands everything is whole.
        scale = factors[own, lead] * (common // radicands[lead])
        plain = vectors.values.numerators[:, 0]
        limit = bound(plain) * bound(scale)
        wide, weights = widen(plain, scale, limit=limit)
        shape = (len(plain), self.field.degree)
        out: IntArray = np.zeros(shape, dtype=wide.dtype)
        out[np.arange(len(plain)), classes[own, lead]] = wide * weights
        denominator = vectors.values.denominator * common
        return replace(vectors, values=exact(out, denominator, self.field))


def find_gauge(system: Sparse) -> Gauge | None:
    """The scaling of a system, if it has one.

    The first column of every connected part is given the class of 1; every entry then tells the class
    of its row from that of its column, and the other way round. A system that
    contradicts itself has no gauge.
    """
    field = system.values.field
    if field.is_rational or field.conductor > 1:
        return None
    numerators = system.values.numerators
    if (np.count_nonzero(numerators, axis=-1) != 1).any():
        return None
    # Only multiples of one square root each can be scaled to rationals.
    place = _root_of(numerators)
    classes, _ = _products(field)
    rows, columns = system.rows, system.columns
    row_class = np.full(system.shape[0], -1)
    column_class = np.full(system.shape[1], -1)
    column_class[component_labels(rows, columns, system.shape)] = 0
    known, before = 1, 0
    while known > before:
        _reach(row_class, rows, column_class[columns], place, classes)
        _reach(column_class, columns, row_class[rows], place, classes)
        before = known
        known = int((row_class >= 0).sum() + (column_class >= 0).sum())
    if (column_class < 0).any():
        return None
    # Round a cycle of entries the square roots need not cancel.
    if (classes[place, column_class[columns]] != row_class[rows]).any():
        return None
    return Gauge(field, column_class)


def _root_of(numerators: IntArray) -> IndexArray:
    """Which square root each number is a multiple of."""
    return np.asarray(numerators.astype(bool).argmax(axis=-1))


def _reach(
    target: IndexArray,
    where: IndexArray,
    source: IndexArray,
    place: IndexArray,
    classes: IndexArray,
) -> None:
    """Give unknown ends of entries the class that the other end asks for."""
    ready = (source >= 0) & (target[where] < 0)
    target[where[ready]] = classes[place[ready], source[ready]]


@remembered
def _products(field: Field) -> tuple[IndexArray, IndexArray]:
    r"""$\sqrt a \sqrt b = \gcd(a, b) \sqrt{[ab]}$ for every pair of radicands.

    (the place of the square class [ab] among the radicands, the gcd)
    """
    position = {r: k for k, r in enumerate(field.radicands)}
    size = len(field.radicands)
    classes = np.zeros((size, size), dtype=np.int64)
    factors = np.zeros((size, size), dtype=np.int64)
    for i, a in enumerate(field.radicands):
        for j, b in enumerate(field.radicands):
            common = gcd(a, b)
            classes[i, j] = position[a * b // common**2]
            factors[i, j] = common
    return classes, factors

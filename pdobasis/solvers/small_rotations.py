r"""Sums of irreps of SO(3) and O(3) of few numbers: :mod:`.rotations` in Python's integers.

$T\chi Q$ between rational bases, and then $D_{out} P D_{in}^{-1}$, all without arrays but the last.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import lcm
from typing import TYPE_CHECKING

from pdobasis.exact.polynomials import count
from pdobasis.exact.roots import with_root
from pdobasis.groups.matrices import without_large_field
from pdobasis.linear.small import Row
from pdobasis.operators.few import Few, Roots, coprime_numbered
from pdobasis.operators.symbols import Symbols
from pdobasis.representations.decomposition import Summand
from pdobasis.representations.intertwiners import SMALL, whole_intertwiners
from pdobasis.representations.rational_bases import Numbers, RationalBasis, norms
from pdobasis.representations.terms import Vector
from pdobasis.solvers.module import Angular
from pdobasis.solvers.small_padding import Line
from pdobasis.solvers.spherical import whole_between
from pdobasis.solvers.whole_maps import cells_of, independent, padded, projections

if TYPE_CHECKING:
    from pdobasis.solvers.rotations import Turned

Symbol = tuple[Summand, Summand, list[Few]]
"""Two irreps, and the element of every order, empty where there is none."""


class FewTurned:
    """Two sums of irreps that meet."""

    def __init__(self, turned: Turned) -> None:
        self.turned = turned
        self.group = turned.sides[0].group

    def solved(self) -> list[Angular] | None:
        """For each order the symbols and the irreps that each connects; None where maps are not small."""
        met, terms = self.turned.met, self.turned.terms
        every: list[Symbol] = []
        for a, b in met.summands:
            source, target = terms[a.name], terms[b.name]
            chis = [whole_between(self.group, source, target, n) for n in met.orders]
            if any(chis):
                every.append((a, b, chis))
        # before any work is done for nothing
        for a, b, _ in every:
            sizes = zip((a, b), self.turned.sides, strict=True)
            if any(own.irrep_size * rep.size > SMALL for own, rep in sizes):
                return None
        sources = {a.name: a for a, _, _ in every}
        targets = {b.name: b for _, b, _ in every}
        back = {name: self._projections(a) for name, a in sources.items()}
        basis = self.turned.bases[1]
        ahead = {name: _inclusions(basis, b) for name, b in targets.items()}
        width = self.turned.sides[0].size
        found = []
        for symbol in every:
            ts, qs = ahead[symbol[1].name], back[symbol[0].name]
            found.append((symbol, [cells_of(t, q, width) for t in ts for q in qs]))
        return [self._together(k, found) for k in range(len(met.orders))]

    def _projections(self, summand: Summand) -> list[list[Line]]:
        basis = self.turned.bases[0]
        ts = _inclusions(basis, summand)
        inner = norms(self.turned.terms[summand.name].degree)
        return projections(ts, _whole(basis.metric), _whole(inner))

    def _together(
        self, k: int, found: list[tuple[Symbol, list[list[Line]]]]
    ) -> Angular:
        """The elements of one order, for every copy of b, then of a."""
        order = self.turned.met.orders[k]
        size = count(3, order)
        elements: list[Row] = []
        labels: list[tuple[str, str]] = []
        for (a, b, chis), cells in found:
            if chis[k]:
                columns = a.irrep_size
                chi = [
                    ((r * columns + c) * size + alpha, v)
                    for (r, c, alpha), v in chis[k].items()
                ]
                elements += [padded(chi, own, size) for own in cells]
                labels += [(a.name, b.name)] * len(cells)
        return Angular(self._symbols(elements, order, labels), tuple(labels))

    def _symbols(
        self, elements: list[Row], order: int, labels: list[tuple[str, str]]
    ) -> Symbols:
        shape = (self.turned.sides[1].size, self.turned.sides[0].size)
        if not elements:
            return coprime_numbered([], 3, order, shape)
        field = self.turned.field(labels)
        part = coprime_numbered(
            elements, 3, order, shape, field, self._roots(order, field.radicands)
        )
        return replace(part, coefficients=without_large_field(part.coefficients))

    def _roots(self, order: int, basis: tuple[int, ...]) -> Roots | None:
        """What makes of rational numbers those between the bases that were asked for."""
        columns, rows = self.turned.squares
        if len({*columns, *rows}) == 1:
            return None
        width, size = len(columns), count(3, order)
        known = {(u, v): with_root(u / v) for u in {*rows} for v in {*columns}}
        common = lcm(*(factor.denominator for factor, _ in known.values()))

        def at(place: int) -> tuple[int, int]:
            r, c = divmod(place // size, width)
            factor, root = known[rows[r], columns[c]]
            return int(factor * common), root

        return Roots(cache(at), basis, None)


def _inclusions(basis: RationalBasis, summand: Summand) -> list[list[Line]]:
    """The columns of every T."""
    if isinstance(basis.rep.term, Vector) or basis.rep.term == summand.irrep.term:
        # the irrep itself, in its own basis
        return [[[(i, 1)] for i in range(basis.rep.size)]]
    maps = whole_intertwiners(summand.irrep, basis.rep)
    return independent(maps, summand.irrep_size)


def _whole(values: Numbers) -> list[int]:
    """Up to a common factor."""
    common = lcm(*(v.denominator for v in values))
    return [int(v * common) for v in values]

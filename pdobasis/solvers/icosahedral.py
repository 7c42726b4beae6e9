r"""Symbols of I and Ih between irreps and between sums of them, in integers: the $T \chi Q$ of :mod:`.reducible`.

The irrep H is $NH_0N^{-1}$ with $T = T_0N^{-1}$, $\chi = N\chi_0N^{-1}$, $Q = NQ_0$. So a product is $T_0\chi_0Q_0$
times a square root of 3 at most, from the first numbers of the three, which are made 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from itertools import product

from pdobasis.bounds.watch import check
from pdobasis.exact.field import RATIONALS, Field, join
from pdobasis.exact.polynomials import count
from pdobasis.groups.group import Group
from pdobasis.operators.symbols import Symbols
from pdobasis.representations.decomposition import Summand, irrep_name
from pdobasis.representations.representation import Representation
from pdobasis.solvers.golden import LargeNumberError, Vector, exactly
from pdobasis.solvers.icosahedral_chis import Chis
from pdobasis.solvers.icosahedral_matrices import ROOTED
from pdobasis.solvers.icosahedral_sides import (
    Copy,
    Side,
    letter_of,
    parity_of,
    side,
)
from pdobasis.solvers.icosahedral_symbols import Element, symbols
from pdobasis.solvers.module import Angular
from pdobasis.solvers.reducible import SMALL, meeting
from pdobasis.values import dataclass

TRIVIAL = ("irrep(A)", "irrep(Ag)")
"""Of all irreps of the catalogue these alone permute their basis."""


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Two irreps that may be connected, by their names, and whether the group permutes what they act on."""

    names: tuple[str, str]
    permuted: tuple[bool, bool]

    @property
    def letters(self) -> tuple[str, str]:
        a, b = map(letter_of, self.names)
        return a, b

    @property
    def is_rooted(self) -> bool:
        return "H" in self.letters

    def admits(self, order: int) -> bool:
        """By their parities, P(-x) is P(x) or -P(x)."""
        parities = [parity_of(name) for name in self.names]
        return "" in parities or (parities.count("u") + order) % 2 == 0


class Icosahedral:
    """The blocks of one question: what their irreps share is found once."""

    def __init__(self, group: Group, orders: Sequence[int]) -> None:
        self.group, self.orders = group, orders
        self._chis = Chis()
        self._sides: dict[Representation, Side | None] = {}

    def knows(self, rep: Representation) -> bool:
        """Whether it is known to be a representation of I or Ih."""
        return not rep.hypothesis.assumed and not rep.hypothesis.cover

    def between_irreps(
        self, rep_in: Representation, rep_out: Representation
    ) -> list[Symbols] | None:
        """All steerable P with ΔP = 0 of each of the orders; None where this is not the road."""
        names = irrep_name(rep_in), irrep_name(rep_out)
        pair = Pair(names, (rep_in.is_permutation, rep_out.is_permutation))
        found = self._elements([pair], rep_in, rep_out)
        if found is None:
            return None
        field = ROOTED if pair.is_rooted else self.group.field
        shape = rep_out.size, rep_in.size
        return [
            symbols(own, n, shape, field)
            for n, (own,) in zip(self.orders, found, strict=True)
        ]

    def angular(
        self, rep_in: Representation, rep_out: Representation
    ) -> list[Angular] | None:
        """The same between sums, with the irreps that each connects."""
        met = meeting(rep_in, rep_out, self.orders)
        if met is None:
            return None
        pairs = [_pair(a, b) for a, b in met.summands]
        found = self._elements(pairs, rep_in, rep_out)
        if found is None:
            return None
        shape = rep_out.size, rep_in.size
        none = self.group.field
        if shape[0] * shape[1] <= SMALL and not any(map(any, found)):
            # no map between irreps and sums is asked for, and so no field of one
            none = RATIONALS
        out = []
        for n, parts in zip(self.orders, found, strict=True):
            used = [pair for pair, own in zip(pairs, parts, strict=True) if own]
            elements = [replace(one, first=None) for own in parts for one in own]
            field = none
            if used:
                own_fields = rep_in.field, rep_out.field
                field = reduce(join, own_fields, self._field(used, pairs, n))
            labels = []
            for pair, own in zip(pairs, parts, strict=True):
                labels += [pair.names] * len(own)
            out.append(Angular(symbols(elements, n, shape, field), tuple(labels)))
        return out

    def _field(self, used: list[Pair], pairs: list[Pair], order: int) -> Field:
        """That of the irreps, and of the systems in which the constraint of all pairs would be solved.

        What is permuted has one of its own from order 2 on.
        """
        for pair in used:
            is_alone = order > 1 and any(pair.permuted)
            others = [p for p in pairs if any(p.permuted) or not is_alone]
            if pair.is_rooted or any(p.is_rooted for p in others):
                return ROOTED
        return self.group.field

    def _elements(
        self, pairs: list[Pair], rep_in: Representation, rep_out: Representation
    ) -> list[list[list[Element]]] | None:
        """For every order and pair, for every copy of b, then of a."""
        try:
            source, target = self._side(rep_in), self._side(rep_out)
            if source is None or target is None:
                return None
            return [
                [self._of_pair(pair, source, target, n) for pair in pairs]
                for n in self.orders
            ]
        except LargeNumberError:
            return None

    def _side(self, rep: Representation) -> Side | None:
        if rep not in self._sides:
            self._sides[rep] = side(rep)
        return self._sides[rep]

    def _of_pair(
        self, pair: Pair, source: Side, target: Side, order: int
    ) -> list[Element]:
        check()
        if not pair.admits(order):
            return []
        names = pair.names
        chis = self._chis.between(*pair.letters, order, pair.permuted)
        if not chis:
            return []
        squares = target.squares, source.squares
        out = []
        for t, q in product(target.inclusions(names[1]), source.projections(names[0])):
            for chi in chis:
                values = _padded(chi.values, t, q, (order, len(source.squares)))
                # up to a square
                root = 1 if chi.root * t.root * q.root in (1, 9) else 3
                out.append(Element(values, root, squares, chi.first))
        return out


def _pair(a: Summand, b: Summand) -> Pair:
    return Pair((a.name, b.name), (a.name in TRIVIAL, b.name in TRIVIAL))


def _padded(chi: Vector, t: Copy, q: Copy, shape: tuple[int, int]) -> Vector:
    """T chi Q, for an order and a number of columns."""
    order, width = shape
    size, inner = count(3, order), len(q.lines)
    found: dict[int, int] = {}
    left = [list(line.values.items()) for line in t.lines]
    right = [list(line.values.items()) for line in q.lines]
    for place, v in chi.values.items():
        cell, alpha = divmod(place, size)
        r, c = divmod(cell, inner)
        for i, x in left[r]:
            own = x * v
            for j, y in right[c]:
                to = (i * width + j) * size + alpha
                found[to] = found.get(to, 0) + own * y
    terms = len(left) * len(right)
    most = t.lines[0].most * q.lines[0].most * chi.most
    return exactly(found, terms * most)

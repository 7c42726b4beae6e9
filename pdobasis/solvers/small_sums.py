r"""Sums of irreps of finite groups whose matrices are rational up to square roots, in Python's integers.

These are the groups of crystals. The same symbols $T \chi Q$ as in :mod:`.reducible`, and the same bytes, with T and Q
from :mod:`.small_parts`.

*Roots stay outside.* An irrep that is rational up to square roots is $\psi = N\psi_0N^{-1}$ (:mod:`.small_roots`). With
$T_0 = TN$, $\chi_0 = N^{-1}\chi N$ and $Q_0 = N^{-1}Q$, which belong to $\psi_0$, the product $T_0\chi_0Q_0$ is
$T\chi Q$. Where space or the representations have roots as well, $P = N_{out}P_0(Ny)N_{in}^{-1}$ is between theirs.
Scaling unknowns scales the vectors of an echelon form, so that each of the three is the one that is found without roots
up to a positive factor, of which a square root at most is left when an element is scaled to coprime integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, reduce
from itertools import product
from math import lcm
from operator import itemgetter

from pdobasis.bounds.watch import step
from pdobasis.exact.arithmetic import squarefree
from pdobasis.exact.field import RATIONALS, Field, join
from pdobasis.exact.polynomials import count, monomials
from pdobasis.groups.group import Group
from pdobasis.operators.few import Roots, coprime_numbered
from pdobasis.operators.symbols import Symbols
from pdobasis.representations.representation import Representation
from pdobasis.solvers.few_elements import MOST, FewElements, divided, few_elements
from pdobasis.solvers.module import Angular
from pdobasis.solvers.reducible import SMALL
from pdobasis.solvers.small_chis import (
    Chi,
    Numbers,
    between,
    is_permuted,
    is_row_major,
    power_of,
)
from pdobasis.solvers.small_fibres import Fibre, fibre_of, space_of
from pdobasis.solvers.small_padding import Line
from pdobasis.solvers.small_parts import OtherRoadError, Part, parts_of
from pdobasis.solvers.small_roots import radicands_of
from pdobasis.solvers.together import AT_ONCE

Cells = list[Line]
"""Which entries of P an entry of chi goes to, by their numbers row by row, and with which factors."""
Found = tuple[Part, Part, list[tuple[Cells, int]], tuple[list[Chi], ...]]
"""Two irreps, where their copies stand with the roots that come with them, and the symbols between both by orders."""


class Order:
    """Elements of one order: their coefficients, the squares of their roots, their irreps; and the field of all."""

    def __init__(
        self,
        elements: list[dict[int, int]],
        roots: list[int],
        labels: list[tuple[str, str]],
        field: Field,
    ) -> None:
        self.elements = elements
        self.roots = roots
        self.labels = labels
        self.field = field


class Sums:
    """The blocks of one question: what their irreps share is solved once."""

    def __init__(self, group: Group, orders: Sequence[int]) -> None:
        self.group = group
        self.orders = orders
        self._coefficients = sum(count(group.dim, n) for n in orders)

    def angular(
        self, rep_in: Representation, rep_out: Representation
    ) -> list[Angular] | None:
        """All steerable P with ΔP = 0 of each of the orders; None where this is not the road."""
        try:
            return self._angular(rep_in, rep_out)
        except OtherRoadError:
            return None

    def between_irreps(
        self, rep_in: Representation, rep_out: Representation
    ) -> list[FewElements] | None:
        """The same of two irreps that are rational: no map stands before or behind, then."""
        fields = self.group.field, rep_in.field, rep_out.field
        if not all(field.is_rational for field in fields):
            return None
        found = between(rep_in, rep_out, max(self.orders))
        if found is None or sum(len(e) for own in found for e, _ in own) > MOST:
            return None
        shape = rep_out.size, rep_in.size
        is_point = is_permuted(rep_in, rep_out)
        out = []
        for n, own in zip(self.orders, found, strict=True):
            size = self.group.dim, n, shape, RATIONALS
            elements = [chi for chi, _ in own]
            if not is_row_major(rep_in, rep_out):
                every = count(self.group.dim, n)
                elements = [_row_by_row(chi, every, shape) for chi in elements]
            if n < 2 or is_point:
                # as the echelon form has them
                firsts = [chi[min(chi)] for chi, _ in own]
                out.append(divided(elements, firsts, *size))
            else:
                out.append(few_elements(elements, *size))
        return out

    def _angular(
        self, rep_in: Representation, rep_out: Representation
    ) -> list[Angular] | None:
        source, target = parts_of(rep_in), parts_of(rep_out)
        if source is None or target is None:
            return None
        sides = fibre_of(rep_in), fibre_of(rep_out)
        pairs = [(a, b) for b in target for a in source]
        fields = self._fields(pairs)
        if fields is None:
            return None
        found: list[Found] = []
        for a, b in pairs:
            step("solving between irreps")
            own = between(a.irrep, b.irrep, max(self.orders))
            if own is None:
                return None
            cells: list[tuple[Cells, int]] = []
            if any(own):
                cells = _all_cells(b, a, rep_in.size)
            found.append((a, b, cells, own))
        is_any = any(map(any, (own for *_, own in found)))
        is_any |= rep_in.size * rep_out.size > SMALL
        every = [
            self._put_together(found, k, fields, is_any)
            for k in range(len(self.orders))
        ]
        shape = rep_out.size, rep_in.size
        are_few = sum(len(e) for own in every for e in own.elements) <= MOST
        out = []
        for n, order in zip(self.orders, every, strict=True):
            scale = None
            if order.elements:
                scale = self._roots(*sides, n, order.field, order.roots)
            size = (self.group.dim, n, shape, order.field)
            part: Symbols | FewElements
            if scale is None and are_few:
                part = few_elements(order.elements, *size)
            else:
                part = coprime_numbered(order.elements, *size, scale)
            out.append(Angular(part, tuple(order.labels)))
        return out

    def _put_together(
        self,
        found: list[Found],
        number: int,
        fields: dict[bool, Field],
        is_any: bool,
    ) -> Order:
        """All T chi Q of one of the orders."""
        order = self.orders[number]
        size = count(self.group.dim, order)
        out = Order([], [], [], RATIONALS)
        for a, b, cells, every in found:
            own = every[number]
            if not own:
                continue
            for to, root in cells:
                for chi, other in own:
                    out.elements.append(_padded(chi, to, size))
                    out.roots.append(squarefree(root * other)[1])
            out.labels += [(a.name, b.name)] * (len(cells) * len(own))
            used = fields[order >= 2 and is_permuted(a.irrep, b.irrep)]
            out.field = reduce(join, (used, a.field, b.field), out.field)
        if not out.elements and is_any:
            out.field = self.group.field
        return out

    def _fields(self, pairs: list[tuple[Part, Part]]) -> dict[bool, Field] | None:
        """In which symbols between irreps are written: those round points, of order 2 and more, and all others.

        As elsewhere those that are solved together come over one field (:func:`.together._apart`): that of the
        generators which are not matrices of signs everywhere. None where it is not known to be this.
        """
        out = {}
        sizes = sum(a.irrep.size * b.irrep.size for a, b in pairs)
        own = self.group.field
        if not own.is_rational:
            # every equation of higher orders has it
            every = [part.irrep.field for pair in pairs for part in pair]
            if reduce(join, every, own) != own or sizes * self._coefficients > AT_ONCE:
                return None
            return dict.fromkeys((False, True), own)
        for is_point in (False, True):
            reps = [
                part
                for a, b in pairs
                if not is_point or is_permuted(a.irrep, b.irrep)
                for part in (a, b)
            ]
            field = RATIONALS
            if not all(own.irrep.field.is_rational for own in reps):
                field = self._field({own.name: own for own in reps}.values())
                if sizes * self._coefficients > AT_ONCE or field.is_rational:
                    return None
                if field.conductor > 1:
                    return None
            out[is_point] = field
        return out

    def _roots(
        self,
        source: Fibre | None,
        target: Fibre | None,
        order: int,
        field: Field,
        own: list[int],
    ) -> Roots | None:
        r"""What brings roots back: $P = N_{out} P_0(Ny) N_{in}^{-1}$, times a number; None where there are none.

        In a field of square roots the first number of an element becomes rational; elsewhere elements keep the factor
        that they have by the echelon forms of T, chi and Q.
        """
        space = space_of(self.group)
        if source is None or target is None or space is None:
            return None
        if {*source.squares, *target.squares, *space.squares} == {1}:
            return None
        scale = lcm(*source.squares)
        # sqrt(r s^alpha / c) = sqrt(r c s^alpha) / c
        cells = [
            (*squarefree(r * c), scale // c)
            for r in target.squares
            for c in source.squares
        ]
        powers = [
            squarefree(power_of(space.squares, alpha))
            for alpha in monomials(self.group.dim, order)
        ]

        # elements share places
        @cache
        def at(place: int) -> tuple[int, int]:
            cell, alpha = divmod(place, len(powers))
            (m, root, over), (n, other) = cells[cell], powers[alpha]
            k, rest = squarefree(root * other)
            return m * n * k * over, rest

        basis = radicands_of(field)
        if basis is None:
            # the roots of a representation beside those of turns: their products have no basis here
            raise OtherRoadError
        return Roots(at, basis, own if field.conductor > 1 else None)

    def _field(self, parts: Iterable[Part]) -> Field:
        every = list(parts)
        space = space_of(self.group)
        others = 0 if space is None else space.side.others
        for part in every:
            others |= part.fibre.side.others
        field = RATIONALS
        for s, g in enumerate(self.group.on_space):
            if others >> s & 1:
                images = [part.irrep.matrices()[s] for part in every]
                field = reduce(join, (m.field for m in (g, *images)), field)
        return field


def _row_by_row(chi: Numbers, monomials: int, shape: tuple[int, int]) -> Numbers:
    """Of what is numbered column by column."""
    rows, columns = shape
    out = {}
    for u, v in chi.items():
        place, alpha = divmod(u, monomials)
        c, r = divmod(place, rows)
        out[(r * columns + c) * monomials + alpha] = v
    return out


def _all_cells(b: Part, a: Part, width: int) -> list[tuple[Cells, int]]:
    """For every copy of b, then of a: where an entry of chi goes, and the root that comes with it."""
    places = list(product(range(b.irrep.size), range(a.irrep.size)))
    if not is_row_major(a.irrep, b.irrep):
        places.sort(key=itemgetter(1))
    out = []
    for t, one in zip(b.copies.inclusions, b.copies.roots, strict=True):
        for q, other in zip(a.copies.projections, a.copies.roots, strict=True):
            cells = [
                [(i * width + j, v * w) for i, v in t[r] for j, w in q[c]]
                for r, c in places
            ]
            out.append((cells, squarefree(one * other)[1]))
    return out


def _padded(chi: Numbers, cells: Cells, monomials: int) -> Numbers:
    """T chi Q: its coefficients by their numbers."""
    found: Numbers = {}
    for u, v in chi.items():
        place, alpha = divmod(u, monomials)
        for cell, factor in cells[place]:
            to = cell * monomials + alpha
            found[to] = found.get(to, 0) + v * factor
    return found

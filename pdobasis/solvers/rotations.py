r"""Sums of irreps of SO(3) and O(3), without square roots: :mod:`.reducible` in rational bases.

With $\rho = D\rho_0 D^{-1}$ (:mod:`pdobasis.representations.rational_bases`) the symbols are $D_{out} P D_{in}^{-1}$, P
between the rational ones. The same holds for irreps $\psi = N\psi_0 N^{-1}$ and maps $T = D T_0 N^{-1}$ from them, and
scaling unknowns only scales the vectors of an echelon form: maps and closed forms lead to the same elements, up to
factors. An element is scaled at the end, so P is found over Q, and its entries get their square roots then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from math import lcm

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.bounds.watch import check, require_room
from pdobasis.exact.array import ExactArray, concatenate, integers
from pdobasis.exact.field import RATIONALS, Field, join, radical
from pdobasis.exact.roots import with_root
from pdobasis.groups.matrices import without_large_field
from pdobasis.operators.symbols import Symbols, tidy
from pdobasis.representations.decomposition import Summand, decomposition
from pdobasis.representations.harmonics import Spherical
from pdobasis.representations.intertwiners import inclusions
from pdobasis.representations.named import irreps_of, made
from pdobasis.representations.rational_bases import (
    Numbers,
    RationalBasis,
    norms,
    rational_basis,
    rational_harmonics_of,
    rooted,
)
from pdobasis.representations.representation import Representation
from pdobasis.solvers.module import Angular
from pdobasis.solvers.reducible import SMALL, Meeting
from pdobasis.solvers.spherical import between
from pdobasis.values import dataclass

TALLEST = 40
"""Binary digits of the ratios of squares up to which this is the faster road: numbers in maps from irreps have as many,
and are lifted from more primes beyond.
"""
WIDE = 50
"""Sizes from which it is always: there are many products in a field, and maps are had without a linear system."""


MOST = 100_000_000
"""Coordinates of numbers that are written over a field although they are rational: 2 GB have no room for so many."""
LARGEST = 1 << 12
"""No field of harmonics has a larger degree: orders up to 18 have the roots of the twelve primes up to 37."""


@dataclass(frozen=True, slots=True, eq=False)
class RationalDecomposition:
    """As :class:`.Decomposition`, of a rational representation into rational irreps."""

    basis: RationalBasis
    summands: tuple[Summand, ...]
    terms: dict[str, Spherical]

    @property
    def rep(self) -> Representation:
        return self.basis.rep

    def inclusions(self, *summands: Summand) -> tuple[list[ExactArray], ...]:
        return inclusions(self.rep, tuple((s.irrep, s.multiplicity) for s in summands))

    def projections(self, *summands: Summand) -> tuple[list[ExactArray], ...]:
        """Up to a factor, from $U = M_\\psi^{-1} T^T M$: the adjoint of a map intertwines, too."""
        metric = _whole(self.basis.metric)
        out = []
        for s, ts in zip(summands, self.inclusions(*summands), strict=True):
            psi = _whole([1 / v for v in norms(self.terms[s.name].degree)])
            us = [t.T * metric * psi.reshape(-1, 1) for t in ts]
            out.append(_dual(us, ts))
        return tuple(out)


def _whole(values: Sequence[Fraction]) -> ExactArray:
    """Up to a common factor."""
    common = lcm(*(v.denominator for v in values))
    return integers(np.array([int(v * common) for v in values], dtype=object))


def _dual(us: list[ExactArray], ts: list[ExactArray]) -> list[ExactArray]:
    """Q with $Q_i T_j = 0$ for $i \\ne j$: by Schur all $U_i T_j$ are numbers, which their first entries tell."""
    if len(us) == 1:
        return us
    first = concatenate([u[:1] for u in us]) @ concatenate([t[:, :1] for t in ts], 1)
    shape = us[0].shape
    every = concatenate([u.reshape(1, -1) for u in us])
    found = first.inverse() @ every
    return [found[k].reshape(*shape) for k in range(len(us))]


@dataclass(frozen=True, slots=True, eq=False)
class Turned:
    """Two sums of irreps that meet, and what they are in the bases that were asked for."""

    met: Meeting
    bases: tuple[RationalBasis, RationalBasis]
    sides: tuple[Representation, Representation]
    squares: tuple[Numbers, Numbers]
    terms: dict[str, Spherical]

    def solved(self) -> list[Angular]:
        """For each order the symbols and the irreps that each connects."""
        group = self.sides[0].group
        few = self._few()
        if few is not None:
            return few
        chis = [
            between(group, self.terms[a.name], self.terms[b.name], self.met.orders)
            for a, b in self.met.summands
        ]
        found = self.met.put_together(chis)
        if self._stay_rational(found):
            return found
        return [self._scaled(own) for own in found]

    def _few(self) -> list[Angular] | None:
        """The same in Python's integers; None where numbers are many."""
        rep_in, rep_out = self.sides
        if rep_in.size * rep_out.size > SMALL:
            return None
        # loaded where there are few
        from pdobasis.solvers.small_rotations import FewTurned

        return FewTurned(self).solved()

    def _stay_rational(self, found: Sequence[Angular]) -> bool:
        """Whether all entries have one root, which scales elements as a whole, and zeros beside them were too many.

        Fewer are written over the field of their irreps all the same: fingerprints of layers tell it.
        """
        if len({*self.squares[0], *self.squares[1]}) > 1:
            return False
        sizes = [own.symbols.coefficients.numerators.size for own in found]
        # few numbers are few in every field
        if sum(sizes) * LARGEST <= MOST:
            return False
        fields = [self._field(own) for own in found]
        return sum(n * f.degree for n, f in zip(sizes, fields, strict=True)) > MOST

    def _field(self, own: Angular) -> Field:
        return self.field(own.irreps)

    def field(self, labels: Iterable[tuple[str, str]]) -> Field:
        """Of both sides, and of the irreps that the symbols connect."""
        field = reduce(join, (rep.field for rep in self.sides))
        for name in {name for label in labels for name in label}:
            field = join(field, _field(self.terms[name].degree))
        return field

    def _scaled(self, own: Angular) -> Angular:
        if not own.irreps:
            return own
        field = self._field(own)
        size = own.symbols.coefficients.numerators.size * field.degree
        require_room(8 * size, "elements between irreps with square roots")
        check()
        part = _with_roots(own.symbols, *self.squares, field)
        values = without_large_field(part.coefficients)
        return Angular(replace(part, coefficients=values), own.irreps)


def meeting(
    rep_in: Representation, rep_out: Representation, orders: Sequence[int]
) -> Turned | None:
    """None where there are no rational bases, or none with small numbers."""
    bases = rational_basis(rep_in), rational_basis(rep_out)
    if bases[0] is None or bases[1] is None:
        return None
    is_large = max(rep_in.size, rep_out.size) >= WIDE
    if not is_large and max(map(_height, (bases[0], bases[1]))) > TALLEST:
        return None
    source, target = decomposed(bases[0]), decomposed(bases[1])
    if source is None or target is None:
        return None
    met = Meeting(source, target, tuple(orders))
    squares = bases[0].squares, bases[1].squares
    return Turned(
        met,
        (bases[0], bases[1]),
        (rep_in, rep_out),
        squares,
        source.terms | target.terms,
    )


def _height(basis: RationalBasis) -> int:
    """Binary digits of what the square roots in a basis differ by."""
    first, *others = dict.fromkeys(basis.squares)
    ratios = (v / first for v in others)
    return max(((q.numerator * q.denominator).bit_length() for q in ratios), default=0)


def decomposed(basis: RationalBasis) -> RationalDecomposition | None:
    found = decomposition(basis.rep)
    if found is None:
        return None
    group = basis.rep.group
    top = max((s.degree or 0 for s in found.summands), default=0)
    terms: dict[str, Spherical] = {}
    known = irreps_of(group, top)
    summands = []
    for s in found.summands:
        term = known[s.name]
        if not isinstance(term, Spherical):
            return None
        own = terms[s.name] = rational_harmonics_of(term)
        summands.append(replace(s, made=partial(made, group, own, s.name)))
    return RationalDecomposition(basis, tuple(summands), terms)


@remembered
def _field(degree: int) -> Field:
    """Of the ratios of the square roots in an orthonormal basis."""
    if degree < 2:
        return RATIONALS
    squares = norms(degree)
    return radical(*(with_root(v / squares[0])[1] for v in squares))


def _with_roots(
    part: Symbols, squares_in: Numbers, squares_out: Numbers, field: Field
) -> Symbols:
    """$D_{out} P D_{in}^{-1}$, every element times the square root that leaves its first entry rational."""
    values = part.coefficients
    if field == RATIONALS or len({*squares_in, *squares_out}) == 1:
        return replace(part, coefficients=values.over(field))
    starts = np.searchsorted(part.element, np.arange(part.size))
    place = part.row, part.column
    first = starts[part.element]
    scaled = rooted(values, place, first, (squares_in, squares_out), field)
    return tidy(replace(part, coefficients=scaled))

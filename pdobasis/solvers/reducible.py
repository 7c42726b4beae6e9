r"""Sums of irreps: solve between the irreps, pad, and change the basis back.

With $Q\rho Q^{-1}$ block diagonal for both representations, the symbols are
$Q_{out}^{-1} P Q_{in}$, where P has one block between two irreps (paper,
"Decomposition into irreducible representations").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from itertools import compress
from typing import Literal, Protocol

from pdobasis.bounds.watch import check, require_room
from pdobasis.exact.array import ExactArray, concatenate, exact, identity
from pdobasis.exact.field import Field, join
from pdobasis.groups.matrices import without_large_field
from pdobasis.operators.few import Few, are_few, coprime
from pdobasis.operators.symbols import (
    Symbols,
    dense,
    empty,
    from_dense,
    tidy,
)
from pdobasis.representations.decomposition import (
    Summand,
    decomposition,
)
from pdobasis.representations.representation import Representation
from pdobasis.solvers.module import Angular
from pdobasis.solvers.padding import Piece, brought_back, lines_of
from pdobasis.solvers.small_padding import Maps, Padding
from pdobasis.values import dataclass

Pair = tuple[Representation, Representation]

SMALL = 100
"""Entries of P up to which few rational numbers are brought back without arrays."""
LARGE = 100_000
"""Numbers of all elements over the basis of the field, zeros as well, from which it is worth to look for zeros."""
WORTH = 4
"""Numbers of an array that take as long as one that is brought back by itself."""


class Decomposed(Protocol):
    """A representation as a sum of irreps, and the maps from each and to each of them."""

    @property
    def rep(self) -> Representation: ...

    @property
    def summands(self) -> tuple[Summand, ...]: ...

    def inclusions(self, *summands: Summand) -> tuple[list[ExactArray], ...]: ...

    def projections(self, *summands: Summand) -> tuple[list[ExactArray], ...]: ...


@dataclass(frozen=True, slots=True, eq=False)
class Meeting:
    """Two sums of irreps, and which irreps of both may be connected."""

    source: Decomposed
    target: Decomposed
    orders: tuple[int, ...]

    @property
    def summands(self) -> list[tuple[Summand, Summand]]:
        out = []
        for b in self.target.summands:
            out += [(a, b) for a in self.source.summands if a.may_meet(b, self.orders)]
        return out

    @property
    def pairs(self) -> list[Pair]:
        """Between which the symbols of all the orders are needed."""
        return [(a.irrep, b.irrep) for a, b in self.summands]

    def by_schur(self) -> list[list[Symbols]] | None:
        """Symbols of order 0 between the pairs: multiples of 1 from an irrep to itself, and none to another.

        None where more commutes with an irrep, and for rational groups, whose systems are as soon solved. The field is
        that of the constraint for all pairs.
        """
        group = self.source.rep.group
        every = (*self.source.summands, *self.target.summands)
        if self.orders != (0,) or not group.is_finite or group.field.is_rational:
            return None
        if any(s.type > 1 for s in every):
            return None
        rooted = (s.irrep.field for s in every if s.needs_roots)
        field = reduce(join, rooted, group.field)
        out = []
        for a, b in self.summands:
            part = empty(group.dim, 0, (b.irrep_size, a.irrep_size), field)
            if a.name == b.name:
                one = identity(a.irrep_size, field).reshape(1, *part.shape, 1)
                part = from_dense(one, group.dim, 0)
            out.append([part])
        return out

    def put_together(self, solved: list[list[Symbols]]) -> list[Angular]:
        """For each order the symbols and the irreps that each connects, from those between the pairs."""
        pieces: list[list[ExactArray]] = [[] for _ in self.orders]
        labels: list[list[tuple[str, str]]] = [[] for _ in self.orders]
        joined = [any(part.size for part in parts) for parts in solved]
        used = list(compress(self.summands, joined))
        projections = _maps(self.source, [a for a, _ in used], "projections")
        inclusions = _maps(self.target, [b for _, b in used], "inclusions")
        chosen = list(compress(solved, joined))
        size = self.source.rep.size * self.target.rep.size
        if size <= SMALL and all(are_few(part) for parts in chosen for part in parts):
            few = self._few_together(chosen, used, projections, inclusions)
            if few is not None:
                return few
        scattered = self._scattered(chosen, used, projections, inclusions)
        if scattered is not None:
            return scattered
        require_room(8 * self._numbers(chosen, used), "matrices of all elements")
        for (a, b), parts in zip(used, chosen, strict=True):
            check()
            found = {k: dense(part) for k, part in enumerate(parts) if part.size}
            spread = _spread(found, projections[a.name], inclusions[b.name])
            for k, own in spread.items():
                pieces[k].append(own)
                labels[k] += [(a.name, b.name)] * len(own)
        out = []
        for k, n in enumerate(self.orders):
            check()
            part = _put_together(self.source.rep, self.target.rep, n, pieces[k])
            out.append(Angular(part, tuple(labels[k])))
        return out

    def _scattered(
        self,
        solved: list[list[Symbols]],
        used: list[tuple[Summand, Summand]],
        projections: Maps,
        inclusions: Maps,
    ) -> list[Angular] | None:
        """The same entry by entry; None where arrays are small, or hold few zeros."""
        whole = self._numbers(solved, used)
        maps = [
            m for own in (projections, inclusions) for ms in own.values() for m in ms
        ]
        if whole * max((m.field.degree for m in maps), default=1) <= LARGE:
            return None
        left = {name: lines_of([t.T for t in own]) for name, own in inclusions.items()}
        right = {name: lines_of(own) for name, own in projections.items()}
        every: list[list[tuple[tuple[str, str], Piece]]] = [[] for _ in self.orders]
        products = 0
        for (a, b), parts in zip(used, solved, strict=True):
            for k, part in enumerate(parts):
                if part.size:
                    piece = Piece(part, left[b.name], right[a.name])
                    every[k].append(((a.name, b.name), piece))
                    products += piece.products * part.coefficients.shape[1]
        if WORTH * products > whole:
            return None
        out = []
        for n, own in zip(self.orders, every, strict=True):
            check()
            labels = [label for label, piece in own for _ in range(piece.size)]
            pieces = [piece for _, piece in own]
            part = _scattered_together(self.source.rep, self.target.rep, n, pieces)
            out.append(Angular(part, tuple(labels)))
        return out

    def _numbers(
        self, solved: list[list[Symbols]], used: list[tuple[Summand, Summand]]
    ) -> int:
        """Coefficients of all elements that the symbols between irreps lead to, zeros among them."""
        size = self.source.rep.size * self.target.rep.size
        whole = 0
        for (a, b), parts in zip(used, solved, strict=True):
            copies = a.multiplicity * b.multiplicity * size
            whole += sum(copies * p.size * p.coefficients.shape[1] for p in parts)
        return whole

    def _few_together(
        self,
        solved: list[list[Symbols]],
        used: list[tuple[Summand, Summand]],
        projections: Maps,
        inclusions: Maps,
    ) -> list[Angular] | None:
        """The same of few numbers, without arrays; None where they are large, or have no images."""
        out = []
        every = Padding(projections, inclusions)
        is_rational = every.is_rational and all(
            part.coefficients.field.is_rational for parts in solved for part in parts
        )
        for k, n in enumerate(self.orders):
            parts = [
                (a.name, b.name, own[k])
                for (a, b), own in zip(used, solved, strict=True)
                if own[k].size
            ]
            field = every.field(parts)
            if not parts and not is_rational:
                field = self.source.rep.group.field
            elements: list[Few] = []
            labels: list[tuple[str, str]] = []
            for a, b, part in parts:
                own = every.padded(a, b, part, field)
                if own is None:
                    return None
                elements += own
                labels += [(a, b)] * len(own)
            shape = (self.target.rep.size, self.source.rep.size)
            dim = self.source.rep.group.dim
            whole = coprime(elements, dim, n, shape, field)
            out.append(Angular(whole, tuple(labels)))
        return out


def meeting(
    rep_in: Representation, rep_out: Representation, orders: Sequence[int]
) -> Meeting | None:
    """None where the irreps are not known."""
    source, target = decomposition(rep_in), decomposition(rep_out)
    if source is None or target is None:
        return None
    return Meeting(source, target, tuple(orders))


def _put_together(
    rep_in: Representation,
    rep_out: Representation,
    order: int,
    pieces: list[ExactArray],
) -> Symbols:
    group = rep_in.group
    if not pieces:
        shape = (rep_out.size, rep_in.size)
        return empty(group.dim, order, shape, group.field)
    return _tidied(from_dense(concatenate(pieces), group.dim, order))


def _scattered_together(
    rep_in: Representation, rep_out: Representation, order: int, pieces: list[Piece]
) -> Symbols:
    group, shape = rep_in.group, (rep_out.size, rep_in.size)
    if not pieces:
        return empty(group.dim, order, shape, group.field)
    return _tidied(brought_back(pieces, shape))


def _tidied(part: Symbols) -> Symbols:
    """Every element is scaled to coprime integers, whatever its factor was.

    Roots that the bases of irreps brought in go out again with them.
    """
    part = tidy(part)
    return replace(part, coefficients=without_large_field(part.coefficients))


def _maps(
    found: Decomposed,
    used: list[Summand],
    kind: Literal["projections", "inclusions"],
) -> Maps:
    """Of every summand that is used, from one linear system."""
    once = {s.name: s for s in used}
    if found.rep.group.is_finite and any(_is_shared(s, found.rep) for s in used):
        # those of all summands: then other blocks find them ready
        once = {s.name: s for s in found.summands}
    return dict(zip(once, getattr(found, kind)(*once.values()), strict=True))


def _is_shared(s: Summand, rep: Representation) -> bool:
    """Whether the maps are found with those of other irreps."""
    if s.term is not None:
        return False
    from pdobasis.representations.intertwiners import are_together

    return are_together(s.irrep, rep)


def _spread(
    found: dict[int, ExactArray],
    projections: list[ExactArray],
    inclusions: list[ExactArray],
) -> dict[int, ExactArray]:
    """Q_out^-1 chi Q_in for every pair of copies, of symbols chi of several orders, each up to a positive factor.

    (element, row, column, monomial), for every copy of b, then of a.
    """
    right = _whole(concatenate(projections, axis=1))
    left = _whole(concatenate(inclusions).T)
    copies_in, copies_out = len(projections), len(inclusions)
    height, width = inclusions[0].shape[0], projections[0].shape[1]
    out: dict[int, ExactArray] = {}
    for numbers in _by_field(found):
        # The maps act on rows and columns alone: the coefficients of all elements,
        # monomials and orders are matrices, one below the other.
        every = concatenate([_matrices(_whole(found[k])) for k in numbers])
        moved = (every @ right).transpose(0, 2, 1) @ left
        start = 0
        for k in numbers:
            size, _, _, monomials = found[k].shape
            own = moved[start : start + size * monomials]
            start += size * monomials
            apart = own.reshape(size, monomials, copies_in, width, copies_out, height)
            ordered = apart.transpose(4, 2, 0, 5, 3, 1)
            shape = (copies_out * copies_in * size, height, width, monomials)
            out[k] = ordered.reshape(*shape)
    return out


def _by_field(found: dict[int, ExactArray]) -> list[list[int]]:
    """The orders whose symbols have one field: together they stay in it, which is that of the answer."""
    orders: dict[Field, list[int]] = {}
    for k, chi in found.items():
        orders.setdefault(chi.field, []).append(k)
    return list(orders.values())


def _whole(values: ExactArray) -> ExactArray:
    """Without the denominator: elements are scaled at the end, and whole numbers have nothing to be reduced by."""
    return exact(values.numerators, 1, values.field)


def _matrices(chi: ExactArray) -> ExactArray:
    """(element, row, column, monomial) as matrices, for every element and monomial."""
    size, rows, columns, monomials = chi.shape
    return chi.transpose(0, 3, 1, 2).reshape(size * monomials, rows, columns)

r"""Representations of groups of crystals taken apart: the maps T from their irreps, and Q back, in Python's integers.

*Maps are symbols.* $T\psi(g) = \rho(g)T$ is the constraint of order 0, so one road solves for T and for symbols. Which
irreps occur is told by weights, where a formula has them: then only those that connect with something are mapped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import lcm
from typing import TypeVar

from pdobasis.bounds.caches import remembered
from pdobasis.exact.arithmetic import squarefree
from pdobasis.exact.field import Field, join
from pdobasis.groups.group import CatalogueTerm
from pdobasis.linear.small import echelon, first_independent, null_vectors
from pdobasis.representations.crystal_counts import crystal_counts
from pdobasis.representations.decomposition import (
    Summand,
    decomposed,
    irrep_name,
)
from pdobasis.representations.named import irreps_of, made
from pdobasis.representations.representation import Representation
from pdobasis.solvers.small import Action, Pairing
from pdobasis.solvers.small_fibres import Fibre, fibre_of, space_of
from pdobasis.solvers.small_padding import Line
from pdobasis.values import dataclass

T = TypeVar("T")
Map = dict[int, int]
"""The entries of a map to a representation that are not zero, by their numbers, row by row."""


@dataclass(frozen=True, slots=True, eq=False)
class Copies:
    """Of an irrep: the columns of every T, and the rows of every Q, up to a positive factor each.

    ``roots`` are the squares of what every T is multiplied by, up to squares of rational numbers.
    """

    inclusions: list[list[Line]]
    projections: list[list[Line]]
    roots: list[int]


class Part:
    """All copies of an irrep; ``field`` is that in which the maps are written with their roots."""

    def __init__(
        self,
        name: str,
        irrep: Representation,
        fibre: Fibre,
        field: Field,
        find: Callable[[], Copies],
    ) -> None:
        self.name = name
        self.irrep = irrep
        self.fibre = fibre
        self.field = field
        self._find = find
        self._copies: Copies | None = None

    @property
    def copies(self) -> Copies:
        """Found when they are asked for: an irrep often connects with nothing."""
        if self._copies is None:
            self._copies = self._find()
        return self._copies


def parts_of(rep: Representation) -> tuple[Part, ...] | None:
    """The irreps of a representation; None where it is not of this kind, or where they are not known."""
    return _parts_of(rep, rep.group.term)


@remembered
def _parts_of(
    rep: Representation, term: CatalogueTerm | None
) -> tuple[Part, ...] | None:
    """``term`` is part of the key, as for decompositions."""
    whole, space = fibre_of(rep), space_of(rep.group)
    if space is None or whole is None:
        return None
    name = irrep_name(rep)
    irreps = irreps_of(rep.group, 0)
    if name:
        # a map of the whole is 1, in whatever field the irrep is written
        psi = made(rep.group, irreps[name], name)
        one = [[(i, 1)] for i in range(rep.size)]
        return (Part(name, psi, whole, rep.field, lambda: Copies([one], [one], [1])),)
    maps = _Maps(Action(rep.group.dim, space.side, 0), rep, whole)
    out = []
    try:
        for summand in _summands(rep, maps):
            psi = summand.irrep
            fibre = _required(fibre_of(psi))
            find = partial(maps.copies, summand)
            field = join(psi.field, rep.field)
            out.append(Part(summand.name, psi, fibre, field, find))
        if not all(own.is_orthogonal for own in (whole, *(p.fibre for p in out))):
            return tuple(_inverted(out, rep.size))
    except OtherRoadError:
        return None
    return tuple(out)


def _summands(rep: Representation, maps: _Maps) -> Sequence[Summand]:
    """By weights where a formula has them, else by a count of maps."""
    irreps = irreps_of(rep.group, 0)
    counted = crystal_counts(rep)
    if counted is None:
        found = decomposed(rep, maps.count)
        if found is None:
            raise OtherRoadError
        return found.summands
    out = []
    for name, own in counted.items():
        psi = made(rep.group, irreps[name], name)
        out.append(Summand(name, partial(_same, psi), psi.size, own.times, own.kind))
    return out


def _inverted(parts: list[Part], size: int) -> Iterator[Part]:
    """With the projections to all irreps, as the rows of the inverse of all inclusions."""
    whole = [[0] * size for _ in range(size)]
    lines = [line for part in parts for t in part.copies.inclusions for line in t]
    for k, line in enumerate(lines):
        for i, v in line:
            whole[i][k] = v
    rows = iter([(i, v) for i, v in enumerate(row) if v] for row in _inverse(whole))
    for part in parts:
        own = part.copies
        every = [[next(rows) for _ in t] for t in own.inclusions]
        found = replace(own, projections=every)
        yield Part(part.name, part.irrep, part.fibre, part.field, partial(_same, found))


def _same(found: T) -> T:
    return found


class _Maps:
    """All maps from irreps to a representation, as they are asked for."""

    def __init__(self, action: Action, rep: Representation, whole: Fibre) -> None:
        self.action = action
        self.rep = rep
        self.whole = whole
        self._known: dict[int, list[Map]] = {}

    def count(self, psi: Representation, rep: Representation) -> int:
        """The dimension."""
        found = self._between(psi, rep)
        if rep is self.rep:
            self._known[id(psi)] = found
        return len(found)

    def copies(self, summand: Summand) -> Copies:
        psi, whole = summand.irrep, self.whole
        fibre = _required(fibre_of(psi))
        if id(psi) not in self._known:
            self._known[id(psi)] = self._between(psi, self.rep)
        ts = _independent(self._known[id(psi)], summand.multiplicity, psi.size)
        columns = [_columns(t, psi.size) for t in ts]
        rows: list[list[Line]] = []
        if whole.is_orthogonal and fibre.is_orthogonal:
            both = whole.squares, fibre.squares
            rows = _projections(columns, both, is_real=summand.type == 1)
        # with its root the first entry of T is 1
        roots = []
        for t in ts:
            i, j = divmod(min(t), psi.size)
            roots.append(squarefree(whole.squares[i] * fibre.squares[j])[1])
        return Copies(columns, rows, roots)

    def _between(self, psi: Representation, rep: Representation) -> list[Map]:
        rho = _required(fibre_of(psi)).side, _required(fibre_of(rep)).side
        pairing = Pairing(self.action, rho, is_row_major=True)
        found = pairing.solutions(0)
        if found is None:
            raise OtherRoadError
        return found


def _required(fibre: Fibre | None) -> Fibre:
    if fibre is None:
        raise OtherRoadError
    return fibre


class OtherRoadError(Exception):
    """An irrep is not of this kind."""


def _columns(t: Map, width: int) -> list[Line]:
    out: list[Line] = [[] for _ in range(width)]
    for u, v in t.items():
        i, j = divmod(u, width)
        out[j].append((i, v))
    return out


def _independent(maps: list[Map], wanted: int, width: int) -> list[Map]:
    """As many as wanted, the first whose images are independent."""
    if len(maps) == wanted:
        return maps
    chosen: list[Map] = []
    lines: list[dict[int, int]] = []
    for t in maps:
        more = [*lines, *map(dict, _columns(t, width))]
        # Schur: it adds a copy of the irrep, or nothing
        if len(chosen) < wanted and len(first_independent(more)) == len(more):
            chosen.append(t)
            lines = more
    return chosen


def _projections(
    inclusions: list[list[Line]],
    both: tuple[tuple[int, ...], tuple[int, ...]],
    *,
    is_real: bool,
) -> list[list[Line]]:
    r"""$Q = (UT)^{-1}U$, where $U_k = N^{-2}T_k^TN_\rho^2$ are maps back, since $\rho$ and $\psi$ are orthogonal.

    Where only numbers commute with the irrep all $U_kT_l$ are numbers, and so is $UT$ for one T (it is symmetric with
    respect to $N^2$).
    """
    outer, squares = both
    scale = lcm(*squares)
    back = [
        [
            [(i, outer[i] * v * (scale // c)) for i, v in line]
            for line, c in zip(t, squares, strict=True)
        ]
        for t in inclusions
    ]
    if len(inclusions) == 1:
        return back
    size = 1 if is_real else len(squares)
    us = [u[j] for u in back for j in range(size)]
    ts = [dict(t[j]) for t in inclusions for j in range(size)]
    products = [[sum(v * t.get(i, 0) for i, v in u) for t in ts] for u in us]
    if is_real and all(len(row) - row.count(0) == 1 for row in products):
        # the numbers of one T are squares of columns, which are positive
        return back
    rows = _inverse(products)
    width = range(len(squares))
    if is_real:
        return [[_sum(row, [u[j] for u in back]) for j in width] for row in rows]
    return [
        [_sum(row, us) for row in rows[k : k + size]] for k in range(0, len(rows), size)
    ]


def _sum(factors: list[int], lines: list[Line]) -> Line:
    found: dict[int, int] = {}
    for v, line in zip(factors, lines, strict=True):
        for i, w in line:
            found[i] = found.get(i, 0) + v * w
    return sorted((i, v) for i, v in found.items() if v)


def _inverse(m: list[list[int]]) -> list[list[int]]:
    """Up to a positive factor: the solutions of m q = e, with the unknowns of e before those of q."""
    size = len(m)
    rows = [
        {i: -1, **{size + j: v for j, v in enumerate(row) if v}}
        for i, row in enumerate(m)
    ]
    columns, _ = null_vectors(echelon(rows), 2 * size)
    out = [[0] * size for _ in m]
    for k, column in enumerate(columns):
        for j, v in column[1:]:
            out[j - size][k] = v
    return out

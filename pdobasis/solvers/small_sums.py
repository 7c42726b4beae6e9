r"""Sums of irreps of a finite group that permutes coordinates up to signs, in Python's integers from end to end.

The same symbols $T \chi Q$ as in :mod:`.reducible`, and the same bytes. Two things make it short.

*Maps are symbols.* $T\psi(g) = \rho(g)T$ is the constraint of order 0, so one road solves for T and for $\chi$.

*Roots stay outside.* An irrep that is rational up to square roots is $\psi = N\psi_0N^{-1}$ (:mod:`.small_roots`). With
$T_0 = TN$, $\chi_0 = N^{-1}\chi N$ and $Q_0 = N^{-1}Q$, which belong to $\psi_0$, the product $T_0\chi_0Q_0$ is
$T\chi Q$. Scaling unknowns scales the vectors of an echelon form, so that each of the three is the one that is found
for $\psi_0$ up to a positive factor, which goes when an element is scaled to coprime integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from itertools import product
from math import lcm

from pdobasis.bounds.caches import remembered
from pdobasis.bounds.watch import step
from pdobasis.exact.field import RATIONALS, Field, join
from pdobasis.exact.polynomials import count
from pdobasis.groups.group import CatalogueTerm, Group
from pdobasis.linear.small import Independent, echelon, first_independent, null_vectors
from pdobasis.operators.few import Few, Place, coprime_numbered, harmonic_part
from pdobasis.operators.symbols import Symbols
from pdobasis.representations.decomposition import decomposed, irrep_name
from pdobasis.representations.named import irreps_of, made
from pdobasis.representations.representation import Representation
from pdobasis.solvers.module import Angular
from pdobasis.solvers.more_signs import Word, with_words, words
from pdobasis.solvers.small import Action, Pairing, Places
from pdobasis.solvers.small_actions import Side, Whole, is_rational, side
from pdobasis.solvers.small_padding import Line
from pdobasis.solvers.small_roots import unrooted
from pdobasis.solvers.together import AT_ONCE
from pdobasis.values import dataclass

Map = dict[int, int]
"""The entries of a map to a representation that are not zero, by their numbers, row by row."""


@dataclass(frozen=True, slots=True, eq=False)
class Fibre:
    r"""A representation without its roots: $\psi_0$, and the squares c of what N has on its diagonal."""

    size: int
    side: Side
    squares: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """All copies of an irrep: the columns of every T, and the rows of every Q, up to a positive factor each.

    ``field`` is that in which the maps are written with their roots.
    """

    name: str
    irrep: Representation
    fibre: Fibre
    inclusions: list[list[Line]]
    projections: list[list[Line]]
    field: Field


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """What the generators do on space, and which elements besides are matrices of signs."""

    side: Side
    words: list[Word]


@remembered
def space_of(group: Group) -> Space | None:
    """None where generators do more than to permute coordinates up to signs."""
    if not group.is_finite or not all(is_rational(m) for m in group.on_space):
        return None
    own = side(group.on_space, (), group.dim)
    if not _is_signed(own):
        return None
    every = words(own)
    return Space(with_words(own, every), every)


def _is_signed(own: Side) -> bool:
    return own.signed == (1 << len(own.generators)) - 1


@remembered
def _fibre(rep: Representation) -> Fibre | None:
    """None where rho is not orthogonal, or not rational up to square roots."""
    found, space = unrooted(rep), space_of(rep.group)
    if found is None or space is None:
        return None
    own = side(found.rep.matrices(), (), rep.size)
    is_orthogonal = _is_signed(own) or all(
        _is_orthogonal(m, found.classes) for m in own.generators
    )
    if not is_orthogonal:
        return None
    return Fibre(rep.size, with_words(own, space.words), found.classes)


def _is_orthogonal(m: Whole, squares: Sequence[int]) -> bool:
    r"""Whether $m^T N^2 m = N^2$, for m times its denominator: $NmN^{-1}$ is orthogonal, then."""
    columns = [dict(column) for column in m.columns]
    for (j, one), (k, other) in product(enumerate(columns), repeat=2):
        found = sum(squares[i] * v * other.get(i, 0) for i, v in one.items())
        if found != (squares[j] * m.denominator**2 if j == k else 0):
            return False
    return True


def parts_of(rep: Representation) -> tuple[Part, ...] | None:
    """The irreps of a representation; None where it is not of this kind, or where they are not known."""
    return _parts_of(rep, rep.group.term)


@remembered
def _parts_of(
    rep: Representation, term: CatalogueTerm | None
) -> tuple[Part, ...] | None:
    """``term`` is part of the key, as for decompositions."""
    whole, space = _fibre(rep), space_of(rep.group)
    if space is None or whole is None or not _is_signed(whole.side):
        return None
    name = irrep_name(rep)
    if name:
        # a map of the whole is 1, in whatever field the irrep is written
        psi = made(rep.group, irreps_of(rep.group, 0)[name], name)
        one = [[(i, 1)] for i in range(rep.size)]
        return (Part(name, psi, whole, [one], [one], rep.field),)
    maps = _Maps(Action(rep.group.dim, space.side, 0))
    try:
        found = decomposed(rep, maps.count)
    except _OtherRoadError:
        return None
    if found is None:
        return None
    out = []
    for summand in found.summands:
        psi = summand.irrep
        fibre, every = maps.known[id(psi), id(rep)]
        ts = _independent(every, summand.multiplicity, psi.size)
        columns = [_columns(t, psi.size) for t in ts]
        rows = _projections(columns, fibre.squares, is_real=summand.type == 1)
        field = join(psi.field, rep.field)
        out.append(Part(summand.name, psi, fibre, columns, rows, field))
    return tuple(out)


class _Maps:
    """All maps from irreps, as they are asked for."""

    def __init__(self, action: Action) -> None:
        self.action = action
        self.known: dict[tuple[int, int], tuple[Fibre, list[Map]]] = {}

    def count(self, psi: Representation, rep: Representation) -> int:
        """The dimension."""
        source, target = _fibre(psi), _fibre(rep)
        if source is None or target is None:
            raise _OtherRoadError
        pairing = Pairing(self.action, (source.side, target.side), is_row_major=True)
        found = pairing.solutions(0)
        if found is None:
            raise _OtherRoadError
        self.known[id(psi), id(rep)] = source, found
        return len(found)


class _OtherRoadError(Exception):
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
    inclusions: list[list[Line]], squares: tuple[int, ...], *, is_real: bool
) -> list[list[Line]]:
    r"""$Q = (UT)^{-1}U$, where $U_k = N^{-2}T_k^T$ are maps back, since $\rho$ and $N\psi_0N^{-1}$ are orthogonal.

    Where only numbers commute with the irrep all $U_kT_l$ are numbers, and so is $UT$ for one T (it is symmetric with
    respect to $N^2$).
    """
    scale = lcm(*squares)
    back = [
        [
            [(i, v * (scale // c)) for i, v in line]
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


class Sums:
    """The blocks of one question: what their irreps share is solved once."""

    def __init__(self, group: Group, orders: Sequence[int]) -> None:
        self.group = group
        self.orders = orders
        self._action: Action | None = None
        self._known: dict[tuple[str, str], list[list[Few]] | None] = {}
        self._coefficients = sum(count(group.dim, n) for n in orders)

    def angular(
        self, rep_in: Representation, rep_out: Representation
    ) -> list[Angular] | None:
        """All steerable P with ΔP = 0 of each of the orders; None where this is not the road."""
        source, target = parts_of(rep_in), parts_of(rep_out)
        if source is None or target is None:
            return None
        pairs = [(a, b) for b in target for a in source]
        fields = self._fields(pairs)
        if fields is None:
            return None
        found = []
        for a, b in pairs:
            own = self._between(a, b)
            if own is None:
                return None
            cells = []
            if any(own):
                # for every copy of b, then of a
                every = product(b.inclusions, a.projections)
                cells = [_cells(t, q, rep_in.size) for t, q in every]
            found.append((a, b, cells, own))
        out = []
        for k, n in enumerate(self.orders):
            elements: list[dict[int, int]] = []
            labels: list[tuple[str, str]] = []
            field = RATIONALS
            monomials = count(self.group.dim, n)
            for a, b, cells, own in found:
                if own[k]:
                    more = [_padded(chi, c, monomials) for c in cells for chi in own[k]]
                    elements += more
                    labels += [(a.name, b.name)] * len(more)
                    used = fields[n >= 2 and _is_permuted(a, b)]
                    field = reduce(join, (used, a.field, b.field), field)
            shape = rep_out.size, rep_in.size
            part = _over(coprime_numbered(elements, self.group.dim, n, shape), field)
            out.append(Angular(part, tuple(labels)))
        return out

    def _fields(self, pairs: list[tuple[Part, Part]]) -> dict[bool, Field] | None:
        """In which symbols between irreps are written: those round points, of order 2 and more, and all others.

        As elsewhere those that are solved together come over one field (:func:`.together._apart`): that of the
        generators which are not matrices of signs everywhere. None where it is not known to be this.
        """
        out = {}
        for is_permuted in (False, True):
            reps = [
                part
                for a, b in pairs
                if not is_permuted or _is_permuted(a, b)
                for part in (a, b)
            ]
            field = RATIONALS
            if not all(own.irrep.field.is_rational for own in reps):
                sizes = sum(a.irrep.size * b.irrep.size for a, b in pairs)
                field = self._field({own.name: own for own in reps}.values())
                if sizes * self._coefficients > AT_ONCE or field.is_rational:
                    return None
                if field.conductor > 1:
                    return None
            out[is_permuted] = field
        return out

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

    def _between(self, a: Part, b: Part) -> list[list[Few]] | None:
        """The harmonic symbols between two irreps, of every order."""
        key = a.name, b.name
        if key not in self._known:
            step("solving between irreps")
            self._known[key] = self._solved(a, b)
        return self._known[key]

    def _solved(self, a: Part, b: Part) -> list[list[Few]] | None:
        dim = self.group.dim
        if self._action is None:
            space = space_of(self.group)
            if space is None:
                return None
            self._action = Action(dim, space.side, max(self.orders))
        is_point = _is_permuted(a, b)
        is_row_major = b.irrep.is_permutation and not a.irrep.is_permutation
        rho = a.fibre.side, b.fibre.side
        pairing = Pairing(self._action, rho, is_row_major=is_row_major)
        out: list[list[Few]] = []
        sizes: list[int] = []
        for n in self.orders:
            found = pairing.solutions(n, harmonic=n >= 2 and is_point)
            if found is None:
                return None
            elements = [_placed(own, pairing.places, count(dim, n)) for own in found]
            sizes.append(len(elements))
            if n >= 2 and not is_point:
                elements = _harmonic(elements, dim, n, sizes[n - 2])
            out.append(elements)
        return out


def _harmonic(elements: list[Few], dim: int, order: int, lower: int) -> list[Few]:
    """The first harmonic parts that are independent; ``lower`` elements are multiples of r^2."""
    wanted = len(elements) - lower
    if not lower or not wanted:
        return elements[:wanted]
    out: list[Few] = []
    # as many as there are: the others need not be looked at
    parts = (harmonic_part(own, dim, order) for own in elements)
    pivots: Independent[Place] = Independent()
    for part in parts:
        if pivots.adds(part):
            out.append(part)
            if len(out) == wanted:
                break
    return out


def _placed(own: dict[int, int], places: Places, monomials: int) -> Few:
    return {(*places[u // monomials], u % monomials): v for u, v in own.items()}


def _is_permuted(a: Part, b: Part) -> bool:
    return a.irrep.is_permutation or b.irrep.is_permutation


Cells = list[list[Line]]
"""Which entries of P an entry of chi goes to, by their numbers row by row, and with which factors."""


def _cells(columns: list[Line], rows: list[Line], width: int) -> Cells:
    """By the columns of T and the rows of Q."""
    return [
        [[(i * width + j, t * q) for i, t in column for j, q in row] for row in rows]
        for column in columns
    ]


def _padded(chi: Few, cells: Cells, monomials: int) -> dict[int, int]:
    """T chi Q: its coefficients by their numbers."""
    found: dict[int, int] = {}
    for (r, c, alpha), v in chi.items():
        for cell, factor in cells[r][c]:
            place = cell * monomials + alpha
            found[place] = found.get(place, 0) + v * factor
    return found


def _over(part: Symbols, field: Field) -> Symbols:
    if field.is_rational:
        return part
    return replace(part, coefficients=part.coefficients.over(field))

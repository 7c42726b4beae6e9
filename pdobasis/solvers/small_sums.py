r"""Sums of irreps of finite groups whose matrices are rational up to square roots, in Python's integers.

These are the groups of crystals. The same symbols $T \chi Q$ as in :mod:`.reducible`, and the same bytes; two things
make it short.

*Maps are symbols.* $T\psi(g) = \rho(g)T$ is the constraint of order 0, so one road solves for T and for $\chi$.

*Roots stay outside.* An irrep that is rational up to square roots is $\psi = N\psi_0N^{-1}$ (:mod:`.small_roots`). With
$T_0 = TN$, $\chi_0 = N^{-1}\chi N$ and $Q_0 = N^{-1}Q$, which belong to $\psi_0$, the product $T_0\chi_0Q_0$ is
$T\chi Q$. Where space or the representations have roots as well, $P = N_{out}P_0(Ny)N_{in}^{-1}$ is between theirs.
Scaling unknowns scales the vectors of an echelon form, so that each of the three is the one that is found without roots
up to a positive factor, of which a square root at most is left when an element is scaled to coprime integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, reduce
from itertools import product
from math import lcm, prod

from pdobasis.bounds.caches import remembered
from pdobasis.bounds.watch import step
from pdobasis.exact.arithmetic import squarefree
from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import RATIONALS, Field, join
from pdobasis.exact.polynomials import count, monomials
from pdobasis.groups.group import CatalogueTerm, Group
from pdobasis.linear.small import Independent, echelon, first_independent, null_vectors
from pdobasis.operators.few import Few, Place, Roots, coprime_numbered, harmonic_part
from pdobasis.representations.decomposition import decomposed, irrep_name
from pdobasis.representations.named import irreps_of, made
from pdobasis.representations.representation import Representation
from pdobasis.solvers.module import Angular
from pdobasis.solvers.more_signs import Word, with_words, words
from pdobasis.solvers.reducible import SMALL
from pdobasis.solvers.small import Action, Pairing, Places
from pdobasis.solvers.small_actions import Side, Whole, is_rational, side
from pdobasis.solvers.small_padding import Line
from pdobasis.solvers.small_roots import radicands_of, without_roots
from pdobasis.solvers.together import AT_ONCE
from pdobasis.values import dataclass

Map = dict[int, int]
"""The entries of a map to a representation that are not zero, by their numbers, row by row."""


@dataclass(frozen=True, slots=True, eq=False)
class Fibre:
    r"""A representation without its roots: $\psi_0$, and the squares c of what N has on its diagonal.

    ``is_orthogonal`` says whether $\psi = N\psi_0N^{-1}$ is.
    """

    size: int
    side: Side
    squares: tuple[int, ...]
    is_orthogonal: bool


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """All copies of an irrep: the columns of every T, and the rows of every Q, up to a positive factor each.

    ``field`` is that in which the maps are written with their roots, and ``roots`` are the squares of what every T is
    multiplied by, up to squares of rational numbers.
    """

    name: str
    irrep: Representation
    fibre: Fibre
    inclusions: list[list[Line]]
    projections: list[list[Line]]
    roots: list[int]
    field: Field


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """What the generators do on space without roots, and which elements besides are matrices of signs."""

    side: Side
    words: list[Word]
    squares: tuple[int, ...]


@remembered
def space_of(group: Group) -> Space | None:
    """None where generators are not rational up to square roots."""
    if not group.is_finite:
        return None
    found = _unrooted(group.on_space, group.dim)
    if found is None:
        return None
    own = side(found[0], (), group.dim)
    every = words(own)
    return Space(with_words(own, every), every, found[1])


def _unrooted(
    matrices: tuple[ExactArray, ...], size: int
) -> tuple[tuple[ExactArray, ...], tuple[int, ...]] | None:
    if all(is_rational(m) for m in matrices):
        return matrices, (1,) * size
    return without_roots(matrices, size)


def _is_signed(own: Side) -> bool:
    return own.signed == (1 << len(own.generators)) - 1


@remembered
def _fibre(rep: Representation) -> Fibre | None:
    """None where rho is not rational up to square roots."""
    found, space = _unrooted(rep.matrices(), rep.size), space_of(rep.group)
    if found is None or space is None:
        return None
    matrices, squares = found
    own = side(matrices, (), rep.size)
    is_orthogonal = _is_signed(own) or all(
        _is_orthogonal(m, squares) for m in own.generators
    )
    return Fibre(rep.size, with_words(own, space.words), squares, is_orthogonal)


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
    if space is None or whole is None:
        return None
    name = irrep_name(rep)
    if name:
        # a map of the whole is 1, in whatever field the irrep is written
        psi = made(rep.group, irreps_of(rep.group, 0)[name], name)
        one = [[(i, 1)] for i in range(rep.size)]
        return (Part(name, psi, whole, [one], [one], [1], rep.field),)
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
        rows: list[list[Line]] = []
        if whole.is_orthogonal and fibre.is_orthogonal:
            both = whole.squares, fibre.squares
            rows = _projections(columns, both, is_real=summand.type == 1)
        field = join(psi.field, rep.field)
        # with its root the first entry of T is 1
        roots = []
        for t in ts:
            i, j = divmod(min(t), psi.size)
            roots.append(squarefree(whole.squares[i] * fibre.squares[j])[1])
        out.append(Part(summand.name, psi, fibre, columns, rows, roots, field))
    if all(part.projections for part in out):
        return tuple(out)
    return tuple(_inverted(out, rep.size))


def _inverted(parts: list[Part], size: int) -> Iterator[Part]:
    """With the projections to all irreps, as the rows of the inverse of all inclusions."""
    whole = [[0] * size for _ in range(size)]
    lines = [line for part in parts for t in part.inclusions for line in t]
    for k, line in enumerate(lines):
        for i, v in line:
            whole[i][k] = v
    rows = iter([(i, v) for i, v in enumerate(row) if v] for row in _inverse(whole))
    for part in parts:
        every = [[next(rows) for _ in t] for t in part.inclusions]
        yield replace(part, projections=every)


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


Chi = tuple[Few, int]
"""A symbol without its roots, and the square of what it is multiplied by, up to the square of a rational number."""


class Sums:
    """The blocks of one question: what their irreps share is solved once."""

    def __init__(self, group: Group, orders: Sequence[int]) -> None:
        self.group = group
        self.orders = orders
        self._action: Action | None = None
        self._squares: tuple[int, ...] = ()
        self._known: dict[tuple[str, str], list[list[Chi]] | None] = {}
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
                copies = product(
                    zip(b.inclusions, b.roots, strict=True),
                    zip(a.projections, a.roots, strict=True),
                )
                cells = [
                    (_cells(t, q, rep_in.size), squarefree(one * other)[1])
                    for (t, one), (q, other) in copies
                ]
            found.append((a, b, cells, own))
        out = []
        is_any = any(map(any, (own for *_, own in found)))
        is_any |= rep_in.size * rep_out.size > SMALL
        for k, n in enumerate(self.orders):
            elements: list[dict[int, int]] = []
            roots: list[int] = []
            labels: list[tuple[str, str]] = []
            field = RATIONALS
            size = count(self.group.dim, n)
            for a, b, cells, own in found:
                if own[k]:
                    for to, root in cells:
                        for chi, other in own[k]:
                            elements.append(_padded(chi, to, size))
                            roots.append(squarefree(root * other)[1])
                    labels += [(a.name, b.name)] * (len(cells) * len(own[k]))
                    used = fields[n >= 2 and _is_permuted(a, b)]
                    field = reduce(join, (used, a.field, b.field), field)
            shape = rep_out.size, rep_in.size
            if not elements and is_any:
                field = self.group.field
            scale = None
            if elements:
                scale = self._roots(rep_in, rep_out, n, field, roots)
            part = coprime_numbered(elements, self.group.dim, n, shape, field, scale)
            out.append(Angular(part, tuple(labels)))
        return out

    def _root(
        self, own: dict[int, int], order: int, a: Part, b: Part, places: Places
    ) -> int:
        """Of a symbol between irreps: with its root the first unknown is 1."""
        if not self._squares:
            return 1
        powers = monomials(self.group.dim, order)
        place, alpha = divmod(min(own), len(powers))
        r, c = places[place]
        both = b.fibre.squares[r] * a.fibre.squares[c]
        return squarefree(both * _power(self._squares, powers[alpha]))[1]

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
        for is_permuted in (False, True):
            reps = [
                part
                for a, b in pairs
                if not is_permuted or _is_permuted(a, b)
                for part in (a, b)
            ]
            field = RATIONALS
            if not all(own.irrep.field.is_rational for own in reps):
                field = self._field({own.name: own for own in reps}.values())
                if sizes * self._coefficients > AT_ONCE or field.is_rational:
                    return None
                if field.conductor > 1:
                    return None
            out[is_permuted] = field
        return out

    def _roots(
        self,
        rep_in: Representation,
        rep_out: Representation,
        order: int,
        field: Field,
        own: list[int],
    ) -> Roots | None:
        r"""What brings roots back: $P = N_{out} P_0(Ny) N_{in}^{-1}$, times a number; None where there are none.

        In a field of square roots the first number of an element becomes rational; elsewhere elements keep the factor
        that they have by the echelon forms of T, chi and Q.
        """
        source, target, space = _fibre(rep_in), _fibre(rep_out), space_of(self.group)
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
            squarefree(_power(space.squares, alpha))
            for alpha in monomials(self.group.dim, order)
        ]

        # elements share places
        @cache
        def at(place: int) -> tuple[int, int]:
            cell, alpha = divmod(place, len(powers))
            (m, root, over), (n, other) = cells[cell], powers[alpha]
            k, rest = squarefree(root * other)
            return m * n * k * over, rest

        basis = radicands_of(field) or ()
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

    def _between(self, a: Part, b: Part) -> list[list[Chi]] | None:
        """The harmonic symbols between two irreps, of every order."""
        key = a.name, b.name
        if key not in self._known:
            step("solving between irreps")
            self._known[key] = self._solved(a, b)
        return self._known[key]

    def _solved(self, a: Part, b: Part) -> list[list[Chi]] | None:
        dim = self.group.dim
        if self._action is None:
            space = space_of(self.group)
            if space is None:
                return None
            self._squares = () if max(space.squares) == 1 else space.squares
            self._action = Action(dim, space.side, max(self.orders), self._squares)
        is_point = _is_permuted(a, b)
        is_row_major = b.irrep.is_permutation and not a.irrep.is_permutation
        rho = a.fibre.side, b.fibre.side
        pairing = Pairing(self._action, rho, is_row_major=is_row_major)
        out: list[list[Chi]] = []
        sizes: list[int] = []
        for n in self.orders:
            found = pairing.solutions(n, harmonic=n >= 2 and is_point)
            if found is None:
                return None
            elements = [
                (
                    _placed(own, pairing.places, count(dim, n)),
                    self._root(own, n, a, b, pairing.places),
                )
                for own in found
            ]
            sizes.append(len(elements))
            if n >= 2 and not is_point:
                lower = sizes[n - 2]
                elements = _harmonic(elements, dim, n, lower, self._squares)
            out.append(elements)
        return out


def _harmonic(
    elements: list[Chi], dim: int, order: int, lower: int, squares: tuple[int, ...]
) -> list[Chi]:
    """The first harmonic parts that are independent; ``lower`` elements are multiples of r^2."""
    wanted = len(elements) - lower
    if not lower or not wanted:
        return elements[:wanted]
    out: list[Chi] = []
    pivots: Independent[Place] = Independent()
    for own, root in elements:
        part = harmonic_part(own, dim, order, squares)
        if pivots.adds(part):
            out.append((part, root))
            # as many as there are: the others need not be looked at
            if len(out) == wanted:
                break
    return out


def _placed(own: dict[int, int], places: Places, monomials: int) -> Few:
    return {(*places[u // monomials], u % monomials): v for u, v in own.items()}


def _power(squares: tuple[int, ...], alpha: tuple[int, ...]) -> int:
    return prod(c**k for c, k in zip(squares, alpha, strict=True))


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

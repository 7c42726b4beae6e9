r"""The constraint of small questions over Q, solved in Python's integers from the matrices to the symbols.

The same steps as in :mod:`.together`, and the same bytes. A task is solved by itself:

1. an element that is a matrix of signs everywhere forbids coefficients (:mod:`.signs`);
2. generators that permute coordinates and fibres up to signs take coefficients to each other: all of an orbit are the
   same up to signs, or zero where a way round comes back with the other sign;
3. what the others ask for, and the Laplacian of harmonic symbols, is an equation for one unknown of each orbit.

Orbits are numbered by their first coefficients, so that their sums are in reduced echelon form, and so are the
combinations that are left (echelon forms compose, see :mod:`pdobasis.linear.stages`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import numpy as np

from pdobasis.exact.array import exact
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.integers import INT_LIMIT
from pdobasis.exact.polynomials import count, parities
from pdobasis.groups.lie import generating_indices
from pdobasis.linear.small import Row, echelon, null_vectors
from pdobasis.operators.few import laplacians
from pdobasis.operators.symbols import Index, Symbols, empty
from pdobasis.representations.representation import Representation
from pdobasis.solvers.batch import Task
from pdobasis.solvers.small_actions import (
    Line,
    Side,
    Whole,
    drifts,
    side,
    substitutions,
)
from pdobasis.values import dataclass

SMALL = 1_200
"""Unknowns of all tasks together, up to which NumPy would spend its time on calls."""
FEW = 100
"""Unknowns of one task that signs and permutations may leave to equations: elimination grows with their square."""
HIGH = 5
"""The highest of all orders from which it is worth to keep solutions of one for the others."""

ZERO = 2
"""In the place of a sign, for a coefficient that vanishes."""

Orbit = list[tuple[int, int]]
"""Coefficients by their numbers, and their signs; the first is the lowest, and positive."""


def is_small(tasks: Sequence[Task]) -> bool:
    """Whether this is the road for the tasks, which are of one group."""
    if sum(task.unknowns for task in tasks) > SMALL:
        return False
    group = tasks[0].group
    matrices = [*group.on_space, *group.lie_on_space]
    for rep in {id(r): r for t in tasks for r in (t.rep_in, t.rep_out)}.values():
        matrices += [*rep.generators, *rep.lie]
    return all(m.field.is_rational for m in matrices)


def solve_small(
    tasks: Sequence[Task], *, harmonic: bool = False
) -> list[Symbols] | None:
    """The solutions of every task, all or the harmonic ones; None where the systems turn out not to be small."""
    group = tasks[0].group
    space = side(group.on_space, group.lie_on_space, group.dim)
    action = Action(group.dim, space, max(task.order for task in tasks))
    lie = generating_indices(group)
    sides: dict[Representation, Side] = {}
    for task in tasks:
        for rep in (task.rep_in, task.rep_out):
            if rep in sides:
                continue
            if moves_as_space(rep):
                sides[rep] = space
            else:
                sides[rep] = side(rep.matrices(), rep.lie, rep.size)
    pairings: dict[tuple[int, int], Pairing] = {}
    numbered = []
    for task in tasks:
        rho = sides[task.rep_in], sides[task.rep_out]
        key = id(task.rep_in), id(task.rep_out)
        if key not in pairings:
            pairings[key] = Pairing(action, rho, is_row_major=task.is_row_major)
        unknowns = pairings[key].unknowns(task.order)
        numbered.append((pairings[key], unknowns))
        if len(unknowns.orbits) > FEW and (pairings[key].others or lie or harmonic):
            return None
    out = []
    for task, (pairing, unknowns) in zip(tasks, numbered, strict=True):
        equations = [
            *pairing.equations(task.order, unknowns),
            *_of_lie(task.order, unknowns, action, pairing.rho, lie),
        ]
        if harmonic:
            equations += _of_laplacian(task.order, unknowns, action)
        out.append(_symbols(task, unknowns, *_solved(unknowns, equations)))
    return out


def moves_as_space(rep: Representation) -> bool:
    """Whether it is by the matrices that move x, as vectors are: then nothing about them is found twice."""
    group = rep.group
    if rep.size != group.dim or rep.lie != group.lie_on_space:
        return False
    return rep.matrices() == group.on_space


class Action:
    """What all tasks share: a group on space and on the monomials of all orders, listed when they are asked for."""

    def __init__(
        self, dim: int, space: Side, order: int, squares: tuple[int, ...] = ()
    ) -> None:
        self.dim = dim
        self.squares = squares
        self.space = space
        self.order = order
        self._substitutions: dict[int, list[list[Line]]] = {}
        self._drifts: dict[tuple[int, int], list[Line]] = {}
        self._by_mask: dict[tuple[int, int], dict[int, list[int]]] = {}

    @property
    def is_turned(self) -> bool:
        """Whether all generators keep an axis, the last of three, and orders are so high that this is worth a thought.

        Matrices of signs that tell the other two apart leave little to equations: then it is not.
        """
        if self.dim != 3 or self.order < HIGH or len({*self.space.masks[:2]}) > 1:
            return False
        return all(
            line == [(2, line[0][1])] and abs(line[0][1]) == g.denominator
            for g in self.space.generators
            for line in (g.rows[2], g.columns[2])
        )

    def by_mask(self, order: int, is_sign: int) -> dict[int, list[int]]:
        """The monomials by the elements that change their signs, of those that have a bit in ``is_sign``."""
        key = order, is_sign
        if key not in self._by_mask:
            found: dict[int, list[int]] = {}
            for odd, alphas in parities(self.dim, order):
                mask = 0
                for i in odd:
                    mask ^= self.space.masks[i] & is_sign
                if mask in found:
                    alphas = sorted(found[mask] + alphas)
                found[mask] = alphas
            self._by_mask[key] = found
        return self._by_mask[key]

    def substitution(self, s: int, order: int) -> list[Line]:
        """Of generator s."""
        if s not in self._substitutions:
            g = self.space.generators[s]
            self._substitutions[s] = substitutions(g, self.dim, self.order)
        return self._substitutions[s][order]

    def drift(self, k: int, order: int) -> list[Line]:
        """Of Lie generator k."""
        if (k, order) not in self._drifts:
            self._drifts[k, order] = drifts(self.space.lie[k], self.dim, order)
        return self._drifts[k, order]


class Layout:
    """Coefficients have the numbers ``start[row][column] + alpha``; ``places`` are the entries of P in this order."""

    def __init__(self, places: Places, index: list[list[int]], monomials: int) -> None:
        self.places = places
        self.monomials = monomials
        self.count: int = len(places) * monomials
        self.start = [[k * monomials for k in row] for row in index]


Places = list[tuple[int, int]]
"""(row, column) of entries of P."""


class Pairing:
    """Two fibres under one action, and what signs and signed permutations do to the entries of P, for all orders.

    ``others`` are the generators that are neither.
    """

    def __init__(
        self, action: Action, rho: tuple[Side, Side], *, is_row_major: bool
    ) -> None:
        self.action = action
        self.rho = rho
        rho_in, rho_out = rho
        columns, rows = range(len(rho_in.masks)), range(len(rho_out.masks))
        if is_row_major:
            self.places = [(r, c) for r in rows for c in columns]
            self.index = [[r * len(columns) + c for c in columns] for r in rows]
        else:
            self.places = [(r, c) for c in columns for r in rows]
            self.index = [[c * len(rows) + r for c in columns] for r in rows]
        space = action.space
        positive = space.positive | rho_in.positive | rho_out.positive
        negative = space.negative | rho_in.negative | rho_out.negative
        # One angle for all: pi where squares are negative, else i pi.
        is_none = space.others | rho_in.others | rho_out.others | (positive & negative)
        self.is_sign: int = ~is_none
        odd, other = rho_in.masks, rho_out.masks
        self.masks = [(odd[c] ^ other[r]) & self.is_sign for r, c in self.places]
        signed = space.signed & rho_in.signed & rho_out.signed
        # a matrix of signs asks for nothing else
        left = [s for s in range(len(space.generators)) if is_none >> s & 1]
        self.others = [s for s in left if not signed >> s & 1]
        self.movers = [(s, self._moved(s)) for s in left if signed >> s & 1]
        self.layers: dict[tuple[int, int], list[dict[int, int]] | None] = {}
        """What :mod:`.small_layers` has found, by the order in the plane and the parity along the axis."""

    def _moved(self, s: int) -> list[tuple[int, int]]:
        r"""With $\rho_{in} e_c = \sigma_c e_{p(c)}$ and $\rho_{out} e_r = \tau_r e_{q(r)}$ the number of the entry
        (q(r), p(c)) and $\sigma_c\tau_r$, for every entry (r, c).
        """
        a, b = (own.generators[s].columns for own in self.rho)
        out = []
        for r, c in self.places:
            (p, sigma), (q, tau) = a[c][0], b[r][0]
            out.append((self.index[q][p], sigma * tau))
        return out

    def layout(self, order: int) -> Layout:
        return Layout(self.places, self.index, count(self.action.dim, order))

    def asked(self, order: int) -> Asked:
        """What no matrix of signs forbids."""
        by_mask = self.action.by_mask(order, self.is_sign)
        found = []
        for k, mask in enumerate(self.masks):
            allowed = by_mask.get(mask)
            if allowed:
                found.append((k, allowed))
        return found

    def images(self, order: int, asked: Asked) -> list[Mover]:
        r"""Where signed permutations take coefficients: with $(g^T y)^\alpha = \pm y^\beta$ the constraint is
        $\sigma_c P_{q(r) p(c) \beta} = \pm\tau_r P_{r c \alpha}$.
        """
        m = count(self.action.dim, order)
        out = []
        for s, moved in self.movers:
            monomial = self.action.substitution(s, order)
            images, signs = [0] * (len(moved) * m), [0] * (len(moved) * m)
            for k, allowed in asked:
                (to, own), here = moved[k], k * m
                there = to * m
                for alpha in allowed:
                    beta, sign = monomial[alpha][0]
                    images[here + alpha] = there + beta
                    signs[here + alpha] = own * sign
            out.append((images, signs))
        return out

    def orbits(
        self, order: int, asked: Asked | None = None
    ) -> tuple[Asked, list[int], list[Orbit]]:
        """What is asked, the signs of all coefficients, and one unknown for each orbit of them."""
        if asked is None:
            asked = self.asked(order)
        m = count(self.action.dim, order)
        numbers = [k * m + alpha for k, allowed in asked for alpha in allowed]
        sign = [0] * (len(self.places) * m)
        if self.movers and numbers:
            return asked, sign, _orbits(numbers, self.images(order, asked), sign)
        for u in numbers:
            sign[u] = 1
        return asked, sign, [[(u, 1)] for u in numbers]

    def unknowns(self, order: int, asked: Asked | None = None) -> Unknowns:
        asked, sign, orbits = self.orbits(order, asked)
        orbit = [-1] * len(sign)
        for k, members in enumerate(orbits):
            for u, _ in members:
                orbit[u] = k
        return Unknowns(self.layout(order), asked, orbit, sign, orbits)

    def solutions(
        self, order: int, *, harmonic: bool = False
    ) -> list[dict[int, int]] | None:
        """Those of one order, for a finite group: the coefficients that are not zero, by their numbers.

        Every solution is its vector of the echelon form, up to one positive factor for all; None where many unknowns
        are left to equations.
        """
        if not harmonic and not self.others:
            return [dict(orbit) for orbit in self.orbits(order)[2]]
        if order and self.others and self.action.is_turned:
            # loaded for groups of an axis
            from pdobasis.solvers.small_layers import along_axis

            return along_axis(self, order, harmonic=harmonic)
        return self.left_to_equations(order, self.unknowns(order), harmonic=harmonic)

    def left_to_equations(
        self, order: int, unknowns: Unknowns, *, harmonic: bool = False
    ) -> list[dict[int, int]] | None:
        """The same of some unknowns alone."""
        if len(unknowns.orbits) > FEW:
            return None
        if not unknowns.orbits:
            return []
        equations = [*self.equations(order, unknowns)]
        if harmonic:
            equations += _of_laplacian(order, unknowns, self.action)
        vectors, _ = _solved(unknowns, equations)
        return [
            {u: sign * v for k, v in vector for u, sign in unknowns.orbits[k]}
            for vector in vectors
        ]

    def equations(self, order: int, unknowns: Unknowns) -> Iterator[Row]:
        """What the other generators ask for."""
        return _of_generators(order, unknowns, self.action, self.rho, self.others)


Asked = list[tuple[int, list[int]]]
"""Places by their numbers, and their monomials."""


@dataclass(frozen=True, slots=True, eq=False)
class Unknowns:
    """The coefficients of one task.

    ``asked`` has the monomials that no matrix of signs forbids at its places. ``orbit`` and ``sign`` say which unknown
    a coefficient is, up to its sign; orbit -1 is zero.
    """

    layout: Layout
    asked: Asked
    orbit: list[int]
    sign: list[int]
    orbits: list[Orbit]


Vectors = list[list[tuple[int, int]]]
"""(unknown, numerator) of every solution."""


def _solved(unknowns: Unknowns, equations: list[Row]) -> tuple[Vectors, int]:
    """And the denominator of all."""
    # Short equations first: they leave little to the long ones.
    equations.sort(key=len)
    return null_vectors(echelon(equations), len(unknowns.orbits))


def _symbols(
    task: Task, unknowns: Unknowns, vectors: Vectors, denominator: int
) -> Symbols:
    if not vectors:
        return empty(task.group.dim, task.order, task.shape, RATIONALS)
    index, table = entries_of(task, unknowns, vectors)
    largest = max(abs(v) for vector in vectors for _, v in vector)
    dtype = np.int64 if largest < INT_LIMIT else object
    numbers = np.array(table, dtype=dtype).reshape(len(index[0]), -1, 1)
    coefficients = exact(numbers, denominator, RATIONALS)
    dim, order = task.group.dim, task.order
    return Symbols(dim, order, len(vectors), task.shape, *index, coefficients)


Mover = tuple[list[int], list[int]]
"""Where a signed permutation takes every coefficient, and with which sign."""


def _orbits(
    numbers: Sequence[int], movers: Sequence[Mover], sign: list[int]
) -> list[Orbit]:
    """Those on which P need not vanish; signs are written down on the way."""
    is_asked = bytearray(len(sign))
    for u in numbers:
        is_asked[u] = 1
    out = []
    for u in numbers:
        if sign[u]:
            continue
        sign[u] = 1
        members = [u]
        is_zero = False
        # The list grows while it is read.
        for v in members:
            for images, signs in movers:
                w, own = images[v], sign[v] * signs[v]
                if not is_asked[w]:
                    # What is forbidden takes its orbit with it.
                    is_zero = True
                elif not sign[w]:
                    sign[w] = own
                    members.append(w)
                elif sign[w] != own:
                    is_zero = True
        if is_zero:
            # What leads here later belongs to the same orbit, from which something forbidden was left out: it is zero
            # as well, and told by a number that is no sign.
            for v in members:
                sign[v] = ZERO
        else:
            out.append([(v, sign[v]) for v in sorted(members)])
    return out


Terms = tuple[Line, Line]
"""Where a coefficient stands in the equations, and with which factor: at its own monomial, and at those of a table."""


def _of_generators(
    order: int,
    unknowns: Unknowns,
    action: Action,
    rho: tuple[Side, Side],
    generators: Sequence[int],
) -> Iterator[Row]:
    """P(y) rho_in - rho_out P(g^T y) = 0, times all denominators."""
    for s in generators:
        g, a, b = (own.generators[s] for own in (action.space, *rho))
        factors = b.denominator * g.denominator**order, a.denominator
        terms = partial(_turned, unknowns.layout.start, (a, b), factors)
        yield from _equations(unknowns, terms, action.substitution(s, order))


def _turned(
    start: list[list[int]],
    rho: tuple[Whole, Whole],
    factors: tuple[int, int],
    r: int,
    c: int,
) -> Terms:
    (a, b), (one, other) = rho, factors
    still = [(start[r][j], v * one) for j, v in a.rows[c]]
    return still, [(start[i][c], -v * other) for i, v in b.columns[r]]


def _of_lie(
    order: int,
    unknowns: Unknowns,
    action: Action,
    rho: tuple[Side, Side],
    generators: Sequence[int],
) -> Iterator[Row]:
    """P drho_in - drho_out P - (X^T y).grad P = 0, likewise."""
    for s in generators:
        x, a, b = (own.lie[s] for own in (action.space, *rho))
        drifting, *factors = _cofactors(x, a, b)
        both = factors[0], factors[1]
        terms = partial(_drifted, unknowns.layout.start, (a, b), both, drifting)
        yield from _equations(unknowns, terms, action.drift(s, order))


def _drifted(
    start: list[list[int]],
    rho: tuple[Whole, Whole],
    factors: tuple[int, int],
    drifting: int,
    r: int,
    c: int,
) -> Terms:
    one, other = _turned(start, rho, factors, r, c)
    return one + other, [(start[r][c], -drifting)]


def _equations(
    unknowns: Unknowns, terms: Callable[[int, int], Terms], table: list[Line]
) -> Iterable[Row]:
    """All equations of one generator or Lie generator; each has the number of its place in P."""
    start, orbit, signs = unknowns.layout.start, unknowns.orbit, unknowns.sign
    rows: dict[int, Row] = defaultdict(dict)
    for place, allowed in unknowns.asked:
        r, c = unknowns.layout.places[place]
        still, moved = terms(r, c)
        here = start[r][c]
        for alpha in allowed:
            k, sign = orbit[here + alpha], signs[here + alpha]
            if k < 0:
                continue
            for first, v in still:
                row = rows[first + alpha]
                row[k] = row.get(k, 0) + sign * v
            for first, v in moved:
                own = sign * v
                for beta, w in table[alpha]:
                    row = rows[first + beta]
                    row[k] = row.get(k, 0) + own * w
    return rows.values()


def _of_laplacian(order: int, unknowns: Unknowns, action: Action) -> Iterable[Row]:
    """The Laplacian of every entry of P is zero."""
    rows: dict[tuple[int, int], Row] = defaultdict(dict)
    if order < 2:
        return ()
    table = laplacians(action.dim, order, action.squares)
    for k, orbit in enumerate(unknowns.orbits):
        for u, sign in orbit:
            place, alpha = divmod(u, unknowns.layout.monomials)
            for beta, v in table[alpha]:
                row = rows[place, beta]
                row[k] = row.get(k, 0) + sign * v
    return rows.values()


def _cofactors(*matrices: Whole) -> list[int]:
    """What each lacks when all denominators are multiplied."""
    product = 1
    for m in matrices:
        product *= m.denominator
    return [product // m.denominator for m in matrices]


def entries_of(
    task: Task, unknowns: Unknowns, vectors: Sequence[Sequence[tuple[int, int]]]
) -> tuple[Index, list[int]]:
    """(element, row, column) of the entries of all vectors, sorted, and what stands at their monomials, in one list.

    A vector has (unknown, number) each; a coefficient is the number, or its negative.
    """
    layout, columns = unknowns.layout, task.shape[1]
    m = layout.monomials
    cells = [r * columns + c for r, c in layout.places]
    element: list[int] = []
    row: list[int] = []
    column: list[int] = []
    table: list[int] = []
    for number, vector in enumerate(vectors):
        found: dict[int, list[int]] = {}
        for k, v in vector:
            for u, sign in unknowns.orbits[k]:
                place, alpha = divmod(u, m)
                cell = cells[place]
                if cell not in found:
                    found[cell] = [0] * m
                found[cell][alpha] = sign * v
        # Entries are sorted by row and column, whatever the order of unknowns is.
        for cell in sorted(found):
            element.append(number)
            row.append(cell // columns)
            column.append(cell % columns)
            table += found[cell]
    index = np.array([element, row, column], dtype=np.int64)
    return (index[0], index[1], index[2]), table

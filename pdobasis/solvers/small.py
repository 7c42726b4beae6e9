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
from pdobasis.exact.polynomials import parities
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
    numbered = [
        unknowns_of(task, action, sides[task.rep_in], sides[task.rep_out])
        for task in tasks
    ]
    for unknowns, others in numbered:
        if len(unknowns.orbits) > FEW and (others or lie or harmonic):
            return None
    out = []
    for task, (unknowns, others) in zip(tasks, numbered, strict=True):
        rho = sides[task.rep_in], sides[task.rep_out]
        equations = [
            *_of_generators(task, unknowns, action, rho, others),
            *_of_lie(task, unknowns, action, rho, lie),
        ]
        if harmonic:
            equations += _of_laplacian(task, unknowns)
        out.append(_solved(task, unknowns, equations))
    return out


def moves_as_space(rep: Representation) -> bool:
    """Whether it is by the matrices that move x, as vectors are: then nothing about them is found twice."""
    group = rep.group
    if rep.size != group.dim or rep.lie != group.lie_on_space:
        return False
    return rep.matrices() == group.on_space


class Action:
    """What all tasks share: a group on space and on the monomials of all orders, listed when they are asked for."""

    def __init__(self, dim: int, space: Side, order: int) -> None:
        self.dim = dim
        self.space = space
        self.order = order
        self._substitutions: dict[int, list[list[Line]]] = {}
        self._drifts: dict[tuple[int, int], list[Line]] = {}

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

    def __init__(self, task: Task) -> None:
        rows, columns = task.shape
        self.monomials: int = task.monomials
        self.count: int = rows * columns * self.monomials
        if task.is_row_major:
            across, down = self.monomials, columns * self.monomials
            self.places = [(r, c) for r in range(rows) for c in range(columns)]
        else:
            across, down = rows * self.monomials, self.monomials
            self.places = [(r, c) for c in range(columns) for r in range(rows)]
        every = range(columns)
        self.start = [[r * down + c * across for c in every] for r in range(rows)]


@dataclass(frozen=True, slots=True, eq=False)
class Unknowns:
    """The coefficients of one task, at the places (row, column) in ``asked``.

    ``asked`` has the monomials that no matrix of signs forbids there. ``orbit`` and ``sign`` say which unknown a
    coefficient is, up to its sign; orbit -1 is zero.
    """

    layout: Layout
    asked: list[tuple[int, int, list[int]]]
    orbit: list[int]
    sign: list[int]
    orbits: list[Orbit]


def _solved(task: Task, unknowns: Unknowns, equations: list[Row]) -> Symbols:
    # Short equations first: they leave little to the long ones.
    equations.sort(key=len)
    vectors, denominator = null_vectors(echelon(equations), len(unknowns.orbits))
    if not vectors:
        return empty(task.group.dim, task.order, task.shape, RATIONALS)
    index, table = entries_of(task, unknowns, vectors)
    largest = max(abs(v) for vector in vectors for _, v in vector)
    dtype = np.int64 if largest < INT_LIMIT else object
    numbers = np.array(table, dtype=dtype).reshape(len(index[0]), -1, 1)
    coefficients = exact(numbers, denominator, RATIONALS)
    dim, order = task.group.dim, task.order
    return Symbols(dim, order, len(vectors), task.shape, *index, coefficients)


def unknowns_of(
    task: Task, action: Action, rho_in: Side, rho_out: Side
) -> tuple[Unknowns, list[int]]:
    """What signs and signed permutations leave, and the generators that are neither."""
    space = action.space
    positive = space.positive | rho_in.positive | rho_out.positive
    negative = space.negative | rho_in.negative | rho_out.negative
    # One angle for all: pi where squares are negative, else i pi.
    is_none = space.others | rho_in.others | rho_out.others | (positive & negative)
    movers, others = [], []
    layout = Layout(task)
    for s in range(len(space.generators)):
        bit = 1 << s
        if not is_none & bit:  # a matrix of signs asks for nothing else
            continue
        if space.signed & rho_in.signed & rho_out.signed & bit:
            monomial = action.substitution(s, task.order)
            a, b = rho_in.generators[s], rho_out.generators[s]
            movers.append(_images(layout, monomial, a, b))
        else:
            others.append(s)
    masks = [
        [mask & ~is_none for mask in own.masks] for own in (space, rho_in, rho_out)
    ]
    return _numbered(task, layout, masks, movers), others


Mover = tuple[list[int], list[int]]
"""Where a signed permutation takes every coefficient, and with which sign."""


def _images(
    layout: Layout, monomial: list[Line], rho_in: Whole, rho_out: Whole
) -> Mover:
    r"""With $\rho_{in} e_c = \sigma_c e_{p(c)}$, $\rho_{out} e_r = \tau_r e_{q(r)}$ and $(g^T y)^\alpha = \pm y^\beta$
    the constraint is $\sigma_c P_{q(r) p(c) \beta} = \pm\tau_r P_{r c \alpha}$.
    """
    to = [line[0][0] for line in monomial]
    plus = [line[0][1] for line in monomial]
    minus = [-sign for sign in plus]
    images: list[int] = []
    signs: list[int] = []
    for r, c in layout.places:
        (p, sigma), (q, tau) = rho_in.columns[c][0], rho_out.columns[r][0]
        first = layout.start[q][p]
        images += [first + beta for beta in to]
        signs += plus if sigma == tau else minus
    return images, signs


def _numbered(
    task: Task, layout: Layout, masks: Sequence[list[int]], movers: Sequence[Mover]
) -> Unknowns:
    """Without forbidden coefficients, one unknown for each orbit."""
    of_space, of_columns, of_rows = masks
    by_mask: dict[int, list[int]] = {}
    for odd, alphas in parities(task.group.dim, task.order):
        mask = 0
        for i in odd:
            mask ^= of_space[i]
        if mask in by_mask:
            alphas = sorted(by_mask[mask] + alphas)
        by_mask[mask] = alphas
    asked, numbers = [], []
    for r, c in layout.places:
        allowed = by_mask.get(of_columns[c] ^ of_rows[r])
        if allowed:
            asked.append((r, c, allowed))
            first = layout.start[r][c]
            numbers += [first + alpha for alpha in allowed]
    orbit, sign = [-1] * layout.count, [0] * layout.count
    if not movers:
        for k, u in enumerate(numbers):
            orbit[u], sign[u] = k, 1
        return Unknowns(layout, asked, orbit, sign, [[(u, 1)] for u in numbers])
    orbits = _orbits(numbers, movers, sign)
    for k, members in enumerate(orbits):
        for u, _ in members:
            orbit[u] = k
    return Unknowns(layout, asked, orbit, sign, orbits)


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
        waiting = members = [u]
        is_zero = False
        # The list grows while it is read.
        for v in waiting:
            for images, signs in movers:
                w, own = images[v], sign[v] * signs[v]
                if not sign[w]:
                    sign[w] = own
                    members.append(w)
                    # What is forbidden takes its orbit with it.
                    is_zero |= not is_asked[w]
                elif sign[w] != own:
                    is_zero = True
        if not is_zero:
            out.append([(v, sign[v]) for v in sorted(members)])
    return out


Terms = tuple[Line, Line]
"""Where a coefficient stands in the equations, and with which factor: at its own monomial, and at those of a table."""


def _of_generators(
    task: Task,
    unknowns: Unknowns,
    action: Action,
    rho: tuple[Side, Side],
    generators: Sequence[int],
) -> Iterator[Row]:
    """P(y) rho_in - rho_out P(g^T y) = 0, times all denominators."""
    for s in generators:
        g, a, b = (own.generators[s] for own in (action.space, *rho))
        factors = b.denominator * g.denominator**task.order, a.denominator
        terms = partial(_turned, unknowns.layout.start, (a, b), factors)
        yield from _equations(unknowns, terms, action.substitution(s, task.order))


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
    task: Task,
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
        yield from _equations(unknowns, terms, action.drift(s, task.order))


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
    for r, c, allowed in unknowns.asked:
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


def _of_laplacian(task: Task, unknowns: Unknowns) -> Iterable[Row]:
    """The Laplacian of every entry of P is zero."""
    rows: dict[tuple[int, int], Row] = defaultdict(dict)
    if task.order < 2:
        return ()
    table = laplacians(task.group.dim, task.order)
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

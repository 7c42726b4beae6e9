r"""The constraint of small questions over Q, solved in Python's integers from the matrices to the symbols.

The same steps as in :mod:`.together`, and the same bytes. A task is solved by itself:

1. an element that is a matrix of signs everywhere forbids coefficients (:mod:`.signs`);
2. generators that permute coordinates and fibres up to signs take coefficients to each other: all of an orbit are the
   same up to signs, or zero where a way round comes back with the other sign;
3. what the others ask for is an equation for one unknown of each orbit.

Orbits are numbered by their first coefficients, so that their sums are in reduced echelon form, and so are the
combinations that are left (echelon forms compose, see :mod:`pdobasis.linear.stages`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from pdobasis.exact.array import exact
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.integers import INT_LIMIT
from pdobasis.exact.polynomials import monomials
from pdobasis.groups.group import Group
from pdobasis.groups.lie import generating_indices
from pdobasis.linear.small import Row, echelon, null_vectors
from pdobasis.operators.symbols import Symbols, empty
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

SMALL = 600
"""Unknowns of all tasks together, up to which NumPy would spend its time on calls."""

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


def solve_small(tasks: Sequence[Task]) -> list[Symbols]:
    """The solutions of every task."""
    group = tasks[0].group
    space = side(group.on_space, group.lie_on_space, group.dim)
    action = _Action(group, space, max(task.order for task in tasks))
    sides: dict[Representation, Side] = {}
    for task in tasks:
        for rep in (task.rep_in, task.rep_out):
            if rep not in sides:
                sides[rep] = side(rep.matrices(), rep.lie, rep.size)
    return [
        _solved(task, action, sides[task.rep_in], sides[task.rep_out]) for task in tasks
    ]


class _Action:
    """What all tasks share: a group on space and on the monomials of all orders, listed when they are asked for."""

    def __init__(self, group: Group, space: Side, order: int) -> None:
        self.dim: int = group.dim
        self.space = space
        self.order = order
        self.generating: tuple[int, ...] = generating_indices(group)
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


@dataclass(frozen=True, slots=True, eq=False)
class _Unknowns:
    """The coefficients of one task: number ``start[row][column] + alpha``, at the places (row, column) in ``asked``.

    ``asked`` has the monomials that no matrix of signs forbids there. ``orbit`` and ``sign`` say which multiple of which
    unknown a coefficient is; orbit -1 is zero.
    """

    start: list[list[int]]
    asked: list[tuple[int, int, list[int]]]
    orbit: list[int]
    sign: list[int]
    orbits: list[Orbit]


def _solved(task: Task, action: _Action, rho_in: Side, rho_out: Side) -> Symbols:
    space = action.space
    positive = space.positive | rho_in.positive | rho_out.positive
    negative = space.negative | rho_in.negative | rho_out.negative
    # One angle for all: pi where squares are negative, else i pi.
    is_none = space.others | rho_in.others | rho_out.others | (positive & negative)
    movers, others = [], []
    for s in range(len(space.generators)):
        bit = 1 << s
        if not is_none & bit:  # a matrix of signs asks for nothing else
            continue
        if space.signed & rho_in.signed & rho_out.signed & bit:
            movers.append(_images(task, action, rho_in, rho_out, s))
        else:
            others.append(s)
    masks = [
        [mask & ~is_none for mask in own.masks] for own in (space, rho_in, rho_out)
    ]
    unknowns = _numbered(task, masks, movers)
    rows: dict[int, Row]
    equations: list[Row] = []
    for s in others:
        rows = defaultdict(dict)
        _ask_generator(rows, unknowns, task, action, rho_in, rho_out, s)
        equations += rows.values()
    for k in action.generating:
        rows = defaultdict(dict)
        _ask_lie(rows, unknowns, task, action, rho_in, rho_out, k)
        equations += rows.values()
    # Short equations first: they leave little to the long ones.
    equations.sort(key=len)
    vectors, denominator = null_vectors(echelon(equations), len(unknowns.orbits))
    return _symbols(task, unknowns, vectors, denominator)


Mover = tuple[list[int], list[int]]
"""Where a signed permutation takes every coefficient, and with which sign."""


def _starts(task: Task) -> list[list[int]]:
    """The number of the first coefficient of every entry of P, by row and column."""
    rows, columns = task.shape
    m = task.monomials
    if task.is_row_major:
        return [[(r * columns + c) * m for c in range(columns)] for r in range(rows)]
    return [[(c * rows + r) * m for c in range(columns)] for r in range(rows)]


def _places(task: Task) -> Iterator[tuple[int, int]]:
    """(row, column) in the order of their coefficients."""
    rows, columns = task.shape
    if task.is_row_major:
        for r in range(rows):
            for c in range(columns):
                yield r, c
    else:
        for c in range(columns):
            for r in range(rows):
                yield r, c


def _images(task: Task, action: _Action, rho_in: Side, rho_out: Side, s: int) -> Mover:
    r"""With $\rho_{in} e_c = \sigma_c e_{p(c)}$, $\rho_{out} e_r = \tau_r e_{q(r)}$ and $(g^T y)^\alpha = \pm y^\beta$
    the constraint is $\sigma_c P_{q(r) p(c) \beta} = \pm\tau_r P_{r c \alpha}$.
    """
    start = _starts(task)
    monomial = [line[0] for line in action.substitution(s, task.order)]
    to = [beta for beta, _ in monomial]
    plus = [sign for _, sign in monomial]
    minus = [-sign for sign in plus]
    ins, outs = rho_in.generators[s].columns, rho_out.generators[s].columns
    images: list[int] = []
    signs: list[int] = []
    for r, c in _places(task):
        (p, sigma), (q, tau) = ins[c][0], outs[r][0]
        first = start[q][p]
        images += [first + beta for beta in to]
        signs += plus if sigma == tau else minus
    return images, signs


def _numbered(
    task: Task, masks: Sequence[list[int]], movers: Sequence[Mover]
) -> _Unknowns:
    """Without forbidden coefficients, one unknown for each orbit."""
    of_space, of_columns, of_rows = masks
    by_mask: dict[int, list[int]] = {}
    for alpha, powers in enumerate(monomials(task.group.dim, task.order)):
        mask = 0
        for power, own in zip(powers, of_space, strict=True):
            if power & 1:
                mask ^= own
        by_mask.setdefault(mask, []).append(alpha)
    start = _starts(task)
    asked, numbers = [], []
    for r, c in _places(task):
        allowed = by_mask.get(of_columns[c] ^ of_rows[r])
        if allowed:
            asked.append((r, c, allowed))
            first = start[r][c]
            numbers += [first + alpha for alpha in allowed]
    orbit, sign = [-1] * task.unknowns, [0] * task.unknowns
    if not movers:
        for k, u in enumerate(numbers):
            orbit[u], sign[u] = k, 1
        return _Unknowns(start, asked, orbit, sign, [[(u, 1)] for u in numbers])
    orbits = _orbits(numbers, movers, sign)
    for k, own in enumerate(orbits):
        for u, _ in own:
            orbit[u] = k
    return _Unknowns(start, asked, orbit, sign, orbits)


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


def _ask_generator(
    rows: dict[int, Row],
    unknowns: _Unknowns,
    task: Task,
    action: _Action,
    rho_in: Side,
    rho_out: Side,
    s: int,
) -> None:
    """P(y) rho_in - rho_out P(g^T y) = 0, times all denominators; an equation has the number of its place in P."""
    table = action.substitution(s, task.order)
    g, a, b = action.space.generators[s], rho_in.generators[s], rho_out.generators[s]
    one, other = b.denominator * g.denominator**task.order, a.denominator
    start = unknowns.start
    for r, c, allowed in unknowns.asked:
        left = [(start[r][j], v * one) for j, v in a.rows[c]]
        right = [(start[i][c], -v * other) for i, v in b.columns[r]]
        for alpha, k, sign in _of_entry(unknowns, start[r][c], allowed):
            for first, v in left:
                row = rows[first + alpha]
                row[k] = row.get(k, 0) + sign * v
            for first, v in right:
                for beta, w in table[alpha]:
                    row = rows[first + beta]
                    row[k] = row.get(k, 0) + sign * v * w


def _ask_lie(
    rows: dict[int, Row],
    unknowns: _Unknowns,
    task: Task,
    action: _Action,
    rho_in: Side,
    rho_out: Side,
    k: int,
) -> None:
    """P drho_in - drho_out P - (X^T y).grad P = 0, likewise."""
    table = action.drift(k, task.order)
    x, a, b = action.space.lie[k], rho_in.lie[k], rho_out.lie[k]
    own, one, other = _cofactors(x, a, b)
    start = unknowns.start
    for r, c, allowed in unknowns.asked:
        fixed = [(start[r][j], v * one) for j, v in a.rows[c]]
        fixed += [(start[i][c], -v * other) for i, v in b.columns[r]]
        here = start[r][c]
        for alpha, number, sign in _of_entry(unknowns, here, allowed):
            for first, v in fixed:
                row = rows[first + alpha]
                row[number] = row.get(number, 0) + sign * v
            for beta, v in table[alpha]:
                row = rows[here + beta]
                row[number] = row.get(number, 0) - sign * own * v


def _cofactors(*matrices: Whole) -> list[int]:
    """What each lacks when all denominators are multiplied."""
    product = 1
    for m in matrices:
        product *= m.denominator
    return [product // m.denominator for m in matrices]


def _of_entry(
    unknowns: _Unknowns, first: int, allowed: Iterable[int]
) -> Iterator[tuple[int, int, int]]:
    """(monomial, unknown, sign) of the coefficients of one entry of P that are not zero."""
    orbit, sign = unknowns.orbit, unknowns.sign
    for alpha in allowed:
        k = orbit[first + alpha]
        if k >= 0:
            yield alpha, k, sign[first + alpha]


def _symbols(
    task: Task,
    unknowns: _Unknowns,
    vectors: Sequence[Sequence[tuple[int, int]]],
    denominator: int,
) -> Symbols:
    dim, (rows, columns) = task.group.dim, task.shape
    if not vectors:
        return empty(dim, task.order, task.shape, RATIONALS)
    m = task.monomials
    cells = [r * columns + c for r, c in _places(task)]
    places: list[tuple[int, int, int]] = []
    table: list[list[int]] = []
    largest = 0
    for element, vector in enumerate(vectors):
        found: dict[int, list[int]] = {}
        for k, v in vector:
            largest = max(largest, abs(v))
            for number, sign in unknowns.orbits[k]:
                place, alpha = divmod(number, m)
                cell = cells[place]
                if cell not in found:
                    found[cell] = [0] * m
                found[cell][alpha] = sign * v
        # entries are sorted by row and column, whatever the order of unknowns is
        for cell in sorted(found):
            places.append((element, *divmod(cell, columns)))
            table.append(found[cell])
    element_of, row, column = np.array(places, dtype=np.int64).T
    dtype = np.int64 if largest < INT_LIMIT else object
    values = np.array(table, dtype=dtype).reshape(len(table), m, 1)
    return Symbols(
        dim,
        task.order,
        len(vectors),
        task.shape,
        np.ascontiguousarray(element_of),
        np.ascontiguousarray(row),
        np.ascontiguousarray(column),
        exact(values, denominator, RATIONALS),
    )

r"""Solutions round orbits, where a finite group permutes the rows or columns of
P.

It is enough to know one entry (column, row) of each orbit: there P is any
solution for the *stabiliser*, and it is carried round by $P_{t\omega}(y) = F(t)
P_\omega(t^T y)$ (Frobenius reciprocity). With two regular representations the
stabiliser is trivial and no linear algebra is left.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import (
    ExactArray,
    RightFactor,
    common,
    concatenate,
    identity,
    lowest,
    stack,
    zeros,
)
from pdobasis.exact.field import LARGE_DEGREE, join
from pdobasis.exact.matrices import batched_matmul
from pdobasis.exact.polynomials import (
    Substitutions,
    count,
    substitution,
)
from pdobasis.exact.types import IndexArray
from pdobasis.groups.closure import closure, generating
from pdobasis.groups.group import Group
from pdobasis.groups.matrices import without_large_field
from pdobasis.linear.sparse import to_dense
from pdobasis.linear.stages import null_space_in_stages
from pdobasis.operators.symbols import Index, Symbols, empty
from pdobasis.representations.representation import (
    Representation,
    all_matrices,
    all_permutations,
)
from pdobasis.solvers.constraint import (
    Unknowns,
    further_equations,
    group_equations,
    substitutions,
)
from pdobasis.solvers.harmonic_rows import harmonic_polynomials
from pdobasis.values import dataclass

FEW = 16
"""One element in so many is few."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Which index sets are permuted, and what is left over as the fibre at a
    point.

    A point is a column of P, a row, or a pair of both; the fibre is a column, a
    row or one entry. ``turn`` holds the axes of the variables in which the order
    is limited, at the first point of an orbit.
    """

    rep_in: Representation
    rep_out: Representation
    over_in: bool
    over_out: bool
    order: int
    harmonic: bool
    partial_order: int | None
    turn: ExactArray | None = None

    @property
    def group(self) -> Group:
        return self.rep_in.group

    @property
    def fibre(self) -> tuple[int, int]:
        """The rows and columns at a point."""
        rows, columns = self.rep_out.size, self.rep_in.size
        if self.over_out:
            rows = 1
        if self.over_in:
            columns = 1
        return rows, columns

    def places(self, points: IndexArray) -> IndexArray:
        """Where the entries over every point stand in P, row by row: (…, fibre)."""
        height, width = self.rep_out.size, self.rep_in.size
        at = points[..., None]
        if self.over_in and self.over_out:
            # A pair is one entry; pairs are numbered column by column.
            rows_first = np.arange(height * width).reshape(height, width)
            return rows_first.T.reshape(-1)[at]
        if self.over_in:
            return at + np.arange(0, height * width, width)
        return at * width + np.arange(width)


Kind = tuple[tuple[int, ...], tuple[int, ...]]
"""What an orbit of the group on the points looks like: elements that take its first point to every one, and those that
fix the first. Orbits of one kind carry the same solutions.
"""


def round_orbits(frame: Frame) -> Symbols:
    """All solutions, orbit by orbit."""
    carried: dict[Kind, ExactArray] = {}
    entries: list[Index] = []
    values = []
    total = 0
    for run in _runs(frame.rep_in, frame.rep_out, frame.over_in, frame.over_out):
        if run.kind not in carried:
            # Permutations of constants are rational, whatever the group needs.
            carried[run.kind] = without_large_field(_carry(frame, run.kind))
        block = carried[run.kind]
        k = block.shape[1]
        if k:
            index, own = _written(frame, run, block, total)
            entries.append(index)
            values.append(own)
            total += len(run.row) * k
    dim = frame.group.dim
    size = (frame.rep_out.size, frame.rep_in.size)
    if not total:
        return empty(dim, frame.order, size, frame.group.field)
    (element, row, column), coefficients = entries[0], values[0]
    if len(values) > 1:
        # Runs come in the order of their elements, so entries stay sorted.
        element, row, column = map(np.concatenate, zip(*entries, strict=True))
        coefficients = concatenate(values)
    return Symbols(dim, frame.order, total, size, element, row, column, coefficients)


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Orbits of one ``kind`` that follow each other, and the entries of P over each, all (orbits, entries).

    ``row`` and ``column`` are sorted; ``order`` says which of (point, fibre) stands there, ``element`` which element of
    the group takes the first point to that point (where the fibre is one entry).
    """

    kind: Kind
    row: IndexArray
    column: IndexArray
    order: IndexArray
    element: IndexArray


@remembered
def _runs(
    rep_in: Representation, rep_out: Representation, over_in: bool, over_out: bool
) -> list[Run]:
    """All orbits: neighbours of one kind are written down together."""
    if over_in and over_out:
        free = _from_first_column(rep_in, rep_out)
        if free is not None:
            return [free]
    frame = Frame(rep_in, rep_out, over_in, over_out, 0, False, None)
    out = []
    orbits = _orbits(rep_in, rep_out, over_in, over_out)
    for kind, run in groupby(orbits, key=itemgetter(0)):
        points = np.array([own for _, own in run], dtype=np.int64)
        place = frame.places(points).reshape(len(points), -1)
        out.append(_run(kind, place, rep_in.size))
    return out


def _run(kind: Kind, place: IndexArray, width: int) -> Run:
    """From the places of the entries over every point, (orbits, entries)."""
    order = place.argsort(axis=1)
    place.sort(axis=1)
    row, column = np.divmod(place, width)
    fibre = order.shape[1] // len(kind[0])
    element = np.array(kind[0])[order // fibre]
    return Run(kind, row, column, order, element)


def _from_first_column(rep_in: Representation, rep_out: Representation) -> Run | None:
    """All orbits of entries where G takes the first column to every column by one element; None where it does not.

    The t that takes it to column c takes its entry in row r to column c: so every orbit meets every column once, the
    orbits are those of the entries of the first column, and their stabilisers are trivial.
    """
    columns = all_permutations(rep_in)
    size = len(columns)
    if rep_in.size != size:
        return None
    transversal = columns[:, 0].argsort()
    every = np.arange(size)
    if np.count_nonzero(columns[transversal, 0] != every):
        return None
    # (row of the first column, column): where its entry is taken
    rows = all_permutations(rep_out)[transversal].T
    kind = (tuple(transversal.tolist()), (0,))
    return _run(kind, rows * size + every, size)


def _written(
    frame: Frame, run: Run, block: ExactArray, start: int
) -> tuple[Index, ExactArray]:
    """The entries of all orbits, sorted and without zeros, from the coefficients (point, element, fibre, monomials).

    Elements are numbered from ``start`` on. For a free orbit they are those of :func:`_substitutions`, (g, element,
    fibre, monomials).
    """
    count, size = run.row.shape
    _, k, f, m = block.shape
    # (orbit, element, entry): an element has entries over its orbit, and nowhere else
    first = run.order
    if _is_free(frame, run.kind):
        first = run.element
    if f > 1:
        point, fibre = np.divmod(first, f)
        first = point * (k * f) + fibre
    elif k > 1:
        first = first * k
    places = (first[:, None] + np.arange(0, k * f, f)[:, None]).reshape(-1)
    numbers = block.numerators.reshape(-1, m * block.field.degree)
    element = np.arange(start, start + count * k).repeat(size)
    row = run.row.repeat(k, axis=0).reshape(-1)
    column = run.column.repeat(k, axis=0).reshape(-1)
    # A fibre of one entry has no zeros: what is not zero is not zero when invertible matrices are substituted.
    if f > 1:
        filled = np.asarray(numbers.any(axis=1))
        own = np.flatnonzero(filled[places])
        if len(own) < len(places):
            places = places[own]
            element, row, column = element[own], row[own], column[own]
    table = numbers.take(places, axis=0)
    # The same numbers again and again, and no others: still in lowest terms.
    values = table.reshape(len(table), m, -1)
    return (element, row, column), ExactArray(values, block.denominator, block.field)


def _orbits(
    rep_in: Representation,
    rep_out: Representation,
    over_in: bool,
    over_out: bool,
) -> list[tuple[Kind, list[int]]]:
    """Each with its points: the point (column, row) has the number column * height + row."""
    width, height = 1, 1
    # where every element takes a column or a row, as plain numbers: an orbit is some of them
    size = len(closure(rep_in.group))
    columns = rows = [[0] * size]
    if over_in:
        width, columns = rep_in.size, all_permutations(rep_in).T.tolist()
    if over_out:
        height, rows = rep_out.size, all_permutations(rep_out).T.tolist()
    backwards = range(size - 1, -1, -1)
    visited: set[int] = set()
    out = []
    for first in range(width * height):
        if first in visited:
            continue
        column, row = divmod(first, height)
        pairs = zip(columns[column], rows[row], strict=True)
        # Where every element of the group takes the point, and the first that takes it there: the last one stays.
        images = [c * height + r for c, r in pairs]
        takes = dict(zip(reversed(images), backwards, strict=True))
        visited.update(takes)
        points = sorted(takes)
        transversal = tuple(map(takes.__getitem__, points))
        stabiliser: tuple[int, ...] = (0,)
        if len(takes) < size:
            stabiliser = tuple(h for h, image in enumerate(images) if image == first)
        out.append(((transversal, stabiliser), points))
    return out


def _invariants(frame: Frame, stabiliser: IndexArray) -> ExactArray:
    """The solutions at one point, for the stabiliser alone.

    (elements, fibre, monomials)
    """
    dim, order = frame.group.dim, frame.order
    m = count(dim, order)
    rows, columns = frame.fibre
    size = rows * columns
    if len(stabiliser) == 1 and frame.harmonic and not _is_limited(frame):
        return _everywhere(harmonic_polynomials(dim, order), size)
    number = np.arange(size * m).reshape(columns, rows, m)
    number = number.transpose(1, 0, 2)
    unknowns = Unknowns(dim, order, order, number, size * m, number)
    systems = further_equations(unknowns, frame.harmonic, frame.partial_order)
    if len(stabiliser) == 1 and not systems:  # everything is a solution
        return identity(size * m).reshape(size * m, size, m)
    table = closure(frame.group)
    chosen = generating(table, stabiliser)
    moves = [_turned(table.matrices[h], frame.turn) for h in chosen]
    actions = substitutions(moves, unknowns)
    for h, action in zip(chosen, actions, strict=True):
        # The stabiliser fixes the point, so on a permuted side it acts by 1.
        rho_in, rho_out = identity(1), identity(1)
        if not frame.over_in:
            rho_in = _images(frame.rep_in, np.array([h]))[0]
        if not frame.over_out:
            rho_out = _images(frame.rep_out, np.array([h]))[0]
        systems.append(group_equations(unknowns, rho_in, rho_out, action))
    solutions = null_space_in_stages(systems)
    found = to_dense(solutions).reshape(-1, size, m)
    if frame.turn is None:
        return found
    # Solved in the variables T^T x of the frame; back to those of space.
    back = substitution(frame.turn.T.reshape(1, dim, dim), order)[0]
    return found @ back


def _everywhere(polynomials: ExactArray, size: int) -> ExactArray:
    """The same polynomials in every entry of a fibre, one at a time: (elements, fibre, monomials)."""
    k, m = polynomials.shape
    numbers = np.zeros((size, k, size, m, 1), dtype=polynomials.numerators.dtype)
    for entry in range(size):
        numbers[entry, :, entry] = polynomials.numerators
    values = lowest(numbers, polynomials.denominator, polynomials.field)
    return values.reshape(size * k, size, m)


def _is_limited(frame: Frame) -> bool:
    """Whether the order in each variable is."""
    return frame.partial_order is not None or frame.turn is not None


def _turned(g: ExactArray, turn: ExactArray | None) -> ExactArray:
    """g in the variables of a frame."""
    if turn is None:
        return g
    return turn.T @ g @ turn


def _carry(frame: Frame, kind: Kind) -> ExactArray:
    """P_{t w}(y) = rho_out(t) P_w(t^T y) rho_in(t)^{-1} for all t.

    (t, elements, fibre, monomials); for a free orbit t are all elements of the group, in their order.
    """
    if _is_free(frame, kind):
        # All monomials are solutions at the first point, and are substituted.
        moved = _substitutions(frame.group, frame.order)
        t, m, _ = moved.shape
        return moved.reshape(t, m, 1, m)
    transversal, stabiliser = map(np.array, kind)
    asked = _is_limited(frame) or _is_entry(frame) or len(stabiliser) > 1
    if not asked and len(transversal) > 1:
        return _spread(frame, transversal)
    invariants = _invariants(frame, stabiliser)
    k, f, m = invariants.shape
    t = len(transversal)
    if not k:
        return zeros((t, 0, f, m), frame.group.field)
    if t == 1 and not transversal[0]:  # the identity alone: nowhere to be carried
        return invariants.reshape(1, k, f, m)
    # The substitution is the same for all fibres; rho acts after it.
    value = _substituted(frame, invariants, transversal)  # (t, m, k, f)
    if frame.over_in and not frame.over_out:
        rho = _images(frame.rep_out, transversal)
        columns = value.transpose(0, 3, 1, 2).reshape(t, f, m * k)
        moved = batched_matmul(rho, columns).reshape(t, f, m, k)
        return moved.transpose(0, 3, 1, 2)
    if frame.over_out and not frame.over_in:
        inverses = _inverses(frame.group)[transversal]
        rho = _images(frame.rep_in, inverses)
        rows = value.reshape(t, m * k, f)
        value = batched_matmul(rows, rho).reshape(t, m, k, f)
    return value.transpose(0, 2, 3, 1)


def _scaled(values: ExactArray, weights: ExactArray) -> ExactArray:
    """Each matrix times a number of its own."""
    values, weights, field = common(values, weights)
    # term by term where matrices of multiplication are large
    if field.degree > LARGE_DEGREE:
        return values * weights
    z, h, m = values.shape
    return batched_matmul(values.reshape(z, h * m, 1), weights).reshape(z, h, m)


def _images(rep: Representation, elements: IndexArray) -> ExactArray:
    """rho of some elements: of few among many by its formula, where there is one, and not by way of all others."""
    every = closure(rep.group)
    if rep.term is not None and FEW * len(elements) <= len(every):
        found = [rep.term.at(every.matrices[int(i)]) for i in elements]
        # a formula may need a larger field on its way than the answer does
        if all(join(m.field, rep.field) == rep.field for m in found):
            return stack([m.over(rep.field) for m in found])
    return all_matrices(rep).take(elements)


def _is_entry(frame: Frame) -> bool:
    """Whether the fibre at a point is one entry of P."""
    return frame.fibre == (1, 1)


def _spread(frame: Frame, transversal: IndexArray) -> ExactArray:
    """The same where nothing is asked at a point: there a polynomial p stands in one entry i of the fibre.

    So P at tw is $p(t^T y)$ times column i of rho_out(t), or row i of $\\rho_{in}(t)^{-1}$: what is zero there is zero.
    """
    dim, order = frame.group.dim, frame.order
    if frame.harmonic:
        polynomials = harmonic_polynomials(dim, order)
    else:
        polynomials = identity(count(dim, order))
    if frame.over_in:
        rho = _images(frame.rep_out, transversal).transpose(0, 2, 1)
    else:
        rho = _images(frame.rep_in, _inverses(frame.group)[transversal])
    moved = _taken(_substitutions(frame.group, order), transversal)
    flat, moved, _ = common(polynomials.T, moved)
    # (t, polynomial, monomial)
    values = RightFactor(flat)(moved.transpose(0, 2, 1)).transpose(0, 2, 1)
    # (t, i, entry of the fibre) that are not zero
    places = np.nonzero(rho.nonzero_mask())
    weights = rho[places].reshape(-1, 1, 1)
    t, h, m = values.shape
    products = _scaled(values.take(places[0]), weights)
    f = rho.shape[1]
    shape = (t, f, h, f, m, products.field.degree)
    numbers = np.zeros(shape, dtype=products.numerators.dtype)
    numbers[places[0], places[1], :, places[2]] = products.numerators
    # zeros are all that was added: still in lowest terms
    found = lowest(numbers, products.denominator, products.field)
    return found.reshape(t, f * h, f, m)


def _is_free(frame: Frame, kind: Kind) -> bool:
    """Whether nothing is asked at a point, which is one entry of P."""
    _, stabiliser = kind
    if not (frame.over_in and frame.over_out) or len(stabiliser) > 1:
        return False
    return not frame.harmonic and not _is_limited(frame)


def _substituted(
    frame: Frame, invariants: ExactArray, transversal: IndexArray
) -> ExactArray:
    """P_w(t^T y) for all t: (t, monomials, elements, fibre)."""
    k, f, m = invariants.shape
    # (t, alpha, beta)
    moved = _taken(_substitutions(frame.group, frame.order), transversal)
    if f == 1 and k == m:
        # All monomials are solutions, and their echelon form is the identity.
        return moved.transpose(0, 2, 1).reshape(len(transversal), m, k, 1)
    flat = invariants.reshape(k * f, m).T
    flat, moved, _ = common(flat, moved)
    value = RightFactor(flat)(moved.transpose(0, 2, 1))
    return value.reshape(len(transversal), m, k, f)


def _taken(every: ExactArray, transversal: IndexArray) -> ExactArray:
    """Of some elements; where it is all of them, each once, they stay in lowest terms."""
    if len(transversal) < len(every):
        return every.take(transversal)
    return ExactArray(every.numerators[transversal], every.denominator, every.field)


@remembered
def _substitutions(group: Group, order: int) -> ExactArray:
    """S(g^T) for all elements; the order below is kept."""
    by_orders = _by_orders(group)
    if not order:
        return by_orders.first
    return by_orders.next(_substitutions(group, order - 1), order)


@remembered
def _by_orders(group: Group) -> Substitutions:
    return Substitutions(closure(group).matrices.transpose(0, 2, 1))


@remembered
def _inverses(group: Group) -> IndexArray:
    """The index of every inverse."""
    table = closure(group)
    out = np.zeros(len(table), dtype=np.int64)
    for i in range(len(table)):
        # In O(d) the inverse is the transpose, which costs nothing.
        inverse = table.matrices[i].T
        if not group.is_orthogonal:
            inverse = table.matrices[i].inverse()
        out[i] = table.find(inverse) or 0
    return out

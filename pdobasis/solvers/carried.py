r"""Solutions at the first point of an orbit, and what they are at its other points.

The first point asks for any solution of its *stabiliser*, and $P_{t\omega}(y) = F(t) P_\omega(t^T y)$ carries it to
the others.
"""

from __future__ import annotations

from functools import reduce

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import (
    ExactArray,
    RightFactor,
    common,
    identity,
    lowest,
    stack,
    zeros,
)
from pdobasis.exact.field import LARGE_DEGREE, Field, join
from pdobasis.exact.matrices import batched_matmul
from pdobasis.exact.polynomials import (
    Substitutions,
    count,
    substitution,
)
from pdobasis.exact.types import IndexArray
from pdobasis.groups.closure import closure, generating
from pdobasis.groups.group import Group
from pdobasis.linear.sparse import to_dense
from pdobasis.operators.symbols import Index
from pdobasis.representations.representation import (
    Representation,
    all_entries,
    all_matrices,
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
MADE = 4
"""A multiplication matrix is worth its making for more numbers than the degree divided by this."""


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
    def field(self) -> Field:
        """That of the solutions."""
        return reduce(
            join, (rep.field for rep in (self.rep_in, self.rep_out)), self.group.field
        )

    @property
    def fibre(self) -> tuple[int, int]:
        """The rows and columns at a point."""
        rows, columns = self.rep_out.size, self.rep_in.size
        if self.over_out:
            rows = 1
        if self.over_in:
            columns = 1
        return rows, columns

    @property
    def is_entry(self) -> bool:
        """Whether the fibre at a point is one entry of P."""
        return self.fibre == (1, 1)

    @property
    def is_limited(self) -> bool:
        """Whether the order in each variable is."""
        return self.partial_order is not None or self.turn is not None

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


def _invariants(frame: Frame, stabiliser: IndexArray) -> ExactArray:
    """The solutions at one point, for the stabiliser alone.

    (elements, fibre, monomials)
    """
    dim, order = frame.group.dim, frame.order
    m = count(dim, order)
    rows, columns = frame.fibre
    size = rows * columns
    if len(stabiliser) == 1 and not frame.is_limited:
        return _everywhere(_polynomials(frame), size)
    # loaded where a system is eliminated: a short command has none
    from pdobasis.linear.stages import null_space_in_stages

    number = np.arange(size * m).reshape(columns, rows, m)
    number = number.transpose(1, 0, 2)
    unknowns = Unknowns(dim, order, order, number, size * m, number)
    systems = further_equations(unknowns, frame.harmonic, frame.partial_order)
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


def _polynomials(frame: Frame) -> ExactArray:
    """What stands in an entry of which nothing more is asked, (elements, monomials): every polynomial."""
    dim, order = frame.group.dim, frame.order
    if frame.harmonic:
        return harmonic_polynomials(dim, order)
    return identity(count(dim, order))


def _everywhere(polynomials: ExactArray, size: int) -> ExactArray:
    """The same polynomials in every entry of a fibre, one at a time: (elements, fibre, monomials)."""
    k, m = polynomials.shape
    numbers = np.zeros((size, k, size, m, 1), dtype=polynomials.numerators.dtype)
    for entry in range(size):
        numbers[entry, :, entry] = polynomials.numerators
    values = lowest(numbers, polynomials.denominator, polynomials.field)
    return values.reshape(size * k, size, m)


def _turned(g: ExactArray, turn: ExactArray | None) -> ExactArray:
    """g in the variables of a frame."""
    if turn is None:
        return g
    return turn.T @ g @ turn


def carry(frame: Frame, kind: Kind) -> ExactArray:
    """P_{t w}(y) = rho_out(t) P_w(t^T y) rho_in(t)^{-1} for all t.

    (t, elements, fibre, monomials); for a free orbit t are all elements of the group, in their order.
    """
    if is_free(frame, kind):
        # All monomials are solutions at the first point, and are substituted.
        moved = substitutions_of_all(frame.group, frame.order)
        t, m, _ = moved.shape
        return moved.reshape(t, m, 1, m)
    transversal, stabiliser = map(np.array, kind)
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
        backwards = inverses(frame.group)[transversal]
        rho = _images(frame.rep_in, backwards)
        rows = value.reshape(t, m * k, f)
        value = batched_matmul(rows, rho).reshape(t, m, k, f)
    return value.transpose(0, 2, 3, 1)


def _scaled(values: ExactArray, weights: ExactArray) -> ExactArray:
    """Each matrix times a number of its own."""
    values, weights, field = common(values, weights)
    z, h, m = values.shape
    # otherwise term by term
    if field.degree > LARGE_DEGREE or MADE * h * m <= field.degree:
        return values * weights
    return batched_matmul(values.reshape(z, h * m, 1), weights).reshape(z, h, m)


def _images(rep: Representation, elements: IndexArray) -> ExactArray:
    """rho of some elements."""
    few = _few_images(rep, elements)
    if few is None:
        return all_matrices(rep).take(elements)
    return few


def _few_images(rep: Representation, elements: IndexArray) -> ExactArray | None:
    """rho of few elements among many by its formula, where there is one, and not by way of all others."""
    every = closure(rep.group)
    if rep.term is None or FEW * len(elements) > len(every):
        return None
    found = [rep.term.at(every.matrices[int(i)]) for i in elements]
    # a formula may need a larger field on its way than the answer does
    if any(join(m.field, rep.field) != rep.field for m in found):
        return None
    return stack([m.over(rep.field) for m in found])


def _entries(rep: Representation, elements: IndexArray) -> tuple[Index, ExactArray]:
    """The same by what is not zero: (number of the element, row, column) and values."""
    few = _few_images(rep, elements)
    if few is None:
        return all_entries(rep, elements)
    t, row, column = np.nonzero(few.nonzero_mask())
    return (t, row, column), few[t, row, column]


def is_spread(frame: Frame, kind: Kind) -> bool:
    """Whether nothing is asked at a point of several entries, and there is where to carry it."""
    transversal, stabiliser = kind
    asked = frame.is_limited or frame.is_entry or len(stabiliser) > 1
    return not asked and len(transversal) > 1


def spread(frame: Frame, kind: Kind) -> tuple[Index, ExactArray]:
    """What :func:`carry` says where nothing is asked, by what is not zero: (point, element, entry of the fibre).

    A polynomial p stands in one entry i of the fibre at the first point. So P at tw is $p(t^T y)$ times column i of
    rho_out(t), or row i of $\\rho_{in}(t)^{-1}$: what is zero there is zero, and nothing else.
    """
    transversal, polynomials = np.array(kind[0]), _polynomials(frame)
    if frame.over_in:
        (point, entry, first), weights = _entries(frame.rep_out, transversal)
    else:
        backwards = inverses(frame.group)[transversal]
        (point, first, entry), weights = _entries(frame.rep_in, backwards)
    moved = _taken(substitutions_of_all(frame.group, frame.order), transversal)
    flat, moved, _ = common(polynomials.T, moved)
    # (t, polynomial, monomial)
    values = RightFactor(flat)(moved.transpose(0, 2, 1)).transpose(0, 2, 1)
    products = _scaled(values.take(point), weights.reshape(-1, 1, 1))
    n, h, m = products.shape
    element = (first[:, None] * h + np.arange(h)).reshape(-1)
    return (point.repeat(h), element, entry.repeat(h)), products.reshape(n * h, m)


def is_free(frame: Frame, kind: Kind) -> bool:
    """Whether nothing is asked at a point, which is one entry of P."""
    _, stabiliser = kind
    if not (frame.over_in and frame.over_out) or len(stabiliser) > 1:
        return False
    return not frame.harmonic and not frame.is_limited


def _substituted(
    frame: Frame, invariants: ExactArray, transversal: IndexArray
) -> ExactArray:
    """P_w(t^T y) for all t: (t, monomials, elements, fibre)."""
    k, f, m = invariants.shape
    # (t, alpha, beta)
    moved = _taken(substitutions_of_all(frame.group, frame.order), transversal)
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
def substitutions_of_all(group: Group, order: int) -> ExactArray:
    """S(g^T) for all elements; the order below is kept."""
    by_orders = _by_orders(group)
    if not order:
        return by_orders.first
    return by_orders.next(substitutions_of_all(group, order - 1), order)


@remembered
def _by_orders(group: Group) -> Substitutions:
    return Substitutions(closure(group).matrices.transpose(0, 2, 1))


@remembered
def inverses(group: Group) -> IndexArray:
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

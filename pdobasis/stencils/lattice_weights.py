r"""Exact weights on the nodes of a window of a lattice, and these windows.

With $x = A n$ the derivatives are $\partial_x = A^{-T} \partial_n$. Moments of whole n are rational, so that an
operator over a number field has one rational system for each of its parts over the field's basis, and weights in the
field.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import SpecError
from pdobasis.exact.array import (
    ExactArray,
    exact,
    same_denominator,
    stack,
    zeros,
)
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.numbers import to_float
from pdobasis.exact.polynomials import monomials, substitution
from pdobasis.groups.group import Group
from pdobasis.stencils.errors import StencilError
from pdobasis.stencils.grids import Grid
from pdobasis.stencils.lattices import Lattice, Node
from pdobasis.stencils.moment_system import (
    MomentSystem,
    NodeSet,
    Polynomial,
    Wish,
    flat,
    projections,
)
from pdobasis.stencils.rationals import echelon
from pdobasis.stencils.smallest_ball import smallest_ball

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis


def grid_window(grid: Grid, group: Group) -> tuple[list[int], tuple[Node, ...]]:
    """The nodes of a grid on a lattice that may have weight: their numbers in the flattened array, and themselves."""
    lattice = grid.lattice
    if lattice is None:
        raise StencilError("the grid lies on no lattice")
    box = grid.lattice_nodes()
    within = set(box)
    window = grid.window or "closed"
    if window != "closed":
        within &= set(window_nodes(lattice, window))
    kept = set(lattice.kept(sorted(within), group))
    if (0,) * grid.dim not in kept:
        raise StencilError("a window needs the origin, where the derivative is taken")
    places = [k for k, node in enumerate(box) if node in kept]
    return places, tuple(box[k] for k in places)


def nodes_of(
    lattice: Lattice, window: int | str | Sequence[Sequence[int]], group: Group
) -> tuple[Node, ...]:
    """A closed window: what remains of a box or a ball, or one's own nodes and all that symmetries make of them."""
    if isinstance(window, (int, str)):
        # A ball is closed where lengths are kept.
        return lattice.kept(window_nodes(lattice, window), group)
    return lattice.closed(window, group)


def window_nodes(
    lattice: Lattice, window: int | str | Sequence[Sequence[int]]
) -> tuple[Node, ...]:
    """The points of a box of n along each axis, of "ball r", or nodes of one's own."""
    if isinstance(window, int):
        return lattice.box(window)
    if isinstance(window, str):
        word, _, rest = window.strip().partition(" ")
        if word == "nodes":
            return window_nodes(lattice, _nodes_of_text(rest))
        if word != "ball" or not rest.strip():
            raise SpecError(
                f'a window is the side of a box, "ball r" (as "ball sqrt(3)"), or a list of nodes; got {window!r:.40}'
            )
        return lattice.ball(rest.strip())
    nodes = tuple(sorted({tuple(int(v) for v in node) for node in window}))
    if not nodes or any(len(node) != lattice.dim for node in nodes):
        raise SpecError(f"a node of this lattice has {lattice.dim} whole coordinates")
    return nodes


def _nodes_of_text(text: str) -> list[list[int]]:
    """Nodes such as "0,0; 1,0"."""
    try:
        return [[int(v) for v in node.split(",")] for node in text.split(";")]
    except ValueError:
        raise SpecError(
            f"nodes are whole numbers such as 0,0; 1,0; got {text!r:.40}"
        ) from None


@dataclass(frozen=True, slots=True, eq=False)
class ExactWeights:
    """The weights of least norm on the nodes of a window, over the number field."""

    basis: Basis
    lattice: Lattice
    nodes: tuple[Node, ...]
    wish: Wish
    decay: Fraction = Fraction(1)

    def weights(self) -> ExactArray:
        """(elements, c_out, c_in, nodes) over the number field."""
        problem = self.basis.problem
        shape = (problem.out_type.size, problem.in_type.size, len(self.nodes))
        parts = list(self._parts())
        if not parts:
            return zeros((0, *shape))
        return _assembled(parts, (self.basis.dimension, *shape))

    def of_monomials(self) -> NDArray[np.float64]:
        """(monomials, nodes): weights whose combinations are those of the operators, each rounded once."""
        rows: list[NDArray[np.float64]] = []
        for order in range(self.basis.problem.order + 1):
            change = in_steps(self.lattice, order)
            space, solved = self._system(self._moved(order), order)
            if not space:
                rows.append(np.zeros((change.shape[0], len(self.nodes))))
                continue
            metric = self.lattice.metric or flat(self.lattice.dim)
            alphas = monomials(self.lattice.dim, order)
            onto = projections(alphas, space, NodeSet((), (), metric))
            rows.append(to_float(change @ _fractions(onto) @ solved))
        return np.concatenate(rows)

    def _parts(self) -> Iterator[tuple[int, Any, ExactArray]]:
        """(first element, places, weights) of every block and order, as in ``Basis.coefficients``."""
        at = 0
        for order in range(self.basis.problem.order + 1):
            solved = self._solved(order)
            for block, moved in zip(self.basis.blocks, solved, strict=True):
                part = block.orders[order]
                for r, c in self.basis.offsets(block):
                    yield at, (part.element, part.row + r, part.column + c), moved
                    at += part.size

    def _solved(self, order: int) -> list[ExactArray]:
        """The weights (entries, nodes) of the coefficients of every block."""
        moved = self._moved(order)
        space, solved = self._system(moved, order)
        if not space:
            return [zeros((len(own), len(self.nodes)), own.field) for own in moved]
        # In echelon form the coordinates of a row are its entries at the pivots.
        alphas = monomials(self.lattice.dim, order)
        pivots = np.array(
            [next(j for j, alpha in enumerate(alphas) if u[alpha]) for u in space]
        )
        return [own[:, pivots] @ solved.over(own.field) for own in moved]

    def _moved(self, order: int) -> list[ExactArray]:
        """The coefficients of every block in steps of the lattice."""
        change = in_steps(self.lattice, order)
        return [b.orders[order].coefficients @ change for b in self.basis.blocks]

    def _system(
        self, moved: Sequence[ExactArray], order: int
    ) -> tuple[list[Polynomial], ExactArray]:
        """The polynomials, in steps and over the rationals, that the operators of an order need; their weights."""
        alphas = monomials(self.lattice.dim, order)
        rows = []
        for own in moved:
            flattened = np.moveaxis(own.numerators, -1, 0).reshape(-1, len(alphas))
            rows += [
                [Fraction(int(v)) for v in row]
                for row in flattened.tolist()
                if any(row)
            ]
        reduced = [row for row in echelon(rows) if any(row)]
        if not reduced:
            return [], zeros((0, len(self.nodes)))
        space = [dict(zip(alphas, row, strict=True)) for row in reduced]
        return space, _fractions(self._of_space(space, order))

    def _of_space(self, space: list[Any], order: int) -> list[list[Fraction]]:
        origin = (0,) * self.lattice.dim
        if order == 0:
            return [[u[origin] * int(n == origin) for n in self.nodes] for u in space]
        system = MomentSystem.of(space, order, self._node_set(), self.wish)
        found = system.solve()
        if found is None:
            raise StencilError(self._refusal(space, order))
        return found

    def _refusal(self, space: list[Any], order: int) -> str:
        asked = f"accuracy {self.wish.accuracy}"
        if self.wish.isotropic:
            asked += f" and isotropic errors up to degree {self.wish.isotropic}"
        group = self.basis.problem.group
        ball = smallest_ball(space, order, self.lattice, group, self.wish)
        advice = ", and no ball that is tried has: ask for less, or a larger window"
        if ball is not None:
            advice = f': use a larger window, "{ball}" is the smallest ball that has'
        have = f"no stencil on these {len(self.nodes)} nodes has"
        return f"{have} the derivatives of order {order} with {asked}{advice}"

    def _node_set(self) -> NodeSet:
        metric = self.lattice.metric
        if metric is None:
            if self.wish.isotropic:
                raise StencilError(
                    "isotropic errors need a lattice whose lengths and angles have rational products"
                )
            metric = flat(self.lattice.dim)
        if self.wish.isotropic and not self.basis.problem.group.is_orthogonal:
            raise StencilError(
                f"{self.basis.problem.group.name} keeps no length: leave out isotropic"
            )
        places = tuple(tuple(Fraction(v) for v in n) for n in self.nodes)
        return NodeSet(places, self._bells(), metric)

    def _bells(self) -> tuple[Fraction, ...]:
        """decay^s for the s-th distance from the origin."""
        if self.decay == 1:
            return (Fraction(1),) * len(self.nodes)
        if not self.basis.problem.group.is_orthogonal:
            raise StencilError(
                f"{self.basis.problem.group.name} keeps no length: leave out decay"
            )
        shells = self.lattice.shells(self.nodes)
        return tuple(self.decay ** shells[n] for n in self.nodes)


def in_steps(lattice: Lattice, order: int) -> ExactArray:
    """(α, β): the coefficients of k_x^α over k_n^β, where k_x = A^{-T} k_n."""
    return substitution(stack([lattice.inverse.T]), order)[0]


def _fractions(rows: list[list[Fraction]]) -> ExactArray:
    common = int(
        np.lcm.reduce(
            np.array([v.denominator for row in rows for v in row], dtype=object)
        )
    )
    numerators = [[[int(v * common)] for v in row] for row in rows]
    return exact(np.array(numerators, dtype=object), common, RATIONALS)


def _assembled(
    parts: list[tuple[int, Any, ExactArray]], shape: tuple[int, ...]
) -> ExactArray:
    numerators, common, field = same_denominator([own for _, _, own in parts])
    out = np.zeros((*shape, field.degree), dtype=object)
    for (at, (element, row, column), _), own in zip(parts, numerators, strict=True):
        out[at + np.asarray(element), row, column] = own
    return exact(out, common, field)


def as_decay(value: Any) -> Fraction:
    try:
        found = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        found = Fraction(0)
    if not 0 < found <= 1:
        raise SpecError(f"decay= is a number above 0 and at most 1, got {value!r:.40}")
    return found

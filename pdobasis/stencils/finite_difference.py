r"""Finite differences with exact rational weights.

In one dimension, for N distinct nodes $x_n$ and $m \le N-1$, there are unique weights with
$f^{(m)}(0) = \sum_n w_n f(x_n)$ for all polynomials f of degree below N. In d dimensions the stencil of
$\partial^\alpha$ on a grid is the tensor product of the stencils of $\partial_i^{a_i}$.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import factorial, lcm, prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pdobasis.exact.fraction_text import parse_fraction
from pdobasis.groups.group import Group
from pdobasis.question.as_json import group_text, read_group
from pdobasis.stencils.commuting import in_other_coordinates
from pdobasis.stencils.discretization import Derivatives, recorded
from pdobasis.stencils.discretized import Discretized, blocks_of
from pdobasis.stencils.errors import (
    RepeatedNodeError,
    StencilError,
    StencilTooSmallError,
)
from pdobasis.stencils.grids import Grid, require_grid
from pdobasis.stencils.isotropic import isotropic_atoms
from pdobasis.stencils.larger_group import larger_group
from pdobasis.stencils.lattice_atoms import in_box
from pdobasis.stencils.lattice_weights import ExactWeights, grid_window
from pdobasis.stencils.lattices import Lattice
from pdobasis.stencils.moment_system import Wish
from pdobasis.stencils.multi_index import MultiIndex, check_alphas
from pdobasis.stencils.options import Kind, option
from pdobasis.stencils.results import Factors, MonomialStencils

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis


@dataclass(frozen=True, slots=True)
class FdOptions:
    """Without any, size and spacing settle everything: tensor products. Else `pdobasis.stencils.isotropic`."""

    isotropic: int | None = option(
        Kind.WHOLE,
        "error terms up to this degree commute with all rotations and reflections.",
    )
    accuracy: int | None = option(
        Kind.WHOLE, "order of accuracy of isotropic stencils.  [2]"
    )
    isotropic_group: str | Group | None = option(
        Kind.GROUP,
        "with which error terms commute instead: a group around that of the question.  [O(d)]",
    )

    window: str | None = option(
        Kind.NAME,
        "closed: only nodes that symmetries of group and grid leave in the box; ball r: those within r.",
    )

    optimize: float | None = option(
        Kind.NUMBER,
        "least error for waves up to this many radians per step, within what remains free.",
    )
    objective: str | None = option(
        Kind.NAME,
        "what optimize makes least: dispersion, or isotropy.  [dispersion]",
    )

    def __post_init__(self) -> None:
        if self.isotropic_group is not None and not self.isotropic:
            raise StencilError(
                "isotropic_group is the group with which error terms commute up to the degree isotropic: give both"
            )
        if self.objective is not None and self.optimize is None:
            raise StencilError("objective says what optimize makes least: give both")
        if self.window not in (None, "closed") and self.radius is None:
            raise StencilError(
                f"window is closed, ball r (as 'ball 3/2'), or not given; got {self.window!r:.40}"
            )

    @property
    def radius(self) -> Fraction | None:
        """Of a ball."""
        word, _, number = str(self.window).partition(" ")
        if word != "ball":
            return None
        try:
            found = parse_fraction(number)
        except ValueError:
            return None
        if found <= 0:
            return None
        return found

    @property
    def is_plain(self) -> bool:
        """Tensor products."""
        own = (self.isotropic, self.accuracy, self.window, self.optimize)
        return own == (None,) * len(own)

    def wish(self, group: Group) -> Wish:
        symmetries = None
        if self.window == "closed":
            symmetries = group
        if self.radius is not None and not group.is_orthogonal:
            raise StencilError(
                f"{group.name} does not keep the length of vectors in these coordinates: use window=closed"
            )
        # An accuracy alone: the least weights that have it.
        accuracy = 2
        if self.accuracy is not None:
            accuracy = self.accuracy
        return Wish(
            self.isotropic or 0,
            accuracy,
            symmetries,
            self.optimize,
            self.objective or "dispersion",
            self.radius,
            self.larger(group),
        )

    def larger(self, group: Group) -> Group | None:
        """The group of ``isotropic_group``; refused unless it contains that of the question."""
        if self.isotropic_group is None:
            return None
        return larger_group(self.isotropic_group, group)


class FiniteDifference(Derivatives[FdOptions]):
    name = "fd"
    Options = FdOptions

    def completed(self, options: FdOptions, grid: Grid, order: int) -> FdOptions:
        if options.isotropic_group is not None:
            # A file of one's own is read now: what is recorded has to mean the same everywhere.
            named = group_text(read_group(options.isotropic_group, grid.dim))
            options = replace(options, isotropic_group=named)
        if options.accuracy is not None or (options.is_plain and grid.lattice is None):
            return options
        return replace(options, accuracy=2)

    def discretize(self, basis: Basis, grid: Grid, options: FdOptions) -> Discretized:
        if grid.lattice is not None:
            atoms = self._on_lattice(basis, grid, grid.lattice, options)
        elif options.is_plain:
            return super().discretize(basis, grid, options)
        else:
            atoms = isotropic_atoms(basis, grid, options.wish(basis.problem.group))
        terms = tuple(range(len(atoms)))
        return Discretized(
            basis, self.name, grid, recorded(options), atoms, blocks_of(basis), terms
        )

    def _on_lattice(
        self, basis: Basis, grid: Grid, lattice: Lattice, options: FdOptions
    ) -> NDArray[np.float64]:
        if options.optimize is not None:
            raise StencilError("weights are optimised on grids, not on lattices")
        group = basis.problem.group
        larger = options.larger(group)
        if larger is not None:
            larger = in_other_coordinates(larger, lattice.matrix)
        wish = Wish(options.isotropic or 0, options.accuracy or 2, larger=larger)
        places, nodes = grid_window(grid, group)
        found = ExactWeights(basis, lattice, nodes, wish).of_monomials()
        return in_box(found, places, grid)

    def stencils(
        self, alphas: Sequence[MultiIndex], grid: Grid, options: FdOptions
    ) -> MonomialStencils:
        if not options.is_plain:
            raise StencilError(
                "isotropic stencils belong to the operators of a basis on one grid, not to single derivatives or "
                "staggered grids: leave out isotropic, isotropic_group, accuracy, window and optimize"
            )
        return finite_difference(alphas, grid)


def finite_difference(alphas: Sequence[MultiIndex], grid: Grid) -> MonomialStencils:
    r"""The stencils of $\partial^\alpha$ for every alpha, exact on degrees below the size along each axis.

    >>> finite_difference([(1, 0)], Grid.regular(2, 3)).weights[0]
    array([[ 0. ,  0. ,  0. ],
           [-0.5,  0. ,  0.5],
           [ 0. ,  0. ,  0. ]])

    Parameters
    ----------
    alphas : sequence of MultiIndex
        Of the derivatives.
    grid : Grid
        The nodes.

    Returns
    -------
    MonomialStencils
        One stencil for each derivative.
    """
    require_grid(grid)
    checked = check_alphas(alphas, grid.dim)
    check_sizes(checked, grid)
    highest = [max((alpha[i] for alpha in checked), default=0) for i in range(grid.dim)]
    nodes = [grid.axis_nodes(i) for i in range(grid.dim)]
    # A tensor product differentiates along each axis by itself, so one table per axis holds all that is needed.
    tables = [fornberg_weights(nodes[i], highest[i]) for i in range(grid.dim)]
    orders = [
        [accuracy_order(row, nodes[i], m) for m, row in enumerate(tables[i])]
        for i in range(grid.dim)
    ]
    factors = tuple(
        tuple(tables[i][a] for i, a in enumerate(alpha)) for alpha in checked
    )
    return MonomialStencils(
        alphas=checked,
        grid=grid,
        weights=np.array([_round(f, grid) for f in factors]).reshape(
            len(checked), *grid.array_shape
        ),
        factors=factors,
        axis_accuracy=tuple(
            tuple(orders[i][a] for i, a in enumerate(alpha)) for alpha in checked
        ),
    )


def fornberg_weights(
    nodes: Sequence[Fraction], order: int, target: Fraction | int = 0
) -> tuple[tuple[Fraction, ...], ...]:
    r"""Row m holds the weights of the m-th derivative at the target, for m = 0, ..., order (Fornberg 1988).

    With $z_n = x_n - \text{target}$ and $\omega_n(x) = \prod_{j<n}(x - x_j)$, adding the node $x_n$ changes
    the weights by

    $w^m_j \leftarrow (z_n w^m_j - m w^{m-1}_j) / (x_n - x_j)$ for $j < n$ and $w^m_n =
    \frac{\omega_{n-1}(x_{n-1})}{\omega_n(x_n)} (m w^{m-1}_{n-1} - z_{n-1} w^m_{n-1})$ (old weights on the
    right).

    >>> [[str(w) for w in row] for row in fornberg_weights([Fraction(-1), Fraction(0), Fraction(1)], 2)]
    [['0', '1', '0'], ['-1/2', '0', '1/2'], ['1', '-2', '1']]

    Parameters
    ----------
    nodes : sequence of Fraction
        All different.
    order : int
        The highest derivative.
    target : Fraction or int, optional
        Where it is taken.

    Returns
    -------
    tuple of tuples of Fraction
        A row for each order, a weight for each node.

    Raises
    ------
    StencilTooSmallError
        No more nodes than the order.
    """
    _check_distinct(nodes)
    if order >= len(nodes):
        raise StencilTooSmallError(order, 0, len(nodes), order + 1)
    z = [Fraction(x) - target for x in nodes]
    columns = [[Fraction(1)] + [Fraction(0)] * order]
    omega = Fraction(1)
    # Node after node: the weights are those of the polynomial through the nodes so far.
    for n in range(1, len(z)):
        gaps = [z[n] - z[j] for j in range(n)]
        product = prod(gaps, start=Fraction(1))
        last = columns[-1]
        added = [
            omega / product * (_lower(last, m) - z[n - 1] * last[m])
            for m in range(order + 1)
        ]
        # After `added`, which needs the old weights of the last node.
        columns = [
            [(z[n] * column[m] - _lower(column, m)) / gap for m in range(order + 1)]
            for column, gap in zip(columns, gaps, strict=True)
        ]
        columns.append(added)
        omega = product
    return tuple(tuple(column[m] for column in columns) for m in range(order + 1))


def accuracy_order(
    weights: Sequence[Fraction], nodes: Sequence[Fraction], order: int
) -> int | None:
    """The largest p with the weights exact on all monomials of degree <= order + p - 1; None: on all.

    Weights on N nodes that are exact up to degree order + N are exact on every monomial (a Vandermonde
    argument: the weights of all nodes except 0 vanish), which happens only for order 0 with a node at the
    target.

    >>> nodes = [Fraction(-1), Fraction(0), Fraction(1)]
    >>> [accuracy_order(row, nodes, n) for n, row in enumerate(fornberg_weights(nodes, 2))]
    [None, 2, 2]

    Parameters
    ----------
    weights : sequence of Fraction
        One for each node.
    nodes : sequence of Fraction
        Relative to the target.
    order : int
        Of the derivative.

    Returns
    -------
    int or None
        p; None where nothing is wrong on any monomial.
    """
    # w_n x_n^degree, degree after degree: their sum is the moment.
    powers = list(weights)
    for degree in range(order + len(nodes) + 1):
        expected = 0
        if degree == order:
            expected = factorial(order)
        if sum(powers) != expected:
            return degree - order
        powers = [power * x for power, x in zip(powers, nodes, strict=True)]
    return None


def check_sizes(alphas: Sequence[MultiIndex], grid: Grid) -> None:
    """Refuse fewer than a_i + 1 nodes along x_i; the size that is offered keeps the parity."""
    for alpha in alphas:
        for axis, (order, size) in enumerate(zip(alpha, grid.size, strict=True)):
            if size <= order:
                raise StencilTooSmallError(
                    order, axis, size, order + 1 + (order + 1 - size) % 2
                )


def _lower(column: Sequence[Fraction], m: int) -> Fraction:
    if m:
        return m * column[m - 1]
    return Fraction(0)


def _check_distinct(nodes: Sequence[Fraction]) -> None:
    seen: set[Fraction] = set()
    for node in nodes:
        if node in seen:
            raise RepeatedNodeError(node)
        seen.add(node)


def _round(factors: Factors, grid: Grid) -> NDArray[np.float64]:
    """The tensor product in integers over one denominator; Python's division rounds each weight once."""
    # Products of numerators and of denominators are exact; the one division at the end rounds.
    denominators = [lcm(*(w.denominator for w in factor)) for factor in factors]
    numerators = [
        np.array([int(w * common) for w in factor], dtype=object)
        for factor, common in zip(factors, denominators, strict=True)
    ]
    return np.asarray(grid.lay_out(numerators) / prod(denominators), dtype=np.float64)

r"""Finite differences whose error terms are isotropic, with exact rational weights.

A stencil multiplies a wave $e^{k\cdot x}$ by $\hat W(k) = \sum_y W(y)\,e^{k\cdot y}$. For the derivatives of order m
that a basis needs, the space U of their polynomials, a linear map $u \mapsto W_u$ is asked for with

$$\hat W_u = u + \sum_{s,i} c_{s,i}\,|k|^{2(i+s)} \Delta^i u + O(|k|^{n+1}).$$

The $|k|^{2(i+s)} \Delta^i$ span all linear maps from polynomials of degree m to degree m + 2s that commute with O(d).
So the error is the same function of every operator, whatever its representations: if P is equivariant under G ≤ O(d),
then so are the error terms of P up to degree n. With an accuracy p the terms with 2s < p are zero.

Moments are linear in W: among all solutions the one with the least $\sum_y W(y)^2 / b(y)$ is taken, where b are
products of binomial coefficients, first over W and then, summed over an orthonormal basis of U, over c. It is unique;
and since everything in its definition is invariant under the symmetries of the nodes, so is the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, factorial, prod
from typing import TYPE_CHECKING

import numpy as np
from flint import fmpq, fmpq_mat
from numpy.typing import NDArray

from pdobasis.exact.polynomials import monomials
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group
from pdobasis.stencils.errors import IsotropyError, StencilError
from pdobasis.stencils.grids import Grid
from pdobasis.stencils.lattice_symmetry import (
    images_of_nodes,
    keeps_places,
    whole_matrix,
)
from pdobasis.stencils.multi_index import MultiIndex

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis

Polynomial = dict[MultiIndex, Fraction]
Rows = list[list[Fraction]]

MAX_WORK = 2_000_000
"""Nodes times monomials of one system."""
MAX_SIDE = {1: 31, 2: 15, 3: 9}
"""How far a smallest window is looked for, by dimension (5 in more)."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Up to which degree error terms are isotropic; those less than ``accuracy`` degrees above the order are zero."""

    isotropic: int
    accuracy: int = 2
    symmetries: Group | None = None
    """Only nodes that this group leaves in the box, all alike; None: all nodes, with binomial weights."""

    def __post_init__(self) -> None:
        if not (0 <= self.isotropic <= 20 and 1 <= self.accuracy <= 20):
            raise StencilError(
                "isotropic is a degree from 0 to 20 and accuracy an order from 1 to 20, "
                f"got {self.isotropic} and {self.accuracy}"
            )

    def top(self, order: int) -> int:
        """The highest degree about which something is asked."""
        return max(self.isotropic, order + self.accuracy - 1)


def isotropic_atoms(basis: Basis, grid: Grid, wish: Wish) -> NDArray[np.float64]:
    """One stencil per monomial of the basis, whose combinations are the stencils of its elements; rounded once."""
    rows = exact_atoms(basis, grid, wish)
    return np.array([[float(v) for v in row] for row in rows]).reshape(
        -1, *grid.array_shape
    )


def exact_atoms(basis: Basis, grid: Grid, wish: Wish) -> Rows:
    """The same in fractions, in the order of ``basis.monomials()`` and ``grid.nodes()``."""
    if wish.isotropic and not basis.problem.group.is_orthogonal:
        raise StencilError(
            f"{basis.problem.group.name} does not keep the length of vectors in these coordinates, so that isotropic "
            "errors would not be equivariant: leave out isotropic"
        )
    rows: Rows = []
    for order in range(basis.problem.order + 1):
        space = used_polynomials(basis, order)
        weights = isotropic_weights(space, order, grid, wish)
        coordinates = _projections(monomials(grid.dim, order), space)
        rows += [_combination(row, weights, prod(grid.size)) for row in coordinates]
    return rows


def used_polynomials(basis: Basis, order: int) -> list[Polynomial]:
    """A basis, over the rationals, of a space that holds every entry of every element of this order."""
    alphas = monomials(basis.problem.group.dim, order)
    rows: Rows = []
    for block in basis.blocks:
        numerators = block.orders[order].coefficients.numerators
        # A number is a rational combination of powers of one algebraic number: each has its own polynomial.
        for part in np.moveaxis(numerators, -1, 0).reshape(-1, len(alphas)).tolist():
            if any(part):
                rows.append([Fraction(int(v)) for v in part])
    reduced = [row for row in _echelon(rows) if any(row)]
    return [dict(zip(alphas, row, strict=True)) for row in reduced]


def isotropic_weights(
    space: Sequence[Polynomial], order: int, grid: Grid, wish: Wish
) -> list[list[Fraction]]:
    r"""The exact weights of every polynomial of a space, all of one order, in the order of ``grid.nodes()``.

    The nine-point Laplacian, [1 4 1; 4 −20 4; 1 4 1]/6:

    >>> laplacian = {(2, 0): Fraction(1), (0, 2): Fraction(1)}
    >>> [w] = isotropic_weights([laplacian], 2, Grid.regular(2, 3), Wish(4))
    >>> [str(6 * v) for v in w]
    ['1', '4', '1', '4', '-20', '4', '1', '4', '1']
    """
    if not space:
        return []
    nodes = grid.nodes()
    origin = (Fraction(0),) * grid.dim
    if order == 0 and origin in nodes:
        # The value itself has no error, and every other stencil has.
        return [[u[(0,) * grid.dim] * int(y == origin) for y in nodes] for u in space]
    system = _System.of(space, order, grid, wish)
    found = system.solve()
    if found is None:
        raise IsotropyError(
            order,
            wish.isotropic,
            wish.accuracy,
            grid.size,
            smallest_window(space, order, grid, wish),
        )
    return found


def smallest_window(
    space: Sequence[Polynomial], order: int, grid: Grid, wish: Wish
) -> tuple[int, ...] | None:
    """The sizes with the fewest nodes, odd or even as they are, for which there are weights; None if none was found."""
    for size in _windows(grid):
        tried = Grid(size, grid.spacing, grid.dilation, grid.offset, grid.layout)
        if prod(size) * len(_degrees(grid.dim, wish.top(order))) > MAX_WORK:
            return None
        if _System.of(space, order, tried, wish).constants() is not None:
            return size
    return None


def closed_window(group: Group, grid: Grid) -> list[int]:
    """1 for every node that all elements which map the grid to itself leave in the box, else 0.

    What they make of such a node is another one, since they are a group: a hexagon, in skew coordinates of its lattice.
    """
    if not group.is_finite:
        raise StencilError(
            f"{group.name} is continuous: a closed window needs a finite group, whose elements can be listed"
        )
    kept = np.ones(prod(grid.size), dtype=np.int64)
    table = closure(group).matrices
    for k in range(len(table)):
        matrix = whole_matrix(table[k], grid.spacing)
        if matrix is not None and keeps_places(matrix, grid):
            kept &= images_of_nodes(matrix, grid) >= 0
    return [int(v) for v in kept]


def _windows(grid: Grid) -> Iterator[tuple[int, ...]]:
    """Windows to try, the smallest first: cubes where all axes are alike, else all boxes."""
    most = MAX_SIDE.get(grid.dim, 5)
    sides = [range(2 - n % 2, most + 1, 2) for n in grid.size]
    if (
        len(set(zip(grid.size, grid.spacing, grid.dilation, grid.offset, strict=True)))
        == 1
    ):
        yield from ((n,) * grid.dim for n in sides[0])
        return
    yield from sorted(product(*sides), key=lambda size: (prod(size), max(size), size))


@dataclass(frozen=True, slots=True, eq=False)
class _System:
    r"""$V w_u = t_u + E_u c$: moments of the weights, those that the derivative has, and those of isotropic errors.

    ``gram`` is V D V^T for the binomial weights D; ``fischer`` the inverse of the Gram matrix of the space.
    """

    vandermonde: fmpq_mat
    weighted: fmpq_mat
    targets: tuple[fmpq_mat, ...]
    errors: tuple[fmpq_mat, ...]
    fischer: fmpq_mat

    @classmethod
    def of(
        cls, space: Sequence[Polynomial], order: int, grid: Grid, wish: Wish
    ) -> _System:
        betas = _degrees(grid.dim, wish.top(order))
        nodes = grid.nodes()
        if len(betas) * len(nodes) > MAX_WORK:
            raise StencilError(
                f"{len(nodes)} nodes and {len(betas)} moments are too many for exact weights: use a smaller size "
                "or a lower degree"
            )
        # A node outside the window has no moments, and so gets no weight.
        window = [1] * len(nodes)
        if wish.symmetries is not None:
            window = closed_window(wish.symmetries, grid)
        vandermonde = [
            [
                prod((x**b for x, b in zip(y, beta, strict=True)), start=Fraction(kept))
                for y, kept in zip(nodes, window, strict=True)
            ]
            for beta in betas
        ]
        bells = _binomials(grid)
        if wish.symmetries is not None:
            bells = [Fraction(1)] * len(nodes)
        weighted = [
            [v * b for v, b in zip(row, bells, strict=True)] for row in vandermonde
        ]
        errors = [_error_columns(u, order, wish, betas) for u in space]
        return cls(
            _matrix(vandermonde),
            _matrix(weighted),
            tuple(_matrix([[v] for v in _moments(u, betas)]) for u in space),
            tuple(
                _matrix([list(row) for row in zip(*columns, strict=True)], len(betas))
                for columns in errors
            ),
            _matrix([[_inner(u, v) for v in space] for u in space]).inv(),
        )

    def constants(self) -> tuple[fmpq_mat, fmpq_mat] | None:
        """(c0, Z): the solutions c0 + Z z of N (t_u + E_u c) = 0 for all u, where N V = 0; None if there are none."""
        independent, others = self._rows()
        rows = []
        for target, error in zip(self.targets, self.errors, strict=True):
            both = _beside(error, target)
            # A row of V that depends on others: its moment is the same combination of theirs.
            rows += (
                others * _taken(both, independent[0]) - _taken(both, independent[1])
            ).tolist()
        return _affine_solutions(rows, self.errors[0].ncols())

    def solve(self) -> list[list[Fraction]] | None:
        found = self.constants()
        if found is None:
            return None
        start, free = found
        kept = self._rows()[0][0]
        vandermonde, weighted = (
            _taken(self.vandermonde, kept),
            _taken(self.weighted, kept),
        )
        inverse = (vandermonde * weighted.transpose()).inv()
        targets = [_taken(t, kept) for t in self.targets]
        errors = [_taken(e, kept) for e in self.errors]
        constants = start
        if free.ncols():
            constants = start + free * self._least(
                targets, errors, inverse, start, free
            )
        out = []
        for target, error in zip(targets, errors, strict=True):
            weights = weighted.transpose() * (inverse * (target + error * constants))
            out.append([_fraction(v) for row in weights.tolist() for v in row])
        return out

    def _least(
        self,
        targets: list[fmpq_mat],
        errors: list[fmpq_mat],
        inverse: fmpq_mat,
        start: fmpq_mat,
        free: fmpq_mat,
    ) -> fmpq_mat:
        """The z with the least norm of all weights: a quadratic form, whose gradient is zero there."""
        size = free.ncols()
        hessian, gradient = fmpq_mat(size, size), fmpq_mat(size, 1)
        for a, left in enumerate(errors):
            half = (left * free).transpose() * inverse
            for b, right in enumerate(errors):
                scale = self.fischer[a, b]
                hessian += half * (right * free) * scale
                gradient += half * (targets[b] + right * start) * scale
        rows = [
            [*h, -g]
            for h, (g,) in zip(hessian.tolist(), gradient.tolist(), strict=True)
        ]
        # Solvable, since the form is not negative; where c does not matter any will do, and zero is taken.
        solved = _affine_solutions(rows, size, sign=1)
        if solved is None:
            return fmpq_mat(size, 1)
        return solved[0]

    def _rows(self) -> tuple[tuple[list[int], list[int]], fmpq_mat]:
        """((independent rows of V, the others), the others as combinations of these)."""
        reduced, rank = self.vandermonde.transpose().rref()
        entries = reduced.tolist()
        kept = [next(j for j, v in enumerate(row) if v != 0) for row in entries[:rank]]
        rest = [j for j in range(self.vandermonde.nrows()) if j not in set(kept)]
        combined = [[entries[i][j] for i in range(rank)] for j in rest]
        return (kept, rest), fmpq_mat(
            len(rest), rank, [v for row in combined for v in row]
        )


def _error_columns(
    u: Polynomial, order: int, wish: Wish, betas: Sequence[MultiIndex]
) -> list[list[Fraction]]:
    """The moments of |k|^(2(i + s)) Δ^i u for every i and s that are allowed."""
    columns = []
    for s in range(1, (wish.isotropic - order) // 2 + 1):
        if 2 * s < wish.accuracy:
            continue
        part = dict(u)
        for i in range(order // 2 + 1):
            columns.append(_moments(_times_squares(part, i + s), betas))
            part = _laplacian(part)
    return columns


def _times_squares(u: Polynomial, power: int) -> Polynomial:
    """|k|^(2 power) u."""
    for _ in range(power):
        out: Polynomial = {}
        for alpha, value in u.items():
            for axis in range(len(alpha)):
                raised = (*alpha[:axis], alpha[axis] + 2, *alpha[axis + 1 :])
                out[raised] = out.get(raised, Fraction(0)) + value
        u = out
    return u


def _laplacian(u: Polynomial) -> Polynomial:
    out: Polynomial = {}
    for alpha, value in u.items():
        for axis, a in enumerate(alpha):
            if a >= 2:
                lowered = (*alpha[:axis], a - 2, *alpha[axis + 1 :])
                out[lowered] = out.get(lowered, Fraction(0)) + a * (a - 1) * value
    return out


def _moments(u: Polynomial, betas: Sequence[MultiIndex]) -> list[Fraction]:
    """D(u) y^beta at 0 is beta! times the coefficient of k^beta."""
    return [u.get(beta, Fraction(0)) * prod(map(factorial, beta)) for beta in betas]


def _inner(u: Polynomial, v: Polynomial) -> Fraction:
    """Fischer's inner product u(∂) v, which O(d) keeps."""
    terms = (
        value * v.get(alpha, Fraction(0)) * prod(map(factorial, alpha))
        for alpha, value in u.items()
    )
    return sum(terms, Fraction(0))


def _projections(alphas: Sequence[MultiIndex], space: Sequence[Polynomial]) -> Rows:
    """Every monomial, projected to the space, over its basis: for what lies in the space, itself."""
    if not space:
        return [[] for _ in alphas]
    inverse = _matrix([[_inner(u, v) for v in space] for u in space]).inv()
    products = _matrix(
        [[_inner({alpha: Fraction(1)}, u) for u in space] for alpha in alphas]
    )
    return [[_fraction(v) for v in row] for row in (products * inverse).tolist()]


def _combination(row: Sequence[Fraction], weights: Rows, nodes: int) -> list[Fraction]:
    out = [Fraction(0)] * nodes
    for factor, own in zip(row, weights, strict=True):
        if factor:
            out = [a + factor * b for a, b in zip(out, own, strict=True)]
    return out


def _degrees(dim: int, top: int) -> list[MultiIndex]:
    return [beta for degree in range(top + 1) for beta in monomials(dim, degree)]


def _binomials(grid: Grid) -> list[Fraction]:
    """A bell over the nodes, in the order of the array; the same under all its symmetries."""
    lines = [[comb(n - 1, i) for i in range(n)] for n in reversed(grid.size)]
    return [Fraction(prod(values)) for values in product(*lines)]


def _echelon(rows: Rows) -> Rows:
    if not rows:
        return []
    return [[_fraction(v) for v in row] for row in _matrix(rows).rref()[0].tolist()]


def _affine_solutions(
    rows: Sequence[Sequence[fmpq]], unknowns: int, sign: int = -1
) -> tuple[fmpq_mat, fmpq_mat] | None:
    """(c0, Z) with A (c0 + Z z) = sign * b for rows [A, b]; None where there is no solution."""
    if not rows:
        return fmpq_mat(unknowns, 1), _identity(unknowns)
    reduced, rank = fmpq_mat(
        len(rows), unknowns + 1, [v for row in rows for v in row]
    ).rref()
    entries = reduced.tolist()[:rank]
    pivots = [next(j for j, v in enumerate(row) if v != 0) for row in entries]
    if unknowns in pivots:
        return None
    start, others = (
        fmpq_mat(unknowns, 1),
        [j for j in range(unknowns) if j not in set(pivots)],
    )
    free = fmpq_mat(unknowns, len(others))
    for row, pivot in zip(entries, pivots, strict=True):
        start[pivot, 0] = sign * row[unknowns]
        for k, j in enumerate(others):
            free[pivot, k] = -row[j]
    for k, j in enumerate(others):
        free[j, k] = fmpq(1)
    return start, free


def _identity(size: int) -> fmpq_mat:
    return fmpq_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])


def _matrix(rows: Rows, height: int = 0) -> fmpq_mat:
    """A matrix of rational numbers; without rows or columns it has this height."""
    if not rows:
        return fmpq_mat(height, 0)
    entries = [fmpq(v.numerator, v.denominator) for row in rows for v in row]
    return fmpq_mat(len(rows), len(rows[0]), entries)


def _taken(matrix: fmpq_mat, rows: Sequence[int]) -> fmpq_mat:
    entries = matrix.tolist()
    return fmpq_mat(len(rows), matrix.ncols(), [v for i in rows for v in entries[i]])


def _beside(left: fmpq_mat, right: fmpq_mat) -> fmpq_mat:
    both = [[*a, *b] for a, b in zip(left.tolist(), right.tolist(), strict=True)]
    return fmpq_mat(
        left.nrows(), left.ncols() + right.ncols(), [v for row in both for v in row]
    )


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))

r"""Finite differences that are best over a range of wave numbers, within what accuracy and isotropy leave free.

A wave $e^{ik\cdot x}$ is multiplied by $\hat W_u(ik)$ where the derivative has $u(ik)$. The sum of squares of

$$\bigl(\hat W_u(ik) - u(ik)\bigr) / |k|^m, \qquad |k| \le K,$$

over directions, radii and an orthonormal basis of the derivatives u of order m is made least (*dispersion*). For
*isotropy* any $\sum_i a_i(|k|)\, |k|^{2i} \Delta^i u$ may be taken off at every radius: these are all maps that commute
with O(d), so that what is left is how far the stencils are from being equivariant under all rotations.

The minimum is found in floating point. Then weights are made fractions, moved to fulfil all moment conditions exactly
again, and averaged over the symmetries that group and grid share: exact and symmetric as all others, best to about
six digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import gcd
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pdobasis.exact.numbers import to_float
from pdobasis.groups.group import Group
from pdobasis.stencils.errors import StencilError
from pdobasis.stencils.grids import Grid
from pdobasis.stencils.lattice_symmetry import images_of_nodes, keeps_places
from pdobasis.stencils.lattices import Lattice
from pdobasis.stencils.moment_system import (
    MomentSystem,
    NodeSet,
    Polynomial,
    Wish,
    laplacian,
    substituted,
    times_squares,
)
from pdobasis.stencils.rationals import fraction, rational

if TYPE_CHECKING:
    from flint import fmpq_mat

Array = NDArray[np.float64]

RADII = 8
ANGLES = 48
CUT = 1e-5
"""Directions that matter less than this are left alone: rounding would decide about them, differently by machine."""
MAX_NUMBERS = 40_000_000
"""Entries of the least squares problem."""


def optimised_weights(
    space: Sequence[Polynomial],
    order: int,
    grid: Grid,
    nodes: NodeSet,
    kept: Sequence[int],
    wish: Wish,
    group: Group,
) -> list[list[Fraction]]:
    """The weights of every polynomial of a space, on the nodes of a window that has some."""
    system = MomentSystem.of(space, order, nodes, wish)
    step = max(float(h * n) for h, n in zip(grid.spacing, grid.dilation, strict=True))
    problem = _Problem(
        space, order, nodes, system, (wish.optimize or 1.0) / step, wish.objective
    )
    constants, weights = problem.least()
    exact = _corrected(system, constants, weights)
    return _averaged(exact, space, grid, kept, group)


@dataclass(frozen=True, slots=True, eq=False)
class _Problem:
    """Least squares in (z, y, a): w_u = w_u(c0 + Z z) + N y_u, less the profiles a where only isotropy counts."""

    space: Sequence[Polynomial]
    order: int
    nodes: NodeSet
    system: MomentSystem
    reach: float
    objective: str

    def least(self) -> tuple[Array, list[Array]]:
        """The constants c and the weights of every u."""
        found = self.system.constants()
        if found is None:
            raise StencilError("there are no such weights")
        start, free = (_floats(m) for m in found)
        v = _floats(self.system.vandermonde)
        inverse = np.linalg.pinv(v)
        null = _null_space(v)
        # An orthonormal basis of the space: every derivative counts as every turned one does.
        gram = np.array(
            [[float(self.nodes.inner(p, q)) for q in self.space] for p in self.space]
        )
        mix = np.linalg.inv(np.linalg.cholesky(gram))
        targets = [_floats(t)[:, 0] for t in self.system.targets]
        errors = [_floats(e) for e in self.system.errors]
        begin = mix @ np.stack(
            [
                inverse @ (t + e @ start[:, 0])
                for t, e in zip(targets, errors, strict=True)
            ]
        )
        along = np.einsum(
            "ij,jnz->inz", mix, np.stack([inverse @ e @ free for e in errors])
        )
        z, y = self._solved(mix, begin, along, null)
        best = begin + along @ z + y @ null.T
        back = np.linalg.inv(mix) @ best
        return start[:, 0] + free @ z, list(back)

    def _solved(
        self, mix: Array, begin: Array, along: Array, null: Array
    ) -> tuple[Array, Array]:
        k, radius = wave_numbers(self.nodes.dim, self.reach)
        length = np.linalg.norm(k, axis=1)
        places = np.array([[float(x) for x in y] for y in self.nodes.places])
        waves = (
            np.exp(1j * (k @ places.T))
            * (-1j) ** self.order
            / length[:, None] ** self.order
        )
        response = np.concatenate([waves.real, waves.imag])
        wanted = self._values(self.space, k, mix) / length**self.order
        count, free, own = len(self.space), along.shape[2], null.shape[1]
        profiles = self._profiles(k, radius, mix)
        width = free + count * own + profiles.shape[2]
        if count * len(response) * width > MAX_NUMBERS:
            raise StencilError(
                "too many nodes to optimise their weights: use a smaller size"
            )
        rows, right = [], []
        for u in range(count):
            block = np.zeros((len(response), width))
            block[:, :free] = response @ along[u]
            block[:, free + u * own : free + (u + 1) * own] = response @ null
            block[: len(k), free + count * own :] = -profiles[u]
            rows.append(block)
            right.append(
                np.concatenate([wanted[u], np.zeros(len(k))]) - response @ begin[u]
            )
        solution = np.linalg.lstsq(
            np.concatenate(rows), np.concatenate(right), rcond=CUT
        )[0]
        return solution[:free], solution[free : free + count * own].reshape(count, own)

    def _values(self, polynomials: Sequence[Polynomial], k: Array, mix: Array) -> Array:
        """û(k) for the orthonormal basis, (space, k)."""
        return np.asarray(mix @ np.stack([_evaluated(u, k) for u in polynomials]))

    def _profiles(self, k: Array, radius: NDArray[np.int64], mix: Array) -> Array:
        """Columns (space, k, i × radii): |k|^2i Δ^i u on one sphere each; none where dispersion counts."""
        if self.objective != "isotropy":
            return np.zeros((len(self.space), len(k), 0))
        length = np.linalg.norm(k, axis=1)
        columns = []
        parts = [dict(u) for u in self.space]
        for i in range(self.order // 2 + 1):
            raised = [times_squares(u, i, self.nodes.metric) for u in parts]
            values = self._values(raised, k, mix) / length**self.order
            columns += [values * (radius == r) for r in range(RADII)]
            parts = [laplacian(u, self.nodes.metric) for u in parts]
        return np.stack(columns, axis=-1)


def wave_numbers(dim: int, reach: float) -> tuple[Array, NDArray[np.int64]]:
    """Points of a ball of wave numbers, as symmetric as a cube, and the numbers of their radii."""
    if dim == 1:
        directions = np.ones((1, 1))
    elif dim == 2:
        angle = 2 * np.pi * (np.arange(ANGLES) + 0.5) / ANGLES
        directions = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    else:
        whole = [n for n in product(range(-2, 3), repeat=dim) if gcd(*n) == 1]
        directions = np.array(whole, dtype=np.float64)
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    radii = reach * (np.arange(RADII) + 1) / RADII
    k = (radii[:, None, None] * directions).reshape(-1, dim)
    return k, np.repeat(np.arange(RADII), len(directions))


def _corrected(
    system: MomentSystem, constants: Array, weights: Sequence[Array]
) -> list[list[Fraction]]:
    """The nearest weights that fulfil V w = t + E c exactly."""
    found = system.constants()
    if found is None:
        raise StencilError("there are no such weights")
    start, free = found
    c = start
    if free.ncols():
        # In coordinates of the free directions every choice is a solution.
        z = np.linalg.lstsq(
            _floats(free), constants - _floats(start)[:, 0], rcond=None
        )[0]
        c = start + free * rational([[_near(v)] for v in z])
    kept, vandermonde, weighted, inverse = system.independent()
    out = []
    for target, error, own in zip(system.targets, system.errors, weights, strict=True):
        near = rational([[_near(v)] for v in own])
        missing = system.rows_of(target + error * c, kept) - vandermonde * near
        solved = near + weighted.transpose() * (inverse * missing)
        out.append([fraction(v) for (v,) in solved.tolist()])
    return out


def _averaged(
    weights: list[list[Fraction]],
    space: Sequence[Polynomial],
    grid: Grid,
    kept: Sequence[int],
    group: Group,
) -> list[list[Fraction]]:
    """W_u(y) = the mean of W_{u∘g^T}(g y) over all shared g that map the nodes to themselves."""
    place = {k: j for j, k in enumerate(kept)}
    pivots = [next(alpha for alpha, v in u.items() if v) for u in space]
    total = [[Fraction(0)] * len(kept) for _ in space]
    count = 0
    for g, m in Lattice.rectangular(*grid.spacing).symmetries(group):
        if not keeps_places(m, grid):
            continue
        images = images_of_nodes(m, grid)[list(kept)]
        if not all(int(k) in place for k in images):
            continue
        count += 1
        entries = [
            [Fraction(float(v)).limit_denominator(10**6) for v in row]
            for row in to_float(g.T)
        ]
        turned = tuple(tuple(row) for row in entries)
        for u, own in zip(space, total, strict=True):
            moved = substituted(u, turned)
            # The space is in echelon form: coordinates are the entries at its pivots.
            factors = [
                moved.get(alpha, Fraction(0)) / v[alpha]
                for alpha, v in zip(pivots, space, strict=True)
            ]
            for j, k in enumerate(images):
                at = place[int(k)]
                own[j] += sum(
                    (f * w[at] for f, w in zip(factors, weights, strict=True) if f),
                    Fraction(0),
                )
    return [[v / count for v in row] for row in total]


def _near(value: float) -> Fraction:
    """Six digits of a weight: their number decides how long the fractions are, not how exact the moments."""
    return Fraction(round(float(value) * 10**6), 10**6)


def _evaluated(u: Polynomial, k: Array) -> Array:
    out = np.zeros(len(k))
    for alpha, value in u.items():
        if value:
            out += float(value) * np.prod(k ** np.array(alpha), axis=1)
    return out


def _floats(matrix: fmpq_mat) -> Array:
    rows = [[float(fraction(v)) for v in row] for row in matrix.tolist()]
    return np.array(rows).reshape(matrix.nrows(), matrix.ncols())


def _null_space(v: Array) -> Array:
    _, values, right = np.linalg.svd(v)
    rank = int((values > 1e-10 * values[0]).sum())
    return np.asarray(right[rank:].T)

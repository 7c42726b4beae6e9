r"""Weights by exact moment conditions on any nodes, of the least norm, with error terms that commute with rotations.

$V w_u = t_u + E_u c$ for all polynomials u of a space: V are the moments of the nodes, $t_u$ those of the derivative u,
and the columns of $E_u$ those of $|k|^{2(i+s)} \Delta^i u$. Coordinates may be skew: then $|k|^2 = k^T M k$.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial, pi, prod

from flint import fmpq_mat

from pdobasis.exact.given import whole_number
from pdobasis.exact.polynomials import monomials
from pdobasis.groups.group import Group
from pdobasis.stencils.commuting import Map, commuting_maps
from pdobasis.stencils.errors import StencilError
from pdobasis.stencils.multi_index import MultiIndex
from pdobasis.stencils.rationals import (
    Rows,
    affine_solutions,
    beside,
    fraction,
    rational,
    taken,
)

Polynomial = dict[MultiIndex, Fraction]
Metric = tuple[tuple[Fraction, ...], ...]

OBJECTIVES = ("dispersion", "isotropy")
MAX_WORK = 2_000_000
"""Nodes times monomials of one system."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Up to which degree error terms are isotropic; those less than ``accuracy`` degrees above the order are zero."""

    isotropic: int
    accuracy: int = 2
    symmetries: Group | None = None
    """Only nodes that this group leaves in the box, all alike; None: all nodes, with binomial weights."""
    optimize: float | None = None
    """Best for waves up to so many radians per step, within what remains free; None: of least norm."""
    objective: str = "dispersion"
    radius: Fraction | None = None
    """Only nodes within this distance."""
    larger: Group | None = None
    """The group with which error terms commute, in the coordinates of the nodes; None: all that keep lengths."""

    def __post_init__(self) -> None:
        for name in ("isotropic", "accuracy"):
            whole_number(getattr(self, name), name)
        if not (0 <= self.isotropic <= 20 and 1 <= self.accuracy <= 20):
            raise StencilError(
                "isotropic is a degree from 0 to 20 and accuracy an order from 1 to 20, "
                f"got {self.isotropic} and {self.accuracy}"
            )

        reach = self.optimize
        if reach is not None and not 0 < reach <= pi:
            raise StencilError(
                f"optimize is a wave number above 0 and at most pi, in radians per step, got {reach}"
            )
        if self.objective not in OBJECTIVES:
            raise StencilError(
                f"objective is {' or '.join(OBJECTIVES)}, got {self.objective!r:.40}"
            )
        if self.larger is not None and not self.isotropic:
            raise StencilError(
                "isotropic_group= is the group with which error terms commute up to the degree isotropic=: give both"
            )
        if self.larger is not None and self.objective == "isotropy":
            raise StencilError(
                "objective isotropy counts what does not commute with all rotations: leave out isotropic_group="
            )

    def top(self, order: int) -> int:
        """The highest degree about which something is asked."""
        return max(self.isotropic, order + self.accuracy - 1)


@dataclass(frozen=True, slots=True)
class NodeSet:
    """Places of nodes, what the square of each weight is divided by in the norm, and M with |k|² = k^T M k."""

    places: tuple[tuple[Fraction, ...], ...]
    bells: tuple[Fraction, ...]
    metric: Metric

    @property
    def dim(self) -> int:
        return len(self.metric)

    def inner(self, u: Polynomial, v: Polynomial) -> Fraction:
        """Fischer's inner product u(M^{-1} ∂) v, which all that keep |k| keep."""
        if self.metric == flat(self.dim):
            return inner(u, v)
        return inner(substituted(u, inverse_of(self.metric)), v)


def flat(dim: int) -> Metric:
    return tuple(tuple(Fraction(int(i == j)) for j in range(dim)) for i in range(dim))


def inverse_of(metric: Metric) -> Metric:
    found = rational([list(row) for row in metric]).inv()
    return tuple(tuple(fraction(v) for v in row) for row in found.tolist())


def substituted(u: Polynomial, matrix: Metric) -> Polynomial:
    """u(M k)."""
    dim = len(matrix)
    out: Polynomial = {}
    for alpha, value in u.items():
        terms: Polynomial = {(0,) * dim: value}
        for axis, power in enumerate(alpha):
            for _ in range(power):
                terms = _times_linear(terms, matrix[axis])
        for beta, own in terms.items():
            out[beta] = out.get(beta, Fraction(0)) + own
    return {beta: own for beta, own in out.items() if own}


def _times_linear(u: Polynomial, row: Sequence[Fraction]) -> Polynomial:
    out: Polynomial = {}
    for alpha, value in u.items():
        for axis, factor in enumerate(row):
            if factor:
                raised = (*alpha[:axis], alpha[axis] + 1, *alpha[axis + 1 :])
                out[raised] = out.get(raised, Fraction(0)) + value * factor
    return out


@dataclass(frozen=True, slots=True, eq=False)
class MomentSystem:
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
        cls, space: Sequence[Polynomial], order: int, nodes: NodeSet, wish: Wish
    ) -> MomentSystem:
        betas = up_to(nodes.dim, wish.top(order))
        if len(betas) * len(nodes.places) > MAX_WORK:
            raise StencilError(
                f"{len(nodes.places)} nodes and {len(betas)} moments are too many for exact weights: use a smaller "
                "size or a lower degree"
            )
        vandermonde = [
            [
                prod((x**b for x, b in zip(y, beta, strict=True)), start=Fraction(1))
                for y in nodes.places
            ]
            for beta in betas
        ]
        weighted = [
            [v * b for v, b in zip(row, nodes.bells, strict=True)]
            for row in vandermonde
        ]
        errors = [error_columns(u, order, wish, betas, nodes.metric) for u in space]
        gram = [[nodes.inner(u, v) for v in space] for u in space]
        return cls(
            rational(vandermonde, len(betas)),
            rational(weighted, len(betas)),
            tuple(rational([[v] for v in moments_of(u, betas)]) for u in space),
            tuple(
                rational([list(row) for row in zip(*columns, strict=True)], len(betas))
                for columns in errors
            ),
            rational(gram).inv(),
        )

    def constants(self) -> tuple[fmpq_mat, fmpq_mat] | None:
        """(c0, Z): the solutions c0 + Z z of N (t_u + E_u c) = 0 for all u, where N V = 0; None if there are none."""
        independent, others = self._rows()
        rows = []
        for target, error in zip(self.targets, self.errors, strict=True):
            both = beside(error, target)
            # A row of V that depends on others: its moment is the same combination of theirs.
            rows += (
                others * taken(both, independent[0]) - taken(both, independent[1])
            ).tolist()
        return affine_solutions(rows, self.errors[0].ncols())

    def solve(self) -> list[list[Fraction]] | None:
        found = self.constants()
        if found is None:
            return None
        start, free = found
        kept, _, weighted, inverse = self.independent()
        targets = [taken(t, kept) for t in self.targets]
        errors = [taken(e, kept) for e in self.errors]
        constants = start
        if free.ncols():
            constants = start + free * self._least(
                targets, errors, inverse, start, free
            )
        out = []
        for target, error in zip(targets, errors, strict=True):
            weights = weighted.transpose() * (inverse * (target + error * constants))
            out.append([fraction(v) for row in weights.tolist() for v in row])
        return out

    def independent(self) -> tuple[list[int], fmpq_mat, fmpq_mat, fmpq_mat]:
        """Independent rows of V: their numbers, V, V D and (V D V^T)^{-1}."""
        kept = self._rows()[0][0]
        vandermonde = taken(self.vandermonde, kept)
        weighted = taken(self.weighted, kept)
        return (
            kept,
            vandermonde,
            weighted,
            (vandermonde * weighted.transpose()).inv(),
        )

    def rows_of(self, moments: fmpq_mat, kept: Sequence[int]) -> fmpq_mat:
        return taken(moments, kept)

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
        solved = affine_solutions(rows, size, sign=1)
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


def error_columns(
    u: Polynomial,
    order: int,
    wish: Wish,
    betas: Sequence[MultiIndex],
    metric: Metric,
) -> list[list[Fraction]]:
    """The moments of |k|^(2(i + s)) Δ^i u for every i and s that are allowed; of all maps that commute with a group."""
    if wish.larger is not None:
        degrees = range(order + wish.accuracy, wish.isotropic + 1)
        maps = [m for n in degrees for m in commuting_maps(wish.larger, order, n)]
        return [moments_of(mapped(u, m), betas) for m in maps]
    columns = []
    for s in range(1, (wish.isotropic - order) // 2 + 1):
        if 2 * s < wish.accuracy:
            continue
        part = dict(u)
        for i in range(order // 2 + 1):
            columns.append(moments_of(times_squares(part, i + s, metric), betas))
            part = laplacian(part, metric)
    return columns


def mapped(u: Polynomial, by: Map) -> Polynomial:
    """E u."""
    out: Polynomial = {}
    for alpha, value in u.items():
        for beta, factor in by[alpha].items():
            out[beta] = out.get(beta, Fraction(0)) + value * factor
    return out


def times_squares(u: Polynomial, power: int, metric: Metric) -> Polynomial:
    """|k|^(2 power) u."""
    square = _quadratic(metric)
    for _ in range(power):
        out: Polynomial = {}
        for alpha, value in u.items():
            for beta, factor in square.items():
                raised = tuple(a + b for a, b in zip(alpha, beta, strict=True))
                out[raised] = out.get(raised, Fraction(0)) + value * factor
        u = out
    return u


def _quadratic(metric: Metric) -> Polynomial:
    """k^T M k."""
    dim = len(metric)
    out: Polynomial = {}
    for i in range(dim):
        for j in range(dim):
            alpha = tuple(int(a == i) + int(a == j) for a in range(dim))
            out[alpha] = out.get(alpha, Fraction(0)) + metric[i][j]
    return {alpha: value for alpha, value in out.items() if value}


def laplacian(u: Polynomial, metric: Metric) -> Polynomial:
    """The operator that goes with the length of k: ∂^T M^{-1} ∂."""
    out: Polynomial = {}
    inverse = inverse_of(metric)
    dim = len(metric)
    for alpha, value in u.items():
        for i in range(dim):
            for j in range(dim):
                lowered = list(alpha)
                factor = value * inverse[i][j]
                for axis in (i, j):
                    factor *= lowered[axis]
                    lowered[axis] -= 1
                if factor:
                    out[tuple(lowered)] = out.get(tuple(lowered), Fraction(0)) + factor
    return out


def moments_of(u: Polynomial, betas: Sequence[MultiIndex]) -> list[Fraction]:
    """D(u) y^beta at 0 is beta! times the coefficient of k^beta."""
    return [u.get(beta, Fraction(0)) * prod(map(factorial, beta)) for beta in betas]


def inner(u: Polynomial, v: Polynomial) -> Fraction:
    """Fischer's inner product u(∂) v, which O(d) keeps."""
    terms = (
        value * v.get(alpha, Fraction(0)) * prod(map(factorial, alpha))
        for alpha, value in u.items()
    )
    return sum(terms, Fraction(0))


def projections(
    alphas: Sequence[MultiIndex], space: Sequence[Polynomial], nodes: NodeSet
) -> Rows:
    """Every monomial, projected to the space, over its basis: for what lies in the space, itself."""
    if not space:
        return [[] for _ in alphas]
    inverse = rational([[nodes.inner(u, v) for v in space] for u in space]).inv()
    products = rational(
        [[nodes.inner({alpha: Fraction(1)}, u) for u in space] for alpha in alphas]
    )
    return [[fraction(v) for v in row] for row in (products * inverse).tolist()]


def combination(row: Sequence[Fraction], weights: Rows, nodes: int) -> list[Fraction]:
    out = [Fraction(0)] * nodes
    for factor, own in zip(row, weights, strict=True):
        if factor:
            out = [a + factor * b for a, b in zip(out, own, strict=True)]
    return out


def up_to(dim: int, top: int) -> list[MultiIndex]:
    return [beta for degree in range(top + 1) for beta in monomials(dim, degree)]

r"""Theorem: the elements are equivariant, (1). Decided by evaluation, not by comparing coefficients.

Both sides of $P(y)\,\rho_{in}(g) = \rho_{out}(g)\,P(g^T y)$ are homogeneous of the order of P, so they are equal when
they are equal on a lattice on which no homogeneous polynomial of this order vanishes but 0. For a Lie generator
likewise $P(y)\,d\rho_{in}(X) = d\rho_{out}(X)\,P(y) + (X^T y) \cdot \nabla P(y)$. Generators are enough: what commutes
with two elements commutes with their product.
"""

from __future__ import annotations

from collections.abc import Sequence

from pdobasis.bounds.caches import remembered
from pdobasis.bounds.watch import check
from pdobasis.exact.array import (
    ExactArray,
    RightFactor,
    exact,
    integers,
    stack,
    zeros,
)
from pdobasis.exact.field import RATIONALS, join
from pdobasis.exact.matrices import batched_matmul
from pdobasis.groups.group import Group
from pdobasis.proof.action import lie_on_space, on_space
from pdobasis.proof.batch import Batch, slices
from pdobasis.proof.claim import Claim
from pdobasis.proof.dense import agrees, agrees_by_elements
from pdobasis.proof.lines import (
    Sum,
    columns_of,
    lie_columns_of,
    lie_rows_of,
    rows_of,
)
from pdobasis.proof.points import evaluation, gradients, lattice, on_lattice, powers
from pdobasis.proof.sparse import Sided, balanced
from pdobasis.question.problem import Problem
from pdobasis.values import dataclass

LARGE = 8
"""Orders below are never looked at modulo primes: their values are small, or few."""
AT_ONCE = 200_000
"""Values at points that are held at a time, before a representation spreads them."""


def equivariant(problem: Problem, holds: bool, angle: bool | None) -> Claim:
    """From the verdict over all elements; ``angle`` is that for a symbolic angle."""
    group = problem.group
    kinds = ((len(group.generators), "generator"), (len(group.lie), "Lie generator"))
    parts = [f"{count} {name}{'s' * (count > 1)}" for count, name in kinds if count]
    how = f"evaluated exactly over {problem.field} for {' and '.join(parts) or 'the identity'}"
    if angle:
        how += "; and for a rotation by a symbolic angle"
    return Claim("equivariant", holds, how)


def is_equivariant(batch: Batch, reps_in: Sum, reps_out: Sum) -> bool:
    """For every generator, and every Lie generator, of the group; some elements and some points at a time."""
    group = reps_in[0].group
    if not group.generators and not group.lie:  # what commutes with nothing but 1
        return True
    if group.field.is_rational and not _is_rational(batch, reps_in, reps_out):
        from pdobasis.proof.over_q import over_q

        # square roots of the fibres alone may go out with a change of their bases
        rational = over_q(batch, reps_in, reps_out)
        if rational is not None:
            batch, reps_in, reps_out = rational
    if group.lie:
        from pdobasis.proof.large_orders import holds_on_grid, on_grid

        if on_grid(batch, reps_in, reps_out):
            return all(holds_on_grid(some, reps_in, reps_out) for some in slices(batch))
    verdict = agrees(batch, reps_in, reps_out)
    if verdict is not None:
        return verdict
    if batch.high >= LARGE:
        from pdobasis.proof.at_places import are_large, holds_at_places

        if are_large(batch, (*reps_in, *reps_out)):
            return holds_at_places(batch, reps_in, reps_out)
    verdict = agrees_by_elements(batch, reps_in, reps_out)
    if verdict is not None:
        return verdict
    verdict = _agrees_by_cells(batch, reps_in, reps_out)
    if verdict is not None:
        return verdict
    tables = _tables(group, batch.low, batch.high)
    count = max(len(group.generators), len(group.lie), 1)
    degree = max(batch.coefficients.field.degree, tables.there.field.degree)
    for some in slices(batch, degree):
        # as many points as make AT_ONCE numbers for all generators together
        every = len(some.row) * degree * count
        step = max(1, AT_ONCE // max(1, every))
        for first in range(0, len(tables.here), step):
            check()
            if not _is_equivariant(
                some, reps_in, reps_out, tables.at(first, first + step)
            ):
                return False
    return True


def _agrees_by_cells(batch: Batch, reps_in: Sum, reps_out: Sum) -> bool | None:
    # loaded where it is asked: small questions are decided before
    from pdobasis.proof.cells import agrees_by_cells

    return agrees_by_cells(batch, reps_in, reps_out)


def _is_rational(batch: Batch, reps_in: Sum, reps_out: Sum) -> bool:
    fields = (rep.field for rep in (*reps_in, *reps_out))
    return batch.coefficients.field.is_rational and all(f.is_rational for f in fields)


def _is_equivariant(batch: Batch, reps_in: Sum, reps_out: Sum, tables: _Tables) -> bool:
    """All generators at once: entry e for generator s is number s * (number of entries) + e."""
    # small questions are seen to hold before: what the others need is loaded with the first of them
    from pdobasis.proof.sides import again, rho_times, times_rho

    here = values(batch.coefficients, tables.here)
    if len(tables.there):
        count = len(tables.there)
        left = times_rho(batch, again(here, count), rows_of(reps_in))
        right = rho_times(batch, _turned(batch, tables.there), columns_of(reps_out))
        if not balanced([left], [right]):
            return False
    if len(tables.drift):
        count = len(tables.drift)
        repeated = again(here, count)
        left = times_rho(batch, repeated, lie_rows_of(reps_in))
        right = rho_times(batch, repeated, lie_columns_of(reps_out))
        if not balanced([left], [right, _drifting(batch, tables.drift)]):
            return False
    return True


def _turned(batch: Batch, tables: ExactArray) -> ExactArray:
    """The values for every generator, one below the other."""
    count, points, _ = tables.shape
    return _moved(batch, tables).reshape(count * len(batch.row), points)


def _moved(batch: Batch, tables: ExactArray) -> ExactArray:
    """The values for every generator, (generators, entries, points)."""
    count, points, monomials = tables.shape
    # one product of matrices for all generators and points
    found = values(batch.coefficients, tables.reshape(count * points, monomials))
    return found.reshape(len(batch.row), count, points).transpose(1, 0, 2)


def _drifting(batch: Batch, tables: ExactArray) -> Sided:
    """(X^T y) . grad P, for every X."""
    from pdobasis.proof.sides import key, numbers

    moved = _turned(batch, tables)
    generator, entry = numbers(batch, len(moved))
    return key(batch, entry, batch.row[entry], batch.column[entry], generator), moved


def values(coefficients: ExactArray, at: ExactArray) -> ExactArray:
    """Every polynomial at every point."""
    field = join(coefficients.field, at.field)
    return RightFactor(at.T.over(field))(coefficients.over(field))


@dataclass(frozen=True, slots=True, eq=False)
class _Tables:
    """The monomials at the points y of the lattice; at g^T y for every generator; and their drift for every X."""

    here: ExactArray
    there: ExactArray
    drift: ExactArray

    def at(self, first: int, last: int) -> _Tables:
        """At some of the points."""
        if first == 0 and last >= len(self.here):
            return self
        return _Tables(
            self.here[first:last], self.there[:, first:last], self.drift[:, first:last]
        )


@remembered
def _tables(group: Group, low: int, high: int) -> _Tables:
    points = integers(lattice(group.dim, high))
    alphas = powers(group.dim, low, high)
    here = on_lattice(group.dim, low, high)
    there = drift = zeros((0, *here.shape))
    if group.generators:
        moved = _images(points, on_space(group))
        # constants and mirrors are rational, whatever the group needs
        there = _over_q(evaluation(moved.reshape(-1, group.dim), alphas))
        there = there.reshape(len(group.generators), *here.shape)
    if group.lie:
        # (d/dt) y^alpha along y' = X^T y: at every point the velocities times the gradients of all monomials
        velocity = _images(points, lie_on_space(group)).transpose(1, 0, 2)
        slopes = gradients(group.dim, low, high)
        drift = batched_matmul(velocity, slopes).transpose(1, 0, 2)
    return _Tables(here, there, drift)


def _images(points: ExactArray, maps: Sequence[ExactArray]) -> ExactArray:
    """(g^T y)^T = y^T g for all maps g and points y: (maps, points, dim), one product for all."""
    k, dim = points.shape
    side_by_side = stack(maps).transpose(1, 0, 2).reshape(dim, len(maps) * dim)
    return (points @ side_by_side).reshape(k, len(maps), dim).transpose(1, 0, 2)


def _over_q(found: ExactArray) -> ExactArray:
    """The same numbers over Q, where all of them are rational."""
    if not found.is_rational:
        return found
    return exact(found.numerators[..., :1], found.denominator, RATIONALS)

r"""The constraint of finite groups at large orders: at points, modulo primes.

The difference D of both sides is a polynomial of order n over K. Times the denominators its coefficients have whole
coordinates over the basis of K, and none exceeds a bound B that is known beforehand. Let p split, so that K has as many
homomorphisms $\varphi$ to $\mathbb{F}_p$ as its degree. On the lattice $\{|a| = n\}$ no homogeneous polynomial of order
n vanishes but 0, over $\mathbb{F}_p$ too where p > n: those that are 1 at one point and 0 at the others,
$\prod_i \prod_{j < a_i} (x_i - j s/n) / (a_i - j)$ with $s = \sum x_i$, have denominators below p. So if $\varphi(D)$
vanishes there, $\varphi$ sends all coefficients to 0. If every $\varphi$ does, p divides all coordinates, since the
homomorphisms are independent. If that is so for primes whose product exceeds B, D is 0.

The values themselves, such as $(16\sqrt5)^{16}$, do not fit into 64 bits; their residues do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from math import lcm

import numpy as np
from numpy.typing import NDArray

from pdobasis.exact.array import ExactArray, exact, integers
from pdobasis.exact.field import Field, join
from pdobasis.exact.types import IntArray
from pdobasis.proof.action import on_space
from pdobasis.proof.batch import Batch, orders, slices
from pdobasis.proof.large_orders import holds_on_grid, on_grid, primes_beyond
from pdobasis.proof.lines import Lines, Sum, columns_of, matrices_of, rows_of
from pdobasis.proof.modular import Place, places, residues, step_of
from pdobasis.proof.points import lattice, powers
from pdobasis.proof.sides import again, rho_times, times_rho
from pdobasis.proof.sparse import balanced

Residues = NDArray[np.float64]

LARGE = 1 << 44
"""Values below are added up exactly by BLAS, hundreds of them with their coefficients: that is quicker."""
AT_ONCE = 500_000
"""Values that are held at a time, before a representation spreads them."""
TERMS = 64
"""So many products of two residues below 2^23 are below 2^53 together, so that BLAS adds them up exactly."""


def are_large(batch: Batch, reps: Sum) -> bool:
    """Whether a finite group takes monomials to large values on the lattice."""
    group = reps[0].group
    if group.lie or not group.generators:
        return False
    field = _field(batch, reps)
    _, most = _images(on_space(group), field)
    return bool(max(1, most * batch.high) ** batch.high >= LARGE)


def holds_at_places(batch: Batch, reps_in: Sum, reps_out: Sum) -> bool:
    """For every generator; order by order."""
    # in the plane the lattice has as many points as the grid, and elsewhere the values at all of them are more work
    if batch.dim > 2 and on_grid(batch, reps_in, reps_out):
        return all(holds_on_grid(some, reps_in, reps_out) for some in slices(batch))
    field = _field(batch, (*reps_in, *reps_out))
    for own in orders(batch):
        limit, common = _bound(own, reps_in, reps_out, field)
        for p in primes_beyond(limit, step_of(field), common):
            for at in places(field, p):
                if not all(
                    _holds(some, reps_in, reps_out, field, at) for some in slices(own)
                ):
                    return False
    return True


def _field(batch: Batch, reps: Sum) -> Field:
    """That holds everything."""
    matrices = [*on_space(reps[0].group), *(m for rep in reps for m in rep.generators)]
    return reduce(join, {m.field for m in (batch.coefficients, *matrices)})


def _bound(batch: Batch, reps_in: Sum, reps_out: Sum, field: Field) -> tuple[int, int]:
    r"""What no coordinate of D exceeds, once denominators are multiplied away; and these.

    The coefficients of $P(g^T y)$ are at most the sum of those of P, times the n-th power of the largest sum along a
    column of g: a coordinate of $g^T y$ is such a sum.
    """
    group, n = reps_in[0].group, batch.high
    # over the field first: in another basis lowest terms may be lower
    gamma, most = _images([g.over(field) for g in on_space(group)], field)
    common, total = 1, 1
    for reps in (reps_in, reps_out):
        matrices = [m.over(field) for rep in reps for m in matrices_of(rep)]
        denominator, _ = _images(matrices, field)
        norms = [
            _norms(m, field).sum() * (denominator // m.denominator) for m in matrices
        ]
        common, total = common * denominator, total + sum(int(v) for v in norms)
    coefficients = _norms(_whole(batch), field)
    largest = int(coefficients.sum(axis=1).max(initial=0))
    return 2 * largest * total * common * (gamma**n + most**n), common * gamma


def _images(matrices: Sequence[ExactArray], field: Field) -> tuple[int, int]:
    """The common denominator, and what no sum along a column of the numerators over it exceeds."""
    common = lcm(*(m.denominator for m in matrices))
    most = 1
    for m in matrices:
        sums = _norms(m, field).sum(axis=0) * (common // m.denominator)
        most = max(most, int(sums.max(initial=0)))
    return common, most


def _norms(values: ExactArray, field: Field) -> IntArray:
    r"""A norm of every numerator that no coordinate exceeds, and with $\|xy\| \le \|x\|\,\|y\|$; Python's integers.

    It is the largest sum along a row of the matrix of multiplication with x, where the first row holds x, as 1 is the
    first of the basis; here of the sum of the matrices of all terms of x, which is at least that.
    """
    n = field.degree
    # row i of matrix k holds the product of the basis elements i and k
    tables = np.abs(field.products().reshape(n, n, n).astype(object))
    weights = tables.sum(axis=2).max(axis=0)
    numbers = np.abs(values.over(field).numerators.astype(object))
    return np.asarray((numbers * weights).sum(axis=-1))


def _holds(batch: Batch, reps_in: Sum, reps_out: Sum, field: Field, at: Place) -> bool:
    group, p = reps_in[0].group, at.prime
    count = len(group.generators)
    alphas = powers(batch.dim, batch.high, batch.high)
    # monomials that no element has are not looked at
    whole = _whole(batch)
    used = np.flatnonzero(whole.nonzero_mask().any(axis=0))
    alphas = alphas[used]
    numbers = _residues(whole[:, used], field, at).astype(np.float64)
    rho_in = _at_place(rows_of(reps_in), field, at)
    rho_out = _at_place(columns_of(reps_out), field, at)
    turns = [_residues(g, field, at) for g in on_space(group)]
    for points in _some_points(batch, count):
        here = _values(numbers, _monomials(points, alphas, p), p)
        # (g^T y)^T = y^T g
        there = [
            _values(numbers, _monomials(points @ g % p, alphas, p), p) for g in turns
        ]
        left = times_rho(batch, again(integers(here), count), rho_in)
        right = rho_times(batch, integers(np.concatenate(there)), rho_out)
        if not balanced([left], [right], p):
            return False
    return True


def _whole(batch: Batch) -> ExactArray:
    """Without the denominator, which is one number for both sides."""
    return exact(batch.coefficients.numerators, 1, batch.coefficients.field)


def _residues(values: ExactArray, field: Field, at: Place) -> IntArray:
    return residues(values.over(field), at)


def _at_place(lines: Lines, field: Field, at: Place) -> Lines:
    if lines.weight is None:
        return lines
    weight = integers(_residues(lines.weight, field, at))
    return Lines(lines.start, lines.position, weight)


def _some_points(batch: Batch, count: int) -> Iterator[IntArray]:
    """The lattice, some points at a time."""
    points = lattice(batch.dim, batch.high)
    step = max(1, AT_ONCE // max(1, len(batch.row) * count))
    for first in range(0, len(points), step):
        yield points[first : first + step]


def _monomials(points: IntArray, alphas: IntArray, p: int) -> Residues:
    """The monomials at the points modulo p, (monomials, points); a product of two residues is below 2^46."""
    table = [np.ones(points.shape)]
    for _ in range(int(alphas.max(initial=0))):
        table.append(_reduced(table[-1] * points, p))
    # (variable, power, point)
    steps = np.ascontiguousarray(np.stack(table).transpose(2, 0, 1))
    out: Residues = steps[0, alphas[:, 0]]
    for own, power in zip(steps[1:], alphas.T[1:], strict=True):
        out = _reduced(out * own[power], p)
    return out


def _values(numbers: Residues, monomials: Residues, p: int) -> IntArray:
    """Every polynomial at every point, modulo p."""
    out = np.zeros((len(numbers), monomials.shape[1]))
    for first in range(0, len(monomials), TERMS):
        own = slice(first, first + TERMS)
        # below 2^53, whatever the order in which BLAS adds
        out += _reduced(numbers[:, own] @ monomials[own], p)
    return out.astype(np.int64) % p


def _reduced(values: Residues, p: int) -> Residues:
    """Whole numbers from 0 to 2^52 modulo p < 2^23, in place.

    Nothing is rounded but the quotient. Below 2^46 that is right, as 1/p is more than what is rounded away; beyond
    it may be one too large, and what is left a negative residue above -p.
    """
    quotient = values / p
    np.floor(quotient, out=quotient)
    quotient *= p
    values -= quotient
    return values

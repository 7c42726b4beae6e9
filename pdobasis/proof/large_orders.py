r"""The constraint at large orders: on a grid of points, modulo primes.

The difference of both sides is a polynomial D of order n with rational coefficients. Times the denominators of the
representations they are whole numbers, and at most a bound B that is known beforehand. On the points
$(a_1, \dots, a_{d-1}, 1)$ with $0 \le a_i \le n$ no homogeneous polynomial of order n vanishes but 0, over
$\mathbb{F}_p$ too where p > n: so if D vanishes there modulo p, p divides every coefficient. If it does so for
primes whose product exceeds B, D is 0.

On such a grid polynomials are evaluated one variable after the other, which is less work than all monomials at all
points; and the values of monomials such as $64^{64}$ never appear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.exact.arithmetic import is_prime
from pdobasis.exact.array import ExactArray, integers
from pdobasis.exact.integers import bound
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.proof.action import lie_on_space, on_space
from pdobasis.proof.batch import Batch, orders
from pdobasis.proof.lines import (
    Sum,
    columns_of,
    lie_columns_of,
    lie_rows_of,
    matrices_of,
    rows_of,
)
from pdobasis.proof.points import powers, where
from pdobasis.proof.sides import again, key, numbers, rho_times, times_rho
from pdobasis.proof.sparse import Sided, balanced

FROM = 10
"""Orders below are quicker at once, and exactly."""
BITS = 23
"""Of the primes: 65 products of two residues are below 2^53, so that BLAS adds them up exactly."""
LARGEST = 64
"""Orders up to which that is so."""
DIMENSIONS = 4
"""Up to which the grid has not many more points than there are monomials: six times as many at most."""


def on_grid(batch: Batch, reps_in: Sum, reps_out: Sum) -> bool:
    """Whether everything is rational, in few dimensions, and generators permute coordinates up to factors."""
    group = reps_in[0].group
    if not 2 <= group.dim <= DIMENSIONS:
        return False
    if not FROM <= batch.high <= LARGEST:
        return False
    fields = [rep.field for rep in (*reps_in, *reps_out)]
    rational = all(
        f.is_rational for f in (*fields, group.field, batch.coefficients.field)
    )
    return rational and all(_is_monomial(g) for g in on_space(group))


def _is_monomial(g: ExactArray) -> bool:
    entries = g.nonzero_mask()
    return bool((entries.sum(axis=0) == 1).all() and (entries.sum(axis=1) == 1).all())


def holds_on_grid(batch: Batch, reps_in: Sum, reps_out: Sum) -> bool:
    """For every generator and Lie generator; order by order."""
    for own in orders(batch):
        limit, common = _bound(own, reps_in, reps_out)
        for p in primes_beyond(limit, avoid=common):
            if not _holds(own, reps_in, reps_out, p):
                return False
    return True


def primes_beyond(limit: int, step: int = 1, avoid: int = 1) -> Iterator[int]:
    """Primes below 2^BITS, 1 modulo the step, until their product exceeds the limit; none that divides ``avoid``."""
    product = 1
    p = (1 << BITS) - ((1 << BITS) - 1) % step
    while product <= limit:
        p -= step
        if avoid % p and is_prime(p):
            product *= p
            yield p


def _bound(batch: Batch, reps_in: Sum, reps_out: Sum) -> tuple[int, int]:
    """What no coefficient of the difference exceeds, once denominators are multiplied away; and these."""
    group = reps_in[0].group
    reps = (*reps_in, *reps_out)
    images = [m for rep in reps for m in (*matrices_of(rep), *rep.lie)]
    images += [*on_space(group), *lie_on_space(group)]
    common = lcm(*(m.denominator for m in images))
    # every factor is at most the sum of all |entries|, and g moves n of them: no care is needed for a bound
    total = sum(int(np.abs(m.numerators.astype(object)).sum()) for m in images)
    moved = max((bound(g.numerators) for g in on_space(group)), default=1)
    n = batch.high
    largest = bound(batch.coefficients.numerators) * (n + 1)
    limit = 4 * largest * (total + 1) * common * max(moved, common) ** n
    return limit, common


def _holds(batch: Batch, reps_in: Sum, reps_out: Sum, p: int) -> bool:
    group, n = reps_in[0].group, batch.high
    plain = (batch.coefficients.numerators[..., 0] % p).astype(np.int64)
    here = integers(_values(_spread(plain, batch.dim, n), p))
    if group.generators:
        moved = [_moved(plain, g, n, p) for g in on_space(group)]
        there = [_values(_spread(m, batch.dim, n), p) for m in moved]
        left = times_rho(batch, again(here, len(moved)), rows_of(reps_in))
        right = rho_times(batch, integers(np.concatenate(there)), columns_of(reps_out))
        if not balanced([left], [right], p):
            return False
    if not group.lie:
        return True
    repeated = again(here, len(group.lie))
    left = times_rho(batch, repeated, lie_rows_of(reps_in))
    right = rho_times(batch, repeated, lie_columns_of(reps_out))
    drifting = _drifting(batch, plain, lie_on_space(group), p)
    return balanced([left], [right, drifting], p)


def _spread(coefficients: IntArray, dim: int, order: int) -> IntArray:
    """Rows of coefficients as tables over the exponents of all variables but the last."""
    shape = (len(coefficients), *(order + 1 for _ in range(dim - 1)))
    out = np.zeros(shape, dtype=np.int64)
    place: tuple[Any, ...] = (slice(None), *_exponents(dim, order)[:-1])
    out[place] = coefficients
    return out


def _exponents(dim: int, order: int) -> tuple[IndexArray, ...]:
    return tuple(powers(dim, order, order).T)


def _values(table: IntArray, p: int) -> IntArray:
    """At all points of the grid, one variable after the other."""
    size = table.shape[-1]
    vandermonde = _vandermonde(size, p)
    for axis in range(1, table.ndim):
        moved = np.moveaxis(table, axis, -1).astype(np.float64)
        # below 2^53, whatever the order in which BLAS adds
        values = np.mod(moved @ vandermonde, p).astype(np.int64)
        table = np.moveaxis(values, -1, axis)
    return table.reshape(len(table), -1)


def _vandermonde(size: int, p: int) -> NDArray[np.float64]:
    """a^i modulo p, rows i and columns a."""
    out = np.ones((size, size), dtype=np.int64)
    for i in range(1, size):
        out[i] = out[i - 1] * np.arange(size) % p
    return out.astype(np.float64)


def _moved(coefficients: IntArray, g: ExactArray, order: int, p: int) -> IntArray:
    """Of P(g^T x) for a g that permutes coordinates up to factors: every monomial goes to a multiple of one."""
    dim = len(g)
    alphas, places = powers(dim, order, order), where(dim, order, order)
    # (g^T x)_i = g_ji x_j with one j for each i
    source = g.nonzero_mask().argmax(axis=0)
    inverse = pow(g.denominator, -1, p)
    factors = [int(g.numerators[j, i, 0]) * inverse % p for i, j in enumerate(source)]
    out = np.zeros_like(coefficients)
    for k, alpha in enumerate(alphas.tolist()):
        beta = [0] * dim
        weight = 1
        for i, power in enumerate(alpha):
            beta[source[i]] += power
            weight = weight * pow(factors[i], power, p) % p
        out[:, places[tuple(beta)]] = coefficients[:, k] * weight % p
    return out


def _drifting(
    batch: Batch, coefficients: IntArray, lie: Sequence[ExactArray], p: int
) -> Sided:
    r"""$(X^T y) \cdot \nabla P$ for every X, at all points."""
    n, dim = batch.high, batch.dim
    slopes = [_values(t, p) for t in _gradient(coefficients, dim, n, p)]
    points = _points(dim, n)
    common = lcm(*(x.denominator for x in lie))
    moved = []
    for x in lie:
        plain = x.numerators[..., 0].astype(object) * (common // x.denominator)
        velocity = (points @ (plain % p).astype(np.int64)) % p
        total = np.zeros_like(slopes[0])
        for i in range(dim):
            total = (total + velocity[:, i] * slopes[i]) % p
        moved.append(total)
    every = np.concatenate(moved)
    generator, entry = numbers(batch, len(every))
    place = key(batch, entry, batch.row[entry], batch.column[entry], generator)
    return place, integers(every * pow(common, -1, p) % p)


def _gradient(
    coefficients: IntArray, dim: int, order: int, p: int
) -> Iterator[IntArray]:
    """The derivatives by each variable; the last coordinate is 1, so that its power does not matter."""
    exponents = _exponents(dim, order)
    for i in range(dim):
        table = np.zeros(
            (len(coefficients), *(order + 1 for _ in range(dim - 1))), dtype=np.int64
        )
        there = np.flatnonzero(exponents[i])
        lowered = [e[there] - (k == i) for k, e in enumerate(exponents)]
        factor = exponents[i][there]
        place: tuple[Any, ...] = (slice(None), *lowered[:-1])
        table[place] = coefficients[:, there] * factor % p
        yield table


def _points(dim: int, order: int) -> IndexArray:
    """(a_1, ..., a_{d-1}, 1), the last of the a_i fastest."""
    grid = np.indices(tuple(order + 1 for _ in range(dim - 1))).reshape(dim - 1, -1).T
    return np.concatenate([grid, np.ones((len(grid), 1), dtype=np.int64)], axis=1)

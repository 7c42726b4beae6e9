r"""The constraint for a rotation by an indeterminate angle, at points of the circle modulo primes.

Both sides are polynomials in the point y, and in c and s with $c^2 + s^2 = 1$: with $z = c + is$ Laurent polynomials
in z, of degrees between -D and D for $D = n$ plus the largest weights. Let $\zeta$ be a root of unity of odd order
L > 2D modulo a prime p = 1 modulo 4. Both sides agree modulo p when they do at the L points $z = \zeta^k$ and, of y,
at n + 1 points no two of which are multiples of each other. As such are taken points of the circle itself: a rotation
permutes them, so that P is evaluated once for all angles. Coefficients that are divisible by primes whose product
exceeds them are zero.
"""

from __future__ import annotations

from math import lcm

import numpy as np

from pdobasis.errors import ProofError
from pdobasis.exact.array import ExactArray
from pdobasis.exact.integers import bound
from pdobasis.exact.types import IntArray
from pdobasis.proof.batch import Batch, orders
from pdobasis.proof.large_orders import FROM, LARGEST, primes_beyond
from pdobasis.proof.lines import Sum
from pdobasis.proof.points import powers

Power = tuple[int, int]
Circular = dict[Power, ExactArray]
"""Matrices over Q[c, s]: (power of c, power of s <= 1) to coefficients."""
LARGEST_SHAPE = 64
"""Entries of P up to which they are held as a whole matrix."""


def on_circle(batch: Batch, reps_in: Sum, reps_out: Sum) -> bool:
    """Whether everything is rational and small, but for the order."""
    fields = [rep.field for rep in (*reps_in, *reps_out)]
    rational = all(f.is_rational for f in (*fields, batch.coefficients.field))
    rows, columns = batch.shape
    small = rows * columns <= LARGEST_SHAPE
    return rational and small and FROM <= batch.high <= LARGEST


def agrees_on_circle(batch: Batch, rho_in: Circular, rho_out: Circular) -> bool:
    """P(y) rho_in(z) = rho_out(z) P(R(z)^T y), order by order."""
    # a power of c or s has degree 1 in z
    top = max(sum(e) for e in (*rho_in, *rho_out))
    for own in orders(batch):
        n = own.high
        turns = 2 * (n + top) + 1
        limit, common = _bound(own, rho_in, rho_out)
        for p in primes_beyond(limit, 4 * turns, common):
            if not _agree(own, rho_in, rho_out, turns, p):
                return False
    return True


def _bound(batch: Batch, rho_in: Circular, rho_out: Circular) -> tuple[int, int]:
    """Of the coefficients of the difference over 1, c, c^2, … and s, sc, …, without denominators; and these."""
    n = batch.high
    images = [*rho_in.values(), *rho_out.values()]
    common = lcm(*(m.denominator for m in images))
    total = sum(int(np.abs(m.numerators.astype(object)).sum()) for m in images)
    largest = bound(batch.coefficients.numerators) * (n + 1)
    # (c y1 + s y2)^a (c y2 - s y1)^b has 2^n terms, and s^2 = 1 - c^2 doubles them at most n times
    return 4 * largest * (total + 1) * common * 4 ** (n + 1), common


def _agree(
    batch: Batch, rho_in: Circular, rho_out: Circular, turns: int, p: int
) -> bool:
    n = batch.high
    cosines, sines = _circle(turns, p)
    # (element, row, column, point)
    at_points = _values(batch, cosines, sines, p)
    left = _evaluated(rho_in, cosines, sines, p)
    right = _evaluated(rho_out, cosines, sines, p)
    # the point j turned back by k steps is the point j - k
    k, j = np.meshgrid(np.arange(turns), np.arange(n + 1), indexing="ij")
    turned = at_points[..., (j - k) % turns]
    fixed = at_points[..., : n + 1]
    one = np.einsum("ercj,kcd->erdkj", fixed, left) % p
    other = np.einsum("kar,erdkj->eadkj", right, turned) % p
    return bool(np.array_equal(one, other))


def _circle(turns: int, p: int) -> tuple[IntArray, IntArray]:
    """cos and sin of k/turns of a full turn, modulo p."""
    zeta = _root_of_unity(turns, p)
    i = _root_of_unity(4, p)
    forth = _powers(zeta, turns, p)
    back = forth[-np.arange(turns)]
    half, turned = pow(2, -1, p), pow(2 * i, -1, p)
    cosines, sines = (forth + back) * half % p, (forth - back) * turned % p
    if ((cosines**2 + sines**2 - 1) % p).any() or len(set(forth.tolist())) < turns:
        raise ProofError(f"modulo {p} there are no {turns} points of the circle")
    return cosines, sines


def _root_of_unity(order: int, p: int) -> int:
    """Of exactly this order: no power below it is 1."""
    for a in range(2, 10_000):
        z = pow(a, (p - 1) // order, p)
        value, steps = z, 1
        while value != 1:
            value, steps = value * z % p, steps + 1
        if steps == order:
            return z
    raise ProofError(f"no root of unity of order {order} was found modulo {p}")


def _powers(z: int, count: int, p: int) -> IntArray:
    out = [1]
    for _ in range(1, count):
        out.append(out[-1] * z % p)
    return np.array(out, dtype=np.int64)


def _values(batch: Batch, cosines: IntArray, sines: IntArray, p: int) -> IntArray:
    n = batch.high
    c, s = _all_powers(cosines, n, p), _all_powers(sines, n, p)
    alphas = powers(2, n, n)
    monomials = c[alphas[:, 0]] * s[alphas[:, 1]] % p
    plain = (batch.coefficients.numerators[..., 0] % p).astype(np.float64)
    # at most 65 products below 2^46 each
    found = np.mod(plain @ monomials.astype(np.float64), p).astype(np.int64)
    out = np.zeros((batch.size, *batch.shape, len(cosines)), dtype=np.int64)
    out[batch.element, batch.row, batch.column] = found
    return out


def _all_powers(values: IntArray, top: int, p: int) -> IntArray:
    out = [np.ones_like(values)]
    for _ in range(top):
        out.append(out[-1] * values % p)
    return np.stack(out)


def _evaluated(rho: Circular, cosines: IntArray, sines: IntArray, p: int) -> IntArray:
    """rho at every angle, (angle, row, column)."""
    top = max(a for a, _ in rho)
    c = _all_powers(cosines, top, p)
    total: IntArray = np.zeros(
        (len(cosines), *next(iter(rho.values())).shape), np.int64
    )
    for (a, b), m in rho.items():
        plain = m.numerators[..., 0].astype(object) * pow(m.denominator, -1, p)
        weight = c[a]
        if b:
            weight = weight * sines % p
        total = (total + weight[:, None, None] * (plain % p).astype(np.int64)) % p
    return total

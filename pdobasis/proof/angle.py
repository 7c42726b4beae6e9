r"""The constraint for a rotation by an indeterminate angle, in $K[c, s]/(c^2 + s^2 - 1)$.

$\rho(R(\theta)) = \exp(\theta\, d\rho(X))$ is a matrix over that ring: with the projections $\Pi_k$ onto the
eigenspaces of $d\rho(X)^2 = -k^2$ and Chebyshev's $T$ and $U$, it is
$\Pi_0 + \sum_{k > 0} \bigl(T_k(c)\,\Pi_k + s\,U_{k-1}(c)\,d\rho(X) \Pi_k / k\bigr)$.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import numpy as np

from pdobasis.exact.array import ExactArray, concatenate, identity, integers, stack, zeros
from pdobasis.exact.polynomials import evaluation, exponents, lattice
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.groups.planar import turns_plane
from pdobasis.linear.sparse import cancel
from pdobasis.proof.claim import Claim, slices
from pdobasis.proof.equivariance import Lines, Sided, Sum, expand, key, sum_lines, values
from pdobasis.proof.weights import weights
from pdobasis.representations.representation import Representation

Power = tuple[int, int]
Circular = dict[Power, ExactArray]
"""Matrices over the ring: (power of c, power of s <= 1) to coefficients."""

MAX_ENTRIES = 2_000_000


def has_angle(reps_in: Sum, reps_out: Sum) -> bool:
    """Whether the group turns the plane by every angle, and all weights are whole numbers."""
    if not turns_plane(reps_in[0].group):
        return False
    return all(_exponential(rep) is not None for rep in (*reps_in, *reps_out))


def holds_for_every_angle(claim: Claim, reps_in: Sum, reps_out: Sum) -> bool | None:
    """P(y) rho_in = rho_out P(R^T y) at every point of the lattice; None for huge claims."""
    if claim.coefficients.numerators.size > MAX_ENTRIES:
        return None
    return all(_holds(some, reps_in, reps_out) for some in slices(claim))


def _holds(claim: Claim, reps_in: Sum, reps_out: Sum) -> bool:
    here, turned = _tables(claim.low, claim.high)
    lines = _lines(reps_in, False)
    entry, slot, fixed = expand(claim.column, values(claim.coefficients, here), lines)
    left = key(claim, entry, claim.row[entry], lines.position[slot]), fixed
    return _agree(left, _powers(lines, slot), *_right(claim, turned, _lines(reps_out, True)))


def _right(claim: Claim, turned: Circular, lines: Lines) -> tuple[Sided, IndexArray]:
    """rho_out P(R^T y): every entry at every power of c and s that the turned monomials have."""
    count, points = len(turned), len(next(iter(turned.values())))
    moved = values(claim.coefficients, concatenate(list(turned.values())))  # all powers at once
    virtual = np.repeat(np.arange(len(claim.row)), count)
    entry, slot, carried = expand(claim.row[virtual], moved.reshape(len(virtual), points), lines)
    place = virtual[entry]
    powers = np.tile(np.array([_number(e) for e in turned]), len(claim.row))[entry] + _powers(lines, slot)
    return (key(claim, place, lines.position[slot], claim.column[place]), carried), powers


BASE = 4
"""c^i s^j has the number BASE i + j: the numbers of factors add up."""


def _number(power: Power) -> int:
    return BASE * power[0] + power[1]


def _powers(lines: Lines, slot: IndexArray) -> IndexArray:
    return lines.power[slot] if lines.power is not None else np.zeros(len(slot), dtype=np.int64)


def _agree(left: Sided, left_powers: IndexArray, right: Sided, right_powers: IndexArray) -> bool:
    """Whether both sides are equal once s^2 = 1 - c^2."""
    squares = np.flatnonzero(right_powers % BASE == 2)
    plain = np.where(right_powers % BASE == 2, right_powers - 2, right_powers)
    places = np.concatenate([left[0], right[0], right[0][squares]])
    powers = np.concatenate([left_powers, plain, plain[squares] + 2 * BASE])
    parts = [left[1], -right[1], right[1].take(squares)]
    return cancel(places * (powers.max(initial=0) + 1) + powers, concatenate(parts))


@lru_cache(maxsize=64)
def _tables(low: int, high: int) -> tuple[ExactArray, Circular]:
    """The monomials at the points of the lattice, and at the turned points."""
    points = lattice(2, low, high)
    return evaluation(integers(points), exponents(2, low, high)), _turned(points, exponents(2, low, high))


@lru_cache(maxsize=64)
def _lines(reps: Sum, transposed: bool) -> Lines:
    """The rows (columns) of the sum, with the power of each non-zero."""
    found = [_exponential(rep) or {} for rep in reps]
    powers = sorted({e for rho in found for e in rho})
    blank = [zeros((rep.size, rep.size)) for rep in reps]
    parts = [stack([rho.get(e, zero) for e in powers]) for rho, zero in zip(found, blank, strict=True)]
    lines, which = sum_lines(parts, transposed=transposed, apart=False)
    return replace(lines, power=np.array([_number(e) for e in powers])[which])


@lru_cache(maxsize=64)
def _exponential(rep: Representation) -> Circular | None:
    found = weights(rep, False)
    if found is None:
        return None
    x = rep.lie[0]
    square = x @ x
    present = sorted({abs(k) for k in found.table})
    out: Circular = {}
    for k in present:
        projection = identity(rep.size, x.field)
        for j in present:
            if j != k:
                shifted = square + identity(rep.size, x.field).scale(j * j)
                projection = (projection @ shifted).scale(Fraction(1, j * j - k * k))
        cosine, sine = _chebyshev(k)
        for power, c in enumerate(cosine):
            out = _plus(out, {(power, 0): projection.scale(c)})
        if k:
            turned = (x @ projection).scale(Fraction(1, k))
            for power, c in enumerate(sine):
                out = _plus(out, {(power, 1): turned.scale(c)})
    return out


def _chebyshev(k: int) -> tuple[list[int], list[int]]:
    """Coefficients in c of cos(k t) and of sin(k t)/s."""
    t, u = [[1], [0, 1]], [[0], [1]]  # T_0, T_1; sin(0)/s, sin(t)/s
    for _ in range(2, k + 1):
        t.append(_recur(t[-1], t[-2]))
        u.append(_recur(u[-1], u[-2]))
    return t[k], u[k]


def _recur(a: list[int], b: list[int]) -> list[int]:
    out = [0, *(2 * v for v in a)]
    for i, v in enumerate(b):
        out[i] -= v
    return out


def _turned(points: IntArray, powers: IntArray) -> Circular:
    """The values of the monomials at R^T y = (c y1 + s y2, -s y1 + c y2)."""
    y1, y2 = points[:, 0].astype(object), points[:, 1].astype(object)
    known: dict[tuple[int, int], dict[Power, IntArray]] = {(0, 0): {(0, 0): np.ones(len(points), dtype=object)}}
    columns = [_power(known, a, b, y1, y2) for a, b in powers.tolist()]
    keys = {e for column in columns for e in column}
    blank = np.zeros(len(points), dtype=object)
    return {e: integers(np.stack([column.get(e, blank) for column in columns], axis=1)) for e in sorted(keys)}


def _power(
    known: dict[tuple[int, int], dict[Power, IntArray]], a: int, b: int, y1: IntArray, y2: IntArray
) -> dict[Power, IntArray]:
    """(c y1 + s y2)^a (c y2 - s y1)^b, from a power less."""
    if (a, b) not in known:
        lower = _power(known, a - 1, b, y1, y2) if a else _power(known, a, b - 1, y1, y2)
        factor = {(1, 0): y1, (0, 1): y2} if a else {(1, 0): y2, (0, 1): -y1}
        product: dict[Power, IntArray] = {}
        for e, u in lower.items():
            for f, v in factor.items():
                for g, w in _reduced_plain(e, f, u * v).items():
                    product[g] = product.get(g, 0) + w
        known[a, b] = product
    return known[a, b]


def _reduced_plain(e: tuple[int, int], f: tuple[int, int], v: IntArray) -> dict[tuple[int, int], IntArray]:
    """c^i s^j with s^2 = 1 - c^2."""
    i, j = e[0] + f[0], e[1] + f[1]
    return {(i, j): v} if j < 2 else {(i, 0): v, (i + 2, 0): -v}


def _plus(a: Circular, b: Circular) -> Circular:
    out = dict(a)
    for e, v in b.items():
        out[e] = out[e] + v if e in out else v
    return out

r"""The constraint for a rotation by an indeterminate angle, in $K[c, s]/(c^2 + s^2 - 1)$.

$\rho(R(\theta)) = \exp(\theta\, d\rho(X))$ is a matrix over that ring: with the projections $\Pi_k$ onto the
eigenspaces of $d\rho(X)^2 = -k^2$ and Chebyshev's $T$ and $U$, it is
$\Pi_0 + \sum_{k > 0} \bigl(T_k(c)\,\Pi_k + s\,U_{k-1}(c)\,d\rho(X) \Pi_k / k\bigr)$.

Where these matrices are many numbers beside P, the derivative along the angle is looked at instead: $F(\theta) =
\rho_{out}(R)\,P(R^T y)\,\rho_{in}(R)^{-1}$ has $F'(\theta) = \rho_{out}(R)\,L(P)(R^T y)\,\rho_{in}(R)^{-1}$ with $L(P)
= d\rho_{out}(X)\,P + (X^T y) \cdot \nabla P - P\,d\rho_{in}(X)$, so that F is P for every angle when L(P) is zero.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeVar

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import (
    ExactArray,
    concatenate,
    identity,
    integers,
    zeros,
)
from pdobasis.exact.matrices import block_diagonal
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.proof.batch import Batch, slices
from pdobasis.proof.circle import agrees_on_circle, on_circle
from pdobasis.proof.equivariant import is_equivariant, values
from pdobasis.proof.lines import Lines, Sum, expand, sum_lines
from pdobasis.proof.points import evaluation, lattice
from pdobasis.proof.points import powers as powers_of
from pdobasis.proof.sides import key
from pdobasis.proof.sparse import Sided, balanced
from pdobasis.proof.turns import agrees_at_points
from pdobasis.proof.weights import is_rotations, weights
from pdobasis.representations.representation import Representation

Power = tuple[int, int]
Circular = dict[Power, ExactArray]
"""Matrices over the ring: (power of c, power of s <= 1) to coefficients."""
Values = dict[Power, IntArray]
"""Numbers of the ring, at many points."""
Summand = TypeVar("Summand", ExactArray, IntArray)

MAX_ENTRIES = 2_000_000
"""Coefficients of a batch beyond which the generators alone are looked at."""
MANY = 1_000_000
"""Products with the matrices of a rotation beyond which their derivative is looked at."""


def has_angle(reps_in: Sum, reps_out: Sum) -> bool:
    """Whether the group turns the plane by every angle, and all weights are whole numbers."""
    group = reps_in[0].group
    if group.dim != 2 or not is_rotations(group):
        return False
    # with weights that are not whole, or a nilpotent part, rho is no polynomial in cos and sin
    return all(weights(rep, False) is not None for rep in (*reps_in, *reps_out))


def holds_for_every_angle(batch: Batch, reps_in: Sum, reps_out: Sum) -> bool | None:
    """P(y) rho_in = rho_out P(R^T y) at every point of the lattice; None for huge batches."""
    if batch.coefficients.numerators.size > MAX_ENTRIES:
        return None
    if _products(batch, (*reps_in, *reps_out)) > MANY:
        return is_equivariant(batch, reps_in, reps_out)
    ins, outs = ([_exponential(rep) or {} for rep in side] for side in (reps_in, reps_out))  # fmt: skip
    verdict = agrees_at_points(batch, ins, outs)
    if verdict is not None:
        return verdict
    if on_circle(batch, reps_in, reps_out):
        rho_in, rho_out = _sum(reps_in), _sum(reps_out)
        return agrees_on_circle(batch, rho_in, rho_out)
    return all(_holds(some, reps_in, reps_out) for some in slices(batch))


def _products(batch: Batch, reps: Sum) -> int:
    """How many products of an entry of P and one of rho there are, at all powers of c and s."""
    tops = [max(found.table) for rep in reps if (found := weights(rep, False))]
    return len(batch.row) * max(batch.shape) * (2 * max(tops) + 1) * (batch.high + 1)


def _sum(reps: Sum) -> Circular:
    """The exponential of a direct sum."""
    found = [_exponential(rep) or {} for rep in reps]
    powers = sorted({e for rho in found for e in rho})
    out: Circular = {}
    for e in powers:
        pairs = zip(reps, found, strict=True)
        blocks = [rho.get(e, zeros((rep.size, rep.size))) for rep, rho in pairs]
        out[e] = block_diagonal(blocks)
    return out


def _holds(batch: Batch, reps_in: Sum, reps_out: Sum) -> bool:
    here, turned = _tables(batch.low, batch.high)
    lines, powers = _lines(reps_in, False)
    entry, slot, fixed = expand(batch.column, values(batch.coefficients, here), lines)
    left = key(batch, entry, batch.row[entry], lines.position[slot]), fixed
    return _agree(left, powers[slot], *_right(batch, turned, reps_out))


def _right(batch: Batch, turned: Circular, reps_out: Sum) -> tuple[Sided, IndexArray]:
    """rho_out P(R^T y): every entry at every power of c and s that the turned monomials have."""
    lines, powers = _lines(reps_out, True)
    count, points = len(turned), len(next(iter(turned.values())))
    moved = values(
        batch.coefficients, concatenate(list(turned.values()))
    )  # all powers at once
    # an entry at each power of c and s is an entry of its own, until the powers of rho are added to it
    virtual = np.repeat(np.arange(len(batch.row)), count)
    entry, slot, carried = expand(
        batch.row[virtual], moved.reshape(len(virtual), points), lines
    )
    place = virtual[entry]
    own = np.tile(np.array([_number(e) for e in turned]), len(batch.row))[entry]
    return (
        key(batch, place, lines.position[slot], batch.column[place]),
        carried,
    ), own + powers[slot]


BASE = 4
"""c^i s^j has the number BASE i + j: the numbers of factors add up, as j stays below 3."""


def _number(power: Power) -> int:
    return BASE * power[0] + power[1]


def _agree(
    left: Sided, left_powers: IndexArray, right: Sided, right_powers: IndexArray
) -> bool:
    """Whether both sides are equal once s^2 = 1 - c^2."""
    is_square = right_powers % BASE == 2
    squares = np.flatnonzero(is_square)
    plain = right_powers - 2 * is_square
    base = (
        max(int(left_powers.max(initial=0)), int(plain.max(initial=0)) + 2 * BASE) + 1
    )
    # v s^2 on the right is v - v c^2: its second part is moved to the left
    moved = right[0][squares] * base + plain[squares] + 2 * BASE
    plus = [(left[0] * base + left_powers, left[1]), (moved, right[1].take(squares))]
    return balanced(plus, [(right[0] * base + plain, right[1])])


@remembered
def _tables(low: int, high: int) -> tuple[ExactArray, Circular]:
    """The monomials at the points of the lattice, and at the turned points."""
    points, alphas = lattice(2, high), powers_of(2, low, high)
    return evaluation(integers(points), alphas), _turned(points, alphas)


@remembered
def _lines(reps: Sum, transposed: bool) -> tuple[Lines, IndexArray]:
    """The rows (columns) of the sum, and the power of c and s that each non-zero belongs to."""
    found = [_exponential(rep) or {} for rep in reps]
    powers = sorted({e for rho in found for e in rho})
    blank = [zeros((rep.size, rep.size)) for rep in reps]
    parts = [
        [rho.get(e, zero) for e in powers]
        for rho, zero in zip(found, blank, strict=True)
    ]
    # not apart: one line for all powers, since a product with rho runs over all of them
    lines, which = sum_lines(parts, transposed=transposed, apart=False)
    return lines, np.array([_number(e) for e in powers])[which]


@remembered
def _exponential(rep: Representation) -> Circular | None:
    """exp(theta d rho(X)), or None when the weights are not whole numbers."""
    found = weights(rep, False)
    if found is None:
        return None
    x = rep.lie[0]
    present = sorted({abs(k) for k in found.table})
    out: Circular = {}
    for k in present:
        projection = _projection(x, k, present)
        cosine, sine = _chebyshev(k)
        for power, c in enumerate(cosine):
            _add(out, (power, 0), projection.scale(c))
        if k:
            turned = (x @ projection).scale(Fraction(1, k))
            for power, c in enumerate(sine):
                _add(out, (power, 1), turned.scale(c))
    return out


def _projection(x: ExactArray, k: int, present: list[int]) -> ExactArray:
    r"""$\prod_{j \ne k} (X^2 + j^2)/(j^2 - k^2)$: 1 where $X^2 = -k^2$, 0 on the other eigenspaces of $X^2$."""
    one = identity(x.shape[0], x.field)
    square, out = x @ x, one
    for j in present:
        if j != k:
            out = (out @ (square + one.scale(j * j))).scale(Fraction(1, j * j - k * k))
    return out


def _chebyshev(k: int) -> tuple[list[int], list[int]]:
    """Coefficients in c of cos(k t) and of sin(k t)/s.

    >>> _chebyshev(2)  # 2c^2 - 1 and 2c
    ([-1, 0, 2], [0, 2])
    """
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
    # Python integers: n-th powers of points and binomials have no simple bound
    y1, y2 = points[:, 0].astype(object), points[:, 1].astype(object)
    known: dict[Power, Values] = {(0, 0): {(0, 0): np.ones(len(points), dtype=object)}}
    columns = [_power(known, a, b, y1, y2) for a, b in powers.tolist()]
    keys = {e for column in columns for e in column}
    blank = np.zeros(len(points), dtype=object)
    return {
        e: integers(np.stack([column.get(e, blank) for column in columns], axis=1))
        for e in sorted(keys)
    }


def _power(
    known: dict[Power, Values], a: int, b: int, y1: IntArray, y2: IntArray
) -> Values:
    """(c y1 + s y2)^a (c y2 - s y1)^b, from a power less."""
    if (a, b) in known:
        return known[a, b]
    if a:
        lower, factor = _power(known, a - 1, b, y1, y2), {(1, 0): y1, (0, 1): y2}
    else:
        lower, factor = _power(known, a, b - 1, y1, y2), {(1, 0): y2, (0, 1): -y1}
    product: Values = {}
    for (i, j), u in lower.items():
        for (k, m), v in factor.items():
            if j + m < 2:
                _add(product, (i + k, j + m), u * v)
            else:  # s^2 = 1 - c^2
                _add(product, (i + k, 0), u * v)
                _add(product, (i + k + 2, 0), -u * v)
    known[a, b] = product
    return product


def _add(total: dict[Power, Summand], power: Power, value: Summand) -> None:
    if power in total:
        value = total[power] + value
    total[power] = value

r"""The constraint for a rotation by an indeterminate angle, in $K[c, s]/(c^2 + s^2 - 1)$.

$\rho(R(\theta)) = \exp(\theta\, d\rho(X))$ is a matrix over that ring: with the projections $\Pi_k$ onto the
eigenspaces of $d\rho(X)^2 = -k^2$ and Chebyshev's $T$ and $U$, it is
$\Pi_0 + \sum_{k > 0} \bigl(T_k(c)\,\Pi_k + s\,U_{k-1}(c)\,d\rho(X) \Pi_k / k\bigr)$.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np

from pdobasis.exact.array import ExactArray, concatenate, exact, identity, integers, zeros
from pdobasis.exact.nullspace import scatter_sum
from pdobasis.exact.polynomials import evaluation, lattice, monomials
from pdobasis.exact.types import IntArray
from pdobasis.proof.weights import weights
from pdobasis.representations.representation import Representation
from pdobasis.symbols import Symbols

Power = tuple[int, int]
Circular = dict[Power, ExactArray]
"""Matrices over the ring: (power of c, power of s <= 1) to coefficients."""

MAX_ENTRIES = 2_000_000


def holds_for_every_angle(parts: Sequence[Symbols], rep_in: Representation, rep_out: Representation) -> bool | None:
    """The verdict for SO(2) and O(2); None for other groups, for weights that are not whole, or for huge bases."""
    family = rep_in.group.family
    if family.name not in ("SO", "O") or family.n != 2:
        return None
    size = sum(p.size * p.shape[0] * p.shape[1] * p.coefficients.shape[-1] for p in parts)
    if size > MAX_ENTRIES:
        return None
    rho_in, rho_out = _exponential(rep_in), _exponential(rep_out)
    if rho_in is None or rho_out is None:
        return None
    return all(_holds(part, rho_in, rho_out) for part in parts)


def _holds(part: Symbols, rho_in: Circular, rho_out: Circular) -> bool:
    """P(y) rho_in = rho_out P(R^T y) at every point of the lattice."""
    if not part.size:
        return True
    dense = _dense(part)
    k, rows, columns, m = dense.shape
    flat = dense.reshape(k * rows * columns, m)
    here, turned = _tables(part.order)
    points = here.shape[1]
    # All powers of c and s at once: one product with rho_in, one with the turned monomials, one with rho_out.
    fixed = (flat @ here).reshape(k, rows, columns, points).transpose(0, 1, 3, 2) @ _beside(list(rho_in.values()))
    left = fixed.reshape(k, rows, points, len(rho_in), columns).transpose(3, 0, 1, 4, 2)
    moved = (flat @ _beside(list(turned.values()))).reshape(k, rows, columns, len(turned), points)
    carried = moved.transpose(0, 2, 3, 4, 1) @ _beside([r.T for r in rho_out.values()])
    right = carried.reshape(k, columns, len(turned), points, len(rho_out), rows).transpose(4, 2, 0, 5, 1, 3)
    cells = k * rows * columns * points
    powers = [(e[0] + f[0], e[1] + f[1]) for e in rho_out for f in turned]
    return _cancel(left.reshape(len(rho_in), cells), list(rho_in), right.reshape(len(powers), cells), powers)


def _beside(matrices: list[ExactArray]) -> ExactArray:
    return concatenate(matrices, axis=1)


def _cancel(left: ExactArray, left_powers: list[Power], right: ExactArray, right_powers: list[Power]) -> bool:
    """Whether both sides are equal once s^2 = 1 - c^2."""
    slots: dict[Power, int] = {}
    plus, minus = [], []
    for row, (i, j) in enumerate(right_powers):
        plus.append((row, slots.setdefault((i, j % 2), len(slots))))
        if j == 2:
            minus.append((row, slots.setdefault((i + 2, 0), len(slots))))
    target = [slots.setdefault(e, len(slots)) for e in left_powers]
    parts = [right.take(np.array([r for r, _ in plus])), -left]
    parts += [-right.take(np.array([r for r, _ in minus]))] if minus else []
    where = np.array([s for _, s in plus] + target + [s for _, s in minus])
    return scatter_sum(concatenate(parts), where, len(slots)).is_zero


@lru_cache(maxsize=64)
def _tables(order: int) -> tuple[ExactArray, Circular]:
    """The monomials (columns: points) at the points of the lattice, and at the turned points."""
    points = lattice(2, order)
    return evaluation(integers(points), order).T, {e: v.T for e, v in _turned(points, order).items()}


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


def _turned(points: IntArray, order: int) -> Circular:
    """The values of the monomials at R^T y = (c y1 + s y2, -s y1 + c y2)."""
    columns: list[dict[tuple[int, int], IntArray]] = []
    y1, y2 = points[:, 0].astype(object), points[:, 1].astype(object)
    first = {(1, 0): y1, (0, 1): y2}
    second = {(1, 0): y2, (0, 1): -y1}
    for a, b in monomials(2, order):
        value = {(0, 0): np.ones(len(points), dtype=object)}
        for factor in [first] * a + [second] * b:
            product: dict[tuple[int, int], IntArray] = {}
            for e, u in value.items():
                for f, v in factor.items():
                    for g, w in _reduced_plain(e, f, u * v).items():
                        product[g] = product.get(g, 0) + w
            value = product
        columns.append(value)
    keys = {e for column in columns for e in column}
    blank = np.zeros(len(points), dtype=object)
    return {e: integers(np.stack([column.get(e, blank) for column in columns], axis=1)) for e in sorted(keys)}


def _reduced_plain(e: tuple[int, int], f: tuple[int, int], v: IntArray) -> dict[tuple[int, int], IntArray]:
    """c^i s^j with s^2 = 1 - c^2."""
    i, j = e[0] + f[0], e[1] + f[1]
    return {(i, j): v} if j < 2 else {(i, 0): v, (i + 2, 0): -v}


def _plus(a: Circular, b: Circular) -> Circular:
    out = dict(a)
    for e, v in b.items():
        out[e] = out[e] + v if e in out else v
    return out


def _dense(part: Symbols) -> ExactArray:
    values = part.coefficients
    out = zeros((part.size, *part.shape, values.shape[1]), values.field).numerators.astype(values.numerators.dtype)
    out[part.element, part.row, part.column] = values.numerators
    return exact(out, values.denominator, values.field)

r"""Weights of representations of SO(2), O(2), SO(3), O(3), from traces alone.

For the generator X of rotations about one axis, $d\rho(X)$ has eigenvalues $\pm ik$. With h a further element that
commutes with these rotations, $s_k = \mathrm{tr}(\rho(h)|_{V_k})$ follows from the traces
$\mathrm{tr}(\rho(h)\,d\rho(X)^{2j}) = (-1)^j \sum_k s_k k^{2j}$ by a Vandermonde system.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from flint import fmpq, fmpq_mat

from pdobasis.exact.array import ExactArray, identity
from pdobasis.exact.numbers import to_float
from pdobasis.representations.representation import Representation


@dataclass(frozen=True, slots=True)
class Weights:
    """A Laurent polynomial: weight to (signed) multiplicity."""

    table: dict[int, int]

    def times(self, other: Weights) -> Weights:
        out: dict[int, int] = {}
        for a, u in self.table.items():
            for b, v in other.table.items():
                out[a + b] = out.get(a + b, 0) + u * v
        return Weights({k: v for k, v in out.items() if v})

    def symmetric_power(self, n: int) -> Weights:
        r"""$[t^n] \prod_w (1 - s_w z^w t)^{-1}$, for $s_w = \pm 1$ (the sign of the eigenvalue)."""
        series = [Weights({0: 1}), *(Weights({}) for _ in range(n))]
        for w, sign in self.table.items():
            for k in range(1, n + 1):
                previous = {a + w: sign * v for a, v in series[k - 1].table.items()}
                merged = {a: series[k].table.get(a, 0) + previous.get(a, 0) for a in {*series[k].table, *previous}}
                series[k] = Weights(merged)
        return series[n]


@lru_cache(maxsize=64)
def weights(rep: Representation, inverted: bool) -> Weights | None:
    """Of rotations about one axis, or (d = 3) of these times -1; None when they are not whole numbers.

    For d = 3 the axis is x3 and -1 = diag(1, 1, -1) times the half turn, which acts on weight k as (-1)^k.
    """
    x = rep.lie[0]
    top = _bound(x)
    if top > 200 or not _integral(x, top):
        return None
    start = rep.matrices()[0] if inverted else identity(rep.size, x.field)
    square = -(x @ x)
    traces, power = [], start
    for _ in range(top + 1):
        traces.append(power.trace().fraction())
        power = power @ square
    # unknowns s_0 and s_k + s_{-k} for k = 1 .. top
    system = fmpq_mat(top + 1, top + 1, [fmpq(k ** (2 * j)) for j in range(top + 1) for k in range(top + 1)])
    right = fmpq_mat(top + 1, 1, [fmpq(t.numerator, t.denominator) for t in traces])
    solution = [Fraction(int(v.p), int(v.q)) for v in system.solve(right).entries()]
    doubled = [2 * solution[0], *solution[1:]]
    if any(v.denominator != 1 or int(v) % 2 for v in doubled):
        return None
    table = {}
    for k, v in enumerate(doubled):
        half = int(v) // 2 * ((-1) ** k if inverted else 1)
        table[k], table[-k] = half, half
    return Weights({k: v for k, v in table.items() if v})


def _bound(x: ExactArray) -> int:
    """No eigenvalue exceeds the largest absolute row sum."""
    return int(np.abs(to_float(x)).sum(axis=1).max() + 1e-6) if x.size else 0


def _integral(x: ExactArray, top: int) -> bool:
    """Whether X (X^2 + 1) (X^2 + 4) … (X^2 + top^2) = 0, i.e. X is semisimple with weights 0 … top."""
    square = x @ x
    product = x
    for k in range(1, top + 1):
        product = product @ square + product.scale(k * k)
    return product.is_zero

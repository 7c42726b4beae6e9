r"""$b_k = 2\cos(2\pi k/M)$ in the basis $1, b_1, \dots, b_{n-1}$."""

from __future__ import annotations

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.arithmetic import (
    cyclotomic_coefficients,
    legendre,
    prime_factors,
    totient,
)
from pdobasis.exact.types import IntArray


@remembered
def cosines(m: int) -> IntArray:
    r"""Row k is $b_k$, for k = 0 .. M/2; from $b_{k+1} = b_1 b_k - b_{k-1}$."""
    n = totient(m) // 2
    phi = cyclotomic_coefficients(m)
    # Phi(z) z^-n = a_n + sum_j a_{n-j} (z^j + z^-j) = 0 at a root of unity, and
    # Phi is monic: so b_n is expressed through smaller ones.
    top = np.array([-phi[n - j] for j in range(n)], dtype=np.int64)
    rows = np.zeros((m // 2 + 1, n), dtype=np.int64)
    rows[0, 0] = 2
    for k in range(1, m // 2 + 1):
        if k < n:
            rows[k, k] = 1
        elif k == n:
            rows[k] = top
        else:
            rows[k] = _times_b1(rows[k - 1], top) - rows[k - 2]
    return rows


@remembered
def places(m: int) -> dict[bytes, int]:
    r"""Which k, 0 <= k <= M/2, has $b_k$ in which coordinates."""
    return {row.tobytes(): k for k, row in enumerate(cosines(m))}


def _times_b1(v: IntArray, top: IntArray) -> IntArray:
    """b_1 b_j = b_{j+1} + b_{j-1}, where b_n is ``top``."""
    out = np.zeros_like(v)
    out[1:] += v[:-1]
    out[:-1] += v[1:]
    if len(v) > 1:
        out += v[-1] * top
        # b_1 b_1 = b_2 + 2, but the basis starts with 1 and not with b_0 = 2.
        out[0] += v[1]
    return out


def root_by_cosines(r: int, m: int) -> list[int]:
    r"""$\sqrt r$ in the field of conductor m, for squarefree r > 0.

    $\sqrt 2 = \zeta_8 + \zeta_8^{-1}$, and for an odd prime p the Gauss sum
    $\sum_a (a/p)\, \zeta_p^a$ is $\sqrt p$ for $p \equiv 1$ and $i \sqrt p$ for
    $p \equiv 3$ modulo 4. So a product of these is $i^k \sqrt r$.
    """
    powers = {0: 1}  # the sum of v zeta_m^e over (e, v)
    phase = 0
    for p in prime_factors(r):
        if p == 2:
            factor = {m // 8: 1, -(m // 8): 1}
        else:
            step = m // p
            factor = {a * step: legendre(a, p) for a in range(1, p)}
        if p % 4 == 3:
            phase += 1
        powers = _times(powers, factor, m)
    if phase % 2:  # divide by i = zeta_4
        powers = {(e - m // 4) % m: v for e, v in powers.items()}
    sign = 1
    if phase % 4 in (2, 3):
        sign = -1
    # The sum is real, so zeta^e may be replaced by its real part b_e / 2.
    table = cosines(m)
    total = np.zeros(table.shape[1], dtype=np.int64)
    for e, v in powers.items():
        total += v * table[min(e, m - e)]
    return [sign * int(t) // 2 for t in total]


def _times(a: dict[int, int], b: dict[int, int], m: int) -> dict[int, int]:
    """The product of two sums of roots of unity."""
    out: dict[int, int] = {}
    for i, u in a.items():
        for j, v in b.items():
            e = (i + j) % m
            out[e] = out.get(e, 0) + u * v
    return out

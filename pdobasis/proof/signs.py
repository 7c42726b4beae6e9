r"""Coefficients that are zero in every solution, because of a half turn.

Let X be a Lie generator, A what the constraint makes of P for it: $A(P) = d\rho_{out} P + (X^T y)\cdot\nabla P -
P d\rho_{in}$. Three maps that commute, so $\exp(\pi A)$ is the product of their exponentials, and it is 1 on the kernel
of A. Where the squares of $X$, $d\rho_{in}(X)$ and $d\rho_{out}(X)$ are diagonal with entries $-k^2$, k whole, and the
matrices vanish where k = 0, the exponential of $\pi$ times each is diagonal with entries $(-1)^k$: on the eigenspace it
is $\cos(\pi k) + \sin(\pi k)\,X/k$. So the coefficient of $y^\alpha$ in $P_{rc}$ is zero for every P in the kernel
unless $k_r + k_c + \sum_i \alpha_i k_i$ is even. With entries $+k^2$ everywhere the same holds of $\exp(i \pi A)$.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pdobasis.exact.array import ExactArray
from pdobasis.exact.types import IndexArray
from pdobasis.representations.representation import Representation

LARGEST = 1_000
"""Of the entries that are looked at: their squares are far from overflowing."""


def is_forbidden(
    rep_in: Representation, rep_out: Representation, alphas: IndexArray
) -> NDArray[np.bool_]:
    """For every (row, column, monomial) whether some half turn forbids it."""
    lie = (rep_in.group.lie_on_space, rep_in.lie, rep_out.lie)
    if not lie[0]:
        return np.zeros((rep_out.size, rep_in.size, len(alphas)), dtype=bool)
    space, columns, rows = (_half_turns(matrices) for matrices in lie)
    every = np.concatenate([space, columns, rows], axis=1)
    # squares of both signs belong to no one angle
    usable = (every >= 0).all(axis=1) | (every <= 0).all(axis=1)
    space, columns, rows = (k[usable, :-2] for k in (space, columns, rows))
    total = rows[:, :, None] + columns[:, None]
    odd = (total[..., None] + (space @ alphas.T)[:, None, None]) % 2 == 1
    return np.asarray(odd.any(axis=0))


def _half_turns(lie: Sequence[ExactArray]) -> IndexArray:
    """k for $k^2$ and -k for $-k^2$ on the diagonal of the square of every matrix.

    Two more columns hold 0, and 1 and -1 where a matrix is not of this kind.
    """
    size = len(lie[0])
    out = np.zeros((len(lie), size + 2), dtype=np.int64)
    plain = all(m.denominator == 1 and not m.numerators[..., 1:].any() for m in lie)
    x = np.stack([m.numerators[..., 0] for m in lie])
    if not plain or (abs(x) > LARGEST).any():
        out[:, -2:] = 1, -1
        return out
    square = x @ x
    diagonal = square.diagonal(axis1=1, axis2=2)
    k = np.rint(np.sqrt(abs(diagonal))).astype(np.int64)
    out[:, :size] = np.sign(diagonal) * k
    # nothing beside the diagonal, whole roots, and no nilpotent part
    unit = np.eye(size, dtype=np.int64)
    wrong = (abs(square) != unit * (k * k)[:, None]) | (x * (k == 0)[..., None] != 0)
    out[wrong.any(axis=(1, 2)), -2:] = 1, -1
    return out

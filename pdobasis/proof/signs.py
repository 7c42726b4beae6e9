r"""Coefficients that are zero in every solution, because of a sign.

A generator that is diagonal in space and on both sides, with entries $(-1)^k$, multiplies the coefficient of $y^\alpha$
in $P_{rc}$ by $-1$ to the power $k_r + k_c + \sum_i \alpha_i k_i$: the constraint is that it vanishes where that is
odd. So it is for the half turns of a Lie algebra.

Let X be a Lie generator, A what the constraint makes of P for it: $A(P) = d\rho_{out} P + (X^T y)\cdot\nabla P -
P d\rho_{in}$. Three maps that commute, so $\exp(\pi A)$ is the product of their exponentials, and it is 1 on the kernel
of A. Where the squares of $X$, $d\rho_{in}(X)$ and $d\rho_{out}(X)$ are diagonal with entries $-k^2$, k whole, and the
matrices vanish where k = 0, the exponential of $\pi$ times each is diagonal with entries $(-1)^k$: on the eigenspace it
is $\cos(\pi k) + \sin(\pi k)\,X/k$. So the coefficient of $y^\alpha$ in $P_{rc}$ is zero for every P in the kernel
unless the same sum is even. With entries $+k^2$ everywhere the same holds of $\exp(i \pi A)$.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray
from pdobasis.exact.integers import product
from pdobasis.exact.types import IndexArray
from pdobasis.proof.action import lie_on_space, on_space
from pdobasis.proof.lines import matrices_of
from pdobasis.representations.representation import Representation

LARGEST = 1_000
"""Of the entries that are looked at: their squares are far from overflowing."""


def is_forbidden(
    rep_in: Representation, rep_out: Representation, alphas: IndexArray
) -> NDArray[np.bool_]:
    """For every (row, column, monomial) whether some half turn or generator forbids it."""
    every = _powers(rep_in, rep_out)
    usable = _is_usable(every)
    space, columns, rows = (k[usable, :-2] for k in every)
    total = rows[:, :, None] + columns[:, None]
    odd = (total[..., None] + (space @ alphas.T)[:, None, None]) % 2 == 1
    return np.asarray(odd.any(axis=0))


def of_signs(rep_in: Representation, rep_out: Representation) -> list[int]:
    """The generators that are diagonal matrices of signs everywhere: what they forbid is all that they say."""
    usable = _is_usable(_powers(rep_in, rep_out))
    return np.flatnonzero(usable[: len(on_space(rep_in.group))]).tolist()


def _is_usable(every: Sequence[IndexArray]) -> NDArray[np.bool_]:
    """Squares of both signs belong to no one angle."""
    joined = np.concatenate(every, axis=1)
    return np.asarray((joined >= 0).all(axis=1) | (joined <= 0).all(axis=1))


@remembered
def _powers(rep_in: Representation, rep_out: Representation) -> tuple[IndexArray, ...]:
    """In space, in the input and in the output: of the generators, then of the Lie generators."""
    group = rep_in.group
    out = []
    for size, generators, lie in (
        (group.dim, on_space(group), lie_on_space(group)),
        (rep_in.size, matrices_of(rep_in), rep_in.lie),
        (rep_out.size, matrices_of(rep_out), rep_out.lie),
    ):
        out.append(np.concatenate([_signs(generators, size), _half_turns(lie, size)]))
    return tuple(out)


def _signs(generators: Sequence[ExactArray], size: int) -> IndexArray:
    """1 for -1 on the diagonal, 0 for 1; laid out as those of half turns."""
    out = np.zeros((len(generators), size + 2), dtype=np.int64)
    unit = np.eye(size, dtype=np.int64)
    for row, m in zip(out, generators, strict=True):
        x = m.numerators[..., 0]
        plain = m.denominator == 1 and not m.numerators[..., 1:].any()
        if plain and (abs(x) == unit).all():
            row[:size] = x.diagonal() < 0
        else:
            row[-2:] = 1, -1
    return out


def _half_turns(lie: Sequence[ExactArray], size: int) -> IndexArray:
    """k for $k^2$ and -k for $-k^2$ on the diagonal of the square of every matrix.

    Two more columns hold 0, and 1 and -1 where a matrix is not of this kind.
    """
    out = np.zeros((len(lie), size + 2), dtype=np.int64)
    if not lie:
        return out
    plain = all(m.denominator == 1 and not m.numerators[..., 1:].any() for m in lie)
    x = np.stack([m.numerators[..., 0] for m in lie])
    if not plain or (abs(x) > LARGEST).any():
        out[:, -2:] = 1, -1
        return out
    # a diagonal square multiplies the vectors (1, 1, …) and (1, 2, …) by the same numbers: most are none at once
    every = np.arange(1, size + 1)
    ones = (x @ x.sum(axis=2)[..., None])[..., 0]
    if (ones * every != (x @ (x @ every)[..., None])[..., 0]).any(axis=1).all():
        out[:, -2:] = 1, -1
        return out
    # bounded as they are, products are exact in float64, too
    square = product(x, x)
    diagonal = square.diagonal(axis1=1, axis2=2)
    k = np.rint(np.sqrt(abs(diagonal))).astype(np.int64)
    out[:, :size] = np.sign(diagonal) * k
    # nothing beside the diagonal, whole roots, and no nilpotent part
    unit = np.eye(size, dtype=np.int64)
    wrong = (abs(square) != unit * (k * k)[:, None]) | (x * (k == 0)[..., None] != 0)
    out[wrong.any(axis=(1, 2)), -2:] = 1, -1
    return out

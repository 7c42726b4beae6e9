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
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray
from pdobasis.exact.integers import bound
from pdobasis.exact.types import IndexArray
from pdobasis.proof.action import lie_on_space, on_space
from pdobasis.proof.lines import matrices_of
from pdobasis.proof.sparse import entries
from pdobasis.representations.representation import Representation

LARGEST = 1_000
"""Of the entries that are looked at."""
Row = list[tuple[int, int]]
"""(column, number) of what is not zero."""


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
    for line, m in zip(out, generators, strict=True):
        rows = _rows(m)
        if rows is not None and all(
            row in ([(i, 1)], [(i, -1)]) for i, row in enumerate(rows)
        ):
            line[:size] = [row[0][1] < 0 for row in rows]
        else:
            line[-2:] = 1, -1
    return out


def _half_turns(lie: Sequence[ExactArray], size: int) -> IndexArray:
    """k for $k^2$ and -k for $-k^2$ on the diagonal of the square of every matrix.

    Two more columns hold 0, and 1 and -1 where a matrix is not of this kind.
    """
    out = np.zeros((len(lie), size + 2), dtype=np.int64)
    for line, m in zip(out, lie, strict=True):
        k = None
        rows = _rows(m)
        if rows is not None:
            k = _roots_of_square(rows)
        if k is None:
            line[-2:] = 1, -1
        else:
            line[:size] = k
    return out


def _rows(m: ExactArray) -> list[Row] | None:
    """The non-zeros of a matrix of whole numbers that are not large; None for others."""
    i, j, values = entries(m)
    numbers = values.numerators
    if m.denominator != 1 or numbers[:, 1:].any() or bound(numbers) > LARGEST:
        return None
    rows: list[Row] = [[] for _ in range(len(m))]
    plain = numbers[:, 0].tolist()
    for row, column, v in zip(i.tolist(), j.tolist(), plain, strict=True):
        rows[row].append((column, v))
    return rows


def _roots_of_square(rows: list[Row]) -> list[int] | None:
    """k for $k^2$ and -k for $-k^2$ where the square is diagonal, the k whole, and no part nilpotent; else None."""
    out = []
    for i, row in enumerate(rows):
        square: dict[int, int] = {}
        for j, v in row:
            for k, w in rows[j]:
                square[k] = square.get(k, 0) + v * w
        diagonal = square.pop(i, 0)
        root = isqrt(abs(diagonal))
        # most are none in the first row
        if any(square.values()) or root * root != abs(diagonal):
            return None
        # a row whose square is zero is zero
        if row and not root:
            return None
        out.append(root if diagonal > 0 else -root)
    return out

r"""What diagonal matrices of signs say without any linear algebra: most
coefficients are zero.

An element that is diagonal in space and in both representations, with entries
$(-1)^k$, multiplies the coefficient of $x^\alpha$ in $P_{rc}$ by $(-1)$ to the
power $k_r + k_c + \sum_i \alpha_i k_i$. Where that is odd, P is zero.

A generator of this kind asks for nothing else, and further elements of a finite
group may be found in its list. Those of a continuous one are half
turns: let the square of a Lie generator X be diagonal everywhere, with entries
$-k^2$ for whole k, and X = 0 where k = 0. Then $\exp(\pi X)$ has the entries
$(-1)^k$, and it fixes what X annihilates. Where all squares are $+k^2$ (a boost)
the same holds of $\exp(i\pi X)$, since X annihilates what $iX$ does.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pdobasis.exact.array import ExactArray
from pdobasis.exact.polynomials import exponents
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.groups.closure import closure
from pdobasis.representations.representation import Representation, all_parts
from pdobasis.solvers.batch import Batch
from pdobasis.solvers.small_actions import BOTH, whole

USELESS = BOTH
"""Squares have one sign; what is no such matrix is said to have both."""

Powers = tuple[IntArray, IntArray]
"""The numbers k of every element modulo 2, and of which sign their squares are."""
Known = dict[tuple[int, ...], tuple[tuple[ExactArray, ...], Powers]]
"""By the addresses of matrices."""


def forbidden(batch: Batch, *, search: bool) -> tuple[IndexArray, IndexArray]:
    """Where P is zero in every solution, (row, column, monomial); and which
    generators are matrices of signs, and ask for nothing else.

    ``search`` looks for further ones among all elements of a finite group.
    """
    group, unknowns = batch.group, batch.unknowns
    # The fields of a group are often its own vectors: one look serves for all.
    known: Known = {}
    space, kinds = _known_powers(group.on_space, group.lie_on_space, known)
    if search:
        space, kinds = _with(_signs(closure(group).matrices), (space, kinds))
    sides = []
    for reps in (batch.reps_in, batch.reps_out):
        own = []
        for rep in reps:
            found = _known_powers(rep.matrices(), rep.lie, known)
            if search:
                found = _with(_all_signs(rep), found)
            own.append(found[0])
            # One angle for all: pi where squares are negative, else i pi.
            kinds = kinds | found[1]
        sides.append(np.concatenate(own, axis=1))
    is_usable = kinds != USELESS
    settled = is_usable[: len(group.on_space)].nonzero()[0]
    columns, rows = (side[is_usable] for side in sides)
    powers = exponents(unknowns.dim, unknowns.low, unknowns.high)
    monomials = space[is_usable] @ powers.T
    total = rows[:, :, None] + columns[:, None]
    is_odd = (total[..., None] + monomials[:, None, None]) & 1
    return np.asarray(is_odd.any(axis=0)), settled


def _known_powers(
    generators: Sequence[ExactArray], lie: Sequence[ExactArray], known: Known
) -> Powers:
    """:func:`_powers`, once for the same matrices."""
    matrices = (*generators, *lie)
    key = tuple(map(id, matrices))
    if key not in known:
        # The matrices are held: an address may be given to others after them.
        known[key] = matrices, _powers(generators, lie)
    return known[key][1]


def _powers(generators: Sequence[ExactArray], lie: Sequence[ExactArray]) -> Powers:
    """Of the generators, then of the Lie generators."""
    found = [*map(_sign, generators), *map(_half_turn, lie)]
    return np.array([k for k, _ in found]), np.array([kind for _, kind in found])


def _with(others: Powers, first: Powers) -> Powers:
    k, kinds = (np.concatenate(pair) for pair in zip(first, others, strict=True))
    return k, kinds


def _all_signs(rep: Representation) -> Powers:
    """Of all elements: matrices of signs are so on every part of the basis."""
    count = len(closure(rep.group))
    powers, kinds = (
        np.zeros((count, rep.size), dtype=np.int64),
        np.zeros(count, dtype=np.int64),
    )
    for part in all_parts(rep):
        blocks, b = part.places.shape
        own, found = _signs(part.matrices.reshape(count * blocks, b, b))
        powers[:, part.places.reshape(-1)] = own.reshape(count, blocks * b)
        stays = (part.moves == np.arange(blocks)).all(axis=1)
        kinds |= np.where(
            stays, np.bitwise_or.reduce(found.reshape(count, blocks), axis=1), USELESS
        )
    return powers, kinds


def _signs(elements: ExactArray) -> Powers:
    """Of diagonal matrices of signs among (elements, size, size)."""
    x = elements.numerators
    size = x.shape[1]
    # 1 is among the elements: its numerators are the denominator, so that their type holds it
    unit = np.eye(size, dtype=x.dtype)
    # Signs over a denominator are no signs, and nothing may stand beside 1.
    is_sign = (abs(x[..., 0]) == unit * elements.denominator).all(axis=(1, 2))
    is_sign &= ~(x[..., 1:] != 0).any(axis=(1, 2, 3))
    k = x[..., 0].diagonal(axis1=1, axis2=2) < 0
    return k.astype(np.int64), np.where(is_sign, 0, USELESS)


def _sign(g: ExactArray) -> tuple[Sequence[int], int]:
    k = None
    if g.is_rational:
        k = whole(g).signs
    if k is None:
        return [0] * len(g), USELESS
    return k, 0


def _half_turn(x: ExactArray) -> tuple[Sequence[int], int]:
    found = None
    if x.is_rational:
        found = whole(x).half_turn
    return found or ([0] * len(x), USELESS)

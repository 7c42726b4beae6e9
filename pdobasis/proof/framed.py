r"""Theorem: which PDOs are within a limit on the order in each variable of a frame, and how many there are.

One side, say the output, is permuted transitively, and H is the stabiliser of its component 0. Then P is its row 0,
carried round; and the row is any $p$ with $p(y)\,\rho_{in}(h) = p(h^T y)$ for h in H (Frobenius). Within the limit it
has $(u \cdot \nabla)^{m+1} p = 0$ for each axis u of the frame. In the coordinates of the frame these are the
solutions of a question about H with a limit on the order in each variable, whose nullity modulo a prime bounds their
number from above.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

import numpy as np

from pdobasis.errors import ProofError
from pdobasis.exact.array import ExactArray, identity, integers, stack
from pdobasis.exact.numbers import to_float
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group
from pdobasis.groups.matrices import rotation
from pdobasis.operators.symbols import Symbols
from pdobasis.proof.elements import characters, images_of
from pdobasis.proof.nullity import nullities
from pdobasis.proof.points import powers, where
from pdobasis.question.frames import FrameLimit, stabiliser
from pdobasis.representations.representation import Representation, from_matrices

CLOSE = 1e-9


def is_within(part: Symbols, side: str, limit: FrameLimit) -> bool:
    """Whether the row (or column) 0 of every element is within the limit."""
    index = part.row if side == "out" else part.column
    first = part.coefficients.take(np.flatnonzero(index == 0))
    axes = _axes(limit, part.dim)
    for i in range(part.dim):
        values = first
        # a derivative beyond the order of the polynomial is zero
        for n in range(part.order, max(part.order - limit.order - 1, -1), -1):
            values = values @ _directional(axes[:, i], part.dim, n)
        if part.order > limit.order and not values.is_zero:
            return False
    return True


def numbers_within(
    rep_in: Representation,
    rep_out: Representation,
    side: str,
    limit: FrameLimit,
    order: int,
    hoped: Sequence[int],
) -> tuple[int, ...]:
    """Upper bounds for the numbers of every order."""
    framed, other = (rep_out, rep_in) if side == "out" else (rep_in, rep_out)
    characters(framed)  # its permutations are looked at before they are used
    every = images_of(other)
    chosen = [int(h) for h in stabiliser(framed)]
    table = closure(framed.group)
    axes = _axes(limit, framed.group.dim)
    moves = tuple(axes.T @ table.matrices[h] @ axes for h in chosen)
    labels = tuple(f"h{k}" for k in range(len(chosen)))
    group = Group("the stabiliser", framed.group.dim, moves, labels)
    images = tuple(every[h] for h in chosen)
    restricted = from_matrices(group, "restricted", other.size, images)
    trivial = from_matrices(group, "trivial", 1, (identity(1),) * len(chosen))
    pair = (restricted, trivial) if side == "out" else (trivial, restricted)
    return nullities(*pair, range(order + 1), limit.order, hoped)


def _axes(limit: FrameLimit, dim: int) -> ExactArray:
    """The axes of the frame as columns: looked at, since a solver turns by the same function.

    Orthogonal matrices with $R^{2b} = 1$ are far from each other, so that floats tell which one it is.
    """
    if not limit.angle:
        return identity(dim)
    turn, angle = rotation(limit.angle), pi * limit.angle
    wanted = [[cos(angle), -sin(angle)], [sin(angle), cos(angle)]]
    whole = turn
    for _ in range(2 * limit.angle.denominator - 1):
        whole = whole @ turn
    one = identity(2)
    is_turn = whole.equals(one) and (turn.T @ turn).equals(one)
    if not is_turn or np.abs(to_float(turn) - wanted).max() > CLOSE:
        raise ProofError(f"the axes of {limit.text} are not turned by that angle")
    return turn


def _directional(u: ExactArray, dim: int, order: int) -> ExactArray:
    """Row alpha holds u . grad x^alpha, over the monomials of one order less."""
    alphas = powers(dim, order, order).tolist()
    places = where(dim, order - 1, order - 1) if order else {}
    tables = []
    for j in range(dim):
        table = np.zeros((len(alphas), len(places)), dtype=np.int64)
        for row, alpha in enumerate(alphas):
            if alpha[j]:
                lower = (*alpha[:j], alpha[j] - 1, *alpha[j + 1 :])
                table[row, places[lower]] = alpha[j]
        tables.append(integers(table))
    every = stack(tables)
    total = every[0] * u[0]
    for j in range(1, dim):
        total = total + every[j] * u[j]
    return total

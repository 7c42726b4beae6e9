r"""Frames that turn with a field: where the order in each variable can be limited whatever the group.

A finite group that permutes the components of a field transitively carries component 0 to any other. In PDO-eConvs

$$P_{h,k}(x) = p_{h^{-1}k}(h^{-1} x), \qquad p_j \in \mathrm{span}\{x_1^a x_2^b : a, b \le m\},$$

so that the limit holds at the row of e, in the frame of space, and at the row of h in the frame that h turned. The
subspace of solutions is well defined when it does not matter which h carried component 0 there: when the stabiliser of
component 0 keeps the limit. For ``regular`` that is the identity; for the other side any representation will do.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import RATIONALS, Field
from pdobasis.exact.polynomials import monomials, substitution
from pdobasis.exact.types import IndexArray
from pdobasis.groups.arguments import angle_text
from pdobasis.groups.closure import closure, generating
from pdobasis.groups.matrices import rotation
from pdobasis.representations.representation import Representation, all_permutations
from pdobasis.values import dataclass


@dataclass(frozen=True, slots=True)
class FrameLimit:
    """At most ``order`` in each variable of a frame that is turned by ``angle`` times pi.

    A quarter turn exchanges the variables up to a sign, so angles count modulo 1/2:

    >>> FrameLimit(2, Fraction(5, 8)).text
    'order <= 2 in each variable of the frame turned by pi/8'
    """

    order: int
    angle: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "angle", self.angle % Fraction(1, 2))

    @property
    def text(self) -> str:
        turned = ""
        if self.angle:
            turned = f" turned by {angle_text(self.angle)}"
        return f"order <= {self.order} in each variable of the frame{turned}"

    @property
    def turn(self) -> ExactArray | None:
        """The matrix whose columns are the axes of the frame; None where they are those of space."""
        if not self.angle:
            return None
        return rotation(self.angle)

    @property
    def field(self) -> Field:
        """Which numbers the turned frame needs."""
        turn = self.turn
        if turn is None:
            return RATIONALS
        return turn.field


def frame_side(
    rep_in: Representation, rep_out: Representation, limit: FrameLimit, order: int
) -> str | None:
    """Whose frame it is: that of ``out`` as in PDO-eConvs, else that of ``in``; None where neither has one."""
    if has_frame(rep_out, limit, order):
        return "out"
    if has_frame(rep_in, limit, order):
        return "in"
    return None


@remembered
def has_frame(rep: Representation, limit: FrameLimit, order: int) -> bool:
    """Whether its components are permuted transitively, and the stabiliser of the first keeps the limit."""
    if not rep.is_permutation:
        return False
    reached = all_permutations(rep)[:, 0]
    if len(np.unique(reached)) != rep.size:
        return False
    table = closure(rep.group)
    chosen = generating(table, stabiliser(rep))
    return all(_is_kept(table.matrices[int(h)], limit, order) for h in chosen)


def stabiliser(rep: Representation) -> IndexArray:
    """The elements that leave component 0 where it is, by their numbers."""
    return np.flatnonzero(all_permutations(rep)[:, 0] == 0)


def in_frame(g: ExactArray, limit: FrameLimit) -> ExactArray:
    """The matrix of g in the variables of the frame."""
    turn = limit.turn
    if turn is None:
        return g
    return turn.T @ g @ turn


def _is_kept(g: ExactArray, limit: FrameLimit, order: int) -> bool:
    """Whether monomials within the limit are mapped to such, for every order."""
    dim = g.shape[0]
    own = in_frame(g, limit).T.reshape(1, dim, dim)
    for n in range(order + 1):
        largest = np.array([max(alpha) for alpha in monomials(dim, n)])
        moved = substitution(own, n)[0].nonzero_mask()
        if moved[np.ix_(largest <= limit.order, largest > limit.order)].any():
            return False
    return True

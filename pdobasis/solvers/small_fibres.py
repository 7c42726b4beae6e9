"""Space and fibres of groups of crystals without their square roots, in Python's integers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray
from pdobasis.groups.group import Group
from pdobasis.representations.representation import Representation
from pdobasis.solvers.more_signs import Word, with_words, words
from pdobasis.solvers.small_actions import Side, Whole, side_of, whole
from pdobasis.solvers.small_roots import without_roots
from pdobasis.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Fibre:
    r"""A representation without its roots: $\psi_0$, and the squares c of what N has on its diagonal.

    ``is_orthogonal`` says whether $\psi = N\psi_0N^{-1}$ is.
    """

    size: int
    side: Side
    squares: tuple[int, ...]
    is_orthogonal: bool


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """What the generators do on space without roots, and which elements besides are matrices of signs."""

    side: Side
    words: list[Word]
    squares: tuple[int, ...]


@remembered
def space_of(group: Group) -> Space | None:
    """None where generators are not rational up to square roots."""
    if not group.is_finite:
        return None
    found = _unrooted(group.on_space, group.dim)
    if found is None:
        return None
    own = side_of(found[0], [], group.dim)
    every = words(own)
    return Space(with_words(own, every), every, found[1])


def _unrooted(
    matrices: tuple[ExactArray, ...], size: int
) -> tuple[list[Whole], tuple[int, ...]] | None:
    if all(m.is_rational for m in matrices):
        return [whole(m) for m in matrices], (1,) * size
    return without_roots(matrices, size)


def _is_signed(own: Side) -> bool:
    return own.signed == (1 << len(own.generators)) - 1


@remembered
def fibre_of(rep: Representation) -> Fibre | None:
    """None where rho is not rational up to square roots."""
    found, space = _unrooted(rep.matrices(), rep.size), space_of(rep.group)
    if found is None or space is None:
        return None
    matrices, squares = found
    own = side_of(matrices, [], rep.size)
    is_orthogonal = _is_signed(own) or all(
        _is_orthogonal(m, squares) for m in own.generators
    )
    return Fibre(rep.size, with_words(own, space.words), squares, is_orthogonal)


def _is_orthogonal(m: Whole, squares: Sequence[int]) -> bool:
    r"""Whether $m^T N^2 m = N^2$, for m times its denominator: $NmN^{-1}$ is orthogonal, then."""
    columns = [dict(column) for column in m.columns]
    for (j, one), (k, other) in product(enumerate(columns), repeat=2):
        found = sum(squares[i] * v * other.get(i, 0) for i, v in one.items())
        if found != (squares[j] * m.denominator**2 if j == k else 0):
            return False
    return True

r"""Turns that an operator may be kept by, beside the signed permutations.

An operator of order n that is kept by the turn of a plane by $2\pi/N$, but not by all of its turns, has a frequency
that is a multiple of N: $N \le n + f_{in} + f_{out}$, with the highest frequencies of its representations. So in every
coordinate plane the turns of these orders are tried, and in space those of the icosahedron, in both positions in which
it shares the turns of a tetrahedron with the cube.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from pdobasis.exact.array import ExactArray, integers, zeros
from pdobasis.exact.array import matrix as array_of
from pdobasis.exact.numbers import to_float
from pdobasis.groups.group import Group
from pdobasis.groups.matrices import rotation
from pdobasis.question.text import resolve_group
from pdobasis.representations.representation import Representation

MAX_ORDER = 24
"""Of the operator and of a turn: powers of sums, over fields with many roots, take long beyond."""


def turns(
    dim: int, order: int, source: Representation, target: Representation
) -> Iterator[ExactArray]:
    """Those by 2π/N in coordinate planes, N as above; and those of two icosahedra in space."""
    if order > MAX_ORDER:
        return
    highest = min(MAX_ORDER, order + _frequency(source) + _frequency(target))
    for plane in combinations(range(dim), 2):
        for n in range(3, highest + 1):
            if n != 4:
                yield _in_plane(dim, plane, rotation(Fraction(2, n)))
    if dim == 3 and order >= 6:
        quarter = integers([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
        for g in resolve_group("I").generators:
            yield g
            yield quarter @ g @ quarter.T


def closed(group: Group, kept: Sequence[ExactArray]) -> tuple[ExactArray, ...]:
    """The elements of the finite group that they generate."""
    own = Group(group.name, group.dim, (), (), ())
    for g in kept:
        if g not in own.elements:
            generators = (*own.generators, g)
            labels = tuple(f"g{k + 1}" for k in range(len(generators)))
            own = Group(group.name, group.dim, generators, labels, ())
    return tuple(own.elements)


def _frequency(rep: Representation) -> int:
    """At least that of any turn: a sum of k vectors' products has 2^k components or more, irreps are asked."""
    if len(rep.lie) != 1:
        return rep.size
    (x,) = rep.lie
    # eigenvalues lie in Gershgorin's discs
    return max(rep.size, int(abs(to_float(x)).sum(axis=1).max(initial=0) + 0.5))


def _in_plane(dim: int, plane: tuple[int, int], turn: ExactArray) -> ExactArray:
    one, nothing = integers(1), zeros(())
    return array_of(
        [
            [
                turn[plane.index(i), plane.index(j)]
                if i in plane and j in plane
                else (one if i == j else nothing)
                for j in range(dim)
            ]
            for i in range(dim)
        ]
    )

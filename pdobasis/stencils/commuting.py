r"""Linear maps of polynomials that commute with a group: the error terms that stencils may have.

A map E from polynomials of degree m to degree n commutes with G when $E(u \circ g^T) = (E u) \circ g^T$ for all g: they
are the equivariant operators of order n from sym(m, ·) to scalars. Here they are found as the null space of one linear
system per generator, over the rational numbers, since rational weights have rational errors. Where the automorphisms of
the number field map the group to itself these span all: planar, cubic and continuous groups. The icosahedral ones have
fewer.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, exact, identity, stack
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.matrices import kronecker
from pdobasis.exact.polynomials import count, derivation, monomials, substitution
from pdobasis.groups.group import Group
from pdobasis.linear.null_space import null_space
from pdobasis.linear.sparse import join_systems, no_entries, nonzeros, to_dense
from pdobasis.stencils.errors import StencilError
from pdobasis.stencils.multi_index import MultiIndex

Map = dict[MultiIndex, dict[MultiIndex, Fraction]]
"""What becomes of every monomial."""
MAX_UNKNOWNS = 4000


@remembered
def commuting_maps(group: Group, low: int, high: int) -> tuple[Map, ...]:
    """A basis of the rational maps from degree ``low`` to degree ``high`` that commute with the group.

    Those of O(2) from degree 1 to 3 multiply by the square of the length:

    >>> from pdobasis.groups.catalogue import parse_group
    >>> [found] = commuting_maps(parse_group("O(2)"), 1, 3)
    >>> {alpha: {beta: str(v) for beta, v in row.items()} for alpha, row in found.items()}
    {(1, 0): {(3, 0): '1', (1, 2): '1'}, (0, 1): {(2, 1): '1', (0, 3): '1'}}
    """
    sizes = count(group.dim, low), count(group.dim, high)
    if sizes[0] * sizes[1] > MAX_UNKNOWNS:
        raise StencilError(
            f"{sizes[0] * sizes[1]} coefficients of error terms are too many: ask for a lower degree isotropic="
        )
    systems = [
        nonzeros(part)
        for small, large in _actions(group, low, high)
        for part in _rational_parts(
            # Rows of coefficients are multiplied from the right: S E = E S.
            kronecker(small, identity(sizes[1]))
            - kronecker(identity(sizes[0]), large.T)
        )
    ]
    system = no_entries((0, sizes[0] * sizes[1]))
    if systems:
        system = join_systems(systems)
    solutions = to_dense(null_space(system))
    return tuple(
        _as_map(solutions[k], group.dim, low, high) for k in range(len(solutions))
    )


def in_other_coordinates(group: Group, matrix: ExactArray) -> Group:
    """A^{-1} G A: the group in the coordinates n of x = A n."""
    inverse = matrix.inverse()
    return Group(
        f"{group.name[:60]} in other coordinates",
        group.dim,
        tuple(inverse @ g @ matrix for g in group.generators),
        group.labels,
        tuple(inverse @ x @ matrix for x in group.lie),
    )


def _actions(group: Group, low: int, high: int) -> list[tuple[ExactArray, ExactArray]]:
    """What every generator does to polynomials of both degrees: u(g^T k), and its derivative."""
    out = []
    for g in group.on_space:
        one = stack([g.T])
        out.append((substitution(one, low)[0], substitution(one, high)[0]))
    for x in group.lie:
        out.append((derivation(x.T, low), derivation(x.T, high)))
    return out


def _rational_parts(matrix: ExactArray) -> list[ExactArray]:
    """One system of rational numbers for each element of the field's basis."""
    parts = np.moveaxis(matrix.numerators, -1, 0)
    return [exact(part[..., None], 1, RATIONALS) for part in parts if part.any()]


def _as_map(row: ExactArray, dim: int, low: int, high: int) -> Map:
    sources, images = monomials(dim, low), monomials(dim, high)
    values = [Fraction(int(v), row.denominator) for v in row.numerators[..., 0]]
    out: Map = {}
    for k, alpha in enumerate(sources):
        own = values[k * len(images) : (k + 1) * len(images)]
        out[alpha] = {beta: v for beta, v in zip(images, own, strict=True) if v}
    return out

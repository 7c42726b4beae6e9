"""The smallest ball of a lattice on which there are weights: what a window that is too small is refused with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, isqrt

import numpy as np

from pdobasis.exact.numbers import to_float
from pdobasis.groups.group import Group
from pdobasis.stencils.lattices import Lattice, Node
from pdobasis.stencils.moment_system import (
    MomentSystem,
    NodeSet,
    Polynomial,
    Wish,
    flat,
)

MAX_NODES = {1: 41, 2: 150}
"""How far it is looked for, by dimension (250 in more)."""


def smallest_ball(
    space: Sequence[Polynomial],
    order: int,
    lattice: Lattice,
    group: Group,
    wish: Wish,
) -> str | None:
    """The window with its radius as a text; None if none was found."""
    metric = lattice.metric or flat(lattice.dim)
    for radius in _radii(lattice):
        nodes = lattice.kept(lattice.ball(radius), group)
        if len(nodes) > MAX_NODES.get(lattice.dim, 250):
            return None
        places = tuple(tuple(Fraction(v) for v in n) for n in nodes)
        own = NodeSet(places, (Fraction(1),) * len(places), metric)
        if MomentSystem.of(space, order, own, wish).constants() is not None:
            return f"ball {radius}"
    return None


def _radii(lattice: Lattice) -> Iterator[str]:
    """The distances of lattice points, as texts that a window takes."""
    squares: dict[float, Node] = {}
    # Beyond that a ball holds more nodes than are ever tried, unless the lattice is very long in one direction.
    reach = 6 * min(lattice.lengths)
    if max(lattice.lengths) < 10 * reach:
        reach = max(reach, *lattice.lengths)
    gram = to_float(lattice.gram)
    for n in lattice.ball(str(ceil(reach))):
        squares.setdefault(round(float(np.array(n) @ gram @ n), 9), n)
    for square, n in sorted(squares.items()):
        if square:
            yield _radius(lattice, n, square)


def _radius(lattice: Lattice, node: Node, square: float) -> str:
    """sqrt(r²) where that is rational, else a decimal number that is a little larger."""
    exact = lattice.gram
    if not exact.is_rational:
        return f"{ceil(np.sqrt(square) * 10**6 + 1e-3) / 10**6:g}"
    value = sum(
        (
            a * b * exact[i, j].fraction()
            for i, a in enumerate(node)
            for j, b in enumerate(node)
        ),
        Fraction(0),
    )
    root = Fraction(isqrt(value.numerator), isqrt(value.denominator))
    return str(root) if root**2 == value else f"sqrt({value})"

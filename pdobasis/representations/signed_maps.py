r"""Intertwiners to representations that permute a basis up to signs: written down, or solved on one row of an orbit.

Tensors of vectors of the cubic and tetragonal groups are of this kind. With $b(s)e_i = \tau_i e_{q(i)}$ the rows of T
satisfy $t_i = \tau_i\,t_{q(i)}\,a(s)$.

Where $a(s)e_j = \sigma_j e_{p(j)}$ as well, that is $T_{q(i)p(j)} = \sigma_j\tau_i T_{ij}$: a map for every orbit of
places (i, j) on which the signs agree. No two have a place in common and the first entry of each is 1: that is the
reduced echelon form.

Elsewhere $t_i = \pm t_0 M_i$ along an orbit of rows, with a product $M_i$ of matrices of a, and what is left of the
equations speaks of $t_0$ alone. The $t_0$ of an orbit is its first row, so that the echelon form of all T is that of
the $t_0$, carried on.
"""

from __future__ import annotations

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, exact, lowest
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.scattered import Scattered
from pdobasis.representations.representation import Representation

MOST = 4_000
"""Entries of T up to which Python walks round orbits."""

Mover = tuple[list[int], list[int]]
"""Where a generator takes every vector of the basis, and with which sign."""


@remembered
def signed(rep: Representation) -> tuple[Mover, ...] | None:
    """What the generators do to the basis; None where they do more than to permute it up to signs.

    >>> from pdobasis import field_type
    >>> signed(field_type("vector", "C4")[0])
    (([1, 0], [1, -1]),)
    """
    if rep.lie:
        return None
    if rep.permutations is not None:
        return tuple((list(p), [1] * rep.size) for p in rep.permutations)
    out = []
    for m in rep.generators:
        mover = _mover(m)
        if mover is None:
            return None
        out.append(mover)
    return tuple(out)


def _mover(m: ExactArray) -> Mover | None:
    """The matrix has an inverse: if its columns have one entry each, so have its rows."""
    size = len(m)
    if isinstance(m, Scattered) or m.denominator != 1:
        return None
    rows, columns, coordinates = np.nonzero(m.numerators)
    if len(rows) != size or coordinates.any():
        return None
    to, signs = [0] * size, [0] * size
    values = m.numerators[rows, columns, 0].tolist()
    for i, j, v in zip(rows.tolist(), columns.tolist(), values, strict=True):
        to[j], signs[j] = i, v
    if not all(v in (1, -1) for v in signs):
        return None
    return to, signs


@remembered
def signed_maps(a: Representation, b: Representation) -> ExactArray | None:
    """A basis of all T with T a(g) = b(g) T in echelon form, (number, size of b, size of a).

    None where not both are signed, or where they are large.

    >>> from pdobasis import field_type
    >>> vector = field_type("vector", "C4")[0]
    >>> signed_maps(vector, vector)
    <ExactArray [[[1, 0], [0, 1]], [[0, 1], [-1, 0]]]>
    """
    if a.size * b.size > MOST:
        return None
    source, target = signed(a), signed(b)
    if source is None or target is None:
        return None
    width, count = a.size, a.size * b.size
    movers = [_on_places(x, y) for x, y in zip(source, target, strict=True)]
    orbits = _orbits(count, movers)
    table = np.zeros(len(orbits) * count, dtype=np.int64)
    places = [k * count + u for k, own in enumerate(orbits) for u in own]
    table[places] = [v for own in orbits for v in own.values()]
    return lowest(table.reshape(len(orbits), b.size, width, 1), 1, RATIONALS)


def _on_places(source: Mover, target: Mover) -> Mover:
    """Where (i, j) goes, row by row."""
    (p, sigma), (q, tau) = source, target
    width = len(p)
    to = [first * width + j for first in q for j in p]
    return to, [t * s for t in tau for s in sigma]


def _orbits(count: int, movers: list[Mover]) -> list[dict[int, int]]:
    """The signs of places by orbits, without those whose signs do not agree."""
    out = []
    sign = [0] * count
    for first in range(count):
        if sign[first]:
            continue
        sign[first] = 1
        members = [first]
        agrees = True
        # the list grows while it is read; a finite group goes round, so that generators without inverses reach all
        for u in members:
            for to, signs in movers:
                v, own = to[u], sign[u] * signs[u]
                if not sign[v]:
                    sign[v] = own
                    members.append(v)
                elif sign[v] != own:
                    agrees = False
        if agrees:
            out.append({u: sign[u] for u in members})
    return out

r"""A representation of I or Ih and its dual as modules over $\mathbb{Z}[\sqrt5]$, by the matrices of its generators.

These are a half turn s about the axis z, the turn c from x to y to z, and the fivefold turn g. Where matrices have
square roots of 3, as products with the irrep H, they are $N\rho_0N^{-1}$ with a diagonal N.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

import numpy as np

from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import join, radical
from pdobasis.exact.types import IntArray
from pdobasis.representations.representation import Representation
from pdobasis.representations.signed_maps import Mover, movers_of
from pdobasis.solvers.golden import BASE, Vector, exactly, primitive, summed
from pdobasis.solvers.icosahedral_irreps import Columns, X, Y, Z, columns
from pdobasis.solvers.icosahedral_maps import Module
from pdobasis.values import dataclass

GOLDEN = radical(5)
ROOTED = radical(3, 5)
"""The field of H."""

SIGNS = {0: (1, 1), X: (-1, 1), Y: (-1, -1), Z: (1, -1)}
"""Of the half turns about z and about x."""


@dataclass(frozen=True, slots=True, eq=False)
class Multiple:
    """A matrix of images, which is ``denominator`` times what is meant."""

    columns: Columns
    denominator: int

    def times(self, own: Vector) -> Vector:
        found: dict[int, int] = {}
        lines = self.columns.lines
        for u, v in own.values.items():
            for i, entry in lines[u]:
                found[i] = found.get(i, 0) + entry * v
        return exactly(found, self.columns.norm * own.most)


class Matrices(Module):
    """By s and g, and c as a product of matrices."""

    def __init__(
        self,
        half: Multiple,
        cycle: Sequence[Multiple],
        turn: Multiple,
        chosen: Sequence[int],
    ) -> None:
        """Of the part that is spanned by the ``chosen`` vectors of the basis."""
        self._chosen = chosen
        self._half, self._cycle, self._turn = half, cycle, turn
        self.denominator = turn.denominator
        for own in cycle:
            self.scale *= own.denominator
        found = self._types()
        self._is_typed = found is not None
        self.types = found or ()
        if found is None:
            self.whole = 4 * half.denominator**2 * self.scale**3

    def _types(self) -> list[int] | None:
        """How D2 acts on the coordinates, where it changes signs alone."""
        signs = []
        for u, line in enumerate(self._half.columns.lines):
            if len(line) != 1 or line[0][0] != u:
                return None
            signs.append(line[0][1] // self._half.denominator)
        out = []
        for u, sign in enumerate(signs):
            # the half turn about x is c s c^2
            back = self.cycle(self.cycle(Vector({u: 1}, 1)))
            others = {signs[i] for i in back.values}
            if len(others) > 1:
                return None
            out.append(_KINDS[sign, others.pop()])
        return out

    def turn(self, own: Vector) -> Vector:
        return self._turn.times(own)

    def cycle(self, own: Vector) -> Vector:
        for factor in self._cycle:
            own = factor.times(own)
        return own

    def starts(self, kind: int) -> Iterator[Vector]:
        for u in self._chosen:
            if not self._is_typed:
                yield primitive(self.part(Vector({u: 1}, 1), kind))
            elif self.types[u] == kind:
                yield Vector({u: 1}, 1)

    def part(self, own: Vector, kind: int) -> Vector:
        """The average over D2, with signs."""
        if self._is_typed:
            return super().part(own, kind)
        about_z, about_x = SIGNS[kind]
        half = self._half
        own = summed([(half.denominator, own), (about_z, half.times(own))])
        turned = self.cycle(half.times(self.cycle(self.cycle(own))))
        factor = half.denominator * self.scale**3
        return summed([(factor, own), (about_x, turned)])


_KINDS = {signs: kind for kind, signs in SIGNS.items()}


Given = tuple[Multiple, list[Multiple], Multiple]
"""s, c and g."""


@dataclass(frozen=True, slots=True, eq=False)
class Modules:
    """A representation without roots, its dual, and the squares of N."""

    own: Matrices
    dual: Matrices
    squares: tuple[int, ...]


def modules(rep: Representation) -> dict[str, Modules] | None:
    """By the parity of inversion, where there is one; None where numbers are others."""
    matrices = rep.matrices()[:3]
    field = reduce(join, (m.field for m in matrices), GOLDEN)
    parities = _parities(rep)
    if field not in (GOLDEN, ROOTED) or parities is None:
        return None
    half, cycle = movers_of(rep)[:2]
    if field == GOLDEN and half is not None and cycle is not None:
        own, dual = _signed(half, cycle, matrices[2].over(GOLDEN))
        squares = (1,) * rep.size
    else:
        known = _squares(matrices, rep.size)
        if known is None:
            return None
        squares = known
        own, dual = _unsigned(matrices, squares)
    return {
        parity: Modules(Matrices(*own, chosen), Matrices(*dual, chosen), squares)
        for parity, chosen in parities.items()
    }


def _parities(rep: Representation) -> dict[str, list[int]] | None:
    """The vectors of the basis on which inversion is 1 and -1; None where it is more."""
    every = list(range(rep.size))
    if len(rep.matrices()) == 3:
        return {"": every}
    mover = movers_of(rep)[3]
    if mover is None or mover[0] != every:
        return None
    signs = {"g": 1, "u": -1}
    return {p: [u for u in every if mover[1][u] == sign] for p, sign in signs.items()}


def _signed(half: Mover, cycle: Mover, turn: ExactArray) -> tuple[Given, Given]:
    """Where s and c permute the basis up to signs, they are orthogonal, and those of the dual."""
    s, c = (Multiple(_permuting(own), 1) for own in (half, cycle))
    rows = _images(turn.numerators[..., 0], turn.numerators[..., 1])
    g, back = _multiples(rows, turn.denominator)
    return (s, [c], g), (s, [c], back)


def _unsigned(
    matrices: Sequence[ExactArray], squares: tuple[int, ...]
) -> tuple[Given, Given]:
    """By whatever matrices."""
    every = [
        _multiples(_unrooted(m.over(ROOTED), squares), m.denominator) for m in matrices
    ]
    (s, c, g), (s_back, c_back, g_back) = zip(*every, strict=True)
    # c^-T is the square of c^T
    return (s, [c], g), (s_back, [c_back, c_back], g_back)


def _multiples(rows: list[list[int]], denominator: int) -> tuple[Multiple, Multiple]:
    """A matrix, and its transpose."""
    back = list(zip(*rows, strict=True))
    return Multiple(columns(rows), denominator), Multiple(columns(back), denominator)


def _permuting(mover: Mover) -> Columns:
    return Columns([[own] for own in zip(*mover, strict=True)], 1)


def _images(plain: IntArray, rooted: IntArray) -> list[list[int]]:
    r"""Of $a + b\sqrt5$, from both coordinates."""
    return [
        [a + b * BASE for a, b in zip(*line, strict=True)]
        for line in zip(plain.tolist(), rooted.tolist(), strict=True)
    ]


def _squares(matrices: Sequence[ExactArray], size: int) -> tuple[int, ...] | None:
    """Of N, 1 or 3: entries between different ones have a square root of 3; None where that does not tell."""
    known = [0] * size
    links: list[list[tuple[int, int]]] = [[] for _ in known]
    for m in matrices:
        numbers = m.over(ROOTED).numerators
        # the basis is 1, sqrt(3), sqrt(5), sqrt(15)
        plain = np.asarray(numbers[..., ::2].any(axis=-1))
        rooted = np.asarray(numbers[..., 1::2].any(axis=-1))
        if (plain & rooted).any():
            return None
        for i, j in np.argwhere(plain | rooted).tolist():
            factor = 3 if rooted[i, j] else 1
            links[i].append((j, factor))
            links[j].append((i, factor))
    for first in range(size):
        if known[first]:
            continue
        known[first] = 1
        members = [first]
        # the list grows while it is read
        for i in members:
            for j, factor in links[i]:
                square = 3 // known[i] if factor == 3 else known[i]
                if not known[j]:
                    known[j] = square
                    members.append(j)
                elif known[j] != square:
                    return None
    return tuple(known)


def _unrooted(m: ExactArray, squares: tuple[int, ...]) -> list[list[int]]:
    r"""$N^{-1}mN$, without the denominator: $\sqrt3$ times, or divided by, what has one."""
    own = np.array(squares)
    left, right = own[:, None], own[None, :]
    numbers = m.numerators
    plain = left == right
    factor = np.where(left < right, 3, 1)
    first = np.where(plain, numbers[..., 0], factor * numbers[..., 1])
    second = np.where(plain, numbers[..., 2], factor * numbers[..., 3])
    return _images(first, second)

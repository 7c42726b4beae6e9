r"""Maps from the irreps of the rotations I of an icosahedron, by one vector and one turn.

Let $D_2 \subset T \subset I$ be the half turns about the axes of space, and the tetrahedral group with the turn c that
takes x to y to z. $D_2$ acts by signs, and each of the irreps T1, T2, G and H has just one vector $e_x$ that changes
signs as x does. So a map from such an irrep $\psi$ to a representation $\rho$ is known by $t_x = Te_x$, one of the
vectors of $\rho$ that change signs as x does. With the projection p onto these and an element g of I that is not in T,

    $p\,\rho(g)\,t_x = \psi(g)_{xx}\,t_x$,

and the four numbers $\psi(g)_{xx}$ differ: the factors $p\,\rho(g) - \lambda$ for the irreps that are not wanted leave
those vectors that are. Then $t_y = \rho(c)t_x$, $t_z = \rho(c)t_y$, and what $\rho(g)$ makes of these has the rest of
T. Vectors that the tetrahedral group leaves as they are have the trivial irrep A and G alone, where $\pi_T\,\rho(g)$ is
1 and -1/4.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from pdobasis.solvers.golden import (
    Vector,
    combined,
    echelon,
    exactly,
    monic,
    primitive,
    summed,
    times,
)
from pdobasis.solvers.icosahedral_irreps import (
    EIGENVALUES,
    IRREPS,
    Columns,
    Irrep,
    Rows,
    X,
)

Counts = dict[str, int]
"""How often irreps occur, by their letters."""


class Module(ABC):
    """A representation of I, by c and g: whole multiples of them."""

    types: Sequence[int]
    """Of the coordinates."""
    denominator: int
    """The ``turn`` is g times that."""
    scale: int = 1
    """The ``cycle`` is c times that."""
    whole: int = 1
    """A ``part`` is the projection times that."""

    @abstractmethod
    def turn(self, own: Vector) -> Vector: ...

    @abstractmethod
    def cycle(self, own: Vector) -> Vector: ...

    def starts(self, kind: int) -> Iterator[Vector]:
        """A basis of the vectors that change signs in one way."""
        for u, own in enumerate(self.types):
            if own == kind:
                yield Vector({u: 1}, 1)

    def part(self, own: Vector, kind: int) -> Vector:
        found = {u: v for u, v in own.values.items() if self.types[u] == kind}
        return Vector(found, own.most)

    def turned(self, own: Vector, kind: int) -> Vector:
        """The part of a turned vector that changes signs in one way."""
        return self.part(self.turn(own), kind)

    def seeds(self, letter: str, occurring: Counts) -> list[Vector]:
        """The images of $e_x$, or of the 1 of A, under a basis of all maps; given how often irreps occur."""
        found: list[Vector] = []
        wanted = occurring[letter]
        starts = self.starts(0 if letter == "A" else X)
        while len(found) < wanted:
            own = self._filtered(next(starts), letter, occurring)
            if own.values and are_independent([*found, own]):
                found.append(monic(own))
        return found

    def _filtered(self, own: Vector, letter: str, occurring: Counts) -> Vector:
        if letter == "A":
            own = self._averaged(own)
            if occurring["G"]:
                turned = self._averaged(self.turn(own))
                factor = 3 * self.scale**2 * self.whole * self.denominator
                own = combined([(4, turned), (factor, own)])
            return own
        factor = self.whole * self.denominator
        for other, eigenvalue in EIGENVALUES.items():
            if other != letter and occurring[other]:
                turned = self.turned(own, X)
                own = combined([(4, turned), (-eigenvalue * factor, own)])
        return own

    def _averaged(self, own: Vector) -> Vector:
        """The average over T, times three, the square of the scale and the whole."""
        first = self.part(own, 0)
        second = self.cycle(first)
        third = self.cycle(second)
        return summed([(self.scale**2, first), (self.scale, second), (1, third)])

    def lines(
        self, letter: str, seed: Vector, *, is_dual: bool = False
    ) -> list[Vector]:
        r"""The columns of T in the basis of the irrep, up to one factor.

        Of the dual they are the rows of a map Q to it, with $\psi(g)^T$ in the place of $\psi(g)$.
        """
        if letter == "A":
            return [seed]
        irrep = IRREPS[letter]
        second = self.cycle(seed)
        third = self.cycle(second)
        turned = irrep.turn
        if is_dual:
            turned = list(zip(*turned, strict=True))
        factor, rest = self._fixed(irrep, turned, (seed, second))
        factor = times(factor, self.denominator * self.whole)
        parts = dict(zip(irrep.fixed, rest, strict=True))
        scale = self.scale
        for k, power, t in zip(
            irrep.axes, (2, 1, 0), (seed, second, third), strict=True
        ):
            parts[k] = [(factor * scale**power, t)]
        return common([summed(parts[k]) for k in range(len(irrep.types))])

    def _fixed(
        self, irrep: Irrep, turned: Rows, known: tuple[Vector, Vector]
    ) -> tuple[int, list[list[tuple[int, Vector]]]]:
        r"""What T has in the vectors that D2 fixes, times a number K that comes first.

        What $\rho(g)$ makes of $t_x$ has $\sum_k \psi(g)_{kx}t_k$ there, and likewise for $t_y$: one or two equations
        for as many $t_k$, which are solved by Cramer's rule with their determinant K.
        """
        (x, y, _), fixed = irrep.axes, irrep.fixed
        if not fixed:
            return 1, []
        own = irrep.denominator * self.scale
        first = self.turned(known[0], 0)
        if len(fixed) == 1:
            return turned[fixed[0]][x], [[(own * self.scale, first)]]
        j, k = fixed
        second = self.turned(known[1], 0)
        a, b, c, d = turned[j][x], turned[j][y], turned[k][x], turned[k][y]
        rest = [
            [(d * own * self.scale, first), (-c * own, second)],
            [(-b * own * self.scale, first), (a * own, second)],
        ]
        return a * d - b * c, rest


def common(lines: list[Vector]) -> list[Vector]:
    """Without what the coordinates of all share."""
    return apart(primitive(flat(lines)), len(lines))


def flat(lines: list[Vector]) -> Vector:
    """In one: entry u of line k of m has place um + k."""
    width = len(lines)
    whole = {
        u * width + k: v for k, line in enumerate(lines) for u, v in line.values.items()
    }
    return Vector(whole, max(line.most for line in lines))


def apart(own: Vector, width: int) -> list[Vector]:
    """The lines again."""
    found: list[dict[int, int]] = [{} for _ in range(width)]
    for place, v in own.values.items():
        u, k = divmod(place, width)
        found[k][u] = v
    return [Vector(line, own.most) for line in found]


def are_independent(rows: Sequence[Vector]) -> bool:
    if len(rows) == 1:
        return bool(rows[0].values)
    places = sorted({u for row in rows for u in row.values})
    return len(echelon(rows, places)) == len(rows)


class Product(Module):
    r"""All matrices M between irreps, $M \mapsto \psi'(g)\,M\,\psi(g)^{-1}$; entries are numbered row by row."""

    def __init__(self, source: Irrep, target: Irrep) -> None:
        self._turns = target.turns, source.dual_turns
        self._cycles = target.cycles, source.dual_cycles
        self.denominator = 3 * source.denominator * target.denominator
        self.scale = 3 * 2 * 2
        self._width = len(source.types)
        self.types = [a ^ b for a in target.types for b in source.types]

    def turn(self, own: Vector) -> Vector:
        return self._moved(own, *self._turns)

    def cycle(self, own: Vector) -> Vector:
        return self._moved(own, *self._cycles)

    def turned(self, own: Vector, kind: int) -> Vector:
        return self._moved(own, *self._turns, kind)

    def _moved(
        self, own: Vector, left: Columns, right: Columns, kind: int | None = None
    ) -> Vector:
        """All of it, or one part."""
        found: dict[int, int] = {}
        width, types = self._width, self.types
        for u, v in own.values.items():
            r, c = divmod(u, width)
            for i, x in left.lines[r]:
                row, both = i * width, x * v
                for j, y in right.lines[c]:
                    if kind is None or types[row + j] == kind:
                        found[row + j] = found.get(row + j, 0) + both * y
        return exactly(found, left.norm * right.norm * own.most)

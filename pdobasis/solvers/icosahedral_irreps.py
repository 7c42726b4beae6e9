r"""The irreps of the rotations I of an icosahedron over $\mathbb{Z}[\sqrt5]$, in bases that the half turns about the
axes keep up to signs.

These are those of the catalogue but for two: H is $NH_0N^{-1}$ with $N = \mathrm{diag}(1, 1, \sqrt3, 1, 1)$, and G has
the vector that the tetrahedral group T fixes, and three that change signs as x, y and z do (:data:`TYPED`).
"""

from __future__ import annotations

from collections.abc import Sequence

from pdobasis.solvers.golden import BASE, Vector, exactly, size
from pdobasis.values import dataclass

Lines = list[list[tuple[int, int]]]
"""The entries of every column that are not zero."""
Rows = Sequence[Sequence[int]]
X, Y, Z = 1, 2, 3
"""How a vector changes signs under D2, the half turns: as x, as y, as z; 0 if it does not. Products have the xor."""
R5 = BASE


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """A matrix of images by its columns; ``norm`` bounds the sums of the sizes in every row."""

    lines: Lines
    norm: int


def columns(rows: Rows) -> Columns:
    lines = [
        [(i, v) for i, v in enumerate(column) if v]
        for column in zip(*rows, strict=True)
    ]
    return Columns(lines, max(sum(map(size, row)) for row in rows))


class Irrep:
    r"""``turn`` is the fivefold turn g times ``denominator``, by rows; ``types`` tell how $D_2$ acts on the basis.

    ``squares`` are those of N. ``turns`` and ``cycles`` are g and c, the turn from x to y to z, times ``denominator``
    and 2; the dual ones are three times $\psi^{-T} = N^2\psi N^{-2}$, which is whole.
    """

    def __init__(
        self,
        types: tuple[int, ...],
        cycle: Rows,
        turn: Rows,
        denominator: int,
        squares: tuple[int, ...],
    ) -> None:
        self.types, self.squares = types, squares
        self.turn, self.denominator = turn, denominator
        self.turns, self.cycles = columns(turn), columns(cycle)
        self.dual_turns = columns(_dual(turn, squares))
        self.dual_cycles = columns(_dual(cycle, squares))
        self.fixed = [k for k, own in enumerate(types) if not own]
        self.axes = [types.index(kind) for kind in (X, Y, Z) if kind in types]


def _dual(rows: Rows, squares: tuple[int, ...]) -> Rows:
    return [
        [3 * n * v // m for m, v in zip(squares, row, strict=True)]
        for n, row in zip(squares, rows, strict=True)
    ]


_ROTATED = ((0, 0, 2), (2, 0, 0), (0, 2, 0))
IRREPS = {
    "A": Irrep((0,), ((2,),), ((1,),), 1, (1,)),
    "T1": Irrep(
        (X, Y, Z),
        _ROTATED,
        ((R5 - 1, -1 - R5, 2), (1 + R5, 2, R5 - 1), (-2, R5 - 1, 1 + R5)),
        4,
        (1, 1, 1),
    ),
    "T2": Irrep(
        (X, Y, Z),
        _ROTATED,
        ((-1 - R5, R5 - 1, 2), (1 - R5, 2, -1 - R5), (-2, -1 - R5, 1 - R5)),
        4,
        (1, 1, 1),
    ),
    "G": Irrep(
        (0, X, Y, Z),
        ((2, 0, 0, 0), (0, 0, 0, 2), (0, 2, 0, 0), (0, 0, 2, 0)),
        ((-1, R5, R5, -R5), (R5, -1, -1, -3), (-R5, 1, -3, -1), (R5, 3, -1, 1)),
        4,
        (1, 1, 1, 1),
    ),
    "H": Irrep(
        (Z, X, 0, Y, 0),
        (
            (0, 0, 0, 2, 0),
            (2, 0, 0, 0, 0),
            (0, 0, -1, 0, -1),
            (0, 2, 0, 0, 0),
            (0, 0, 3, 0, -1),
        ),
        (
            (-8, 0, 6 * R5 - 6, 8, 6 + 2 * R5),
            (0, 8, 12, 8, -4 * R5),
            (2 - 2 * R5, 4, 1 + 3 * R5, -2 - 2 * R5, R5 - 1),
            (8, -8, 6 + 6 * R5, 0, 6 - 2 * R5),
            (-6 - 2 * R5, -4 * R5, 3 * R5 - 3, 2 * R5 - 6, -1 - 3 * R5),
        ),
        16,
        (1, 1, 3, 1, 1),
    ),
}
"""By Mulliken's letters, without the parity."""
TYPED = (
    (3 * R5 - 1, -1 - R5, -1 - R5, -1 - R5),
    (-1 - R5, 3 - R5, -5 - R5, 3 - R5),
    (-1 - R5, -5 - R5, 3 - R5, 3 - R5),
    (-1 - R5, 3 - R5, 3 - R5, -5 - R5),
)
"""8 times the basis of the catalogue for G over that of :data:`IRREPS`; an orthogonal matrix, and symmetric."""
EIGENVALUES = {"T1": R5 - 1, "T2": -1 - R5, "G": -1, "H": 2}
"""4 times the entry of the turn at x."""


def as_given(own: Vector, stride: int) -> Vector:
    """In the basis that the catalogue has for G, on an axis of the array whose entries are ``stride`` places apart."""
    found: dict[int, int] = {}
    for place, v in own.values.items():
        k = place // stride % len(TYPED)
        start = place - k * stride
        for j, w in enumerate(TYPED[k]):
            to = start + j * stride
            found[to] = found.get(to, 0) + v * w
    most = max(size(w) for row in TYPED for w in row)
    return exactly(found, len(TYPED) * most * own.most)

r"""Maps from the irreps of the rotations I of an icosahedron, by one vector and one turn.

Let $D_2 \subset T \subset I$ be the half turns about the axes of space, and the tetrahedral group with the turn c that
takes x to y to z. $D_2$ acts by signs, and each of the irreps T1, T2, G and H has just one vector $e_x$ that changes
signs as x does. So a map from such an irrep $\psi$ to a representation $\rho$ is known by $t_x = Te_x$, one of the
vectors of $\rho$ that change signs as x does. With the projection p onto these and an element g of I that is not in T,

    $p\,\rho(g)\,t_x = \psi(g)_{xx}\,t_x$,

and the four numbers $\psi(g)_{xx}$ differ: the factors $p\,\rho(g) - \lambda$ for the irreps that are not wanted leave
those vectors that are. Then $t_y = \rho(c)t_x$, $t_z = \rho(c)t_y$, and what $\rho(g)$ makes of these has the rest of
T. Only T-invariant vectors are in the trivial irrep A and in G, where $\pi_T\,\rho(g)$ is 1 and -1/4.

All numbers are in $\mathbb{Z}[\sqrt5]$ (:mod:`.golden`): H is written as $N H_0 N^{-1}$ with $N = \mathrm{diag}(1, 1,
\sqrt3, 1, 1)$, and G in a basis in which $D_2$ acts by signs (:data:`TYPED`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from math import factorial

from pdobasis.exact.polynomials import monomials, position
from pdobasis.solvers.golden import (
    BASE,
    MODULUS,
    Vector,
    combined,
    echelon,
    exactly,
    primitive,
    size,
    summed,
    times,
)
from pdobasis.values import dataclass

Lines = list[list[tuple[int, int]]]
"""The entries of every column that are not zero."""
Counts = dict[str, int]
"""How often irreps occur, by their letters."""
X, Y, Z = 1, 2, 3
"""How a vector changes signs under D2: as x, as y, as z; 0 if it does not. Products have the xor."""
R5 = BASE


@dataclass(frozen=True, slots=True, eq=False)
class Irrep:
    r"""``turn`` is g times ``denominator`` and ``cycle`` is 2c, by rows; ``types`` how $D_2$ acts on the basis.

    ``squares`` are those of N: the basis times N is orthonormal.
    """

    types: tuple[int, ...]
    cycle: tuple[tuple[int, ...], ...]
    turn: tuple[tuple[int, ...], ...]
    denominator: int
    squares: tuple[int, ...]

    @property
    def axes(self) -> tuple[int, int, int]:
        return self.types.index(X), self.types.index(Y), self.types.index(Z)

    @property
    def fixed(self) -> list[int]:
        return [k for k, own in enumerate(self.types) if not own]


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


class Module(ABC):
    """A representation of I, by c and g: whole multiples of them."""

    types: Sequence[int]
    """Of the coordinates."""
    denominator: int
    """The ``turn`` is g times that."""
    scale: int = 1
    """The ``cycle`` is c times that."""

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

    def seeds(self, letter: str, occurring: Counts) -> list[Vector]:
        """The images of $e_x$, or of the 1 of A, under a basis of all maps; given how often irreps occur."""
        found: list[Vector] = []
        wanted = occurring[letter]
        starts = self.starts(0 if letter == "A" else X)
        while len(found) < wanted:
            own = self._filtered(next(starts), letter, occurring)
            if own.values and are_independent([*found, own]):
                found.append(own)
        return found

    def _filtered(self, own: Vector, letter: str, occurring: Counts) -> Vector:
        if letter == "A":
            own = self._averaged(own)
            if occurring["G"]:
                turned = self._averaged(self.turn(own))
                # three times the scale squared is what the average is a multiple by
                factor = 3 * self.scale**2 * self.denominator
                own = combined([(4, turned), (factor, own)])
            return own
        for other, eigenvalue in EIGENVALUES.items():
            if other != letter and occurring[other]:
                turned = self.part(self.turn(own), X)
                own = combined([(4, turned), (-eigenvalue * self.denominator, own)])
        return own

    def _averaged(self, own: Vector) -> Vector:
        first = self.part(own, 0)
        second = self.cycle(first)
        third = self.cycle(second)
        return summed([(self.scale**2, first), (self.scale, second), (1, third)])

    def lines(self, letter: str, seed: Vector, *, is_dual: bool = False) -> list[Vector]:
        r"""The columns of T in the basis of the irrep, up to one factor.

        Of the dual they are the rows of a map Q to it, with $\psi(g)^T$ in the place of $\psi(g)$.
        """
        if letter == "A":
            return [seed]
        irrep = IRREPS[letter]
        x, y, z = irrep.axes
        second = self.cycle(seed)
        third = self.cycle(second)
        turned = irrep.turn
        if is_dual:
            turned = tuple(zip(*turned, strict=True))
        fixed, whole, scale = irrep.fixed, self.scale**2, self.denominator
        rest: list[list[tuple[int, Vector]]] = []
        if len(fixed) == 1:
            first = self.part(self.turn(seed), 0)
            scale = times(scale, turned[fixed[0]][x])
            rest = [[(whole * irrep.denominator, first)]]
        elif fixed:
            j, k = fixed
            first = self.part(self.turn(seed), 0)
            other = self.part(self.turn(second), 0)
            own = irrep.denominator * self.scale
            minor = turned[j][x] * turned[k][y] - turned[k][x] * turned[j][y]
            scale = times(scale, minor)
            rest = [
                [(turned[k][y] * own * self.scale, first), (-turned[k][x] * own, other)],
                [(-turned[j][y] * own * self.scale, first), (turned[j][x] * own, other)],
            ]
        parts = {
            x: [(scale * whole, seed)],
            y: [(scale * self.scale, second)],
            z: [(scale, third)],
            **dict(zip(fixed, rest, strict=True)),
        }
        return common([summed(parts[k]) for k in range(len(irrep.types))])


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


def are_independent(rows: Sequence[Vector]) -> bool:
    places = sorted({u for row in rows for u in row.values})
    return len(echelon(rows, places)) == len(rows)


class Matrices(Module):
    """By the matrix of g, as columns, and c as a permutation with signs."""

    def __init__(
        self,
        types: Sequence[int],
        cycle: tuple[list[int], list[int]],
        columns: Lines,
        denominator: int,
    ) -> None:
        self.types, self.denominator = types, denominator
        self._cycle, self._columns = cycle, columns
        self._most = max(size(v) for column in columns for _, v in column)

    def cycle(self, own: Vector) -> Vector:
        to, signs = self._cycle
        found = {to[u]: signs[u] * v for u, v in own.values.items()}
        return Vector(found, own.most)

    def turn(self, own: Vector) -> Vector:
        found: dict[int, int] = {}
        for u, v in own.values.items():
            for i, entry in self._columns[u]:
                found[i] = found.get(i, 0) + entry * v
        return exactly(found, len(own.values) * self._most * own.most)


class Product(Module):
    r"""All matrices M between irreps, $M \mapsto \psi'(g)\,M\,\psi(g)^{-1}$; entries are numbered row by row."""

    def __init__(self, source: Irrep, target: Irrep) -> None:
        self._turns = _columns(target.turn), _columns(_dual(source, source.turn))
        self._cycles = _columns(target.cycle), _columns(_dual(source, source.cycle))
        self.denominator = 3 * source.denominator * target.denominator
        self.scale = 3 * 2 * 2
        self._width = len(source.types)
        self.types = [a ^ b for a in target.types for b in source.types]

    def turn(self, own: Vector) -> Vector:
        return self._moved(own, *self._turns)

    def cycle(self, own: Vector) -> Vector:
        return self._moved(own, *self._cycles)

    def _moved(self, own: Vector, left: Lines, right: Lines) -> Vector:
        found: dict[int, int] = {}
        width = self._width
        for u, v in own.values.items():
            r, c = divmod(u, width)
            for i, x in left[r]:
                row = i * width
                for j, y in right[c]:
                    found[row + j] = found.get(row + j, 0) + x * y * v
        limit = len(own.values) * _most(left) * _most(right) * own.most
        return exactly(found, limit)


def _columns(m: Sequence[Sequence[int]]) -> Lines:
    return [
        [(i, v) for i, v in enumerate(column) if v] for column in zip(*m, strict=True)
    ]


def _most(lines: Lines) -> int:
    return max(size(v) for line in lines for _, v in line)


def _dual(irrep: Irrep, m: Sequence[Sequence[int]]) -> list[list[int]]:
    r"""Three times $\psi(g)^{-T} = N^2\psi(g)N^{-2}$: it is whole, since squares are 1 or 3."""
    squares = irrep.squares
    return [
        [3 * n * v // k for k, v in zip(squares, row, strict=True)]
        for n, row in zip(squares, m, strict=True)
    ]


class Harmonics(Module):
    r"""The harmonic polynomials of an order, $p \mapsto p(g^Tx)$, by their coefficients.

    One is known modulo $z^2$: with $\Delta' = \partial_x^2 + \partial_y^2$ and $\varepsilon = 0$ or 1

        $q(x, y)\,z^\varepsilon$ goes on as $\sum_k (-1)^k\,\varepsilon!\,z^{2k+\varepsilon}\,\Delta'^k q\,/\,(2k + \varepsilon)!$.
    """

    def __init__(self, order: int, products: Products) -> None:
        self.order = order
        self.denominator = IRREPS["T1"].denominator ** order * factorial(order)
        self.types = [_type(alpha) for alpha in monomials(3, order)]
        self._products = products
        self._place = position(3, order)
        self._known: dict[int, list[tuple[int, int]]] = {}

    def starts(self, kind: int) -> Iterator[Vector]:
        for u, (_, _, k) in enumerate(monomials(3, self.order)):
            if k < 2 and self.types[u] == kind:
                own = dict(self._continued(u))
                yield primitive(Vector(own, max(map(abs, own.values()))))

    def cycle(self, own: Vector) -> Vector:
        powers, place = monomials(3, self.order), self._place
        found = {}
        for u, v in own.values.items():
            i, j, k = powers[u]
            found[place[k, i, j]] = v
        return Vector(found, own.most)

    def turn(self, own: Vector) -> Vector:
        n, powers = self.order, monomials(3, self.order)
        # coefficients of x^(n-j) y^j, and of those with one z
        heads: dict[int, int] = {}
        for u, v in own.values.items():
            for k, w in enumerate(self._products.of(powers[u])):
                heads[k] = heads.get(k, 0) + v * w
        # the sizes of the coefficients of 4g add up to 10 in a linear form
        limit = own.most * 10**n * len(own.values)
        found: dict[int, int] = {}
        for k, v in exactly(heads, limit).values.items():
            head = (n - k, k, 0) if k <= n else (2 * n - k, k - n - 1, 1)
            for place, w in self._continued(self._place[head]):
                found[place] = found.get(place, 0) + v * w
        return exactly(found, limit * factorial(n) * 2**n * len(heads))

    def _continued(self, place: int) -> list[tuple[int, int]]:
        """n! times the harmonic polynomial that is this monomial modulo z^2."""
        if place not in self._known:
            i, j, parity = monomials(3, self.order)[place]
            own = {(i, j): factorial(self.order)}
            out = []
            for k in range(parity, self.order + 1, 2):
                out += [(self._place[a, b, k], v) for (a, b), v in own.items()]
                own = _lowered(own, -(k + 1) * (k + 2))
            self._known[place] = out
        return self._known[place]


def _type(alpha: tuple[int, ...]) -> int:
    x, y, z = (n % 2 for n in alpha)
    return X * x ^ Y * y ^ Z * z


def _lowered(own: dict[tuple[int, int], int], divisor: int) -> dict[tuple[int, int], int]:
    """The Laplacian in x and y, divided."""
    found: dict[tuple[int, int], int] = {}
    for (i, j), v in own.items():
        for place, w in (((i - 2, j), i * (i - 1)), ((i, j - 2), j * (j - 1))):
            if w:
                found[place] = found.get(place, 0) + v * w
    return {place: v // divisor for place, v in found.items()}


class Products:
    r"""Products of the linear forms $4\,(g^Tx)_i$ modulo $z^2$: coefficients of $x^{n-j}y^j$, then of those with one z."""

    def __init__(self) -> None:
        self._forms = list(zip(*IRREPS["T1"].turn, strict=True))
        self._known: dict[tuple[int, ...], list[int]] = {(0, 0, 0): [1]}

    def of(self, alpha: tuple[int, ...]) -> list[int]:
        if alpha not in self._known:
            i = next(k for k, n in enumerate(alpha) if n)
            lower = self.of((*alpha[:i], alpha[i] - 1, *alpha[i + 1 :]))
            self._known[alpha] = _times_form(lower, sum(alpha), self._forms[i])
        return self._known[alpha]


def _times_form(lower: list[int], n: int, form: tuple[int, ...]) -> list[int]:
    """A product of n - 1 forms times one more."""
    x, y, z = form
    plain, once = lower[:n], lower[n:]
    out = [x * a + y * b for a, b in zip([*plain, 0], [0, *plain], strict=True)]
    if n == 1:
        return [*out, z * plain[0]]
    more = zip([*once, 0], [0, *once], plain, strict=True)
    out += [x * a + y * b + z * c for a, b, c in more]
    return [v % MODULUS for v in out]

r"""Intertwiners to representations that permute a basis up to signs: written down, or solved on one row of an orbit.

Tensors of vectors of the cubic and tetragonal groups are of this kind. With $b(s)e_i = \tau_i e_{q(i)}$ the rows of T
satisfy $t_i = \tau_i\,t_{q(i)}\,a(s)$.

Where $a(s)e_j = \sigma_j e_{p(j)}$ as well, that is $T_{q(i)p(j)} = \sigma_j\tau_i T_{ij}$: a map for every orbit of
places (i, j) on which the signs agree. No two have a place in common and the first entry of each is 1: that is the
reduced echelon form.

Elsewhere $t_i = \pm t_0 M_i$ along an orbit of rows, with a product $M_i$ of matrices of a, and what is left of the
equations speaks of $t_0$ alone. The $t_0$ of an orbit is its first row, so that the echelon form of all T is that of
the $t_0$, carried on. Where further generators do more, as the fivefold turn of I does beside those of T, they ask for
combinations of these few T.
"""

from __future__ import annotations

from operator import mul

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, exact, lowest
from pdobasis.exact.field import Field, join
from pdobasis.exact.integers import bound
from pdobasis.exact.packed import Packed, lifted, packed
from pdobasis.exact.scattered import Scattered
from pdobasis.groups.group import ICOSAHEDRAL
from pdobasis.linear.small_fields import echelon_modulo
from pdobasis.representations.representation import Representation

MOST = 4_000
"""Entries of T up to which Python walks round orbits."""

ENOUGH = 2
"""Generators that permute the basis up to signs, from which it is worth to start with them where one does more."""

Mover = tuple[list[int], list[int]]
"""Where a generator takes every vector of the basis, and with which sign."""


@remembered
def signed(rep: Representation) -> tuple[Mover, ...] | None:
    """What the generators do to the basis; None where they do more than to permute it up to signs.

    >>> from pdobasis import field_type
    >>> signed(field_type("vector", "C4")[0])
    (([1, 0], [1, -1]),)
    """
    every = movers_of(rep)
    known = tuple(m for m in every if m is not None)
    if rep.lie or len(known) < len(every):
        return None
    return known


@remembered
def movers_of(rep: Representation) -> tuple[Mover | None, ...]:
    """Of every generator; None for those that do more."""
    if rep.permutations is not None:
        return tuple((list(p), [1] * rep.size) for p in rep.permutations)
    return tuple(map(_mover, rep.generators))


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
    count, field = a.size * b.size, join(a.field, b.field)
    movers = [_on_places(x, y) for x, y in zip(source, target, strict=True)]
    orbits = _orbits(count, movers)
    table = np.zeros((len(orbits) * count, field.degree), dtype=np.int64)
    places = [k * count + u for k, own in enumerate(orbits) for u in own]
    table[places, 0] = [v for own in orbits for v in own.values()]
    shape = (len(orbits), b.size, a.size, field.degree)
    return lowest(table.reshape(shape), 1, field)


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


@remembered
def maps_to_signed(
    a: Representation, b: Representation, dimension: int | None = None
) -> ExactArray | None:
    """The same where b is signed, or some generators are, and numbers have images (:mod:`pdobasis.exact.packed`).

    What is found modulo N solves the images of all equations, and there is no more of it modulo N. Lifted to numbers
    so small that what an equation leaves over is 0 where its image is, it solves the equations themselves. Where the
    ``dimension`` of all T is known, equations that leave no more are enough.

    >>> from pdobasis import field_type
    >>> e, squares = (field_type(text, "T")[0] for text in ("irrep(E)", "sym(2, vector)"))
    >>> maps_to_signed(e, squares).shape
    (2, 6, 2)
    """
    field = join(a.field, b.field)
    at, every = packed(field), movers_of(b)
    movers = {s: mover for s, mover in enumerate(every) if mover is not None}
    others = [s for s, mover in enumerate(every) if mover is None]
    if a.size * b.size > MOST or at is None or b.lie:
        return None
    if len(others) > 1 or (len(others) == 1 and len(movers) < ENOUGH):
        return None
    if dimension is None:
        dimension = _dimension(a, b)
    images = _Images(a, field, at)
    vectors = _round_orbits(b.size, movers, images)
    for s in others:
        if vectors is not None:
            rank = len(vectors) - (dimension or 0)
            vectors = _kept(vectors, s, b.generators[s].over(field), images, rank)
    if vectors is None:
        return None
    return _lifted(vectors, (b.size, a.size), images)


def _dimension(a: Representation, b: Representation) -> int | None:
    """Of all T, where characters are told by formulas."""
    name = a.group.term
    if name not in ICOSAHEDRAL or a.term is None or b.term is None:
        return None
    # loaded for these groups
    from pdobasis.representations.icosahedral import harmonic_symbols

    return harmonic_symbols(a.term, b.term, 0, has_inversion=name == ICOSAHEDRAL[1])


def _round_orbits(
    size: int, movers: dict[int, Mover], images: _Images
) -> list[dict[int, int]] | None:
    """What intertwines the generators that are signed; None where a number has no inverse."""
    vectors: list[dict[int, int]] = []
    seen = [False] * size
    for first in range(size):
        if not seen[first]:
            signs, places, equations = _round(first, movers, images)
            for i in places:
                seen[i] = True
            found = images.solutions(equations)
            if found is None:
                return None
            vectors += [images.carried(t, signs, places) for t in found]
    return vectors


def _kept(
    vectors: list[dict[int, int]],
    s: int,
    target: ExactArray,
    images: _Images,
    rank: int,
) -> list[dict[int, int]] | None:
    r"""The combinations $\sum_k x_k T_k$ that intertwine one more generator, $\sum_k x_k (T_k a(s) - b(s) T_k) = 0$.

    They are in echelon form where the x are: the first entry of $T_k$ is 1, and 0 in the others.
    """
    modulus = images.at.modulus
    scale = pow(target.denominator, -1, modulus)
    columns = [
        [(i, v * scale % modulus) for i, v in enumerate(column) if v]
        for column in zip(*images.at.rows(target.numerators), strict=True)
    ]
    source = [[(j, v) for j, v in enumerate(r) if v] for r in images.generators[s]]
    images.meets(s, target)
    width = images.size
    rows: dict[int, dict[int, int]] = {}
    for k, own in enumerate(vectors):
        for u, v in own.items():
            r, i = divmod(u, width)
            for j, x in source[i]:
                row = rows.setdefault(r * width + j, {})
                row[k] = row.get(k, 0) + v * x
            for q, y in columns[r]:
                row = rows.setdefault(q * width + i, {})
                row[k] = row.get(k, 0) - v * y
    pivots = echelon_modulo(rows.values(), modulus, rank)
    if pivots is None:
        return None
    out = {f: dict(vectors[f]) for f in range(len(vectors)) if f not in pivots}
    for c, row in pivots.items():
        # x_c = - sum_f row[f] x_f
        for f, x in row.items():
            own = out[f]
            for u, v in vectors[c].items():
                own[u] = (own.get(u, 0) - x * v) % modulus
    return [{u: v for u, v in own.items() if v} for own in out.values()]


class _Images:
    """The products M of the matrices of a modulo N, each once; number 0 is 1."""

    def __init__(self, a: Representation, field: Field, at: Packed) -> None:
        self.size, self.field, self.at = a.size, field, at
        self.limit = 0
        self.generators: list[list[list[int]]] = []
        self._given = [m.over(field) for m in a.matrices()]
        for own in self._given:
            scale = pow(own.denominator, -1, at.modulus)
            rows = at.rows(own.numerators)
            self.generators.append([[v * scale % at.modulus for v in r] for r in rows])
            # no equation t_i = t_q(i) a(s), times the denominator, has coordinates that add up to more
            most = a.size * bound(own.numerators) + own.denominator
            self.limit = max(self.limit, most)
        one = tuple(tuple(int(i == j) for j in range(a.size)) for i in range(a.size))
        self.matrices = [one]
        self._numbers = {one: 0}
        self._products: dict[tuple[int, int], int] = {}

    def meets(self, s: int, target: ExactArray) -> None:
        """T a(s) = b(s) T is an equation, too: times both denominators its coordinates do not add up to more."""
        own = self._given[s]
        left = self.size * bound(own.numerators) * target.denominator
        right = len(target) * bound(target.numerators) * own.denominator
        self.limit = max(self.limit, left + right)

    def times(self, k: int, s: int) -> int:
        """The number of M a(s)."""
        if (k, s) not in self._products:
            columns = list(zip(*self.generators[s], strict=True))
            product = tuple(
                tuple(sum(map(mul, row, c)) % self.at.modulus for c in columns)
                for row in self.matrices[k]
            )
            number = self._numbers.setdefault(product, len(self.matrices))
            if number == len(self.matrices):
                self.matrices.append(product)
            self._products[k, s] = number
        return self._products[k, s]

    def solutions(self, equations: set[tuple[int, int, int]]) -> list[list[int]] | None:
        """The t with t M = sign t M' for all (M, M', sign), in echelon form; None where a number has no inverse."""
        every = range(self.size)
        rows = []
        for k, m, sign in equations:
            one, other = self.matrices[k], self.matrices[m]
            rows += [{i: one[i][j] - sign * other[i][j] for i in every} for j in every]
        pivots = echelon_modulo(rows, self.at.modulus)
        if pivots is None:
            return None
        out = []
        for f in every:
            if f not in pivots:
                # x_c = - sum_f row[f] x_f
                out.append([-pivots[c].get(f, 0) if c in pivots else 0 for c in every])
                out[-1][f] = 1
        return out

    def carried(
        self, t: list[int], signs: dict[int, int], places: dict[int, int]
    ) -> dict[int, int]:
        """The entries of T that are not zero, by their places."""
        rows: dict[int, list[int]] = {}
        out = {}
        for i in sorted(places):
            k = places[i]
            if k not in rows:
                columns = zip(*self.matrices[k], strict=True)
                rows[k] = [sum(map(mul, t, c)) for c in columns]
            for j, v in enumerate(rows[k]):
                value = signs[i] * v % self.at.modulus
                if value:
                    out[i * self.size + j] = value
        return out


def _round(
    first: int, movers: dict[int, Mover], images: _Images
) -> tuple[dict[int, int], dict[int, int], set[tuple[int, int, int]]]:
    """An orbit: the signs and numbers of the M of its points, and where two ways to a point ask for something."""
    back = {}
    for s, (to, tau) in movers.items():
        came = [0] * len(to)
        for i, j in enumerate(to):
            came[j] = i
        back[s] = came, tau
    signs = {first: 1}
    places = {first: 0}
    equations: set[tuple[int, int, int]] = set()
    members = [first]
    # the list grows while it is read
    for j in members:
        for s, (came, tau) in back.items():
            i = came[j]
            sign, number = signs[j] * tau[i], images.times(places[j], s)
            if i not in places:
                signs[i], places[i] = sign, number
                members.append(i)
            elif (sign, number) != (signs[i], places[i]):
                equations.add((number, places[i], sign * signs[i]))
    return signs, places, equations


def _lifted(
    vectors: list[dict[int, int]], shape: tuple[int, int], images: _Images
) -> ExactArray | None:
    """None where a number is large."""
    field, at = images.field, images.at
    # by their images: which number it is, counted from 1 on, since number 0 is one
    numbers: dict[int, int] = {}
    count = shape[0] * shape[1]
    places, which = [], []
    for k, own in enumerate(vectors):
        for u, v in own.items():
            places.append(k * count + u)
            which.append(numbers.setdefault(v, len(numbers) + 1))
    values = lifted(numbers, field, at)
    if values is None:
        return None
    largest = max(bound(values.numerators), values.denominator)
    if images.limit * largest * field.expansion * field.degree >= at.room:
        return None
    table = np.zeros((len(vectors) * count, field.degree), dtype=np.int64)
    table[places] = values.numerators[which]
    whole = table.reshape(len(vectors), *shape, field.degree)
    return exact(whole, values.denominator, field)

r"""What a generator does to coordinates, fibres and monomials, in Python's integers.

For questions with some hundred unknowns, where a call of NumPy takes longer than the numbers that it is given. Matrices
are lists of their non-zeros over one denominator.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, isqrt

import numpy as np

from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.polynomials import (
    derivatives,
    factors,
    monomials,
    position,
    raising,
)
from pdobasis.exact.scattered import Scattered
from pdobasis.values import dataclass

Line = list[tuple[int, int]]
"""The non-zeros of a row or a column: (where, numerator)."""
POSITIVE, NEGATIVE = 1, 2
BOTH = POSITIVE | NEGATIVE
MANY = 8
"""Sizes from which NumPy looks for the entries of a matrix that are not zero."""


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """A rational matrix: the numerators of every row and of every column that are not zero, and the denominator."""

    rows: list[Line]
    columns: list[Line]
    denominator: int

    @property
    def is_signed_permutation(self) -> bool:
        """Whether every row has one entry, and it is 1 or -1; the matrix has an inverse, so every column has one."""
        if self.denominator != 1:
            return False
        return all(len(row) == 1 and row[0][1] in (1, -1) for row in self.rows)

    @property
    def signs(self) -> list[int] | None:
        """For a diagonal matrix of signs $(-1)^k$ the numbers k, 0 or 1."""
        if self.denominator != 1:
            return None
        out = []
        for i, row in enumerate(self.rows):
            if len(row) != 1 or row[0][0] != i or row[0][1] not in (1, -1):
                return None
            out.append(int(row[0][1] < 0))
        return out

    @property
    def half_turn(self) -> tuple[list[int], int] | None:
        r"""For X with a diagonal square of entries $\mp k^2$: the numbers k modulo 2, and which signs the squares have.

        None where there are no such k, or where X is not zero where k is (:mod:`.signs` says what this is good for).
        """
        if self.denominator != 1:
            return None
        out, kind = [], 0
        for i, row in enumerate(self.rows):
            square: dict[int, int] = {}
            for j, v in row:
                for k, w in self.rows[j]:
                    square[k] = square.get(k, 0) + v * w
            diagonal = square.pop(i, 0)
            root = isqrt(abs(diagonal))
            if any(square.values()) or root**2 != abs(diagonal) or (row and not root):
                return None
            if diagonal:
                kind |= POSITIVE if diagonal > 0 else NEGATIVE
            out.append(root % 2)
        return out, kind


def whole(m: ExactArray) -> Whole:
    """Of a rational matrix."""
    if isinstance(m, Scattered):
        return _few(m)
    plain = m.numerators[..., 0]
    size = len(plain)
    rows: list[Line] = [[] for _ in range(size)]
    columns: list[Line] = [[] for _ in range(size)]
    if size > MANY:
        # most of a large matrix is zero, and NumPy is soon through with it
        places = plain.nonzero()
        found = zip(*(k.tolist() for k in places), plain[places].tolist(), strict=True)
        for i, j, v in found:
            rows[i].append((j, v))
            columns[j].append((i, v))
        return Whole(rows, columns, m.denominator)
    for i, values in enumerate(plain.tolist()):
        for j, v in enumerate(values):
            if v:
                rows[i].append((j, v))
                columns[j].append((i, v))
    return Whole(rows, columns, m.denominator)


def from_rows(rows: Sequence[Sequence[int]], denominator: int) -> Whole:
    """In lowest terms.

    >>> from_rows([[0, 2], [4, 0]], 6)
    Whole(rows=[[(1, 1)], [(0, 2)]], columns=[[(1, 2)], [(0, 1)]], denominator=3)
    """
    common = gcd(denominator, *(v for row in rows for v in row))
    lines = [[(j, v // common) for j, v in enumerate(row) if v] for row in rows]
    columns: list[Line] = [[] for _ in rows]
    for i, line in enumerate(lines):
        for j, v in line:
            columns[j].append((i, v))
    return Whole(lines, columns, denominator // common)


def as_exact(m: Whole) -> ExactArray:
    """The other way."""
    table = [[0] * len(m.rows) for _ in m.rows]
    for i, row in enumerate(m.rows):
        for j, v in row:
            table[i][j] = v
    # left to itself NumPy would take some integers beyond int64 for floats
    numbers = np.array(table, dtype=object)[..., None]
    return exact(numbers, m.denominator, RATIONALS)


def _few(m: Scattered) -> Whole:
    rows: list[Line] = [[] for _ in range(len(m))]
    columns: list[Line] = [[] for _ in range(len(m))]
    numbers = m.values.numerators[:, 0].tolist()
    places = zip(m.rows.tolist(), m.columns.tolist(), numbers, strict=True)
    for i, j, v in places:
        rows[i].append((j, v))
        columns[j].append((i, v))
    return Whole(rows, columns, m.denominator)


def substitutions(g: Whole, dim: int, order: int) -> list[list[Line]]:
    r"""S with $(g^T y)^\alpha = \gamma^{-n} \sum_\beta S_{\alpha\beta} y^\beta$ for all orders n.

    $\gamma$ is the denominator of g, and ``S[n][alpha]`` a row. One order after the other, by
    $(g^T y)^\alpha = (g^T y)_i\,(g^T y)^{\alpha - e_i}$.
    """
    if g.is_signed_permutation:
        return [_permuted(g, dim, n) for n in range(order + 1)]
    out: list[list[Line]] = [[[(0, 1)]]]
    for n in range(1, order + 1):
        below, raised = out[-1], raising(dim, n - 1)
        rows: list[Line] = []
        for i, lower in zip(*factors(dim, n), strict=True):
            # (g^T y)_i = sum_j g_ji y_j
            form, rest = g.columns[i], below[lower]
            if len(form) == 1 == len(rest):
                (j, v), (beta, w) = form[0], rest[0]
                rows.append([(raised[j][beta], v * w)])
                continue
            row: dict[int, int] = {}
            for j, v in form:
                up = raised[j]
                for beta, w in rest:
                    row[up[beta]] = row.get(up[beta], 0) + v * w
            rows.append([(beta, v) for beta, v in row.items() if v])
        out.append(rows)
    return out


def _permuted(g: Whole, dim: int, order: int) -> list[Line]:
    r"""With $(g^T y)_i = \varepsilon_i y_{p(i)}$ it is $\varepsilon^\alpha y^\beta$, $\beta_{p(i)} = \alpha_i$."""
    # row j of g has its entry where p comes from
    back = [line[0][0] for line in g.rows]
    odd = [i for i, line in enumerate(g.columns) if line[0][1] < 0]
    where = position(dim, order)
    out: list[Line] = []
    for alpha in monomials(dim, order):
        sign = -1 if sum([alpha[i] for i in odd]) % 2 else 1
        out.append([(where[tuple([alpha[i] for i in back])], sign)])
    return out


def drifts(x: Whole, dim: int, order: int) -> list[Line]:
    r"""D with $(X^T y) \cdot \nabla y^\alpha = \sum_\beta D_{\alpha\beta} y^\beta$ for one order.

    The denominator of X is left out; places may repeat.
    """
    if not order:
        return [[]]
    raised = raising(dim, order - 1)
    out = []
    for falls in derivatives(dim, order):
        # X_ji y_j d/dy_i takes y_i away, as often as it is there, and puts y_j in its place
        out.append(
            [(raised[j][beta], v * k) for i, k, beta in falls for j, v in x.columns[i]]
        )
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The generators and Lie generators on space, or on a fibre; what is said of them is the bits of numbers.

    ``masks`` has the elements that change the sign of each coordinate, the generators before the Lie generators;
    ``others`` are no such elements; ``positive`` and ``negative`` say which signs the squares of Lie generators have.
    ``signed`` are the generators that permute coordinates up to signs.
    """

    generators: list[Whole]
    lie: list[Whole]
    masks: list[int]
    others: int
    positive: int
    negative: int
    signed: int


def side(
    generators: Sequence[ExactArray], lie: Sequence[ExactArray], size: int
) -> Side:
    """Of rational matrices."""
    return side_of([whole(m) for m in generators], [whole(m) for m in lie], size)


def side_of(first: list[Whole], second: list[Whole], size: int) -> Side:
    """The same of what they are in Python's integers."""
    masks = [0] * size
    others = positive = negative = signed = 0
    bit = 1
    for m in first:
        signs = m.signs
        if signs is None:
            others |= bit
            if m.is_signed_permutation:
                signed |= bit
        else:
            signed |= bit
            _mark(masks, signs, bit)
        bit <<= 1
    for m in second:
        turn = m.half_turn
        if turn is None:
            others |= bit
        else:
            _mark(masks, turn[0], bit)
            positive |= bit * (turn[1] & POSITIVE)
            negative |= bit * (turn[1] >> 1)
        bit <<= 1
    return Side(first, second, masks, others, positive, negative, signed)


def _mark(masks: list[int], odd: list[int], bit: int) -> None:
    for i, k in enumerate(odd):
        if k:
            masks[i] |= bit

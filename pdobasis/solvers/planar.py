r"""Closed forms in the plane: one rule for SO(2), O(2), flip, C_N, D_N and
every mirror axis.

With $z = x_1 + i x_2$ the harmonic polynomials of order $|k|$ are $T_k + i U_k
= z^k$ ($\bar z^{|k|}$ for $k < 0$), and a 2 x 2 symbol is $w \mapsto c z^k w$
or $w \mapsto c z^k \bar w$ with a constant c. A rotation by $2\pi/N$ allows $k
\equiv m - n$ for the first and $k \equiv m + n$ modulo N for the second
(equality for SO(2)); a mirror makes c real, up to the phase that turns its axis
to the line $x_2 = 0$. The one-dimensional irreps are rows (or columns) of
$\psi_m$ with $m = 0, N/2$: row 0 the one with $f \mapsto 1$, row 1 the one with
$f \mapsto -1$; so the whole table of the paper is read off from 2 x 2 matrices,
zeros and repetitions dropped.

A limit on the offset t keeps the $k = m \mp n + tN$ with $|t|$ up to it. Where
one irrep is a row, $c z^k w$ and $\bar c z^{-k} \bar w$ are the same PDO; the
table writes it with the frequency $m + n$, so that next to $\psi_{N/2}$ it is
$n + N/2$ that has t = 0, and $n - N/2$ has t = -1. Between two rows it writes
$m - n$, up to its sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import comb

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import (
    ExactArray,
    concatenate,
    exact,
    integers,
    same_denominator,
)
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.integers import bound, narrow, widen
from pdobasis.exact.roots import cosine
from pdobasis.exact.types import IntArray
from pdobasis.groups.matrices import sine
from pdobasis.groups.planar import planar_shape
from pdobasis.operators.symbols import Symbols, empty, from_dense
from pdobasis.representations.representation import Representation
from pdobasis.representations.terms import (
    Determinant,
    HalfTurn,
    Planar,
    Term,
    Trivial,
    Vector,
)
from pdobasis.values import dataclass

LOW = 40
"""Orders up to which binomial coefficients are far below the end of int64."""
Whole = list[list[IntArray]]
"""A real 2 x 2 matrix whose entries are the numerators of polynomials."""
Plain = list[list[list[int]]]
"""The same in plain numbers."""
Rule = tuple[int, int, int]
"""(k, bar, how often c turns with the mirror axis); bar is -1 for the conjugate of w."""
Sides = tuple[tuple[int, ...], tuple[int, ...]]
"""The rows and columns of the 2 x 2 matrices."""


@dataclass(frozen=True, slots=True)
class Wave:
    r"""$\psi_m$ whole (``row`` None), or one of its rows where it is a sum of
    two one-dimensional irreps.
    """

    frequency: int
    row: int | None

    @property
    def rows(self) -> tuple[int, ...]:
        """Which rows (or columns) of the 2 x 2 matrices belong to it."""
        if self.row is None:
            return (0, 1)
        return (self.row,)

    @property
    def turned(self) -> int:
        """How often the fibre turns with the mirror axis.

        One-dimensional irreps are relative to it.
        """
        if self.row is None:
            return self.frequency
        return 0


def closed_form(
    rep_in: Representation,
    rep_out: Representation,
    orders: Iterable[int],
    max_offset: int | None = None,
) -> list[Symbols] | None:
    """The angular elements of every order; None for other representations.

    With a limit on the offsets both have to be irreps of the catalogue, whose
    frequencies are at most N/2.
    """
    shape = planar_shape(rep_in.group)
    if shape is None:
        return None
    wave_in, wave_out = wave(rep_in), wave(rep_out)
    if wave_in is None or wave_out is None:
        return None
    offsets = Offsets(shape.turns, max_offset)
    sides = (wave_out.rows, wave_in.rows)
    out = []
    for order in orders:
        rules = tuple(allowed(wave_in, wave_out, order, offsets))
        if rules:
            out.append(_elements(rules, order, sides, shape.axis))
        else:
            size = (rep_out.size, rep_in.size)
            out.append(empty(2, order, size, rep_in.group.field))
    return out


@remembered
def _elements(
    rules: tuple[Rule, ...], order: int, sides: Sides, axis: Fraction | None
) -> Symbols:
    """What different rows of the rules there are."""
    rows, columns = sides
    known = plain_elements(rules, sides, axis)
    if known is not None:
        found, has_root = known
        return _few(found, order, (len(rows), len(columns)), has_root=has_root)
    is_mirrored = axis is not None
    phases = [turns * (axis or 0) for _, _, turns in rules]
    matrices = [
        _matrices(k, bar, Fraction(phase), is_mirrored)
        for (k, bar, _), phase in zip(rules, phases, strict=True)
    ]
    place = np.ix_(rows, columns)
    # Over one field, so that equal symbols have equal numbers.
    joined = concatenate([whole[:, *place] for whole in matrices])
    lines = joined.numerators.reshape(len(joined), -1).tolist()
    chosen = np.array(list(_different(lines).values()), dtype=np.int64)
    return from_dense(joined.take(chosen), 2, order)


def plain_elements(
    rules: Iterable[Rule], sides: Sides, axis: Fraction | None
) -> tuple[list[tuple[int, ...]], bool] | None:
    """Their coefficients, entry by entry, and whether all are to be multiplied by sqrt(2) / 2; None where c is other.

    That is, where c is a power of i, or one times (1 + i) / sqrt(2).
    """
    every: list[list[int]] = []
    steps = set()
    for k, bar, turns in rules:
        eighths = 4 * turns * (axis or 0)
        if eighths.denominator != 1:
            return None
        steps.add(eighths.numerator % 2)
        own = _quarter(k, bar, eighths.numerator, axis is not None)
        every += [_part(whole, *sides) for whole in own]
    if len(steps) > 1:
        return None
    return list(_different(every)), 1 in steps


def _different(lines: Iterable[Sequence[int]]) -> dict[tuple[int, ...], int]:
    """Rows of the rule may be zero, or the same up to a sign: which are not, and where they were first."""
    found: dict[tuple[int, ...], int] = {}
    for i, line in enumerate(lines):
        numbers = tuple(line)
        is_known = numbers in found or tuple(-v for v in numbers) in found
        if any(numbers) and not is_known:
            found[numbers] = i
    return found


def _part(whole: Plain, rows: Sequence[int], columns: Sequence[int]) -> list[int]:
    """Some entries of a matrix, one after the other."""
    return [v for r in rows for c in columns for v in whole[r][c]]


def _few(
    lines: list[tuple[int, ...]], order: int, shape: tuple[int, int], has_root: bool
) -> Symbols:
    """From the coefficients of every element, entry by entry; all times sqrt(2) / 2 where they have that root."""
    index, table = [], []
    size = order + 1
    for k, line in enumerate(lines):
        for place in range(shape[0] * shape[1]):
            own = line[place * size : (place + 1) * size]
            if any(own):
                index.append((k, *divmod(place, shape[1])))
                table.append(own)
    element, row, column = np.array(index, dtype=np.int64).reshape(-1, 3).T.copy()
    # binomial coefficients of low orders, and sums of two, are small
    dtype = np.int64 if order <= LOW else object
    numbers = narrow(np.array(table, dtype=dtype)).reshape(len(table), size, 1)
    values = exact(numbers, 1, RATIONALS)
    if has_root:
        root = cosine(Fraction(1, 4))
        values = exact(numbers * root.numerators, root.denominator, root.field)
    return Symbols(2, order, len(lines), shape, element, row, column, values)


def wave(rep: Representation) -> Wave | None:
    """What a representation is in the plane, by its formula."""
    shape = planar_shape(rep.group)
    if shape is None:
        return None
    return wave_of(rep.term, is_mirrored=shape.axis is not None)


def wave_of(term: Term | None, *, is_mirrored: bool) -> Wave | None:
    match term:
        case Trivial():
            return Wave(0, 0)
        case Determinant():
            return Wave(0, int(is_mirrored))
        case Vector():
            return Wave(1, None)
        case Planar(k):
            return Wave(k, None)
        case HalfTurn(k, twist, _):
            return Wave(k, twist * is_mirrored)
    return None


@remembered
def circular(k: int) -> tuple[ExactArray, ExactArray]:
    r"""(T_k, U_k): $r^{|k|} \cos k\varphi$ and $r^{|k|} \sin k\varphi$ over the
    monomials of order |k|.

    >>> [v.numerators[:, 0].tolist() for v in circular(2)]
    [[1, 0, -1], [0, 2, 0]]
    """
    real, imaginary = (integers(np.array(v, dtype=object)) for v in binomial(k))
    return real, imaginary


def binomial(k: int) -> tuple[list[int], list[int]]:
    """The same as plain numbers."""
    n = abs(k)
    # The binomial theorem for (x1 + i x2)^n: even powers of i are real.
    t, u = [0] * (n + 1), [0] * (n + 1)
    for i in range(n + 1):
        sign = (-1) ** (i // 2)
        if i % 2 == 0:
            t[i] = sign * comb(n, i)
        else:
            u[i] = sign * comb(n, i)
    if k < 0:
        return t, _negative(u)
    return t, u


@dataclass(frozen=True, slots=True)
class Offsets:
    """The t of k = m - n + tN, for rotations by 2 pi / N; N = 0 has only t = 0."""

    turns: int
    limit: int | None

    def bars(self, wave_in: Wave, wave_out: Wave) -> tuple[int, ...]:
        """In which of the two forms, m - n and m + n, t is read off."""
        rows = (wave_in.row is not None) + (wave_out.row is not None)
        if self.limit is None or rows == 0:
            return (1, -1)
        if rows == 1:
            return (-1,)
        return (1,)

    def allow(self, difference: int) -> bool:
        """Whether k - (m - n) is an allowed multiple of N."""
        if not self.turns:
            return difference == 0
        t, rest = divmod(difference, self.turns)
        return rest == 0 and (self.limit is None or abs(t) <= self.limit)


def allowed(
    wave_in: Wave, wave_out: Wave, order: int, offsets: Offsets
) -> Iterator[Rule]:
    """All that are allowed, positive k first."""
    m, n = wave_out.frequency, wave_in.frequency
    for k in sorted({order, -order}, reverse=True):
        for bar in offsets.bars(wave_in, wave_out):
            if offsets.allow(k - (m - bar * n)):
                yield k, bar, wave_out.turned - bar * wave_in.turned - k


def _quarter(k: int, bar: int, eighths: int, is_mirrored: bool) -> list[Plain]:
    """As :func:`_matrices`, where c is a power of i, or sqrt(2) times c is one times 1 + i: in plain numbers."""
    a, b = binomial(k)
    turns, rest = divmod(eighths, 2)
    for _ in range(turns % 4):
        a, b = _negative(b), a
    if rest:
        both = list(zip(a, b, strict=True))
        a, b = [v - w for v, w in both], [v + w for v, w in both]
    found = [_plain_product(a, b, bar)]
    if not is_mirrored:
        found.append(_plain_product(_negative(b), a, bar))
    return found


def _plain_product(real: list[int], imaginary: list[int], bar: int) -> Plain:
    if bar > 0:
        return [[real, _negative(imaginary)], [imaginary, real]]
    return [[real, imaginary], [imaginary, _negative(real)]]


def _negative(numbers: list[int]) -> list[int]:
    return [-v for v in numbers]


@remembered
def _matrices(k: int, bar: int, phase: Fraction, is_mirrored: bool) -> ExactArray:
    r"""$w \mapsto c z^k w$ or $c z^k \bar w$ as real 2 x 2 matrices of polynomials.

    For $c = e^{i\pi\,phase}$, and without a mirror for i times that, too.
    """
    t, u = (polynomial.numerators for polynomial in circular(k))
    # e^{i pi phase} (t + iu), over one denominator
    (c, s), denominator, field = same_denominator([cosine(phase), sine(phase)])
    limit = 2 * max(bound(t), bound(u)) * max(bound(c), bound(s))
    t, u, c, s = widen(t, u, c, s, limit=limit)
    a, b = t * c - u * s, u * c + t * s
    found = [_complex_product(a, b, bar)]
    if not is_mirrored:
        # i (a + ib) = -b + ia.
        found.append(_complex_product(-b, a, bar))
    return exact(np.array(found), denominator, field)


def _complex_product(real: IntArray, imaginary: IntArray, bar: int) -> Whole:
    """(a + ib)(w_1 + i bar w_2) as a matrix acting on (w_1, w_2)."""
    return [
        [real, -bar * imaginary],
        [imaginary, bar * real],
    ]

r"""Closed forms in the plane: one rule for SO(2), O(2), flip, C_N, D_N and every mirror axis.

With $z = x_1 + i x_2$ the harmonic polynomials of order $|k|$ are $T_k + i U_k = z^k$ ($\bar z^{|k|}$ for $k < 0$),
and a 2 x 2 symbol is $w \mapsto c z^k w$ or $w \mapsto c z^k \bar w$ with a constant c. A rotation by $2\pi/N$ allows
$k \equiv m - n$ for the first and $k \equiv m + n$ modulo N for the second (equality for SO(2)); a mirror makes c
real, up to the phase that turns its axis to the line $x_2 = 0$. The one-dimensional irreps are rows (or columns) of
$\psi_m$ with $m = 0, N/2$: row 0 the one with $f \mapsto 1$, row 1 the one with $f \mapsto -1$; so the whole table of
the paper is read off from 2 x 2 matrices, zeros and repetitions dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np

from pdobasis.exact.array import ExactArray, integers, stack
from pdobasis.groups.matrices import cosine, sine
from pdobasis.groups.planar import PlanarShape, planar_shape
from pdobasis.operators.symbols import Symbols, empty, symbols
from pdobasis.representations.representation import Representation
from pdobasis.representations.terms import Determinant, HalfTurn, Planar, Trivial, Vector


@dataclass(frozen=True, slots=True)
class Wave:
    r"""$\psi_m$ whole (``row`` None), or one of its rows where it is a sum of two one-dimensional irreps."""

    frequency: int
    row: int | None

    @property
    def turned(self) -> int:
        """How often the fibre turns with the mirror axis; one-dimensional irreps are relative to it."""
        return self.frequency if self.row is None else 0


def closed_form(rep_in: Representation, rep_out: Representation, order: int) -> Symbols | None:
    """The angular elements of one order; None where the representations are not of this kind."""
    shape, wave_in, wave_out = planar_shape(rep_in.group), wave(rep_in), wave(rep_out)
    if shape is None or wave_in is None or wave_out is None:
        return None
    candidates = list(_candidates(shape, wave_in, wave_out, order))
    if not candidates:
        return empty(2, order, (rep_out.size, rep_in.size), rep_in.group.field)
    every = stack(candidates)
    found: dict[bytes, int] = {}
    for i in range(len(candidates)):
        key = every[i].key()
        if not every[i].is_zero and key not in found and (-every[i]).key() not in found:
            found[key] = i
    return from_dense(every.take(np.array(list(found.values()), dtype=np.int64)), 2, order)


def wave(rep: Representation) -> Wave | None:
    """What a representation is in the plane, by its formula."""
    shape = planar_shape(rep.group)
    if shape is None:
        return None
    mirrored = shape.axis is not None
    match rep.term:
        case Trivial():
            return Wave(0, 0)
        case Determinant():
            return Wave(0, int(mirrored))
        case Vector():
            return Wave(1, None)
        case Planar(k):
            return Wave(k, None)
        case HalfTurn(k, twist, _):
            return Wave(k, twist if mirrored else 0)
    return None


def from_dense(values: ExactArray, dim: int, order: int) -> Symbols:
    """From an array (element, row, column, monomial)."""
    k, rows, columns, m = values.shape
    element, row, column = (a.ravel() for a in np.indices((k, rows, columns)))
    return symbols(dim, order, k, (rows, columns), (element, row, column), values.reshape(k * rows * columns, m))


@cache
def circular(k: int) -> tuple[ExactArray, ExactArray]:
    r"""(T_k, U_k): $r^{|k|} \cos k\varphi$ and $r^{|k|} \sin k\varphi$ over the monomials of order |k|.

    >>> [v.numerators[:, 0].tolist() for v in circular(2)]
    [[1, 0, -1], [0, 2, 0]]
    """
    n = abs(k)
    t = [(-1) ** (i // 2) * comb(n, i) if i % 2 == 0 else 0 for i in range(n + 1)]
    u = [(-1) ** ((i - 1) // 2) * comb(n, i) if i % 2 else 0 for i in range(n + 1)]
    return integers(np.array(t, dtype=object)), integers(np.array(u, dtype=object)).scale(1 if k >= 0 else -1)


def _candidates(shape: PlanarShape, wave_in: Wave, wave_out: Wave, order: int) -> Iterator[ExactArray]:
    """All matrices of the rule, positive k first: (rows, columns, monomials) each."""
    m, n = wave_out.frequency, wave_in.frequency
    rows = [0, 1] if wave_out.row is None else [wave_out.row]
    columns = [0, 1] if wave_in.row is None else [wave_in.row]
    for k in sorted({order, -order}, reverse=True):
        for conjugate in (False, True):
            sign = 1 if conjugate else -1
            difference = k - (m + sign * n)
            # a rotation by 2 pi / N sees frequencies modulo N; all rotations together see them themselves
            if difference % shape.turns if shape.turns else difference:
                continue
            phase = (wave_out.turned + sign * wave_in.turned - k) * shape.phase
            yield from _matrices(k, conjugate, phase, rows, columns, both=shape.axis is None)


def _matrices(
    k: int, conjugate: bool, phase: Fraction, rows: list[int], columns: list[int], *, both: bool
) -> Iterator[ExactArray]:
    r"""$w \mapsto c z^k w$ or $c z^k \bar w$ as real matrices, for $c = e^{i\pi\,phase}$, and i times that."""
    t, u = circular(k)
    c, s = cosine(phase), sine(phase)
    real, imaginary = c * t - s * u, c * u + s * t
    for _ in range(2 if both else 1):
        sign = -1 if conjugate else 1
        entries = [[real, -imaginary.scale(sign)], [imaginary, real.scale(sign)]]
        yield stack([stack([entries[r][j] for j in columns]) for r in rows])
        real, imaginary = -imaginary, real

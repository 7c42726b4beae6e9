"""The matrices that the catalogue is made of."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, exact, identity, integers, matrix, zeros
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.integers import bound
from pdobasis.exact.matrices import block_diagonal
from pdobasis.exact.roots import cosine

SMALL_DEGREE = 16
"""Of a field whose numbers cost little more than rational ones."""


def sine(turns: Fraction) -> ExactArray:
    return cosine(Fraction(1, 2) - turns)


def rotation(turns: Fraction) -> ExactArray:
    """The plane rotation by turns * pi, counter-clockwise."""
    c, s = cosine(turns), sine(turns)
    return matrix([[c, -s], [s, c]])


@remembered
def mirror(axis: Fraction) -> ExactArray:
    """The plane reflection that fixes the line at angle axis * pi."""
    c, s = cosine(2 * axis), sine(2 * axis)
    return matrix([[c, s], [s, -c]])


def about_z(planar: ExactArray, z: int = 1) -> ExactArray:
    """A planar matrix acting on x1, x2, with z on the x3 axis."""
    return block_diagonal([planar, integers([[z]])])


def diagonal(*entries: int) -> ExactArray:
    return integers(np.diag(entries))


def reflection(normal: Sequence[int]) -> ExactArray:
    """1 - 2 n n^T / |n|^2."""
    # whole numbers of any size
    n = np.array(normal, dtype=object)
    outer = integers(np.outer(n, n)).scale(Fraction(-2, int(n @ n)))
    return identity(len(n)) + outer


def unit(dim: int, i: int, j: int) -> ExactArray:
    """E_ij."""
    e = np.zeros((dim, dim), dtype=np.int64)
    e[i, j] = 1
    return integers(e)


def numbers(rows: Sequence[Sequence[str]]) -> ExactArray:
    # loaded where numbers are written as texts
    from pdobasis.exact.text import parse_number

    return matrix([[parse_number(v) for v in row] for row in rows])


def determinant(m: ExactArray) -> ExactArray:
    r"""By Faddeev and LeVerrier: $M_{k+1} = A M_k - \frac{1}{k} \mathrm{tr}(A M_k)\,1$ from $M_1 = 1$."""
    size = m.shape[0]
    if size <= 3 and m.field.is_rational:
        value = _expanded(m.numerators[..., 0].tolist())
        return integers(value).scale(Fraction(1, m.denominator**size))
    if size <= 3:
        found = _packed_determinant(m)
        if found is not None:
            return found
    one = identity(size, m.field)
    current, trace = one, zeros((), m.field)
    # by Newton's identities -tr(A M_k)/k are the coefficients of det(x - A): products alone, no pivots in the field
    for k in range(1, size + 1):
        product = m @ current
        trace = product.trace().scale(Fraction(1, k))
        current = product - one * trace.reshape(1, 1)
    # the last one is det(-A) = (-1)^size det(A), with its sign turned
    if size % 2:
        return trace
    return -trace


def _packed_determinant(m: ExactArray) -> ExactArray | None:
    """The same in one integer a number; None where numbers are large, or the field is not packed."""
    # loaded where matrices have a field
    from pdobasis.exact.packed import DIGITS, packed

    at = packed(m.field)
    if at is None:
        return None
    # at most six products of three numbers: the determinant is the one number with its image and small coordinates
    growth = m.field.expansion * m.field.degree
    if 6 * bound(m.numerators) ** 3 * growth**2 > DIGITS:
        return None
    found = at.lift(_expanded(at.rows(m.numerators)) % at.modulus)
    if found is None:
        return None
    coordinates, shared = found
    return exact(np.array(coordinates), shared * m.denominator ** len(m), m.field)


def _expanded(rows: list[list[int]]) -> int:
    """The determinant along the first row: the shortest way for small matrices of integers."""
    if not rows:
        return 1
    total = 0
    for j, entry in enumerate(rows[0]):
        if entry:
            rest = [row[:j] + row[j + 1 :] for row in rows[1:]]
            total += (-1) ** j * entry * _expanded(rest)
    return total


def simplest(m: ExactArray) -> ExactArray:
    """The same matrix over Q where its entries are rational: sqrt(2)*sqrt(2) needs no square root."""
    if not m.is_rational:
        return m
    return exact(m.numerators[..., :1], m.denominator, RATIONALS)


def without_large_field(m: ExactArray) -> ExactArray:
    """The same numbers over Q, where they are rational and the field is one of large degree.

    Over a small field they stay as they are: the names of layers' bases tell the fields of their numbers.
    """
    if m.field.degree <= SMALL_DEGREE:
        return m
    return simplest(m)


def power(g: ExactArray, k: int) -> ExactArray:
    """g^k for k >= 0, by squaring."""
    result, base = identity(g.shape[0], g.field), g
    while k:
        if k & 1:
            result = result @ base
        base = base @ base
        k >>= 1
    return result

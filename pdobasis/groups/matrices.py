"""The matrices that the catalogue is made of."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import numpy as np

from pdobasis.exact.array import ExactArray, identity, integers, matrix
from pdobasis.exact.matrices import block_diagonal
from pdobasis.exact.roots import cosine
from pdobasis.exact.text import parse_number


def sine(turns: Fraction) -> ExactArray:
    return cosine(Fraction(1, 2) - turns)


def rotation(turns: Fraction) -> ExactArray:
    """The plane rotation by turns * pi, counter-clockwise."""
    c, s = cosine(turns), sine(turns)
    return matrix([[c, -s], [s, c]])


@cache
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
    n = np.array(normal, dtype=object)
    outer = integers(np.outer(n, n)).scale(Fraction(-2, int(n @ n)))
    return identity(len(n)) + outer


def unit(dim: int, i: int, j: int) -> ExactArray:
    """E_ij."""
    e = np.zeros((dim, dim), dtype=np.int64)
    e[i, j] = 1
    return integers(e)


def numbers(rows: Sequence[Sequence[str]]) -> ExactArray:
    return matrix([[parse_number(v) for v in row] for row in rows])

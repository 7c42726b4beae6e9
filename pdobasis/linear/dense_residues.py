r"""Dense matrices modulo one prime $p < 2^{26}$, in float64: products by BLAS, and echelon forms of few long rows.

Residues are kept between $-p/2$ and $p/2$. One factor of a product is cut into digits to the base $2^{13}$: then a
product of two numbers is below $2^{38}$, and float64 adds up $2^{15}$ of them exactly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pdobasis.bounds.watch import check
from pdobasis.exact.types import IndexArray

Residues = NDArray[np.float64]

DIGIT = float(1 << 13)
LONGEST = 1 << 14
"""Terms of a sum that are added up before they are reduced."""
AT_ONCE = 192
"""Columns that are looked through for pivots together."""


def reduced(values: Residues, p: int) -> Residues:
    """Residues of whole numbers below 2**53; done in place."""
    quotient = values * (1.0 / p)
    np.rint(quotient, out=quotient)
    quotient *= p
    values -= quotient
    return values


def product(a: Residues, b: Residues, p: int) -> Residues:
    """a @ b modulo p, of matrices of residues (the last two axes).

    >>> product(np.array([[5.0, 7.0]]), np.array([[2.0], [3.0]]), 13).tolist()
    [[5.0]]
    """
    length = a.shape[-1]
    if length > LONGEST:
        first = product(a[..., :LONGEST], b[..., :LONGEST, :], p)
        return reduced(first + product(a[..., LONGEST:], b[..., LONGEST:, :], p), p)
    high = np.rint(a / DIGIT)
    low = a - high * DIGIT
    found = reduced(high @ b, p)
    found *= DIGIT
    return reduced(found + low @ b, p)


def echelon(rows: Residues, p: int) -> tuple[IndexArray, Residues] | None:
    """Where the rows of the reduced echelon form start, and these rows; None where the given ones are dependent.

    Pivots are looked for in a few columns at a time, under the row operations found so far. At the
    pivots these leave a triangular matrix, whose inverse makes the echelon form of all rows, in one product.
    """
    count, width = rows.shape
    pivots: list[int] = []
    # row k of ``done`` and those behind it are the combinations of rows that vanish at all pivots so far
    done = np.eye(count)
    for start in range(0, width, AT_ONCE):
        if len(pivots) == count:
            break
        own = np.ascontiguousarray(rows[:, start : start + AT_ONCE])
        if not own.any():
            continue
        check()
        left = product(done[len(pivots) :], own, p)
        found, changes = _pivots(left, p)
        done[len(pivots) :] = product(changes, done[len(pivots) :], p)
        pivots += [start + c for c in found]
    if len(pivots) < count:
        return None
    check()
    places = np.array(pivots, dtype=np.int64)
    # what has been done to the rows left 1 at every pivot, and zeros at those before it
    upper = product(done, np.ascontiguousarray(rows[:, places]), p)
    return places, product(product(_inverted(upper, p), done, p), rows, p)


def _pivots(rows: Residues, p: int) -> tuple[list[int], Residues]:
    """The columns where an echelon form of the rows has its pivots, and the row operations, those rows first."""
    count, width = rows.shape
    table = np.concatenate([rows, np.eye(count)], axis=1)
    found: list[int] = []
    for c in range(width):
        k = len(found)
        if k == count:
            break
        (places,) = np.nonzero(table[k:, c])
        if not len(places):
            continue
        first = k + int(places[0])
        table[[k, first]] = table[[first, k]]
        scale = float(pow(int(table[k, c]), -1, p))
        reduced(table[k : k + 1], p)
        table[k] = reduced(table[k] * _centred(scale, p), p)
        below = table[k + 1 :]
        below -= below[:, c, None] * table[k]
        reduced(below, p)
        found.append(c)
    return found, np.ascontiguousarray(table[:, width:])


def _inverted(upper: Residues, p: int) -> Residues:
    """The inverse of a triangular matrix with 1 on the diagonal: of two blocks, and what stands between them."""
    size = len(upper)
    if size <= 1:
        return upper
    middle = size // 2
    out = np.zeros(upper.shape)
    first = out[:middle, :middle] = _inverted(upper[:middle, :middle], p)
    second = out[middle:, middle:] = _inverted(upper[middle:, middle:], p)
    between = product(first, upper[:middle, middle:], p)
    out[:middle, middle:] = -product(between, second, p)
    return out


def _centred(value: float, p: int) -> float:
    return value - p if value > p // 2 else value

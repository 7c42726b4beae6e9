"""Products of arrays over fields of large degree, by the cheaper of two ways.

Numbers with few terms are multiplied term by term (:mod:`.terms`); others coordinate
by coordinate, so that no number is ever spread into its multiplication matrix.
"""

from __future__ import annotations

import numpy as np

from pdobasis.exact.field import Field, fold
from pdobasis.exact.integers import product
from pdobasis.exact.terms import (
    Pairs,
    basis_product,
    sums_of_products,
    terms,
    work,
)
from pdobasis.exact.types import IntArray

PAIR = 16
"""What a pair of terms costs, beside a coordinate of an array."""
FLOPS = 200
"""What a pair of terms costs, beside a multiplication in BLAS."""
FEW = 16
"""Products that are done one by one, all coordinates of each at once."""


def elementwise(x: IntArray, y: IntArray, field: Field) -> IntArray:
    """x y with NumPy's broadcasting, for coordinates in the last axis.

    As for :func:`.terms.sums_of_products` the numbers have to be wide enough.
    """
    n = field.degree
    shape = np.broadcast_shapes(x.shape[:-1], y.shape[:-1])
    a, b = terms(x), terms(y)
    left, right = (_numbers(v.shape[:-1], shape) for v in (x, y))
    size = len(left)
    pairs = (left, right, np.arange(size))
    present = _present(y)
    if work(a, b, pairs) * PAIR <= size * n * max(len(present), 1):
        found = sums_of_products(a, b, pairs, size, field)
        return found.reshape(*shape, n)
    return _by_coordinates(x, y, present, shape, field)


def matrices(a: IntArray, b: IntArray, field: Field) -> IntArray | None:
    """(t, p, q) @ (t or 1, q, r), each with an axis of coordinates; None where the
    numbers have many terms, and BLAS is quicker.
    """
    count, p, q, n = a.shape
    r = b.shape[2]
    left, right = terms(a), terms(b)
    # An entry (t, i, k) meets the row (t, k) of b.
    entry = np.flatnonzero(left.lengths)
    batch, rest = np.divmod(entry, max(p * q, 1))
    i, k = np.divmod(rest, max(q, 1))
    row = k
    if len(b) > 1:
        row = batch * q + k
    column = np.arange(r)
    pairs: Pairs = (
        np.repeat(entry, r),
        (row[:, None] * r + column).ravel(),
        ((batch * p + i)[:, None] * r + column).ravel(),
    )
    if work(left, right, pairs) * FLOPS > count * p * q * r * n * n:
        # The multiplication matrices of b are worth their making for many rows only.
        if count * p > n or (len(b) > 1 and p > n):
            return None
        cells = elementwise(a[..., None, :], b[:, None], field)
        return np.asarray(cells.sum(axis=2))
    found = sums_of_products(left, right, pairs, count * p * r, field)
    return found.reshape(count, p, r, n)


def _numbers(own: tuple[int, ...], shape: tuple[int, ...]) -> IntArray:
    """Which number of a smaller array stands at each place of the larger."""
    every = np.arange(int(np.prod(own, dtype=np.int64))).reshape(own)
    return np.broadcast_to(every, shape).ravel()


def _present(y: IntArray) -> IntArray:
    """The basis elements that occur in any of the numbers."""
    flat = y.reshape(-1, y.shape[-1])
    return np.flatnonzero((flat != 0).any(axis=0))


def _by_coordinates(
    x: IntArray, y: IntArray, present: IntArray, shape: tuple[int, ...], field: Field
) -> IntArray:
    """x times one coordinate of y after the other."""
    n = field.degree
    dtype = np.result_type(x, y)
    if field.conductor == 1:
        out: IntArray = np.zeros((*shape, n), dtype=dtype)
        every = np.arange(n)
        for j in present.tolist():
            place, factor = basis_product(field, every, np.full(n, j))
            out[..., place] += x * factor * y[..., j, None]
        return out
    extended: IntArray = np.zeros((*shape, 2 * n - 1), dtype=dtype)
    if extended.size // (2 * n - 1) < FEW:
        _fill(extended, x, y)
        present = present[:0]
    for j in present.tolist():
        own = y[..., j, None]
        extended[..., j : j + n] += x * own
        if j:  # b_i b_j = b_{i+j} + b_{|i-j|} for i > 0, and b_0 = 2
            extended[..., : n - j] += x[..., j:] * own
            extended[..., :1] += x[..., j : j + 1] * own
            extended[..., 1:j] += x[..., j - 1 : 0 : -1] * own
    high = product(extended[..., n:], fold(field)[n:])
    return np.asarray(extended[..., :n] + high)


def _fill(extended: IntArray, x: IntArray, y: IntArray) -> None:
    r"""By $b_k = z^k + z^{-k}$ numbers are symmetric polynomials in z and 1/z, and products of numbers are theirs."""
    n = x.shape[-1]
    left, right = (np.broadcast_to(v, (*extended.shape[:-1], n)) for v in (x, y))
    for place in np.ndindex(extended.shape[:-1]):
        a, b = (np.concatenate([v[place][:0:-1], v[place]]) for v in (left, right))
        # from z^0, which is in the middle, on
        extended[place] = np.convolve(a, b)[2 * n - 2 :]

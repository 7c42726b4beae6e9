"""Matrices over a number field: put together from blocks, and multiplied in
batches.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pdobasis.exact.array import (
    ExactArray,
    common,
    exact,
    few_terms,
    same_denominator,
    spread,
)
from pdobasis.exact.field import LARGE_DEGREE
from pdobasis.exact.integers import product
from pdobasis.exact.scattered import Scattered, block_sum, entries_of, scattered
from pdobasis.exact.types import IndexArray, IntArray

WHOLE = 4096
"""Entries up to which a matrix is written in full: NumPy is through with them before it has found the non-zeros."""


def block_diagonal(blocks: Sequence[ExactArray]) -> ExactArray:
    """Square blocks along the diagonal, zeros elsewhere."""
    if any(isinstance(block, Scattered) for block in blocks):
        return block_sum(blocks)
    parts, den, field = same_denominator(blocks)
    size = sum(len(part) for part in parts)
    dtype = np.result_type(*(part.dtype for part in parts))
    out: IntArray = np.zeros((size, size, field.degree), dtype=dtype)
    at = 0
    for part in parts:
        end = at + len(part)
        out[at:end, at:end] = part
        at = end
    return exact(out, den, field)


def kronecker(a: ExactArray, b: ExactArray) -> ExactArray:
    p, q = a.shape
    r, s = b.shape
    if p * q * r * s > WHOLE:
        return _scattered_kronecker(a, b)
    cells = a.reshape(p, 1, q, 1) * b.reshape(1, r, 1, s)
    return cells.reshape(p * r, q * s)


def _scattered_kronecker(a: ExactArray, b: ExactArray) -> Scattered:
    """Every non-zero of one meets every non-zero of the other."""
    (p, q), (r, s) = a.shape, b.shape
    x, y = entries_of(a), entries_of(b)
    i = x.rows[:, None] * r + y.rows
    j = x.columns[:, None] * s + y.columns
    products = x.values.reshape(-1, 1) * y.values.reshape(1, -1)
    flat = products.reshape(i.size)
    return scattered((p * r, q * s), i.ravel(), j.ravel(), flat)


def batched_matmul(a: ExactArray, b: ExactArray) -> ExactArray:
    """(t, p, q) @ (t, q, r) -> (t, p, r), both varying with t."""
    a, b, _ = common(a, b)
    return RightFactors(b)(a)


class RightFactors:
    """Fixed matrices (k, q, r), each for many products from the left."""

    def __init__(self, b: ExactArray) -> None:
        self.factors: ExactArray = b
        self._table: IntArray | None = None

    @property
    def table(self) -> IntArray:
        """Multiplication matrices in the place of the numbers: products are those of integer matrices."""
        if self._table is None:
            k, q, r = self.factors.shape
            n = self.factors.field.degree
            table = spread(self.factors.numerators, self.factors.field)
            self._table = table.transpose(0, 1, 3, 2, 4).reshape(k, q * n, r * n)
        return self._table

    def __call__(self, a: ExactArray, chosen: IndexArray | None = None) -> ExactArray:
        """(t, p, q) times one of them each, (t, p, r): all in turn, if none are chosen; over one field."""
        b, field = self.factors, self.factors.field
        (t, p, q), r, n = a.shape, b.shape[-1], field.degree
        den = a.denominator * b.denominator
        if n > LARGE_DEGREE:
            numbers = b.numerators
            if chosen is not None:
                numbers = numbers[chosen]
            few = few_terms(a.numerators, numbers, field)
            if few is not None:
                return exact(few, den, field)
        table = self.table
        if chosen is not None:
            table = table[chosen]
        out = product(a.numerators.reshape(t, p, q * n), table)
        return exact(out.reshape(t, p, r, n), den, field)

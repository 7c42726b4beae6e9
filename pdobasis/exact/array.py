r"""Arrays over a number field: integers with one more axis (the field's basis) over one common denominator.

Nothing overflows silently: before a product its largest possible value is bounded; it is done in float64
(BLAS) below $2^{53}$, in int64 below $2^{63}$, and in Python integers beyond.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import gcd, lcm
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpz

from pdobasis.errors import GroupError
from pdobasis.exact.field import RATIONALS, Field, embedding, join
from pdobasis.exact.integers import INT_LIMIT, bound, product, widen
from pdobasis.exact.types import IntArray

SMALL_DEGREE = 16
"""Degrees up to which the table of all products of basis elements is used."""


@dataclass(frozen=True, slots=True, eq=False)
class ExactArray:
    """``numerators[..., k]`` over ``denominator`` is the coefficient of the field's basis element k.

    Invariants: ``numerators`` is a read-only int64 or object array, lowest terms, denominator > 0; so two
    arrays over one field are equal exactly when their numerators and denominators are.
    """

    numerators: IntArray
    denominator: int
    field: Field

    @property
    def shape(self) -> tuple[int, ...]:
        return self.numerators.shape[:-1]

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> ExactArray:
        key = key if isinstance(key, tuple) else (key,)
        return exact(self.numerators[(*key, Ellipsis, slice(None))], self.denominator, self.field)

    def take(self, rows: IntArray) -> ExactArray:
        """The rows of the first axis; kept over the same denominator up to common factors."""
        return exact(self.numerators[rows], self.denominator, self.field)

    def reshape(self, *shape: int) -> ExactArray:
        return _trusted(self.numerators.reshape(*shape, self.field.degree), self.denominator, self.field)

    def transpose(self, *axes: int) -> ExactArray:
        order = axes or tuple(reversed(range(len(self.shape))))
        return _trusted(self.numerators.transpose(*order, len(order)), self.denominator, self.field)

    @property
    def T(self) -> ExactArray:
        return self.transpose()

    def over(self, field: Field) -> ExactArray:
        """The same numbers in a larger field."""
        if field == self.field:
            return self
        return exact(product(self.numerators, embedding(self.field, field)), self.denominator, field)

    def __add__(self, other: ExactArray) -> ExactArray:
        a, b, field = _common(self, other)
        den = lcm(a.denominator, b.denominator)
        u, v = den // a.denominator, den // b.denominator
        limit = max(bound(a.numerators) * u + bound(b.numerators) * v, u, v)
        x, y = widen(a.numerators, b.numerators, limit=limit)
        return exact(x * u + y * v, den, field)

    def __neg__(self) -> ExactArray:
        return _trusted(-self.numerators, self.denominator, self.field)

    def __sub__(self, other: ExactArray) -> ExactArray:
        return self + (-other)

    def scale(self, factor: Fraction | int) -> ExactArray:
        factor = Fraction(factor)
        (x,) = widen(self.numerators, limit=max(bound(self.numerators), 1) * abs(factor.numerator))
        return exact(x * factor.numerator, self.denominator * factor.denominator, self.field)

    def __mul__(self, other: ExactArray) -> ExactArray:
        """Elementwise, with NumPy's broadcasting."""
        a, b, field = _common(self, other)
        den = a.denominator * b.denominator
        limit = bound(a.numerators) * bound(b.numerators) * field.expansion * field.degree
        x, y = widen(a.numerators, b.numerators, limit=limit)
        if field.is_rational:
            return exact(x * y, den, field)
        x, y = (x, y) if x.size >= y.size else (y, x)
        if field.degree <= SMALL_DEGREE and 4 * y.size >= x.size:  # all products of coefficients, then what b_i b_j is
            pairs = x[..., :, None] * y[..., None, :]
            return exact(product(pairs.reshape(*pairs.shape[:-2], field.degree**2), field.products()), den, field)
        table = field.multiplication(y)
        return exact((x[..., None, :] @ table)[..., 0, :], den, field)

    def __matmul__(self, other: ExactArray) -> ExactArray:
        """(..., p, q) @ (q, r): one integer matrix product with ``other`` spread into its multiplication matrices."""
        a, b, _ = _common(self, other)
        return RightFactor(b)(a)

    def equals(self, other: ExactArray) -> bool:
        a, b, _ = _common(self, other)
        return (
            a.denominator == b.denominator and a.shape == b.shape and bool(np.array_equal(a.numerators, b.numerators))
        )

    @property
    def is_zero(self) -> bool:
        return not self.numerators.any()

    def nonzero_mask(self) -> IntArray:
        return np.asarray((self.numerators != 0).any(axis=-1))

    def key(self) -> bytes:
        """Equal for equal arrays of one shape over one field."""
        return repr((self.denominator, self.numerators.tolist())).encode()

    def trace(self) -> ExactArray:
        return exact(np.trace(self.numerators), self.denominator, self.field)

    def inverse(self) -> ExactArray:
        """Of a square matrix; through the rational matrix of its action on K^d."""
        return solve_square(self, identity(self.shape[0], self.field))

    def fraction(self) -> Fraction:
        """A rational scalar as a Fraction."""
        if self.numerators[..., 1:].any():
            raise ValueError("not a rational number")
        return Fraction(int(self.numerators[..., 0]), self.denominator)

    def __reduce__(self) -> tuple[Any, ...]:
        return exact, (np.array(self.numerators), self.denominator, self.field)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExactArray) and self.shape == other.shape and self.equals(other)

    def __hash__(self) -> int:
        return hash(self.shape)  # equal numbers may be written in different fields


class RightFactor:
    """A fixed matrix b, spread once into its multiplication matrices, for many products a -> a @ b."""

    def __init__(self, b: ExactArray) -> None:
        self.shape, self.denominator, self.field = b.shape, b.denominator, b.field
        q, r = b.shape
        n = b.field.degree
        self.rational = not b.numerators[..., 1:].any()
        if self.rational:
            self.table = b.numerators[..., 0]
        else:
            self.table = _spread(b.numerators, b.field).transpose(0, 2, 1, 3).reshape(q * n, r * n)

    def __call__(self, a: ExactArray) -> ExactArray:
        """a has the field of b, and shape (..., p, q)."""
        (q, r), n = self.shape, self.field.degree
        den = a.denominator * self.denominator
        if self.rational:
            swapped = product(np.swapaxes(a.numerators, -1, -2), self.table)
            return exact(np.swapaxes(swapped, -1, -2), den, self.field)
        left = a.numerators.reshape(*a.shape[:-1], q * n)
        return exact(product(left, self.table).reshape(*a.shape[:-1], r, n), den, self.field)


def exact(numerators: IntArray, denominator: int, field: Field) -> ExactArray:
    """Bring to lowest terms; shrink Python integers back to int64 where they fit."""
    if denominator < 0:
        numerators, denominator = -numerators, -denominator
    if denominator != 1:
        g = gcd(denominator, _content(numerators))
        if g > 1:
            (numerators,) = widen(numerators, limit=g)
            numerators, denominator = numerators // g, denominator // g
    if numerators.dtype == object and bound(numerators) < INT_LIMIT:
        numerators = numerators.astype(np.int64)
    return _trusted(numerators, denominator, field)


def zeros(shape: Sequence[int], field: Field = RATIONALS) -> ExactArray:
    return _trusted(np.zeros((*shape, field.degree), dtype=np.int64), 1, field)


def identity(size: int, field: Field = RATIONALS) -> ExactArray:
    return integers(np.eye(size, dtype=np.int64), field)


def integers(values: Any, field: Field = RATIONALS) -> ExactArray:
    """An integer array as an array over the field."""
    data = np.asarray(values)
    if data.dtype != object:
        data = data.astype(np.int64)
    out = np.zeros((*data.shape, field.degree), dtype=data.dtype)
    out[..., 0] = data
    return exact(out, 1, field)


def stack(arrays: Sequence[ExactArray]) -> ExactArray:
    return _joined(arrays, np.stack)


def concatenate(arrays: Sequence[ExactArray], axis: int = 0) -> ExactArray:
    return _joined(arrays, lambda parts: np.concatenate(parts, axis=axis))


def matrix(rows: Sequence[Sequence[ExactArray]]) -> ExactArray:
    """From rows of scalars."""
    return stack([stack(list(row)) for row in rows])


def block_diagonal(blocks: Sequence[ExactArray]) -> ExactArray:
    field = reduce(join, (b.field for b in blocks), RATIONALS)
    den = lcm(*(b.denominator for b in blocks))
    size = sum(b.shape[0] for b in blocks)
    parts = [b.over(field) for b in blocks]
    dtype = object if any(p.numerators.dtype == object for p in parts) or den >= INT_LIMIT else np.int64
    out = np.zeros((size, size, field.degree), dtype=dtype)
    at = 0
    for p in parts:
        end = at + p.shape[0]
        (x,) = widen(p.numerators, limit=max(bound(p.numerators), 1) * (den // p.denominator))
        if x.dtype == object and out.dtype != object:
            out = out.astype(object)
        out[at:end, at:end] = x * (den // p.denominator)
        at = end
    return exact(out, den, field)


def nonzeros(m: ExactArray) -> tuple[IntArray, IntArray, ExactArray]:
    """(row, column, value) of the non-zeros of a matrix."""
    rows, columns = np.nonzero(m.nonzero_mask())
    return rows, columns, m[rows, columns]


def kronecker(a: ExactArray, b: ExactArray) -> ExactArray:
    p, q = a.shape
    r, s = b.shape
    return (a.reshape(p, 1, q, 1) * b.reshape(1, r, 1, s)).reshape(p * r, q * s)


def batched_matmul(a: ExactArray, b: ExactArray) -> ExactArray:
    """(t, p, q) @ (t, q, r) -> (t, p, r), both varying with t."""
    a, b, field = _common(a, b)
    t, q, r = b.shape
    n = field.degree
    spread = _spread(b.numerators, field).transpose(0, 1, 3, 2, 4).reshape(t, q * n, r * n)
    out = product(a.numerators.reshape(t, a.shape[1], q * n), spread).reshape(t, a.shape[1], r, n)
    return exact(out, a.denominator * b.denominator, field)


def solve_square(a: ExactArray, b: ExactArray) -> ExactArray:
    """X with a X = b, exactly; GroupError when a is singular."""
    a, b, field = _common(a, b)
    n, size, columns = field.degree, a.shape[0], b.shape[1]
    # Columns of K^d as rational columns: left multiplication by a acts through transposed tables.
    table = _spread(a.numerators, field).transpose(0, 3, 1, 2).reshape(size * n, size * n)
    right = b.numerators.transpose(0, 2, 1).reshape(size * n, columns)
    left_q = fmpq_mat(size * n, size * n, [fmpq(int(v), a.denominator) for v in table.ravel()])
    right_q = fmpq_mat(size * n, columns, [fmpq(int(v), b.denominator) for v in right.ravel()])
    try:
        solution = left_q.solve(right_q)
    except ZeroDivisionError:
        raise GroupError("the matrix is singular") from None
    numer, denom = solution.numer_denom()
    data = np.array([int(v) for v in numer.entries()], dtype=object).reshape(size, n, columns)
    return exact(data.transpose(0, 2, 1), int(fmpz(denom)), field)


def _trusted(numerators: IntArray, denominator: int, field: Field) -> ExactArray:
    if numerators.flags.writeable:
        numerators = numerators.view()
        numerators.setflags(write=False)
    return ExactArray(numerators, denominator, field)


def _content(values: IntArray) -> int:
    if values.size == 0:
        return 0
    if values.dtype == object:
        return reduce(gcd, values.ravel().tolist(), 0)
    return int(np.gcd.reduce(values, axis=None))


def _common(a: ExactArray, b: ExactArray) -> tuple[ExactArray, ExactArray, Field]:
    field = join(a.field, b.field)
    return a.over(field), b.over(field), field


def _joined(arrays: Sequence[ExactArray], how: Any) -> ExactArray:
    field = arrays[0].field
    if any(a.field != field for a in arrays):
        field = reduce(join, (a.field for a in arrays), RATIONALS)
    parts = [a.over(field) for a in arrays]
    den = parts[0].denominator
    if all(p.denominator == den for p in parts):
        return exact(how([p.numerators for p in parts]), den, field)
    den = lcm(*(p.denominator for p in parts))
    limit = max(max(bound(p.numerators), 1) * (den // p.denominator) for p in parts)
    scaled = [widen(p.numerators, limit=limit)[0] * (den // p.denominator) for p in parts]
    return exact(how(scaled), den, field)


def _spread(b: IntArray, field: Field) -> IntArray:
    (wide,) = widen(b, limit=bound(b) * field.expansion)
    return field.multiplication(wide)

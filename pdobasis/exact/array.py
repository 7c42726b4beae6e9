r"""Arrays over a number field: integers with one more axis (the field's basis)
over one common denominator.

Nothing overflows silently: before a product its largest possible value is
bounded; it is done in float64 (BLAS) below $2^{53}$, in int64 below $2^{63}$,
and in Python integers beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from math import gcd, lcm
from typing import Any

import numpy as np

from pdobasis.exact.field import LARGE_DEGREE, RATIONALS, Field, embedding, join
from pdobasis.exact.integers import bound, narrow, product, widen
from pdobasis.exact.types import IntArray
from pdobasis.values import dataclass

SHOWN = 36
"""Numbers that the repr of an array writes out."""


@dataclass(frozen=True, slots=True, eq=False)
class ExactArray:
    """``numerators[..., k]`` over ``denominator`` is the coefficient of the
    field's basis element k.

    Invariants: ``numerators`` is a read-only int64 or object array, lowest
    terms, denominator > 0; so two arrays over one field are equal exactly when
    their numerators and denominators are.
    """

    numerators: IntArray
    denominator: int
    field: Field

    def __repr__(self) -> str:
        """The numbers, where they are few.

        >>> integers([[0, -1], [1, 0]])
        <ExactArray [[0, -1], [1, 0]]>
        """
        if self.size > SHOWN:
            shape = "x".join(map(str, self.shape))
            return f"<ExactArray {shape} over {self.field}>"
        return f"<ExactArray {_written(self)}>"

    @property
    def shape(self) -> tuple[int, ...]:
        return self.numerators.shape[:-1]

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> ExactArray:
        if not isinstance(key, tuple):
            key = (key,)
        part = self.numerators[(*key, Ellipsis, slice(None))]
        return exact(part, self.denominator, self.field)

    def take(self, rows: IntArray) -> ExactArray:
        """The rows of the first axis."""
        return exact(self.numerators[rows], self.denominator, self.field)

    def reshape(self, *shape: int) -> ExactArray:
        # Numbers that only change their places stay in lowest terms.
        moved = self.numerators.reshape(*shape, self.field.degree)
        return _trusted(moved, self.denominator, self.field)

    def transpose(self, *axes: int) -> ExactArray:
        order = axes or tuple(reversed(range(len(self.shape))))
        moved = self.numerators.transpose(*order, len(order))
        return _trusted(moved, self.denominator, self.field)

    @property
    def T(self) -> ExactArray:
        return self.transpose()

    def over(self, field: Field) -> ExactArray:
        """The same numbers in a larger field; ExactnessError where it does not hold them."""
        if field is self.field or field == self.field:
            return self
        if self.field.is_rational:
            # 1 is the first element of every basis
            wide = np.zeros((*self.shape, field.degree), dtype=self.numerators.dtype)
            wide[..., 0] = self.numerators[..., 0]
            return _trusted(wide, self.denominator, field)
        moved = product(self.numerators, embedding(self.field, field))
        return exact(moved, self.denominator, field)

    def __add__(self, other: ExactArray) -> ExactArray:
        a, b, field = common(self, other)
        den = lcm(a.denominator, b.denominator)
        u, v = den // a.denominator, den // b.denominator
        # The factors u and v are numbers of the sum, too: they have to fit.
        limit = max(bound(a.numerators) * u + bound(b.numerators) * v, u, v)
        x, y = widen(a.numerators, b.numerators, limit=limit)
        return exact(x * u + y * v, den, field)

    def __neg__(self) -> ExactArray:
        return _trusted(-self.numerators, self.denominator, self.field)

    def __sub__(self, other: ExactArray) -> ExactArray:
        return self + (-other)

    def scale(self, factor: Fraction | int) -> ExactArray:
        factor = Fraction(factor)
        x = _times_integer(self.numerators, factor.numerator)
        return exact(x, self.denominator * factor.denominator, self.field)

    def __mul__(self, other: ExactArray) -> ExactArray:
        """Elementwise, with NumPy's broadcasting."""
        a, b, field = common(self, other)
        den = a.denominator * b.denominator
        n = field.degree
        limit = bound(a.numerators) * bound(b.numerators) * field.expansion * n
        x, y = widen(a.numerators, b.numerators, limit=limit)
        if field.is_rational:
            return exact(x * y, den, field)
        if x.size < y.size:
            x, y = y, x
        if n > LARGE_DEGREE:
            # loaded for such fields alone, which few questions have
            from pdobasis.exact.products import elementwise

            return exact(elementwise(x, y, field), den, field)
        if 4 * y.size >= x.size:
            # All products of coefficients, then what every b_i b_j is: one
            # matrix product for all numbers.
            pairs = x[..., :, None] * y[..., None, :]
            flat = pairs.reshape(*pairs.shape[:-2], n**2)
            return exact(product(flat, field.products()), den, field)
        # The smaller factor is broadcast: its multiplication matrices are few.
        table = field.multiplication(y)
        return exact((x[..., None, :] @ table)[..., 0, :], den, field)

    def __matmul__(self, other: ExactArray) -> ExactArray:
        """(..., p, q) @ (q, r): one integer matrix product.

        ``other`` is spread into its multiplication matrices.
        """
        a, b, _ = common(self, other)
        return RightFactor(b)(a)

    @property
    def is_rational(self) -> bool:
        """Whether all numbers are, in whatever field they are written."""
        return self.field.degree == 1 or not self.numerators[..., 1:].any()

    def equals(self, other: ExactArray) -> bool:
        if self.field.is_rational or other.field.is_rational:
            # 1 is the first element of every basis
            return (
                self.denominator == other.denominator
                and np.array_equal(self.numerators[..., 0], other.numerators[..., 0])
                and self.is_rational
                and other.is_rational
            )
        a, b, _ = common(self, other)
        if a.denominator != b.denominator or a.shape != b.shape:
            return False
        return bool(np.array_equal(a.numerators, b.numerators))

    @property
    def is_zero(self) -> bool:
        return not self.numerators.any()

    def nonzero_mask(self) -> IntArray:
        return np.asarray((self.numerators != 0).any(axis=-1))

    def key(self) -> bytes:
        """Equal for equal arrays of one shape over one field."""
        return repr((self.denominator, self.numerators.tolist())).encode()

    def packed_key(self) -> bytes:
        """Of arrays of any shape, in bytes instead of text: sooner, where numbers are many."""
        if self.numerators.dtype == object:
            return self.key()
        # one size and byte order for all machines
        numbers = np.ascontiguousarray(self.numerators, dtype="<i8")
        return f"{self.denominator} {numbers.shape}".encode() + numbers.tobytes()

    def trace(self) -> ExactArray:
        limit = bound(self.numerators) * len(self)
        (wide,) = widen(self.numerators, limit=limit)
        return exact(np.trace(wide), self.denominator, self.field)

    def inverse(self) -> ExactArray:
        """Of a square matrix; GroupError when it is singular."""
        if self.field.degree > 1 and self.is_rational:
            # Rational numbers, in whatever field they are written: over Q the system is as many times smaller.
            plain = exact(self.numerators[..., :1], self.denominator, RATIONALS)
            return plain.inverse().over(self.field)
        # Most of our matrices are orthogonal, which costs one product to see.
        if (self @ self.T).equals(identity(self.shape[0])):
            return self.T
        # loaded for the others alone
        from pdobasis.exact.division import solve_integers

        left = (self.numerators, self.denominator)
        right = (identity(self.shape[0], self.field).numerators, 1)
        found = solve_integers(left, right, self.field)
        return exact(*found, self.field)

    def fraction(self) -> Fraction:
        """A rational scalar as a Fraction."""
        if not self.is_rational:
            raise ValueError("not a rational number")
        return Fraction(int(self.numerators[..., 0]), self.denominator)

    def __reduce__(self) -> tuple[Any, ...]:
        return exact, (np.array(self.numerators), self.denominator, self.field)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ExactArray) or self.shape != other.shape:
            return False
        return self.equals(other)

    def __hash__(self) -> int:
        # Equal numbers may be written in different fields.
        return hash(self.shape)


class RightFactor:
    """A fixed matrix b, for many products a -> a @ b.

    It is spread into its multiplication matrices once, when they are needed.
    """

    def __init__(self, b: ExactArray) -> None:
        self.shape: tuple[int, ...] = b.shape
        self.denominator: int = b.denominator
        self.field: Field = b.field
        self.numerators: IntArray = b.numerators
        self.rational: bool = b.is_rational
        self._table: IntArray | None = None

    @property
    def table(self) -> IntArray:
        """Rows (q, i) and columns (r, j): over Q the matrix is n times as large in
        both directions.
        """
        if self._table is None:
            (q, r), n = self.shape, self.field.degree
            table = spread(self.numerators, self.field)
            self._table = table.transpose(0, 2, 1, 3).reshape(q * n, r * n)
        return self._table

    def __call__(self, a: ExactArray) -> ExactArray:
        """a has the field of b, and shape (..., p, q)."""
        (q, r), n = self.shape, self.field.degree
        den = a.denominator * self.denominator
        if self.rational:  # every coefficient over the basis by itself
            turned = np.swapaxes(a.numerators, -1, -2)
            plain = self.numerators[..., 0]
            moved = np.swapaxes(product(turned, plain), -1, -2)
            return exact(moved, den, self.field)
        if n > LARGE_DEGREE:
            flat = a.numerators.reshape(1, -1, q, n)
            few = few_terms(flat, self.numerators.reshape(1, q, r, n), self.field)
            if few is not None:
                return exact(few.reshape(*a.shape[:-1], r, n), den, self.field)
        left = a.numerators.reshape(*a.shape[:-1], q * n)
        moved = product(left, self.table).reshape(*a.shape[:-1], r, n)
        return exact(moved, den, self.field)


def exact(numerators: IntArray, denominator: int, field: Field) -> ExactArray:
    """Bring to lowest terms; Python integers back to int64 where they fit."""
    # Lowest terms make the form unique, so that equal arrays have equal bytes.
    if denominator == 1:
        return _trusted(narrow(numerators), 1, field)
    if denominator < 0:
        numerators, denominator = -numerators, -denominator
    if denominator != 1:
        g = _common_factor(numerators, denominator)
        if g > 1:
            (numerators,) = widen(numerators, limit=g)
            numerators, denominator = numerators // g, denominator // g
    return _trusted(narrow(numerators), denominator, field)


def lowest(numerators: IntArray, denominator: int, field: Field) -> ExactArray:
    """As :func:`exact`, of what is known to be in lowest terms: to look for a common factor costs more than a sum."""
    return _trusted(narrow(numerators), denominator, field)


def zeros(shape: Sequence[int], field: Field = RATIONALS) -> ExactArray:
    numerators = np.zeros((*shape, field.degree), dtype=np.int64)
    return _trusted(numerators, 1, field)


def identity(size: int, field: Field = RATIONALS) -> ExactArray:
    numerators = np.zeros((size * size, field.degree), dtype=np.int64)
    # from one place on the diagonal to the next
    numerators[:: size + 1, 0] = 1
    return _trusted(numerators.reshape(size, size, field.degree), 1, field)


def integers(values: Any, field: Field = RATIONALS) -> ExactArray:
    """An integer array as an array over the field."""
    data = np.asarray(values)
    if data.dtype != object:
        data = data.astype(np.int64, copy=False)
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


def common(a: ExactArray, b: ExactArray) -> tuple[ExactArray, ExactArray, Field]:
    """Both over the smallest field that holds both, and that field."""
    field = join(a.field, b.field)
    return a.over(field), b.over(field), field


def same_denominator(
    arrays: Sequence[ExactArray],
) -> tuple[list[IntArray], int, Field]:
    """Their numerators over one field and one denominator, which follow."""
    field = arrays[0].field
    if any(a.field != field for a in arrays):
        field = reduce(join, (a.field for a in arrays), RATIONALS)
    parts = [a.over(field) for a in arrays]
    den = parts[0].denominator
    # The usual case, in which nothing has to be multiplied.
    if all(p.denominator == den for p in parts):
        return [p.numerators for p in parts], den, field
    den = lcm(*(p.denominator for p in parts))
    scaled = []
    for p in parts:
        scaled.append(_times_integer(p.numerators, den // p.denominator))
    return scaled, den, field


def few_terms(a: IntArray, b: IntArray, field: Field) -> IntArray | None:
    """(t, p, q) @ (t or 1, q, r) where the numbers have few terms; else None."""
    from pdobasis.exact.products import matrices

    inner, n = b.shape[1], field.degree
    limit = bound(a) * bound(b) * field.expansion * n * inner
    x, y = widen(a, b, limit=limit)
    return matrices(x, y, field)


def spread(b: IntArray, field: Field) -> IntArray:
    """The multiplication matrices of the numbers, which may not overflow."""
    most = bound(b)
    (wide,) = widen(b, limit=most * field.expansion)
    return field.multiplication(wide, most)


def _joined(
    arrays: Sequence[ExactArray], how: Callable[[list[IntArray]], IntArray]
) -> ExactArray:
    parts, den, field = same_denominator(arrays)
    # In lowest terms already: where q divides the common denominator as often as that of one part, the numerators of
    # this part are not multiplied by q, and q does not divide them all.
    return lowest(how(parts), den, field)


def _trusted(numerators: IntArray, denominator: int, field: Field) -> ExactArray:
    """Of numerators that are in lowest terms already."""
    # A view is made read-only: the array of the caller stays as it was.
    if numerators.flags.writeable:
        numerators = numerators.view()
        numerators.setflags(write=False)
    # The slots are filled as __init__ would fill them, in half the time: this
    # is called hundreds of times a question.
    made = _new(ExactArray)
    _set_numerators(made, numerators)
    _set_denominator(made, denominator)
    _set_field(made, field)
    return made


_new = object.__new__
_set_numerators = ExactArray.__dict__["numerators"].__set__
_set_denominator = ExactArray.__dict__["denominator"].__set__
_set_field = ExactArray.__dict__["field"].__set__


def _times_integer(values: IntArray, factor: int) -> IntArray:
    limit = max(bound(values), 1) * abs(factor)
    (wide,) = widen(values, limit=limit)
    return np.asarray(wide * factor)


def _common_factor(values: IntArray, denominator: int) -> int:
    """The greatest common divisor of all of them and the denominator."""
    if values.size == 0:
        return denominator
    if values.dtype == object:
        return reduce(gcd, values.ravel().tolist(), denominator)
    if denominator & (denominator - 1) == 0:
        # A power of two: the lowest bit that is set in any of them.
        bits = denominator | int(np.bitwise_or.reduce(values, axis=None))
        return bits & -bits
    return gcd(denominator, int(np.gcd.reduce(values, axis=None)))


def _written(values: ExactArray) -> str:
    # how numbers are written stands above: it is needed to look at them only
    from pdobasis.exact.writing import number_text

    if not values.shape:
        return number_text(values)
    return f"[{', '.join(_written(values[k]) for k in range(len(values)))}]"

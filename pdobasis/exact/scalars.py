"""Single numbers: rational ones by FLINT, which are quick, or those of a field with roots."""

from __future__ import annotations

from fractions import Fraction
from math import gcd

from flint import fmpq

from pdobasis.bounds.caches import remembered
from pdobasis.exact.arithmetic import prime_factors
from pdobasis.exact.array import ExactArray, integers
from pdobasis.exact.field import Field
from pdobasis.exact.numbers import in_square_roots, to_float
from pdobasis.exact.roots import root
from pdobasis.exact.writing import number_text

MOST_ROOTS = 4
"""The degree of fields whose numbers are looked at for square roots: Q(√2, √3) has 4."""


class Surd:
    """One number of a field that is not Q; false when it is zero."""

    __slots__ = ("_value",)

    def __init__(self, value: ExactArray) -> None:
        self._value = value

    @property
    def value(self) -> ExactArray:
        return self._value

    def __add__(self, other: Number | int) -> Surd:
        if isinstance(other, Surd):
            return Surd(self.value + other.value)
        return Surd(self.value + _as_array(other))

    __radd__ = __add__

    def __neg__(self) -> Surd:
        return Surd(-self.value)

    def __sub__(self, other: Number | int) -> Surd:
        return self + (-1) * other

    def __mul__(self, other: Number | int) -> Surd:
        if isinstance(other, Surd):
            return Surd(self.value * other.value)
        return Surd(self.value.scale(_fraction(other)))

    __rmul__ = __mul__

    def __rsub__(self, other: Number | int) -> Surd:
        return (-self) + other

    def __truediv__(self, other: Number | int) -> Surd:
        if isinstance(other, Surd):
            return self * other.inverse()
        return Surd(self.value.scale(1 / _fraction(other)))

    def __rtruediv__(self, other: Number | int) -> Surd:
        return self.inverse() * other

    def inverse(self) -> Surd:
        return Surd(self.value.reshape(1, 1).inverse()[0, 0])

    def __bool__(self) -> bool:
        return not self.value.is_zero

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Surd, fmpq, int)):
            return not (self - other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(to_float(self.value).item())


class Radical(Surd):
    r"""$\sum_r q_r \sqrt{r}$ with square-free r, by its parts: ten times as quick as an array of one number."""

    __slots__ = ("parts",)

    def __init__(self, parts: dict[int, fmpq]) -> None:
        self.parts: dict[int, fmpq] = parts

    @property
    def value(self) -> ExactArray:
        total = integers(0)
        for r, q in self.parts.items():
            total = total + root(Fraction(r)).scale(_fraction(q))
        return total

    def __add__(self, other: Number | int) -> Surd:
        if isinstance(other, Surd) and not isinstance(other, Radical):
            return Surd(self.value + other.value)
        theirs = other.parts if isinstance(other, Radical) else {1: fmpq(0) + other}
        out = dict(self.parts)
        for r, q in theirs.items():
            out[r] = out.get(r, fmpq(0)) + q
        return Radical({r: q for r, q in out.items() if q})

    __radd__ = __add__

    def __neg__(self) -> Surd:
        return Radical({r: -q for r, q in self.parts.items()})

    def __mul__(self, other: Number | int) -> Surd:
        if isinstance(other, Radical):
            return self._times(other)
        if isinstance(other, Surd):
            return Surd(self.value * other.value)
        if not other:
            return Radical({})
        return Radical({r: q * other for r, q in self.parts.items()})

    __rmul__ = __mul__

    def _times(self, other: Radical) -> Surd:
        out: dict[int, fmpq] = {}
        for a, p in self.parts.items():
            for b, q in other.parts.items():
                # √a √b = g √(ab/g²), and ab/g² is square-free again
                g = gcd(a, b)
                r = a * b // (g * g)
                out[r] = out.get(r, fmpq(0)) + p * q * g
        return Radical({r: q for r, q in out.items() if q})

    def __truediv__(self, other: Number | int) -> Surd:
        if isinstance(other, Surd):
            return self * other.inverse()
        return Radical({r: q / other for r, q in self.parts.items()})

    def inverse(self) -> Surd:
        r"""One prime after the other: $1/(a + b\sqrt p) = (a - b\sqrt p)/(a^2 - p b^2)$."""
        if len(self.parts) == 1:
            ((r, q),) = self.parts.items()
            return Radical({r: 1 / (q * r)})
        largest = max(self.parts)
        prime = min(prime_factors(largest)) if largest > 1 else 1
        flipped = {r: q if r % prime else -q for r, q in self.parts.items()}
        conjugate = Radical(flipped)
        return conjugate * (self * conjugate).inverse()

    def __bool__(self) -> bool:
        return bool(self.parts)


Number = fmpq | Surd


def number(value: ExactArray) -> Number:
    """A scalar of an exact array; rational numbers are FLINT's, which are quick."""
    if value.is_rational:
        return fmpq(int(value.numerators[..., 0]), value.denominator)
    if value.field.conductor > 1:
        return _of_cosines(value)
    listed = zip(value.numerators.tolist(), value.field.radicands, strict=True)
    return Radical({r: fmpq(int(n), value.denominator) for n, r in listed if n})


def _of_cosines(value: ExactArray) -> Number:
    """As square roots where it is a sum of some: those are quicker, and the same number has one form."""
    if value.field.degree > MOST_ROOTS:
        return Surd(value)
    found = in_square_roots(value)
    if found is None:
        return Surd(value)
    return Radical({r: fmpq(q.numerator, q.denominator) for q, r in found})


def plain(value: Number) -> Number:
    """A rational number as such, also where it came out of roots."""
    if isinstance(value, Radical) and value.parts.keys() <= {1}:
        return value.parts.get(1, fmpq(0))
    return value


def simplest(value: Number) -> Number:
    """A rational number as such, whatever field it was computed in."""
    return number(value.value) if isinstance(value, Surd) else value


def rows(matrix: ExactArray) -> list[dict[int, Number]]:
    """The non-zero entries of every row."""
    out: list[dict[int, Number]] = []
    mask = matrix.nonzero_mask()
    for i in range(matrix.shape[0]):
        own = {}
        for j in mask[i].nonzero()[0].tolist():
            own[j] = number(matrix[i, j])
        out.append(own)
    return out


def text_of(value: Number) -> str:
    """Text that parses back."""
    if isinstance(value, Surd):
        return number_text(value.value)
    return str(value)


def float_of(value: Number) -> float:
    if isinstance(value, Surd):
        return float(to_float(value.value))
    return int(value.p) / int(value.q)


def exact_of(value: Number) -> ExactArray:
    if isinstance(value, Surd):
        return value.value
    return _as_array(value)


def field_of(value: Number) -> Field | None:
    """None for rational numbers, which are in every field."""
    if isinstance(value, Radical):
        return _field_of_roots(frozenset(value.parts))
    if isinstance(value, Surd):
        return value.value.field
    return None


@remembered
def _field_of_roots(radicands: frozenset[int]) -> Field:
    return Radical(dict.fromkeys(radicands, fmpq(1))).value.field


def _fraction(value: fmpq | int) -> Fraction:
    if isinstance(value, int):
        return Fraction(value)
    return Fraction(int(value.p), int(value.q))


def _as_array(value: fmpq | int) -> ExactArray:
    q = _fraction(value)
    return integers(q.numerator).scale(Fraction(1, q.denominator))

r"""Numbers of a field in readable form: radicals where they are short, cosines
otherwise; and as floats.

A number is written as a sum of rational multiples of :class:`Root` s, so that
text, LaTeX and SymPy are three printings of one decision.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import gcd, prod
from typing import TYPE_CHECKING

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.arithmetic import conductor_of_root, prime_factors
from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import Field, square_root, two_cos
from pdobasis.exact.fixed_point import scaled_cosines, scaled_root
from pdobasis.values import dataclass

if TYPE_CHECKING:
    import sympy

SHORT = 3
"""A sum of at most this many square roots is preferred to cosines."""


@dataclass(frozen=True, slots=True, order=True)
class Root:
    r"""$\sqrt{\text{radicand}}$, or $\cos(\text{angle} \cdot \pi)$.

    It is a square root where ``angle`` is None.
    """

    radicand: int
    angle: Fraction | None = None

    @property
    def is_one(self) -> bool:
        return self.radicand == 1 and self.angle is None


ONE = Root(1)
Terms = tuple[tuple[Fraction, Root], ...]


def readable(numerators: tuple[int, ...], denominator: int, field: Field) -> Terms:
    """The number as a sum of rational multiples of roots, in a fixed order.

    >>> from pdobasis.exact.field import cyclotomic
    >>> for term in readable((0, 1), 4, cyclotomic(5)):  # cos(2 pi/5) / 2
    ...     print(term)
    (Fraction(-1, 8), Root(radicand=1, angle=None))
    (Fraction(1, 8), Root(radicand=5, angle=None))
    """
    if not any(numerators):
        return ()
    if not any(numerators[1:]):
        return ((Fraction(numerators[0], denominator), ONE),)
    if field.conductor == 1:
        parts = zip(numerators, field.radicands, strict=True)
        return tuple((Fraction(c, denominator), Root(r)) for c, r in parts if c)
    # Square roots are read more easily than cosines, as long as they are few; a
    # single cosine is the next best.
    in_roots = _in_square_roots(numerators, field)
    if in_roots is not None and len(in_roots) <= SHORT:
        return tuple((q / denominator, Root(r)) for q, r in in_roots)
    single = _single_cosine(numerators, field)
    if single is not None:
        factor, root = single
        return (_acute(factor / denominator, root),)
    return _in_cosines(numerators, denominator, field)


def in_square_roots(scalar: ExactArray) -> list[tuple[Fraction, int]] | None:
    """[(q, r), …] with the sum of q sqrt(r) = scalar, where it is one."""
    row = tuple(int(v) for v in scalar.numerators.tolist())
    found = _in_square_roots(row, scalar.field)
    if found is None:
        return None
    return [(q / scalar.denominator, r) for q, r in found]


def _in_cosines(numerators: tuple[int, ...], denominator: int, field: Field) -> Terms:
    """Over the basis itself, with 2cos written as twice a cosine."""
    terms: list[tuple[Fraction, Root]] = []
    if numerators[0]:
        terms.append((Fraction(numerators[0], denominator), ONE))
    for k, c in enumerate(numerators):
        if c and k:
            root = Root(1, Fraction(2 * k, field.conductor))
            terms.append(_acute(Fraction(2 * c, denominator), root))
    return tuple(terms)


def to_sympy(terms: Terms) -> sympy.Expr:
    """As a SymPy number; cosines stay cosines."""
    import sympy

    total: sympy.Expr = sympy.Integer(0)
    for q, root in terms:
        value = sympy.sqrt(root.radicand)
        if root.angle is not None:
            a, b = root.angle.numerator, root.angle.denominator
            angle = sympy.Rational(a, b) * sympy.pi
            value = sympy.cos(angle, evaluate=False)
        total = total + sympy.Rational(q.numerator, q.denominator) * value
    return total


def to_float(
    array: ExactArray,
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """The nearest float64 of every number (round half to even).

    Decided by interval enclosures.
    """
    flat = array.numerators.reshape(-1, array.field.degree)
    # A basis has few different numbers: each is rounded once.
    known: dict[tuple[int, ...], float] = {}
    out = np.empty(len(flat))
    for i, row in enumerate(map(tuple, flat.tolist())):
        if row not in known:
            known[row] = _round(row, array.denominator, array.field)
        out[i] = known[row]
    return out.reshape(array.shape)


def sign(scalar: ExactArray) -> int:
    """-1, 0 or 1 of a scalar."""
    row = tuple(scalar.numerators.tolist())
    if not any(row):
        return 0
    if _round(row, 1, scalar.field) > 0:
        return 1
    return -1


def _round(row: tuple[int, ...], denominator: int, field: Field) -> float:
    if not any(row[1:]):
        return row[0] / denominator
    bits = 128
    while True:
        low, high = _enclose(row, field, bits)
        # int / int is correctly rounded in Python, and rounding is monotone:
        # equal ends prove the rounding of everything between them.
        a = low / (denominator << bits)
        b = high / (denominator << bits)
        if a == b:
            return a
        bits *= 2


def _enclose(row: tuple[int, ...], field: Field, bits: int) -> tuple[int, int]:
    """Integers below and above 2**bits times the number."""
    values = _basis_values(field, bits)
    centre = sum(c * v for c, v in zip(row, values, strict=True))
    error = 2 * sum(abs(c) for c in row)
    return centre - error, centre + error


@remembered
def _basis_values(field: Field, bits: int) -> tuple[int, ...]:
    """Integers within 2 of 2**bits times the basis elements."""
    if field.conductor == 1:
        return tuple(scaled_root(r, bits) for r in field.radicands)
    values = scaled_cosines(field.conductor, field.degree, bits)
    # The basis starts with 1, and not with b_0 = 2.
    return (1 << bits, *values[1:])


@remembered
def _square_root_basis(
    field: Field,
) -> tuple[list[int], list[int], list[list[Fraction]]]:
    """(radicands, pivot columns, inverse): the square roots inside K.

    A number of the field that they span is determined by its coefficients in
    the pivot columns; the inverse turns these into multiples of the roots.
    """
    primes = prime_factors(field.conductor)
    # Q(zeta_M) contains the square roots of those r whose conductor divides M,
    # and no others.
    candidates = []
    for k in range(len(primes) + 1):
        candidates += [prod(chosen) for chosen in combinations(primes, k)]
    radicands = []
    for r in sorted(candidates):
        if field.conductor % conductor_of_root(r) == 0:
            radicands.append(r)
    rows = [square_root(r, field) for r in radicands]
    return radicands, *_pivots(rows)


def _pivots(rows: list[list[int]]) -> tuple[list[int], list[list[Fraction]]]:
    """(columns, inverse of the matrix that they are) of few independent rows, by elimination without fractions."""
    count, width = len(rows), len(rows[0])
    own = [[*row, *(int(i == j) for j in range(count))] for i, row in enumerate(rows)]
    columns = []
    for i in range(count):
        pivot = next(j for j in range(width) if own[i][j])
        columns.append(pivot)
        for k in range(count):
            if k != i and own[k][pivot]:
                a, b = own[i][pivot], own[k][pivot]
                own[k] = [a * v - b * w for v, w in zip(own[k], own[i], strict=True)]
    inverse = []
    for row, pivot in zip(own, columns, strict=True):
        inverse.append([Fraction(v, row[pivot]) for v in row[width:]])
    return columns, inverse


def _in_square_roots(
    row: tuple[int, ...], field: Field
) -> list[tuple[Fraction, int]] | None:
    """(multiple, radicand) where the number is a sum of square roots."""
    radicands, pivots, inverse = _square_root_basis(field)
    fractions = [Fraction(0)] * len(radicands)
    for j, line in zip(pivots, inverse, strict=True):
        if row[j]:
            fractions = [q + row[j] * v for q, v in zip(fractions, line, strict=True)]
    # The pivot columns alone do not prove it: the other ones have to agree.
    rebuilt = np.zeros(field.degree, dtype=object)
    for q, r in zip(fractions, radicands, strict=True):
        multiple = [q * v for v in square_root(r, field)]
        rebuilt = rebuilt + np.array(multiple, dtype=object)
    if list(rebuilt) != list(row):
        return None
    return [(q, r) for q, r in zip(fractions, radicands, strict=True) if q]


def _single_cosine(row: tuple[int, ...], field: Field) -> tuple[Fraction, Root] | None:
    """row = factor * cos(angle), if it is one."""
    content = gcd(*row)
    primitive = tuple(c // content for c in row)
    found = _cosine_directions(field).get(primitive)
    if found is None:
        return None
    s, own, k = found
    angle = Fraction(2 * k, field.conductor)
    return Fraction(2 * content * s, own), Root(1, angle)


@remembered
def _cosine_directions(
    field: Field,
) -> dict[tuple[int, ...], tuple[int, int, int]]:
    """The primitive vectors of +-2cos(2 pi k/M) to (sign, content, k)."""
    out: dict[tuple[int, ...], tuple[int, int, int]] = {}
    for k in range(1, field.conductor // 2 + 1):
        row = two_cos(k, field)
        content = gcd(*row)
        if content:
            for s in (1, -1):
                primitive = tuple(s * c // content for c in row)
                # The smallest angle wins.
                out.setdefault(primitive, (s, content, k))
    return out


def _acute(factor: Fraction, root: Root) -> tuple[Fraction, Root]:
    """cos of an angle between 0 and pi/2, with the sign in the factor."""
    angle = root.angle or Fraction(0)
    if angle > Fraction(1, 2):
        return -factor, Root(1, 1 - angle)
    return factor, root

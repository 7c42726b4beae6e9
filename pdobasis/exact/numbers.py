r"""Numbers of a field in readable form: radicals where they are short, cosines otherwise; and as floats.

A number is written as a sum of rational multiples of :class:`Root` s, so that text, LaTeX and SymPy are three
printings of one decision.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import gcd, prod
from typing import TYPE_CHECKING

import numpy as np
from flint import arb, ctx, fmpq, fmpq_mat

from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import Field, conductor_of_root, prime_factors, square_root, two_cos

if TYPE_CHECKING:
    import sympy

SHORT = 3
"""A sum of at most this many square roots is preferred to cosines."""


@dataclass(frozen=True, slots=True, order=True)
class Root:
    r"""$\sqrt{\text{radicand}}$ where ``angle`` is None, else $\cos(\text{angle} \cdot \pi)$."""

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
    >>> readable((0, 1), 4, cyclotomic(5))        # cos(2 pi/5) / 2
    ((Fraction(-1, 8), Root(radicand=1, angle=None)), (Fraction(1, 8), Root(radicand=5, angle=None)))
    """
    if not any(numerators[1:]):
        return ((Fraction(numerators[0], denominator), ONE),) if numerators[0] else ()
    if field.conductor == 1:
        parts = zip(numerators, field.radicands, strict=True)
        return tuple((Fraction(c, denominator), Root(r)) for c, r in parts if c)
    in_roots = _in_square_roots(numerators, field)
    if in_roots is not None and len(in_roots) <= SHORT:
        return tuple((q / denominator, Root(r)) for q, r in in_roots)
    single = _single_cosine(numerators, field)
    if single is not None:
        return (_acute(single[0] / denominator, single[1]),)
    rest = [
        (Fraction(2 * c, denominator), Root(1, Fraction(2 * k, field.conductor)))
        for k, c in enumerate(numerators)
        if c and k
    ]
    first = [(Fraction(numerators[0], denominator), ONE)] if numerators[0] else []
    return tuple(first + [_acute(q, root) for q, root in rest])


def to_sympy(terms: Terms) -> sympy.Expr:
    """As a SymPy number; cosines stay cosines."""
    import sympy

    total: sympy.Expr = sympy.Integer(0)
    for q, root in terms:
        value = sympy.sqrt(root.radicand)
        if root.angle is not None:
            angle = sympy.Rational(root.angle.numerator, root.angle.denominator) * sympy.pi
            value = sympy.cos(angle, evaluate=False)
        total = total + sympy.Rational(q.numerator, q.denominator) * value
    return total


def to_float(array: ExactArray) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """The nearest float64 of every number (round half to even), decided by interval enclosures."""
    flat = array.numerators.reshape(-1, array.field.degree)
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
    return 1 if _round(row, 1, scalar.field) > 0 else -1


def _round(row: tuple[int, ...], denominator: int, field: Field) -> float:
    if not any(row[1:]):
        return row[0] / denominator
    bits = 128
    while True:
        low, high = _enclose(row, field, bits)
        # int / int is correctly rounded in Python, so equal ends prove the rounding.
        a, b = low / (denominator << bits), high / (denominator << bits)
        if a == b:
            return a
        bits *= 2


def _enclose(row: tuple[int, ...], field: Field, bits: int) -> tuple[int, int]:
    values = _basis_values(field, bits)
    centre = sum(c * v for c, v in zip(row, values, strict=True))
    error = 2 * sum(abs(c) for c in row)
    return centre - error, centre + error


@cache
def _basis_values(field: Field, bits: int) -> tuple[int, ...]:
    """Integers within 2 of 2**bits times the basis elements."""
    saved, ctx.prec = ctx.prec, bits + 64
    try:
        if field.conductor == 1:
            values = [arb(r).sqrt() for r in field.radicands]
        else:
            cosines = [arb.cos_pi_fmpq(fmpq(2 * k, field.conductor)) * 2 for k in range(1, field.degree)]
            values = [arb(1), *cosines]
        return tuple(_scaled(v, bits) for v in values)
    finally:
        ctx.prec = saved


def _scaled(value: arb, bits: int) -> int:
    mantissa, exponent = value.mid().man_exp()
    shift = int(exponent) + bits
    return int(mantissa) << shift if shift >= 0 else int(mantissa) >> -shift


@cache
def _square_root_basis(field: Field) -> tuple[list[int], list[int], fmpq_mat]:
    """(radicands, pivot columns, inverse) that express elements of the largest field of square roots inside K."""
    primes = prime_factors(field.conductor)
    candidates = sorted(prod(c) for k in range(len(primes) + 1) for c in combinations(primes, k))
    radicands = [r for r in candidates if field.conductor % conductor_of_root(r) == 0]
    rows = [square_root(r, field) for r in radicands]
    reduced, rank = fmpq_mat(len(rows), field.degree, [v for row in rows for v in row]).rref()
    pivots = [next(j for j in range(field.degree) if reduced[i, j] != 0) for i in range(rank)]
    square = fmpq_mat(len(rows), len(rows), [row[j] for row in rows for j in pivots])
    return radicands, pivots, square.inv()


def _in_square_roots(row: tuple[int, ...], field: Field) -> list[tuple[Fraction, int]] | None:
    radicands, pivots, inverse = _square_root_basis(field)
    weights = fmpq_mat(1, len(pivots), [row[j] for j in pivots]) * inverse
    fractions = [Fraction(int(w.p), int(w.q)) for w in weights.entries()]
    rebuilt = np.zeros(field.degree, dtype=object)
    for q, r in zip(fractions, radicands, strict=True):
        rebuilt = rebuilt + np.array([q * v for v in square_root(r, field)], dtype=object)
    if list(rebuilt) != list(row):
        return None
    return [(q, r) for q, r in zip(fractions, radicands, strict=True) if q]


def _single_cosine(row: tuple[int, ...], field: Field) -> tuple[Fraction, Root] | None:
    """row = factor * cos(angle), if it is one."""
    content = gcd(*row)
    found = _cosine_directions(field).get(tuple(c // content for c in row))
    if found is None:
        return None
    return Fraction(2 * content * found[0], found[1]), Root(1, Fraction(2 * found[2], field.conductor))


@cache
def _cosine_directions(field: Field) -> dict[tuple[int, ...], tuple[int, int, int]]:
    """The primitive vectors of +-2cos(2 pi k/M) to (sign, content, k)."""
    out: dict[tuple[int, ...], tuple[int, int, int]] = {}
    for k in range(1, field.conductor // 2 + 1):
        row = two_cos(k, field)
        content = gcd(*row)
        if content:
            for s in (1, -1):
                out.setdefault(tuple(s * c // content for c in row), (s, content, k))
    return out


def _acute(factor: Fraction, root: Root) -> tuple[Fraction, Root]:
    """cos of an angle between 0 and pi/2, with the sign in the factor."""
    angle = root.angle or Fraction(0)
    return (-factor, Root(1, 1 - angle)) if angle > Fraction(1, 2) else (factor, root)

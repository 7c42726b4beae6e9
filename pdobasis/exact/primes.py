r"""Number fields modulo primes that split in them completely, and the way back.

For a prime $p \equiv 1$ modulo the conductor, K has $n$ homomorphisms $\sigma_u : K \to \mathbb{F}_p$ (on numbers
without $p$ in the denominator). All of them together determine an element modulo $p$, and small rationals are
found again from their residues.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import gcd, isqrt, lcm

import numpy as np
from flint import fmpz, nmod, nmod_mat

from pdobasis.errors import ExactnessError
from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import Field, prime_factors
from pdobasis.exact.types import IntArray

START = 1 << 61


@dataclass(frozen=True, slots=True)
class SplitPrime:
    """A prime with the values ``places[u][k]`` of basis element k under homomorphism u, and the inverse table."""

    prime: int
    places: tuple[tuple[int, ...], ...]
    inverse: tuple[tuple[int, ...], ...]


@cache
def split_prime(field: Field, index: int, below: int = START) -> SplitPrime:
    """The ``index``-th prime below a bound (2**61) that splits in the field."""
    modulus = field.conductor if field.conductor > 1 else _radical_modulus(field)
    start = below if index == 0 else split_prime(field, index - 1, below).prime - modulus
    candidate = start - (start - 1) % modulus
    while not fmpz(candidate).is_prime():
        candidate -= modulus
    p = candidate
    places = _cyclotomic_places(field, p) if field.conductor > 1 else _radical_places(field, p)
    n = field.degree
    inverse = nmod_mat(n, n, [v for row in places for v in row], p).inv()
    rows = tuple(tuple(int(inverse[i, j]) for j in range(n)) for i in range(n))
    return SplitPrime(p, places, rows)


def residues(values: IntArray, denominator: int, place: Sequence[int], prime: int) -> list[int]:
    """The images in F_p of field elements given as integer rows over one denominator."""
    if denominator % prime == 0:
        raise ExactnessError(f"the prime {prime} divides a denominator, so nothing can be said modulo it")
    scale = pow(denominator, -1, prime)
    weights = [w * scale % prime for w in place]
    return [sum(c * w for c, w in zip(row, weights, strict=True) if c) % prime for row in values.tolist()]


def rational(residue: int, modulus: int) -> Fraction | None:
    r"""The fraction $a/b$ with $|a|, b \le \sqrt{m/2}$ and $a \equiv b \cdot$ residue, if there is one.

    >>> rational(pow(3, -1, 10007) * -2 % 10007, 10007)
    Fraction(-2, 3)
    """
    limit = isqrt(modulus // 2)
    r0, r1, t0, t1 = modulus, residue % modulus, 0, 1
    while r1 > limit:
        q = r0 // r1
        r0, r1, t0, t1 = r1, r0 - q * r1, t1, t0 - q * t1
    if abs(t1) > limit or gcd(r1, abs(t1)) != 1:
        return None
    return Fraction(r1, t1)


def rank_modulo(matrix: ExactArray) -> int:
    """The rank of one image modulo a prime: a lower bound on the rank over K, equal for all but few primes."""
    return int(_image(matrix).rank()) if matrix.size else 0


def independent_rows(matrix: ExactArray) -> list[int]:
    """The first rows that are independent modulo a prime (hence over K), as many as the rank there."""
    if not matrix.size:
        return []
    reduced, rank = _image(matrix.T).rref()
    return [next(j for j in range(matrix.shape[0]) if int(reduced[i, j])) for i in range(rank)]


def sparse_matrix(shape: tuple[int, int], entries: Iterable[tuple[int, int, int]], prime: int) -> nmod_mat:
    """From (row, column, residue), each place once; FLINT takes in single entries faster than a list of all."""
    out = nmod_mat(*shape, prime)
    for row, column, value in entries:
        out[row, column] = value
    return out


def _image(matrix: ExactArray) -> nmod_mat:
    """At the first place of the first prime; equal numbers are reduced once."""
    prime = split_prime(matrix.field, 0)
    rows, columns = np.nonzero(matrix.nonzero_mask())
    flat = matrix.numerators[rows, columns]
    distinct, codes = np.unique(flat, axis=0, return_inverse=True) if flat.dtype != object else (flat, None)
    image = residues(distinct, matrix.denominator, prime.places[0], prime.prime)
    values = image if codes is None else [image[c] for c in codes.ravel().tolist()]
    height, width = matrix.shape
    return sparse_matrix((height, width), zip(rows.tolist(), columns.tolist(), values, strict=True), prime.prime)


def _radical_modulus(field: Field) -> int:
    """p = 1 modulo this makes every radicand a square modulo p (quadratic reciprocity)."""
    return lcm(8, *(4 * q for r in field.radicands for q in prime_factors(r)))


def _cyclotomic_places(field: Field, p: int) -> tuple[tuple[int, ...], ...]:
    m = field.conductor
    zeta = _root_of_unity(m, p)
    units = [u for u in range(1, m // 2 + 1) if gcd(u, m) == 1]
    rows = []
    for u in units:
        z = nmod(zeta, p) ** u
        rows.append((1, *(int(z**k + z ** (m - k)) for k in range(1, field.degree))))
    return tuple(rows)


def _root_of_unity(m: int, p: int) -> int:
    for a in range(2, 10_000):
        zeta = nmod(a, p) ** ((p - 1) // m)
        if all(int(zeta ** (m // q)) != 1 for q in prime_factors(m)):
            return int(zeta)
    raise ExactnessError(f"no root of unity of order {m} was found modulo {p}")


def _radical_places(field: Field, p: int) -> tuple[tuple[int, ...], ...]:
    primes = sorted({q for r in field.radicands for q in prime_factors(r)})
    roots = {q: int(nmod(q, p).sqrt()) for q in primes}
    rows = set()
    for signs in product((1, -1), repeat=len(primes)):
        sign = dict(zip(primes, signs, strict=True))
        row = []
        for r in field.radicands:
            value = 1
            for q in prime_factors(r):
                value = value * sign[q] * roots[q] % p
            row.append(value)
        rows.add(tuple(row))
    return tuple(sorted(rows))

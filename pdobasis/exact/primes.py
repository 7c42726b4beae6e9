r"""Number fields modulo primes that split in them completely, and the way back.

For a prime $p \equiv 1$ modulo the conductor, K has $n$ homomorphisms $\sigma_u
: K \to \mathbb{F}_p$, its *places* (on numbers without $p$ in the denominator).
All of them together determine an element modulo $p$, since K modulo p is the
product of n copies of $\mathbb{F}_p$; and small rationals are found again from
their residues.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import gcd, isqrt, lcm
from operator import mul
from typing import TYPE_CHECKING

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.bounds.dense import require_room
from pdobasis.errors import ExactnessError
from pdobasis.exact.arithmetic import is_prime, prime_factors, root_modulo
from pdobasis.exact.array import ExactArray
from pdobasis.exact.echelon import SMALL, echelon
from pdobasis.exact.field import Field
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.values import dataclass

if TYPE_CHECKING:
    from flint import nmod_mat

START = 1 << 61
FEW = 2_000
"""Entries of a matrix whose rows Python takes one by one."""
SPARSE = 50
"""Entries of a row up to which it does so however many rows there are: FLINT goes through the zeros."""

PlaceTable = tuple[tuple[int, ...], ...]
"""``places[u][k]``: the value of basis element k under homomorphism u."""


@dataclass(frozen=True, slots=True)
class SplitPrime:
    """A prime, its places, and the inverse table, from values to numbers."""

    prime: int
    field: Field

    @property
    def first(self) -> tuple[int, ...]:
        """One place, where one is enough: there are as many as the degree."""
        return _first_place(self.field, self.prime)

    @property
    def places(self) -> PlaceTable:
        return _places(self.field, self.prime)

    @property
    def inverse(self) -> PlaceTable:
        return _inverse(self.field, self.prime)

    def at_all_places(self, values: IntArray, denominator: int) -> Iterator[list[int]]:
        """The images of integer rows over one denominator, for every place; who is through may stop."""
        if self.field.degree <= SMALL:
            for at in self.places:
                yield residues(values, denominator, at, self.prime)
            return
        # most often the first tells that there is nothing to be found: it is not worth a matrix of all
        yield residues(values, denominator, self.first, self.prime)
        whole = values % self.prime
        found = _table(self.field, self.prime) * _matrix(whole.T, self.prime)
        scale = _inverse_of(denominator, self.prime)
        for row in (found * scale).table()[1:]:
            yield [int(v) for v in row]

    def from_all_places(self, images: Sequence[Sequence[int]]) -> list[list[int]]:
        """Numbers over the field's basis from their images, of which there is a row for every place."""
        if not images[0]:
            return []
        if self.field.degree <= SMALL:
            return [
                [
                    sum(w * v for w, v in zip(row, own, strict=True)) % self.prime
                    for row in self.inverse
                ]
                for own in zip(*images, strict=True)
            ]
        known = _matrix(np.array(images, dtype=object), self.prime)
        found = _inverse_table(self.field, self.prime) * known
        return [[int(v) for v in row] for row in found.transpose().table()]


@remembered
def split_prime(field: Field, index: int, below: int = START) -> SplitPrime:
    """The ``index``-th prime below a bound (2**61) that splits in the field."""
    modulus = field.conductor
    if modulus == 1:
        modulus = _radical_modulus(field)
    start = below
    if index > 0:
        start = split_prime(field, index - 1, below).prime - modulus
    # The largest number up to it that is 1 modulo the modulus.
    p = start - (start - 1) % modulus
    while not is_prime(p):
        p -= modulus
        if p < 2:
            raise ExactnessError(f"too few primes below {below} split in {field}")
    return SplitPrime(p, field)


def residues(
    values: IntArray, denominator: int, place: Sequence[int], prime: int
) -> list[int]:
    """The images in F_p of integer rows over one denominator."""
    scale = _inverse_of(denominator, prime)
    weights = [w * scale % prime for w in place]
    if len(weights) <= SMALL:
        return [sum(map(mul, row, weights)) % prime for row in values.tolist()]
    out = []
    for row in values.tolist():
        # of many coordinates most are zero
        total = sum(c * w for c, w in zip(row, weights, strict=True) if c)
        out.append(total % prime)
    return out


def _inverse_of(denominator: int, prime: int) -> int:
    if denominator % prime == 0:
        raise ExactnessError(
            f"the prime {prime} divides a denominator, so nothing can be said modulo it"
        )
    return pow(denominator, -1, prime)


def rational(residue: int, modulus: int) -> Fraction | None:
    r"""The fraction $a/b$ with $|a|, b \le \sqrt{m/2}$ and $a \equiv b \cdot$
    residue, if there is one.

    There is at most one: two such would have $|ab' - a'b| < m$, a multiple of
    m. It is found half way down Euclid's algorithm, whose steps keep $r_i
    \equiv t_i \cdot$ residue.

    >>> rational(pow(3, -1, 10007) * -2 % 10007, 10007)
    Fraction(-2, 3)
    """
    limit = isqrt(modulus // 2)
    r0, r1, t0, t1 = modulus, residue % modulus, 0, 1
    while r1 > limit:
        q = r0 // r1
        r0, r1 = r1, r0 - q * r1
        t0, t1 = t1, t0 - q * t1
    if abs(t1) > limit or gcd(r1, abs(t1)) != 1:
        return None
    return Fraction(r1, t1)


def rank_modulo(matrix: ExactArray) -> int:
    """The rank of one image modulo a prime.

    It is a lower bound on the rank over K (a minor that does not vanish
    modulo p does not vanish), and equal to it for all but few primes.
    """
    if not matrix.size:
        return 0
    if max(matrix.shape) <= SMALL:
        return len(echelon(*_small_image(matrix))[1])
    return int(_image(matrix).rank())


def independent_rows(matrix: ExactArray) -> list[int]:
    """The first rows that are independent modulo a prime, hence over K."""
    if not matrix.size:
        return []
    rows, columns = np.nonzero(matrix.nonzero_mask())
    if len(rows) <= max(FEW, SPARSE * len(matrix)):
        return _first_rows(matrix, rows, columns)
    # Pivots of the transpose are the first columns that span, so the first
    # independent rows of the matrix.
    reduced, rank = _image(matrix.T).rref()
    height = matrix.shape[0]
    out = []
    first = 0
    for i in range(rank):
        # pivots move to the right from row to row
        first = next(j for j in range(first, height) if int(reduced[i, j]))
        out.append(first)
    return out


def _first_rows(matrix: ExactArray, rows: IndexArray, columns: IndexArray) -> list[int]:
    """Row by row in Python's integers, which is less work than a call of FLINT for few of them: those that add
    something new.
    """
    prime = split_prime(matrix.field, 0)
    p = prime.prime
    flat = matrix.numerators[rows, columns]
    values = residues(flat, matrix.denominator, prime.first, p)
    given: dict[int, dict[int, int]] = {}
    for i, j, v in zip(rows.tolist(), columns.tolist(), values, strict=True):
        if v:
            given.setdefault(i, {})[j] = v
    pivots: dict[int, dict[int, int]] = {}
    out = []
    for i, row in given.items():
        # A pivot is the first column of its row, so what it adds stands behind it.
        while row:
            first = min(row)
            pivot = pivots.get(first)
            if pivot is None:
                scale = pow(row[first], -1, p)
                pivots[first] = {j: v * scale % p for j, v in row.items()}
                out.append(i)
                break
            factor = row[first]
            for j, v in pivot.items():
                rest = (row.get(j, 0) - factor * v) % p
                if rest:
                    row[j] = rest
                else:
                    row.pop(j, None)
    return out


def sparse_matrix(
    shape: tuple[int, int], entries: Iterable[tuple[int, int, int]], prime: int
) -> nmod_mat:
    """From (row, column, residue), each place once.

    FLINT takes in single entries faster than a list of all.
    """
    from flint import nmod_mat

    require_room(*shape)
    out = nmod_mat(*shape, prime)
    for row, column, value in entries:
        out[row, column] = value
    return out


def _small_image(matrix: ExactArray) -> tuple[list[list[int]], int]:
    """Its rows at the first place of the first prime, and that."""
    prime = split_prime(matrix.field, 0)
    height, width = matrix.shape
    flat = matrix.numerators.reshape(height * width, -1)
    values = residues(flat, matrix.denominator, prime.first, prime.prime)
    rows = [values[i * width : (i + 1) * width] for i in range(height)]
    return rows, prime.prime


def _image(matrix: ExactArray) -> nmod_mat:
    """At the first place of the first prime."""
    prime = split_prime(matrix.field, 0)
    rows, columns = np.nonzero(matrix.nonzero_mask())
    flat = matrix.numerators[rows, columns]
    place, p = prime.first, prime.prime
    if flat.dtype == object:
        values = residues(flat, matrix.denominator, place, p)
    else:
        # There are few different numbers in our matrices: each is taken once.
        distinct, codes = np.unique(flat, axis=0, return_inverse=True)
        image = residues(distinct, matrix.denominator, place, p)
        values = [image[c] for c in codes.ravel().tolist()]
    entries = zip(rows.tolist(), columns.tolist(), values, strict=True)
    height, width = matrix.shape
    return sparse_matrix((height, width), entries, p)


@remembered
def _places(field: Field, p: int) -> PlaceTable:
    if field.conductor > 1:
        return _cyclotomic_places(field, p)
    return _radical_places(field, p)


@remembered
def _inverse(field: Field, p: int) -> PlaceTable:
    n = field.degree
    # Different homomorphisms are independent (Dedekind), so the table has an
    # inverse.
    table = _places(field, p)
    if n <= SMALL:
        unit = [[int(i == j) for j in range(n)] for i in range(n)]
        both = [[*a, *b] for a, b in zip(table, unit, strict=True)]
        reduced, _ = echelon(both, p)
        return tuple(tuple(row[n:]) for row in reduced)
    inverse = _inverse_table(field, p)
    return tuple(tuple(int(v) for v in row) for row in inverse.table())


@remembered
def _table(field: Field, p: int) -> nmod_mat:
    """The places as a matrix of FLINT, for fields of large degree."""
    return _matrix(np.array(_places(field, p), dtype=object), p)


@remembered
def _inverse_table(field: Field, p: int) -> nmod_mat:
    return _table(field, p).inv()


def _matrix(values: IntArray, p: int) -> nmod_mat:
    from flint import nmod_mat

    height, width = values.shape
    return nmod_mat(height, width, values.ravel().tolist(), p)


@remembered
def _first_place(field: Field, p: int) -> tuple[int, ...]:
    if field.conductor > 1:
        return _cosines(_root_of_unity(field.conductor, p), field, p)
    primes = {q for r in field.radicands for q in prime_factors(r)}
    roots = {q: root_modulo(q, p) for q in primes}
    return tuple(_root(r, roots, p) for r in field.radicands)


def _cosines(z: int, field: Field, p: int) -> tuple[int, ...]:
    """1 and z^k + z^-k, for a root of unity z modulo p."""
    forth, back = z, pow(z, -1, p)
    u, v = forth, back
    out = [1]
    for _ in range(1, field.degree):
        out.append((u + v) % p)
        u, v = u * forth % p, v * back % p
    return tuple(out)


def _radical_modulus(field: Field) -> int:
    """p = 1 modulo this makes every radicand a square modulo p.

    That is quadratic reciprocity; 8 takes care of the prime 2.
    """
    primes = (q for r in field.radicands for q in prime_factors(r))
    return lcm(8, *(4 * q for q in primes))


def _cyclotomic_places(field: Field, p: int) -> PlaceTable:
    """A root of unity goes to any of its powers zeta^u, with u a unit."""
    m = field.conductor
    zeta = _root_of_unity(m, p)
    rows = []
    for u in range(1, m // 2 + 1):  # u and -u give the same cosines
        if gcd(u, m) == 1:
            rows.append(_cosines(pow(zeta, u, p), field, p))
    return tuple(rows)


def _root_of_unity(m: int, p: int) -> int:
    for a in range(2, 10_000):
        # Its order divides m; it is m unless a smaller power is 1.
        zeta = pow(a, (p - 1) // m, p)
        if all(pow(zeta, m // q, p) != 1 for q in prime_factors(m)):
            return zeta
    raise ExactnessError(f"no root of unity of order {m} was found modulo {p}")


def _radical_places(field: Field, p: int) -> PlaceTable:
    """The square roots of primes go to either of their roots modulo p."""
    primes = sorted({q for r in field.radicands for q in prime_factors(r)})
    roots = [root_modulo(q, p) for q in primes]
    rows = set()
    for signs in product((1, -1), repeat=len(primes)):
        chosen = {
            q: sign * root for q, sign, root in zip(primes, signs, roots, strict=True)
        }
        rows.add(tuple(_root(r, chosen, p) for r in field.radicands))
    return tuple(sorted(rows))


def _root(r: int, roots: dict[int, int], p: int) -> int:
    value = 1
    for q in prime_factors(r):
        value = value * roots[q] % p
    return value

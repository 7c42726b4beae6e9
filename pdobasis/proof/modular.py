r"""Homomorphisms $K \to \mathbb{F}_p$, found here and not where the solvers find theirs.

A minor of a matrix over K that does not vanish modulo p does not vanish: the rank modulo p is at most the rank over K,
and the nullity at least. Both are used in the direction in which a bad prime proves less, never too much.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from math import gcd, lcm
from typing import TYPE_CHECKING

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.bounds.dense import require_room
from pdobasis.errors import ExactnessError
from pdobasis.exact.arithmetic import is_prime, prime_factors, root_modulo
from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import Field
from pdobasis.exact.integers import bound
from pdobasis.exact.types import IntArray
from pdobasis.values import dataclass

if TYPE_CHECKING:
    from flint import nmod_mat

FEW = 8
"""Rows or columns up to which a rank is found in Python integers."""
BITS = 61
"""Residues have at most so many bits: three of them add up in int64."""
SMALL_BITS = 31
"""Products of two residues of so many bits fit into int64."""
COUNT_BITS = 28
"""Of the prime that finite groups are counted with: int64 holds sums of 128 products of two residues."""
SPARE = 8
"""Bits that it has beyond the step from one prime that splits to the next."""
FIRST = {28: 268435361, 61: 2305843009213693921}
"""The largest primes of so many bits that are 1 modulo 8: the first ones for Q, which most questions are over."""
ATTEMPTS = 3
"""Primes that are tried, one after the other, before a rank is believed to be too small."""


@dataclass(frozen=True, slots=True)
class Place:
    """A prime p, and the images of the field's basis elements in F_p."""

    prime: int
    values: tuple[int, ...]


@remembered
def place(field: Field, number: int = 0, bits: int = BITS) -> Place:
    """The first is always the same; the others are drawn at random, so that no file can be written against them.

    >>> from pdobasis.exact.field import radical
    >>> found = place(radical(2))
    >>> found.values[0], pow(found.values[1], 2, found.prime)
    (1, 2)
    """
    if field.is_rational and not number and bits in FIRST:
        return Place(FIRST[bits], (1,))
    # p = 1 modulo the step: K then has as many homomorphisms to F_p as its degree, and one is taken
    step = step_of(field)
    start = 1 << bits
    if (
        number
    ):  # anywhere in the upper half: a good share of 2^60 numbers is prime and splits
        from random import SystemRandom

        start -= SystemRandom().randrange(start // 2)
    prime = start - (start - 1) % step
    while not is_prime(prime):
        prime -= step
        if prime < 2:
            raise ExactnessError(
                f"no prime of {bits} bits was found that splits in {field}"
            )
    if field.conductor > 1:
        return Place(prime, _cosines(field, prime))
    return Place(prime, _roots(field, prime))


def step_of(field: Field) -> int:
    """p = 1 modulo this: F_p then has the roots of unity, or (by quadratic reciprocity) the square roots, of K."""
    if field.conductor > 1:
        return field.conductor
    return lcm(8, *(4 * q for r in field.radicands for q in prime_factors(r)))


def bits_of_prime(least: int, field: Field) -> int:
    """Of one that splits and is beyond numbers of less than ``least`` bits.

    Such primes are 1 modulo a step: among so many multiples of it there are some.
    """
    return max(COUNT_BITS, least, step_of(field).bit_length() + SPARE)


def _cosines(field: Field, p: int, turns: int = 1) -> tuple[int, ...]:
    """b_k = z^k + z^-k and b_0 = 1, for z a power of an element of order M; that is z itself for one turn."""
    m = field.conductor
    z = pow(_root_of_unity(m, p), turns, p)
    rest = range(1, field.degree)
    return 1, *((pow(z, k, p) + pow(z, m - k, p)) % p for k in rest)


def _root_of_unity(m: int, p: int) -> int:
    """An element of order m modulo p."""
    factors = prime_factors(m)
    # a^((p-1)/M) has an order that divides M, and M itself for a good share of all a
    for a in range(2, 10_000):
        z = pow(a, (p - 1) // m, p)
        if all(pow(z, m // q, p) != 1 for q in factors):
            return z
    raise ExactnessError(f"no root of unity of order {m} was found modulo {p}")


def _roots(
    field: Field, p: int, negative: Collection[int] = frozenset()
) -> tuple[int, ...]:
    """sqrt(r) as the product of the roots of the prime factors of r, so that products agree.

    Those of ``negative`` primes are the other ones.
    """
    out = []
    for r in field.radicands:
        value = 1
        for q in prime_factors(r):
            root = root_modulo(q, p)
            if q in negative:
                root = -root
            value = value * root % p
        out.append(value)
    return tuple(out)


def places(field: Field, p: int) -> list[Place]:
    """All homomorphisms to F_p, as many as the degree, for a prime that is 1 modulo :func:`step_of` the field.

    >>> from pdobasis.exact.field import radical
    >>> sorted(at.values for at in places(radical(5), 41))
    [(1, 13), (1, 28)]
    """
    if field.conductor > 1:
        m = field.conductor
        # z and 1/z have the same cosines
        turns = [k for k in range(1, m // 2 + 1) if gcd(k, m) == 1]
        found = [_cosines(field, p, k) for k in turns]
    else:
        primes = sorted({q for r in field.radicands for q in prime_factors(r)})
        sizes = range(len(primes) + 1)
        signs = [own for size in sizes for own in combinations(primes, size)]
        found = list(dict.fromkeys(_roots(field, p, own) for own in signs))
    # all of them, and independent: a number that is 0 at every place is then divisible by p
    entries = []
    for i, values in enumerate(found):
        entries += [(i, j, value) for j, value in enumerate(values)]
    degree = field.degree
    if len(found) != degree or rank_of((degree, degree), entries, p) != degree:
        raise ExactnessError(f"{field} has not as many places at {p} as its degree")
    return [Place(p, values) for values in found]


def residues(values: ExactArray, at: Place) -> IntArray:
    """The images of all numbers, as int64 of the same shape."""
    return images(values.numerators, values.denominator, at)


def images(numerators: IntArray, denominator: int, at: Place) -> IntArray:
    """Likewise, of numbers that need not be in lowest terms."""
    p, (*shape, degree) = at.prime, numerators.shape
    if denominator % p == 0:
        raise ExactnessError(
            f"the prime {p} divides a denominator, so nothing can be said modulo it"
        )
    if degree == 1 and denominator == 1:  # integers: no product that could overflow
        return np.asarray((numerators[..., 0] % p).astype(np.int64, copy=False))
    scale = pow(denominator, -1, p)
    # 1 is the first of every basis, so that rational numbers have the same image in every field
    weights = [w * scale % p for w in at.values[:degree]]
    if p < 1 << SMALL_BITS and numerators.dtype != object:
        # products fit into int64, and so do sums of as many residues as the degree
        if bound(numerators) * degree >= 1 << SMALL_BITS:
            found = numerators % p * np.array(weights) % p
            return np.asarray(found.sum(axis=-1) % p)
        return np.asarray(numerators @ np.array(weights) % p)
    flat = numerators.reshape(-1, degree)
    # NumPy finds no equal rows among Python's integers.
    if flat.dtype == object:
        return _combined(flat, weights, p).reshape(shape)
    distinct, which = np.unique(
        flat, axis=0, return_inverse=True
    )  # equal numbers are reduced once
    return np.asarray(_combined(distinct, weights, p)[which.ravel()].reshape(shape))


def _combined(rows: IntArray, weights: list[int], p: int) -> IntArray:
    """sum_k rows[:, k] weights[k] modulo p, in Python integers."""
    # three factors of 61 bits do not fit into int64
    images = [
        sum(c * w for c, w in zip(row, weights, strict=True) if c) % p
        for row in rows.tolist()
    ]
    return np.array(images, dtype=np.int64)


def rank_of(
    shape: tuple[int, int], entries: Iterable[tuple[int, int, int]], p: int
) -> int:
    """Of a matrix given by (row, column, residue), each place once.

    >>> rank_of((2, 3), [(0, 1, 3), (1, 1, 1)], 5)
    1
    """
    if min(shape) > FEW:
        return int(filled(shape, entries, p).rank())
    rows: list[dict[int, int]] = [{} for _ in range(shape[0])]
    for i, column, value in entries:
        rows[i][column] = value
    # few rows or columns: done before FLINT is loaded, or filled
    return len(first_independent(rows, p))


def first_independent(rows: Sequence[dict[int, int]], p: int) -> list[int]:
    """The numbers of the rows that are no combination of those before them; a row has residues by columns.

    >>> first_independent([{0: 1, 2: 4}, {0: 2, 2: 3}, {}, {1: 1}], 5)
    [0, 3]
    """
    found: dict[int, dict[int, int]] = {}
    out = []
    for number, given in enumerate(rows):
        row = {c: v for c, v in given.items() if v}
        while row:
            column = min(row)
            factor = row.pop(column)
            if column not in found:
                scale = pow(factor, -1, p)
                # without its first entry, which is 1
                found[column] = {c: v * scale % p for c, v in row.items()}
                out.append(number)
                break
            for c, v in found[column].items():
                rest = (row.get(c, 0) - factor * v) % p
                if rest:
                    row[c] = rest
                else:
                    row.pop(c, None)
    return out


def filled(
    shape: tuple[int, int], entries: Iterable[tuple[int, int, int]], p: int
) -> nmod_mat:
    """From (row, column, residue), each place once; FLINT takes in single entries faster than a list of all.

    >>> filled((2, 2), [(0, 1, 3), (1, 0, 1)], 5).rank()
    2
    """
    from flint import nmod_mat

    require_room(*shape)
    out = nmod_mat(*shape, p)
    for row, column, value in entries:
        out[row, column] = value
    return out

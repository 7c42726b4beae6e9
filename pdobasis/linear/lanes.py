r"""Numbers of a field modulo several primes and at all places at once, in
float64.

A *lane* is a homomorphism $K \to \mathbb{F}_p$ for a prime $p < 2^{26}$ that
splits in K. Residues are kept between $-p/2$ and $p/2$, so that a difference of
two products is below $2^{52}$ and float64 holds it exactly; then $x - p\,
\mathrm{round}(x/p)$ is the residue of that, and it is 0 exactly when x is 0
modulo p. This is the arithmetic in which NumPy is fastest.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.bounds.caches import remembered
from pdobasis.errors import ExactnessError
from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import RATIONALS, Field
from pdobasis.exact.integers import bound
from pdobasis.exact.primes import SplitPrime, rational, split_prime
from pdobasis.exact.types import IntArray
from pdobasis.values import dataclass

BELOW = 1 << 26
MAX_DEGREE = 8
"""A sum of so many products of residues still fits: 8 * 2^25 * 2^25 = 2^53."""

Residues = NDArray[np.float64]
"""The lanes are the first axis."""


@dataclass(frozen=True, slots=True, eq=False)
class Lanes:
    """All places of the first primes: the places of one prime stand together.

    ``modulus`` and ``inverse`` = 1/modulus have one number for each lane.
    """

    field: Field
    primes: tuple[SplitPrime, ...]
    modulus: Residues
    inverse: Residues

    def __len__(self) -> int:
        return len(self.modulus)

    @property
    def product(self) -> int:
        """Of all primes."""
        return prod(prime.prime for prime in self.primes)

    def reduce(self, values: Residues) -> Residues:
        """Residues of whole numbers below 2**53; done in place.

        The quotient is rounded, so it may be off by one; then the residue is
        just beyond p/2. It is still 0 exactly for multiples of p.
        """
        spread = (len(self), *(1,) * (values.ndim - 1))
        quotient = values * self.inverse.reshape(spread)
        np.rint(quotient, out=quotient)
        quotient *= self.modulus.reshape(spread)
        values -= quotient
        return values

    def images(self, values: ExactArray) -> Residues | None:
        """(lanes, numbers) of a list of field elements.

        None when a prime divides the denominator.
        """
        denominator = values.denominator
        if any(denominator % prime.prime == 0 for prime in self.primes):
            return None
        wide = values.over(self.field)
        parts = [_images(wide, prime) for prime in self.primes]
        scale = self._reciprocal(denominator)
        return self.reduce(np.concatenate(parts) * scale[:, None])

    def _reciprocal(self, denominator: int) -> Residues:
        each = []
        for prime in self.primes:
            inverse = pow(denominator, -1, prime.prime)
            each.append(float(_centred(inverse, prime.prime)))
        return np.repeat(each, self.field.degree)

    def inverses(self, values: Residues) -> Residues:
        """Of (lanes, numbers), none of which is zero."""
        found = []
        moduli = self.modulus.astype(np.int64).tolist()
        rows = values.astype(np.int64).tolist()
        for row, p in zip(rows, moduli, strict=True):
            found.append([pow(v, -1, p) for v in row])
        inverses = np.array(found, dtype=np.float64)
        return self.reduce(inverses.reshape(values.shape))

    def lift(self, values: Residues) -> ExactArray | None:
        """The field elements with these images, (lanes, numbers).

        Their coefficients are small rationals; None where there are no such.
        Whether they are the right ones has to be checked.
        """
        count, n = values.shape[1], self.field.degree
        total: IntArray = np.zeros((n, count), dtype=np.int64)
        modulus = 1
        for k, prime in enumerate(self.primes):
            # Chinese remainders, as numbers total + modulus * t. Two primes
            # make at most 2^52, so int64 holds all of it.
            own = _coefficients(values[k * n : (k + 1) * n], prime)
            step = pow(modulus, -1, prime.prime)
            t = (own - total) % prime.prime * step % prime.prime
            total = total + modulus * t
            modulus *= prime.prime
        # Few numbers are different, and reconstruction is slow.
        distinct, which = np.unique(total, return_inverse=True)
        known: list[Fraction] = []
        for r in distinct.tolist():
            number = rational(r, modulus)
            if number is None:
                return None
            known.append(number)
        common = lcm(1, *(q.denominator for q in known))
        numbers = [q.numerator * (common // q.denominator) for q in known]
        numerators = _smallest(numbers)[which.reshape(n, count)]
        return exact(np.ascontiguousarray(numerators.T), common, self.field)


@remembered
def lanes(field: Field, count: int = 2) -> Lanes | None:
    """All places of so many primes, for a field of small degree; None where there are not so many."""
    if field.degree > MAX_DEGREE:
        return None
    try:
        primes = tuple(split_prime(field, k, BELOW) for k in range(count))
    except ExactnessError:
        return None
    moduli = [float(prime.prime) for prime in primes]
    modulus = np.repeat(moduli, field.degree)
    return Lanes(field, primes, modulus, 1.0 / modulus)


def lane(p: int) -> Lanes:
    """Rational numbers modulo one prime below 2**26."""
    modulus = np.array([float(p)])
    return Lanes(RATIONALS, (SplitPrime(p, RATIONALS),), modulus, 1.0 / modulus)


def _images(values: ExactArray, prime: SplitPrime) -> Residues:
    """(places, numbers) of the numerators."""
    p = prime.prime
    numbers = values.numerators
    if numbers.dtype == object or bound(numbers) > p // 2:
        numbers = (numbers % p).astype(np.int64)
        numbers = np.where(numbers > p // 2, numbers - p, numbers)
    return _times(prime.places, numbers.astype(np.float64).T, p)


def _coefficients(values: Residues, prime: SplitPrime) -> IntArray:
    """(basis elements, numbers) from 0 to p, from images at all places."""
    p = prime.prime
    # With one place the image is the number itself.
    if len(values) > 1:
        values = _times(prime.inverse, values, p)
    return values.astype(np.int64) % p


def _times(table: tuple[tuple[int, ...], ...], values: Residues, p: int) -> Residues:
    """table @ values modulo p, for residues; the degree bounds the sum."""
    centred = [[_centred(v, p) for v in row] for row in table]
    out = np.array(centred, dtype=np.float64) @ values
    out -= p * np.rint(out / p)
    return np.asarray(out)


def _centred(value: int, p: int) -> int:
    if value > p // 2:
        return value - p
    return value


def _smallest(numbers: list[int]) -> IntArray:
    """As int64 where they fit."""
    largest = max(map(abs, numbers), default=0)
    dtype: Any = np.int64
    if largest >= 1 << 62:
        dtype = object
    return np.array(numbers, dtype=dtype)

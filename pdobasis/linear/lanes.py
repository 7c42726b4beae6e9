r"""Numbers of a field modulo a prime and at all places at once, in
float64.

A *lane* is a homomorphism $K \to \mathbb{F}_p$ for a prime $p < 2^{26}$ that
splits in K. Residues are kept between $-p/2$ and $p/2$, so that a difference of
two products is below $2^{52}$ and float64 holds it exactly; then $x - p\,
\mathrm{round}(x/p)$ is the residue of that, and it is 0 exactly when x is 0
modulo p. This is the arithmetic in which NumPy is fastest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pdobasis.bounds.caches import remembered
from pdobasis.errors import ExactnessError
from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import RATIONALS, Field
from pdobasis.exact.integers import bound
from pdobasis.exact.primes import SplitPrime, split_prime
from pdobasis.exact.types import IntArray
from pdobasis.values import dataclass

BELOW = 1 << 26
MAX_DEGREE = 8
"""A sum of so many products of residues still fits: 8 * 2^25 * 2^25 = 2^53."""

Residues = NDArray[np.float64]
"""The lanes are the first axis."""


@dataclass(frozen=True, slots=True, eq=False)
class Lanes:
    """All places of one prime.

    ``modulus`` and ``inverse`` = 1/modulus have the same number for each lane.
    """

    field: Field
    prime: SplitPrime
    modulus: Residues
    inverse: Residues

    def __len__(self) -> int:
        return len(self.modulus)

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

        None when the prime divides the denominator.
        """
        denominator, p = values.denominator, self.prime.prime
        if denominator % p == 0:
            return None
        found = _images(values.over(self.field), self.prime)
        scale = float(_centred(pow(denominator, -1, p), p))
        return self.reduce(found * scale)

    def inverses(self, values: Residues) -> Residues:
        """Of (lanes, numbers), none of which is zero."""
        found = []
        moduli = self.modulus.astype(np.int64).tolist()
        rows = values.astype(np.int64).tolist()
        for row, p in zip(rows, moduli, strict=True):
            found.append([pow(v, -1, p) for v in row])
        inverses = np.array(found, dtype=np.float64)
        return self.reduce(inverses.reshape(values.shape))

    def coordinates(self, values: Residues) -> IntArray:
        """(numbers, basis of the field) modulo the prime, of (lanes, numbers)."""
        return np.ascontiguousarray(_coefficients(values, self.prime).T)


@remembered
def lanes(field: Field, index: int = 0) -> Lanes | None:
    """All places of the ``index``-th prime, for a field of small degree; None where there are not so many."""
    if field.degree > MAX_DEGREE:
        return None
    try:
        prime = split_prime(field, index, BELOW)
    except ExactnessError:
        return None
    modulus = np.repeat(float(prime.prime), field.degree)
    return Lanes(field, prime, modulus, 1.0 / modulus)


def lane(p: int) -> Lanes:
    """Rational numbers modulo one prime below 2**26."""
    modulus = np.array([float(p)])
    return Lanes(RATIONALS, SplitPrime(p, RATIONALS), modulus, 1.0 / modulus)


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

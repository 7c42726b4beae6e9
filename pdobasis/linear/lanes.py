r"""Numbers of a field modulo several primes and at all places at once, in float64.

A *lane* is a homomorphism $K \to \mathbb{F}_p$ for a prime $p < 2^{26}$ that splits in K. Residues are kept between
$-p/2$ and $p/2$, so that a difference of two products is below $2^{52}$ and float64 holds it exactly; then $x - p\,
\mathrm{round}(x/p)$ is the residue of that, and it is 0 exactly when x is 0 modulo p. This is the arithmetic in which
NumPy is fastest.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import Field
from pdobasis.exact.integers import bound
from pdobasis.exact.primes import SplitPrime, rational, split_prime
from pdobasis.exact.types import IntArray

BELOW = 1 << 26
MAX_DEGREE = 8
"""A sum of so many products of residues still fits."""

Residues = NDArray[np.float64]
"""The lanes are the first axis."""


@dataclass(frozen=True, slots=True, eq=False)
class Lanes:
    """All places of the first primes: the places of one prime stand together."""

    field: Field
    primes: tuple[SplitPrime, ...]
    modulus: Residues
    inverse: Residues

    def __len__(self) -> int:
        return len(self.modulus)

    def reduce(self, values: Residues) -> Residues:
        """Residues of whole numbers below 2**53; done in place."""
        modulus, inverse = self.modulus, self.inverse
        for _ in range(values.ndim - 1):
            modulus, inverse = modulus[..., None], inverse[..., None]
        quotient = values * inverse
        np.rint(quotient, out=quotient)
        quotient *= modulus
        values -= quotient
        return values

    def images(self, values: ExactArray) -> Residues | None:
        """(lanes, numbers) of a list of field elements; None when a prime divides the denominator."""
        if any(values.denominator % prime.prime == 0 for prime in self.primes):
            return None
        wide = values.over(self.field)
        parts = [_images(wide, prime) for prime in self.primes]
        return self.reduce(np.concatenate(parts) * self._reciprocal(values.denominator)[:, None])

    def _reciprocal(self, denominator: int) -> Residues:
        each = [float(_centred(pow(denominator, -1, p.prime), p.prime)) for p in self.primes]
        return np.repeat(each, self.field.degree)

    def inverses(self, values: Residues) -> Residues:
        """Of (lanes, numbers), none of which is zero."""
        rows = zip(values.astype(np.int64).tolist(), self.modulus.astype(np.int64).tolist(), strict=True)
        found = [[pow(v, -1, p) for v in row] for row, p in rows]
        return self.reduce(np.array(found, dtype=np.float64).reshape(values.shape))

    def lift(self, values: Residues) -> ExactArray | None:
        """The field elements with these images, (lanes, numbers), whose coefficients are small rationals."""
        count, n = values.shape[1], self.field.degree
        total: IntArray = np.zeros((n, count), dtype=np.int64)
        modulus = 1
        for k, prime in enumerate(self.primes):
            own = _coefficients(values[k * n : (k + 1) * n], prime)
            step = pow(modulus, -1, prime.prime)
            total = total + modulus * ((own - total) % prime.prime * step % prime.prime)
            modulus *= prime.prime
        distinct, which = np.unique(total, return_inverse=True)
        found = [rational(r, modulus) for r in distinct.tolist()]
        known = [q for q in found if q is not None]
        if len(known) < len(found):
            return None
        common = lcm(1, *(q.denominator for q in known))
        numbers = [q.numerator * (common // q.denominator) for q in known]
        dtype: Any = np.int64 if max(map(abs, numbers), default=0) < 1 << 62 else object
        numerators = np.array(numbers, dtype=dtype)[which.reshape(n, count)]
        return exact(np.ascontiguousarray(numerators.T), common, self.field)


@cache
def lanes(field: Field, count: int = 2) -> Lanes | None:
    """All places of so many primes, for a field of small degree."""
    if field.degree > MAX_DEGREE:
        return None
    primes = tuple(split_prime(field, k, BELOW) for k in range(count))
    modulus = np.repeat([float(p.prime) for p in primes], field.degree)
    return Lanes(field, primes, modulus, 1.0 / modulus)


def _images(values: ExactArray, prime: SplitPrime) -> Residues:
    """(places, numbers) of the numerators."""
    p = prime.prime
    numbers = values.numerators
    if numbers.dtype == object or bound(numbers) > p // 2:
        numbers = (numbers % p).astype(np.int64)
        numbers = np.where(numbers > p // 2, numbers - p, numbers)
    table = np.array([[_centred(v, p) for v in row] for row in prime.places], dtype=np.float64)
    out = table @ numbers.astype(np.float64).T
    out -= p * np.rint(out / p)
    return np.asarray(out)


def _coefficients(values: Residues, prime: SplitPrime) -> IntArray:
    """(basis elements, numbers) between 0 and p, from the images at all places."""
    p = prime.prime
    if len(values) == 1:
        return values.astype(np.int64) % p
    table = np.array([[_centred(v, p) for v in row] for row in prime.inverse], dtype=np.float64)
    out = table @ values
    out -= p * np.rint(out / p)
    return np.asarray(out).astype(np.int64) % p


def _centred(value: int, p: int) -> int:
    return value - p if value > p // 2 else value

"""A growing span of vectors modulo a prime."""

from __future__ import annotations

import numpy as np

from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import Field
from pdobasis.exact.primes import residues, split_prime
from pdobasis.exact.types import IntArray


def image(array: ExactArray, field: Field) -> IntArray:
    """The numbers at the first place of the field's first prime.

    They are Python integers, so that products cannot overflow.
    """
    prime = split_prime(field, 0)
    wide = array.over(field)
    flat = wide.numerators.reshape(-1, field.degree)
    found = residues(flat, wide.denominator, prime.first, prime.prime)
    return np.array(found, dtype=object).reshape(array.shape)


class Span:
    """Vectors modulo a prime, in echelon form; Python integers throughout."""

    def __init__(self, prime: int) -> None:
        self.prime = prime
        self._rows: list[tuple[int, IntArray]] = []  # (pivot, row with 1 there)

    def __len__(self) -> int:
        return len(self._rows)

    def rest(self, vector: IntArray) -> IntArray:
        """What is left of a vector modulo the span; zero if it lies in it."""
        v = vector.ravel() % self.prime
        # Every row has 1 at its pivot, and zeros at the earlier ones.
        for pivot, row in self._rows:
            if v[pivot]:
                v = (v - v[pivot] * row) % self.prime
        return np.asarray(v)

    def add(self, vector: IntArray) -> bool:
        """Whether the vector is new, and makes the span larger.

        >>> span = Span(7)
        >>> [span.add(np.array(v, dtype=object)) for v in ([1, 2], [3, 6])]
        [True, False]
        """
        v = self.rest(vector)
        nonzero = np.flatnonzero(v)
        if not len(nonzero):
            return False
        pivot = int(nonzero[0])
        inverse = pow(int(v[pivot]), -1, self.prime)
        self._rows.append((pivot, v * inverse % self.prime))
        return True

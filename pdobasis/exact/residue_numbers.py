"""Single numbers modulo a prime at which their field has a place."""

from __future__ import annotations

from flint import fmpq

from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import Field
from pdobasis.exact.primes import residues, split_prime
from pdobasis.exact.scalars import Number, Radical, Surd

PRIME = (1 << 31) - 1
"""For rational numbers: products of residues fit into int64."""


class Residues:
    """Numbers of a field modulo a prime at which it has a place."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.prime: int = PRIME
        self.place: tuple[int, ...] = (1,)
        self.roots: dict[int, int] = {}
        if not field.is_rational:
            found = split_prime(field, 0)
            self.prime = found.prime
            self.place = found.places[0]

    def __call__(self, value: Number) -> int:
        p = self.prime
        if not isinstance(value, Surd):
            return int(value.p) * pow(int(value.q), -1, p) % p
        if isinstance(value, Radical):
            return sum(self(q) * self._root(r) for r, q in value.parts.items()) % p
        return self._of_array(value)

    def _root(self, r: int) -> int:
        """That of √r, computed once."""
        if r not in self.roots:
            self.roots[r] = self._of_array(Radical({r: fmpq(1)}))
        return self.roots[r]

    def _of_array(self, value: Surd) -> int:
        p = self.prime
        wide: ExactArray = value.value.over(self.field)
        flat = wide.numerators.reshape(-1, self.field.degree)
        return int(residues(flat, wide.denominator, self.place, p)[0])

"""Many numbers that are known modulo more and more primes, until small fractions explain them."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import numpy as np

from pdobasis.exact.primes import rational
from pdobasis.exact.types import IndexArray, IntArray


class Remainders:
    """Number k is ``residues[which[k]]`` modulo the product of the primes so far.

    Most numbers occur many times. Those that are equal modulo all primes so far are taken for the same.
    """

    def __init__(self, values: IntArray, p: int) -> None:
        distinct, which = np.unique(values % p, return_inverse=True)
        self.which: IndexArray = which
        self.residues: list[int] = distinct.tolist()
        self.modulus = p

    def add(self, values: IntArray, p: int) -> None:
        """Chinese remainders: a modulo m and b modulo p make a + m t with t = (b - a) / m modulo p."""
        distinct, which = np.unique(self.which * p + values % p, return_inverse=True)
        old, new = np.divmod(distinct, p)
        inverse = pow(self.modulus, -1, p)
        out = []
        for k, b in zip(old.tolist(), new.tolist(), strict=True):
            a = self.residues[k]
            out.append(a + self.modulus * ((b - a) * inverse % p))
        self.which, self.residues = which, out
        self.modulus *= p

    def fractions(self) -> list[Fraction] | None:
        """Small ones with these residues, where all have such; whether they are right has to be checked."""
        out = []
        for r in self.residues:
            value = rational(r, self.modulus)
            if value is None:
                return None
            out.append(value)
        return out

    def are_explained(self, by: list[Fraction], values: IntArray, p: int) -> bool:
        """Whether the fractions have these residues modulo another prime."""
        if any(q.denominator % p == 0 for q in by):
            return False
        images = [q.numerator * pow(q.denominator, -1, p) % p for q in by]
        expected = np.array(images, dtype=np.int64)[self.which]
        return bool(((values - expected) % p == 0).all())

    def written(self, fractions: list[Fraction]) -> tuple[IntArray, int]:
        """All numbers over one denominator, as Python's integers."""
        common = lcm(1, *(q.denominator for q in fractions))
        whole = [q.numerator * (common // q.denominator) for q in fractions]
        return np.array(whole, dtype=object)[self.which], common

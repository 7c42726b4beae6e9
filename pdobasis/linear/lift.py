"""Echelon forms modulo several primes, put together and lifted to K."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from pdobasis.bounds.watch import check
from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import Field
from pdobasis.exact.primes import (
    SplitPrime,
    rational,
    sparse_matrix,
)
from pdobasis.linear.sparse import Sparse

if TYPE_CHECKING:
    from flint import nmod_mat


class Lift:
    """The reduced echelon form of one system, known modulo more and more.

    ``residues[k]`` belongs to entry k of (pivot row, free column), row by row:
    one number modulo ``modulus`` for each element of the field's basis.
    """

    def __init__(self, field: Field) -> None:
        self.field = field
        self.modulus: int = 1
        self.pivots: list[int] = []
        self.free: list[int] = []
        self.residues: list[list[int]] = []

    def add(self, system: Sparse, prime: SplitPrime) -> bool:
        """Reduce modulo a prime at every place; False when it is unlucky."""
        found = _echelon_at_all_places(system, prime)
        if found is None:
            return False
        pivots, free, images = found
        if self.modulus > 1 and pivots != self.pivots:
            # Reduction can only lose rank, or move pivots where it does not:
            # the prime with fewer pivots is the unlucky one.
            if len(pivots) < len(self.pivots):
                return False
            self.modulus = 1
        values = prime.from_all_places(images)
        if self.modulus == 1:
            self.residues, self.modulus = values, prime.prime
            self.pivots, self.free = pivots, free
        else:
            self._combine(values, prime.prime)
        return True

    def _combine(self, values: list[list[int]], prime: int) -> None:
        """Chinese remainders: a modulo m and b modulo p make one number.

        It is a + m t with t = (b - a) / m modulo p.
        """
        inverse = pow(self.modulus, -1, prime)
        for old, new in zip(self.residues, values, strict=True):
            for i, b in enumerate(new):
                step = (b - old[i]) * inverse % prime
                old[i] += self.modulus * step
        self.modulus *= prime

    def vectors(self, width: int) -> ExactArray | None:
        """v_f = e_f + sum over pivots, as far as small rationals explain them.

        Whether they are solutions has to be checked: a wrong reconstruction
        looks like any other.
        """
        numbers = self._rationals()
        if numbers is None:
            return None
        den = lcm(1, *(q.denominator for row in numbers for q in row))
        shape = (len(self.free), width, self.field.degree)
        data = np.zeros(shape, dtype=object)
        for i, f in enumerate(self.free):
            data[i, f, 0] = den
        for k, row in enumerate(numbers):
            i, j = divmod(k, len(self.free))
            scaled = [q.numerator * (den // q.denominator) for q in row]
            data[j, self.pivots[i]] = scaled
        return exact(data, den, self.field)

    def _rationals(self) -> list[list[Fraction]] | None:
        # Few residues are different: each is reconstructed once.
        known: dict[int, Fraction | None] = {}
        out: list[list[Fraction]] = []
        for entry in self.residues:
            row: list[Fraction] = []
            for r in entry:
                if r not in known:
                    known[r] = rational(r, self.modulus)
                value = known[r]
                if value is None:
                    return None
                row.append(value)
            out.append(row)
        return out


def _echelon_at_all_places(
    system: Sparse, prime: SplitPrime
) -> tuple[list[int], list[int], list[list[int]]] | None:
    """(pivots, free columns, for each place the entries of the null vectors).

    None where the places do not agree on the pivots.
    """
    images: list[list[int]] = []
    pivots: list[int] = []
    free: list[int] = []
    values = system.values
    for image in prime.at_all_places(values.numerators, values.denominator):
        check()
        reduced, rank = _image(system, image, prime.prime).rref()
        table = reduced.table()[:rank]
        found = [_first_nonzero(row) for row in table]
        if images and found != pivots:
            return None
        pivots = found
        free = sorted(set(range(system.shape[1])) - set(pivots))
        p = prime.prime
        images.append([-int(row[f]) % p for row in table for f in free])
        if not free:
            break
    return pivots, free, images


def _image(system: Sparse, image: list[int], prime: int) -> nmod_mat:
    rows, columns = system.rows.tolist(), system.columns.tolist()
    return sparse_matrix(system.shape, zip(rows, columns, image, strict=True), prime)


def _first_nonzero(row: list[Any]) -> int:
    return next(j for j, v in enumerate(row) if int(v))

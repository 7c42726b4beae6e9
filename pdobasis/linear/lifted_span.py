r"""The reduced echelon form over Q of a space that is known modulo primes, by vectors that span it.

The form is taken modulo one prime $p < 2^{26}$ after the other, until small fractions explain all residues, those
modulo one more prime, too. It is then believed, not proved: whoever finds spaces in this way has them proved.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import lcm

import numpy as np

from pdobasis.bounds.watch import check
from pdobasis.errors import ExactnessError
from pdobasis.exact.array import exact
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.primes import rational, split_prime
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.linear.dense_residues import Residues, echelon
from pdobasis.linear.sparse import Sparse

BELOW = 1 << 26
MAX_PRIMES = 60

Span = Callable[[int], Residues | None]
"""As many vectors as the space has dimensions, modulo a prime; None where it divides a denominator."""


def echelon_of_span(span: Span) -> Sparse:
    """The rows of the echelon form, sorted by row and column.

    The vectors may be different ones modulo each prime: their echelon form is not.
    """
    found: _Known | None = None
    for index in range(MAX_PRIMES):
        check()
        p = split_prime(RATIONALS, index, BELOW).prime
        vectors = span(p)
        form = None if vectors is None else echelon(vectors, p)
        if form is None:
            continue
        pivots, rows = form
        # Modulo an unlucky prime pivots come later, or numbers vanish: then what is known is not what is seen.
        if found is None or found.is_beyond(pivots):
            found = _Known(pivots, rows, p)
            continue
        if not np.array_equal(pivots, found.pivots):
            continue
        values = found.at_support(rows)
        if values is None:
            found = _Known(pivots, rows, p)
            continue
        solved = found.reconstructed()
        if solved is not None and found.explains(solved, values, p):
            return found.written(solved)
        found.add(values, p)
    raise ExactnessError(f"an echelon form was not lifted from {MAX_PRIMES} primes")


class _Known:
    """An echelon form modulo a product of primes: ``residues[which[k]]`` stands in (rows[k], columns[k]).

    Most numbers stand in many places. Entries that are equal modulo all primes so far are taken for the same number.
    """

    def __init__(self, pivots: IndexArray, form: Residues, p: int) -> None:
        self.pivots = pivots
        self.shape: tuple[int, int] = (form.shape[0], form.shape[1])
        self.rows, self.columns = np.nonzero(form)
        self.modulus = p
        distinct, which = np.unique(form[self.rows, self.columns], return_inverse=True)
        self.which: IndexArray = which
        self.residues: list[int] = distinct.astype(np.int64).tolist()

    def is_beyond(self, pivots: IndexArray) -> bool:
        """Whether the pivots that are known come later: then they were those of an unlucky prime."""
        return tuple(pivots.tolist()) < tuple(self.pivots.tolist())

    def at_support(self, form: Residues) -> IntArray | None:
        """The entries modulo another prime; None where there are some that vanished modulo the first."""
        values = form[self.rows, self.columns]
        if np.count_nonzero(form) > np.count_nonzero(values):
            return None
        return values.astype(np.int64)

    def add(self, values: IntArray, p: int) -> None:
        """Chinese remainders: a modulo m and b modulo p make a + m t with t = (b - a) / m modulo p."""
        keys = self.which * (2 * p) + (values + p)
        distinct, which = np.unique(keys, return_inverse=True)
        old, new = np.divmod(distinct, 2 * p)
        inverse = pow(self.modulus, -1, p)
        out = []
        for k, b in zip(old.tolist(), (new - p).tolist(), strict=True):
            a = self.residues[k]
            out.append(a + self.modulus * ((b - a) * inverse % p))
        self.which, self.residues = which, out
        self.modulus *= p

    def reconstructed(self) -> list[Fraction] | None:
        out = []
        for r in self.residues:
            value = rational(r, self.modulus)
            if value is None:
                return None
            out.append(value)
        return out

    def explains(self, solved: list[Fraction], values: IntArray, p: int) -> bool:
        """Whether the fractions have these residues modulo another prime."""
        if any(q.denominator % p == 0 for q in solved):
            return False
        images = [q.numerator * pow(q.denominator, -1, p) % p for q in solved]
        expected = np.array(images, dtype=np.int64)[self.which]
        return bool(((values - expected) % p == 0).all())

    def written(self, solved: list[Fraction]) -> Sparse:
        common = lcm(*(q.denominator for q in solved))
        whole = [q.numerator * (common // q.denominator) for q in solved]
        numbers: IntArray = np.array(whole, dtype=object)[self.which]
        values = exact(numbers[:, None], common, RATIONALS)
        return Sparse(self.rows, self.columns, values, self.shape)

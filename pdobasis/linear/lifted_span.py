r"""The reduced echelon form over Q of a space that is known modulo primes, by vectors that span it.

The form is taken modulo one prime $p < 2^{26}$ after the other, until small fractions explain all residues, those
modulo one more prime, too. It is then believed, not proved: whoever finds spaces in this way has them proved.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from pdobasis.bounds.watch import check
from pdobasis.errors import ExactnessError
from pdobasis.exact.array import exact
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.primes import split_prime
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.linear.dense_residues import Residues, echelon
from pdobasis.linear.remainders import Remainders
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
        solved = found.numbers.fractions()
        if solved is not None and found.numbers.are_explained(solved, values, p):
            return found.written(solved)
        found.numbers.add(values, p)
    raise ExactnessError(f"an echelon form was not lifted from {MAX_PRIMES} primes")


class _Known:
    """An echelon form modulo some primes: its pivots, where it is not zero, and the numbers there."""

    def __init__(self, pivots: IndexArray, form: Residues, p: int) -> None:
        self.pivots = pivots
        self.shape: tuple[int, int] = (form.shape[0], form.shape[1])
        self.rows, self.columns = np.nonzero(form)
        values = form[self.rows, self.columns].astype(np.int64)
        self.numbers = Remainders(values, p)

    def is_beyond(self, pivots: IndexArray) -> bool:
        """Whether the pivots that are known come later: then they were those of an unlucky prime."""
        return tuple(pivots.tolist()) < tuple(self.pivots.tolist())

    def at_support(self, form: Residues) -> IntArray | None:
        """The entries modulo another prime; None where there are some that vanished modulo the first."""
        values = form[self.rows, self.columns]
        if np.count_nonzero(form) > np.count_nonzero(values):
            return None
        return values.astype(np.int64)

    def written(self, solved: list[Fraction]) -> Sparse:
        numbers, common = self.numbers.written(solved)
        values = exact(numbers[:, None], common, RATIONALS)
        return Sparse(self.rows, self.columns, values, self.shape)

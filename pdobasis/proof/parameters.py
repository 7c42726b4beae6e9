r"""Theorem: the primary invariants $\theta_1, \dots, \theta_r$ are a regular sequence of the polynomials S.

None, and one that is not zero, always are: S has no divisors of zero. As many as variables are one if and only if they
are a system of parameters, that is if $S/(\theta)$ has finite dimension. A regular sequence of orders $d_i$ leaves the
series $\prod_i (1 - t^{d_i}) / (1 - t)^d$, a polynomial of degree $\sum (d_i - 1)$. So one order has to be looked at:
when $(\theta)$ holds all monomials of order $\sum (d_i - 1) + 1$, it holds those of every later one. A rank that is
full modulo a prime is full.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from pdobasis.exact.field import RATIONALS, Field, join
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.operators.symbols import Symbols
from pdobasis.proof.claim import Claim
from pdobasis.proof.modular import Place, place, residues
from pdobasis.proof.points import number_of_monomials, powers, where

if TYPE_CHECKING:
    from flint import nmod_mat

ATTEMPTS = 2
"""Primes that are tried before the invariants are believed to have a common zero."""


def quotient_series(dim: int, degrees: Sequence[int], order: int) -> tuple[int, ...]:
    r"""The first coefficients of $\prod_i (1 - t^{d_i}) / (1 - t)^d$.

    >>> quotient_series(2, (2, 4), 5)  # polynomials modulo x1^2 + x2^2 and x1^4
    (1, 2, 2, 2, 1, 0)
    """
    out = numerator([1] + [0] * order, degrees)
    for _ in range(dim):
        out = list(accumulate(out))
    return tuple(out)


def numerator(series: Sequence[int], degrees: Sequence[int]) -> list[int]:
    r"""The series times $\prod_i (1 - t^{d_i})$.

    >>> numerator([1, 2, 3, 4, 5], (1, 1))
    [1, 0, 0, 0, 0]
    """
    out = list(series)
    for degree in degrees:
        for n in range(len(out) - 1, degree - 1, -1):
            out[n] -= out[n - degree]
    return out


def parameters(primary: Sequence[Symbols], dim: int) -> Claim:
    """The claim, for invariants that are one symbol each."""
    degrees = tuple(theta.order for theta in primary)
    holds: bool | None = None
    how = (
        f"{len(primary)} forms in {dim} variables: neither one nor as many as variables"
    )
    if len(primary) <= 1:
        holds = all(len(theta.element) == 1 for theta in primary)
        how = "polynomials have no divisors of zero"
    elif len(primary) == dim:
        holds = is_system(primary, dim)
        how = f"they generate all monomials of order {beyond(degrees)}, modulo a prime"
    return Claim("parameters", holds, how, (("degrees", degrees),))


def is_system(primary: Sequence[Symbols], dim: int) -> bool:
    """Whether as many forms as variables have no common zero but 0."""
    order = beyond([theta.order for theta in primary])
    for number in range(ATTEMPTS):
        found = ideal(primary, dim, order, number)
        if not len(found.free):
            return True
    return False


def beyond(degrees: Sequence[int]) -> int:
    """The first order in which a system of parameters leaves nothing."""
    return sum(d - 1 for d in degrees) + 1


@dataclass(frozen=True, slots=True, eq=False)
class Ideal:
    r"""$(\theta)_n$ modulo a prime.

    Its reduced echelon form has ones at ``pivots``, and ``rest`` at the ``free`` monomials.
    """

    at: Place
    field: Field
    pivots: IndexArray
    free: IndexArray
    rest: nmod_mat

    def remainders(self, part: Symbols) -> IntArray:
        """All entries modulo the ideal, (entry, free monomial).

        The class of v is v[free] - v[pivots] R[free]: every row of the echelon form R is zero in the quotient.
        """
        values = residues(part.coefficients.over(self.field), self.at)
        out = values[:, self.free]
        if not out.size or not len(self.pivots):
            return out
        moved = matrix_modulo(values[:, self.pivots], self.at.prime) * self.rest
        # residues have at most 61 bits, so that a difference fits into int64
        return np.asarray((out - residue_table(moved)) % self.at.prime)


def ideal(
    primary: Sequence[Symbols],
    dim: int,
    order: int,
    number: int = 0,
    field: Field = RATIONALS,
) -> Ideal:
    r"""All multiples $x^\alpha \theta_i$ of this order, modulo a prime that splits in ``field`` too."""
    field = reduce(join, (t.coefficients.field for t in primary), field)
    at = place(field, number)
    width = number_of_monomials(dim, order)
    rows = [np.zeros((0, width), dtype=np.int64)]
    rows += [_multiples(theta, order, field, at) for theta in primary]
    echelon, rank = matrix_modulo(np.concatenate(rows), at.prime).rref()
    table = residue_table(echelon)[:rank]
    # in reduced form every row starts with its pivot
    pivots = (table != 0).argmax(axis=1)
    free = np.setdiff1d(np.arange(width), pivots)
    return Ideal(at, field, pivots, free, matrix_modulo(table[:, free], at.prime))


def _multiples(theta: Symbols, order: int, field: Field, at: Place) -> IntArray:
    """Row alpha: x^alpha theta over the monomials of the order."""
    dim, low = theta.dim, order - theta.order
    out = np.zeros(
        (number_of_monomials(dim, low), number_of_monomials(dim, order)), dtype=np.int64
    )
    if low < 0:
        return out
    (values,) = residues(theta.coefficients.over(field), at)
    used = np.flatnonzero(values)
    own = powers(dim, theta.order, theta.order)[used]
    places = where(dim, order, order)
    for row, alpha in enumerate(powers(dim, low, low)):
        columns = [places[tuple(beta)] for beta in (own + alpha).tolist()]
        out[row, columns] = values[used]
    return out


def matrix_modulo(values: IntArray, prime: int) -> nmod_mat:
    """FLINT's own."""
    from flint import nmod_mat

    rows, columns = values.shape
    return nmod_mat(rows, columns, values.ravel().tolist(), prime)


def pivots(echelon: nmod_mat, rank: int) -> list[int]:
    """The columns in which the rows of an echelon form start: a walk along its stairs, and no look at the rest."""
    found: list[int] = []
    column = 0
    for row in range(rank):
        while not int(echelon[row, column]):
            column += 1
        found.append(column)
        column += 1
    return found


def residue_table(values: nmod_mat) -> IntArray:
    """The other way."""
    flat = [int(v) for v in values.entries()]
    shape = (values.nrows(), values.ncols())
    return np.array(flat, dtype=np.int64).reshape(shape)

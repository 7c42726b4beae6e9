r"""Theorem: of a module only the angular elements have to be looked at.

Let G be a subgroup of O(d), and let the elements of order n with a power of the Laplacian be exactly $r^2$ times all
elements of order n - 2 (:mod:`.module`). Then all elements are equivariant if the others, $\chi_j$, are: $r^2$ is
invariant. And all elements are independent if the $\chi_j$ of every order are independent modulo $r^2$: from
$\sum a_i r^2 P_i + \sum c_j \chi_j = 0$ follows $c = 0$, and then $\sum a_i P_i = 0$, since $r^2$ is no divisor of
zero; so $a = 0$ by induction.

So remainders modulo $r^2$ are ranked: every polynomial has one in which $x_1$ stands once at most, as $x_1^2$ is
$-x_2^2 - \dots - x_d^2$. Of harmonic elements the coefficients of the same monomials are taken as they are. All others
follow from these by $\partial_1^2 P = -(\partial_2^2 + \dots) P$, so that elements are independent where these
coefficients are; and then they are independent modulo $r^2$, since no multiple of $r^2$ is harmonic but 0.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pdobasis.bounds.watch import check
from pdobasis.exact.array import exact
from pdobasis.exact.integers import bound, widen
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.operators.symbols import Symbols
from pdobasis.proof.batch import Batch, Found
from pdobasis.proof.module import Powers, selected
from pdobasis.proof.points import number_of_monomials, powers, times_square


def angular_elements(block: Found, powers: Powers) -> Found:
    """Those of a module that are no multiples of r^2, up to a common factor of each order."""
    parts = []
    for part, own_powers in zip(block.parts, powers, strict=True):
        chosen = np.flatnonzero(own_powers == 0)
        if len(chosen) == part.size:
            parts.append(part)
            continue
        element, row, column, numbers = selected(part, chosen)
        values = exact(numbers, 1, part.coefficients.field)
        own = (len(chosen), part.shape, element, row, column, values)
        parts.append(Symbols(part.dim, part.order, *own))
    return replace(block, parts=tuple(parts), structure=None)


def modulo_square(batch: Batch) -> Batch:
    """Elements that are independent only where those of the batch are independent modulo r^2."""
    if batch.high < 2:
        return batch
    places = _squares(batch)
    if _are_harmonic(batch, places):
        return _linear_in_first(batch, batch.coefficients.numerators)
    return _linear_in_first(batch, _remainders(batch, places))


def _squares(batch: Batch) -> IndexArray:
    r"""Row i: the columns of $x_i^2 x^\beta$, for all beta of which these are in the batch."""
    dim, low, high = batch.dim, batch.low, batch.high
    first = _lowest(batch)
    # orders 0 and 1 have no squares: their columns come before
    earlier = number_of_monomials(dim + 1, first + 1) - number_of_monomials(
        dim + 1, low - 1
    )
    return times_square(dim, first, high - 2) + earlier


def _lowest(batch: Batch) -> int:
    """The order of the lowest beta."""
    return max(batch.low - 2, 0)


def _are_harmonic(batch: Batch, places: IndexArray) -> bool:
    """Whether the Laplacian of every entry is zero."""
    numbers = batch.coefficients.numerators
    # at most d terms with factors below n^2 meet in a monomial
    (wide,) = widen(numbers, limit=bound(numbers) * batch.dim * batch.high**2)
    below = powers(batch.dim, _lowest(batch), batch.high - 2)
    # x_i^2 x^beta loses its square
    factors = (below + 2) * (below + 1)
    found: IntArray = wide[:, places[0]] * factors[:, :1]
    for i in range(1, batch.dim):
        found += wide[:, places[i]] * factors[:, i : i + 1]
    return not np.count_nonzero(found)


def _remainders(batch: Batch, places: IndexArray) -> IntArray:
    r"""The remainders of all entries: $x_1^2$ becomes $-x_2^2 - \dots - x_d^2$ until it occurs no more."""
    numbers, half = batch.coefficients.numerators, batch.high // 2
    # in a monomial meet as many terms as (x_2^2 + ... + x_d^2)^q has, for q = 0, 1, ..., half
    terms = (half + 1) * max(1, batch.dim - 1) ** half
    (wide,) = widen(numbers, limit=bound(numbers) * terms)
    out = wide.copy()
    power = powers(batch.dim, _lowest(batch), batch.high - 2)[:, 0]
    squares, *others = places
    # the highest powers of x_1 first: what becomes of them has lower ones
    for k in range(batch.high - 2, -1, -1):
        check()
        own = np.flatnonzero(power == k)
        taken = out[:, squares[own]]
        for moved in others:
            out[:, moved[own]] -= taken
    return out


def _linear_in_first(batch: Batch, numbers: IntArray) -> Batch:
    """The coefficients of the monomials in which x_1 stands once at most."""
    kept = powers(batch.dim, batch.low, batch.high)[:, 0] < 2
    values = exact(numbers[:, kept], 1, batch.coefficients.field)
    return replace(batch, coefficients=values)

r"""Theorem: of a module only the angular elements have to be looked at.

Let G be a subgroup of O(d), and let the elements of order n with a power of the Laplacian be exactly $r^2$ times all
elements of order n - 2 (:mod:`.module`). Then all elements are equivariant if the others, $\chi_j$, are: $r^2$ is
invariant. And all elements are independent if the $\chi_j$ of every order are independent modulo $r^2$: from
$\sum a_i r^2 P_i + \sum c_j \chi_j = 0$ follows $c = 0$, and then $\sum a_i P_i = 0$, since $r^2$ is no divisor of
zero; so $a = 0$ by induction.

Harmonic elements are independent modulo $r^2$ where they are independent, since no multiple of $r^2$ is harmonic but 0.
Of others remainders are taken: modulo $r^2$ every polynomial has one in which $x_d$ stands once at most, as $x_d^2$ is
$-x_1^2 - \dots - x_{d-1}^2$.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

import numpy as np

from pdobasis.bounds.watch import check
from pdobasis.exact.array import exact
from pdobasis.exact.integers import bound, widen
from pdobasis.exact.types import IntArray
from pdobasis.operators.symbols import Symbols
from pdobasis.proof.batch import TOGETHER, Found, side_by_side
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


def remainders(angular: Found) -> Found:
    """Elements that are independent only where the given ones are independent modulo r^2: they, if all are harmonic."""
    are_harmonic = _are_harmonic(angular.parts)
    if all(are_harmonic):
        return angular
    parts = []
    for part, is_harmonic in zip(angular.parts, are_harmonic, strict=True):
        if not is_harmonic:
            part = modulo_square(part)
        parts.append(part)
    return replace(angular, parts=tuple(parts))


def _are_harmonic(parts: Sequence[Symbols]) -> list[bool]:
    """Of symbols of order 0, 1, …, all at once where they are few."""
    if len(parts) <= 2:
        return [True] * len(parts)
    dim, top = parts[0].dim, len(parts) - 1
    numbers = sum(part.coefficients.numerators[:, 0].size for part in parts)
    if numbers * number_of_monomials(dim + 1, top) > TOGETHER:
        return [part.order < 2 or _is_harmonic(part) for part in parts]
    orders = range(2, top + 1)
    every = side_by_side([p.coefficients for p in parts[2:]], orders, dim, (2, top))
    found = _laplacian(every.numerators, dim, (0, top - 2))
    if not found.any():
        return [True] * len(parts)
    ends = accumulate((len(part.element) for part in parts[2:]), initial=0)
    return [True, True, *(not found[a:b].any() for a, b in pairwise(ends))]


def _is_harmonic(part: Symbols) -> bool:
    """Whether the Laplacian of every entry is zero."""
    check()
    below = part.order - 2
    found = _laplacian(part.coefficients.numerators, part.dim, (below, below))
    return not found.any()


def _laplacian(numbers: IntArray, dim: int, between: tuple[int, int]) -> IntArray:
    """Of polynomials, over the monomials of these orders."""
    # at most d terms with factors below n^2 meet in a monomial
    limit = bound(numbers) * dim * (between[1] + 2) ** 2
    (wide,) = widen(numbers, limit=limit)
    below = powers(dim, *between)
    out: IntArray = np.zeros((len(wide), len(below), wide.shape[2]), dtype=wide.dtype)
    for i, places in enumerate(times_square(dim, *between)):
        # x_i^2 x^beta loses its square
        factors = (below[:, i] + 2) * (below[:, i] + 1)
        out += wide[:, places] * factors[:, None]
    return out


def modulo_square(part: Symbols) -> Symbols:
    """The remainders of all elements modulo r^2, up to a common factor.

    >>> from pdobasis.exact.array import integers
    >>> from pdobasis.operators.symbols import from_dense
    >>> part = from_dense(integers([[[[1, 2, 3]]]]), 2, 2)
    >>> modulo_square(part).coefficients.numerators[..., 0].tolist()
    [[-2, 2, 0]]
    """
    dim, order, values = part.dim, part.order, part.coefficients
    # a monomial has at most (d - 1)^(n / 2) terms, and as many meet as there are monomials
    terms = max(1, dim - 1) ** (order // 2) * number_of_monomials(dim, order)
    (wide,) = widen(values.numerators, limit=bound(values.numerators) * terms)
    out = wide.copy()
    last = powers(dim, order - 2, order - 2)[:, -1]
    *others, squares = times_square(dim, order - 2, order - 2)
    # the highest powers of x_d first: what becomes of them has lower ones
    for power in range(order - 2, -1, -1):
        own = np.flatnonzero(last == power)
        taken = out[:, squares[own]]
        out[:, squares[own]] = 0
        for places in others:
            out[:, places[own]] -= taken
    return replace(part, coefficients=exact(out, 1, values.field))

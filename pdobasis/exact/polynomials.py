r"""Homogeneous polynomials of one order: monomials, and what a linear map does
to them.

Monomials of order $n$ in $d$ variables are listed with $x_1$ first: $x_1^2, x_1
x_2, x_2^2$.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import (
    ExactArray,
    exact,
    integers,
    lowest,
)
from pdobasis.exact.field import LARGE_DEGREE
from pdobasis.exact.integers import INT_LIMIT, bound, widen
from pdobasis.exact.scattered import (
    Scattered,
    entries_of,
    gathered,
    meetings,
    scattered,
)
from pdobasis.exact.types import IndexArray, IntArray

AT_ONCE = 10_000
"""Numbers up to which all variables are substituted in one product: beyond, memory counts, and not calls."""


@remembered
def monomials(dim: int, order: int) -> tuple[tuple[int, ...], ...]:
    """The exponents, in the order of the coefficient axis.

    >>> monomials(2, 2)
    ((2, 0), (1, 1), (0, 2))
    """
    if dim == 1:
        return ((order,),)
    out = []
    for a in range(order, -1, -1):
        out += [(a, *rest) for rest in monomials(dim - 1, order - a)]
    return tuple(out)


def count(dim: int, order: int) -> int:
    return comb(order + dim - 1, dim - 1)


@remembered
def position(dim: int, order: int) -> dict[tuple[int, ...], int]:
    return {alpha: k for k, alpha in enumerate(monomials(dim, order))}


def substitution(maps: ExactArray, order: int) -> ExactArray:
    r"""S with $(Ax)^\alpha = \sum_\beta S_{\alpha\beta} x^\beta$, for a batch
    of matrices A of shape (t, d, d).

    By $(Ax)^\alpha = (Ax)_i\,(Ax)^{\alpha - e_i}$, one order at a time; a
    homomorphism for products of A reversed: S(AB) = S(A) S(B) as matrices
    acting on coefficient rows.
    """
    return substitutions_up_to(maps, order)[order]


def substitutions_up_to(maps: ExactArray, order: int) -> list[ExactArray]:
    """The same for all orders 0, …, ``order``."""
    by_orders = Substitutions(maps)
    out = [by_orders.first]
    for n in range(1, order + 1):
        out.append(by_orders.next(out[-1], n))
    return out


def scattered_substitution(a: ExactArray, order: int) -> Scattered:
    """S of one matrix with few non-zeros, by the same recursion."""
    dim = len(a)
    first = entries_of(a)
    out = entries_of(integers([[1]], a.field))
    for n in range(1, order + 1):
        leading, lower = _first_factor(dim, n)
        raised = np.stack(_raising(dim, n - 1))
        # row alpha is row i of A times a row of the order below: every entry of one meets every entry of the other
        own, i = meetings(leading, first.rows, dim)
        which, k = meetings(lower[own], out.rows, len(out))
        alpha, i = own[which], i[which]
        size = count(dim, n)
        out = gathered(
            (size, size),
            alpha,
            raised[first.columns[i], out.columns[k]],
            first.values.take(i) * out.values.take(k),
        )
    return out


class Substitutions:
    """S of a batch of matrices, one order after the other."""

    def __init__(self, maps: ExactArray) -> None:
        self.maps = maps
        field, dim = maps.field, maps.shape[1]
        self.largest: int = bound(maps.numerators)
        # No number of order n exceeds the n-th power of this.
        self.step: int = self.largest * field.expansion * field.degree * dim
        self._table: IntArray | None = None

    @property
    def first(self) -> ExactArray:
        """Of order 0."""
        ones = np.zeros((len(self.maps), 1, 1, self.maps.field.degree), dtype=np.int64)
        ones[..., 0] = 1
        return lowest(ones, 1, self.maps.field)

    def next(self, lower_order: ExactArray, order: int) -> ExactArray:
        """Of this order, from the order below."""
        if order == 1:  # (Ax)_i = sum_j A_ij x_j
            return self.maps
        raised = self._raised(lower_order.numerators, order)
        den = lower_order.denominator * self.maps.denominator
        return exact(raised, den, self.maps.field)

    @property
    def table(self) -> IntArray:
        """A small field has small multiplication matrices: those of a row of A side by side, (t, i; n, j n)."""
        if self._table is None:
            field = self.maps.field
            (wide,) = widen(self.maps.numerators, limit=self.step)
            every = field.multiplication(wide, self.largest).transpose(0, 1, 3, 2, 4)
            self._table = every.reshape(*every.shape[:3], -1)
        return self._table

    def _raised(self, lower_order: IntArray, order: int) -> IntArray:
        """The numerators (t, alpha, beta, n)."""
        dim, field = self.maps.shape[1], self.maps.field
        degree = field.degree
        leading, lower = _first_factor(dim, order)
        # Where this power is large it is looked how large numbers are.
        limit: int = self.step**order
        if limit >= INT_LIMIT:
            limit = bound(lower_order) * self.step
        is_small = degree <= LARGE_DEGREE
        factors = self.table if is_small else self.maps.numerators
        rows = lower_order.take(lower, axis=1)
        rows, table = widen(rows, factors.take(leading, axis=1), limit=limit)
        # (Ax)_i = sum_j A_ij x_j, and x_j raises the monomials of the rest.
        if is_small and rows.size <= AT_ONCE:
            return _raised_at_once(rows, table, dim, order)
        if is_small and degree > 1:
            return _raised_by_coordinates(rows, table, dim, order)
        shape = (len(self.maps), len(leading), count(dim, order), degree)
        out: IntArray = np.zeros(shape, dtype=rows.dtype)
        for j, raised in enumerate(_raising_places(dim, order - 1)):
            if degree == 1:
                out[:, :, raised] += rows * table[..., j, None]
            else:
                # loaded for such fields alone, which few questions have
                from pdobasis.exact.products import elementwise

                out[:, :, raised] += elementwise(rows, table[:, :, j, None], field)
        return out


def _raised_by_coordinates(
    rows: IntArray, table: IntArray, dim: int, order: int
) -> IntArray:
    """Coordinate k of x_j times a row adds up coordinates i with the number (i, k) of a matrix: many numbers at once.

    Products of very small matrices, one for each number, would take several times as long.
    """
    t, alphas, _, degree = rows.shape
    planes = np.ascontiguousarray(np.moveaxis(rows, -1, 0))
    out = np.zeros((degree, t, alphas, count(dim, order)), dtype=rows.dtype)
    for j, raised in enumerate(_raising_places(dim, order - 1)):
        for k in range(degree):
            for i, plane in enumerate(planes):
                factors = table[:, :, i, j * degree + k, None]
                if factors.any():
                    out[k][:, :, raised] += plane * factors
    return np.ascontiguousarray(np.moveaxis(out, 0, -1))


def _raised_at_once(rows: IntArray, table: IntArray, dim: int, order: int) -> IntArray:
    """All products with all variables, (t, alpha; beta, j; n); for every monomial the sum of those that lead to it."""
    t, alphas, _, degree = rows.shape
    products = (rows @ table).reshape(t, alphas, -1, degree)
    # a variable that a monomial lacks leads to it from nowhere, where there is a zero
    nothing = np.zeros((t, alphas, 1, degree), dtype=products.dtype)
    padded = np.concatenate([products, nothing], axis=2)
    found = padded.take(_lowering(dim, order), axis=2)
    return np.asarray(np.add.reduce(found, axis=2))


def derivation(x: ExactArray, order: int) -> ExactArray:
    r"""D with $(Xx)\cdot\nabla x^\alpha = \sum_\beta D_{\alpha\beta} x^\beta$.

    The derivative of S(1 + tX).
    """
    size = count(x.shape[0], order)
    alpha, beta, values = derivation_entries(x, order)
    return scattered((size, size), alpha, beta, values)


def derivation_entries(
    x: ExactArray, order: int
) -> tuple[IndexArray, IndexArray, ExactArray]:
    """Where D may be other than zero, each place once, and what it is there."""
    dim = x.shape[0]
    size = count(dim, order)
    alpha, beta, values = drift(x, exponents(dim, order, order))
    places, where = np.unique(alpha * size + beta, return_inverse=True)
    # at most d terms meet: those that lead to where they come from
    (wide,) = widen(values.numerators, limit=bound(values.numerators) * dim)
    out: IntArray = np.zeros((len(places), x.field.degree), dtype=wide.dtype)
    np.add.at(out, where, wide)
    return *np.divmod(places, size), exact(out, values.denominator, x.field)


def drift(x: ExactArray, powers: IntArray) -> tuple[IndexArray, IndexArray, ExactArray]:
    r"""(alpha, beta, v) with $(Xx)\cdot\nabla x^\alpha = \sum v\,x^\beta$.

    For all exponents; places may repeat.
    """
    i, j = np.nonzero(x.nonzero_mask())
    slot, alpha = np.nonzero(powers[:, i].T)
    i, j = i[slot], j[slot]
    # X_ij x_j d/dx_i takes x_i away (alpha_i times), and puts x_j there.
    moved = powers[alpha]
    every = np.arange(len(alpha))
    factor = moved[every, i]
    moved[every, i] -= 1
    moved[every, j] += 1
    values = x[i, j] * integers(factor)
    return alpha, _positions(moved, powers), values


def _positions(wanted: IndexArray, powers: IntArray) -> IndexArray:
    """Where each of the wanted exponents stands in the list.

    Exponents are read as the digits of a number, with room to spare.
    """
    base, dim = int(powers.max(initial=0)) + 2, powers.shape[1]
    dtype: Any = np.int64
    if base**dim >= INT_LIMIT:
        dtype = object
    weights = np.array([base**k for k in range(dim)], dtype=dtype)
    keys = powers @ weights
    order = np.argsort(keys)
    found = np.searchsorted(keys[order], wanted @ weights)
    return np.asarray(order[found])


@remembered
def exponents(dim: int, low: int, high: int) -> IntArray:
    """The exponents of all monomials of these orders, one row each."""
    every: list[tuple[int, ...]] = []
    for n in range(low, high + 1):
        every += monomials(dim, n)
    out = np.array(every, dtype=np.int64).reshape(-1, dim)
    out.setflags(write=False)
    return out


def times_monomials(dim: int, order: int, factor: tuple[int, ...]) -> IndexArray:
    """Positions of x^factor * x^alpha among those of order + |factor|.

    >>> times_monomials(2, 1, (0, 2)).tolist()  # x1 x2^2 and x2^3
    [2, 3]
    """
    return np.asarray(_times_all(dim, order, np.array([factor]))[0])


def times_powers(dim: int, order: int, power: int) -> IndexArray:
    """The same for the powers of all variables: (variable, monomial).

    >>> times_powers(2, 1, 2).tolist()
    [[0, 1], [2, 3]]
    """
    return _times_all(dim, order, power * np.eye(dim, dtype=np.int64))


def _times_all(dim: int, order: int, factors: IntArray) -> IndexArray:
    """For factors of one order."""
    top = order + int(factors[0].sum())
    used = (exponents(dim, order, order) + factors[:, None]).cumsum(axis=2)[..., :-1]
    return np.asarray(_before(dim, top)[range(dim - 1), top - used].sum(axis=2))


@remembered
def _before(dim: int, order: int) -> IndexArray:
    """How many monomials have more of x_i and the same powers before it, from the order left behind x_i: (left, i).

    These have at most one order less for the variables behind x_i.
    """
    behind = range(dim - 1, 0, -1)
    table = [[comb(left + k - 1, k) for k in behind] for left in range(order + 1)]
    return np.array(table, dtype=np.int64).reshape(order + 1, dim - 1).T


@remembered
def _first_factor(dim: int, order: int) -> tuple[IndexArray, IndexArray]:
    """x^alpha = x_i x^beta for its first variable: (i, beta) of every alpha."""
    leading, lower = [], []
    where = position(dim, order - 1)
    for alpha in monomials(dim, order):
        i = next(k for k, a in enumerate(alpha) if a)
        rest = (*alpha[:i], alpha[i] - 1, *alpha[i + 1 :])
        leading.append(i)
        lower.append(where[rest])
    return np.array(leading), np.array(lower)


@remembered
def _raising(dim: int, order: int) -> tuple[IndexArray, ...]:
    """What each variable makes of every monomial."""
    return tuple(times_powers(dim, order, 1))


@remembered
def _raising_places(dim: int, order: int) -> tuple[IndexArray | slice, ...]:
    """The same; as a slice where they follow each other, which is read and written faster."""
    out: list[IndexArray | slice] = []
    for moved in _raising(dim, order):
        first = int(moved[0])
        if int(moved[-1]) - first == len(moved) - 1:
            out.append(slice(first, first + len(moved)))
        else:
            out.append(moved)
    return tuple(out)


@remembered
def _lowering(dim: int, order: int) -> IndexArray:
    """Where x^beta = x_j x^rest stands in a list of all (rest, j): (j, beta); behind its end where there is no rest.

    >>> _lowering(2, 1).tolist()
    [[0, 2], [2, 1]]
    """
    below, size = count(dim, order - 1), count(dim, order)
    out = np.full((dim, size), below * dim)
    for j, raised in enumerate(_raising(dim, order - 1)):
        out[j, raised] = np.arange(j, below * dim, dim)
    return out


@remembered
def parities(dim: int, order: int) -> list[tuple[tuple[int, ...], list[int]]]:
    """The variables that stand with odd powers, and the monomials in which it is these, for all that there are.

    >>> parities(2, 2)
    [((), [0, 2]), ((0, 1), [1])]
    """
    found: dict[tuple[int, ...], list[int]] = {}
    for k, alpha in enumerate(monomials(dim, order)):
        odd = tuple(i for i, power in enumerate(alpha) if power % 2)
        found.setdefault(odd, []).append(k)
    return list(found.items())


@remembered
def factors(dim: int, order: int) -> tuple[list[int], list[int]]:
    """x^alpha = x_i x^beta for its first variable, as plain numbers: all i, and all beta.

    >>> factors(2, 2)
    ([0, 0, 1], [0, 1, 1])
    """
    leading, lower = _first_factor(dim, order)
    return leading.tolist(), lower.tolist()


@remembered
def raising(dim: int, order: int) -> list[list[int]]:
    """Where each variable takes every monomial of the order, as plain numbers.

    >>> raising(2, 1)
    [[0, 1], [1, 2]]
    """
    return [moved.tolist() for moved in _raising(dim, order)]


@remembered
def derivatives(dim: int, order: int) -> list[list[tuple[int, int, int]]]:
    r"""(i, k, beta) with $\partial_i x^\alpha = k x^\beta$ for every alpha, as plain numbers.

    >>> derivatives(2, 2)
    [[(0, 2, 0)], [(0, 1, 1), (1, 1, 0)], [(1, 2, 1)]]
    """
    where = position(dim, order - 1)
    out = []
    for alpha in monomials(dim, order):
        own = []
        for i, k in enumerate(alpha):
            if k:
                own.append((i, k, where[(*alpha[:i], k - 1, *alpha[i + 1 :])]))
        out.append(own)
    return out

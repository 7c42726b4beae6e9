r"""Polynomials in the derivatives of fields, and what a group does to them.

A *coordinate* is one derivative of one component, $\partial_t^k \partial^\alpha u_c$; a polynomial maps sorted tuples
of coordinates to numbers. Under g the coordinates move as $u_c \mapsto \rho(g)_{cc'} u_{c'}$ and
$\partial_a \mapsto (g^{-T})_{ab} \partial_b$.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from flint import fmpq

from pdobasis.exact.scalars import Number, plain


class Coordinate(NamedTuple):
    """``field`` and ``component`` count from 0; ``alpha`` are the orders in x1, …, xd, ``time`` that in t."""

    field: int
    component: int
    alpha: tuple[int, ...]
    time: int = 0

    @property
    def order(self) -> int:
        return sum(self.alpha)


def reading(c: Coordinate) -> tuple[int, int, tuple[int, ...], int]:
    """The order in which one writes: ∂₁ before ∂₂."""
    return c.field, c.component, tuple(-n for n in c.alpha), c.time


Monomial = tuple[Coordinate, ...]
Polynomial = dict[Monomial, Number]
Row = Mapping[Coordinate, Number]
Move = Callable[[Coordinate], Row]

ONE = fmpq(1)


def add_to(
    total: Polynomial, other: Mapping[Monomial, Number], factor: Number | int = 1
) -> None:
    """total += factor * other; zeros are dropped."""
    for monomial, value in other.items():
        found = total.get(monomial, fmpq(0)) + value * factor
        if found:
            total[monomial] = plain(found)
        else:
            total.pop(monomial, None)


def product(a: Mapping[Monomial, Number], b: Mapping[Monomial, Number]) -> Polynomial:
    out: Polynomial = {}
    for m, v in a.items():
        add_to(out, {tuple(sorted((*m, *n))): v * w for n, w in b.items()})
    return out


def derivation(polynomial: Mapping[Monomial, Number], move: Move) -> Polynomial:
    r"""$\sum_k \frac{\partial f}{\partial j_k}\,\mathrm{move}(j_k)$: Leibniz, one factor after the other."""
    out: Polynomial = {}
    for monomial, value in polynomial.items():
        for k, coordinate in enumerate(monomial):
            rest = monomial[:k] + monomial[k + 1 :]
            for other, factor in move(coordinate).items():
                add_to(out, {tuple(sorted((*rest, other))): value * factor})
    return out


def substitution(polynomial: Mapping[Monomial, Number], move: Move) -> Polynomial:
    """Every coordinate replaced by a sum; equal words are collected after every factor, so that they stay few."""
    degree = max(map(len, polynomial), default=0)
    current: dict[Monomial, Number] = dict(polynomial)
    for k in range(degree):
        moved: dict[Monomial, Number] = {}
        for word, value in current.items():
            if len(word) <= k:
                add_to(moved, {word: value})
                continue
            # the factors before k are new, those after it are still to come
            for other, factor in move(word[k]).items():
                new = (*sorted((*word[:k], other)), *word[k + 1 :])
                add_to(moved, {new: value * factor})
        current = moved
    out: Polynomial = {}
    for word, value in current.items():
        add_to(out, {tuple(sorted(word)): value})
    return out


def total_derivative(
    polynomial: Mapping[Monomial, Number],
    axis: int | None,
    constants: Collection[int] = (),
) -> Polynomial:
    """∂ of a polynomial along x_axis, or along t for None; the fields ``constants`` have none.

    >>> u = Coordinate(0, 0, (0, 0))
    >>> ((monomial, value),) = total_derivative({(u, u): fmpq(1)}, 0).items()
    >>> [c.alpha for c in monomial], value  # ∂₁ u² = 2 u ∂₁u
    ([(0, 0), (1, 0)], 2)
    """
    return derivation(
        polynomial, lambda c: {} if c.field in constants else {raised(c, axis): ONE}
    )


def raised(c: Coordinate, axis: int | None) -> Coordinate:
    """One more derivative."""
    if axis is None:
        return c._replace(time=c.time + 1)
    alpha = (*c.alpha[:axis], c.alpha[axis] + 1, *c.alpha[axis + 1 :])
    return c._replace(alpha=alpha)


def is_same(a: Mapping[Monomial, Number], b: Mapping[Monomial, Number]) -> bool:
    rest = dict(a)
    add_to(rest, b, -1)
    return not rest


def combination(
    parts: Iterable[tuple[Number, Mapping[Monomial, Number]]],
) -> Polynomial:
    out: Polynomial = {}
    for factor, polynomial in parts:
        if factor:
            add_to(out, polynomial, factor)
    return out

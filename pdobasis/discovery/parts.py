r"""Integration by parts, exactly: a term as $\sum_\alpha \partial^\alpha F_\alpha$ with fewer derivatives in F.

With a test function $\varphi$ that vanishes at the border, $\int \varphi\, \partial^\alpha F = (-1)^{|\alpha|}
\int \partial^\alpha\varphi\, F$, so what stands in front of F is taken from noisy data to a polynomial. For a factor
$\partial_i c$ of a monomial $c^k\, \partial_i c\; r$ the product rule reads

$$c^k\, \partial_i c\; r = \tfrac{1}{k+1} \partial_i (c^{k+1} r) - \tfrac{1}{k+1} c^{k+1} \partial_i r,$$

and it is used where all of the right-hand side is simpler: the orders of derivatives, largest first, are
lexicographically smaller. $u\, \partial_i u$ and linear terms become divergences; $u_2 \partial_2 u_1$ stays.
"""

from __future__ import annotations

from collections.abc import Mapping

from flint import fmpq

from pdobasis.exact.scalars import Number
from pdobasis.nonlinear.polynomials import (
    Coordinate,
    Monomial,
    Polynomial,
    add_to,
    total_derivative,
)

Alpha = tuple[int, ...]
Moved = dict[Alpha, Polynomial]


def by_parts(polynomial: Mapping[Monomial, Number], dim: int) -> Moved:
    """F by α.

    >>> u = Coordinate(0, 0, (0,))
    >>> du = Coordinate(0, 0, (1,))
    >>> by_parts({(u, du): fmpq(1)}, 1) == {(1,): {(u, u): fmpq(1, 2)}}  # u u' = (u²/2)'
    True
    """
    out: Moved = {}
    waiting: list[tuple[Alpha, Monomial, Number]] = []
    zero = (0,) * dim
    for monomial, value in polynomial.items():
        waiting.append((zero, monomial, value))
    while waiting:
        alpha, monomial, value = waiting.pop()
        step = _step(monomial, dim)
        if step is None:
            add_to(out.setdefault(alpha, {}), {monomial: value})
            continue
        axis, flux, rest = step
        raised = tuple(a + (i == axis) for i, a in enumerate(alpha))
        for m, v in flux.items():
            waiting.append((raised, m, value * v))
        for m, v in rest.items():
            waiting.append((alpha, m, value * v))
    return {alpha: own for alpha, own in sorted(out.items()) if own}


def _step(monomial: Monomial, dim: int) -> tuple[int, Polynomial, Polynomial] | None:
    """(axis, what is differentiated, what is left), both simpler than the monomial."""
    orders = _orders(monomial)
    if not orders or not orders[0]:
        return None
    for place, c in enumerate(monomial):
        if c.order != orders[0]:
            continue
        others = monomial[:place] + monomial[place + 1 :]
        for axis in range(dim):
            if not c.alpha[axis]:
                continue
            lower = _lowered(c, axis)
            power = others.count(lower) + 1
            r = tuple(f for f in others if f != lower)
            share = fmpq(1, power)
            flux = {tuple(sorted((*r, *[lower] * power))): share}
            rest: Polynomial = {}
            for m, v in total_derivative({r: fmpq(1)}, axis).items():
                add_to(rest, {tuple(sorted((*m, *[lower] * power))): -share * v})
            if all(_orders(m) < orders for m in rest):
                return axis, dict(flux), rest
    return None


def _orders(monomial: Monomial) -> tuple[int, ...]:
    return tuple(sorted((c.order for c in monomial), reverse=True))


def _lowered(c: Coordinate, axis: int) -> Coordinate:
    alpha = tuple(a - (i == axis) for i, a in enumerate(c.alpha))
    return c._replace(alpha=alpha)

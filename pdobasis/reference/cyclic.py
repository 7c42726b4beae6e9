r"""Rotations r with $r^N = 1$, all at once: the constraint for a symbolic angle, compared modulo N.

With c = cos θ and s = sin θ the left side of the constraint is a sum $\sum_k A_k\cos k\theta + B_k\sin k\theta$, that
is, of powers $\zeta^k$ of $\zeta = e^{i\theta}$. For SO(2) all have to vanish; for $\zeta^N = 1$ only their sums
over $k \equiv \pm l$ modulo N. For at the N angles $2\pi j/N$ the functions $\cos l\theta$ ($0 \le l \le N/2$) and
$\sin l\theta$ ($0 < l < N/2$) are independent, and all others are equal to one of them up to a sign, or 0. So the same
coefficients decide for every N.
"""

from __future__ import annotations

from dataclasses import replace
from math import comb

from sympy import QQ
from sympy.polys.matrices import DomainMatrix

from pdobasis.reference.group_elements import (
    PARAMETRISATIONS,
    GroupElement,
    generic_element,
)
from pdobasis.reference.question import Monomial, Scalar, SymbolicQuestion, Triple

MAX_ORDER = 1_000
"""The largest N that is looked for."""

Waves = dict[tuple[str, int], dict[Monomial, Scalar]]
r"""("cos", k) and ("sin", k) to the coefficients of the monomials in x."""


def rotation_order(g: DomainMatrix) -> int | None:
    """The smallest N with g^N = 1 for a rotation of the plane; None for other matrices."""
    if g.shape != (2, 2):
        return None
    one = DomainMatrix.eye(2, g.domain)
    (a, b), (c, d) = g.to_list()
    # A reflection has d = -a and c = b, and passes both equations only at 0.
    if a != d or b != -c or not (g * g.transpose() - one).is_zero_matrix:
        return None
    power = g
    for n in range(1, MAX_ORDER + 1):
        if (power - one).is_zero_matrix:
            return n
        power = power * g
    return None


def rotation_element(
    question: SymbolicQuestion, g: Triple, order: int
) -> GroupElement | None:
    """R(θ) with its images, where both representations are formulas that give the images of g."""
    if question.in_functor is None or question.out_functor is None:
        return None
    inverse = g.base.transpose()  # g is a rotation
    # What holds for R(θ) says something of g only if the formulas give its images.
    given = [(question.in_functor, g.rho_in), (question.out_functor, g.rho_out)]
    if not all(
        (functor(g.base, inverse) - rho).is_zero_matrix for functor, rho in given
    ):
        return None
    what = f"every rotation r with r^{order} = 1, by exponents of e^(iθ) modulo {order}"
    return replace(
        generic_element(question, PARAMETRISATIONS[0]), name=g.name, stands_for=what
    )


def waves(p: Scalar) -> Waves:
    r"""A reduced polynomial in c, s (at most linear in s) and x as a sum of $\cos k\theta$ and $\sin k\theta$."""
    out: Waves = {}
    for (j, linear, *alpha), value in p.terms():
        for m in range(
            j + 1
        ):  # c^j is the mean of cos (j - 2m) theta with binomial weights
            k = j - 2 * m
            weight = value * QQ(comb(j, m), 2**j)
            if linear:  # sin t cos kt = (sin (k+1)t - sin (k-1)t) / 2
                _add(out, "sin", k + 1, tuple(alpha), weight * QQ(1, 2))
                _add(out, "sin", k - 1, tuple(alpha), weight * QQ(-1, 2))
            else:
                _add(out, "cos", k, tuple(alpha), weight)
    return _present(out)


def folded(sums: Waves, order: int) -> Waves:
    """The same at the angles 2 pi j/N: k becomes its distance to the multiples of N."""
    out: Waves = {}
    for (name, k), polynomial in sums.items():
        rest = k % order
        for alpha, value in polynomial.items():
            if 2 * rest > order:
                _add(out, name, rest - order, alpha, value)
            elif (
                name == "cos" or 0 < 2 * rest < order
            ):  # sin 0 and sin (N/2) theta vanish at all of the angles
                _add(out, name, rest, alpha, value)
    return _present(out)


def orders_of(sums: list[Waves]) -> list[int] | None:
    """All N for which the sums vanish; None when they vanish for every angle."""
    top = max((k for own in sums for _, k in own), default=None)
    if top is None:
        return None
    # beyond 2 k no two exponents meet, so nothing can cancel
    return [n for n in range(1, 2 * top + 1) if not any(folded(own, n) for own in sums)]


def _add(out: Waves, name: str, k: int, alpha: Monomial, value: Scalar) -> None:
    """cos(-k) = cos k, sin(-k) = -sin k, sin 0 = 0."""
    if name == "sin" and k == 0:
        return
    if name == "sin" and k < 0:
        value = -value
    own = out.setdefault((name, abs(k)), {})
    if alpha in own:
        value = own[alpha] + value
    own[alpha] = value


def _present(sums: Waves) -> Waves:
    # Waves may cancel in a sum, and what cancels must not count as one.
    cleaned = {
        key: {a: v for a, v in polynomial.items() if v}
        for key, polynomial in sums.items()
    }
    return {key: polynomial for key, polynomial in cleaned.items() if polynomial}

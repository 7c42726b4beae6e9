r"""Galilean invariance: under a boost by c, $x \to x + ct$, a velocity becomes $u + c$, $\partial_t$ becomes
$\partial_t - c \cdot \nabla$. A combination f is the same in every moving frame if $\delta_c f = 0$ for all c, where
$\delta_c$ sends $u_a \to c_a$ and $\partial_t^k j \to -k\,c\cdot\nabla\,\partial_t^{k-1} j$.
"""

from __future__ import annotations

from collections.abc import Callable

from flint import fmpq

from pdobasis.errors import SpecError
from pdobasis.exact.scalars import Number
from pdobasis.nonlinear.independent import Components
from pdobasis.nonlinear.polynomials import (
    Coordinate,
    Polynomial,
    add_to,
    derivation,
    raised,
)
from pdobasis.nonlinear.question import TermsQuestion
from pdobasis.representations.representation import from_term
from pdobasis.representations.terms import Vector


def galilean_condition(
    question: TermsQuestion, name: str
) -> Callable[[Components], Components]:
    """δ_c of every component for c = e_1, …, e_d, one after the other; ``name`` is the velocity."""
    names = [field.name for field in question.fields]
    if name not in names:
        raise SpecError(
            f"no field {name!r:.40}: the velocity is one of {', '.join(names)}"
        )
    velocity = names.index(name)
    own = question.fields[velocity]
    if own.rep != from_term(question.group, Vector(), "vector") or own.constant:
        raise SpecError(f"{name} is {own.rep.spec}: a velocity is a field, a vector")

    def boosts(components: Components) -> Components:
        return tuple(
            _shifted(polynomial, velocity, axis)
            for axis in range(question.group.dim)
            for polynomial in components
        )

    return boosts


def _shifted(polynomial: Polynomial, velocity: int, axis: int) -> Polynomial:
    def move(c: Coordinate) -> dict[Coordinate, Number]:
        if not c.time:
            return {}
        return {raised(c._replace(time=c.time - 1), axis): fmpq(-c.time)}

    out = derivation(polynomial, move)
    unit = Coordinate(velocity, axis, (0,) * _dim(polynomial))
    # u_axis -> u_axis + c: the derivative with respect to that coordinate
    for monomial, value in polynomial.items():
        count = monomial.count(unit)
        if count:
            k = monomial.index(unit)
            add_to(out, {monomial[:k] + monomial[k + 1 :]: value * count})
    return out


def _dim(polynomial: Polynomial) -> int:
    return len(next((c.alpha for m in polynomial for c in m), ()))

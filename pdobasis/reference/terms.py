"""The formulas of the library's representations, by the SymPy functions that mean the same."""

from __future__ import annotations

from sympy.polys.polyerrors import CoercionFailed

from pdobasis.reference import functors
from pdobasis.reference.harmonics import spherical
from pdobasis.reference.numbers import Numbers
from pdobasis.reference.question import Functor
from pdobasis.representations import terms
from pdobasis.representations.harmonics import AXES, Spherical


def functor_of(term: terms.Term, numbers: Numbers) -> Functor | None:
    """The formula of a term, or None for one that is known on its generators only."""
    try:
        return _functor(term, numbers)
    except _Unknown:
        return None


class _Unknown(Exception):
    """Some part of a term has no formula."""


def _functor(term: terms.Term, numbers: Numbers) -> Functor:
    match term:
        case terms.Trivial():
            return functors.trivial
        case terms.Vector():
            return functors.vector
        case terms.Determinant():
            return functors.determinant
        case terms.Dual(inner):
            return functors.dual(_functor(inner, numbers))
        case terms.Sum(parts):
            return functors.direct_sum(*(_functor(part, numbers) for part in parts))
        case terms.Tensor(a, b):
            return functors.tensor(_functor(a, numbers), _functor(b, numbers))
        case terms.Symmetric(n, inner):
            return functors.symmetric(n, _functor(inner, numbers))
        case terms.Alternating(n, inner):
            return functors.alternating(n, _functor(inner, numbers))
        case _:
            return _irrep(term, numbers)


def _irrep(term: terms.Term, numbers: Numbers) -> Functor:
    match term:
        case terms.Planar(k):
            return functors.planar(k)
        case terms.HalfTurn(k, twist, axis):
            return functors.half_turn(k, twist, numbers.matrix(axis))
        case Spherical(degree, parity, convention):
            return _spherical(degree, parity, convention, numbers)
        case _:
            raise _Unknown


def _spherical(degree: int, parity: int, convention: str, numbers: Numbers) -> Functor:
    try:
        return spherical(
            degree, parity, AXES[convention], convention != "rational", numbers.domain
        )
    except CoercionFailed:  # a square root that the field of the matrices does not hold
        raise _Unknown from None

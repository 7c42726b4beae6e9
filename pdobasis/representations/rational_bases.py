r"""Representations of SO(3) and O(3) in bases without square roots: $\rho = D\,\rho_0\,D^{-1}$ with D diagonal.

An orthonormal basis of harmonics is the rational one times square roots, and what formulas make of harmonics (duals,
products, powers, sums) inherits that. So $\rho_0$ is the same formula of rational harmonics, and $D^2$ is rational. It
leaves a scalar product as it is that is diagonal, too: $\rho_0^T M \rho_0 = M$.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import factorial, prod

from pdobasis.bounds.caches import remembered
from pdobasis.exact.polynomials import monomials
from pdobasis.groups.classical import turns_space
from pdobasis.representations.harmonics import Spherical, norm
from pdobasis.representations.representation import Representation, from_term
from pdobasis.representations.terms import (
    Alternating,
    Determinant,
    Dual,
    Sum,
    Symmetric,
    Tensor,
    Term,
    Trivial,
    Vector,
)
from pdobasis.values import dataclass

Numbers = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RationalBasis:
    """``rep`` is rational, ``squares`` are those of D, and ``metric`` is M."""

    rep: Representation
    squares: Numbers
    metric: Numbers


@remembered
def rational_basis(rep: Representation) -> RationalBasis | None:
    """None for representations of other groups, or by other formulas."""
    if turns_space(rep.group) is None or rep.term is None:
        return None
    found = _scaled(rep.term)
    if found is None:
        return None
    term, squares, metric = found
    own = rep
    if term != rep.term:
        own = from_term(rep.group, term, rep.spec)
    return RationalBasis(own, squares, metric)


def rational_harmonics_of(term: Spherical) -> Spherical:
    """Those of order 0 and 1 have no square roots."""
    if term.degree < 2:
        return term
    return replace(term, convention="rational")


def norms(degree: int) -> Numbers:
    """The metric of the rational harmonics."""
    return tuple(norm(degree, m) for m in range(-degree, degree + 1))


def _scaled(term: Term) -> tuple[Term, Numbers, Numbers] | None:
    """The formula of rho_0, the squares of D, and M."""
    one = Fraction(1)
    match term:
        case Trivial() | Determinant():
            return term, (one,), (one,)
        case Vector():
            return term, (one,) * 3, (one,) * 3
        case Spherical(degree, _, convention):
            own, ones = norms(degree), (one,) * (2 * degree + 1)
            if degree < 2:
                return term, ones, ones
            if convention == "rational":
                return term, ones, own
            # the rational harmonics have the axes of e3nn
            if convention == "e3nn":
                return rational_harmonics_of(term), own, own
            return None
        case Dual(inner):
            found = _scaled(inner)
            if found is None:
                return None
            own, *numbers = found
            squares, metric = (tuple(1 / v for v in values) for values in numbers)
            return Dual(own), squares, metric
        case Tensor(a, b):
            parts = _all_scaled((a, b))
            if parts is None:
                return None
            (left, *first), (right, *second) = parts
            squares, metric = (
                tuple(u * v for u in x for v in y)
                for x, y in zip(first, second, strict=True)
            )
            return Tensor(left, right), squares, metric
        case Sum(terms):
            parts = _all_scaled(terms)
            if parts is None:
                return None
            squares, metric = (
                tuple(v for part in parts for v in part[k]) for k in (1, 2)
            )
            return Sum(tuple(part[0] for part in parts)), squares, metric
        case Symmetric(n, inner):
            found = _scaled(inner)
            if found is None:
                return None
            own, first, second = found
            powers = monomials(len(first), n)
            # a component stands for that many permutations of a product
            counts = [factorial(n) // prod(map(factorial, alpha)) for alpha in powers]
            squares = tuple(_power(first, alpha) for alpha in powers)
            metric = tuple(
                c * _power(second, alpha)
                for c, alpha in zip(counts, powers, strict=True)
            )
            return Symmetric(n, own), squares, metric
        case Alternating(n, inner):
            found = _scaled(inner)
            if found is None:
                return None
            own, *both = found
            squares, metric = (
                tuple(map(prod, combinations(values, n))) for values in both
            )
            return Alternating(n, own), squares, metric
    return None


def _all_scaled(
    terms: tuple[Term, ...],
) -> list[tuple[Term, Numbers, Numbers]] | None:
    found = [_scaled(term) for term in terms]
    known = [own for own in found if own is not None]
    if len(known) < len(terms):
        return None
    return known


def _power(values: Numbers, alpha: tuple[int, ...]) -> Fraction:
    return prod(
        (v**k for v, k in zip(values, alpha, strict=True) if k), start=Fraction(1)
    )

r"""Representations of SO(3) and O(3) in bases without square roots: $\rho = D\,\rho_0\,D^{-1}$ with D diagonal.

An orthonormal basis of harmonics is the rational one times square roots, and what formulas make of harmonics (duals,
products, powers, sums) inherits that. So $\rho_0$ is the same formula of rational harmonics, and $D^2$ is rational. It
leaves a scalar product as it is that is diagonal, too: $\rho_0^T M \rho_0 = M$.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import factorial, lcm, prod
from operator import mul

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.bounds.watch import check
from pdobasis.exact.array import ExactArray, exact, lowest
from pdobasis.exact.field import RATIONALS, Field
from pdobasis.exact.integers import bound, widen
from pdobasis.exact.polynomials import monomials
from pdobasis.exact.roots import with_root
from pdobasis.exact.types import IndexArray, IntArray
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
    own = rep
    if found.term != rep.term:
        own = from_term(rep.group, found.term, rep.spec)
    return RationalBasis(own, found.squares, found.metric)


def rational_harmonics_of(term: Spherical) -> Spherical:
    """Those of order 0 and 1 have no square roots."""
    if term.degree < 2:
        return term
    return replace(term, convention="rational")


def norms(degree: int) -> Numbers:
    """The metric of the rational harmonics."""
    return tuple(norm(degree, m) for m in range(-degree, degree + 1))


@dataclass(frozen=True, slots=True, eq=False)
class _Scaled:
    """The formula of rho_0, the squares of D, and M."""

    term: Term
    squares: Numbers
    metric: Numbers


def _scaled(term: Term) -> _Scaled | None:
    inner: tuple[Term, ...]
    match term:
        case Trivial() | Determinant() | Vector() | Spherical():
            return _without_roots(term)
        case Dual(a) | Symmetric(_, a) | Alternating(_, a):
            inner = (a,)
        case Tensor(a, b):
            inner = (a, b)
        case Sum(parts):
            inner = parts
        case _:
            return None
    found = [_scaled(own) for own in inner]
    known = [own for own in found if own is not None]
    if len(known) < len(inner):
        return None
    squares = _diagonal(term, [own.squares for own in known])
    metric = _diagonal(term, [own.metric for own in known])
    if isinstance(term, Symmetric):
        # a component stands for that many permutations of a product
        powers = monomials(len(known[0].metric), term.n)
        counts = [factorial(term.n) // prod(map(factorial, alpha)) for alpha in powers]
        metric = tuple(map(mul, counts, metric))
    return _Scaled(_of(term, [own.term for own in known]), squares, metric)


def _without_roots(term: Trivial | Determinant | Vector | Spherical) -> _Scaled | None:
    one = Fraction(1)
    match term:
        case Vector():
            return _Scaled(term, (one,) * 3, (one,) * 3)
        case Spherical(degree, _, convention) if degree > 1:
            own = norms(degree)
            if convention == "rational":
                return _Scaled(term, (one,) * len(own), own)
            # the rational harmonics have the axes of e3nn
            if convention == "e3nn":
                return _Scaled(rational_harmonics_of(term), own, own)
            return None
        case Spherical(1):
            return _Scaled(term, (one,) * 3, (one,) * 3)
    return _Scaled(term, (one,), (one,))


def _of(term: Term, inner: Sequence[Term]) -> Term:
    """The same formula of others."""
    match term:
        case Dual():
            return Dual(*inner)
        case Tensor():
            return Tensor(*inner)
        case Symmetric(n):
            return Symmetric(n, *inner)
        case Alternating(n):
            return Alternating(n, *inner)
    return Sum(tuple(inner))


def _diagonal(term: Term, inner: Sequence[Numbers]) -> Numbers:
    """What a formula makes of diagonal matrices; of symmetric tensors for components that stand for one product."""
    first = inner[0]
    match term:
        case Dual():
            return tuple(1 / v for v in first)
        case Tensor():
            return tuple(u * v for u in first for v in inner[1])
        case Symmetric(n):
            return tuple(_power(first, alpha) for alpha in monomials(len(first), n))
        case Alternating(n):
            return tuple(Fraction(prod(own)) for own in combinations(first, n))
    return tuple(v for own in inner for v in own)


def _power(values: Numbers, alpha: tuple[int, ...]) -> Fraction:
    # of many exponents most are zero
    return prod(
        (v**k for v, k in zip(values, alpha, strict=True) if k), start=Fraction(1)
    )


def rooted(
    values: ExactArray,
    place: tuple[IndexArray, IndexArray],
    first: IndexArray,
    squares: tuple[Numbers, Numbers],
    field: Field,
) -> ExactArray:
    """Rational entries in (row, column) times $\\sqrt{s_{out}/s_{in}}$ there, over what that is in their ``first``."""
    rows, row_codes = _coded(squares[1])
    columns, column_codes = _coded(squares[0])
    row, column = row_codes[place[0]], column_codes[place[1]]
    # which four numbers an entry has: few of many
    shape = (len(rows), len(rows), len(columns), len(columns))
    codes = np.ravel_multi_index((row, row[first], column, column[first]), shape)
    distinct, which = np.unique(codes, return_inverse=True)
    factors = []
    for r, r0, c, c0 in np.array(np.unravel_index(distinct, shape)).T.tolist():
        factors.append(with_root(rows[r] * columns[c0] / (rows[r0] * columns[c])))
    common = lcm(*(factor.denominator for factor, _ in factors))
    scale = np.array([int(factor * common) for factor, _ in factors], dtype=object)
    root = np.array([field.radicands.index(rest) for _, rest in factors])
    most = max(map(int, scale))
    limit = max(bound(values.numerators), 1) * most
    (plain,) = widen(values.numerators[..., 0], limit=limit)
    weights = scale.astype(plain.dtype)[which]
    scaled = plain * weights.reshape(-1, *(1,) * (plain.ndim - 1))
    # in lowest terms before zeros are put between them: a field may have hundreds of times as many
    whole = exact(scaled[..., None], values.denominator * common, RATIONALS)
    check()
    numbers = whole.numerators[..., 0]
    out: IntArray = np.zeros((*numbers.shape, field.degree), dtype=numbers.dtype)
    out[np.arange(len(which)), ..., root[which]] = numbers
    return lowest(out, whole.denominator, field)


def _coded(values: Numbers) -> tuple[list[Fraction], IntArray]:
    """The different ones, and which each is."""
    distinct = list(dict.fromkeys(values))
    numbers = {v: k for k, v in enumerate(distinct)}
    return distinct, np.array([numbers[v] for v in values])

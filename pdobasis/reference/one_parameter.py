r"""One-parameter subgroups $e^{tX}$ with a symbol for t; those of a Lie algebra generate the identity component.

Where $X^2$ has the eigenvalues $\varepsilon k^2$ with whole numbers k, let $\Pi_k$ be the projections onto its
eigenspaces. With $T_k$ and $U_{k-1}$ of Chebyshev,

$$e^{tX} = \Pi_0 + \sum_{k>0} \bigl(T_k(c)\,\Pi_k + s\,U_{k-1}(c)\,X\Pi_k/k\bigr), \qquad c^2 - \varepsilon s^2 = 1,$$

with c, s = cos t, sin t for a rotation ($\varepsilon = -1$), and cosh t, sinh t for a boost or a scaling
($\varepsilon = 1$).
Where X is nilpotent, a shear, $e^{tX} = \sum_n t^nX^n/n!$ is a polynomial in t itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial, isqrt, lcm

import sympy
from sympy import QQ
from sympy.polys.matrices import DomainMatrix

from pdobasis.reference.functors import multiple_angle
from pdobasis.reference.group_elements import GroupElement, Relation
from pdobasis.reference.question import Domain, Scalar, SymbolicQuestion, Triple, embed


@dataclass(frozen=True, slots=True)
class Motion:
    """``sign`` is the epsilon of the formula, 0 for a shear."""

    name: str
    sign: int
    parameters: tuple[str, ...]
    relation: str


KINDS = (
    Motion("rotations", -1, ("c", "s"), "c = cos t, s = sin t with c² + s² = 1"),
    Motion(
        "boosts or scalings", 1, ("c", "s"), "c = cosh t, s = sinh t with c² - s² = 1"
    ),
    Motion("shears", 0, ("t",), "any t"),
)


def one_parameter_element(question: SymbolicQuestion, x: Triple) -> GroupElement | None:
    """exp(tX) with its images, where X and both of its images are of one kind; otherwise None."""
    for kind in KINDS:
        found = [_weights(m, kind) for m in (x.base, x.rho_in, x.rho_out)]
        weights = [w for w in found if w is not None]
        # One t serves all three, so their kinds have to agree.
        if len(weights) == 3:
            # t may be scaled: with m X for X all weights are whole
            m = lcm(1, *(int(w.denominator) for own in weights for w in own))
            return _element(question.field, x, kind, m, weights)
    return None


def _element(
    field: Domain, x: Triple, kind: Motion, m: int, weights: list[list[Scalar]]
) -> GroupElement:
    ring = field[sympy.symbols(kind.parameters)]
    whole = [[int(w * m) for w in own] for own in weights]
    base, rho_in, rho_out = (
        b * field.convert(m) for b in (x.base, x.rho_in, x.rho_out)
    )
    relations: tuple[Relation, ...] = ()
    if kind.sign:
        relations = (Relation((0, 2), (ring.gens[0] ** 2 - 1) * kind.sign),)
    scaled = f"t {x.name}"
    if m != 1:
        scaled = f"{m} t {x.name}"
    return GroupElement(
        f"exp({scaled})",
        f"the {kind.name} exp(t {x.name}): {kind.relation}",
        _exponential(base, kind, whole[0], ring),
        # The inverse is exp(-tX), and -X has the weights of X.
        _exponential(-base, kind, whole[0], ring),
        _exponential(rho_in, kind, whole[1], ring),
        _exponential(rho_out, kind, whole[2], ring),
        relations,
    )


def _weights(x: DomainMatrix, kind: Motion) -> list[Scalar] | None:
    """The different k >= 0 of the formula, as rationals; None when X is not of this kind."""
    if not kind.sign:
        # By Cayley and Hamilton a nilpotent matrix vanishes at the power of its size.
        nilpotent = (x ** x.shape[0]).is_zero_matrix
        if nilpotent:
            return [QQ.zero]
        return None
    # The square has real eigenvalues, where those of a rotation X are imaginary.
    square = x * x
    found = _rational_roots(square, kind.sign)
    if found is None:
        return None
    # semisimple: the product of X^2 - eps k^2 over the different k vanishes, and so does X itself on the part of k = 0
    product = DomainMatrix.eye(x.shape[0], x.domain)
    for k in found:
        if k:
            product = product * (square - _scalar_matrix(x, k * k * kind.sign))
        else:
            product = product * x
    if product.is_zero_matrix:
        return found
    return None


def _rational_roots(square: DomainMatrix, sign: int) -> list[Scalar] | None:
    """The k >= 0 with eigenvalues sign k^2 of X^2, if all of them are rational."""
    coefficients = [_rational(c, square.domain) for c in square.charpoly()]
    if any(c is None for c in coefficients):
        return None
    t = sympy.Symbol("t")
    roots = sympy.Poly([QQ.to_sympy(c) for c in coefficients], t).ground_roots()
    # fewer than its degree, with multiplicities: the others are not rational
    if sum(roots.values()) < square.shape[0]:
        return None
    found = [_square_root(QQ.from_sympy(root) * sign) for root in roots]
    if any(k is None for k in found):
        return None
    return sorted(found)


def _exponential(
    x: DomainMatrix, kind: Motion, weights: list[int], ring: Domain
) -> DomainMatrix:
    """The formulas above."""
    size = x.shape[0]
    if not kind.sign:
        (t,) = ring.gens
        # X^size = 0 ends the series.
        terms = [embed(x**n, ring) * (t**n * QQ(1, factorial(n))) for n in range(size)]
        return sum(terms[1:], terms[0])
    square = x * x
    total = DomainMatrix.zeros(x.shape, ring)
    for k in weights:
        projection = DomainMatrix.eye(size, x.domain)
        for j in weights:
            if (
                j != k
            ):  # Lagrange's interpolation: 1 where X^2 is eps k^2, 0 where it is eps j^2
                shifted = square - _scalar_matrix(x, QQ(kind.sign * j * j))
                projection = (
                    projection
                    * shifted
                    * x.domain.convert(QQ(1, kind.sign * (k * k - j * j)))
                )
        cosine, sine = _multiple(k, kind.sign, ring)
        total = total + embed(projection, ring) * cosine
        # On the kernel of X the sine has no part, and 1/k no value.
        if k:
            total = total + embed(x * projection, ring) * (sine * QQ(1, k))
    return total


def _multiple(k: int, sign: int, ring: Domain) -> tuple[Scalar, Scalar]:
    r"""$T_k(c)$ and $s\,U_{k-1}(c)$: for $\varepsilon = 1$ the addition theorem has another sign."""
    c, s = ring.gens
    if sign < 0:
        return multiple_angle(c, s, k, ring)
    cosine, sine = ring.one, ring.zero
    for _ in range(k):
        cosine, sine = cosine * c + sine * s, cosine * s + sine * c
    return cosine, sine


def _scalar_matrix(like: DomainMatrix, value: Scalar) -> DomainMatrix:
    return DomainMatrix.eye(like.shape[0], like.domain) * like.domain.convert(value)


def _rational(value: Scalar, field: Domain) -> Scalar | None:
    """A number of K as a rational, if it is one."""
    if field == QQ:
        return value
    # coefficients of powers of the primitive element; SymPy leaves out leading zeros, so 0 has none
    powers = value.to_list()
    if not powers:
        return QQ.zero
    if len(powers) > 1:
        return None
    return powers[0]


def _square_root(value: Scalar) -> Scalar | None:
    if value < 0:
        return None
    # A fraction in lowest terms is a square only if both of its parts are.
    root = QQ(isqrt(int(value.numerator)), isqrt(int(value.denominator)))
    if root**2 == value:
        return root
    return None

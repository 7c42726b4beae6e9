r"""The irreps of SO(3) and O(3) from their definition: $Y(gx) = D(g)\,Y(x)$ for the solid harmonics $Y_{lm}$.

On polynomials take Fischer's inner product $\langle p, q\rangle = \sum_\alpha \alpha!\,p_\alpha q_\alpha$, which is
$p(\partial)q$ at 0. It is invariant under rotations, and the $Y_{lm}$ are orthogonal for it, so
$D_{mn}(g) = \langle Y_m \circ g, Y_n\rangle / \langle Y_n, Y_n\rangle$.
"""

from __future__ import annotations

from math import factorial, prod

import sympy
from sympy import QQ
from sympy.polys.matrices import DomainMatrix
from sympy.polys.polyerrors import CoercionFailed

from pdobasis.bounds.caches import remembered
from pdobasis.reference.constraint import Substitution
from pdobasis.reference.functors import minor, multiple_angle
from pdobasis.reference.question import (
    Domain,
    Functor,
    Monomial,
    Scalar,
    coordinates,
    embed_entry,
)


def spherical(
    degree: int,
    parity: int,
    axes: tuple[int, int, int],
    orthonormal: bool,
    field: Domain,
) -> Functor:
    r"""The irrep of order l; inversion acts as $(-1)^{\text{parity}}$. ``axes``: which coordinates are (x, y, z)."""
    rows = solid_harmonics(degree, axes)
    # The harmonics are rational, and so are their norms, whatever K is.
    norms = [fischer(p, p) for p in rows]
    scales = [[_scale(a, b, orthonormal, field) for b in norms] for a in norms]

    def formula(g: DomainMatrix, h: DomainMatrix) -> DomainMatrix:
        own = _rational(
            g
        )  # K comes in with the scales only, where the entries of g are rational
        move = Substitution(
            own, _ground(own.domain)[(*_parameters(g.domain), *coordinates(3))], 3
        )
        moved = move(
            DomainMatrix([list(rows)], (1, len(rows)), QQ[coordinates(3)])
        ).to_list()[0]
        out = [
            [
                _back(_project(p, q, own.domain), own.domain, g.domain) * scales[m][n]
                for n, q in enumerate(rows)
            ]
            for m, p in enumerate(moved)
        ]
        value = DomainMatrix(out, (len(rows), len(rows)), g.domain)
        # x -> -x acts on Y as (-1)^l; det g turns that into the wanted parity and is 1 on rotations
        if (degree + parity) % 2:
            value = value * minor(g.to_list(), (0, 1, 2), (0, 1, 2), g.domain)
        return value

    return formula


@remembered
def solid_harmonics(degree: int, axes: tuple[int, int, int]) -> tuple[Scalar, ...]:
    r"""$r^l\,P_l^{(|m|)}(z/r)$ times Im (m < 0) or Re of $(x + iy)^{|m|}$ for m = -l … l, as polynomials over Q.

    >>> solid_harmonics(1, (2, 0, 1))        # (x, y, z) = (x3, x1, x2): l = 1 is the vector
    (x1, x2, x3)
    """
    ring = QQ[coordinates(3)]
    x, y, z = (ring.gens[a] for a in axes)
    # |x|^2 is symmetric, so the convention of the axes does not matter.
    square = sum((v**2 for v in ring.gens), ring.zero)
    t = sympy.Symbol("t")
    out = []
    for m in range(-degree, degree + 1):
        k = abs(m)
        # The root (1 - t^2)^(k/2) of the associated function is in (x + iy)^k already.
        profile = sympy.Poly(sympy.diff(sympy.legendre(degree, t), t, k), t)
        axial = ring.zero
        for (
            (n,),
            c,
        ) in (
            profile.terms()
        ):  # every n has the parity of l - k, so r^(l-k-n) is a polynomial
            axial = axial + z**n * square ** ((degree - k - n) // 2) * QQ.from_sympy(c)
        cosine, sine = multiple_angle(x, y, k, ring)
        if m < 0:
            out.append(axial * sine)
        else:
            out.append(axial * cosine)
    return tuple(out)


def fischer(p: Scalar, q: Scalar) -> Scalar:
    r"""$\langle p, q\rangle = \sum_\alpha \alpha!\,p_\alpha q_\alpha$ for polynomials over Q."""
    other = dict(q.terms())
    return sum(
        (c * other[a] * _factorial(a) for a, c in p.terms() if a in other), QQ.zero
    )


def _project(p: Scalar, q: Scalar, domain: Domain) -> Scalar:
    """The same where p has coefficients in ``domain``: K, or polynomials in the parameters of g."""
    other = dict(q.terms())
    total = domain.zero
    for exponents, c in p.terms():
        # Parameters stand in front of the three coordinates, as in Substitution.
        parameters, alpha = exponents[:-3], exponents[-3:]
        if alpha not in other:
            continue
        term = c * other[alpha] * _factorial(alpha)
        if parameters:
            term = domain.ring.from_dict({parameters: term})
        total = total + term
    return total


def _scale(own: Scalar, other: Scalar, orthonormal: bool, field: Domain) -> Scalar:
    """1/<Y_n, Y_n> in the basis as it is; in an orthonormal one 1/(|Y_m| |Y_n|)."""
    if not orthonormal:
        return field.convert(1 / other, QQ)
    # As 2 sqrt(3) for sqrt(12): few radicands are left, and so few roots to look for.
    factor, radicand = sympy.sqrt(QQ.to_sympy(1 / (own * other))).as_coeff_Mul()
    return _root(radicand, field) * field.from_sympy(factor)


@remembered
def _root(radicand: sympy.Expr, field: Domain) -> Scalar:
    """A square root in K: SymPy factors a polynomial over K to find it, so each is looked for once."""
    return field.from_sympy(radicand)


def _rational(g: DomainMatrix) -> DomainMatrix:
    """The same matrix over Q, or over polynomials with rational coefficients, if it can be."""
    rational = QQ
    if g.domain.is_PolynomialRing:
        rational = QQ[g.domain.symbols]
    # Arithmetic over Q is far cheaper than over an algebraic field.
    try:
        return g.convert_to(rational)
    except CoercionFailed:
        return g


def _back(value: Scalar, source: Domain, target: Domain) -> Scalar:
    if target.is_PolynomialRing:
        return embed_entry(value, source, target)
    return target.convert(value, source)


def _ground(domain: Domain) -> Domain:
    """The field itself, or that of the coefficients of polynomials."""
    if domain.is_PolynomialRing:
        return domain.domain
    return domain


def _parameters(domain: Domain) -> tuple[sympy.Symbol, ...]:
    if domain.is_PolynomialRing:
        return tuple(domain.symbols)
    return ()


def _factorial(alpha: Monomial) -> int:
    return prod(map(factorial, alpha))

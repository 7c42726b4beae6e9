r"""The question as SymPy values: which P satisfy the constraint for a group and two representations?

Matrices are SymPy's ``DomainMatrix`` over a field K: $\mathbb{Q}$ or $\mathbb{Q}(\alpha)$. A *symbol* P is a
``DomainMatrix`` over the ring $K[x_1, \dots, x_d]$, so equality is decided by algebra and never by ``simplify``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy.polys.matrices import DomainMatrix

Domain = Any
"""A SymPy domain: a field K or a polynomial ring over it (SymPy has no types)."""
Scalar = Any
"""An element of a domain."""
Monomial = tuple[int, ...]

Functor = Callable[[DomainMatrix, DomainMatrix], DomainMatrix]
r"""A representation by a formula: $(g, g^{-1}) \mapsto \rho(g)$, over any ring that holds the entries of both."""


@dataclass(frozen=True, slots=True, eq=False)
class Triple:
    r"""A generator and its images: $(g, \rho_{in}(g), \rho_{out}(g))$ or $(X, d\rho_{in}(X), d\rho_{out}(X))$."""

    name: str
    base: DomainMatrix
    rho_in: DomainMatrix
    rho_out: DomainMatrix


@dataclass(frozen=True, slots=True, eq=False)
class SymbolicQuestion:
    r"""All steerable P between two representations; ``generators`` and ``lie`` generate G.

    The functors are known where $\rho$ is a formula in g (vector, tensor, irrep, ...), otherwise None.
    """

    group: str
    in_name: str
    out_name: str
    dim: int
    field: Domain
    generators: tuple[Triple, ...]
    lie: tuple[Triple, ...]
    shape: tuple[int, int]
    in_functor: Functor | None = None
    out_functor: Functor | None = None

    @property
    def variables(self) -> tuple[sympy.Symbol, ...]:
        return coordinates(self.dim)

    @property
    def ring(self) -> Domain:
        """K[x1, …, xd]."""
        return self.field[self.variables]

    @property
    def is_orthogonal(self) -> bool:
        r"""$g g^T = 1$ for the generators and $X + X^T = 0$ for the Lie generators, so that $|x|^2$ is invariant."""
        # What orthogonal g and antisymmetric X generate lies in O(d) as a whole.
        one = DomainMatrix.eye(self.dim, self.field)
        turns = all(
            _is_zero(g.base * g.base.transpose() - one) for g in self.generators
        )
        return turns and all(_is_zero(x.base + x.base.transpose()) for x in self.lie)


def coordinates(dim: int) -> tuple[sympy.Symbol, ...]:
    return tuple(sympy.symbols([f"x{i + 1}" for i in range(dim)]))


def monomials(dim: int, order: int) -> list[Monomial]:
    """The exponents of order n, with x1 first.

    >>> monomials(2, 2)
    [(2, 0), (1, 1), (0, 2)]
    """
    if dim == 1:
        return [(order,)]
    return [
        (a, *rest)
        for a in range(order, -1, -1)
        for rest in monomials(dim - 1, order - a)
    ]


def embed(m: DomainMatrix, ring: Domain) -> DomainMatrix:
    """A matrix over K, or over polynomials in some of the variables of ``ring``, as one over ``ring``.

    SymPy's own ``convert_to`` does the same, but takes numbers of an algebraic field through expressions.
    """
    if m.domain == ring:
        return m
    entries: dict[int, dict[int, Scalar]] = {}
    for (i, j), value in m.to_dok().items():
        entries.setdefault(i, {})[j] = embed_entry(value, m.domain, ring)
    return DomainMatrix(entries, m.shape, ring)


def embed_entry(value: Scalar, source: Domain, ring: Domain) -> Scalar:
    if not source.is_PolynomialRing:
        return ring.ring.ground_new(_number(value, source, ring.domain))
    # By name, since rings with parameters put these before the coordinates.
    place = [ring.symbols.index(v) for v in source.symbols]
    terms: dict[Monomial, Scalar] = {}
    for exponents, c in value.terms():
        alpha = [0] * len(ring.symbols)
        for k, e in zip(place, exponents, strict=True):
            alpha[k] = e
        terms[tuple(alpha)] = _number(c, source.domain, ring.domain)
    return ring.ring.from_dict(terms)


def _number(value: Scalar, source: Domain, field: Domain) -> Scalar:
    if source == field:
        return value
    return field.convert(value, source)


def power(values: tuple[Scalar, ...], alpha: Monomial, one: Scalar) -> Scalar:
    r"""$v^\alpha = v_1^{\alpha_1} \cdots v_d^{\alpha_d}$."""
    out = one
    for v, a in zip(values, alpha, strict=True):
        out = out * v**a
    return out


def _is_zero(m: DomainMatrix) -> bool:
    return bool(m.is_zero_matrix)

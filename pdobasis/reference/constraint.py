r"""The steerability constraint, written down once, and the linear system that it is for the coefficients of P.

For a group element g (paper, "Equivariance constraint for PDOs"), multiplied by $\rho_{in}(g)$ from the right:

$$P(g^{-T}x)\,\rho_{in}(g) - \rho_{out}(g)\,P(x) = 0. \tag{1}$$

For $g = e^{tX}$ its derivative at t = 0, which on a connected group says the same:

$$-(X^Tx)\cdot\nabla P + P\,d\rho_{in}(X) - d\rho_{out}(X)\,P = 0. \tag{2}$$

With unknown coefficients, $P = \sum u_{ij\alpha}\,x^\alpha E_{ij}$, both are linear in u: the column of an unknown
holds the coefficients of (1) and (2) for its own $x^\alpha E_{ij}$, collected by entries and monomials.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sympy.polys.matrices import DomainMatrix

from pdobasis.reference.question import (
    Domain,
    Monomial,
    Scalar,
    SymbolicQuestion,
    Triple,
    embed,
    monomials,
    power,
)

Unknown = tuple[int, int, Monomial]
r"""$u_{ij\alpha}$ as (i, j, alpha), counted from 0."""


class Substitution:
    r"""$P(x) \mapsto P(Ax)$; the images $(Ax)^\alpha$ are kept, since all elements of a basis share them."""

    def __init__(self, a: DomainMatrix, ring: Domain, dim: int) -> None:
        self.ring: Domain = ring
        self.dim: int = dim
        # Parameters of a group element stand before the coordinates.
        x = ring.gens[-dim:]
        rows = embed(a, ring).to_list()
        self.images: tuple[int, ...] = tuple(
            sum((row[j] * x[j] for j in range(dim)), ring.zero) for row in rows
        )
        self.known: dict[Monomial, Scalar] = {}

    def __call__(self, symbol: DomainMatrix) -> DomainMatrix:
        return entrywise(embed(symbol, self.ring), self._polynomial)

    def _polynomial(self, p: Scalar) -> Scalar:
        out = self.ring.zero
        for exponents, coefficient in p.terms():
            # A symbol has no parameters in it, so that their exponents are zero.
            alpha = exponents[-self.dim :]
            if alpha not in self.known:
                self.known[alpha] = power(self.images, alpha, self.ring.one)
            out = out + self.known[alpha] * coefficient
        return out


def finite_constraint(
    symbol: DomainMatrix, substitution: Substitution, g: Triple
) -> DomainMatrix:
    r"""The left side of (1); ``substitution`` is that of $g^{-T}$."""
    ring = substitution.ring
    return substitution(symbol) * embed(g.rho_in, ring) - embed(
        g.rho_out, ring
    ) * embed(symbol, ring)


def lie_constraint(symbol: DomainMatrix, x: Triple) -> DomainMatrix:
    """The left side of (2)."""
    ring = symbol.domain
    # the velocity of x under the flow of -X^T is -X^T x
    rows = embed(x.base.transpose(), ring).to_list()
    velocity = [
        sum((entry * v for entry, v in zip(row, ring.gens, strict=True)), ring.zero)
        for row in rows
    ]

    def drift(p: Scalar) -> Scalar:
        return sum(
            (p.diff(v) * w for v, w in zip(ring.gens, velocity, strict=True)), ring.zero
        )

    return (
        symbol * embed(x.rho_in, ring)
        - embed(x.rho_out, ring) * symbol
        - entrywise(symbol, drift)
    )


def laplacian(symbol: DomainMatrix) -> DomainMatrix:
    r"""$\Delta P$ as a polynomial matrix: zero where P is harmonic."""
    ring = symbol.domain
    return entrywise(
        symbol, lambda p: sum((p.diff(v).diff(v) for v in ring.gens), ring.zero)
    )


class Constraints:
    r"""(1) for the generators and (2) for the Lie generators of a question; with ``harmonic``, $\Delta P = 0$ too."""

    def __init__(self, question: SymbolicQuestion, *, harmonic: bool = False) -> None:
        self.question: SymbolicQuestion = question
        self.harmonic: bool = harmonic
        ring, dim = question.ring, question.dim
        # One substitution for each generator, whose images serve all unknowns.
        self.turns: list[tuple[Substitution, Triple]] = [
            # It is g^-T and not g, since P is a function of covectors.
            (Substitution(g.base.inv().transpose(), ring, dim), g)
            for g in question.generators
        ]

    def __call__(self, symbol: DomainMatrix) -> Iterator[DomainMatrix]:
        for substitution, g in self.turns:
            yield finite_constraint(symbol, substitution, g)
        for x in self.question.lie:
            yield lie_constraint(symbol, x)
        # Harmonic symbols are a G-invariant space only where G keeps Δ: in O(d).
        if self.harmonic:
            yield laplacian(symbol)


def unknowns(
    question: SymbolicQuestion, order: int, partial_order: int | None = None
) -> list[Unknown]:
    """The coefficients of a P of this order; ``partial_order`` limits the exponent of each variable."""
    alphas = [
        a
        for a in monomials(question.dim, order)
        if partial_order is None or max(a) <= partial_order
    ]
    rows, columns = question.shape
    return [
        (i, j, alpha) for i in range(rows) for j in range(columns) for alpha in alphas
    ]


def unit(question: SymbolicQuestion, unknown: Unknown) -> DomainMatrix:
    r"""$x^\alpha E_{ij}$."""
    i, j, alpha = unknown
    ring = question.ring
    return DomainMatrix(
        {i: {j: power(ring.gens, alpha, ring.one)}}, question.shape, ring
    )


def equations(constraints: Constraints, names: list[Unknown]) -> DomainMatrix:
    """One row for each coefficient of the constraints, one column for each unknown."""
    rows: dict[tuple[int, tuple[int, int], Monomial], dict[int, Scalar]] = {}
    for column, unknown in enumerate(names):
        for which, left_side in enumerate(
            constraints(unit(constraints.question, unknown))
        ):
            for place, p in left_side.to_dok().items():
                for alpha, value in p.terms():
                    # Terms of a polynomial are distinct, so nothing is overwritten.
                    rows.setdefault((which, place, alpha), {})[column] = value
    # Sorted, so that the equations do not depend on the order in which SymPy lists the terms of a polynomial.
    system = dict(enumerate(rows[key] for key in sorted(rows)))
    return DomainMatrix(system, (len(system), len(names)), constraints.question.field)


def entrywise(
    symbol: DomainMatrix, function: Callable[[Scalar], Scalar]
) -> DomainMatrix:
    """A function of each entry that maps 0 to 0."""
    out: dict[int, dict[int, Scalar]] = {}
    for (i, j), p in symbol.to_dok().items():
        image = function(p)
        # A stored zero would count as an entry of a sparse matrix.
        if image:
            out.setdefault(i, {})[j] = image
    return DomainMatrix(out, symbol.shape, symbol.domain)

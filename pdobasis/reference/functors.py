r"""Representations as formulas in a matrix g, over any commutative ring: what the names in a question mean.

Each is a function $(g, h) \mapsto \rho(g)$ with $h = g^{-1}$, so the dual needs no division and g may be a matrix of
polynomials: a rotation by an angle that is a symbol, say.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement, permutations, product
from math import prod

from sympy.polys.matrices import DomainMatrix

from pdobasis.reference.question import Domain, Functor, Scalar, embed


def trivial(g: DomainMatrix, h: DomainMatrix) -> DomainMatrix:
    return DomainMatrix.eye(1, g.domain)


def vector(g: DomainMatrix, h: DomainMatrix) -> DomainMatrix:
    return g


def determinant(g: DomainMatrix, h: DomainMatrix) -> DomainMatrix:
    return DomainMatrix(
        [[minor(g.to_list(), range(g.shape[0]), range(g.shape[0]), g.domain)]],
        (1, 1),
        g.domain,
    )


def dual(inner: Functor) -> Functor:
    r"""$\rho(g)^{-T} = \rho(g^{-1})^T$."""
    return lambda g, h: inner(h, g).transpose()


def direct_sum(*parts: Functor) -> Functor:
    return lambda g, h: block_diagonal([part(g, h) for part in parts], g.domain)


def tensor(a: Functor, b: Functor) -> Functor:
    r"""$(\rho_a \otimes \rho_b)(g)$: component (i, j) stands at i times the size of b, plus j."""
    return lambda g, h: kronecker(a(g, h), b(g, h))


def symmetric(n: int, inner: Functor) -> Functor:
    r"""$T'_{i_1 \dots i_n} = \sum_j m_{i_1j_1} \cdots m_{i_nj_n}\,T_{j_1 \dots j_n}$, with $i_1 \le \dots \le i_n$."""

    def formula(g: DomainMatrix, h: DomainMatrix) -> DomainMatrix:
        m = inner(g, h).to_list()
        size, domain = len(m), g.domain
        components = list(combinations_with_replacement(range(size), n))
        place = {c: k for k, c in enumerate(components)}
        out = [[domain.zero for _ in components] for _ in components]
        for row, i in enumerate(components):
            for j in product(range(size), repeat=n):
                value = prod(
                    (m[a][b] for a, b in zip(i, j, strict=True)), start=domain.one
                )
                # T is symmetric, so all orders of the indices j are one component
                out[row][place[tuple(sorted(j))]] += value
        return DomainMatrix(out, (len(components), len(components)), domain)

    return formula


def alternating(n: int, inner: Functor) -> Functor:
    r"""The n × n minors: how $e_{i_1} \wedge \dots \wedge e_{i_n}$ transforms, $i_1 < \dots < i_n$."""

    def formula(g: DomainMatrix, h: DomainMatrix) -> DomainMatrix:
        m = inner(g, h).to_list()
        subsets = list(combinations(range(len(m)), n))
        # By Cauchy and Binet the matrix of minors is multiplicative in g.
        out = [[minor(m, i, j, g.domain) for j in subsets] for i in subsets]
        return DomainMatrix(out, (len(subsets), len(subsets)), g.domain)

    return formula


def planar(k: int) -> Functor:
    r"""$\psi_k$, $\psi_{1,k}$: $R(\theta)\,\mathrm{diag}(1, \det g) \mapsto R(k\theta)\,\mathrm{diag}(1, \det g)$."""

    def formula(g: DomainMatrix, h: DomainMatrix) -> DomainMatrix:
        m = g.to_list()
        # A mirror diag(1, -1) leaves the first column, (cos θ, sin θ), alone.
        cosine, sine = multiple_angle(m[0][0], m[1][0], k, g.domain)
        det = minor(m, range(2), range(2), g.domain)
        return DomainMatrix(
            [[cosine, -sine * det], [sine, cosine * det]], (2, 2), g.domain
        )

    return formula


def half_turn(k: int, twist: int, axis: DomainMatrix) -> Functor:
    r"""$\cos(k\theta)\,(\det g)^{\text{twist}}$ of $C_{2k}$ and $D_{2k}$; ``axis`` turns the mirror line to $x_1$."""

    def formula(g: DomainMatrix, h: DomainMatrix) -> DomainMatrix:
        # The axis is orthogonal, so its transpose is its inverse, without a division.
        turned = (over(axis.transpose(), g.domain) * g * over(axis, g.domain)).to_list()
        value = multiple_angle(turned[0][0], turned[1][0], k, g.domain)[0]
        if twist:
            value = value * minor(turned, range(2), range(2), g.domain)
        return DomainMatrix([[value]], (1, 1), g.domain)

    return formula


def multiple_angle(
    c: Scalar, s: Scalar, k: int, domain: Domain
) -> tuple[Scalar, Scalar]:
    r"""$(\cos k\theta, \sin k\theta)$ as polynomials: the real and imaginary part of $(c + is)^k$."""
    cosine, sine = domain.one, domain.zero
    # Multiplying by c + is in real parts stays in the ring of c and s.
    for _ in range(k):
        cosine, sine = cosine * c - sine * s, cosine * s + sine * c
    return cosine, sine


def over(m: DomainMatrix, domain: Domain) -> DomainMatrix:
    """A matrix of numbers over K or over polynomials."""
    if domain.is_PolynomialRing:
        return embed(m, domain)
    return m


def minor(
    m: list[list[Scalar]], i: Sequence[int], j: Sequence[int], domain: Domain
) -> Scalar:
    """The determinant of rows i and columns j, by Leibniz' formula: no divisions."""
    total = domain.zero
    for order in permutations(range(len(i))):
        value = prod((m[i[k]][j[order[k]]] for k in range(len(i))), start=domain.one)
        # The sign of a permutation is the parity of its inversions.
        inversions = sum(a > b for n, a in enumerate(order) for b in order[n + 1 :])
        if inversions % 2:
            value = -value
        total = total + value
    return total


def kronecker(a: DomainMatrix, b: DomainMatrix) -> DomainMatrix:
    (p, q), (r, s) = a.shape, b.shape
    left, right = a.to_list(), b.to_list()
    out = [
        [left[i][j] * right[k][m] for j in range(q) for m in range(s)]
        for i in range(p)
        for k in range(r)
    ]
    return DomainMatrix(out, (p * r, q * s), a.domain)


def block_diagonal(blocks: list[DomainMatrix], domain: Domain) -> DomainMatrix:
    size = sum(b.shape[0] for b in blocks)
    out: dict[int, dict[int, Scalar]] = {}
    at = 0
    for block in blocks:
        for (i, j), value in block.to_dok().items():
            out.setdefault(at + i, {})[at + j] = value
        at += block.shape[0]
    return DomainMatrix(out, (size, size), domain)

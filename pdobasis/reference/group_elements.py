r"""Group elements with symbols in them: matrices over $K[\text{parameters}]$ modulo the relations of the parameters.

What holds for such an element by algebra holds for all of the group elements that it stands for. The list below has
one line for each group with a parametrisation by polynomials; a question is met with the one whose tangent space at 1
is the Lie algebra of the group, whatever the group is called.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sympy
from sympy.polys.matrices import DomainMatrix

from pdobasis.errors import RepresentationError
from pdobasis.reference.question import (
    Domain,
    Functor,
    Monomial,
    Scalar,
    SymbolicQuestion,
    embed,
    embed_entry,
)


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    r"""``leading`` = ``value``, for a monomial in the parameters; no term of ``value`` is divisible by it."""

    leading: Monomial
    value: Scalar


@dataclass(frozen=True, slots=True, eq=False)
class GroupElement:
    r"""g, $g^{-1}$, $\rho_{in}(g)$ and $\rho_{out}(g)$ over a ring of parameters with relations.

    ``stands_for`` says which elements of the group it is, for a reader.
    """

    name: str
    stands_for: str
    g: DomainMatrix
    inverse: DomainMatrix
    rho_in: DomainMatrix
    rho_out: DomainMatrix
    relations: tuple[Relation, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Parametrisation:
    """A group with a generic element: ``matrix`` makes g and its inverse from the parameters.

    ``relation`` is the relation between them; ``one`` are the parameters of 1, ``tangents`` the ways to leave it.
    """

    name: str
    stands_for: str
    dim: int
    parameters: tuple[str, ...]
    matrix: Callable[..., tuple[list[list[Scalar]], list[list[Scalar]]]]
    relation: Callable[..., tuple[Monomial, Scalar]]
    one: tuple[int, ...]
    tangents: tuple[tuple[int, ...], ...]

    def ring(self, field: Domain) -> Domain:
        return field[sympy.symbols(self.parameters)]

    def pair(self, field: Domain) -> tuple[DomainMatrix, DomainMatrix]:
        """(g, its inverse)."""
        ring = self.ring(field)
        shape = (self.dim, self.dim)
        g, inverse = self.matrix(*ring.gens)
        return DomainMatrix(_over(ring, g), shape, ring), DomainMatrix(
            _over(ring, inverse), shape, ring
        )

    def relations(self, field: Domain) -> tuple[Relation, ...]:
        ring = self.ring(field)
        leading, value = self.relation(*ring.gens)
        return (Relation(leading, ring.convert(value)),)

    def lie_algebra(self, field: Domain) -> list[DomainMatrix]:
        """The derivatives of g at 1 along the tangents."""
        ring = self.ring(field)
        at = list(zip(ring.gens, map(field.convert, self.one), strict=True))
        rows = self.pair(field)[0].to_list()
        out = []
        for direction in self.tangents:
            slopes = [
                [_slope(entry, ring, direction).evaluate(at) for entry in row]
                for row in rows
            ]
            out.append(
                DomainMatrix(
                    [[field.convert(v) for v in row] for row in slopes],
                    (self.dim, self.dim),
                    field,
                )
            )
        return out


def _rotation(c: Scalar, s: Scalar) -> tuple[list[list[Scalar]], list[list[Scalar]]]:
    return [[c, -s], [s, c]], [[c, s], [-s, c]]


def _boost(c: Scalar, s: Scalar) -> tuple[list[list[Scalar]], list[list[Scalar]]]:
    return [[c, s], [s, c]], [[c, -s], [-s, c]]


def _quaternion(
    a: Scalar, b: Scalar, c: Scalar, d: Scalar
) -> tuple[list[list[Scalar]], list[list[Scalar]]]:
    r"""$x \mapsto q x \bar q$ for $q = a + bi + cj + dk$ of norm 1."""
    g = [
        [a**2 + b**2 - c**2 - d**2, 2 * (b * c - a * d), 2 * (b * d + a * c)],
        [2 * (b * c + a * d), a**2 - b**2 + c**2 - d**2, 2 * (c * d - a * b)],
        [2 * (b * d - a * c), 2 * (c * d + a * b), a**2 - b**2 - c**2 + d**2],
    ]
    # The transpose is the inverse for |q| = 1 only, a relation that is applied later.
    return g, [list(column) for column in zip(*g, strict=True)]


def _unimodular(
    a: Scalar, b: Scalar, c: Scalar, d: Scalar
) -> tuple[list[list[Scalar]], list[list[Scalar]]]:
    # The adjugate is the inverse, since ad - bc = 1.
    return [[a, b], [c, d]], [[d, -b], [-c, a]]


PARAMETRISATIONS = (
    Parametrisation(
        "R(θ)", "every rotation: c = cos θ, s = sin θ with c² + s² = 1", 2, ("c", "s"),
        _rotation, lambda c, s: ((0, 2), 1 - c**2), (1, 0), ((0, 1),),
    ),
    Parametrisation(
        "B(t)", "every boost: c = cosh t, s = sinh t with c² - s² = 1", 2, ("c", "s"),
        _boost, lambda c, s: ((0, 2), c**2 - 1), (1, 0), ((0, 1),),
    ),
    Parametrisation(
        "R(q)", "every rotation, by a unit quaternion: a² + b² + c² + d² = 1", 3, ("a", "b", "c", "d"),
        _quaternion, lambda a, b, c, d: ((2, 0, 0, 0), 1 - b**2 - c**2 - d**2),
        (1, 0, 0, 0), ((0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)),
    ),
    Parametrisation(
        "g", "every matrix with ad - bc = 1", 2, ("a", "b", "c", "d"),
        _unimodular, lambda a, b, c, d: ((1, 0, 0, 1), 1 + b * c),
        (1, 0, 0, 1), ((1, 0, 0, -1), (0, 1, 0, 0), (0, 0, 1, 0)),
    ),
)  # fmt: skip


def parametrisation(question: SymbolicQuestion) -> Parametrisation | None:
    """The one of the list with the Lie algebra of the question."""
    # A connected matrix group is determined by its Lie algebra, whatever its name is.
    for family in PARAMETRISATIONS:
        fits = family.dim == question.dim and bool(question.lie)
        if fits and _same_span(
            family.lie_algebra(question.field), [x.base for x in question.lie]
        ):
            return family
    return None


def generic_element(
    question: SymbolicQuestion, family: Parametrisation
) -> GroupElement:
    """An element that stands for the whole identity component; both representations have to be formulas."""
    if question.in_functor is None or question.out_functor is None:
        raise RepresentationError(
            f"{question.in_name} or {question.out_name} is known on its generators only"
        )
    g, inverse = family.pair(question.field)
    relations = family.relations(question.field)
    count = len(family.parameters)
    # Reduced here once, since the images enter the constraint of every symbol.
    rho_in = normal_form(question.in_functor(g, inverse), relations, count)
    rho_out = normal_form(question.out_functor(g, inverse), relations, count)
    return GroupElement(
        family.name, family.stands_for, g, inverse, rho_in, rho_out, relations
    )


def derivative(functor: Functor, x: DomainMatrix) -> DomainMatrix:
    r"""$d\rho(X)$: the coefficient of t in $\rho(1 + tX)$, where $(1 + tX)^{-1} = 1 - tX$ modulo $t^2$."""
    field = x.domain
    ring = field[sympy.symbols(("t",))]
    one = DomainMatrix.eye(x.shape[0], ring)
    step = embed(x, ring) * ring.gens[0]
    rho = functor(one + step, one - step)
    values = [[entry.coeff(ring.gens[0]) for entry in row] for row in rho.to_list()]
    return DomainMatrix(
        [[field.convert(v) for v in row] for row in values], rho.shape, field
    )


def normal_form(
    m: DomainMatrix, relations: tuple[Relation, ...], count: int
) -> DomainMatrix:
    """All entries modulo the relations; the first ``count`` variables are the parameters."""
    out: dict[int, dict[int, Scalar]] = {}
    for (i, j), p in m.to_dok().items():
        reduced = reduce(p, relations, count)
        if reduced:
            out.setdefault(i, {})[j] = reduced
    return DomainMatrix(out, m.shape, m.domain)


def reduce(p: Scalar, relations: tuple[Relation, ...], count: int) -> Scalar:
    """The normal form of a polynomial: leading monomials replaced; the first ``count`` variables are parameters."""
    for relation in relations:
        p = _replaced(p, relation, count)
    return p


def _replaced(p: Scalar, relation: Relation, count: int) -> Scalar:
    ring = p.ring
    value = embed_entry(
        relation.value, relation.value.ring.to_domain(), ring.to_domain()
    )
    # In all relations here the value is free of the variables of the leading monomial, so that nothing is left to be
    # replaced after one pass.
    by_power: dict[int, dict[Monomial, Scalar]] = {}
    for exponents, c in p.terms():
        k = min(exponents[i] // n for i, n in enumerate(relation.leading) if n)
        # Relations are about parameters alone, so the coordinates follow unchanged.
        rest = (
            *(e - k * n for e, n in zip(exponents, relation.leading, strict=False)),
            *exponents[count:],
        )
        # The power and the rest give back the exponents, so no two terms collide.
        by_power.setdefault(k, {})[rest] = c
    out = ring.zero
    for k, terms in by_power.items():
        out = out + ring.from_dict(terms) * value**k
    return out


def _slope(entry: Scalar, ring: Domain, direction: tuple[int, ...]) -> Scalar:
    total = ring.zero
    for v, n in zip(ring.gens, direction, strict=True):
        total = total + entry.diff(v) * n
    return total


def _over(ring: Domain, rows: list[list[Scalar]]) -> list[list[Scalar]]:
    return [[ring.convert(v) for v in row] for row in rows]


def _same_span(one: list[DomainMatrix], other: list[DomainMatrix]) -> bool:
    def rank(matrices: list[DomainMatrix]) -> int:
        rows = [m.to_list_flat() for m in matrices]
        return int(
            DomainMatrix(rows, (len(rows), len(rows[0])), matrices[0].domain).rank()
        )

    # Two spaces are equal if their sum is no larger than either.
    return rank(one) == rank(other) == rank([*one, *other])

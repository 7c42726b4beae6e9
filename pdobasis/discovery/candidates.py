"""All candidates for the right-hand side of ∂_t u: the terms that a symmetry allows, with constants put in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from flint import fmpq

from pdobasis.discovery.recording import Array
from pdobasis.errors import SpecError
from pdobasis.exact.scalars import Number, float_of
from pdobasis.groups.group import Group
from pdobasis.nonlinear.find import terms
from pdobasis.nonlinear.independent import Components
from pdobasis.nonlinear.polynomials import Coordinate, Monomial, Polynomial, add_to
from pdobasis.nonlinear.question import Multidegree, TermsQuestion
from pdobasis.nonlinear.result import Term
from pdobasis.question.text import resolve_group
from pdobasis.representations.representation import Representation

Rep = str | Representation
ONE = "one"


@dataclass(frozen=True, eq=False)
class Candidates:
    """Terms, and their components as polynomials of fields alone: ``polynomials[k]`` belongs to ``terms[k]``."""

    question: TermsQuestion
    target: str
    terms: tuple[Term, ...]
    polynomials: tuple[Components, ...]

    def __len__(self) -> int:
        return len(self.terms)

    @property
    def names(self) -> tuple[str, ...]:
        """Fields, in the order of the coordinates."""
        return tuple(f.name for f in self.question.fields)

    def some(self, chosen: Sequence[int]) -> Candidates:
        return replace(
            self,
            terms=tuple(self.terms[k] for k in chosen),
            polynomials=tuple(self.polynomials[k] for k in chosen),
        )


def candidates(
    group: str | Group,
    fields: Mapping[str, Rep],
    target: str,
    degree: int,
    derivatives: int,
    *,
    max_total: int | None = None,
    constants: Mapping[str, Rep] | None = None,
    values: Mapping[str, Array] | None = None,
    weights: str | None = None,
    dim: int | None = None,
) -> Candidates:
    """Terms that move like the field ``target``, and constant ones where the symmetry permits.

    >>> [t.text for t in candidates("O(2)", {"p": "trivial"}, "p", 2, 1).terms]
    ['1', 'p', 'p²', '∂_i p ∂_i p']
    """
    if target not in fields:
        raise SpecError(f"no field {target!r:.40}: there are {', '.join(fields)}")
    own = resolve_group(group, dim)
    out = fields[target]
    found = terms(
        own,
        fields,
        out,
        degree,
        derivatives,
        max_total=max_total,
        constants=constants,
        weights=weights,
    )
    every = [*found]
    if weights is None:
        every = [*_constant_terms(own, out, found.question), *every]
    numbers = _numbers(found.question, values or {})
    reduced = [tuple(_put_in(p, numbers) for p in term.components) for term in every]
    kept = _independent(reduced)
    return Candidates(
        found.question,
        target,
        tuple(every[k] for k in kept),
        tuple(reduced[k] for k in kept),
    )


def _constant_terms(group: Group, out: Rep, question: TermsQuestion) -> list[Term]:
    """Vectors of the output that the group leaves alone: the terms of a constant scalar, without it."""
    made = []
    for term in terms(group, {}, out, 1, 0, constants={ONE: "trivial"}):
        components: Components = tuple(_bare(p) for p in term.components)
        text = term.text.replace(ONE, "1")
        latex = term.latex().replace(r"\mathrm{one}", "1").replace(ONE, "1")
        made.append(
            Term(question, Multidegree(()), components, text, latex, "constant")
        )
    return made


def _bare(polynomial: Polynomial) -> Polynomial:
    """A multiple of the constant scalar as a number."""
    out: Polynomial = {}
    for value in polynomial.values():
        add_to(out, {(): value})
    return out


def _numbers(
    question: TermsQuestion, values: Mapping[str, Array]
) -> dict[tuple[int, int], fmpq]:
    out = {}
    for k, field in enumerate(question.fields):
        if not field.constant:
            continue
        if field.name not in values:
            raise SpecError(f"the constant {field.name} has no value")
        for c, value in enumerate(values[field.name]):
            out[k, c] = fmpq(*float(value).as_integer_ratio())
    return out


def _put_in(
    polynomial: Polynomial, numbers: Mapping[tuple[int, int], fmpq]
) -> Polynomial:
    """Constants as numbers."""
    out: Polynomial = {}
    for monomial, value in polynomial.items():
        left: list[Coordinate] = []
        number: Number = value
        for c in monomial:
            known = numbers.get((c.field, c.component))
            if known is None:
                left.append(c)
            else:
                number = number * known
        if number:
            add_to(out, {tuple(left): number})
    return out


def _independent(every: Sequence[Components]) -> list[int]:
    """The first ones that do not depend on those before: |g|² u is u again."""
    places: dict[tuple[int, Monomial], int] = {}
    for components in every:
        for c, polynomial in enumerate(components):
            for monomial in polynomial:
                places.setdefault((c, monomial), len(places))
    kept: list[int] = []
    basis = np.zeros((0, len(places)))
    for k, components in enumerate(every):
        row = np.zeros(len(places))
        for c, polynomial in enumerate(components):
            for monomial, value in polynomial.items():
                row[places[c, monomial]] = float_of(value)
        length = np.linalg.norm(row)
        if not length:
            continue
        row /= length
        for _ in range(2):  # twice is enough: Gram–Schmidt with reorthogonalisation
            row -= basis.T @ (basis @ row)
        rest = np.linalg.norm(row)
        if rest > 1e-9:
            basis = np.vstack([basis, row / rest])
            kept.append(k)
    return kept

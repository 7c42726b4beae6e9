"""What the names of the grammar mean: one builder each, from a call to a representation.

A new representation is one function with one ``builder`` line.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from math import comb

from pdobasis.errors import RepresentationError
from pdobasis.exact.array import ExactArray
from pdobasis.groups.closure import closure
from pdobasis.question.grammar import Call, number
from pdobasis.question.reader import Reader, builder, require_size
from pdobasis.question.yaml_files import is_file_name
from pdobasis.representations import finite, terms
from pdobasis.representations.hypothesis import together
from pdobasis.representations.named import named_irrep
from pdobasis.representations.representation import (
    Representation,
    from_matrices,
    from_term,
)
from pdobasis.representations.terms import Term
from pdobasis.values import dataclass

FORMULAS: dict[str, Term] = {
    "trivial": terms.Trivial(),
    "det": terms.Determinant(),
    "vector": terms.Vector(),
}


@builder(*FORMULAS)
def _formula(reader: Reader, made: Call) -> Representation:
    made.expect(0, made.name)
    return from_term(reader.group, FORMULAS[made.name], made.name)


@builder("density")
def _density(reader: Reader, made: Call) -> Representation:
    made.expect(1, "density(w) with a rational w")
    (argument,) = made.arguments
    if not re.fullmatch(r"-?\d{1,6}(/[1-9]\d{0,5})?", argument.text):
        raise argument.fail("a rational weight such as 1 or -1/2")
    # in lowest terms, in the name too
    weight = Fraction(argument.text)
    return from_term(reader.group, terms.Density(weight), f"density({weight})")


@builder("dual")
def _dual(reader: Reader, made: Call) -> Representation:
    made.expect(1, "dual(a)")
    inner = reader.single(made.arguments[0])
    spec = f"dual({inner.spec})"
    if inner.term is None and inner.is_permutation:
        # P^{-T} = P
        return replace(inner, spec=spec)
    return _applied(terms.Dual(_as_term(inner)), spec, inner.size, inner)


@builder("irrep")
def _irrep(reader: Reader, made: Call) -> Representation:
    return named_irrep(reader.group, [a.text for a in made.arguments], made.piece.text)


@builder("regular")
def _regular(reader: Reader, made: Call) -> Representation:
    made.expect(0, "regular")
    return finite.regular(reader.group)


@builder("quotient")
def _quotient(reader: Reader, made: Call) -> Representation:
    made.expect(1, "quotient(H), as in quotient(C4) or quotient(<r^2; f>)")
    finite.require_finite(reader.group, "quotient")
    (argument,) = made.arguments
    subgroup = reader.subgroup(argument)
    finite.require_finite(subgroup, "quotient")
    spec = f"quotient({argument.text})"
    found = finite.quotient(reader.group, subgroup.generators, spec)
    # without the file the text means nothing
    return replace(found, own=is_file_name(argument.text))


@builder("tensor")
def _tensor(reader: Reader, made: Call) -> Representation:
    if len(made.arguments) < 2:
        raise made.piece.fail("tensor(a, b) (at least 2 arguments)")
    result = reader.single(made.arguments[0])
    for argument in made.arguments[1:]:
        other = reader.single(argument)
        spec = f"tensor({result.spec}, {other.spec})"
        size = result.size * other.size
        require_size(size, spec)
        term = terms.Tensor(_as_term(result), _as_term(other))
        result = _applied(term, spec, size, result, other)
    return result


@builder("sym")
def _symmetric(reader: Reader, made: Call) -> Representation:
    n, inner, spec = _power_of(reader, made)
    # multisets of n out of the basis
    size = comb(inner.size + n - 1, n)
    require_size(size, spec)
    return _applied(terms.Symmetric(n, _as_term(inner)), spec, size, inner)


@builder("alt")
def _alternating(reader: Reader, made: Call) -> Representation:
    n, inner, spec = _power_of(reader, made)
    # subsets of n out of the basis
    size = comb(inner.size, n)
    if not size:
        raise RepresentationError(
            f"{spec} is zero: alt(n, a) needs n at most the size of a, which is {inner.size}"
        )
    require_size(size, spec)
    return _applied(terms.Alternating(n, _as_term(inner)), spec, size, inner)


def _power_of(reader: Reader, made: Call) -> tuple[int, Representation, str]:
    """The arguments of sym(n, a) and alt(n, a), and the text."""
    made.expect(2, f"{made.name}(n, a)")
    exponent, argument = made.arguments
    n = number(exponent, exponent.text, 0, 24)
    inner = reader.single(argument)
    return n, inner, f"{made.name}({n}, {inner.spec})"


@builder("induced")
def _induced(reader: Reader, made: Call) -> Representation:
    made.expect(2, "induced(H, a), as in induced(C4, irrep(1))")
    finite.require_finite(reader.group, "induced")
    of_group, of_rep = made.arguments
    subgroup = reader.subgroup(of_group)
    finite.require_finite(subgroup, "induced")
    inner = replace(reader, group=subgroup).single(of_rep)
    spec = f"induced({of_group.text}, {inner.spec})"
    # one copy for each coset: |G|/|H| of them
    members = finite.subgroup_elements(reader.group, subgroup.generators)
    cosets = len(closure(reader.group)) // len(members)
    require_size(inner.size * cosets, spec)
    found = finite.induced(reader.group, subgroup, inner, spec)
    own = inner.own or is_file_name(of_group.text)
    return replace(found, own=own, hypothesis=inner.hypothesis)


@builder("restrict")
def _restrict(reader: Reader, made: Call) -> Representation:
    from pdobasis.groups.membership import contains_group

    made.expect(2, "restrict(G, a) with a representation a of a larger group G")
    group = reader.group
    of_group, of_rep = made.arguments
    larger = reader.subgroup(of_group)
    if larger.dim != group.dim:
        raise of_group.fail(f"a group in dimension {group.dim}")
    if not contains_group(larger, group):
        raise of_group.fail(f"a group that contains {group.name}")
    inner = replace(reader, group=larger).single(of_rep)
    spec = f"restrict({of_group.text}, {inner.spec})"
    generators = tuple(inner.at(g) for g in group.generators)
    lie = tuple(inner.derivative(x) for x in group.lie)
    from pdobasis.representations.checks import require_representation

    require_representation(group, spec, generators, lie, cover=inner.hypothesis.cover)
    own = inner.own or is_file_name(of_group.text)
    return from_matrices(
        group,
        spec,
        inner.size,
        generators,
        lie,
        own=own,
        hypothesis=inner.hypothesis,
    )


@dataclass(frozen=True, slots=True)
class _Known(Term):
    """A representation known on generators only, as a term: looked up by matrix."""

    rep: Representation

    def at(self, g: ExactArray) -> ExactArray:
        for h, m in zip(self.rep.group.generators, self.rep.matrices(), strict=True):
            if h.equals(g):
                return m
        return self.rep.at(g)

    def derivative(self, x: ExactArray) -> ExactArray:
        for y, m in zip(self.rep.group.lie, self.rep.lie, strict=True):
            if y.equals(x):
                return m
        return self.rep.derivative(x)


def _as_term(rep: Representation) -> Term:
    if rep.term is not None:
        return rep.term
    return _Known(rep)


def _applied(
    term: Term,
    spec: str,
    size: int,
    *inner: Representation,
) -> Representation:
    """A formula of representations: one itself where all of them are, else its matrices on the generators."""
    group = inner[0].group
    if all(rep.term is not None for rep in inner):
        return from_term(group, term, spec)
    generators = tuple(term.at(g) for g in group.generators)
    lie = tuple(term.derivative(x) for x in group.lie)
    return from_matrices(
        group,
        spec,
        size,
        generators,
        lie,
        own=any(rep.own for rep in inner),
        hypothesis=together(rep.hypothesis for rep in inner),
    )

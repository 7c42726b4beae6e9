"""What the names of the grammar mean: one builder each, from a call to a representation.

A new representation is one function with one ``builder`` line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb
from pathlib import Path

from pdobasis.errors import RepresentationError, SizeError, UnknownNameError
from pdobasis.exact.array import ExactArray, identity
from pdobasis.exact.matrices import block_diagonal
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.classical import turns_space
from pdobasis.groups.closure import MAX_ELEMENTS
from pdobasis.groups.group import MAX_NAME, Group
from pdobasis.groups.matrices import power
from pdobasis.groups.membership import contains_group
from pdobasis.question.grammar import Call, Piece, call, number, summands
from pdobasis.question.own_group import load_group
from pdobasis.question.own_representation import load_representation
from pdobasis.question.yaml_files import is_file_name
from pdobasis.representations import finite, terms
from pdobasis.representations.checks import require_representation
from pdobasis.representations.decomposition import named_irrep
from pdobasis.representations.hypothesis import together
from pdobasis.representations.irreps import spherical
from pdobasis.representations.representation import Representation, from_matrices, from_term
from pdobasis.representations.terms import Term

MAX_DENSE = 3_000
"""Size of a representation that is held as dense matrices."""

_E3NN = re.compile(r"(\d+)([eo])$")


@dataclass(frozen=True, slots=True)
class Reader:
    """Builds representations of one group; files are opened only where ``files`` allows it."""

    group: Group
    files: bool

    def sum(self, piece: Piece) -> Iterator[tuple[Representation, int]]:
        for part, count in summands(piece):
            yield self.term(part), count

    def term(self, piece: Piece) -> Representation:
        if is_file_name(piece.text):
            self.require_files(piece)
            return load_representation(Path(piece.text), self.group)
        if match := _E3NN.match(piece.text):
            return self._e3nn(piece, match)
        found = call(piece)
        if found.name not in BUILDERS:
            hint = f"at character {piece.start + 1} of {piece.whole!r} (pdobasis reps lists them)"
            raise UnknownNameError("representation", found.name, BUILDERS, hint)
        return BUILDERS[found.name](self, found)

    def single(self, piece: Piece) -> Representation:
        """A sum as one representation."""
        parts = [rep for rep, n in self.sum(piece) for _ in range(n)]
        if len(parts) == 1:
            return parts[0]
        spec = " + ".join(p.spec for p in parts)
        size = sum(p.size for p in parts)
        require_size(size, spec)
        formulas = [p.term for p in parts if p.term is not None]
        if len(formulas) == len(parts):
            return from_term(self.group, terms.Sum(tuple(formulas)), spec)
        generators = tuple(block_diagonal(list(ms)) for ms in zip(*(p.matrices() for p in parts), strict=True))
        lie = tuple(block_diagonal(list(ms)) for ms in zip(*(p.lie for p in parts), strict=True))
        return from_matrices(
            self.group,
            spec,
            size,
            generators,
            lie,
            own=any(p.own for p in parts),
            hypothesis=together(p.hypothesis for p in parts),
        )

    def subgroup(self, piece: Piece) -> Group:
        """A group of the catalogue in the same dimension, or of words in the generators, as in <r^2; f>."""
        if piece.text.startswith("<"):
            return self._words(piece)
        follows = re.fullmatch(r"[CD]_?\d+|flip|trivial|inversion", piece.text.strip()) is not None
        dim = self.group.dim if follows else None
        if is_file_name(piece.text):
            self.require_files(piece)
            return load_group(Path(piece.text), dim, MAX_ELEMENTS)
        return parse_group(piece.text, dim, MAX_ELEMENTS)

    def require_files(self, piece: Piece) -> None:
        if not self.files:
            raise RepresentationError(f"{piece.text!r} is a file of its own, and its matrices are missing here")

    def _words(self, piece: Piece) -> Group:
        if not piece.text.endswith(">"):
            raise piece.fail("'>' after the words of the subgroup", len(piece.text))
        words = tuple(dict.fromkeys(w.strip() for w in piece.text[1:-1].split(";") if w.strip()))
        matrices = tuple(self._word(piece, w) for w in words)
        return Group(piece.text[:MAX_NAME], self.group.dim, matrices, words)

    def _word(self, piece: Piece, word: str) -> ExactArray:
        group = self.group
        result = identity(group.dim, group.field)
        for factor in word.split("*"):
            match = re.fullmatch(r"\s*([A-Za-z]\w*)\s*(?:\^\s*(\d{1,6}))?\s*", factor)
            if match is None or match.group(1) not in group.labels:
                known = ", ".join(group.labels) or "none"
                raise piece.fail(f"words in the generators ({known}), such as <{known.split(',')[0]}^2>")
            result = result @ power(group.generators[group.labels.index(match.group(1))], int(match.group(2) or 1))
        return result

    def _e3nn(self, piece: Piece, match: re.Match[str]) -> Representation:
        if not turns_space(self.group):
            raise RepresentationError(
                f"{piece.text!r} is e3nn's notation, for SO(3) and O(3), not for {self.group.name}"
            )
        return spherical(self.group, number(piece, match.group(1), 0, 64), "eo".index(match.group(2)), piece.text)


Builder = Callable[[Reader, Call], Representation]

BUILDERS: dict[str, Builder] = {}
"""By name; in the order in which misspelt names are compared."""


def builder(*names: str) -> Callable[[Builder], Builder]:
    """Register what a name means."""

    def keep(build: Builder) -> Builder:
        BUILDERS.update(dict.fromkeys(names, build))
        return build

    return keep


def require_size(size: int, what: str) -> None:
    if size > MAX_DENSE:
        raise SizeError(f"{what} has size {size}, beyond the limit of {MAX_DENSE} for a representation by matrices")


FORMULAS = {"trivial": terms.Trivial(), "det": terms.Determinant(), "vector": terms.Vector()}


@builder(*FORMULAS)
def _formula(reader: Reader, made: Call) -> Representation:
    made.expect(0, made.name)
    return from_term(reader.group, FORMULAS[made.name], made.name)


@builder("density")
def _density(reader: Reader, made: Call) -> Representation:
    made.expect(1, "density(w) with a rational w")
    text = made.arguments[0].text
    if not re.fullmatch(r"-?\d{1,6}(/[1-9]\d{0,5})?", text):
        raise made.arguments[0].fail("a rational weight such as 1 or -1/2")
    return from_term(reader.group, terms.Density(Fraction(text)), f"density({Fraction(text)})")


@builder("dual")
def _dual(reader: Reader, made: Call) -> Representation:
    made.expect(1, "dual(a)")
    inner = reader.single(made.arguments[0])
    return _applied(terms.Dual(_as_term(inner)), f"dual({inner.spec})", inner.size, inner)


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
    subgroup = reader.subgroup(made.arguments[0])
    finite.require_finite(subgroup, "quotient")
    found = finite.quotient(reader.group, subgroup.generators, f"quotient({made.arguments[0].text})")
    return replace(found, own=is_file_name(made.arguments[0].text))


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
        result = _applied(terms.Tensor(_as_term(result), _as_term(other)), spec, size, result, other)
    return result


@builder("sym", "alt")
def _power(reader: Reader, made: Call) -> Representation:
    name = made.name
    made.expect(2, f"{name}(n, a)")
    n = number(made.arguments[0], made.arguments[0].text, 0, 24)
    inner = reader.single(made.arguments[1])
    spec = f"{name}({n}, {inner.spec})"
    size = comb(inner.size + n - 1, n) if name == "sym" else comb(inner.size, n)
    if not size:
        raise RepresentationError(f"{spec} is zero: alt(n, a) needs n at most the size of a, which is {inner.size}")
    require_size(size, spec)
    kind = terms.Symmetric if name == "sym" else terms.Alternating
    return _applied(kind(n, _as_term(inner)), spec, size, inner)


@builder("induced")
def _induced(reader: Reader, made: Call) -> Representation:
    made.expect(2, "induced(H, a), as in induced(C4, irrep(1))")
    finite.require_finite(reader.group, "induced")
    subgroup = reader.subgroup(made.arguments[0])
    finite.require_finite(subgroup, "induced")
    inner = replace(reader, group=subgroup).single(made.arguments[1])
    spec = f"induced({made.arguments[0].text}, {inner.spec})"
    members = finite.subgroup_elements(reader.group, subgroup.generators)
    require_size(inner.size * ((reader.group.order or 1) // len(members)), spec)
    found = finite.induced(reader.group, subgroup, inner, spec)
    own = inner.own or is_file_name(made.arguments[0].text)
    return replace(found, own=own, hypothesis=inner.hypothesis)


@builder("restrict")
def _restrict(reader: Reader, made: Call) -> Representation:
    made.expect(2, "restrict(G, a) with a representation a of a larger group G")
    group = reader.group
    larger = reader.subgroup(made.arguments[0])
    if larger.dim != group.dim:
        raise made.arguments[0].fail(f"a group in dimension {group.dim}")
    if not contains_group(larger, group):
        raise made.arguments[0].fail(f"a group that contains {group.name}")
    inner = replace(reader, group=larger).single(made.arguments[1])
    spec = f"restrict({made.arguments[0].text}, {inner.spec})"
    generators = tuple(inner.at(g) for g in group.generators)
    lie = tuple(inner.derivative(x) for x in group.lie)
    require_representation(group, spec, generators, lie, cover=inner.hypothesis.cover)
    own = inner.own or is_file_name(made.arguments[0].text)
    return from_matrices(group, spec, inner.size, generators, lie, own=own, hypothesis=inner.hypothesis)


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
    return rep.term if rep.term is not None else _Known(rep)


def _applied(term: Term, spec: str, size: int, *inner: Representation) -> Representation:
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

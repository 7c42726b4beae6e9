r"""Text to representations: ``2xregular + vector + irrep(1,2)``.

    sum   = term { "+" term }
    term  = [ count "x" ] ( name [ "(" argument { "," argument } ")" ] | l "e" | l "o" | "(" sum ")" )

Arguments are sums, whole numbers, names of groups or words in the generators, depending on the name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb
from pathlib import Path

from pdobasis.errors import ParseError, RepresentationError, SizeError, SpecError, UnknownNameError
from pdobasis.exact.array import ExactArray, identity
from pdobasis.exact.matrices import block_diagonal
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.closure import closure, power
from pdobasis.groups.group import DEFAULT_LIMIT, Group
from pdobasis.question.field_type import FieldType, Problem
from pdobasis.question.own_group import load_group
from pdobasis.question.own_representation import load_representation
from pdobasis.representations import finite, terms
from pdobasis.representations.checks import require_representation
from pdobasis.representations.decomposition import named_irrep
from pdobasis.representations.irreps import spherical
from pdobasis.representations.representation import Representation, from_matrices, from_term
from pdobasis.representations.terms import Term

MAX_TEXT = 10_000
MAX_SIZE = 100_000
MAX_DENSE = 3_000
"""Size of a representation that is held as dense matrices."""
MAX_COUNT = 100_000

NAMES = ("trivial", "det", "density", "vector", "dual", "irrep", "regular", "quotient", "tensor", "sym", "alt",
         "induced", "restrict")  # fmt: skip

Builder = Callable[["_Piece", "list[_Piece]", Group], Representation]

_COUNT = re.compile(r"\s*(\d+)\s*[x*]\s*(?=\S)")
_E3NN = re.compile(r"(\d+)([eo])$")
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a text that remembers where it stands."""

    whole: str
    start: int
    text: str

    def fail(self, expected: str, at: int = 0) -> ParseError:
        return ParseError(self.whole, self.start + at, expected)

    def part(self, low: int, high: int) -> _Piece:
        raw = self.text[low:high]
        skipped = len(raw) - len(raw.lstrip())
        return _Piece(self.whole, self.start + low + skipped, raw.strip())


def parse_problem(
    group: str | Group, in_spec: str, out_spec: str, order: int, dim: int | None = None, limit: int = DEFAULT_LIMIT
) -> Problem:
    """The question that the command line and :func:`pdobasis.solve` ask."""
    g = group if isinstance(group, Group) else resolve_group(group, dim, limit)
    return Problem(g, parse_field_type(in_spec, g), parse_field_type(out_spec, g), order)


def resolve_group(text: str, dim: int | None = None, limit: int = DEFAULT_LIMIT) -> Group:
    """A name of the catalogue, or a YAML file."""
    if text.strip().endswith((".yaml", ".yml")):
        return load_group(Path(text.strip()), dim, limit)
    return parse_group(text, dim, limit)


def parse_field_type(text: str, group: Group) -> FieldType:
    """A sum of representations of the group.

    >>> parse_field_type("2xregular + vector", parse_group("D8")).size
    34
    """
    if len(text) > MAX_TEXT:
        raise SpecError(f"a representation of {len(text)} characters is too long (at most {MAX_TEXT})")
    if not text.strip():
        raise SpecError("the representation is empty: write for example trivial, vector or 2xregular + trivial")
    reads_files = ".yaml" in text or ".yml" in text
    return _field_type(text, group) if reads_files else _known_field_type(text, group)


@lru_cache(maxsize=256)
def _known_field_type(text: str, group: Group) -> FieldType:
    """Without files the text alone decides."""
    return _field_type(text, group)


def _field_type(text: str, group: Group) -> FieldType:
    summands = _sum(_Piece(text, 0, text).part(0, len(text)), group)
    spec = " + ".join(f"{n}x{rep.spec}" if n > 1 else rep.spec for rep, n in summands)
    result = FieldType(spec, tuple(summands))
    if result.size > MAX_SIZE * 10:
        raise SizeError(f"the field type has {result.size} channels, beyond the limit of {MAX_SIZE * 10}")
    return result


def _sum(piece: _Piece, group: Group) -> list[tuple[Representation, int]]:
    out: list[tuple[Representation, int]] = []
    for part in _split(piece, "+"):
        if not part.text:
            raise part.fail("a representation such as trivial, vector or regular")
        count = 1
        if match := _COUNT.match(part.text):
            if len(match.group(1)) > 6 or not 1 <= int(match.group(1)) <= MAX_COUNT:
                raise part.fail(f"a count from 1 to {MAX_COUNT}")
            count = int(match.group(1))
            part = part.part(match.end(), len(part.text))
        if part.text.startswith("("):
            if part.text[-1] != ")":
                raise part.fail("')' at the end of the bracket", len(part.text))
            inner = _sum(part.part(1, len(part.text) - 1), group)
            if len(inner) * count > MAX_COUNT:
                raise part.fail(f"at most {MAX_COUNT} summands")
            out.extend(inner * count)
        else:
            out.append((_term(part, group), count))
    return out


def _single(piece: _Piece, group: Group) -> Representation:
    """A sum as one representation."""
    parts = [rep for rep, n in _sum(piece, group) for _ in range(n)]
    if len(parts) == 1:
        return parts[0]
    spec = " + ".join(p.spec for p in parts)
    _require_size(sum(p.size for p in parts), spec)
    if all(p.term is not None for p in parts):
        return from_term(group, terms.Sum(tuple(p.term for p in parts if p.term is not None)), spec)
    generators = tuple(block_diagonal(list(ms)) for ms in zip(*(p.matrices() for p in parts), strict=True))
    lie = tuple(block_diagonal(list(ms)) for ms in zip(*(p.lie for p in parts), strict=True))
    return from_matrices(group, spec, sum(p.size for p in parts), generators, lie)


def _term(piece: _Piece, group: Group) -> Representation:
    if piece.text.endswith((".yaml", ".yml")):
        return load_representation(Path(piece.text), group)
    if match := _E3NN.match(piece.text):
        if group.family.name not in ("SO", "O") or group.family.n != 3:
            raise RepresentationError(f"{piece.text!r} is e3nn's notation, for SO(3) and O(3), not for {group.name}")
        return spherical(group, _number(piece, match.group(1), 0, 64), "eo".index(match.group(2)), piece.text)
    name, arguments = _call(piece)
    if name not in NAMES:
        raise UnknownNameError(
            "representation",
            name,
            NAMES,
            f"at character {piece.start + 1} of {piece.whole!r} (pdobasis reps lists them)",
        )
    return _BUILDERS[name](piece, arguments, group)


def _call(piece: _Piece) -> tuple[str, list[_Piece]]:
    match = _NAME.match(piece.text)
    if match is None:
        raise piece.fail("a representation such as trivial, vector or regular")
    rest = piece.text[match.end() :].lstrip()
    if not rest:
        return match.group(), []
    open_at = piece.text.index(rest, match.end())
    if not rest.startswith("("):
        raise piece.fail("'+', '(' or the end", open_at)
    close = _matching(piece, open_at)
    if piece.text[close + 1 :].strip():
        raise piece.fail("'+' or the end", close + 1)
    inner = piece.part(open_at + 1, close)
    if not inner.text:
        return match.group(), []
    return match.group(), _split(inner, ",")


def _matching(piece: _Piece, open_at: int) -> int:
    depth = 0
    for i in range(open_at, len(piece.text)):
        depth += {"(": 1, ")": -1}.get(piece.text[i], 0)
        if depth == 0:
            return i
    raise piece.fail("')'", len(piece.text))


def _split(piece: _Piece, separator: str) -> list[_Piece]:
    """At separators outside brackets; a '+' right after SO belongs to the name SO+."""
    out, depth, low = [], 0, 0
    for i, c in enumerate(piece.text):
        depth += {"(": 1, ")": -1}.get(c, 0)
        if depth < 0:
            raise piece.fail("no ')' without its '('", i)
        if depth > 50:
            raise piece.fail("at most 50 nested brackets", i)
        if c == separator and depth == 0:
            out.append(piece.part(low, i))
            low = i + 1
    if depth:
        raise piece.fail("')'", len(piece.text))
    out.append(piece.part(low, len(piece.text)))
    return out


def _number(piece: _Piece, text: str, low: int, high: int) -> int:
    if not re.fullmatch(r"\d{1,6}", text) or not low <= int(text) <= high:
        raise piece.fail(f"a whole number from {low} to {high}")
    return int(text)


def _expect(piece: _Piece, arguments: list[_Piece], count: int, usage: str) -> None:
    if len(arguments) != count:
        raise piece.fail(f"{usage} ({count} argument{'s' * (count != 1)}, got {len(arguments)})")


def _require_size(size: int, what: str) -> None:
    if size > MAX_DENSE:
        raise SizeError(f"{what} has size {size}, beyond the limit of {MAX_DENSE} for a representation by matrices")


def _formula(term: Term, usage: str) -> Builder:
    def build(piece: _Piece, arguments: list[_Piece], group: Group) -> Representation:
        _expect(piece, arguments, 0, usage)
        return from_term(group, term, usage)

    return build


def _density(piece: _Piece, arguments: list[_Piece], group: Group) -> Representation:
    _expect(piece, arguments, 1, "density(w) with a rational w")
    text = arguments[0].text
    if not re.fullmatch(r"-?\d{1,6}(/[1-9]\d{0,5})?", text):
        raise arguments[0].fail("a rational weight such as 1 or -1/2")
    return from_term(group, terms.Density(Fraction(text)), f"density({Fraction(text)})")


def _dual(piece: _Piece, arguments: list[_Piece], group: Group) -> Representation:
    _expect(piece, arguments, 1, "dual(a)")
    inner = _single(arguments[0], group)
    spec = f"dual({inner.spec})"
    if inner.term is not None:
        return from_term(group, terms.Dual(inner.term), spec)
    return from_matrices(
        group, spec, inner.size, tuple(m.inverse().T for m in inner.matrices()), tuple(-x.T for x in inner.lie)
    )


def _tensor(piece: _Piece, arguments: list[_Piece], group: Group) -> Representation:
    if len(arguments) < 2:
        raise piece.fail("tensor(a, b) (at least 2 arguments)")
    result = _single(arguments[0], group)
    for argument in arguments[1:]:
        result = _combine(group, result, _single(argument, group))
    return result


def _combine(group: Group, a: Representation, b: Representation) -> Representation:
    spec = f"tensor({a.spec}, {b.spec})"
    _require_size(a.size * b.size, spec)
    as_term = terms.Tensor(_as_term(a), _as_term(b))
    if a.term is not None and b.term is not None:
        return from_term(group, as_term, spec)
    return _from_known(group, as_term, spec, a.size * b.size)


def _power(piece: _Piece, arguments: list[_Piece], group: Group) -> Representation:
    name = piece.text[:3]
    _expect(piece, arguments, 2, f"{name}(n, a)")
    n = _number(arguments[0], arguments[0].text, 0, 24)
    inner = _single(arguments[1], group)
    spec = f"{name}({n}, {inner.spec})"
    size = comb(inner.size + n - 1, n) if name == "sym" else comb(inner.size, n)
    if not size:
        raise RepresentationError(f"{spec} is zero: alt(n, a) needs n at most the size of a, which is {inner.size}")
    _require_size(size, spec)
    kind = terms.Symmetric if name == "sym" else terms.Alternating
    if inner.term is not None:
        return from_term(group, kind(n, inner.term), spec)
    return _from_known(group, kind(n, _as_term(inner)), spec, size)


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


def _from_known(group: Group, term: Term, spec: str, size: int) -> Representation:
    generators = tuple(term.at(g) for g in group.generators)
    return from_matrices(group, spec, size, generators, tuple(term.derivative(x) for x in group.lie))


def _irrep(piece: _Piece, arguments: list[_Piece], group: Group) -> Representation:
    return named_irrep(group, [a.text for a in arguments], piece.text)


def _regular(piece: _Piece, arguments: list[_Piece], group: Group) -> Representation:
    _expect(piece, arguments, 0, "regular")
    return finite.regular(group)


def _subgroup(piece: _Piece, group: Group) -> Group:
    """A group of the catalogue in the same dimension, or the group of words in the generators, as in <r^2, f>."""
    if not piece.text.startswith("<"):
        return resolve_group(piece.text, group.dim if _needs_dim(piece.text) else None, group.limit)
    if not piece.text.endswith(">"):
        raise piece.fail("'>' after the words of the subgroup", len(piece.text))
    words = [w.strip() for w in piece.text[1:-1].split(";") if w.strip()]
    return Group(piece.text, group.dim, tuple(_word(piece, w, group) for w in words), tuple(words), limit=group.limit)


def _needs_dim(text: str) -> bool:
    return re.fullmatch(r"[CD]_?\d+|flip|trivial|inversion", text.strip()) is not None


def _word(piece: _Piece, word: str, group: Group) -> ExactArray:
    result = identity(group.dim, group.field)
    for factor in word.split("*"):
        match = re.fullmatch(r"\s*([A-Za-z]\w*)\s*(?:\^\s*(\d{1,6}))?\s*", factor)
        if match is None or match.group(1) not in group.labels:
            known = ", ".join(group.labels) or "none"
            raise piece.fail(f"words in the generators ({known}), such as <{known.split(',')[0]}^2>")
        result = result @ power(group.generators[group.labels.index(match.group(1))], int(match.group(2) or 1))
    return result


def _quotient(piece: _Piece, arguments: list[_Piece], group: Group) -> Representation:
    _expect(piece, arguments, 1, "quotient(H), as in quotient(C4) or quotient(<r^2; f>)")
    finite.require_finite(group, "quotient")
    subgroup = _subgroup(arguments[0], group)
    finite.require_finite(subgroup, "quotient")
    return finite.quotient(group, subgroup.generators, f"quotient({arguments[0].text})")


def _induced(piece: _Piece, arguments: list[_Piece], group: Group) -> Representation:
    _expect(piece, arguments, 2, "induced(H, a), as in induced(C4, irrep(1))")
    finite.require_finite(group, "induced")
    subgroup = _subgroup(arguments[0], group)
    finite.require_finite(subgroup, "induced")
    inner = _single(arguments[1], subgroup)
    spec = f"induced({arguments[0].text}, {inner.spec})"
    members = finite.subgroup_elements(group, subgroup.generators)
    _require_size(inner.size * ((group.order or 1) // len(members)), spec)
    return finite.induced(group, subgroup, inner, spec)


def _restrict(piece: _Piece, arguments: list[_Piece], group: Group) -> Representation:
    _expect(piece, arguments, 2, "restrict(G, a) with a representation a of a larger group G")
    larger = _subgroup(arguments[0], group)
    if larger.dim != group.dim:
        raise arguments[0].fail(f"a group in dimension {group.dim}")
    if not _contains(larger, group):
        raise arguments[0].fail(f"a group that contains {group.name}")
    inner = _single(arguments[1], larger)
    spec = f"restrict({arguments[0].text}, {inner.spec})"
    generators = tuple(inner.at(g) for g in group.generators)
    lie = tuple(inner.derivative(x) for x in group.lie)
    require_representation(group, spec, generators, lie)
    return from_matrices(group, spec, inner.size, generators, lie)


def _contains(larger: Group, group: Group) -> bool:
    """G <= larger, decided for finite, orthogonal and special groups; other formulas hold for every matrix anyway."""
    if larger.is_finite:
        return group.is_finite and all(closure(larger).find(g) is not None for g in group.generators)
    if larger.family.name not in ("SO", "O"):
        return True
    proper = all(terms.determinant(g).equals(identity(1)[0, 0]) for g in group.generators)
    return group.is_orthogonal and (larger.family.name == "O" or proper)


_BUILDERS: dict[str, Builder] = {
    "trivial": _formula(terms.Trivial(), "trivial"),
    "det": _formula(terms.Determinant(), "det"),
    "vector": _formula(terms.Vector(), "vector"),
    "density": _density,
    "dual": _dual,
    "irrep": _irrep,
    "regular": _regular,
    "quotient": _quotient,
    "tensor": _tensor,
    "sym": _power,
    "alt": _power,
    "induced": _induced,
    "restrict": _restrict,
}

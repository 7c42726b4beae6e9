"""The question: which terms do these fields allow?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement

from pdobasis.errors import SizeError, SpecError, require_type
from pdobasis.groups.group import Group
from pdobasis.nonlinear.weights import Scaling, parse_scaling
from pdobasis.question.field_type import FieldType
from pdobasis.question.text import parse_field_type, resolve_group
from pdobasis.representations.representation import Representation, from_term
from pdobasis.representations.terms import Sum

MAX_MULTIDEGREES = 20_000
RESERVED = ("t", "x", "out", "d", "dt")
"""Names with a meaning of their own; so have x1, x2, … and d1, d2, …"""


@dataclass(frozen=True, slots=True)
class Field:
    """A field with its representation; a constant has no derivatives."""

    name: str
    rep: Representation
    constant: bool = False


@dataclass(frozen=True, slots=True, order=True)
class Jet:
    r"""The space $V \otimes \mathrm{Sym}^n$ of derivatives of order ``order`` in space and ``time`` in t."""

    field: int
    order: int
    time: int = 0

    @property
    def total(self) -> int:
        return self.order + self.time


@dataclass(frozen=True, slots=True)
class Multidegree:
    """How often each jet is a factor: (jet, power), sorted."""

    factors: tuple[tuple[Jet, int], ...]

    @property
    def degree(self) -> int:
        return sum(power for _, power in self.factors)

    @property
    def total(self) -> int:
        """All derivatives together."""
        return sum(jet.total * power for jet, power in self.factors)

    @property
    def jets(self) -> tuple[Jet, ...]:
        """Every factor, one by one."""
        return tuple(jet for jet, power in self.factors for _ in range(power))


@dataclass(frozen=True, slots=True)
class TermsQuestion:
    """All terms of ``fields`` that move like ``out``.

    A term has 1 to ``degree`` factors; a factor has at most ``derivatives`` derivatives (in space and time together),
    all factors at most ``max_total``. With ``time`` there is ∂_t. A ``scaling`` keeps the terms of one weight.
    """

    group: Group
    fields: tuple[Field, ...]
    out: Representation
    degree: int
    derivatives: int
    max_total: int | None = None
    time: bool = False
    scaling: Scaling | None = None

    def multidegrees(self) -> Iterator[Multidegree]:
        """By degree, then by the number of derivatives, then in the order of fields."""
        found = []
        for degree in range(1, self.degree + 1):
            for jets in combinations_with_replacement(self.jets, degree):
                factors = {jet: jets.count(jet) for jet in jets}
                multidegree = Multidegree(tuple(factors.items()))
                if self.asks_for(multidegree):
                    found.append(multidegree)
                if len(found) > MAX_MULTIDEGREES:
                    raise SizeError(
                        f"more than {MAX_MULTIDEGREES} multidegrees: lower degree=, derivatives= or max_total="
                    )
        return iter(sorted(found, key=lambda m: (m.degree, m.total, m.jets)))

    def asks_for(self, m: Multidegree) -> bool:
        if self.max_total is not None and m.total > self.max_total:
            return False
        if self.scaling is None:
            return True
        return self.scaling.allows(self, m)

    @property
    def jets(self) -> tuple[Jet, ...]:
        out = []
        for k, field in enumerate(self.fields):
            highest = 0 if field.constant else self.derivatives
            for n in range(highest + 1):
                for time in range(highest + 1 - n if self.time else 1):
                    out.append(Jet(k, n, time))
        return tuple(sorted(out, key=lambda j: (j.field, j.total, j.time)))

    @property
    def constants(self) -> frozenset[int]:
        """Places of the fields without derivatives."""
        return frozenset(k for k, field in enumerate(self.fields) if field.constant)

    def label(self, m: Multidegree) -> str:
        """As in u · ∂u · ∂²p."""
        return " · ".join(_jet_text(self, *factor) for factor in m.factors)


def ask_terms(
    group: str | Group,
    fields: Mapping[str, str | Representation],
    out: str | Representation,
    degree: int = 2,
    derivatives: int = 2,
    *,
    max_total: int | None = None,
    time: bool = False,
    constants: Mapping[str, str | Representation] | None = None,
    weights: Mapping[str, int | Fraction | str] | str | None = None,
    dim: int | None = None,
) -> TermsQuestion:
    """The question as a value; see :func:`pdobasis.nonlinear.find.terms`."""
    found = resolve_group(group, dim)
    require_type(fields, Mapping, "fields", "a mapping such as {'u': 'vector'}")
    if constants is None:
        constants = {}
    require_type(constants, Mapping, "constants", "a mapping such as {'g': 'vector'}")
    both = sorted(set(fields) & set(constants))
    if both:
        raise SpecError(f"{both[0]} is given as a field and as a constant: one of them")
    listed = [_field(found, name, rep, False) for name, rep in fields.items()]
    listed += [_field(found, name, rep, True) for name, rep in constants.items()]
    if not listed:
        raise SpecError("a term needs a field: for example fields={'u': 'vector'}")
    _require_own_names(listed)
    for what, value, least in (("degree", degree, 1), ("derivatives", derivatives, 0)):
        _require_whole(what, value, least)
    if max_total is not None:
        _require_whole("max_total", max_total, 0)
    scaling = None
    if weights is not None:
        scaling = parse_scaling(weights, [field.name for field in listed])
    return TermsQuestion(
        found,
        tuple(listed),
        _single(found, out, "out"),
        degree,
        derivatives,
        max_total,
        time,
        scaling,
    )


def _require_whole(what: str, value: int, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise SpecError(f"{what} is a whole number from {least}, got {value!r:.40}")
    if value > 24:
        raise SizeError(f"{what} is at most 24, got {value}")


def _field(group: Group, name: str, rep: str | Representation, constant: bool) -> Field:
    # letters only: u_i is a component, and ∂_i u_j is read without brackets
    if not name.isidentifier() or "_" in name or len(name) > 16 or _is_reserved(name):
        raise SpecError(
            f"a field is called by letters and digits as u, p, B or rho (not {', '.join(RESERVED)}, x1 or d1), "
            f"got {name!r:.40}"
        )
    return Field(name, _single(group, rep, name), constant)


def _is_reserved(name: str) -> bool:
    return name in RESERVED or (name[0] in "xd" and name[1:].isdecimal())


def _require_own_names(fields: Sequence[Field]) -> None:
    """Components are called u1, u2, …, so no other field or component may be."""
    owners: dict[str, Field] = {}
    for field in fields:
        names = [field.name]
        if field.rep.size > 1:
            names += [f"{field.name}{c + 1}" for c in range(field.rep.size)]
        for name in names:
            other = owners.setdefault(name, field)
            if other is field:
                continue
            # the longer name is the one that can be another
            short, long = sorted((other, field), key=lambda f: len(f.name))
            raise SpecError(
                f"{name} is a component of {short.name}: {long.name} needs another name"
            )


def _single(group: Group, rep: str | Representation, what: str) -> Representation:
    if isinstance(rep, Representation):
        return rep
    return one_representation(parse_field_type(rep, group), what)


def one_representation(fields: FieldType, what: str) -> Representation:
    """A sum of several fields as one representation: components that belong together, as those of a map φ."""
    if len(fields) == 1:
        return fields[0]
    terms = [rep.term for rep in fields]
    known = tuple(term for term in terms if term is not None)
    if len(known) < len(terms):
        raise SpecError(
            f"{what} is a sum of {len(fields)} fields ({fields}), some without a formula: give each a name of its own"
        )
    return from_term(fields.group, Sum(known), fields.spec)


_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def _jet_text(question: TermsQuestion, jet: Jet, power: int) -> str:
    text = question.fields[jet.field].name
    for symbol, order in (("∂", jet.order), ("∂_t", jet.time)):
        if order == 1:
            text = f"{symbol}{text}" if symbol == "∂" else f"{symbol} {text}"
        elif order > 1:
            raised = str(order).translate(_SUPERSCRIPT)
            text = f"∂{raised}{text}" if symbol == "∂" else f"∂_t{raised} {text}"
    if power == 1:
        return text
    raised = str(power).translate(_SUPERSCRIPT)
    if jet.total:
        return f"({text}){raised}"
    return f"{text}{raised}"


def factors_json(question: TermsQuestion, m: Multidegree) -> list[dict[str, object]]:
    """The multidegree as plain data."""
    out: list[dict[str, object]] = []
    for jet, power in m.factors:
        own: dict[str, object] = {
            "field": question.fields[jet.field].name,
            "order": jet.order,
        }
        if question.time:
            own["time"] = jet.time
        own["power"] = power
        out.append(own)
    return out


def names_of(question: TermsQuestion) -> Sequence[str]:
    return [field.name for field in question.fields]

r"""Structure of terms: divergences, terms modulo total derivatives, adjoints, further symmetries, moving frames.

Every structure but one is a linear condition on combinations of proved terms, so several together are conditions one
after the other, and what is left out is proved to be left out. *lagrangian* comes last: representatives of what is
left, modulo total derivatives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from pdobasis.errors import SpecError
from pdobasis.nonlinear.independent import Components
from pdobasis.nonlinear.null_vectors import units
from pdobasis.nonlinear.question import TermsQuestion
from pdobasis.nonlinear.result import Term, Terms
from pdobasis.nonlinear.structure.adjoint import adjoint_condition, linear_terms
from pdobasis.nonlinear.structure.combine import restricted, sums_of
from pdobasis.nonlinear.structure.fluxes import divergence_terms
from pdobasis.nonlinear.structure.internal import flipped_terms, internal_condition
from pdobasis.nonlinear.structure.moving import galilean_condition
from pdobasis.nonlinear.structure.variation import euler, representatives, varied

PLAIN = ("divergence", "lagrangian", "self-adjoint", "skew")
WITH_TEXT = ("internal", "flip", "galilean")
AND = " + "
"""Between several structures in one text."""

Condition = Callable[[Components], Components]
__all__ = ["asked_structures", "euler", "with_structure"]


def asked_structures(
    structure: str | Sequence[str] | None, galilean: str | None = None
) -> tuple[str, ...]:
    """Names that are known, each once.

    >>> asked_structures("divergence", "u")
    ('divergence', 'galilean:u')
    """
    given = [structure] if isinstance(structure, str) else list(structure or ())
    found = [part.strip() for text in given for part in _text(text).split(AND)]
    if galilean is not None:
        found.append(f"galilean:{_text(galilean)}")
    for name in found:
        kind, sign, _ = name.partition(":")
        if name not in PLAIN and not (sign and kind in WITH_TEXT):
            known = ", ".join([*PLAIN, *(f"{k}:…" for k in WITH_TEXT)])
            raise SpecError(f"structure is one of {known}, got {name!r:.40}")
    if {"self-adjoint", "skew"} <= set(found):
        raise SpecError("self-adjoint or skew: zero alone is both")
    return tuple(dict.fromkeys(found))


def with_structure(terms: Terms, asked: Sequence[str]) -> Terms:
    """The terms of a question that have all of these structures."""
    name = AND.join(asked)
    if tuple(asked) == ("divergence",):
        return replace(terms, kept=tuple(divergence_terms(terms)), structure=name)
    own = _listed(terms, asked)
    rows = units(len(own))
    for structure in asked:
        condition = _condition(terms.question, structure)
        if condition is not None:
            rows = restricted(own, rows, condition)
    kept = sums_of(terms.question, own, rows)
    if "lagrangian" in asked:
        kept = representatives(terms.question, kept)
    return replace(terms, kept=tuple(kept), structure=name)


def _listed(terms: Terms, asked: Sequence[str]) -> list[Term]:
    """The terms that a structure speaks of at all."""
    own = list(terms)
    for structure in asked:
        kind, _, text = structure.partition(":")
        if kind == "flip":
            own = flipped_terms(terms.question, own, text)
        elif kind in ("self-adjoint", "skew"):
            own = linear_terms(terms.question, own)
        elif kind in ("divergence", "lagrangian"):
            own = varied(terms.question, own)
    return own


def _condition(question: TermsQuestion, structure: str) -> Condition | None:
    """A linear map whose null space the structure is; None where terms were only listed or are chosen at the end."""
    kind, _, text = structure.partition(":")
    if kind == "divergence":
        return lambda components: euler(question, components)
    if kind in ("self-adjoint", "skew"):
        return adjoint_condition(1 if kind == "self-adjoint" else -1)
    if kind == "internal":
        return internal_condition(question, text)
    if kind == "galilean":
        return galilean_condition(question, text)
    return None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise SpecError(f"a structure is a text such as divergence, got {value!r:.40}")
    return value

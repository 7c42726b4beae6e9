"""Further symmetries of components: Lie generators that turn them among themselves, and signs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flint import fmpq

from pdobasis.errors import SpecError
from pdobasis.exact.scalars import Number
from pdobasis.nonlinear.independent import Components
from pdobasis.nonlinear.polynomials import Coordinate, add_to, derivation
from pdobasis.nonlinear.question import TermsQuestion
from pdobasis.nonlinear.result import Term
from pdobasis.nonlinear.weights import fraction_of

Matrices = dict[str, list[list[fmpq]]]


def internal_condition(
    question: TermsQuestion, text: str
) -> Callable[[Components], Components]:
    """What infinitesimal turns change: ``psi=0,-1;1,0`` turns the components of psi among themselves.

    Fields that turn together are separated by ``|`` (``out`` is how the output turns along), generators by ``&``.
    """
    generators = []
    for generator in text.split("&"):
        parts = [_matrix(part) for part in generator.split("|")]
        matrices = dict(parts)
        if len(matrices) < len(parts):
            raise SpecError(f"a field stands twice in {generator.strip()!r:.60}")
        _require_square(question, matrices)
        generators.append(matrices)

    def turned(components: Components) -> Components:
        return tuple(
            residue
            for matrices in generators
            for residue in _turned(question, components, matrices)
        )

    return turned


def _require_square(question: TermsQuestion, matrices: Matrices) -> None:
    sizes = {field.name: field.rep.size for field in question.fields}
    sizes["out"] = question.out.size
    for name, matrix in matrices.items():
        if name not in sizes:
            raise SpecError(f"no field {name!r:.40}: known are {', '.join(sizes)}")
        n = sizes[name]
        if len(matrix) != n or any(len(row) != n for row in matrix):
            raise SpecError(
                f"{name} has {n} components: give a square matrix of that size"
            )


def _turned(
    question: TermsQuestion, components: Components, matrices: Matrices
) -> Components:
    """What an infinitesimal turn changes, less how the output turns."""
    names = [field.name for field in question.fields]

    def move(c: Coordinate) -> dict[Coordinate, Number]:
        rows = matrices.get(names[c.field])
        if rows is None:
            return {}
        row = enumerate(rows[c.component])
        return {c._replace(component=k): value for k, value in row if value}

    out = []
    for c, polynomial in enumerate(components):
        residue = derivation(polynomial, move)
        if "out" in matrices:
            for k, value in enumerate(matrices["out"][c]):
                add_to(residue, components[k], -1 * value)
        out.append(residue)
    return tuple(out)


def _matrix(text: str) -> tuple[str, list[list[fmpq]]]:
    name, sign, rows = text.partition("=")
    try:
        found = [[_fraction(v) for v in row.split(",")] for row in rows.split(";")]
    except (ValueError, ZeroDivisionError):
        found = []
    if not sign or not found:
        raise SpecError(
            f"an internal symmetry is written as psi=0,-1;1,0, got {text!r:.60}"
        )
    return name.strip(), found


def _fraction(text: str) -> fmpq:
    value = fraction_of(text)
    return fmpq(value.numerator, value.denominator)


def flipped_terms(
    question: TermsQuestion, terms: Sequence[Term], text: str
) -> list[Term]:
    """Terms that keep their sign, or take that of ``out`` when it is listed, where the listed fields change theirs."""
    names = [field.name for field in question.fields]
    listed = [name.strip() for name in text.split(",")]
    for name in listed:
        if name not in (*names, "out"):
            raise SpecError(
                f"no field {name!r:.40}: fields are {', '.join(names)} (and out)"
            )
    kept = []
    for term in terms:
        factors = sum(names[jet.field] in listed for jet in term.multidegree.jets)
        if factors % 2 == ("out" in listed):
            kept.append(term)
    return kept

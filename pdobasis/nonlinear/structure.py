r"""Structure of terms: divergences of fluxes, terms modulo total derivatives, Galilean invariance.

All three are exact linear algebra on proved bases, so what is left out is proved to be left out:

* *divergence*: a polynomial f is a divergence $\partial_a F_a$ exactly if its Euler operators vanish,
  $E_u f = \sum_\alpha (-\partial)^\alpha \frac{\partial f}{\partial(\partial^\alpha u)} = 0$ for every field;
* *lagrangian*: representatives of the terms modulo those: terms with independent Euler operators;
* *galilean*: under a boost by c, $x \to x + ct$, a velocity becomes $u + c$ and $\partial_t$ becomes
  $\partial_t - c \cdot \nabla$. The combinations f of terms with $\delta_c f = 0$ for all c, where $\delta_c$ sends
  $u_a \to c_a$ and $\partial_t^k j \to -k\,c\cdot\nabla\,\partial_t^{k-1} j$.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import gcd, lcm

from flint import fmpq

from pdobasis.errors import SpecError
from pdobasis.exact.scalars import Number
from pdobasis.nonlinear.echelon import combined, is_rational, matrix_of, places_of
from pdobasis.nonlinear.independent import Components
from pdobasis.nonlinear.names import name_of_difference
from pdobasis.nonlinear.polynomials import (
    Coordinate,
    Polynomial,
    add_to,
    derivation,
    raised,
    total_derivative,
)
from pdobasis.nonlinear.question import TermsQuestion
from pdobasis.nonlinear.result import Term, Terms
from pdobasis.representations.representation import Representation, from_term
from pdobasis.representations.terms import Tensor, Vector

STRUCTURES = ("divergence", "lagrangian", "self-adjoint", "skew")


def with_structure(terms: Terms, structure: str | None, galilean: str | None) -> Terms:
    """The terms of a question that have a structure."""
    if structure is not None and galilean is not None:
        raise SpecError("one structure at a time: divergence, lagrangian or galilean")
    if galilean is not None:
        return galilean_terms(terms, galilean)
    if structure == "divergence":
        return divergence_terms(terms)
    if structure == "lagrangian":
        return lagrangian_terms(terms)
    if structure in ("self-adjoint", "skew"):
        return linear_terms(terms, 1 if structure == "self-adjoint" else -1)
    if structure is not None and structure.startswith("internal:"):
        return internal_terms(terms, structure.partition(":")[2])
    if structure is not None and structure.startswith("flip:"):
        return flipped_terms(terms, structure.partition(":")[2])
    raise SpecError(f"structure is {' or '.join(STRUCTURES)}, got {structure!r:.40}")


def divergence_terms(terms: Terms) -> Terms:
    """A basis of the terms that are divergences: of one flux where there is such a one, and sums of terms."""
    own = _varied(terms)
    every = [term.components for term in own]
    images = [euler(terms.question, components) for components in every]
    weights = null_vectors(images)
    chosen: list[Components] = []
    found: list[Term] = []
    for flux, components in _simple_divergences(terms):
        # of one flux, and in the span of the terms
        inside = _rank([*every, components]) == len(every)
        if inside and _rank([*chosen, components]) > len(chosen):
            chosen.append(components)
            text = f"div[{flux.text}]"
            latex = rf"\mathrm{{div}}\left[{flux.latex()}\right]"
            found.append(
                Term(terms.question, flux.multidegree, components, text, latex)
            )
    for row in weights:
        term = _sum(terms.question, own, row)
        if _rank([*chosen, term.components]) > len(chosen):
            chosen.append(term.components)
            found.append(term)
    return replace(terms, kept=tuple(found), structure="divergence")


def lagrangian_terms(terms: Terms) -> Terms:
    """Terms that are independent modulo divergences, those with the lowest derivatives first."""
    ordered = sorted(
        _varied(terms), key=lambda t: max(j.total for j in t.multidegree.jets)
    )
    chosen: list[Components] = []
    kept = []
    for term in ordered:
        image = euler(terms.question, term.components)
        if _rank([*chosen, image]) > len(chosen):
            chosen.append(image)
            kept.append(term)
    kept.sort(key=list(terms).index)
    return replace(terms, kept=tuple(kept), structure="lagrangian")


def linear_terms(terms: Terms, sign: int) -> Terms:
    r"""Combinations of linear terms in a field like the output that are self-adjoint (or skew) operators.

    With $f_c = \sum a_{cc'\alpha} \partial^\alpha u_{c'}$ that is $(-1)^{|\alpha|} a_{c'c\alpha} = \pm a_{cc'\alpha}$.
    """
    question = terms.question
    kept = []
    for f, field in enumerate(question.fields):
        own = [
            t
            for t in terms
            if t.multidegree.degree == 1 and t.multidegree.jets[0].field == f
        ]
        if field.rep != question.out or field.constant:
            continue
        differences = []
        for term in own:
            difference = tuple(dict(p) for p in term.components)
            for c, polynomial in enumerate(_adjoint(term.components)):
                add_to(difference[c], polynomial, -sign)
            differences.append(difference)
        kept += [_sum(question, own, row) for row in null_vectors(differences)]
    name = "self-adjoint" if sign > 0 else "skew"
    return replace(terms, kept=tuple(kept), structure=name)


def _adjoint(components: Components) -> Components:
    out: tuple[Polynomial, ...] = tuple({} for _ in components)
    for c, polynomial in enumerate(components):
        for (j,), value in polynomial.items():
            turned = j._replace(component=c)
            # one sign for every derivative, in time as well
            add_to(out[j.component], {(turned,): value}, (-1) ** (j.order + j.time))
    return out


def internal_terms(terms: Terms, text: str) -> Terms:
    """Combinations that a further Lie symmetry keeps: ``psi=0,-1;1,0`` turns the components of psi among themselves.

    Fields that turn together are separated by ``|`` (``out`` is how the output turns along), generators by ``&``.
    """
    question = terms.question
    turned: list[Components] = [() for _ in terms]
    for generator in text.split("&"):
        matrices = dict(_matrix(part) for part in generator.split("|"))
        _require_square(question, matrices)
        for k, term in enumerate(terms):
            turned[k] += _turned(question, term.components, matrices)
    kept = [_sum(question, terms, row) for row in null_vectors(turned)]
    return replace(terms, kept=tuple(kept), structure=f"internal:{text}")


Matrices = dict[str, list[list[fmpq]]]


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
        found = [
            [Fraction(v.strip()) for v in row.split(",")] for row in rows.split(";")
        ]
    except (ValueError, ZeroDivisionError):
        found = []
    if not sign or not found:
        raise SpecError(
            f"an internal symmetry is written as psi=0,-1;1,0, got {text!r:.60}"
        )
    return name.strip(), [
        [fmpq(v.numerator, v.denominator) for v in row] for row in found
    ]


def flipped_terms(terms: Terms, text: str) -> Terms:
    """Terms that keep their sign, or take that of ``out`` when it is listed, where the listed fields change theirs."""
    question = terms.question
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
    return replace(terms, kept=tuple(kept), structure=f"flip:{text}")


def euler(question: TermsQuestion, components: Components) -> Components:
    """The Euler operators of every component: those of one field after the other, times as they stand."""
    out = []
    for polynomial in components:
        for f, field in enumerate(question.fields):
            if field.constant:
                continue
            highest = question.derivatives if question.time else 0
            for c in range(field.rep.size):
                for time in range(highest + 1):
                    out.append(_euler(polynomial, f, c, time))
    return tuple(out)


def _euler(polynomial: Polynomial, field: int, component: int, time: int) -> Polynomial:
    partial: dict[tuple[int, ...], Polynomial] = {}
    for monomial, value in polynomial.items():
        for c in dict.fromkeys(monomial):
            if (c.field, c.component, c.time) != (field, component, time):
                continue
            k = monomial.index(c)
            rest = monomial[:k] + monomial[k + 1 :]
            own = partial.setdefault(c.alpha, {})
            add_to(own, {rest: value * monomial.count(c)})
    out: Polynomial = {}
    for alpha, own in partial.items():
        for axis, order in enumerate(alpha):
            for _ in range(order):
                own = total_derivative(own, axis)
        add_to(out, own, (-1) ** sum(alpha))
    return out


def _varied(terms: Terms) -> list[Term]:
    """Terms with a field in them: constants alone are no divergence, and vary with nothing."""
    fields = terms.question.fields
    found = [
        term
        for term in terms
        if not all(fields[jet.field].constant for jet in term.multidegree.jets)
    ]
    if not is_rational([term.components for term in found]):
        raise SpecError(
            "this structure is for terms with rational coefficients: write irreps as tensors (sym(2, vector), …)"
        )
    return found


def _simple_divergences(terms: Terms) -> list[tuple[Term, Components]]:
    """Divergences of single fluxes, with one derivative fewer."""
    from pdobasis.nonlinear.find import find_terms

    question = terms.question
    if question.out.term is None or not question.derivatives:
        return []
    fluxes = replace(
        question,
        derivatives=question.derivatives - 1,
        out=_with_vector(question.out),
    )
    if question.max_total is not None:
        fluxes = replace(fluxes, max_total=max(0, question.max_total - 1))
    if question.scaling is not None:
        # a divergence divides by a length
        lower = question.scaling.out + question.scaling.length
        fluxes = replace(fluxes, scaling=replace(question.scaling, out=lower))
    out = []
    for flux in find_terms(fluxes):
        components = _divergence(flux.components, question.out.size)
        if any(components) and is_rational([components]):
            out.append((flux, components))
    return out


def _with_vector(out: Representation) -> Representation:
    if out.term is None:
        raise SpecError(f"{out.spec} has no formula")
    # F_a moves like the vector, so that ∂_a F_a moves like the output
    spec = f"tensor({out.spec}, vector)"
    return from_term(out.group, Tensor(out.term, Vector()), spec)


def _divergence(flux: Components, size: int) -> Components:
    dim = len(flux) // size
    out: tuple[Polynomial, ...] = tuple({} for _ in range(size))
    for k, polynomial in enumerate(flux):
        c, axis = divmod(k, dim)
        add_to(out[c], total_derivative(polynomial, axis))
    return out


def galilean_terms(terms: Terms, name: str) -> Terms:
    """A basis of the combinations of terms that no boost changes."""
    question = terms.question
    names = [field.name for field in question.fields]
    if name not in names:
        raise SpecError(
            f"no field {name!r:.40}: the velocity is one of {', '.join(names)}"
        )
    velocity = names.index(name)
    if question.fields[velocity].rep != _vector(question):
        raise SpecError(
            f"{name} is {question.fields[velocity].rep.spec}: a velocity is a vector"
        )
    every = [term.components for term in terms]
    if not is_rational(every):
        raise SpecError("Galilean invariance is for terms with rational coefficients")
    boosted = [
        _boosts(components, velocity, question.group.dim) for components in every
    ]
    kept = []
    for weights in null_vectors(boosted):
        kept.append(_sum(question, terms, weights))
    return replace(terms, kept=tuple(kept), structure=f"galilean:{name}")


def _vector(question: TermsQuestion) -> Representation:
    return from_term(question.group, Vector(), "vector")


def _boosts(components: Components, velocity: int, dim: int) -> Components:
    """δ_c of every component for c = e_1, …, e_d, one after the other."""
    out = []
    for axis in range(dim):
        for polynomial in components:
            out.append(_shifted(polynomial, velocity, axis))
    return tuple(out)


def _shifted(polynomial: Polynomial, velocity: int, axis: int) -> Polynomial:
    def move(c: Coordinate) -> dict[Coordinate, Number]:
        if not c.time:
            return {}
        return {raised(c._replace(time=c.time - 1), axis): fmpq(-c.time)}

    out = derivation(polynomial, move)
    unit = Coordinate(velocity, axis, (0,) * _dim(polynomial))
    # u_axis -> u_axis + c: the derivative with respect to that coordinate
    for monomial, value in polynomial.items():
        count = monomial.count(unit)
        if count:
            k = monomial.index(unit)
            add_to(out, {monomial[:k] + monomial[k + 1 :]: value * count})
    return out


def _dim(polynomial: Polynomial) -> int:
    return len(next((c.alpha for m in polynomial for c in m), ()))


def null_vectors(rows: Sequence[Components]) -> list[list[fmpq]]:
    """Combinations of the rows that vanish, in reduced echelon form."""
    places = places_of(rows)
    if not places:
        return [[fmpq(int(i == k)) for i in range(len(rows))] for k in range(len(rows))]
    # the unknowns from the last to the first, so that the simplest terms stand at the pivots of the answer
    system = matrix_of(rows, places).transpose()
    reduced, rank = system.rref()
    pivots = []
    for r in range(rank):
        pivots.append(next(j for j in range(len(rows)) if reduced[r, j]))
    free = [j for j in range(len(rows)) if j not in pivots]
    out = []
    for j in free:
        vector = [fmpq(0)] * len(rows)
        vector[j] = fmpq(1)
        for r, pivot in enumerate(pivots):
            vector[pivot] = -reduced[r, j]
        out.append(vector)
    return out


def _sum(
    question: TermsQuestion,
    terms: Sequence[Term],
    weights: Sequence[fmpq],
) -> Term:
    """A combination of terms, with the multidegree of the first."""
    used = [term for term, w in zip(terms, weights, strict=True) if w]
    if len(used) == 1:
        return used[0]
    factors = _coprime([w for w in weights if w])
    components = combined([term.components for term in used], factors)
    text = _joined([term.text for term in used], factors)
    latex = _joined([term.latex() for term in used], factors)
    name = "material derivative" if text.startswith("∂_t ") else None
    if factors == [1, -1]:
        dim = question.group.dim
        name = name_of_difference(used[0].name, used[1].name, dim) or name
    return Term(question, used[0].multidegree, components, text, latex, name)


def _coprime(factors: Sequence[fmpq]) -> list[fmpq]:
    """A multiple in coprime integers, the first of them positive."""
    bottom = lcm(*(int(w.q) for w in factors))
    top = gcd(*(int(w.p) * bottom // int(w.q) for w in factors))
    if factors[0] < 0:
        top = -top
    return [w * fmpq(bottom, top) for w in factors]


def _joined(texts: Sequence[str], factors: Sequence[fmpq]) -> str:
    out = ""
    for text, factor in zip(texts, factors, strict=True):
        sign = "-" if factor < 0 else "+"
        size = abs(factor)
        front = "" if size == 1 else f"{size} "
        if not out:
            out = f"{'-' if sign == '-' else ''}{front}{text}"
        else:
            out += f" {sign} {front}{text}"
    return out


def _rank(rows: Sequence[Components]) -> int:
    if not rows:
        return 0
    return int(matrix_of(rows, places_of(rows)).rank())

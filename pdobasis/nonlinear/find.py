"""The main job: a question in, all terms out, proved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce

from pdobasis.bounds.estimate import Estimate, cost
from pdobasis.bounds.watch import check, step
from pdobasis.errors import ProofError, SpecError
from pdobasis.exact.field import RATIONALS, Field, join
from pdobasis.exact.scalars import field_of
from pdobasis.groups.group import Group
from pdobasis.nonlinear.contractions import (
    Contraction,
    GivenUp,
    Invariants,
    contractions,
    estimate_contractions,
    expand,
    invariants,
)
from pdobasis.nonlinear.counting import Counter, counter
from pdobasis.nonlinear.echelon import echelon
from pdobasis.nonlinear.engine import (
    MAX_SIZE,
    engine_terms,
    estimate,
    number_of_monomials,
)
from pdobasis.nonlinear.independent import Chooser, Components
from pdobasis.nonlinear.index_notation import written
from pdobasis.nonlinear.names import usual_name
from pdobasis.nonlinear.orbits import orbit_sums, permutes
from pdobasis.nonlinear.proof import Judge, mixed, prove_terms
from pdobasis.nonlinear.question import Multidegree, TermsQuestion, ask_terms
from pdobasis.nonlinear.result import Term, TermBlock, Terms
from pdobasis.nonlinear.reynolds import estimate_finite, finite_terms, signed_part
from pdobasis.nonlinear.sparser import beside
from pdobasis.nonlinear.tensors import TensorType, tensor_type
from pdobasis.nonlinear.wider import wider
from pdobasis.proof.certificate import Certificate
from pdobasis.representations.representation import Representation

Progress = Callable[[str], None]
FORMS = ("textbook", "echelon")
LOOKED_AT = 400
"""Contractions that are all expanded, so that the sparsest can be taken first."""
MOST_MONOMIALS = 200_000
"""Of all of those together."""
SPARE = 8
"""More sums of coefficients are compared than there are terms."""


def terms(
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
    form: str = "textbook",
    structure: str | Sequence[str] | None = None,
    galilean: str | None = None,
    dim: int | None = None,
) -> Terms:
    """All equivariant terms: polynomials in the derivatives of fields that move like ``out``, proved complete.

    A term has 1 to ``degree`` factors, each with at most ``derivatives`` derivatives, all together ``max_total``; with
    ``time`` there is ∂_t too. ``constants`` (gravity, a material tensor) are fields without derivatives.

    >>> found = terms("O(3)", {"u": "vector"}, "vector", degree=2, derivatives=1)
    >>> for term in found:
    ...     print(term.text)
    u_i
    u_i ∂_j u_j
    u_j ∂_j u_i
    u_j ∂_i u_j

    ``weights`` keeps terms of one physical dimension, ``structure`` (one or several: divergence, lagrangian, which is
    modulo total derivatives, …) and ``galilean`` (the field that is a velocity) those with a property: docs/terms.md.

    Parameters
    ----------
    group : str or Group
        A name of the catalogue, a file of one's own, or a group.
    fields : mapping
        Names of fields to their representations.
    out : str or Representation
        How a term moves.
    degree, derivatives : int
        Most factors of a term, and most derivatives of one factor.
    max_total : int, optional
        Most derivatives of a term.
    time : bool
        Whether there is a derivative in time.
    constants : mapping, optional
        Fields without derivatives.
    weights : optional
        Physical dimensions that terms have to agree in.
    form : {"textbook", "echelon", "divergence", "lagrangian"}
        Which basis is written down.
    structure, galilean : optional
        Properties that are asked of the terms.
    dim : int, optional
        The dimension, where the name of the group leaves it open (``C4``, ``D4``).

    Returns
    -------
    Terms
        The terms, with names and their certificate.

    Raises
    ------
    SpecError
        A text that says no group or representation; the message names the nearest.
    SizeError
        The question is too large for its limits: refused before any work.
    """
    question = ask_terms(
        group,
        fields,
        out,
        degree,
        derivatives,
        max_total=max_total,
        time=time,
        constants=constants,
        weights=weights,
        dim=dim,
    )
    return find_terms(question, form=form, structure=structure, galilean=galilean)


def find_terms(
    question: TermsQuestion,
    *,
    form: str = "textbook",
    structure: str | Sequence[str] | None = None,
    galilean: str | None = None,
    progress: Progress = lambda message: None,
) -> Terms:
    """Find, then prove; what cannot be proved is never returned."""
    if form not in FORMS:
        raise SpecError(f"form is {' or '.join(FORMS)}, got {form!r:.40}")
    from pdobasis.nonlinear.structure import asked_structures, with_structure

    # before any work
    structures = asked_structures(structure, galilean)
    step("counting terms")
    finder = Finder.of(question)
    asked = list(question.multidegrees())
    finder.require(asked)
    blocks = []
    for m in asked:
        progress(f"terms {question.label(m)}")
        step(f"terms {question.label(m)}")
        blocks.append(finder.block(m, form))
    found = Terms(question, tuple(blocks), form)
    return with_structure(found, structures) if structures else found


@dataclass(frozen=True, slots=True)
class Finder:
    """What is the same for all multidegrees."""

    question: TermsQuestion
    counter: Counter | None
    judge: Judge
    kept: Invariants | None
    types: tuple[TensorType, ...] = ()
    out: TensorType | None = None
    larger: Finder | None = None
    """For SO(d) or O(d), where the group lies in it."""
    part: tuple[Judge, int] | None = None
    """Of a finite group, the elements that permute coordinates up to signs, and how many they are."""

    @classmethod
    def of(cls, question: TermsQuestion) -> Finder:
        kept = invariants(question.group)
        own = None
        if kept is not None:
            own = [tensor_type(field.rep) for field in question.fields]
            own.append(tensor_type(question.out))
            if None in own:
                kept = None
        types = tuple(t for t in own or () if t is not None)
        count = counter(question)
        if kept is None:
            larger = _larger(question)
            judge = Judge.of(question, None if larger is None else larger.judge)
            part = None
            if count is not None and not permutes(judge):
                part = signed_part(judge)
            return cls(question, count, judge, None, larger=larger, part=part)
        judge = Judge.of(question)
        return cls(question, count, judge, kept, types[:-1], types[-1])

    def require(self, asked: Sequence[Multidegree]) -> None:
        """Refuse what would take too long, before any work."""
        # each is counted by characters, whose powers have as many terms as there are factors
        factors = float(sum(m.degree for m in asked))
        work = cost("multidegrees", {"one": 1.0, "factors": factors})
        less = "lower degree=, derivatives= or max_total="
        if self.kept is not None and self.out is not None:
            what = f"contractions of these {len(asked)} multidegrees"
            # counting takes long by itself where there are many: first as if there were one term of each
            for count in (lambda m: 1, self._count):
                whole = work
                for m in asked:
                    check()
                    whole += estimate_contractions(
                        self.kept, m, self.types, self.out, count(m)
                    )
                whole.require(what, less)
            return
        if permutes(self.judge):
            work.require(f"orbit sums of these {len(asked)} multidegrees", less)
            return
        for m in asked:
            check()
            if not self._is_isotropic(m):
                work += self._estimate(m)
        work.require(f"these {len(asked)} multidegrees", less)

    def _count(self, m: Multidegree) -> int:
        """How many terms there are, where characters tell; at least one otherwise."""
        if self.counter is None:
            return 1
        return self.counter.count(m)

    def _is_isotropic(self, m: Multidegree) -> bool:
        """Whether the larger group has as many terms."""
        if self.counter is None:
            return False
        known = 0
        if self.larger is not None and self.larger.counter is not None:
            known = self.larger.counter.count(m)
        return self.counter.count(m) == known

    def _estimate(self, m: Multidegree) -> Estimate:
        return self._quicker(m)[0]

    def _quicker(self, m: Multidegree) -> tuple[Estimate, Judge | None]:
        """Orbit sums of a part of the group, where it has one, or the engine."""
        if self.part is None or self.counter is None:
            return estimate(self.question, m), None
        sums = estimate_finite(self.question, m, self.part[1])
        if number_of_monomials(self.question, m) > MAX_SIZE:
            return sums, self.part[0]
        engine = estimate(self.question, m)
        if engine.seconds < sums.seconds:
            return engine, None
        return sums, self.part[0]

    def block(self, m: Multidegree, form: str) -> TermBlock:
        found, certificate, method = self._found(m)
        if not certificate.holds:
            reasons = "; ".join(certificate.failures())
            raise ProofError(
                f"{self.question.label(m)}: the terms could not be proved (please report this): {reasons}"
            )
        if form == "echelon":
            reduced = echelon([term.components for term in found])
            found = [Term(self.question, m, components) for components in reduced]
        return TermBlock(m, tuple(found), certificate, method)

    def twisted(self, m: Multidegree) -> list[Components]:
        """Terms that take a further sign det g, where the count is that of both kinds together."""
        if self.counter is None or self.counter.is_connected:
            return []
        return [components for _, components in self._chosen(m, True)]

    def _found(self, m: Multidegree) -> tuple[list[Term], Certificate, str]:
        if self.counter is not None:
            if not self.counter.count(m):
                return [], prove_terms(self.judge, m, [], self.counter), "count"
            chosen = self._contracted(m)
            if chosen is not None:
                own, twisted = chosen
                components = [term.components for term in own]
                proof = prove_terms(self.judge, m, components, self.counter, twisted)
                return own, proof, "contractions"
            sums = orbit_sums(self.judge, m)
            if sums is not None:
                proof = prove_terms(self.judge, m, sums, self.counter)
                return [Term(self.question, m, s) for s in sums], proof, "orbit sums"
        return self._anisotropic(m)

    def _anisotropic(self, m: Multidegree) -> tuple[list[Term], Certificate, str]:
        """What the larger group allows, and then what there is besides."""
        own = self._of_larger(m)
        components = [term.components for term in own]
        if self.counter is not None and len(own) == self.counter.count(m):
            proof = prove_terms(self.judge, m, components, self.counter)
            return own, proof, "contractions"
        part = self._quicker(m)[1]
        if self.counter is not None and part is not None:
            sums = finite_terms(self.judge, part, m)
            if sums is not None:
                every = beside(components, sums)
                own += [Term(self.question, m, c) for c in every[len(own) :]]
                proof = prove_terms(self.judge, m, every, self.counter)
                return own, proof, "orbit sums"
        found, certificate = engine_terms(self.question, m)
        every = beside(components, found)
        own += [Term(self.question, m, c) for c in every[len(own) :]]
        counted = None
        if self.counter is not None and self.counter.is_connected:
            counted = self.counter.count(m)
        proof = mixed(self.judge, every, len(components), certificate, counted)
        return own, proof, "null space"

    def _of_larger(self, m: Multidegree) -> list[Term]:
        if self.larger is None:
            return []
        found = self.larger._contracted(m)
        if found is None:
            return []
        return [replace(term, question=self.question) for term in found[0]]

    def _contracted(self, m: Multidegree) -> tuple[list[Term], list[Components]] | None:
        """A basis of contractions, and one of those that take a further sign where these are counted with them."""
        if self.kept is None or self.out is None or self.counter is None:
            return None
        try:
            chosen, twisted = self._chosen(m, False), self.twisted(m)
        except GivenUp:
            return None
        # the first fundamental theorem says that there are enough; if not, others have to find them
        if len(chosen) + len(twisted) != self.counter.count(m):
            return None
        return [self._term(m, *pair) for pair in chosen], twisted

    def _chosen(
        self, m: Multidegree, twisted: bool
    ) -> list[tuple[Contraction, Components]]:
        if self.kept is None or self.out is None or self.counter is None:
            return []
        count = self.counter.count(m)
        found: list[tuple[Contraction, Components]] = []
        chooser = Chooser(count + SPARE, self._field)
        candidates = contractions(self.kept, m, self.types, self.out, twisted)
        waiting: list[tuple[int, int, Contraction, Components]] = []
        looked_at = 0
        for contraction in candidates:
            check()
            own = expand(contraction, m, self.types, self.out, self.question.group)
            size = sum(map(len, own))
            if not size:
                continue
            waiting.append((len(contraction.epsilons), size, contraction, own))
            looked_at += size
            if len(waiting) == LOOKED_AT or looked_at > MOST_MONOMIALS:
                break
        # the sparsest first: greedy choices make the sparsest basis of all, since independent sets are a matroid
        waiting.sort(key=lambda entry: entry[:2])
        for _, _, contraction, own in waiting:
            if len(found) < count and chooser.takes(own):
                found.append((contraction, own))
        for contraction in candidates:
            check()
            if len(found) == count:
                break
            own = expand(contraction, m, self.types, self.out, self.question.group)
            if any(own) and chooser.takes(own):
                found.append((contraction, own))
        return found

    @property
    def _field(self) -> Field:
        """All coefficients of contractions lie in it."""
        own = [] if self.out is None else [self.out]
        out = RATIONALS
        for tensor in (*self.types, *own):
            found = (field_of(value) for value in tensor.lift.values())
            out = reduce(join, (f for f in found if f is not None), out)
        return out

    def _term(
        self, m: Multidegree, contraction: Contraction, components: Components
    ) -> Term:
        if self.kept is None or self.out is None:
            return Term(self.question, m, components)
        names = [field.name for field in self.question.fields]
        types, out, kept = self.types, self.out, self.kept
        return Term(
            self.question,
            m,
            components,
            written(contraction, m, names, types, out, kept),
            written(contraction, m, names, types, out, kept, latex=True),
            usual_name(contraction, m, names, types, out, kept),
        )


def _larger(question: TermsQuestion) -> Finder | None:
    asked = wider(question)
    return None if asked is None or asked.group == question.group else Finder.of(asked)

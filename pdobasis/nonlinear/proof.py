r"""The proof of one multidegree: equivariant, independent, complete.

* equivariant: $f(gj) = \rho_{out}(g) f(j)$ by exact substitution for every generator, and
  $df(j)[Xj] = d\rho_{out}(X) f(j)$ by exact differentiation for every Lie generator;
* independent: the rank modulo a prime, which can only be too small, is the number of terms;
* complete: that number is the one that characters give. For O(d), d even, and O(p,q) Weyl's formula counts for the
  identity component, where terms and *twisted* terms (with a further factor det g) are one: if both kinds are
  equivariant and independent and together as many as that count, neither misses one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pdobasis.bounds.watch import check
from pdobasis.exact.array import integers
from pdobasis.exact.scalars import Number
from pdobasis.groups.matrices import determinant
from pdobasis.nonlinear.action import lie_moves, moves, out_rows
from pdobasis.nonlinear.counting import Counter
from pdobasis.nonlinear.independent import Components, rank
from pdobasis.nonlinear.polynomials import (
    Move,
    Polynomial,
    combination,
    derivation,
    is_same,
    substitution,
)
from pdobasis.nonlinear.question import Multidegree, TermsQuestion
from pdobasis.proof.action import lie_on_space, on_space
from pdobasis.proof.certificate import Certificate
from pdobasis.proof.claim import Claim
from pdobasis.proof.hypothesis import hypothesis


@dataclass(frozen=True, slots=True)
class Judge:
    """Knows how the group of a question moves coordinates and outputs."""

    question: TermsQuestion
    moves: tuple[Move, ...]
    lie_moves: tuple[Move, ...]
    out: list[list[dict[int, Number]]]
    lie_out: list[list[dict[int, Number]]]
    wider: Judge | None = None
    """That of SO(d) or O(d), where the group lies in it: its numbers are rational, and its matrices sparse."""

    @classmethod
    def of(cls, question: TermsQuestion, larger: Judge | None = None) -> Judge:
        group = question.group
        out, lie_out = out_rows(question.out)
        return cls(
            question,
            tuple(moves(question.fields, on_space(group))),
            tuple(lie_moves(question.fields, lie_on_space(group))),
            out,
            lie_out,
            larger,
        )

    def is_wider(self, term: Components) -> bool:
        """Whether it is equivariant for the larger group already."""
        return self.wider is not None and self.wider.is_equivariant(term)

    def is_equivariant(self, term: Components, signs: Sequence[int] = ()) -> bool:
        """``signs`` multiply rho_out(g), for twisted terms."""
        check()
        for k, (move, rho) in enumerate(zip(self.moves, self.out, strict=True)):
            sign = signs[k] if signs else 1
            for c, own in enumerate(term):
                right = _applied(rho[c], term, sign)
                if not is_same(substitution(own, move), right):
                    return False
        for move, rho in zip(self.lie_moves, self.lie_out, strict=True):
            for c, own in enumerate(term):
                if not is_same(derivation(own, move), _applied(rho[c], term)):
                    return False
        return True


def _applied(row: dict[int, Number], term: Components, sign: int = 1) -> Polynomial:
    return combination((value * sign, term[c]) for c, value in row.items())


def prove_terms(
    judge: Judge,
    m: Multidegree,
    terms: Sequence[Components],
    counter: Counter,
    twisted: Sequence[Components] = (),
) -> Certificate:
    """The certificate of the terms of one multidegree."""
    question = judge.question
    signs = _signs(question)
    good = all(_is_of(term, m) for term in (*terms, *twisted))
    rest = [term for term in terms if not judge.is_wider(term)]
    good = good and all(judge.is_equivariant(term) for term in rest)
    good_twisted = all(judge.is_equivariant(term, signs) for term in twisted)
    ranked = rank(terms)
    counted = counter.count(m)
    how = counter.how
    if not counter.is_connected:
        counted -= rank(twisted)
        how += f", less {len(twisted)} that take the sign of det g"
    reps = tuple(dict.fromkeys([*(f.rep for f in question.fields), question.out]))
    return Certificate(
        (
            hypothesis(reps),
            Claim("equivariant", good, how_equivariant(judge, len(terms), len(rest))),
            Claim(
                "independent",
                ranked == len(terms),
                "exact rank, attained modulo a prime",
                (("found", (len(terms),)), ("ranks", (ranked,))),
            ),
            Claim(
                "complete",
                good_twisted and counted == len(terms),
                how,
                (("counted", (counted,)),),
            ),
        )
    )


def mixed(
    judge: Judge,
    terms: Sequence[Components],
    contracted: int,
    proved: Certificate,
    counted: int | None,
) -> Certificate:
    """Of terms of which the first ``contracted`` belong to the larger group, and others to a basis that is proved.

    All are equivariant; if they are independent, and as many as that basis has, they span the same space. That basis
    answers a question which was made of this one: its answers are looked at here, and where characters count, as many
    have to be ``counted``.
    """
    wanted = all(map(judge.is_wider, terms[:contracted]))
    wanted = wanted and all(map(judge.is_equivariant, terms[contracted:]))
    is_whole = counted is None or counted == len(terms)
    ranked = rank(terms)
    how = proved.how_equivariant
    if contracted and judge.wider is not None:
        larger = judge.wider.question
        how = f"{_how(larger)} of {larger.group.name}, which contains {judge.question.group.name}; {how}"
    mine = {
        "equivariant": Claim("equivariant", wanted and proved.equivariant, how),
        "independent": Claim(
            "independent",
            ranked == len(terms) == proved.found[0] and is_whole,
            "exact rank, attained modulo a prime",
            (("found", (len(terms),)), ("ranks", (ranked,))),
        ),
    }
    return Certificate(tuple(mine.get(c.what, c) for c in proved.claims))


def _is_of(term: Components, m: Multidegree) -> bool:
    """Whether every monomial has the factors of the multidegree."""
    wanted = sorted((jet.field, jet.order, jet.time) for jet in m.jets)
    every = {monomial for polynomial in term for monomial in polynomial}
    return all(
        sorted((c.field, c.order, c.time) for c in monomial) == wanted
        for monomial in every
    )


def _signs(question: TermsQuestion) -> list[int]:
    """det g of the generators."""
    one = integers(1)
    return [1 if determinant(g).equals(one) else -1 for g in on_space(question.group)]


def how_equivariant(judge: Judge, terms: int, rest: int) -> str:
    """How it is known for ``terms`` terms, of which the larger group does not allow ``rest``."""
    own = _how(judge.question)
    if judge.wider is None or rest == terms:
        return own
    larger = judge.wider.question
    how = f"{_how(larger)} of {larger.group.name}, which contains {judge.question.group.name}"
    return f"{how}; {own}" if rest else how


def _how(question: TermsQuestion) -> str:
    group = question.group
    parts = []
    if group.generators:
        parts.append(
            f"substituted exactly for {_counted(len(group.generators), 'generator')}"
        )
    if group.lie:
        parts.append(
            f"differentiated exactly along {_counted(len(group.lie), 'Lie generator')}"
        )
    return "; ".join(parts) or "the identity alone"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"

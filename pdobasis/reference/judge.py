"""A basis of the library judged by the reference engine: equivariant, independent, complete, each in SymPy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pdobasis.operators.symbols import Symbols
from pdobasis.question.problem import Problem
from pdobasis.reference.border import Progress, question_of, symbols_in
from pdobasis.reference.constraint import unknowns
from pdobasis.reference.estimate import require_small
from pdobasis.reference.null_space import rank, solve_order
from pdobasis.reference.numbers import numbers_of
from pdobasis.reference.question import SymbolicQuestion
from pdobasis.reference.verify import Verdict, verify


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is claimed, whether it holds, and how it is known."""

    what: str
    holds: bool
    how: str


def judge(
    problem: Problem,
    blocks: Sequence[tuple[int, int, tuple[Symbols, ...]]],
    progress: Progress = lambda message: None,
) -> list[Judgement]:
    """The claims of a certificate, from the question and the elements alone; large questions are refused."""
    require_small(problem)
    numbers = numbers_of(problem.field)
    verdicts: list[Verdict] = []
    found, ranks, wanted = [], [], []
    for in_index, out_index, orders in blocks:
        question = question_of(problem, in_index, out_index)
        progress(
            f"substituting symbolic group elements: {question.in_name} -> {question.out_name}"
        )
        listed = [symbols_in(part, question, numbers) for part in orders]
        verdicts += verify(question, [symbol for own in listed for symbol in own])
        progress(f"solving {question.in_name} -> {question.out_name} with SymPy")
        for n, own in enumerate(listed):
            found.append(len(own))
            # All monomials, so that an element beyond partial_order has a place.
            ranks.append(rank(own, unknowns(question, n)))
            wanted.append(_count(question, n, problem))
    nullity = f"nullity {sum(wanted)} of {problem.unknowns} unknowns"
    return [
        _equivariant(verdicts),
        Judgement(
            "independent",
            ranks == found,
            f"{sum(found)} elements, rank {sum(ranks)} by DomainMatrix.rank",
        ),
        _all_of_them(problem, found, wanted, f"{sum(found)} elements, {nullity}"),
    ]


def _all_of_them(
    problem: Problem, found: list[int], wanted: list[int], how: str
) -> Judgement:
    """Independent solutions as many as the nullity span the null space; of a truncation there are no more."""
    if problem.truncation is None:
        return Judgement("complete", wanted == found, how)
    are_fewer = all(own <= every for own, every in zip(found, wanted, strict=True))
    note = f"{how}; that they are those of {problem.truncation.text} is not judged here"
    return Judgement("not more than there are", are_fewer, note)


def _count(question: SymbolicQuestion, order: int, problem: Problem) -> int:
    return len(
        solve_order(
            question,
            order,
            harmonic=problem.kernel,
            partial_order=problem.partial_order,
        )
    )


def _equivariant(verdicts: list[Verdict]) -> Judgement:
    # A dict, since every text is told once, in the order in which it came.
    how = dict.fromkeys(
        f"{v.check.name}: {v.check.stands_for}" for v in verdicts if v.check.symbolic
    )
    plain = dict.fromkeys(v.check.stands_for for v in verdicts if not v.check.symbolic)
    parts = [*how]
    if plain:
        parts.append("not symbolic: " + ", ".join(plain))
    wrong = [v.check.name for v in verdicts if not v.holds]
    failed = ""
    if wrong:
        failed = f"; fails for {', '.join(dict.fromkeys(wrong))}"
    text = "; ".join(parts) or "the group is trivial"
    return Judgement("equivariant", not wrong, f"by substitution, {text}{failed}")

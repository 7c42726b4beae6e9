"""The proof that a basis is what it claims: theorem by theorem, knowing nothing of any solver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pdobasis.operators.block import Block
from pdobasis.proof.arithmetic import require_arithmetic
from pdobasis.proof.batch import Found, found_blocks, summands
from pdobasis.proof.claim import Claim
from pdobasis.proof.complete import complete
from pdobasis.proof.equivariant import equivariant
from pdobasis.proof.evidence import gather, numbers
from pdobasis.proof.hypothesis import hypothesis
from pdobasis.proof.independent import independent
from pdobasis.proof.module import Powers, module, modules_among
from pdobasis.question.problem import Problem
from pdobasis.representations.hypothesis import BY_CONSTRUCTION
from pdobasis.values import dataclass

FAILURES = {
    "representation": "not representations of the group",
    "parameters": "the primary invariants are no regular sequence",
    "module": "the Laplacian powers of the elements are not what they are said to be",
    "graded": "the Laplacian powers of the elements are not what they are said to be",
    "spans": "the two methods span different spaces",
}


MANY = 20_000
"""Numbers from which it takes less time to see that they are repeated than to look at each of them."""

MARKS: dict[bool | None, str] = {True: "✓", False: "✗", None: "?"}
"""A verdict; the last one where nothing was decided."""


@dataclass(frozen=True, slots=True, repr=False)
class Certificate:
    """What is claimed of a basis, with the verdicts and how each was decided.

    ``equivariant``, ``independent`` and ``complete`` are always there (``truncated`` instead of ``complete`` where the
    question is about a truncation); ``angle`` (a rotation by an indeterminate angle) for SO(2) and O(2), ``module`` or
    ``graded`` where the elements carry Laplacian powers, ``spans`` where two methods were asked.

    Attributes
    ----------
    claims : tuple of Claim
        What is claimed, the verdict, and how it was reached.

    Examples
    --------
    >>> from pdobasis import solve
    >>> print(solve("D4", "vector", "trivial", order=1).certificate)
    ✓ representation: by construction
    ✓ equivariant: evaluated exactly over Q for 2 generators
    ✓ independent: exact rank, attained modulo a prime below 2^61
    ✓ complete: Molien count over 8 elements
    ✓ module: elements of order n are the angular ones and r^2 times all of order n - 2, exactly
    """

    claims: tuple[Claim, ...]

    def _repr_html_(self) -> str:
        from pdobasis.notebook.groups import certificate_html

        return certificate_html(self)

    def __repr__(self) -> str:
        verdicts = [f"{MARKS[claim.holds]} {claim.what}" for claim in self.told]
        return f"<Certificate of {sum(self.found)} elements: {', '.join(verdicts)}>"

    def __str__(self) -> str:
        """One line for every claim, with how it was decided."""
        return "\n".join(f"{MARKS[c.holds]} {c.what}: {c.how}" for c in self.claims)

    def claim(self, what: str) -> Claim | None:
        """None when nothing of this name is claimed.

        Parameters
        ----------
        what : str
            equivariant, independent, complete, representation, …

        Returns
        -------
        Claim or None
            With ``holds`` and ``how``.

        Examples
        --------
        >>> from pdobasis import solve
        >>> certificate = solve("D4", "vector", "trivial", order=1).certificate
        >>> certificate.claim("complete").holds, certificate.claim("spans")
        (True, None)
        """
        return next((claim for claim in self.claims if claim.what == what), None)

    @property
    def holds(self) -> bool:
        """No claim fails, and the three that make a basis are decided."""
        decided = self.equivariant and self.independent and self.all_that_was_asked
        return decided and all(claim.holds is not False for claim in self.claims)

    @property
    def told(self) -> tuple[Claim, ...]:
        """What a reader is told: the claims, after the hypothesis where that is not true by construction."""
        first = self.claim("representation")
        names = ("equivariant", "parameters", "independent", "complete", "truncated")
        others = tuple(claim for claim in map(self.claim, names) if claim is not None)
        if first is None or first.how == BY_CONSTRUCTION.text:
            return others
        return first, *others

    @property
    def equivariant(self) -> bool:
        """Whether every element satisfies the constraint."""
        return bool(self._verdict("equivariant"))

    @property
    def independent(self) -> bool:
        """Whether no element is a combination of others."""
        return bool(self._verdict("independent"))

    @property
    def complete(self) -> bool:
        """Whether there are as many as an independent count says."""
        return bool(self._verdict("complete"))

    @property
    def truncated(self) -> bool | None:
        """Whether the elements are all of the truncation that was asked for; None for a question about everything."""
        return self._verdict("truncated")

    @property
    def all_that_was_asked(self) -> bool:
        """Complete, or all of the truncation."""
        return self.complete or bool(self.truncated)

    @property
    def symbolic_angle(self) -> bool | None:
        """The verdict for a rotation by an indeterminate angle (SO(2), O(2)), None elsewhere."""
        return self._verdict("angle")

    @property
    def spans_equal(self) -> bool | None:
        """Whether two methods span the same space; None when only one was asked."""
        return self._verdict("spans")

    @property
    def found(self) -> tuple[int, ...]:
        """The number of elements of each order in the basis."""
        return self._figure("independent", "found")

    @property
    def ranks(self) -> tuple[int, ...]:
        """The exact rank of the elements of each order."""
        return self._figure("independent", "ranks")

    @property
    def counted(self) -> tuple[int, ...]:
        """The number of elements of each order that are asked for, by independent count."""
        return self._figure(self._third, "counted")

    @property
    def of(self) -> tuple[int, ...]:
        """The number of all solutions of each order, where a truncated basis holds some of them; else empty."""
        return self._figure("truncated", "of")

    @property
    def how_equivariant(self) -> str:
        """How that is known, in words."""
        return self._how("equivariant")

    @property
    def how_independent(self) -> str:
        """How that is known, in words."""
        return self._how("independent")

    @property
    def how_complete(self) -> str:
        """How that is known, in words."""
        return self._how("complete")

    @property
    def how_truncated(self) -> str:
        """How the truncation is known to be kept, in words; empty without one."""
        return self._how("truncated")

    def to_json(self) -> dict[str, Any]:
        """As plain values, as files hold it.

        Returns
        -------
        dict
            Values that ``json.dumps`` takes.

        Examples
        --------
        >>> from pdobasis import solve
        >>> solve("D4", "vector", "trivial", order=1).certificate.to_json()["independent"]
        True
        """
        three = ("equivariant", "independent", "complete")
        out: dict[str, Any] = {what: bool(self._verdict(what)) for what in three}
        if self.truncated is not None:
            out["truncated"] = self.truncated
        told = ("equivariant", "independent", self._third)
        out["how"] = {what: self._how(what) for what in told}
        out |= {
            "found": list(self.found),
            "counted": list(self.counted),
            "ranks": list(self.ranks),
        }
        if self.truncated is not None:
            out["of"] = list(self.of)
        if self.symbolic_angle is not None:
            out["symbolic_angle"] = self.symbolic_angle
        if self.spans_equal is not None:
            out["spans_equal"] = self.spans_equal
        out["claims"] = [claim.to_json() for claim in self.claims]
        return out

    def failures(self) -> list[str]:
        """One sentence for each claim that does not hold.

        Returns
        -------
        list of str
            Empty where everything holds.

        Examples
        --------
        >>> from pdobasis import solve
        >>> solve("D4", "vector", "trivial", order=1).certificate.failures()
        []
        """
        out = []
        if not self.equivariant or self.symbolic_angle is False:
            out.append(
                "not equivariant: the steerability constraint fails for some element"
            )
        if not self.independent:
            out.append(
                f"not independent: ranks {list(self.ranks)} for {list(self.found)} elements of each order"
            )
        if self.truncated is False:
            out.append(
                "not the truncation that is asked for: an element is not within it, or "
                f"{list(self.found)} elements of each order are not the {list(self.counted)} that exist"
            )
        elif not self.all_that_was_asked:
            out.append(
                f"not complete: {list(self.found)} elements of each order, {list(self.counted)} exist"
            )
        return out + [
            text for what, text in FAILURES.items() if self._verdict(what) is False
        ]

    @property
    def _third(self) -> str:
        """The claim that nothing that was asked for is missing."""
        return "complete" if self.truncated is None else "truncated"

    def _verdict(self, what: str) -> bool | None:
        claim = self.claim(what)
        if claim is None:
            return None
        return claim.holds

    def _how(self, what: str) -> str:
        claim = self.claim(what)
        if claim is None:
            return ""
        return claim.how

    def _figure(self, what: str, name: str) -> tuple[int, ...]:
        claim = self.claim(what)
        if claim is None:
            return ()
        return claim.figure(name)


def prove(
    problem: Problem, blocks: Sequence[Block], other: Sequence[Block] | None = None
) -> Certificate:
    """Prove the solutions of every pair of different summands, and what their structure says of Laplacian powers.

    ``other`` holds what another method found, to be compared.
    """
    require_arithmetic(problem.field)
    reps_in, reps_out = summands(problem.in_type), summands(problem.out_type)
    every = found_blocks(problem, blocks)
    found = _once(problem, every)
    modules = modules_among(problem, found)
    evidence = gather(problem, found, modules)
    claims = [
        hypothesis((*reps_in, *reps_out)),
        equivariant(problem, evidence.equivariant, evidence.angle),
        independent(numbers(problem, found), evidence.ranks),
        _all_that_is_asked_for(problem, found, (len(reps_in), len(reps_out))),
    ]
    # the theorem on modules rests on these three; the hypothesis may be assumed
    proved = all(claim.holds for claim in claims[1:])
    if evidence.angle is not None:
        claims.append(
            Claim(
                "angle",
                evidence.angle,
                "a rotation by an angle with cos^2 + sin^2 = 1 as the only relation",
            )
        )
    # what is claimed besides depends on the question and on what the solver says
    described = _structure(problem, found, modules, proved)
    if described is not None:
        claims.append(described)
    if other is not None:
        from pdobasis.proof.spans import spans

        claims.append(spans(every, other))
    return Certificate(tuple(claims))


def _once(problem: Problem, found: Sequence[Found]) -> Sequence[Found]:
    """What is repeated at many places at one of them; looked for where numbers are many."""
    sizes = (p.coefficients.numerators.size for block in found for p in block.parts)
    if sum(sizes) < MANY:
        return found
    from pdobasis.proof.repeated import once

    return once(problem, found)


def _all_that_is_asked_for(
    problem: Problem, found: Sequence[Found], sides: tuple[int, int]
) -> Claim:
    """All solutions, or all within the truncation of the question: never the one for the other."""
    if problem.truncation is None:
        return complete(problem, found, sides)
    from pdobasis.proof.truncated import truncated

    return truncated(problem, problem.truncation, found, sides)


def _structure(
    problem: Problem,
    found: Sequence[Found],
    modules: Sequence[Powers | None],
    proved: bool,
) -> Claim | None:
    """What the elements say of their angular orders and Laplacian powers."""
    # where some powers are left out the others are no module
    if problem.truncation is not None and problem.truncation.kept is not None:
        from pdobasis.proof.graded import graded

        return graded(problem, found)
    return module(problem, found, modules, proved)

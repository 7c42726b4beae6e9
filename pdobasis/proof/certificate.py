"""The proof that a basis is what it claims: equivariant, independent, complete. It knows nothing of any solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from pdobasis.exact.primes import START
from pdobasis.operators.symbols import Symbols
from pdobasis.proof.angle import has_angle, holds_for_every_angle
from pdobasis.proof.claim import Placed, claims, is_well_formed
from pdobasis.proof.equivariance import is_equivariant
from pdobasis.proof.expected import count_asked, is_asked_for
from pdobasis.proof.rank import ranks
from pdobasis.question.problem import Problem


@dataclass(frozen=True, slots=True)
class Certificate:
    """The three claims with their verdicts, and how each was decided.

    ``found`` and ``counted`` hold the number of elements of each order in the basis, and by independent count.
    ``symbolic_angle`` is the verdict for a rotation by an indeterminate angle (SO(2), O(2)), None elsewhere.
    """

    equivariant: bool
    independent: bool
    complete: bool
    found: tuple[int, ...]
    counted: tuple[int, ...]
    ranks: tuple[int, ...]
    how_equivariant: str
    how_independent: str
    how_complete: str
    symbolic_angle: bool | None = None
    spans_equal: bool | None = None

    @property
    def holds(self) -> bool:
        return (
            self.equivariant
            and self.independent
            and self.complete
            and self.symbolic_angle is not False
            and self.spans_equal is not False
        )

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "equivariant": self.equivariant,
            "independent": self.independent,
            "complete": self.complete,
            "how": {
                "equivariant": self.how_equivariant,
                "independent": self.how_independent,
                "complete": self.how_complete,
            },
            "found": list(self.found),
            "counted": list(self.counted),
            "ranks": list(self.ranks),
        }
        if self.symbolic_angle is not None:
            out["symbolic_angle"] = self.symbolic_angle
        if self.spans_equal is not None:
            out["spans_equal"] = self.spans_equal
        return out

    def failures(self) -> list[str]:
        """One sentence for each claim that does not hold."""
        out = []
        if not self.equivariant or self.symbolic_angle is False:
            out.append("not equivariant: the steerability constraint fails for some element")
        if not self.independent:
            out.append(f"not independent: ranks {list(self.ranks)} for {list(self.found)} elements of each order")
        if not self.complete:
            out.append(f"not complete: {list(self.found)} elements of each order, {list(self.counted)} exist")
        if self.spans_equal is False:
            out.append("the two methods span different spaces")
        return out


def prove(problem: Problem, blocks: Sequence[tuple[int, int, Sequence[Symbols]]]) -> Certificate:
    """Prove the solutions of every pair of different summands: (in index, out index, symbols of each order).

    Different places of P are different coefficients, so the blocks of a sum are independent of each other and
    their numbers add up, each as often as it occurs.
    """
    reps_in, reps_out = problem.in_type.distinct, problem.out_type.distinct
    found, counted, ranked = (np.zeros(problem.order + 1, dtype=np.int64) for _ in range(3))
    pairs = sorted((i, o) for i, o, _ in blocks)
    complete = pairs == list(product(range(len(reps_in)), range(len(reps_out))))
    equivariant = True
    how: dict[str, None] = {}
    placed: list[Placed] = []
    for in_index, out_index, parts in blocks:
        rep_in, rep_out = reps_in[in_index], reps_out[out_index]
        copies = len(problem.in_type.offsets(rep_in)) * len(problem.out_type.offsets(rep_out))
        counts = count_asked(problem, rep_in, rep_out, [part.size for part in parts])
        how[counts.how] = None
        shape = (rep_out.size, rep_in.size)
        formed = [is_well_formed(part, problem.group.dim, n, shape) for n, part in enumerate(parts)]
        equivariant = equivariant and len(parts) == problem.order + 1 and all(formed)
        complete = complete and tuple(part.size for part in parts) == counts.numbers
        complete = complete and all(is_asked_for(problem, part) for part in parts)
        found += copies * np.array([part.size for part in parts])
        counted += copies * np.array(counts.numbers)
        row, column = sum(r.size for r in reps_out[:out_index]), sum(r.size for r in reps_in[:in_index])
        placed += [Placed(part, row, column, copies) for part, good in zip(parts, formed, strict=True) if good]
    angles: list[bool | None] = []
    angular = has_angle(reps_in, reps_out)
    whole = (sum(r.size for r in reps_out), sum(r.size for r in reps_in))
    for claim in claims(placed, whole):
        equivariant = equivariant and is_equivariant(claim, reps_in, reps_out)
        np.add.at(ranked, claim.order, claim.copies * ranks(claim))
        angles.append(holds_for_every_angle(claim, reps_in, reps_out) if angular else None)
    symbolic = False if False in angles else (None if None in angles or not angular else True)
    return Certificate(
        equivariant=equivariant,
        independent=bool((ranked == found).all()),
        complete=complete,
        found=tuple(found.tolist()),
        counted=tuple(counted.tolist()),
        ranks=tuple(ranked.tolist()),
        how_equivariant=_how_equivariant(problem, symbolic),
        how_independent=f"exact rank, attained modulo a prime below 2^{START.bit_length() - 1}",
        how_complete="; ".join(how),
        symbolic_angle=symbolic,
    )


def _how_equivariant(problem: Problem, symbolic: bool | None) -> str:
    group = problem.group
    parts = []
    if group.generators:
        parts.append(f"{len(group.generators)} generator{'s' * (len(group.generators) > 1)}")
    if group.lie:
        parts.append(f"{len(group.lie)} Lie generator{'s' * (len(group.lie) > 1)}")
    text = f"evaluated exactly over {problem.field} for {' and '.join(parts) or 'the identity'}"
    return text + ("; and for a rotation by a symbolic angle" if symbolic else "")

"""The proof that a basis is what it claims: equivariant, independent, complete. It knows nothing of any solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pdobasis.exact.modular import START
from pdobasis.field_type import Problem
from pdobasis.proof.angle import holds_for_every_angle
from pdobasis.proof.equivariance import is_equivariant
from pdobasis.proof.question import count_asked, is_asked_for
from pdobasis.proof.rank import rank
from pdobasis.symbols import Symbols


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
    orders = range(problem.order + 1)
    found, counted, ranks = ([0] * (problem.order + 1) for _ in range(3))
    equivariant, complete = True, True
    angles: list[bool | None] = []
    how: list[str] = []
    covered = set()
    for in_index, out_index, parts in blocks:
        rep_in, rep_out = problem.in_type.distinct[in_index], problem.out_type.distinct[out_index]
        copies = len(problem.in_type.offsets(rep_in)) * len(problem.out_type.offsets(rep_out))
        counts = count_asked(problem, rep_in, rep_out)
        covered.add((in_index, out_index))
        how.append(counts.how)
        for n in orders:
            part = parts[n]
            equivariant = equivariant and part.order == n and is_equivariant(part, rep_in, rep_out)
            found[n] += part.size * copies
            ranks[n] += rank(part) * copies
            counted[n] += counts.numbers[n] * copies
            complete = complete and part.size == counts.numbers[n] and is_asked_for(problem, part)
        angles.append(holds_for_every_angle(parts, rep_in, rep_out))
    symbolic = False if False in angles else (None if None in angles else True)
    pairs = {(i, o) for i in range(len(problem.in_type.distinct)) for o in range(len(problem.out_type.distinct))}
    return Certificate(
        equivariant=equivariant,
        independent=ranks == found,
        complete=complete and covered == pairs,
        found=tuple(found),
        counted=tuple(counted),
        ranks=tuple(ranks),
        how_equivariant=_how_equivariant(problem, symbolic),
        how_independent=f"exact rank, attained modulo a prime below 2^{START.bit_length() - 1}",
        how_complete="; ".join(dict.fromkeys(how)),
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

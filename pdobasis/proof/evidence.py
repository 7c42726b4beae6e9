"""What one walk through all elements finds: whether they are equivariant, and for every angle; their ranks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from pdobasis.bounds.watch import check
from pdobasis.exact.types import IndexArray
from pdobasis.proof.batch import Batch, Found, Placed, batches, summands
from pdobasis.proof.equivariant import is_equivariant
from pdobasis.proof.independent import ranks
from pdobasis.proof.lines import Sum
from pdobasis.proof.module import Powers
from pdobasis.question.problem import Problem
from pdobasis.values import dataclass

HIGH = 4
"""Orders from which at least half of all elements are multiples of r^2."""
MANY = 1000
"""Numbers of all elements from which multiples of lower orders are left out, too."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What one walk through all elements finds."""

    equivariant: bool
    angle: bool | None
    ranks: IndexArray


def _has_angle(reps_in: Sum, reps_out: Sum) -> bool:
    # a finite group has no angle that could be left open
    if not reps_in[0].group.lie:
        return False
    from pdobasis.proof.angle import has_angle

    return has_angle(reps_in, reps_out)


def gather(
    problem: Problem, found: Sequence[Found], modules: Sequence[Powers | None]
) -> Evidence:
    """Batch by batch, so that never more than some elements are spread out; of modules the angular elements alone."""
    reps_in, reps_out = (
        tuple(summands(problem.in_type)),
        tuple(summands(problem.out_type)),
    )
    shape = (sum(r.size for r in reps_out), sum(r.size for r in reps_in))
    good = all(all(block.formed) for block in found)
    lifts = not problem.kernel and None not in modules and _are_many(problem, found)
    looked: Sequence[Found] = found
    if lifts:
        from pdobasis.proof.angular import angular_elements

        pairs = zip(found, modules, strict=True)
        looked = [angular_elements(b, own) for b, own in pairs if own is not None]
    ranked = np.zeros(problem.order + 1, dtype=np.int64)
    angular = _has_angle(reps_in, reps_out)
    verdicts: list[bool | None] = []
    for batch in batches(_placed(looked), shape):
        check()
        good = good and is_equivariant(batch, reps_in, reps_out)
        if angular:
            from pdobasis.proof.angle import holds_for_every_angle

            verdicts.append(holds_for_every_angle(batch, reps_in, reps_out))
        if lifts:
            from pdobasis.proof.angular import modulo_square

            batch = modulo_square(batch)
        ranked += _ranks(problem, [batch])
    if lifts and not (ranked == numbers(problem, looked)).all():
        ranked = _ranks(problem, batches(_placed(found), shape))
    elif lifts:
        ranked = numbers(problem, found)
    angle = None
    if angular:
        angle = _all_hold(verdicts)
    return Evidence(good, angle, ranked)


def _are_many(problem: Problem, found: Sequence[Found]) -> bool:
    """Whether multiples of r^2 are so many that it is worth to leave them out: there are none below order 2."""
    if not 2 <= problem.order < HIGH:
        return problem.order >= HIGH
    every = (part.coefficients.numerators.size for b in found for part in b.parts)
    return sum(every) >= MANY


def _placed(blocks: Sequence[Found]) -> list[Placed]:
    return [part for block in blocks for part in block.placed()]


def _ranks(problem: Problem, parts: Iterable[Batch]) -> IndexArray:
    """Blocks stand in different places of P, orders in different monomials: ranks add up."""
    ranked = np.zeros(problem.order + 1, dtype=np.int64)
    for batch in parts:
        check()
        np.add.at(ranked, batch.order, batch.copies * ranks(batch))
    return ranked


def _all_hold(verdicts: Sequence[bool | None]) -> bool | None:
    """False when one fails; None when one was not decided."""
    if False in verdicts:
        return False
    if None in verdicts:
        return None
    return True


def numbers(problem: Problem, found: Sequence[Found]) -> IndexArray:
    """Elements of each order, every block as often as it occurs."""
    out = np.zeros(problem.order + 1, dtype=np.int64)
    for block in found:
        out += block.times * np.array([part.size for part in block.parts])
    return out

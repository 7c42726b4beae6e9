r"""Groups of many turns about one axis, asked as if they were all rotations: over Q instead of a field of large degree.

By their formulas tensors of vectors and irreps are representations of SO(2), too, with $\rho(r) = e^{t\,d\rho(J)}$ for
the turn r by t and $J = (\begin{smallmatrix}0&-1\\1&0\end{smallmatrix})$. On the P of order n the turn r by $2\pi k/N$,
k and N coprime, has the eigenvalues $e^{2\pi i k w/N}$, w the weights of J. So where all $|w| < N$, what r fixes is
what J annihilates: the constraint for r is that for J, whose numbers are rational. No weight exceeds n and the largest
sums of absolute values along a row of $d\rho_{in}(J)$ and $d\rho_{out}(J)$ together, since no eigenvalue of a matrix
exceeds such a sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd

import numpy as np

from pdobasis.errors import RepresentationError
from pdobasis.exact.array import ExactArray, integers
from pdobasis.exact.roots import angle_of
from pdobasis.groups.matrices import about_z, simplest
from pdobasis.linear.sparse import Sparse
from pdobasis.solvers.batch import Batch
from pdobasis.solvers.constraint import group_equations, lie_equations, substitutions

TURN = integers([[0, -1], [1, 0]])
SAMPLE = integers([[3, -4], [4, 3]]).scale(Fraction(1, 5))


def by_all_rotations(batch: Batch) -> list[Sparse] | None:
    """Systems over Q with the same solutions as the constraint; None where it is not that of all rotations."""
    group, unknowns = batch.group, batch.unknowns
    if group.dim not in (2, 3) or not group.is_finite or batch.field.is_rational:
        return None
    turn, sample = (_about_z(m, group.dim) for m in (TURN, SAMPLE))
    is_turn = [_is_turn(g, turn) for g in group.on_space]
    pairs = list(zip(group.on_space, is_turn, strict=True))
    others = [simplest(g) for g, own in pairs if not own]
    orders = [_order(g) for g, own in pairs if own]
    if not orders or not all(g.field.is_rational for g in others):
        return None
    images = _images(batch, turn, sample, others)
    if images is None:
        return None
    turned = [own[0] for own in images]
    middle = len(batch.reps_in)
    weights = [max(map(_largest, side)) for side in (turned[:middle], turned[middle:])]
    if max(orders) <= sum(weights) + unknowns.high:
        return None
    systems = [lie_equations(unknowns, *batch.sums(turned), turn)]
    for k, action in enumerate(substitutions(others, unknowns)):
        own = batch.sums([image[k + 1] for image in images])
        systems.append(group_equations(unknowns, *own, action))
    return sorted(systems, key=lambda system: len(system.values))


def _about_z(planar: ExactArray, dim: int) -> ExactArray:
    """Of the plane, or of space about x3; J has no third row, and a turn leaves x3."""
    if dim == 2:
        return planar
    return about_z(planar, int(not planar.trace().is_zero))


def _is_turn(g: ExactArray, turn: ExactArray) -> bool:
    """Whether it is a rotation of the plane, or about x3."""
    if len(g) == 3 and not g[2, 2].equals(integers(1)):
        return False
    return (turn @ g).equals(g @ turn)


def _images(
    batch: Batch, turn: ExactArray, sample: ExactArray, others: Sequence[ExactArray]
) -> list[list[ExactArray]] | None:
    """What J and the other generators are in every representation; None where one is not that of all rotations, as far
    as a look at the turn by arctan 4/3 tells, or has numbers that are not rational.
    """
    out = []
    for rep in batch.reps:
        if rep.term is None:
            return None
        try:
            own = [rep.term.derivative(turn), *map(rep.term.at, others)]
            once, twice = rep.term.at(sample), rep.term.at(sample @ sample)
        except RepresentationError:
            # a half turn of frequency N/2 is no representation of all rotations
            return None
        own = [simplest(m) for m in own]
        if not all(m.field.is_rational for m in own) or not (once @ once).equals(twice):
            return None
        out.append(own)
    return out


def _largest(m: ExactArray) -> float:
    """The largest sum of absolute values along a row."""
    sums = np.abs(m.numerators[..., 0]).sum(axis=1)
    return int(sums.max(initial=0)) / m.denominator


def _order(g: ExactArray) -> int:
    """Of a rotation; 1 where it is not known."""
    first = g[:2, 0]
    angle = angle_of(first)
    if angle is None:
        return 1
    conductor = first.field.conductor
    return conductor // gcd(angle, conductor)

r"""How many steerable PDOs of each order there are, counted without finding any.

* finite G: the Molien count $\frac{1}{|G|} \sum_g \chi_{out}(g)\,\chi_{in}(g^{-1})\,[t^n] \frac{1}{\det(1 - tg)}$;
* SO(2), O(2), SO(3), O(3): the integral of the same character, by weights;
* else: the nullity of the constraint modulo a prime, which can only be too large.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from pdobasis.errors import ProofError
from pdobasis.exact.array import ExactArray, exact, integers, stack
from pdobasis.exact.matrices import batched_matmul
from pdobasis.groups.classical import turns_space
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group
from pdobasis.groups.planar import turns_plane
from pdobasis.proof.nullity import nullities
from pdobasis.proof.weights import Weights, weights
from pdobasis.representations.representation import Representation, all_matrices, all_permutations


@dataclass(frozen=True, slots=True)
class Counts:
    """The number of each order 0, 1, …, and how it was found."""

    numbers: tuple[int, ...]
    how: str


def count_pdos(
    rep_in: Representation,
    rep_out: Representation,
    order: int,
    *,
    only: bool = False,
    hoped: Sequence[int] | None = None,
) -> Counts:
    """The numbers of every order up to ``order``; ``only`` that order (as one number) where it has to be searched.

    Where there are only upper bounds, better ones are looked for until they are those that are ``hoped`` for.
    """
    group = rep_in.group
    if group.is_finite:
        return Counts(molien(rep_in, rep_out, order), f"Molien count over {group.order} elements")
    if has_characters(group):
        numbers = character_integral(rep_in, rep_out, order)
        if numbers is not None:
            return Counts(numbers, f"character integral over {group.name}")
    numbers = nullities(rep_in, rep_out, range(order if only else 0, order + 1), hoped=hoped)
    return Counts(numbers, "nullity modulo a prime (an upper bound that is attained)")


def has_characters(group: Group) -> bool:
    """Whether PDOs are counted by characters rather than by linear algebra."""
    return group.is_finite or turns_plane(group) or turns_space(group) is not None


def molien(rep_in: Representation, rep_out: Representation, order: int) -> tuple[int, ...]:
    """Real characters of finite groups satisfy chi(g^-1) = chi(g)."""
    group = rep_in.group
    product = characters(rep_out) * characters(rep_in)
    size = len(closure(group))
    total = stack(symmetric_characters(group, order)) * product.reshape(1, size)
    sums = exact(total.numerators.astype(object).sum(axis=1), total.denominator * size, total.field)
    out = []
    for n in range(order + 1):
        value = sums[n].fraction()
        if value.denominator != 1:
            raise ProofError(f"the Molien count {value} is not whole: this is not a representation of {group.name}")
        out.append(int(value))
    return tuple(out)


def characters(rep: Representation) -> ExactArray:
    """The trace of every element."""
    if rep.is_permutation:
        return integers((all_permutations(rep) == np.arange(rep.size)).sum(axis=1))
    m = all_matrices(rep)
    return exact(np.trace(m.numerators, axis1=1, axis2=2), m.denominator, m.field)


def symmetric_characters(group: Group, order: int) -> list[ExactArray]:
    r"""$h_n(g) = [t^n]\,1/\det(1 - tg)$ for all elements.

    With $\det(1 - tg) = \sum_k (-1)^k e_k t^k$ this is $h_n = \sum_{k=1}^d (-1)^{k-1} e_k h_{n-k}$, and by Newton
    $k e_k = \sum_{i=1}^k (-1)^{i-1} e_{k-i}\,\mathrm{tr}(g^i)$.
    """
    g = closure(group).matrices
    one = integers(np.ones(len(g), dtype=np.int64), g.field)
    power, traces, elementary = g, [], [one]
    for k in range(1, min(group.dim, order) + 1):
        power = g if k == 1 else batched_matmul(power, g)
        traces.append(exact(np.trace(power.numerators, axis1=1, axis2=2), power.denominator, power.field))
        elementary.append(_alternating(traces, elementary[::-1]).scale(Fraction(1, k)))
    out = [one]
    for _ in range(order):
        out.append(_alternating(elementary[1:], out[::-1]))
    return out


def _alternating(left: list[ExactArray], right: list[ExactArray]) -> ExactArray:
    """l_0 r_0 - l_1 r_1 + l_2 r_2 - …, as long as there are both."""
    total = left[0] * right[0]
    for k, (a, b) in enumerate(zip(left[1:], right[1:], strict=False), start=1):
        total = total + (a * b if k % 2 == 0 else -(a * b))
    return total


def character_integral(rep_in: Representation, rep_out: Representation, order: int) -> tuple[int, ...] | None:
    r"""The multiplicity of the trivial representation in $\rho_{out} \otimes \rho_{in}^* \otimes S^n$, from weights.

    On SO(2) it is the multiplicity $m_0$ of weight 0; on SO(3), by Weyl's formula, $m_0 - m_1$. On O(d) the mean of
    this and the same over the other component: a mirror of O(2) (all are conjugate), or $-g$ for $g \in SO(3)$.
    None when the weights are not whole numbers, as for representations of a covering group.
    """
    group = rep_in.group
    spatial = group.dim == 3
    rotations = _integrals(weights(rep_in, False), weights(rep_out, False), _vector_weights(spatial), order, spatial)
    if rotations is None or not group.generators:
        return rotations
    if spatial:
        inverted = _integrals(
            weights(rep_in, True), weights(rep_out, True), Weights({0: -1, 1: -1, -1: -1}), order, True
        )
        if inverted is None:
            return None
        others: list[Fraction] = [Fraction(n) for n in inverted]
    else:
        others = _mirror_traces(rep_in, rep_out, order)
    means = [(Fraction(a) + b) / 2 for a, b in zip(rotations, others, strict=True)]
    return tuple(int(m) for m in means) if all(m.denominator == 1 for m in means) else None


def _integrals(
    w_in: Weights | None, w_out: Weights | None, vector: Weights, order: int, spatial: bool
) -> tuple[int, ...] | None:
    if w_in is None or w_out is None:
        return None
    hom = w_in.times(w_out)  # real representations have symmetric weights, so the dual changes nothing
    values = []
    for n in range(order + 1):
        total = hom.times(_symmetric_power(tuple(vector.table.items()), n)).table
        values.append(total.get(0, 0) - (total.get(1, 0) if spatial else 0))
    return tuple(values)


@lru_cache(maxsize=256)
def _symmetric_power(vector: tuple[tuple[int, int], ...], n: int) -> Weights:
    return Weights(dict(vector)).symmetric_power(n)


def _vector_weights(spatial: bool) -> Weights:
    return Weights({1: 1, -1: 1, 0: 1} if spatial else {1: 1, -1: 1})


def _mirror_traces(rep_in: Representation, rep_out: Representation, order: int) -> list[Fraction]:
    r"""$\chi_{out}(f)\,\chi_{in}(f)\,h_n(f)$ with $h_n(\mathrm{diag}(1,-1)) = 1, 0, 1, 0, \dots$"""
    trace = rep_in.matrices()[0].trace() * rep_out.matrices()[0].trace()
    value = trace.fraction()
    return [value if n % 2 == 0 else Fraction(0) for n in range(order + 1)]

r"""How many steerable PDOs of each order there are, counted without finding any.

* finite G: the Molien count $\frac{1}{|G|} \sum_g \chi_{out}(g)\,\chi_{in}(g^{-1})\,[t^n] \frac{1}{\det(1 - tg)}$;
* SO(2), O(2), SO(3), O(3): the integral of the same character, by weights;
* else: the nullity of the constraint modulo a prime, which can only be too large.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.errors import ProofError
from pdobasis.exact.array import ExactArray, exact, integers, stack
from pdobasis.exact.matrices import batched_matmul
from pdobasis.groups.group import Group
from pdobasis.proof.elements import characters, elements, traces
from pdobasis.proof.lines import matrices_of
from pdobasis.proof.points import number_of_monomials
from pdobasis.representations.representation import Representation
from pdobasis.values import dataclass

if TYPE_CHECKING:
    from pdobasis.proof.weights import Weights

BY_NULLITY = "nullity modulo a prime (an upper bound that is attained)"


@dataclass(frozen=True, slots=True)
class Counts:
    """The number of each order 0, 1, …, and how it was found.

    ``exact`` says that these are the numbers; otherwise they are upper bounds.
    """

    numbers: tuple[int, ...]
    how: str
    exact: bool = True


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
        return Counts(
            molien(rep_in, rep_out, order),
            f"Molien count over {len(elements(group)[0])} elements",
        )
    if has_characters(group):
        numbers = character_integral(rep_in, rep_out, order)
        if numbers is not None:
            return Counts(numbers, f"character integral over {group.name}")
    from pdobasis.proof.nullity import nullities

    orders = range(order + 1)
    if only:
        orders = range(order, order + 1)
    return Counts(
        nullities(rep_in, rep_out, orders, hoped=hoped), BY_NULLITY, exact=False
    )


def has_characters(group: Group) -> bool:
    """Whether PDOs are counted by characters rather than by linear algebra."""
    if group.is_finite:
        return True
    from pdobasis.proof.weights import is_rotations

    return is_rotations(group)


def molien(
    rep_in: Representation, rep_out: Representation, order: int
) -> tuple[int, ...]:
    """Real characters of finite groups satisfy chi(g^-1) = chi(g)."""
    group = rep_in.group
    product = characters(rep_out) * characters(rep_in)
    size = len(product)
    total = symmetric_characters(group, order) * product.reshape(1, size)
    # The identity adds all monomials in all places of P: a list of elements, or an arithmetic, in which it does not is
    # none.
    whole = rep_in.size * rep_out.size * total.denominator
    everything = [whole * number_of_monomials(group.dim, n) for n in range(order + 1)]
    if (
        total.numerators[:, 0, 0].tolist() != everything
        or total.numerators[:, 0, 1:].any()
    ):
        raise ProofError(
            f"the first element of {group.name} does not count as the identity"
        )
    # numerators add up over one denominator, in Python integers
    sums = exact(
        total.numerators.astype(object).sum(axis=1),
        total.denominator * size,
        total.field,
    )
    out = []
    for n in range(order + 1):
        value = sums[n].fraction()
        if value.denominator != 1:
            raise ProofError(
                f"the Molien count {value} is not whole: this is not a representation of {group.name}"
            )
        out.append(int(value))
    return tuple(out)


@remembered
def symmetric_characters(group: Group, order: int) -> ExactArray:
    r"""$h_n(g) = [t^n]\,1/\det(1 - tg)$ for all elements, (order + 1, |G|).

    With $\det(1 - tg) = \sum_k (-1)^k e_k t^k$ this is $h_n = \sum_{k=1}^d (-1)^{k-1} e_k h_{n-k}$, and by Newton
    $k e_k = \sum_{i=1}^k (-1)^{i-1} e_{k-i}\,\mathrm{tr}(g^i)$.
    """
    g, _ = elements(group)
    one = integers(np.ones(len(g), dtype=np.int64), g.field)
    power, sums, elementary = g, [], [one]
    # e_k = 0 beyond the dimension, and h_n asks for no e_k beyond n
    for k in range(1, min(group.dim, order) + 1):
        if k > 1:
            power = batched_matmul(power, g)
        sums.append(traces(power))
        elementary.append(_alternating(sums, elementary[::-1]).scale(Fraction(1, k)))
    out = [one]
    for _ in range(order):
        out.append(_alternating(elementary[1:], out[::-1]))
    return stack(out)


def _alternating(left: list[ExactArray], right: list[ExactArray]) -> ExactArray:
    """l_0 r_0 - l_1 r_1 + l_2 r_2 - …, as long as there are both."""
    total = left[0] * right[0]
    for k, (a, b) in enumerate(zip(left[1:], right[1:], strict=False), start=1):
        term = a * b
        if k % 2:
            term = -term
        total = total + term
    return total


def character_integral(
    rep_in: Representation, rep_out: Representation, order: int
) -> tuple[int, ...] | None:
    r"""The multiplicity of the trivial representation in $\rho_{out} \otimes \rho_{in}^* \otimes S^n$, from weights.

    On SO(2) it is the multiplicity $m_0$ of weight 0; on SO(3), by Weyl's formula, $m_0 - m_1$. On O(d) the mean of
    this and the same over the other component: a mirror of O(2) (all are conjugate), or $-g$ for $g \in SO(3)$.
    None when the weights are not whole numbers, as for representations of a covering group.
    """
    group = rep_in.group
    rotations = _integrals(rep_in, rep_out, order, inverted=False)
    if rotations is None or not group.generators:
        return rotations
    others = _other_component(rep_in, rep_out, order)
    if others is None:
        return None
    means = [(a + b) / 2 for a, b in zip(rotations, others, strict=True)]
    if any(m.denominator != 1 for m in means):
        return None
    return tuple(int(m) for m in means)


def _other_component(
    rep_in: Representation, rep_out: Representation, order: int
) -> list[Fraction] | None:
    if rep_in.group.dim == 2:
        return _mirror_traces(rep_in, rep_out, order)
    inverted = _integrals(rep_in, rep_out, order, inverted=True)
    if inverted is None:
        return None
    return [Fraction(n) for n in inverted]


def _integrals(
    rep_in: Representation, rep_out: Representation, order: int, *, inverted: bool
) -> tuple[int, ...] | None:
    from pdobasis.proof.weights import weights

    w_in, w_out = weights(rep_in, inverted), weights(rep_out, inverted)
    if w_in is None or w_out is None:
        return None
    hom = w_in.times(
        w_out
    )  # real representations have symmetric weights, so the dual changes nothing
    spatial = rep_in.group.dim == 3
    vector = {1: 1, -1: 1}
    if spatial:
        vector[0] = 1
    if inverted:
        vector = {k: -v for k, v in vector.items()}  # -g has minus the eigenvalues
    out = []
    for n in range(order + 1):
        total = hom.times(_symmetric_power(tuple(vector.items()), n)).table
        value = total.get(0, 0)
        if spatial:  # every irrep of SO(3) has weight 0 once, and all but the trivial one weight 1
            value -= total.get(1, 0)
        out.append(value)
    return tuple(out)


@remembered
def _symmetric_power(vector: tuple[tuple[int, int], ...], n: int) -> Weights:
    from pdobasis.proof.weights import Weights

    return Weights(dict(vector)).symmetric_power(n)


def _mirror_traces(
    rep_in: Representation, rep_out: Representation, order: int
) -> list[Fraction]:
    r"""$\chi_{out}(f)\,\chi_{in}(f)\,h_n(f)$ with $h_n(\mathrm{diag}(1,-1)) = 1, 0, 1, 0, \dots$"""
    trace = matrices_of(rep_in)[0].trace() * matrices_of(rep_out)[0].trace()
    return [trace.fraction() * (1 - n % 2) for n in range(order + 1)]

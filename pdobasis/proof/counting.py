r"""How many steerable PDOs of each order there are, counted without finding any.

* finite G: the Molien count $\frac{1}{|G|} \sum_g \chi_{out}(g)\,\chi_{in}(g^{-1})\,[t^n] \frac{1}{\det(1 - tg)}$;
* SO(2), O(2), SO(3), O(3): the integral of the same character, by weights;
* else: the nullity of the constraint modulo a prime, which can only be too large.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from functools import reduce
from operator import mul
from typing import TYPE_CHECKING

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.errors import ExactnessError, ProofError
from pdobasis.exact.field import LARGE_DEGREE, Field, join
from pdobasis.exact.integers import INT_LIMIT
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.groups.closure import is_listed
from pdobasis.groups.group import Group
from pdobasis.proof.elements import LARGE, characters, elements
from pdobasis.proof.lines import matrices_of
from pdobasis.proof.modular import (
    ATTEMPTS,
    COUNT_BITS,
    Place,
    bits_of_prime,
    images,
    place,
    residues,
)
from pdobasis.proof.points import number_of_monomials
from pdobasis.representations.representation import Representation
from pdobasis.values import dataclass

if TYPE_CHECKING:
    from pdobasis.proof.weights import Weights

BY_NULLITY = "nullity modulo a prime (an upper bound that is attained)"
FEW = 3
"""Elements that Python has multiplied before NumPy has begun: of regular representations one is left."""


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
        numbers, size = molien_count(rep_in, rep_out, order)
        return Counts(numbers, f"Molien count over {size} elements")
    if has_characters(group):
        integral = character_integral(rep_in, rep_out, order)
        if integral is not None:
            return Counts(integral, f"character integral over {group.name}")
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
    """The numbers of every order up to ``order``."""
    return molien_count(rep_in, rep_out, order)[0]


def molien_count(
    rep_in: Representation, rep_out: Representation, order: int
) -> tuple[tuple[int, ...], int]:
    """The numbers of every order, and how many elements the group has.

    Real characters of finite groups satisfy chi(g^-1) = chi(g). The count is a whole number from 0 to the number of all
    coefficients, so that its residue modulo a prime beyond is the number itself: nothing is added up in K.
    """
    group, reps = rep_in.group, (rep_in, rep_out)
    entries = rep_in.size * rep_out.size
    everything = [entries * number_of_monomials(group.dim, n) for n in range(order + 1)]
    least = max(everything).bit_length() + 1
    is_reduced = _is_reduced(reps, least)
    if is_reduced:
        fields = [group.field, rep_in.field, rep_out.field]
    else:
        # what is remembered may be that of an equal group, whose numbers are written in another field
        fields = [elements(group)[0].field, *(characters(rep).field for rep in reps)]
    field = reduce(join, fields)
    bits = bits_of_prime(least, field)
    first, total, p, size = _molien_sums(reps, order, field, bits, is_reduced)
    # The identity adds all monomials in all places of P: a list of elements, or an arithmetic, in which it does not is
    # none.
    if first != everything:
        raise ProofError(
            f"the first element of {group.name} does not count as the identity"
        )
    scale = pow(size, -1, p)
    found = [number * scale % p for number in total]
    if any(n > most for n, most in zip(found, everything, strict=True)):
        raise ProofError(
            f"the Molien count is not whole: this is not a representation of {group.name}"
        )
    return tuple(found), size


def _is_reduced(reps: tuple[Representation, Representation], least: int) -> bool:
    """Whether elements are listed modulo the prime, too: products over K, or of large matrices, would be most of the
    work.

    Of what is a representation both ways count the same. Matrices without a formula are multiplied over K wherever
    that is not much: what multiplies as the group does modulo one prime alone is none. So are groups that no name says
    to be finite. A list over a small K that somebody has made is taken as it is.
    """
    group = reps[0].group
    fields = [m.field for m in group.generators] + [rep.field for rep in reps]
    is_large = any(own.degree > LARGE_DEGREE for own in fields)
    if not is_large and all(rep.is_permutation or rep.size < LARGE for rep in reps):
        is_known = all(rep.is_permutation or rep.term is not None for rep in reps)
        if not is_known or group.known_order is None or is_listed(group):
            return False
    # loaded for such questions alone
    from pdobasis.proof.reduced import fits

    return fits(bits_of_prime(least, reduce(join, fields)))


def _molien_sums(
    reps: tuple[Representation, Representation],
    order: int,
    field: Field,
    bits: int,
    is_reduced: bool,
) -> tuple[list[int], list[int], int, int]:
    """What the first element adds to |G| times the count of each order, and what all add, modulo a prime of so many
    bits; the prime, and |G|.
    """
    for number in range(ATTEMPTS):
        with suppress(ExactnessError):  # the prime divides a denominator
            at = place(field, number, bits)
            p = at.prime
            chi = other = _characters(reps[0], field, at, is_reduced)
            if reps[1] != reps[0]:
                other = _characters(reps[1], field, at, is_reduced)
            product = chi * other % p
            # where a character vanishes nothing is added: of regular representations the identity is left
            asked = product.nonzero()[0]
            sums = _power_sums(reps[0].group, order, asked, field, at, is_reduced)
            weights = product[asked].tolist()
            # conjugate elements have the same eigenvalues, and are added up before these are asked for
            classes: dict[tuple[int, ...], int] = {}
            for key, weight in zip(sums, weights, strict=True):
                classes[key] = classes.get(key, 0) + weight
            symmetric = [_symmetric_powers(key, order, p) for key in classes]
            total = [
                sum(map(mul, classes.values(), of_order)) % p
                for of_order in zip(*symmetric, strict=True)
            ]
            # classes are in the order in which they came, so that the first is that of the first element
            if not len(asked) or asked[0]:
                return [], total, p, len(product)
            return [weights[0] * h % p for h in symmetric[0]], total, p, len(product)
    raise ExactnessError(f"each of {ATTEMPTS} primes divides a denominator")


def _characters(
    rep: Representation, field: Field, at: Place, is_reduced: bool
) -> IntArray:
    if is_reduced:
        from pdobasis.proof.reduced import reduced_characters

        return reduced_characters(rep, field, at)
    exactly = characters(rep)
    # a rational number is the same in every field, so that its residue is
    if not exactly.field.is_rational:
        exactly = exactly.over(field)
    return _wide(residues(exactly, at), at)


def _matrices(
    group: Group, asked: IndexArray, field: Field, at: Place, is_reduced: bool
) -> IntArray:
    """Of the elements asked for, at a place."""
    if is_reduced:
        from pdobasis.proof.reduced import roll

        return np.asarray(roll(group, field, at).matrices[asked])
    every = elements(group)[0]
    # a rational number is the same in every field, so that its residue is
    if not every.field.is_rational:
        every = every.over(field)
    numerators = every.numerators
    if len(asked) < len(numerators):
        numerators = numerators[asked]
    return _wide(images(numerators, every.denominator, at), at)


def _few_matrices(
    group: Group, asked: IndexArray, field: Field, at: Place
) -> list[list[list[int]]]:
    """The same of a few elements, in Python's integers."""
    every = elements(group)[0]
    if not every.field.is_rational:
        every = every.over(field)
    p = at.prime
    if every.denominator % p == 0:
        raise ExactnessError(f"the prime {p} divides a denominator")
    scale = pow(every.denominator, -1, p)
    weights = [w * scale % p for w in at.values[: every.field.degree]]
    return [
        [[sum(map(mul, number, weights)) % p for number in row] for row in matrix]
        for matrix in every.numerators[asked].tolist()
    ]


def _wide(found: IntArray, at: Place) -> IntArray:
    """Such that int64 holds products, or Python integers."""
    if at.prime >> COUNT_BITS:
        return found.astype(object)
    return found


def _power_sums(
    group: Group,
    order: int,
    asked: IndexArray,
    field: Field,
    at: Place,
    is_reduced: bool,
) -> list[tuple[int, ...]]:
    r"""$\mathrm{tr}(g), \mathrm{tr}(g^2), \dots$ modulo a prime, up to the dimension, of the elements asked for.

    As many as the order are enough: $h_n$ asks for no more than n of them.
    """
    highest = min(group.dim, order)
    if not highest:
        return [()] * len(asked)
    p = at.prime
    if len(asked) <= FEW and not is_reduced:
        few = _few_matrices(group, asked, field, at)
        return [_traces(own, highest, p) for own in few]
    g = power = _matrices(group, asked, field, at, is_reduced)
    turned = g.transpose(0, 2, 1)
    sums = [(g.trace(axis1=1, axis2=2) % p).tolist()]
    for k in range(2, highest + 1):
        if k > 2:
            power = _times(power, g, p)
        # tr(g^(k-1) g) is a sum of products, entry by entry: the last power itself is not asked for
        products = (power * turned % p).reshape(len(g), -1)
        sums.append((products.sum(axis=1) % p).tolist())
    return list(zip(*sums, strict=True))


def _traces(g: list[list[int]], highest: int, p: int) -> tuple[int, ...]:
    r"""$\mathrm{tr}(g), \dots, \mathrm{tr}(g^k)$ of one matrix of residues, in Python's integers.

    >>> _traces([[0, 1], [1, 1]], 4, 101)  # the numbers of Lucas
    (1, 3, 4, 7)
    """
    columns = list(zip(*g, strict=True))
    sums, power = [sum(row[i] for i, row in enumerate(g)) % p], g
    for k in range(2, highest + 1):
        if k > 2:
            power = [[sum(map(mul, row, c)) % p for c in columns] for row in power]
        # entry (i, j) of the power meets entry (j, i) of g
        pairs = zip(power, columns, strict=True)
        sums.append(sum(sum(map(mul, row, c)) for row, c in pairs) % p)
    return tuple(sums)


def _times(a: IntArray, b: IntArray, p: int) -> IntArray:
    """a @ b modulo p, of residues: by halves of the bits of a where int64 might not hold a sum of products."""
    if a.dtype == object or a.shape[-1] * (p - 1) ** 2 < INT_LIMIT:
        return np.asarray(a @ b % p)
    half = COUNT_BITS // 2
    high, low = a >> half, a & ((1 << half) - 1)
    return np.asarray((((high @ b % p) << half) + low @ b) % p)


def _symmetric_powers(sums: tuple[int, ...], order: int, p: int) -> list[int]:
    r"""$h_n(g) = [t^n]\,1/\det(1 - tg)$ for n = 0, …, modulo a prime, from $p_i = \mathrm{tr}(g^i)$.

    With $\det(1 - tg) = 1 - \sum_{k=1}^d f_k t^k$ this is $h_n = \sum_k f_k h_{n-k}$, and by Newton
    $k f_k = p_k - \sum_{i=1}^{k-1} f_{k-i}\,p_i$.

    >>> _symmetric_powers((2, 2), 3, 101), _symmetric_powers((0, 2), 3, 101)  # 1/(1 - t)^2 and 1/(1 - t^2)
    ([1, 2, 3, 4], [1, 0, 1, 0])
    """
    f: list[int] = []
    for k, own in enumerate(sums, start=1):
        f.append((own - sum(map(mul, f[::-1], sums))) * pow(k, -1, p) % p)
    out = [1]
    for _ in range(order):
        # h_{n-1}, h_{n-2}, … as far as there are both
        out.append(sum(map(mul, f, out[: -len(f) - 1 : -1])) % p)
    return out


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
    twice = [a + b for a, b in zip(rotations, others, strict=True)]
    if any(number % 2 for number in twice):
        return None
    return tuple(int(number) // 2 for number in twice)


def _other_component(
    rep_in: Representation, rep_out: Representation, order: int
) -> Sequence[Fraction | int] | None:
    if rep_in.group.dim == 2:
        return _mirror_traces(rep_in, rep_out, order)
    return _integrals(rep_in, rep_out, order, inverted=True)


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
    for power in _weight_powers(tuple(vector.items()), order):
        value = _multiplicity(hom, power, 0)
        if spatial:  # every irrep of SO(3) has weight 0 once, and all but the trivial one weight 1
            value -= _multiplicity(hom, power, 1)
        out.append(value)
    return tuple(out)


def _multiplicity(a: Weights, b: Weights, weight: int) -> int:
    """Of one weight in the product."""
    other = b.table
    return sum(v * other.get(weight - k, 0) for k, v in a.table.items())


@remembered
def _weight_powers(vector: tuple[tuple[int, int], ...], order: int) -> list[Weights]:
    from pdobasis.proof.weights import Weights

    return Weights(dict(vector)).symmetric_powers(order)


def _mirror_traces(
    rep_in: Representation, rep_out: Representation, order: int
) -> list[Fraction | int]:
    r"""$\chi_{out}(f)\,\chi_{in}(f)\,h_n(f)$ with $h_n(\mathrm{diag}(1,-1)) = 1, 0, 1, 0, \dots$"""
    trace = _mirror_trace(rep_in) * _mirror_trace(rep_out)
    return [trace * (1 - n % 2) for n in range(order + 1)]


@remembered
def _mirror_trace(rep: Representation) -> Fraction | int:
    trace = matrices_of(rep)[0].trace().fraction()
    if trace.denominator == 1:
        return trace.numerator
    return trace

r"""Theorem: which PDOs of C_N and D_N have only frequencies $m - n + tN$ with $|t| \le T$, and how many there are.

Let r be the rotation by $2\pi/N$, $\zeta = e^{2\pi i/N}$, and $E_m = \frac1N \sum_j \zeta^{-mj} \rho(r^j)$ the
projection onto the eigenvalue $\zeta^m$ of $\rho(r)$. With $z = x_1 + i x_2$ let $P_k$ be the coefficient of $z^a
\bar z^b$, $a - b = k$. Since $r^T$ takes z to $\zeta^{-1} z$, the constraint for r says $P_k \rho_{in}(r) =
\zeta^{-k} \rho_{out}(r) P_k$, so

$$E_m P_k = E_m P_k E_n \quad\text{with}\quad n \equiv m - k \pmod N.$$

A solution falls into its parts (m, n, k), with m and n from (-N/2, N/2]. The table of $\psi_m$ and $\psi_n$ has in
its complex form the parts $k = m - n + tN$; a row of $\psi_{N/2}$ is written with the sign opposite to the other
frequency (so that t = 0 is $n + N/2$), with both next to 0, and with the same next to itself. That is the t of a
part, and the truncation the sum of the parts with $|t| \le T$. All of it is said by the matrices of $\rho(r)$: the
choice of a basis, also within irreps, does not come in.

*Members.* Whether the other parts vanish is asked of $E_m P_k$ alone. Complex conjugation maps (m, n, k) to (-m, -n,
-k), so that k > 0 is enough; parts with k = 0 have t = 0.

*Number.* For C_N it is $\sum a^{out}_m a^{in}_n$ over the parts, with the multiplicities $a_m$ of $\zeta^m$, once for
every power of $r^2$. A mirror f of D_N permutes the parts, (m, n, k) to (-m, -n, -k), and the fixed space of an
involution has half the dimension plus half its trace, which is $s^{out}_m s^{in}_m$, $s_m = \mathrm{tr}\,\rho(f)
E_m$, for m = 0 and N/2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.errors import ProofError
from pdobasis.exact.array import (
    ExactArray,
    exact,
    integers,
    same_denominator,
    stack,
)
from pdobasis.exact.field import cyclotomic, join
from pdobasis.groups.group import Group
from pdobasis.groups.matrices import rotation
from pdobasis.operators.symbols import Symbols
from pdobasis.proof.elements import characters, elements
from pdobasis.proof.modular import bits_of_prime, place, residues
from pdobasis.proof.points import powers
from pdobasis.representations.representation import Representation, all_matrices


@dataclass(frozen=True, slots=True)
class Rotations:
    """Which elements of a group are r^0, …, r^(N-1), and which f r^0, …, f r^(N-1) for one mirror f, if it has any."""

    powers: tuple[int, ...]
    mirrors: tuple[int, ...]

    @property
    def turns(self) -> int:
        return len(self.powers)

    @property
    def frequencies(self) -> range:
        """One of every class modulo N: those from (-N/2, N/2]."""
        return range(-((self.turns - 1) // 2), self.turns // 2 + 1)

    def nearest(self, n: int) -> int:
        """The frequency of the class of n.

        >>> Rotations(tuple(range(16)), ()).nearest(-8)
        8
        """
        lowest = self.frequencies[0]
        return (n - lowest) % self.turns + lowest

    def offset(self, m: int, k: int) -> int:
        """|t| of the part (m, n, k).

        >>> c16 = Rotations(tuple(range(16)), ())
        >>> [c16.offset(m, k) for m, k in ((3, 1), (7, -3), (8, 1), (-7, 1), (8, -8), (8, 0))]
        [0, 1, 1, 1, 0, 0]
        """
        n = self.nearest(m - k)
        differences = [m - n]
        half, on_m, on_n = self.turns // 2, self._is_half(m), self._is_half(n)
        if on_m != on_n:
            other = m + n - half
            # the sign of the half turn is opposite to that of the other, and both next to 0
            signs = [-1, 1] if other == 0 else [-np.sign(other)]
            differences = [
                int(s) * half - n if on_m else m - int(s) * half for s in signs
            ]
        return min(abs(k - d) // self.turns for d in differences)

    def _is_half(self, m: int) -> bool:
        return 2 * m == self.turns


def is_within(part: Symbols, rep_out: Representation, limit: int) -> bool:
    """Whether no element, all of which are steerable, has a part beyond the limit."""
    found = rotations(rep_out.group)
    for k in range(2 - part.order % 2, part.order + 1, 2):
        beyond = [m for m in found.frequencies if found.offset(m, k) > limit]
        if beyond and not _vanishes(part, k, *_projection(rep_out, tuple(beyond))):
            return False
    return True


def angular_numbers(
    rep_in: Representation, rep_out: Representation, order: int, limit: int
) -> tuple[int, ...]:
    """How many there are within the limit with exactly the frequencies l and -l, for l = 0, …, ``order``."""
    found = rotations(rep_in.group)
    a_in, a_out = multiplicities(rep_in), multiplicities(rep_out)
    numbers = []
    for angular in range(order + 1):
        total = 0
        for k in {angular, -angular}:
            for m in found.frequencies:
                if found.offset(m, k) <= limit:
                    total += a_out[m] * a_in[found.nearest(m - k)]
        if found.mirrors:
            total += _mirrored(rep_in, rep_out) * (angular == 0)
            # an involution has whole multiplicities, so this is even
            total //= 2
        numbers.append(total)
    return tuple(numbers)


@remembered
def rotations(group: Group) -> Rotations:
    """Found among the elements of a finite group of the plane, by their matrices."""
    every, _ = elements(group)
    determinants = _determinants(every)
    turns = sum(d == 1 for d in determinants)
    # the turn r, and what it makes of every element, in one product
    r = rotation(Fraction(2, turns))
    turned = (every.transpose(0, 2, 1) @ r.T).transpose(0, 2, 1)
    (own, moved), _, _ = same_denominator((every, turned))
    places = {g.tobytes(): i for i, g in enumerate(own)}
    move = [places.get(g.tobytes()) for g in moved]
    back = {j: i for i, j in enumerate(move)}
    powers = _walk(0, dict(enumerate(move)), turns)
    # f r^j = r^-j f
    mirrors = [i for i, d in enumerate(determinants) if d == -1][:1]
    return Rotations(powers, sum((_walk(f, back, turns) for f in mirrors), ()))


def _walk(
    start: int, step: Mapping[int | None, int | None], count: int
) -> tuple[int, ...]:
    """So many different elements, one after the other, and then the first once more."""
    out, place = [], start
    for _ in range(count):
        out.append(place)
        following = step.get(place)
        if following is None:
            break
        place = following
    if len(set(out)) != count or place != start:
        raise ProofError("a rotation is missing in the list of the group's elements")
    return tuple(out)


@remembered
def multiplicities(rep: Representation) -> dict[int, int]:
    r"""How often every eigenvalue of rho(r) occurs, by its frequency.

    They are the means of $\cos(2\pi mj/N)\,\chi(r^j)$ (the sines cancel, since real characters are even), whole numbers
    up to the size: their residues modulo a larger prime say them.
    """
    found = rotations(rep.group)
    own = characters(rep).take(np.array(found.powers))
    turns = found.turns
    field = join(own.field, cyclotomic(lcm(4, turns)))
    at = place(field, 0, bits_of_prime(rep.size.bit_length() + 1, field))
    cosines = _circle(turns)[:, 0]
    values, weights = (residues(v.over(field), at).tolist() for v in (own, cosines))
    p, scale = at.prime, pow(turns, -1, at.prime)
    out = {}
    for m in found.frequencies:
        total = sum(v * weights[m * j % turns] for j, v in enumerate(values))
        out[m] = total * scale % p
    if any(number > rep.size for number in out.values()):
        raise ProofError("a multiplicity is not whole: this is not a representation")
    return out


@remembered
def _circle(turns: int) -> ExactArray:
    """(cos, sin) of 0, 1, … N-ths of a turn."""
    return stack([rotation(Fraction(2 * j, turns))[:, 0] for j in range(turns)])


def _mirrored(rep_in: Representation, rep_out: Representation) -> int:
    """The trace of a mirror on the parts that it maps to themselves: m = n = 0 and N/2, k = 0."""
    found = rotations(rep_in.group)
    total = 0
    for m in {0, found.turns // 2} if found.turns % 2 == 0 else {0}:
        own_in, own_out = (
            characters(rep).take(np.array(found.mirrors)) for rep in (rep_in, rep_out)
        )
        total += _mean(own_in, m) * _mean(own_out, m)
    return total


def _mean(values: ExactArray, m: int) -> int:
    """The mean of (-1)^j v_j for m = N/2, of v_j for m = 0."""
    turns = len(values)
    signs = np.ones((turns, 1), dtype=np.int64)
    if m:
        signs[1::2] = -1
    total = values.reshape(1, turns) @ integers(signs)
    try:
        mean = total[0, 0].fraction() / turns
    except ValueError:
        mean = Fraction(1, 2)
    if mean.denominator != 1:
        raise ProofError("a multiplicity is not whole: this is not a representation")
    return int(mean)


@remembered
def _projection(
    rep: Representation, frequencies: tuple[int, ...]
) -> tuple[ExactArray, ExactArray]:
    """N times the sum of some E_m: its real and its imaginary part."""
    found = rotations(rep.group)
    characters(rep)  # the matrices of all elements are looked at before they are used
    images = all_matrices(rep).take(np.array(found.powers))
    turns, size = found.turns, rep.size
    # which N-th of a turn is met how often, for every j
    met = -np.outer(np.arange(turns), frequencies) % turns
    counts = [np.bincount(own, minlength=turns) for own in met]
    weights = integers(np.array(counts)) @ _circle(turns)  # (j, real and imaginary)
    flat = images.reshape(turns, size * size)
    both = (weights.T @ flat).reshape(2, size, size)
    return both[0], both[1]


def _vanishes(part: Symbols, k: int, real: ExactArray, imaginary: ExactArray) -> bool:
    """Whether (U + iV) P_k = 0."""
    a, b = (_scattered(part, values) for values in _coefficients(part, k))
    u, v = real.T, imaginary.T
    return (a @ u - b @ v).is_zero and (b @ u + a @ v).is_zero


def _coefficients(part: Symbols, k: int) -> Iterator[ExactArray]:
    r"""The real and the imaginary part of $2^n P_k$ for every entry.

    $x_1^a x_2^b = 2^{-n} i^{-b} (z + \bar z)^a (z - \bar z)^b$, and $i^{-b}$ is 1, -i, -1, i in turn.
    """
    n = part.order
    p = (n + k) // 2
    table = np.zeros((n + 1, 2), dtype=object)
    for row, (a, b) in enumerate(powers(2, n, n).tolist()):
        # z^p out of both factors
        value = sum(
            comb(a, p - j) * comb(b, j) * (-1) ** (b - j)
            for j in range(b + 1)
            if 0 <= p - j <= a
        )
        sign = (1, -1, -1, 1)[b % 4]
        table[row, b % 2] = sign * value
    both = part.coefficients @ integers(table)
    for which in range(2):
        yield both[:, which]


def _scattered(part: Symbols, values: ExactArray) -> ExactArray:
    """(element, column, row): rows last, where matrices are multiplied."""
    rows, columns = part.shape
    shape = (part.size, columns, rows, values.field.degree)
    out = np.zeros(shape, dtype=values.numerators.dtype)
    out[part.element, part.column, part.row] = values.numerators
    return exact(out, values.denominator, values.field)


def _determinants(every: ExactArray) -> list[Fraction]:
    """Of matrices of the plane, whose determinants are rational."""
    found = every[:, 0, 0] * every[:, 1, 1] - every[:, 0, 1] * every[:, 1, 0]
    return [found[i].fraction() for i in range(len(found))]

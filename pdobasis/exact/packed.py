r"""Numbers of a field as residues of one whole number: $b_1 \mapsto T$ modulo $N = m(T)$.

With m the minimal polynomial of $b_1$ this is a homomorphism of the ring $\mathbb{Z}[b_1]$, whose basis are all $b_k$.
For a large T the coordinates of a number stand in its image as digits: $b_k$ goes to a number near $T^k$, so that an
image is 0 modulo N only for 0 itself, as long as no coordinate exceeds T/4. So one number of Python's integers is
worked with, instead of vectors over the basis.

A field of two square roots has $b_1 + b_2$ in the place of $b_1$ (:func:`_of_two_roots`).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import factorial, gcd, lcm
from operator import mul

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import Field
from pdobasis.exact.types import IntArray
from pdobasis.values import dataclass

BITS = 64
"""Of T."""
DIGITS = 1 << 30
"""Numerators and denominators that are lifted: twice their product is T/8."""
MAX_SHARED = 200
"""Factors that are tried on the way back."""
MAX_DEGREE = 8
MOST_TRIED = 5_000
"""Numbers T."""
SMALL_PRIMES = 1000
"""N has no prime factor below: an element that is not 0 has no inverse for one in a thousand at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """``images`` are those of the basis, as whole numbers; ``room`` is what no coordinate of a number may reach.

    ``steps`` are the images of an integral basis that rise as powers of T do, which is the basis itself where it has
    such images, or else $1, b_1 + b_2, b_3, b_1$.
    """

    modulus: int
    images: tuple[int, ...]
    room: int
    steps: tuple[int, ...]

    def image(self, coordinates: list[int]) -> int:
        """Of a number with whole coordinates; it may be negative."""
        return sum(map(mul, coordinates, self.images))

    def rows(self, matrix: IntArray) -> list[list[int]]:
        """Of a matrix of such numbers, whose coordinates are the last axis."""
        # coordinate after coordinate of all numbers: few calls for many numbers
        out: list[list[int]] = matrix[..., 0].tolist()
        for k, image in enumerate(self.images[1:], start=1):
            lines = zip(out, matrix[..., k].tolist(), strict=True)
            out = [
                [a + b * image for a, b in zip(*line, strict=True)] for line in lines
            ]
        return out

    def lift(self, residue: int, known: int = 1) -> tuple[list[int], int] | None:
        r"""The number with this image, as numerators over a denominator; None where they are large.

        Whether it has a ``known`` denominator is tried first.

        There is at most one: of two, $x/d$ and $x'/d'$, the difference $xd' - x'd$ has an image that is 0, and no
        coordinate beyond T/4. The image X of x has small digits. Euclid's algorithm for N and the residue keeps
        $r_i \equiv t_i \cdot$ residue, and comes by $r/t = X/d$ in lowest terms.

        >>> from pdobasis.exact.field import radical
        >>> at = packed(radical(5))
        >>> at.lift(at.image([2, -3]) * pow(7, -1, at.modulus) % at.modulus)
        ([2, -3], 7)
        """
        number = residue * known % self.modulus
        if 2 * number > self.modulus:
            number -= self.modulus
        digits = self.digits(number)
        if max(max(digits), -min(digits)) <= DIGITS:
            return digits, known
        # the digit of the last step may be the difference of two coordinates, and others follow; what comes before X is
        # larger, since its product with d is at least N/2
        most = 3 * DIGITS * self.steps[-1]
        r0, r1, t0, t1 = self.modulus, residue, 0, 1
        while r1 > most:
            q = r0 // r1
            r0, r1 = r1, r0 - q * r1
            t0, t1 = t1, t0 - q * t1
        if t1 < 0:
            r1, t1 = -r1, -t1
        # X and d may share what the digits of X do not
        for shared in range(1, MAX_SHARED):
            digits = self.digits(shared * r1)
            if max(max(digits), -min(digits), shared * t1) <= DIGITS:
                return digits, shared * t1
        return None

    def digits(self, number: int) -> list[int]:
        """The coordinates of a number with this image, which are small."""
        digits = []
        for image in reversed(self.steps):
            # the nearest digit: what is left is at most half of the image
            digit = (2 * number + image) // (2 * image)
            number -= digit * image
            digits.append(digit)
        if self.steps is self.images:
            return digits[::-1]
        first, third, both, none = digits
        return [none, both + first, both, third]


@remembered
def packed(field: Field) -> Packed | None:
    """None for fields of more than two square roots, and for large ones."""
    n = field.degree
    if not 1 < n <= MAX_DEGREE:
        return None
    # all small primes divide it
    avoided = factorial(SMALL_PRIMES)
    if field.conductor == 1 and n > 2:
        return _of_two_roots(field, avoided) if n == 4 else None
    relation = field.products()[2 * n - 1].tolist()
    for base in range(1 << BITS, 1 << BITS + 1):
        images = [1, base]
        while len(images) < n:
            # 2cos(kx) = 2cos(x) 2cos((k-1)x) - 2cos((k-2)x), and 2cos(0) is 2
            before = images[-2] * (1 + (len(images) == 2))
            images.append(base * images[-1] - before)
        # what b_1 b_{n-1} is makes the minimal polynomial
        modulus = base * images[-1] - sum(map(mul, relation, images))
        if gcd(modulus, avoided) == 1:
            whole = tuple(images)
            return Packed(modulus, whole, base // 4, whole)
    return None


def _of_two_roots(field: Field, avoided: int) -> Packed | None:
    r"""With $\theta = \sqrt r + \sqrt s \mapsto T$ and $\sqrt r \sqrt s = g \sqrt t$.

    $\theta^2 = r + s + 2g\sqrt t$ and $\theta^3 = (3r + s)\,\theta + 2(s - r)\sqrt r$, so that the images of
    $1, \theta, \sqrt t, \sqrt r$ rise, where T is such that both quotients are whole numbers. N is
    $m(T) = (T^2 - r - s)^2 - 4rs$ without the factors that it shares with 2g(s - r). So one may divide by these modulo
    N, and this is a homomorphism of all numbers with whole coordinates. Over the steps these are, for $\theta$, that of
    $\sqrt s$, and for $\sqrt r$ what its own has beyond that.
    """
    _, r, s, _ = field.radicands
    g = gcd(r, s)
    start = max(r, s) << BITS + 6
    for base in range(start, start + MOST_TRIED):
        third, rest = divmod(base**2 - r - s, 2 * g)
        first, other = divmod(base**3 - (3 * r + s) * base, 2 * (s - r))
        if rest or other:
            continue
        modulus = (base**2 - r - s) ** 2 - 4 * r * s
        while (shared := gcd(modulus, 2 * g * (s - r))) > 1:
            modulus //= shared
        steps = (1, base, third, first)
        rise = min(b // a for a, b in pairwise([*steps, modulus]))
        # a coordinate counts twice where it is taken from another
        if rise >> BITS + 1 and gcd(modulus, avoided) == 1:
            return Packed(
                modulus, (1, first, base - first, third), 1 << BITS - 2, steps
            )
    return None


def lifted(residues: Iterable[int], field: Field, at: Packed) -> ExactArray | None:
    """1, and then the numbers with these images; None where one is large."""
    found = []
    common = 1
    for residue in residues:
        number = at.lift(residue, common)
        if number is None:
            return None
        found.append(number)
        common = lcm(common, number[1])
    if common > DIGITS:
        return None
    # digits are below 2^30 as well, so that int64 holds the products
    numerators = [[v * (common // d) for v in digits] for digits, d in found]
    one = [common, *[0] * (field.degree - 1)]
    return exact(np.array([one, *numerators], dtype=np.int64), common, field)

r"""Vectors over $\mathbb{Z}[\sqrt5]$, in Python's integers: $a + b\sqrt5$ is $a + bT$ modulo $N = T^2 - 5$, as in
:mod:`pdobasis.exact.packed`.

The image of a number whose coordinates are below T/4 tells them, as digits. A bound on $|a| + 3|b|$, which for a
product is at most the product of both, goes along with every sum of products, so that nothing has to be checked, nor
lifted: there are no denominators, since vectors are meant up to rational factors.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd, prod

from pdobasis.values import dataclass

BITS = 256
BASE = 1 << BITS
"""T."""
MODULUS = BASE * BASE - 5
ROOM = BASE // 4
"""What no coordinate may reach."""

_HALF = MODULUS // 2
_HALF_BASE = BASE // 2


class LargeNumberError(Exception):
    """Numbers have no room: another road has to be taken."""


@dataclass(frozen=True, slots=True, eq=False)
class Vector:
    """The images of the entries that are not zero, by their places; ``most`` bounds their sizes."""

    values: dict[int, int]
    most: int


def image(a: int, b: int) -> int:
    r"""Of $a + b\sqrt5$."""
    return a + b * BASE


def digits(number: int) -> tuple[int, int]:
    """The coordinates of a number with this image, which is the one next to 0.

    >>> digits(image(3, -4))
    (3, -4)
    """
    b = (number + _HALF_BASE) >> BITS
    return number - (b << BITS), b


def conjugate(number: int) -> int:
    r"""With $-\sqrt5$ in the place of $\sqrt5$: the product of both is rational."""
    a, b = digits(number)
    return image(a, -b)


def times_root(own: Vector) -> Vector:
    r"""$\sqrt5$ times a vector."""
    return combined([(BASE, own)])


def combined(parts: Iterable[tuple[int, Vector]]) -> Vector:
    """The sum of multiples, over the content of all its numbers."""
    return primitive(summed(parts))


def monic(own: Vector) -> Vector:
    """A multiple whose first number is rational."""
    return combined([(conjugate(own.values[min(own.values)]), own)])


def summed(parts: Iterable[tuple[int, Vector]]) -> Vector:
    """The sum of multiples itself."""
    found: dict[int, int] = {}
    limit = 0
    for factor, own in parts:
        limit += size(factor) * own.most
        for u, v in own.values.items():
            found[u] = found.get(u, 0) + factor * v
    return exactly(found, limit)


def times(*factors: int) -> int:
    """The image of a product that is next to 0, for small numbers."""
    return (prod(factors) + _HALF) % MODULUS - _HALF


def size(number: int) -> int:
    r"""$|a| + 3|b|$: since $3^2 > 5$, that of a product is at most the product."""
    a, b = digits(number)
    return abs(a) + 3 * abs(b)


def primitive(own: Vector) -> Vector:
    """Without what all coordinates share, and with the largest size."""
    content, most = 0, 0
    for v in own.values.values():
        b = (v + _HALF_BASE) >> BITS
        a = v - (b << BITS)
        content = gcd(content, a, b)
        most = max(most, abs(a) + 3 * abs(b))
    if content > 1:
        found = {u: v // content for u, v in own.values.items()}
        return Vector(found, most // content)
    return Vector(own.values, most)


def measured(own: Vector) -> Vector:
    """With the largest size for a bound."""
    return Vector(own.values, max(map(size, own.values.values()), default=0))


def exactly(values: dict[int, int], limit: int) -> Vector:
    """From sums of products of images, whose sizes the ``limit`` bounds: the images next to 0."""
    if limit >= ROOM:
        raise LargeNumberError
    found = {}
    for u, v in values.items():
        own = (v + _HALF) % MODULUS - _HALF
        if own:
            found[u] = own
    return Vector(found, limit)


def echelon(
    rows: Sequence[Vector], places: Iterable[int]
) -> list[tuple[int, list[int]]]:
    """The reduced echelon form of independent rows, columns being taken in the order of ``places``.

    For each of its rows the place of its first number, which is made rational, and what rows it is a combination of, up
    to a rational factor.

    >>> [one] = echelon([Vector({2: image(1, 1), 5: 1}, 1)], range(6))
    >>> one[0], digits(one[1][0])
    (2, (1, -1))
    """
    count = len(rows)
    # a combination of rows, and its number in its own column, where it has one
    changes = [Vector({k: 1}, 1) for k in range(count)]
    most = count * max((own.most for own in rows), default=0)
    first: dict[int, int] = {}
    for place in places:
        column = [row.values.get(place, 0) for row in rows]
        if not any(column):
            continue
        sums = {
            i: sum(column[k] * v for k, v in own.values.items() if k < count)
            for i, own in enumerate(changes)
        }
        now = exactly(sums, most * max(own.most for own in changes)).values
        p = next((i for i in now if i not in first), None)
        if p is None:
            continue
        # rational pivots: else units pile up, which no content takes away
        whole = {**changes[p].values, count: now[p]}
        most_of_all = max(changes[p].most, size(now[p]))
        pivot = combined([(conjugate(now[p]), Vector(whole, most_of_all))])
        number = pivot.values.pop(count)
        for i, v in now.items():
            if i != p:
                changes[i] = combined([(number, changes[i]), (-v, pivot)])
        changes[p] = Vector({**pivot.values, count: number}, pivot.most)
        first[p] = place
        if len(first) == count:
            break
    return [
        (place, [changes[p].values.get(k, 0) for k in range(count)])
        for p, place in first.items()
    ]

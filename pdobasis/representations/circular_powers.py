r"""Powers of turns of the plane, in one integer a number: two numbers are soon multiplied, arrays of them are not."""

from __future__ import annotations

from pdobasis.exact.array import ExactArray
from pdobasis.exact.integers import bound
from pdobasis.exact.packed import Packed, packed

Numbers = tuple[list[int], list[int]]
"""The coordinates of cos and of sin."""


def orientation(g: ExactArray) -> int | None:
    """The determinant of an orthogonal matrix of the plane; None for other matrices, and for numbers without images."""
    found = _turned(g)
    if found is None:
        return None
    return found[-1]


def plain_power(g: ExactArray, k: int) -> tuple[Numbers, int, int] | None:
    r"""$(\cos k\theta, \sin k\theta)$ over a denominator for the angle of the first column, and the orientation of g.

    None where that is none, or numbers may be long.
    """
    found = _turned(g)
    if found is None or _growth(g) ** k >= found[0].room:
        return None
    at, c, s, sign = found
    x, y = 1, 0
    for _ in range(k):
        x, y = x * c - y * s, x * s + y * c
    # the image next to 0 has the coordinates as its digits
    half = at.modulus // 2
    cosine, sine = (at.digits((v + half) % at.modulus - half) for v in (x, y))
    return (cosine, sine), g.denominator**k, sign


def _turned(g: ExactArray) -> tuple[Packed, int, int, int] | None:
    r"""The images of c and s for $(\begin{smallmatrix} c & \mp s \\ s & \pm c \end{smallmatrix})$, and the sign."""
    if g.shape != (2, 2):
        return None
    at = packed(g.field)
    (a, b), (c, d) = g.numerators.tolist()
    for sign in (1, -1):
        if d == [sign * v for v in a] and b == [-sign * v for v in c]:
            break
    else:
        return None
    if at is None or _growth(g) ** 2 + g.denominator**2 >= at.room:
        return None
    x, y = at.image(a), at.image(c)
    # so small a number is 0 where its image is
    if (x * x + y * y - g.denominator**2) % at.modulus:
        return None
    return at, x, y, sign


def _growth(g: ExactArray) -> int:
    """Of coordinates in a product with cos and sin: each is a sum of two products."""
    return 2 * bound(g.numerators) * g.field.expansion * g.field.degree

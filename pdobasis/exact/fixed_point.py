r"""Square roots and cosines as integers: $\lfloor 2^b x \rceil$ with an error below one, whatever b."""

from __future__ import annotations

from math import isqrt

from pdobasis.bounds.caches import remembered

GUARD = 64
"""Further bits, that the errors of all steps stay in."""


def scaled_root(r: int, bits: int) -> int:
    r"""$2^b \sqrt r$.

    >>> scaled_root(2, 10)
    1448
    """
    return isqrt(r << 2 * bits)


def scaled_cosines(m: int, count: int, bits: int) -> list[int]:
    r"""$2^b \cdot 2\cos(2\pi k/M)$ for k = 0 .. count - 1.

    >>> scaled_cosines(8, 3, 10)
    [2048, 1448, 0]
    """
    # b_{k+1} = b_1 b_k - b_{k-1}: an error of one in some step is one of at most k in step k, and there are k of them.
    # As long as 4 k^2 is less than 2^GUARD, nothing of that is seen.
    fine = bits + GUARD
    first = _two_cos(m, fine)
    values = [2 << fine, first]
    while len(values) < count:
        values.append((first * values[-1] >> fine) - values[-2])
    half = 1 << (GUARD - 1)
    return [(v + half) >> GUARD for v in values[:count]]


def _two_cos(m: int, bits: int) -> int:
    r"""$2\cos(2\pi/M)$ by its Taylor series, M >= 3: fewer than ``bits`` terms, each off by less than one."""
    fine = bits + GUARD
    angle = 2 * _pi(fine) // m
    square = angle * angle >> fine
    total = term = 1 << fine
    k = 0
    while term:
        k += 2
        term = (term * square >> fine) // (k * (k - 1))
        if k % 4:
            total -= term
        else:
            total += term
    return total >> (GUARD - 1)


@remembered
def _pi(bits: int) -> int:
    """Machin: pi/4 = 4 arctan(1/5) - arctan(1/239)."""
    fine = bits + GUARD
    total = 16 * _arctan(5, fine) - 4 * _arctan(239, fine)
    return total >> GUARD


def _arctan(n: int, bits: int) -> int:
    """Of 1/n."""
    power = (1 << bits) // n
    total, k, sign = power, 1, 1
    while power:
        power //= n * n
        k, sign = k + 2, -sign
        total += sign * (power // k)
    return total

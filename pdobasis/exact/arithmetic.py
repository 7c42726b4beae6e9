"""Arithmetic of integers: primes, squares, and the classes modulo squares."""

from __future__ import annotations

from math import gcd

from pdobasis.bounds.caches import remembered
from pdobasis.errors import SizeError

SMALL = 1 << 20
"""Numbers up to this are factorised by trial: what FLINT does faster is less than the time of loading it."""
WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
ENOUGH = (
    (3_215_031_751, 4),
    (341_550_071_728_321, 7),
    (3_825_123_056_546_413_051, 9),
    (318_665_857_834_031_151_167_461, 12),
)
"""No composite number below a bound passes for a prime with so many of these bases (OEIS A014233)."""


def is_prime(n: int) -> bool:
    """Miller and Rabin, with bases for which it is a proof; FLINT for larger numbers.

    >>> [n for n in range(30) if is_prime(n)]
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
    """
    if n < 2:
        return False
    for q in WITNESSES:
        if n % q == 0:
            return n == q
    bases = next((number for bound, number in ENOUGH if n < bound), None)
    if bases is None:
        from flint import fmpz

        return bool(fmpz(n).is_prime())
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    return all(_passes(pow(a, odd, n), twos, n) for a in WITNESSES[:bases])


def _passes(x: int, twos: int, n: int) -> bool:
    """Whether x is 1, or some of x, x^2, x^4, ... is -1."""
    if x in (1, n - 1):
        return True
    for _ in range(twos - 1):
        x = x * x % n
        if x == n - 1:
            return True
    return False


def factors(n: int) -> list[tuple[int, int]]:
    """Primes with their exponents, for n > 0.

    >>> factors(360)
    [(2, 3), (3, 2), (5, 1)]
    """
    if n > SMALL:
        from flint import fmpz

        return [(int(p), int(e)) for p, e in fmpz(n).factor()]
    out = []
    p = 2
    while p * p <= n:
        exponent = 0
        while n % p == 0:
            n, exponent = n // p, exponent + 1
        if exponent:
            out.append((p, exponent))
        p += 1
    if n > 1:
        out.append((n, 1))
    return out


def cyclotomic_coefficients(m: int) -> list[int]:
    r"""$\Phi_m = \prod_{d|m} (x^d - 1)^{\mu(m/d)}$, the constant first.

    >>> cyclotomic_coefficients(12)
    [1, 0, -1, 0, 1]
    """
    primes = prime_factors(m)
    degree = totient(m)
    # Power series up to the degree of the product: signs cancel but for m = 1.
    out = [0] * (degree + 1)
    out[0] = 1
    for chosen in range(1 << len(primes)):
        d = m
        for k, p in enumerate(primes):
            if chosen >> k & 1:
                d //= p
        if chosen.bit_count() % 2:  # divide by 1 - x^d
            for k in range(d, degree + 1):
                out[k] += out[k - d]
        else:  # multiply by it
            for k in range(degree, d - 1, -1):
                out[k] -= out[k - d]
    if m == 1:
        return [-1, 1]
    return out


def squarefree(r: int) -> tuple[int, int]:
    r"""(s, t) with $r = s^2 t$ and t squarefree.

    >>> squarefree(72)
    (6, 2)
    """
    if r <= 0:
        raise SizeError(f"square roots are taken of positive integers, got {r}")
    square, rest = 1, 1
    for p, e in factors(r):
        square *= p ** (e // 2)
        rest *= p ** (e % 2)
    return square, rest


def class_product(r: int, s: int) -> int:
    """The squarefree number in the square class of r s, for squarefree r, s."""
    common = gcd(r, s)
    return (r // common) * (s // common)


def prime_factors(r: int) -> list[int]:
    if r <= 1:
        return []
    return [p for p, _ in factors(r)]


@remembered
def totient(m: int) -> int:
    """The number of units modulo m."""
    result = m
    for p in prime_factors(m):
        result -= result // p
    return result


def legendre(a: int, p: int) -> int:
    """1 for squares modulo p and -1 for the others (Euler's criterion)."""
    if pow(a, (p - 1) // 2, p) == 1:
        return 1
    return -1


def root_modulo(a: int, p: int) -> int:
    """The smaller square root of a square a modulo an odd prime (Tonelli and Shanks).

    >>> root_modulo(2, 17)
    6
    """
    odd, twos = p - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    other = next(z for z in range(2, p) if legendre(z, p) < 0)
    turn = pow(other, odd, p)
    x, t = pow(a, (odd + 1) // 2, p), pow(a, odd, p)
    # x^2 = a t throughout, and the order of t, a power of two, falls.
    while t != 1:
        k, square = 0, t
        while square != 1:
            k, square = k + 1, square * square % p
        step = pow(turn, 1 << (twos - k - 1), p)
        twos, turn = k, step * step % p
        x, t = x * step % p, t * turn % p
    return min(x, p - x)


def conductor_of_root(r: int) -> int:
    r"""The smallest M with $\sqrt r \in \mathbb{Q}(\zeta_M)$; r squarefree."""
    if r % 4 == 1:
        return r
    return 4 * r

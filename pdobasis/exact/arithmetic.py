"""Arithmetic of integers: primes, squares, and the classes modulo squares."""

from __future__ import annotations

from math import gcd

from flint import fmpz, nmod

from pdobasis.bounds.caches import remembered
from pdobasis.errors import SizeError


def squarefree(r: int) -> tuple[int, int]:
    r"""(s, t) with $r = s^2 t$ and t squarefree.

    >>> squarefree(72)
    (6, 2)
    """
    if r <= 0:
        raise SizeError(f"square roots are taken of positive integers, got {r}")
    square, rest = 1, 1
    for p, e in fmpz(r).factor():
        square *= int(p) ** (e // 2)
        rest *= int(p) ** (e % 2)
    return square, rest


def class_product(r: int, s: int) -> int:
    """The squarefree number in the square class of r s, for squarefree r, s."""
    common = gcd(r, s)
    return (r // common) * (s // common)


def prime_factors(r: int) -> list[int]:
    if r <= 1:
        return []
    return [int(p) for p, _ in fmpz(r).factor()]


@remembered
def totient(m: int) -> int:
    """The number of units modulo m."""
    result = m
    for p in prime_factors(m):
        result -= result // p
    return result


def legendre(a: int, p: int) -> int:
    """1 for squares modulo p and -1 for the others (Euler's criterion)."""
    if int(nmod(a, p) ** ((p - 1) // 2)) == 1:
        return 1
    return -1


def conductor_of_root(r: int) -> int:
    r"""The smallest M with $\sqrt r \in \mathbb{Q}(\zeta_M)$; r squarefree."""
    if r % 4 == 1:
        return r
    return 4 * r

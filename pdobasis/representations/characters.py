r"""Characters of finite groups, $\chi_\rho(g) = \mathrm{tr}\,\rho(g)$, modulo a prime.

What they are asked for is how often one representation occurs in another, a whole number below their sizes. A
homomorphism from their field to $\mathbb{F}_p$ keeps whole numbers, so that a number below p is found exactly there.
"""

from __future__ import annotations

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.errors import RepresentationError
from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import join
from pdobasis.exact.primes import SplitPrime, split_prime
from pdobasis.exact.types import IntArray
from pdobasis.groups.closure import Closure, closure
from pdobasis.representations.representation import Representation, all_permutations

BELOW = 1 << 21
"""No group that is listed has so many elements."""
EXACT = 2048
"""Sums of so many products of residues fit into float64 (BLAS)."""

FEW = 200
"""Elements of a group of which Python goes through faster than NumPy through its levels."""


def inner_product(a: Representation, b: Representation) -> int:
    r"""$\frac{1}{|G|} \sum_g \chi_a(g)\,\chi_b(g)$, the dimension of the space of maps between real representations.

    >>> from pdobasis.groups.catalogue import parse_group
    >>> from pdobasis.representations.finite import regular
    >>> from pdobasis.representations.representation import from_term
    >>> from pdobasis.representations.terms import Vector
    >>> group = parse_group("D4")
    >>> inner_product(from_term(group, Vector(), "vector"), regular(group))
    2
    """
    prime = _prime(a, b)
    p = prime.prime
    products = character(a, prime) * character(b, prime) % p
    value = int(products.sum()) * pow(len(products), -1, p) % p
    if value > a.size * b.size:
        raise RepresentationError(
            f"{a.spec} and {b.spec} are not both representations of {a.group.name}"
        )
    return value


@remembered
def character(rep: Representation, prime: SplitPrime) -> IntArray:
    """The traces of all elements modulo a prime, in their order."""
    if rep.is_permutation:
        fixed = all_permutations(rep) == np.arange(rep.size)
        counted: IntArray = fixed.sum(axis=1)
        return counted
    table = closure(rep.group)
    if rep.size == 1 and len(table) <= FEW:
        numbers = [_residue(m, prime) for m in rep.matrices()]
        return _numbers(table, numbers, prime.prime)
    kind = np.float64 if rep.size <= EXACT else np.int64
    images = [residues(m, prime).astype(kind) for m in rep.matrices()]
    found = np.empty((len(table), rep.size, rep.size), dtype=kind)
    found[0] = np.eye(rep.size)
    # level by level of the spanning tree: rho(s g) = rho(s) rho(g)
    for level in table.levels:
        for s, image in enumerate(images):
            members = level[table.via[level] == s]
            if len(members):
                found[members] = image @ found[table.parent[members]] % prime.prime
    own = np.arange(rep.size)
    traces = found[:, own, own].sum(axis=1) % prime.prime
    return np.asarray(traces.astype(np.int64))


def _numbers(table: Closure, images: list[int], p: int) -> IntArray:
    """A homomorphism to numbers, of few elements: rho(s g) = rho(s) rho(g), one after the other."""
    out = [1] * len(table)
    parent, via = table.parent.tolist(), table.via.tolist()
    for level in table.levels:
        for i in level.tolist():
            out[i] = images[via[i]] * out[parent[i]] % p
    return np.array(out, dtype=np.int64)


def _residue(m: ExactArray, prime: SplitPrime) -> int:
    """The image of a matrix of size 1."""
    # in another basis lowest terms may be lower
    own = m.over(prime.field)
    numbers = own.numerators.ravel().tolist()
    image = sum(v * w for v, w in zip(numbers, prime.first, strict=True))
    return int(image * pow(own.denominator, -1, prime.prime) % prime.prime)


def residues(m: ExactArray, prime: SplitPrime) -> IntArray:
    """The image of a matrix in F_p, at the first place of a prime that does not divide its denominator."""
    p, own = prime.prime, m.over(prime.field)
    scale = pow(own.denominator, -1, p)
    weights = np.array([w * scale % p for w in prime.first], dtype=np.int64)
    numerators = (own.numerators % p).astype(np.int64)
    image: IntArray = (numerators * weights % p).sum(axis=-1) % p
    return image


def _prime(a: Representation, b: Representation) -> SplitPrime:
    """The first that divides no denominator."""
    field = join(a.field, b.field)
    denominators = [m.denominator for m in (*a.generators, *b.generators)]
    index = 0
    prime = split_prime(field, index, BELOW)
    while not all(d % prime.prime for d in denominators):
        index += 1
        prime = split_prime(field, index, BELOW)
    return prime

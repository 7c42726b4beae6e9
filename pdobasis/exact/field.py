r"""Real number fields with an integral basis: $\mathbb{Q}(2\cos(2\pi/M))$ and $\mathbb{Q}(\sqrt{r_1}, \dots)$.

An element is a vector of rationals over the basis $b_0 = 1, b_1, \dots, b_{n-1}$; multiplying by a fixed
element is an $n \times n$ integer matrix (:meth:`Field.multiplication`). Both families have a product of
two basis elements that is a sum of few elements of a slightly longer *extended* list, which one integer
matrix folds back onto the basis:

* cyclotomic, $b_k = 2\cos(2\pi k/M)$: $b_i b_j = b_{i+j} + b_{|i-j|}$;
* radical, $b_k = \sqrt{s_k}$ with $s_k$ squarefree: $b_i b_j = \gcd(s_i, s_j)\, b_{i \oplus j}$.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import gcd, lcm

import numpy as np
from flint import fmpz, fmpz_poly, nmod

from pdobasis.errors import SizeError
from pdobasis.exact.integers import product
from pdobasis.exact.types import IntArray

MAX_DEGREE = 1024
"""The largest degree of a field over Q that is worked in."""


@dataclass(frozen=True, slots=True)
class Field:
    r"""Either $\mathbb{Q}(2\cos(2\pi/M))$ (``conductor`` = M, no radicands) or a field of square roots.

    Invariants: ``conductor`` is 1 for a radical field; ``radicands`` is sorted, squarefree, starts
    with 1 and is closed under the product of square classes. Q is ``Field(1, (1,))``.

    >>> cyclotomic(16).degree, radical(2, 3).degree, RATIONALS.degree
    (4, 4, 1)
    """

    conductor: int
    radicands: tuple[int, ...]

    @property
    def degree(self) -> int:
        return len(self.radicands) if self.conductor == 1 else _totient(self.conductor) // 2

    @property
    def is_rational(self) -> bool:
        return self.degree == 1

    def __str__(self) -> str:
        if self.is_rational:
            return "Q"
        if self.conductor == 1:
            return f"Q({', '.join(f'sqrt({r})' for r in _independent(self.radicands))})"
        return f"Q(2cos(2pi/{self.conductor}))"

    def multiplication(self, element: IntArray) -> IntArray:
        """The matrices of ``x -> x * element``: shape (..., n) becomes (..., n, n), rows are images of b_i."""
        if self.is_rational:
            return element[..., None]
        weights, sources, fold = _structure(self)
        padded = np.concatenate([element, np.zeros_like(element[..., :1])], axis=-1)
        extended = (padded[..., sources] * weights).sum(axis=-1)
        return product(extended, fold)

    def products(self) -> IntArray:
        """Row i n + j holds b_i b_j in the basis."""
        return _products(self)

    @property
    def expansion(self) -> int:
        """A bound on max|multiplication(a)| / max|a|, for overflow estimates."""
        return 1 if self.is_rational else _expansion(self)


def cyclotomic(conductor: int) -> Field:
    r"""$\mathbb{Q}(2\cos(2\pi/M))$, the real subfield of the cyclotomic field; holds sines too when 4 divides M."""
    if conductor % 4 == 2:
        conductor //= 2
    if _totient(conductor) <= 2:
        return RATIONALS
    degree = _totient(conductor) // 2
    if degree > MAX_DEGREE:
        raise SizeError(
            f"the number field Q(2cos(2pi/{conductor})) has degree {degree}, beyond the limit of {MAX_DEGREE}: "
            "use a group with a smaller rotation order"
        )
    return Field(conductor, ())


def radical(*radicands: int) -> Field:
    r"""$\mathbb{Q}(\sqrt{r_1}, \dots)$ for positive integers.

    >>> radical(6, 10).radicands
    (1, 6, 10, 15)
    """
    classes = {1}
    for r in radicands:
        s = squarefree(r)[1]
        if s not in classes:
            classes |= {_class_product(s, t) for t in classes}
        if len(classes) > MAX_DEGREE:
            raise SizeError(f"too many different square roots: the field degree exceeds {MAX_DEGREE}")
    return Field(1, tuple(sorted(classes)))


RATIONALS = Field(1, (1,))


@cache
def join(a: Field, b: Field) -> Field:
    """The smallest field of ours that holds both."""
    if a == b or b.is_rational:
        return a
    if a.is_rational:
        return b
    if a.conductor == 1 and b.conductor == 1:
        return radical(*a.radicands, *b.radicands)
    return cyclotomic(lcm(_cyclotomic_conductor(a), _cyclotomic_conductor(b)))


@cache
def embedding(source: Field, target: Field) -> IntArray:
    """The integer matrix whose rows are the basis elements of ``source`` in the basis of ``target``."""
    if source.is_rational:
        return np.eye(1, target.degree, dtype=np.int64)
    if source.conductor == 1 and target.conductor == 1:
        rows = [[int(r == s) for s in target.radicands] for r in source.radicands]
        return np.array(rows, dtype=np.int64)
    if source.conductor == 1:
        return np.array([square_root(r, target) for r in source.radicands], dtype=np.int64)
    step = target.conductor // source.conductor
    rows = [[1] + [0] * (target.degree - 1)]
    rows += [two_cos(k * step, target) for k in range(1, source.degree)]
    return np.array(rows, dtype=np.int64)


def two_cos(k: int, field: Field) -> list[int]:
    r"""$2\cos(2\pi k/M)$ in the basis of a cyclotomic field."""
    m = field.conductor
    k %= m
    return [int(v) for v in _cosines(m)[min(k, m - k)]]


def square_root(r: int, field: Field) -> list[int]:
    r"""$\sqrt r$ in the basis of ``field`` (which has to hold it), for squarefree r > 0.

    In a cyclotomic field $\sqrt{8} = 2\,\mathrm{Re}\,2\zeta_8$, and for a prime $p$ the Gauss sum
    $\sum_a (a/p)\, \zeta_p^a$ is $\sqrt p$ or $i \sqrt p$; products of these, with the phase $i = \zeta_4$ tracked.
    """
    if field.conductor == 1:
        return [int(s == r) for s in field.radicands]
    m = field.conductor
    exponents: dict[int, int] = {0: 1}
    phase = 0  # the product so far is i**phase * sqrt(...)
    for p in prime_factors(r):
        if p == 2:
            factor = {m // 8: 1, -(m // 8): 1}
        else:
            factor = {a * (m // p): _legendre(a, p) for a in range(1, p)}
            phase += 1 if p % 4 == 3 else 0
        product: dict[int, int] = {}
        for i, u in exponents.items():
            for j, v in factor.items():
                product[(i + j) % m] = product.get((i + j) % m, 0) + u * v
        exponents = product
    sign = -1 if phase % 4 in (2, 3) else 1
    if phase % 2:
        exponents = {(e - m // 4) % m: v for e, v in exponents.items()}
    total = np.zeros(field.degree, dtype=np.int64)
    table = _cosines(m)
    for e, v in exponents.items():  # the sum is real, so zeta^e may be replaced by its real part
        total += v * table[min(e, m - e)]
    return [sign * int(t) // 2 for t in total]


def conductor_of_root(r: int) -> int:
    r"""The smallest M with $\sqrt r \in \mathbb{Q}(\zeta_M)$, for squarefree r."""
    return r if r % 4 == 1 else 4 * r


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


def prime_factors(r: int) -> list[int]:
    return [int(p) for p, _ in fmpz(r).factor()] if r > 1 else []


# Below: structure constants.


@cache
def _structure(field: Field) -> tuple[IntArray, IntArray, IntArray]:
    """(weights, sources, fold): row i of multiplication(a) is (sum_t weights * a[sources])[i] @ fold."""
    n = field.degree
    if field.conductor == 1:
        weights = np.zeros((n, n, 1), dtype=np.int64)
        sources = np.zeros((n, n, 1), dtype=np.int64)
        position = {r: k for k, r in enumerate(field.radicands)}
        for i, r in enumerate(field.radicands):
            for j, s in enumerate(field.radicands):
                k = position[_class_product(r, s)]
                weights[i, k, 0], sources[i, k, 0] = gcd(r, s), j
        return weights, sources, np.eye(n, dtype=np.int64)
    # b_i * sum_j a_j b_j with b_0 = 1 (not 2): slot k of the extended list gathers j = k-i, i-k and k+i.
    first, slot = np.meshgrid(np.arange(n), np.arange(2 * n - 1), indexing="ij")
    slots = np.stack([slot - first, first - slot, slot + first], axis=-1)
    valid = (slots >= 0) & (slots < n)
    valid[..., 1] &= slot != first  # j = 0 is counted once, by the first slot
    valid[..., 2] &= (slot > 0) & (first > 0)
    weights = np.where(valid, 1, 0)
    # b_i * b_i = b_2i + 2 for i > 0, while b_0 * b_0 = b_0: slot 0 stands for 1 = b_0.
    weights[(slot == 0) & (first > 0)] *= 2
    valid_first_row = slots[0, :, 0]
    weights[0] = 0
    weights[0, :, 0] = np.where((valid_first_row >= 0) & (valid_first_row < n), 1, 0)
    sources = np.where(valid, slots, n)
    table = _cosines(field.conductor)
    fold = np.zeros((2 * n - 1, n), dtype=np.int64)
    fold[0, 0] = 1
    m = field.conductor
    for e in range(1, 2 * n - 1):
        fold[e] = table[min(e % m, m - e % m)]
    return weights, sources, fold


@cache
def _products(field: Field) -> IntArray:
    n = field.degree
    return field.multiplication(np.eye(n, dtype=np.int64)).transpose(1, 0, 2).reshape(n * n, n)


@cache
def _expansion(field: Field) -> int:
    weights, _, fold = _structure(field)
    return int((np.abs(weights).sum(axis=-1) @ np.abs(fold)).max())


@cache
def _cosines(m: int) -> IntArray:
    r"""Row k is $2\cos(2\pi k/M)$ in the basis, for k = 0 .. M/2; from $b_{k+1} = b_1 b_k - b_{k-1}$."""
    n = _totient(m) // 2
    phi = [int(c) for c in fmpz_poly.cyclotomic(m).coeffs()]
    # Phi(z) z^-n = a_n + sum_j a_{n-j} (z^j + z^-j) = 0 expresses b_n through smaller ones.
    top = np.array([-phi[n]] + [-phi[n - j] for j in range(1, n)], dtype=np.int64)
    rows = np.zeros((m // 2 + 1, n), dtype=np.int64)
    rows[0, 0] = 2
    for k in range(1, m // 2 + 1):
        if k < n:
            rows[k, k] = 1
        else:
            rows[k] = top if k == n else _times_b1(rows[k - 1], top) - rows[k - 2]
    return rows


def _times_b1(v: IntArray, top: IntArray) -> IntArray:
    n = len(v)
    out = np.zeros_like(v)
    out[1:] += v[:-1]  # b_1 b_j = b_{j+1} + b_{j-1}
    out += v[-1] * top if n > 1 else 0
    out[:-1] += v[1:]
    if n > 1:
        out[0] += v[1]  # b_1 b_1 = b_2 + 2
    return out


@cache
def _totient(m: int) -> int:
    result = m
    for p in prime_factors(m):
        result -= result // p
    return result


def _class_product(r: int, s: int) -> int:
    g = gcd(r, s)
    return (r // g) * (s // g)


def _independent(radicands: tuple[int, ...]) -> list[int]:
    chosen: list[int] = []
    for r in radicands:
        if r not in radical(*chosen).radicands:
            chosen.append(r)
    return chosen


def _cyclotomic_conductor(field: Field) -> int:
    if field.conductor > 1:
        return field.conductor
    return lcm(*(conductor_of_root(r) for r in field.radicands))


def _legendre(a: int, p: int) -> int:
    return 1 if int(nmod(a, p) ** ((p - 1) // 2)) == 1 else -1

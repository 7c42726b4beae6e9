r"""Real number fields with an integral basis: $\mathbb{Q}(2\cos(2\pi/M))$ and
$\mathbb{Q}(\sqrt{r_1}, \dots)$.

An element is a vector of rationals over the basis $b_0 = 1, b_1, \dots,
b_{n-1}$; multiplying by a fixed element is an $n \times n$ integer matrix
(:meth:`Field.multiplication`). Both families have a product of two basis
elements that is a sum of few elements of a slightly longer *extended* list,
which one integer matrix folds back onto the basis:

* cyclotomic, $b_k = 2\cos(2\pi k/M)$: $b_i b_j = b_{i+j} + b_{|i-j|}$;
* radical, $b_k = \sqrt{s_k}$ with $s_k$ squarefree: $b_i b_j = \gcd(s_i, s_j)\,
  b_{i \oplus j}$.
"""

from __future__ import annotations

import dataclasses
from math import gcd, lcm
from typing import ClassVar

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.errors import ExactnessError, SizeError
from pdobasis.exact.arithmetic import (
    class_product,
    conductor_of_root,
    squarefree,
    totient,
)
from pdobasis.exact.cosines import cosines, root_by_cosines
from pdobasis.exact.integers import product
from pdobasis.exact.types import IntArray
from pdobasis.values import dataclass

MAX_DEGREE = 1024
"""The largest degree of a field over Q that is worked in."""
FEW = 8
"""Degrees up to which multiplication matrices are sums of those of the basis."""
LARGE_DEGREE = 16
"""Degrees above which a number is no longer a small matrix."""
EXACT_EXPANSION = 64
"""Degrees up to which the growth of numbers in a product is known exactly."""


@dataclass(frozen=True, slots=True)
class Field:
    r"""Either $\mathbb{Q}(2\cos(2\pi/M))$ (``conductor`` = M, no radicands) or
    a field of square roots.

    Invariants: ``conductor`` is 1 for a radical field; ``radicands`` is sorted,
    squarefree, starts with 1 and is closed under the product of square classes.
    Q is ``Field(1, (1,))``.

    >>> cyclotomic(16).degree, radical(2, 3).degree, RATIONALS.degree
    (4, 4, 1)
    """

    is_charged_once: ClassVar[bool] = True

    conductor: int
    radicands: tuple[int, ...]
    # asked hundreds of times a question
    degree: int = dataclasses.field(default=1, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        degree = len(self.radicands)
        if self.conductor > 1:
            degree = totient(self.conductor) // 2
        object.__setattr__(self, "degree", degree)

    @property
    def is_rational(self) -> bool:
        return self.degree == 1

    def __str__(self) -> str:
        if self.is_rational:
            return "Q"
        if self.conductor == 1:
            roots = [f"sqrt({r})" for r in _independent(self.radicands)]
            return f"Q({', '.join(roots)})"
        return f"Q(2cos(2pi/{self.conductor}))"

    def multiplication(self, element: IntArray, most: int | None = None) -> IntArray:
        """The matrices of ``x -> x * element``.

        Shape (..., n) becomes (..., n, n); rows are the images of b_i. ``most``
        bounds the coordinates where that is known.
        """
        if self.is_rational:
            return element[..., None]
        n = self.degree
        if n <= FEW:
            return product(element, _matrices(self), most).reshape(*element.shape, n)
        return _multiplication(self, element)

    def products(self) -> IntArray:
        """Row i n + j holds b_i b_j in the basis."""
        return _products(self)

    @property
    def expansion(self) -> int:
        """A bound on max|multiplication(a)| / max|a|, against overflow."""
        if self.is_rational:
            return 1
        return _expansion(self)


RATIONALS = Field(1, (1,))


def cyclotomic(conductor: int) -> Field:
    r"""$\mathbb{Q}(2\cos(2\pi/M))$, the real subfield of the cyclotomic field.

    It holds sines too when 4 divides M.
    """
    if conductor % 4 == 2:  # -1 times a root of unity of odd order
        conductor //= 2
    if totient(conductor) <= 2:
        return RATIONALS
    degree = totient(conductor) // 2
    if degree > MAX_DEGREE:
        raise SizeError(
            f"the number field Q(2cos(2pi/{conductor})) has degree {degree}, "
            f"beyond the limit of {MAX_DEGREE}: "
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
        _, s = squarefree(r)
        if s not in classes:
            # A new square root doubles the degree: all products with it are
            # new.
            classes |= {class_product(s, t) for t in classes}
        if len(classes) > MAX_DEGREE:
            raise SizeError(
                "too many different square roots: "
                f"the field degree exceeds {MAX_DEGREE}"
            )
    return Field(1, tuple(sorted(classes)))


def join(a: Field, b: Field) -> Field:
    """The smallest field of ours that holds both."""
    # asked hundreds of times a question, nearly always about one and the same field
    if a is b:
        return a
    return _join(a, b)


@remembered
def _join(a: Field, b: Field) -> Field:
    if a == b or b.is_rational:
        return a
    if a.is_rational:
        return b
    if a.conductor == 1 and b.conductor == 1:
        return radical(*a.radicands, *b.radicands)
    # Every square root lies in a cyclotomic field (Kronecker-Weber).
    common = lcm(_cyclotomic_conductor(a), _cyclotomic_conductor(b))
    return cyclotomic(common)


@remembered
def embedding(source: Field, target: Field) -> IntArray:
    """The integer matrix that takes ``source`` into ``target``; ExactnessError where that is not larger.

    Its rows are the basis elements of one in the basis of the other.
    """
    if source.is_rational:
        return np.eye(1, target.degree, dtype=np.int64)
    if join(source, target) != target:
        raise ExactnessError(
            f"{target} does not hold the numbers of {source}: "
            f"both lie in {join(source, target)}"
        )
    if source.conductor == 1:
        rows = [square_root(r, target) for r in source.radicands]
        return np.array(rows, dtype=np.int64)
    # 2cos(2 pi k/M) is 2cos(2 pi ks/(Ms)) in the larger field.
    m = target.conductor
    turns = np.arange(source.degree) * (m // source.conductor)
    out = cosines(m)[np.minimum(turns, m - turns)]
    # The basis starts with 1, and not with b_0 = 2.
    out[0, 0] = 1
    return np.asarray(out)


def two_cos(k: int, field: Field) -> list[int]:
    r"""$2\cos(2\pi k/M)$ in the basis of a cyclotomic field."""
    m = field.conductor
    k %= m
    found: list[int] = cosines(m)[min(k, m - k)].tolist()
    return found


def square_root(r: int, field: Field) -> list[int]:
    r"""$\sqrt r$ in the basis of ``field``, which has to hold it.

    For squarefree r > 0.
    """
    if field.conductor == 1:
        return [int(s == r) for s in field.radicands]
    return root_by_cosines(r, field.conductor)


@remembered
def _structure(field: Field) -> tuple[IntArray, IntArray, IntArray]:
    """(weights, sources, fold), the structure constants.

    Row i of multiplication(a) is (sum_t weights * a[sources])[i] @ fold.
    """
    if field.conductor == 1:
        return _radical_structure(field.radicands)
    return _cyclotomic_structure(field.conductor, field.degree)


def _radical_structure(
    radicands: tuple[int, ...],
) -> tuple[IntArray, IntArray, IntArray]:
    n = len(radicands)
    weights = np.zeros((n, n, 1), dtype=np.int64)
    sources = np.zeros((n, n, 1), dtype=np.int64)
    position = {r: k for k, r in enumerate(radicands)}
    for i, r in enumerate(radicands):
        for j, s in enumerate(radicands):
            k = position[class_product(r, s)]
            weights[i, k, 0] = gcd(r, s)
            sources[i, k, 0] = j
    return weights, sources, np.eye(n, dtype=np.int64)


def _cyclotomic_structure(m: int, n: int) -> tuple[IntArray, IntArray, IntArray]:
    """b_i * sum_j a_j b_j, where b_0 stands for 1 and not for 2.

    Slot k of the extended list 1, b_1, ..., b_{2n-2} gathers the a_j with
    j = k - i, i - k and k + i.
    """
    # b_i b_j = b_{i+j} + b_{|i-j|}, read the other way round.
    i, k = np.meshgrid(np.arange(n), np.arange(2 * n - 1), indexing="ij")
    j = np.stack([k - i, i - k, k + i], axis=-1)
    is_valid = (j >= 0) & (j < n)
    is_valid[..., 1] &= k != i  # j = 0 is counted once, by the first
    is_valid[..., 2] &= (k > 0) & (i > 0)
    weights = np.where(is_valid, 1, 0)
    # b_i b_i = b_2i + 2 for i > 0, while 1 * 1 = 1.
    weights[(k == 0) & (i > 0)] *= 2
    # The first row is multiplication by 1: nothing but j = k.
    weights[0, :, 1:] = 0
    sources = np.where(is_valid, j, n)
    return weights, sources, fold(Field(m, ()))


@remembered
def fold(field: Field) -> IntArray:
    """Row e is b_e in the basis, for e = 0 .. 2n - 2 of a cyclotomic field."""
    e = np.arange(2 * field.degree - 1)
    out = cosines(field.conductor)[np.minimum(e, field.conductor - e)]
    # The basis starts with 1, and not with b_0 = 2.
    out[0, 0] = 1
    return np.asarray(out)


@remembered
def _products(field: Field) -> IntArray:
    n = field.degree
    table = _multiplication(field, np.eye(n, dtype=np.int64))
    return table.transpose(1, 0, 2).reshape(n * n, n)


@remembered
def _matrices(field: Field) -> IntArray:
    """Row j is the matrix of x -> x b_j."""
    n = field.degree
    table = _multiplication(field, np.eye(n, dtype=np.int64))
    return table.reshape(n, n * n)


def _multiplication(field: Field, element: IntArray) -> IntArray:
    """The matrices of ``x -> x * element``, from the structure constants."""
    weights, sources, folding = _structure(field)
    # Sources beyond the end point at the zero that is appended here.
    zero = np.zeros_like(element[..., :1])
    padded = np.concatenate([element, zero], axis=-1)
    extended = (padded[..., sources] * weights).sum(axis=-1)
    return product(extended, folding)


@remembered
def _expansion(field: Field) -> int:
    if field.degree > EXACT_EXPANSION:
        if field.conductor == 1:  # one product of roots in each place
            return max(field.radicands)
        # Of the extended list a slot gathers a coordinate twice, or two of them.
        return 2 * int(np.abs(fold(field)).sum(axis=0).max())
    weights, _, folding = _structure(field)
    largest = np.abs(weights).sum(axis=-1) @ np.abs(folding)
    return int(largest.max())


def _independent(radicands: tuple[int, ...]) -> list[int]:
    """The first square roots that generate the field."""
    chosen: list[int] = []
    classes = {1}
    for r in radicands:
        if r not in classes:
            chosen.append(r)
            classes |= {class_product(r, s) for s in classes}
    return chosen


@remembered
def square_classes(field: Field) -> tuple[IntArray, IntArray]:
    r"""The square roots of the basis as sets of the first that generate them, in bits.

    Of every place its set, and of every set its place: $\sqrt{rs}$ has what one of both has, and not the other.

    >>> [own.tolist() for own in square_classes(radical(3, 6))]  # 1, √2, √3, √6
    [[0, 1, 2, 3], [0, 1, 2, 3]]
    """
    sets = {1: 0}
    for k, r in enumerate(_independent(field.radicands)):
        sets |= {class_product(r, s): own | 1 << k for s, own in sets.items()}
    bits = np.array([sets[r] for r in field.radicands], dtype=np.int64)
    return bits, bits.argsort()


def _cyclotomic_conductor(field: Field) -> int:
    if field.conductor > 1:
        return field.conductor
    return lcm(*(conductor_of_root(r) for r in field.radicands))

r"""Representations of C_N, D_N, SO(2) and O(2) by formulas, taken apart in whole numbers: nothing is solved.

By its formula such a representation is one of O(2), and over $\mathbb{Z}[i]$ it has a basis of vectors v with

$$\rho(R(\theta))\,v = e^{ik\theta}\,v, \qquad \rho(f)\,v = \pm\bar v,$$

f the mirror $x_2 \mapsto -x_2$: $(1, \mp i)$ for $\psi_k$, and products of these for tensors. It is orthogonal with
respect to a diagonal metric g, so that the dual one has the vectors $gv$.

A map T from $\psi_m$ takes $(1, -i)$ to $\sum_v c_v v$ with $k \equiv m$ modulo N. A mirror line at the angle $\varphi$
asks for $\bar c_v = \pm e^{-2i(k - m)\varphi} c_v$; from one-dimensional irreps, which are relative to that line, for
the same with m = 0. Where $4(k - m)\varphi$ is a multiple of $\pi$, as for all lines at multiples of $\pi/2N$, $c_v$ is
a real multiple of a power of $1 + i$, and T is rational.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import factorial, lcm, prod

from pdobasis.exact.polynomials import monomials, position
from pdobasis.groups.planar import PlanarShape
from pdobasis.linear.small import Row, echelon
from pdobasis.representations.terms import (
    Alternating,
    Determinant,
    Dual,
    HalfTurn,
    Planar,
    Sum,
    Symmetric,
    Tensor,
    Term,
    Trivial,
    Vector,
)
from pdobasis.values import dataclass

Complex = dict[int, tuple[int, int]]
"""The coordinates of a vector that are not zero, each a real and an imaginary part."""

ONE: Complex = {0: (1, 0)}
POWERS = ((1, 0), (1, 1), (0, 1), (-1, 1))
r"""Real multiples of $e^{i\pi h/4}$."""


@dataclass(frozen=True, slots=True, eq=False)
class Wave:
    """A vector v of a weight k; ``sign`` says what the mirror makes of it."""

    weight: int
    sign: int
    vector: Complex


@dataclass(frozen=True, slots=True, eq=False)
class Waves:
    """A basis of them, and the metric, up to a positive factor."""

    every: list[Wave]
    metric: list[int]


def waves(term: Term, *, is_mirrored: bool) -> Waves | None:
    """None for formulas that are not of this kind.

    The half turn of frequency N/2 is, without mirrors: its weight is known modulo N.
    """
    match term:
        case Trivial():
            return Waves([Wave(0, 1, ONE)], [1])
        case Determinant():
            return Waves([Wave(0, -1, ONE)], [1])
        case HalfTurn(k) if not is_mirrored:
            return Waves([Wave(k, 1, ONE)], [1])
        case Vector():
            return _circle(1)
        case Planar(k) if k:
            return _circle(k)
        case Tensor(a, b):
            inner = [waves(own, is_mirrored=is_mirrored) for own in (a, b)]
        case Sum(parts):
            inner = [waves(own, is_mirrored=is_mirrored) for own in parts]
        case Dual(own) | Symmetric(_, own) | Alternating(_, own):
            inner = [waves(own, is_mirrored=is_mirrored)]
        case _:
            return None
    known = [own for own in inner if own is not None]
    if len(known) < len(inner):
        return None
    match term:
        case Tensor():
            return _tensor(*known)
        case Sum():
            return _sum(known)
        case Symmetric(n):
            return _symmetric(n, known[0])
        case Alternating(n):
            return _alternating(n, known[0])
    return _dual(known[0])


def _circle(k: int) -> Waves:
    r"""$\psi_k$."""
    turning = Wave(k, 1, {0: (1, 0), 1: (0, -1)})
    return Waves([turning, Wave(-k, 1, {0: (1, 0), 1: (0, 1)})], [1, 1])


def _dual(own: Waves) -> Waves:
    r"""$\rho^{-T} g = g\rho$, and the metric of the dual is $g^{-1}$."""
    common = lcm(*own.metric)
    every = []
    for wave in own.every:
        scaled = {
            i: (own.metric[i] * a, own.metric[i] * b)
            for i, (a, b) in wave.vector.items()
        }
        every.append(Wave(wave.weight, wave.sign, scaled))
    return Waves(every, [common // g for g in own.metric])


def _sum(parts: Sequence[Waves]) -> Waves:
    every: list[Wave] = []
    metric: list[int] = []
    for own in parts:
        start = len(metric)
        for wave in own.every:
            moved = {start + i: v for i, v in wave.vector.items()}
            every.append(Wave(wave.weight, wave.sign, moved))
        metric += own.metric
    return Waves(every, metric)


def _tensor(a: Waves, b: Waves) -> Waves:
    """Component (i, j) stands at i * size(b) + j."""
    width = len(b.metric)
    every = []
    for v, w in product(a.every, b.every):
        found = {
            i * width + j: _times(x, y)
            for i, x in v.vector.items()
            for j, y in w.vector.items()
        }
        every.append(Wave(v.weight + w.weight, v.sign * w.sign, found))
    return Waves(every, [g * h for g in a.metric for h in b.metric])


def _symmetric(n: int, own: Waves) -> Waves:
    r"""Products of vectors are polynomials in the coordinates; the component $T_\alpha$ of a tensor is the coefficient
    of $x^\alpha$ divided by $n!/\alpha!$, which is how often it stands in the tensor.
    """
    size = len(own.metric)
    powers = monomials(size, n)
    shares = [prod(map(factorial, alpha)) for alpha in powers]
    where = position(size, n)
    every = []
    for chosen in combinations_with_replacement(own.every, n):
        terms: dict[tuple[int, ...], tuple[int, int]] = {(0,) * size: (1, 0)}
        for wave in chosen:
            longer: dict[tuple[int, ...], tuple[int, int]] = {}
            for alpha, v in terms.items():
                for i, w in wave.vector.items():
                    raised = (*alpha[:i], alpha[i] + 1, *alpha[i + 1 :])
                    a, b = longer.get(raised, (0, 0))
                    c, d = _times(v, w)
                    longer[raised] = a + c, b + d
            terms = longer
        found = {}
        for alpha, (a, b) in terms.items():
            k = where[alpha]
            if a or b:
                found[k] = a * shares[k], b * shares[k]
        every.append(_joined(chosen, found))
    metric = [
        factorial(n)
        // share
        * prod(g**k for g, k in zip(own.metric, alpha, strict=True))
        for alpha, share in zip(powers, shares, strict=True)
    ]
    return Waves(every, metric)


def _alternating(n: int, own: Waves) -> Waves:
    """The components of a product are minors; one factor after the other, each expanded along it."""
    size = len(own.metric)
    where = {s: k for k, s in enumerate(combinations(range(size), n))}
    every = []
    for chosen in combinations(own.every, n):
        terms: dict[tuple[int, ...], tuple[int, int]] = {(): (1, 0)}
        for wave in chosen:
            longer: dict[tuple[int, ...], tuple[int, int]] = {}
            for subset, v in terms.items():
                for i, w in wave.vector.items():
                    if i in subset:
                        continue
                    # it is brought past those above
                    above = sum(j > i for j in subset)
                    place = len(subset) - above
                    raised = (*subset[:place], i, *subset[place:])
                    a, b = longer.get(raised, (0, 0))
                    c, d = _times(v, w)
                    sign = (-1) ** above
                    longer[raised] = a + sign * c, b + sign * d
            terms = longer
        found = {where[s]: v for s, v in terms.items() if v != (0, 0)}
        every.append(_joined(chosen, found))
    return Waves(every, [prod(own.metric[i] for i in s) for s in where])


def _joined(chosen: Sequence[Wave], vector: Complex) -> Wave:
    weight = sum(wave.weight for wave in chosen)
    return Wave(weight, prod(wave.sign for wave in chosen), vector)


def _times(v: tuple[int, int], w: tuple[int, int]) -> tuple[int, int]:
    (a, b), (c, d) = v, w
    return a * c - b * d, a * d + b * c


def maps_from(irrep: Term, target: Waves, shape: PlanarShape) -> list[Row] | None:
    """All T from an irrep of the catalogue, in echelon form up to a positive factor each: entries row by row.

    None where they are not rational, or not known.

    >>> from pdobasis.groups.planar import PlanarShape
    >>> tensor = waves(Tensor(Vector(), Vector()), is_mirrored=True)
    >>> maps_from(Determinant(), tensor, PlanarShape(8, Fraction(0)))
    [{1: 1, 2: -1}]
    """
    match irrep:
        case Trivial():
            frequency, turned, twist = 0, 0, 0
        case Determinant():
            frequency, turned, twist = 0, 0, 1
        case HalfTurn(k, twist):
            frequency, turned = k, 0
        case Planar(k):
            frequency, turned, twist = k, k, 0
        case _:
            return None
    rows: list[Row] = []
    for wave in target.every:
        apart = wave.weight - frequency
        if apart % shape.turns if shape.turns else apart:
            continue
        factors = _factors(wave, turned, twist, shape.axis)
        if factors is None:
            return None
        for c in factors:
            row: Row = {}
            for i, v in wave.vector.items():
                a, b = _times(v, c)
                if isinstance(irrep, Planar):
                    # T (1, -i) has the first column as its real part, and the second as its imaginary part, negative
                    row[-2 * i], row[-2 * i - 1] = a, -b
                else:
                    row[-i] = a
            rows.append(row)
    # by negative numbers: the pivot of a row is its first entry then
    pivots = echelon(rows)
    return [{-u: v for u, v in pivots[c].items()} for c in sorted(pivots, reverse=True)]


def _factors(
    wave: Wave, turned: int, twist: int, axis: Fraction | None
) -> list[tuple[int, int]] | None:
    """The c that are allowed, up to real factors."""
    if axis is None:
        return [(1, 0), (0, 1)]
    eighths = 4 * (wave.weight - turned) * axis
    if eighths.denominator != 1:
        return None
    # the conjugate of e^{i pi h/4} is e^{-i pi h/2} times it
    return [POWERS[(eighths.numerator + 1 - wave.sign * (-1) ** twist) % 4]]

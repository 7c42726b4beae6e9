r"""Representations as functors: terms that can be evaluated at any matrix g, and differentiated at any X.

``at(g)`` is $\rho(g)$; ``derivative(X)`` is $d\rho(X) = \frac{d}{dt} \rho(e^{tX})|_{t=0}$. Both are needed, and
nothing else: the solvers and the certificate see only matrices.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from itertools import combinations
from math import comb, factorial, lcm, prod

import numpy as np

from pdobasis.errors import RepresentationError
from pdobasis.exact.array import (
    ExactArray,
    exact,
    identity,
    integers,
    stack,
    zeros,
)
from pdobasis.exact.field import join
from pdobasis.exact.integers import bound, widen
from pdobasis.exact.matrices import WHOLE, block_diagonal, kronecker
from pdobasis.exact.polynomials import (
    count,
    derivation_entries,
    monomials,
    scattered_substitution,
    substitution,
)
from pdobasis.exact.roots import angle_of, on_circle
from pdobasis.exact.scattered import entries_of, gathered, meetings, scattered
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.groups.matrices import determinant
from pdobasis.values import dataclass


class Term(ABC):
    """A representation of (a subgroup of) GL(d), given by a formula in g."""

    @abstractmethod
    def at(self, g: ExactArray) -> ExactArray: ...

    @abstractmethod
    def derivative(self, x: ExactArray) -> ExactArray: ...

    @property
    def effort(self) -> int:
        """How much work it is beside other formulas: none where it is little more than g; else about the order of the
        polynomials that are needed.
        """
        return 0


@dataclass(frozen=True, slots=True)
class Trivial(Term):
    def at(self, g: ExactArray) -> ExactArray:
        return identity(1, g.field)

    def derivative(self, x: ExactArray) -> ExactArray:
        return zeros((1, 1), x.field)


@dataclass(frozen=True, slots=True)
class Determinant(Term):
    def at(self, g: ExactArray) -> ExactArray:
        if len(g) == 2 and not g.field.is_rational:
            polar = _polar(g)
            if polar is not None:
                return integers([[polar[1]]], g.field)
        return determinant(g).reshape(1, 1)

    def derivative(self, x: ExactArray) -> ExactArray:
        return x.trace().reshape(1, 1)


@dataclass(frozen=True, slots=True)
class Density(Term):
    r"""$|\det g|^w$, for groups whose components have representatives of determinant $\pm 1$."""

    weight: Fraction

    def at(self, g: ExactArray) -> ExactArray:
        det = determinant(g).reshape(1, 1)
        # other values of |det g|^w may be irrational
        if not (det * det).equals(identity(1)):
            raise RepresentationError(
                "density(w) needs finite generators of determinant 1 or -1"
            )
        return identity(1, g.field)

    def derivative(self, x: ExactArray) -> ExactArray:
        return x.trace().reshape(1, 1).scale(self.weight)


@dataclass(frozen=True, slots=True)
class Vector(Term):
    """The base-space action itself."""

    def at(self, g: ExactArray) -> ExactArray:
        return g

    def derivative(self, x: ExactArray) -> ExactArray:
        return x


@dataclass(frozen=True, slots=True)
class Dual(Term):
    r"""$\rho(g)^{-T}$."""

    inner: Term

    def at(self, g: ExactArray) -> ExactArray:
        return self.inner.at(g).inverse().T

    def derivative(self, x: ExactArray) -> ExactArray:
        return -self.inner.derivative(x).T


@dataclass(frozen=True, slots=True)
class Sum(Term):
    parts: tuple[Term, ...]

    def at(self, g: ExactArray) -> ExactArray:
        return block_diagonal([p.at(g) for p in self.parts])

    def derivative(self, x: ExactArray) -> ExactArray:
        return block_diagonal([p.derivative(x) for p in self.parts])


@dataclass(frozen=True, slots=True)
class Tensor(Term):
    """Kronecker product: component (i, j) stands at i * size(b) + j."""

    a: Term
    b: Term

    def at(self, g: ExactArray) -> ExactArray:
        return kronecker(self.a.at(g), self.b.at(g))

    def derivative(self, x: ExactArray) -> ExactArray:
        # the product rule
        da, db = self.a.derivative(x), self.b.derivative(x)
        one_a, one_b = identity(da.shape[0]), identity(db.shape[0])
        return kronecker(da, one_b) + kronecker(one_a, db)


@dataclass(frozen=True, slots=True)
class Symmetric(Term):
    r"""Symmetric tensors by their components $T_{i_1 \le \dots \le i_n}$, in the order of monomials.

    A symmetric tensor is $\sum_\alpha T_\alpha E_\alpha$ with $E_\alpha$ the sum of the distinct permutations of
    $e_{i_1} \otimes \dots \otimes e_{i_n}$, so the Hessian is $(\partial_1^2, \partial_1\partial_2, \partial_2^2)$.
    """

    n: int
    inner: Term

    def at(self, g: ExactArray) -> ExactArray:
        m = self.inner.at(g)
        # products of vectors multiply like polynomials in them
        size = count(len(m), self.n)
        if size**2 > WHOLE:
            moved = scattered_substitution(m.T, self.n)
            row, column = moved.columns, moved.rows
            own = self._components(moved.values, row, column, len(m))
            return scattered((size, size), row, column, own)
        on_powers = substitution(m.T.reshape(1, *m.shape), self.n)[0].T
        every = np.arange(size)
        return self._components(on_powers, every[:, None], every, len(m))

    def derivative(self, x: ExactArray) -> ExactArray:
        m = self.inner.derivative(x)
        column, row, values = derivation_entries(m.T, self.n)
        size = count(m.shape[0], self.n)
        own = self._components(values, row, column, m.shape[0])
        return scattered((size, size), row, column, own)

    def _components(
        self, values: ExactArray, row: IndexArray, column: IndexArray, size: int
    ) -> ExactArray:
        """From the basis of products e^alpha to tensor components: divide by the multinomial coefficients."""
        counts = []
        for alpha in monomials(size, self.n):
            counts.append(factorial(self.n) // prod(map(factorial, alpha)))
        # one common denominator keeps the products whole
        common = lcm(*counts)
        limit = max(bound(values.numerators), 1) * common * max(counts)
        (wide,) = widen(values.numerators, limit=limit)
        left = np.array([common // c for c in counts], dtype=wide.dtype)
        right = np.array(counts, dtype=wide.dtype)
        scaled = wide * (left[row] * right[column])[..., None]
        return exact(scaled, values.denominator * common, values.field)


@dataclass(frozen=True, slots=True)
class Alternating(Term):
    r"""$e_{i_1} \wedge \dots \wedge e_{i_n}$ with $i_1 < \dots < i_n$ in lexicographic order."""

    n: int
    inner: Term

    def at(self, g: ExactArray) -> ExactArray:
        return compound(self.inner.at(g), self.n)

    def derivative(self, x: ExactArray) -> ExactArray:
        m = self.inner.derivative(x)
        subsets = list(combinations(range(m.shape[0]), self.n))
        where = {s: k for k, s in enumerate(subsets)}
        # at most n terms meet: those that lead to where they come from
        (entries,) = widen(m.numerators, limit=bound(m.numerators) * self.n)
        columns: list[list[tuple[int, IntArray]]] = [[] for _ in range(m.shape[0])]
        for i, j in np.argwhere(m.nonzero_mask()).tolist():
            columns[j].append((i, entries[i, j]))
        found: dict[tuple[int, int], IntArray] = {}
        # Leibniz: X acts on one factor after the other, e_j -> sum_i X_ij e_i
        for k, s in enumerate(subsets):
            for t, j in enumerate(s):
                for i, entry in columns[j]:
                    replaced = [*s[:t], i, *s[t + 1 :]]
                    # a factor twice is zero
                    if len(set(replaced)) < self.n:
                        continue
                    place = where[tuple(sorted(replaced))], k
                    found[place] = found.get(place, 0) + _parity(replaced) * entry
        shape = (len(subsets), len(subsets))
        if not found:
            return zeros(shape, m.field)
        values = exact(np.array(list(found.values())), m.denominator, m.field)
        target, source = np.array(list(found)).T
        return scattered(shape, target, source, values)


@dataclass(frozen=True, slots=True)
class Planar(Term):
    r"""$\psi_k$ of SO(2) and $\psi_{1,k}$ of O(2).

    $g = R(\theta)\,\mathrm{diag}(1, \det g) \mapsto R(k\theta)\,\mathrm{diag}(1, \det g)$.
    This is how $(\mathrm{Re}\,z^k, \mathrm{Im}\,z^k)$ transforms, so k = 1 is the vector.
    """

    k: int

    def at(self, g: ExactArray) -> ExactArray:
        quarters = _quarter_turns(g)
        if quarters is not None:
            turns, sign = quarters
            c, s = _QUARTERS[turns * self.k % 4]
            return integers([[c, -s * sign], [s, c * sign]], g.field)
        polar = _polar(g)
        if polar is not None:
            angle, sign = polar
            point = on_circle(self.k * angle, g.field)
            x, y = point.numerators
            whole = np.array([[x, -sign * y], [y, sign * x]])
            return exact(whole, point.denominator, point.field)
        cosine, sine = _power(g, self.k)
        det = determinant(g)
        return stack([stack([cosine, -(sine * det)]), stack([sine, cosine * det])])

    def derivative(self, x: ExactArray) -> ExactArray:
        rate = x[1, 0].scale(self.k)
        zero = zeros((), x.field)
        return stack([stack([zero, -rate]), stack([rate, zero])])


@dataclass(frozen=True, slots=True)
class HalfTurn(Term):
    r"""$\cos(k\theta)\,(\det g)^{\text{twist}}$ of C_{2k} and D_{2k}, relative to the mirror ``axis``."""

    k: int
    twist: int
    axis: ExactArray

    def at(self, g: ExactArray) -> ExactArray:
        quarters = _quarter_turns(g)
        if quarters is not None and is_identity(self.axis):
            turns, sign = quarters
            return integers(
                [[_QUARTERS[turns * self.k % 4][0] * sign**self.twist]], g.field
            )
        field = join(self.axis.field, g.field)
        polar, axis = _polar(g.over(field)), _polar(self.axis.over(field))
        if polar is not None and axis is not None:
            angle, sign = polar
            # a mirror turns with its axis, where rotations commute with it: R^T g R has the angle of R twice less
            angle -= (1 - sign) * axis[0]
            point = on_circle(self.k * angle, field)
            number = point.numerators[:1] * sign**self.twist
            return exact(number, point.denominator, field).reshape(1, 1)
        turned = self.axis.T @ g @ self.axis
        value, _ = _power(turned, self.k)
        if self.twist:
            value = value * determinant(g)
        return value.reshape(1, 1)

    def derivative(self, x: ExactArray) -> ExactArray:
        raise RepresentationError("this irrep belongs to a finite group")


def compound(m: ExactArray, n: int) -> ExactArray:
    """All n x n minors, rows and columns in lexicographic order; by expansion along the first row."""
    size = m.shape[0]
    if comb(size, n) ** 2 > WHOLE:
        return _scattered_compound(m, n)
    current = identity(1, m.field)
    for k in range(1, n + 1):
        subsets = list(combinations(range(size), k))
        smaller = {s: i for i, s in enumerate(combinations(range(size), k - 1))}
        first = np.array([s[0] for s in subsets])
        rest = np.array([smaller[s[1:]] for s in subsets])
        total = zeros((len(subsets), len(subsets)), m.field)
        for t in range(k):
            column = np.array([s[t] for s in subsets])
            others = np.array([smaller[s[:t] + s[t + 1 :]] for s in subsets])
            part = (
                m[first[:, None], column[None, :]]
                * current[rest[:, None], others[None, :]]
            )
            # Laplace: the signs along a row alternate
            if t % 2:
                part = -part
            total = total + part
        current = total
    return current


def _scattered_compound(m: ExactArray, n: int) -> ExactArray:
    r"""The same of a matrix with few non-zeros: what becomes of $e_{i_1} \wedge \dots \wedge e_{i_n}$, one factor after
    the other, the last one first.
    """
    size = len(m)
    one = entries_of(m).T
    # by columns: entry k of ``one`` takes e_j to e_i with j = one.rows[k], i = one.columns[k]
    first = entries_of(one)
    out = entries_of(identity(1, m.field))
    for k in range(1, n + 1):
        subsets = np.array(list(combinations(range(size), k))).reshape(-1, k)
        smaller = {s: i for i, s in enumerate(combinations(range(size), k - 1))}
        rest = np.array([smaller[tuple(s[1:])] for s in subsets.tolist()])
        own, i = meetings(subsets[:, 0], first.rows, size)
        which, j = meetings(rest[own], out.rows, len(out))
        target, sign = _wedges(size, k)
        to = target[first.columns[i[which]], out.columns[j]]
        # a factor twice is zero
        kept = np.flatnonzero(to >= 0)
        which, j = which[kept], j[kept]
        values = first.values.take(i[which]) * out.values.take(j)
        signs = integers(sign[first.columns[i[which]], out.columns[j]])
        shape = (len(subsets), len(subsets))
        out = gathered(shape, own[which], to[kept], values * signs)
    return out.T


def _wedges(size: int, k: int) -> tuple[IndexArray, IndexArray]:
    r"""$e_i \wedge e_R = \pm e_S$ for every i and every subset R of k - 1: the number of S, and the sign.

    Where i is in R it is zero, and the number -1.
    """
    where = {s: number for number, s in enumerate(combinations(range(size), k))}
    smaller = list(combinations(range(size), k - 1))
    target = np.full((size, len(smaller)), -1)
    sign = np.ones((size, len(smaller)), dtype=np.int64)
    for number, subset in enumerate(smaller):
        below = 0
        for i in range(size):
            if below < len(subset) and subset[below] == i:
                below += 1
                continue
            target[i, number] = where[(*subset[:below], i, *subset[below:])]
            # i is brought past those below
            sign[i, number] = (-1) ** below
    return target, sign


_QUARTERS = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""(cos, sin) of quarter turns."""


def _quarter_turns(g: ExactArray) -> tuple[int, int] | None:
    """(how many, the determinant) where g is a quarter turn and perhaps a mirror, over the rational numbers."""
    if not g.field.is_rational or g.denominator != 1:
        return None
    (a, b), (c, d) = g.numerators[..., 0].tolist()
    if (a, c) not in _QUARTERS or (b, d) not in ((-c, a), (c, -a)):
        return None
    return _QUARTERS.index((a, c)), a * d - b * c


def is_identity(m: ExactArray) -> bool:
    """Most frames are: a product for nothing would be half of the work."""
    plain = m.field.is_rational and m.denominator == 1
    return plain and np.array_equal(m.numerators[..., 0], np.eye(len(m)))


def _polar(g: ExactArray) -> tuple[int, int] | None:
    """(k, the determinant) of a rotation by 2 pi k/M, and perhaps a mirror before it; M is the conductor."""
    angle = angle_of(g[:, 0])
    if angle is None:
        return None
    (a, b), (c, d) = g.numerators
    for sign in (1, -1):
        if np.array_equal(b, -sign * c) and np.array_equal(d, sign * a):
            return angle, sign
    return None


def _power(g: ExactArray, k: int) -> tuple[ExactArray, ExactArray]:
    """(cos k theta, sin k theta) for the angle of the first column of g, by squaring."""
    result = stack([integers(1, g.field), zeros((), g.field)])
    turn = g[:, 0]
    # (c + is)^k, one binary digit of k after the other
    while k:
        if k & 1:
            result = _times(result, turn)
        k >>= 1
        if k:
            turn = _times(turn, turn)
    return result[0], result[1]


def _times(a: ExactArray, b: ExactArray) -> ExactArray:
    """(a_0 + i a_1)(b_0 + i b_1), all four products at once."""
    products = a.reshape(2, 1) * b.reshape(1, 2)
    return stack(
        [products[0, 0] - products[1, 1], products[0, 1] + products[1, 0]],
    )


def _parity(values: list[int]) -> int:
    """The sign of the permutation that sorts distinct values."""
    # its sign is that of the number of pairs in the wrong order
    inversions = sum(a > b for a, b in combinations(values, 2))
    if inversions % 2:
        return -1
    return 1

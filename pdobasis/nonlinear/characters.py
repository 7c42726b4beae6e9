r"""How many terms there are, by characters, without finding any.

The number of terms of multidegree m is the multiplicity of the trivial representation in
$V_{out}^* \otimes \bigotimes \mathrm{Sym}^{m_{a,n}}(V_a \otimes \mathrm{Sym}^n)$. A *character ring* is anything with
sums, products and Adams operations $\psi^k\chi(g) = \chi(g^k)$; by Newton
$m\,h_m = \sum_{k=1}^m \psi^k(\chi)\,h_{m-k}$ for $h_m = \chi_{\mathrm{Sym}^m}$. Three rings are enough:

* functions on a finite group (Molien);
* Laurent polynomials on a maximal torus, for connected groups: the invariants are the constant term of
  $\chi \prod_{\alpha > 0} (1 - z^\alpha)$ (Weyl);
* pairs (dimension, trace of a mirror), for the second component of O(2).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from pdobasis.nonlinear.question import Multidegree, TermsQuestion

T = TypeVar("T")


class Ring(ABC, Generic[T]):
    """Characters as values of type T."""

    @abstractmethod
    def one(self) -> T: ...

    @abstractmethod
    def times(self, a: T, b: T) -> T: ...

    @abstractmethod
    def plus(self, a: T, b: T) -> T: ...

    @abstractmethod
    def divided(self, a: T, n: int) -> T: ...

    @abstractmethod
    def adams(self, a: T, k: int) -> T: ...

    def power(self, a: T, m: int) -> T:
        """Of Sym^m."""
        return self.powers(a, m)[m]

    def powers(self, a: T, m: int) -> list[T]:
        """Of Sym^0, …, Sym^m, by Newton."""
        h = [self.one()]
        for n in range(1, m + 1):
            total: T | None = None
            for k in range(1, n + 1):
                part = self.times(self.adams(a, k), h[n - k])
                total = part if total is None else self.plus(total, part)
            if total is None:
                break
            h.append(self.divided(total, n))
        return h


Laurent = dict[tuple[int, ...], int]
"""Weights to multiplicities."""


@dataclass(frozen=True, slots=True)
class Torus(Ring[Laurent]):
    """Of a torus of this rank; the last ``signs`` places count modulo 2 (a central element of order two).

    >>> ring = Torus(1)
    >>> sorted(ring.power({(1,): 1, (-1,): 1}, 2).items())
    [((-2,), 1), ((0,), 1), ((2,), 1)]
    """

    rank: int
    signs: int = 0

    def one(self) -> Laurent:
        return {(0,) * (self.rank + self.signs): 1}

    def weight(self, values: Sequence[int]) -> tuple[int, ...]:
        return (*values[: self.rank], *(v % 2 for v in values[self.rank :]))

    def times(self, a: Laurent, b: Laurent) -> Laurent:
        out: Laurent = {}
        for v, m in a.items():
            for w, n in b.items():
                key = self.weight([x + y for x, y in zip(v, w, strict=True)])
                out[key] = out.get(key, 0) + m * n
        return {w: n for w, n in out.items() if n}

    def plus(self, a: Laurent, b: Laurent) -> Laurent:
        out = dict(a)
        for w, n in b.items():
            out[w] = out.get(w, 0) + n
        return {w: n for w, n in out.items() if n}

    def dual(self, a: Laurent) -> Laurent:
        return {self.weight([-x for x in w]): n for w, n in a.items()}

    def divided(self, a: Laurent, n: int) -> Laurent:
        return {w: m // n for w, m in a.items()}

    def adams(self, a: Laurent, k: int) -> Laurent:
        out: Laurent = {}
        for w, n in a.items():
            key = self.weight([k * x for x in w])
            out[key] = out.get(key, 0) + n
        return out


Pair = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Mirror(Ring[Pair]):
    """(dimension, trace) of an element f with f² = 1."""

    def one(self) -> Pair:
        return Fraction(1), Fraction(1)

    def times(self, a: Pair, b: Pair) -> Pair:
        return a[0] * b[0], a[1] * b[1]

    def plus(self, a: Pair, b: Pair) -> Pair:
        return a[0] + b[0], a[1] + b[1]

    def divided(self, a: Pair, n: int) -> Pair:
        return a[0] / n, a[1] / n

    def adams(self, a: Pair, k: int) -> Pair:
        return a[0], a[k % 2]


@dataclass(frozen=True, slots=True, eq=False)
class Characters(Generic[T]):
    """The characters of a question: of ∂, of every field, of the dual of the output."""

    ring: Ring[T]
    derivative: T
    fields: tuple[T, ...]
    dual_out: T

    def of(self, question: TermsQuestion, m: Multidegree) -> T:
        """Of the space whose invariants are the terms of this multidegree."""
        total = self.dual_out
        for jet, power in m.factors:
            space = self.ring.power(self.derivative, jet.order)
            jets = self.ring.times(self.fields[jet.field], space)
            total = self.ring.times(total, self.ring.power(jets, power))
        return total

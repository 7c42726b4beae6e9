r"""Closed forms in space: solid harmonics contracted with Clebsch-Gordan
coefficients, exactly.

For irreps of orders $l$ (out) and $n$ (in), and every $L$ with $|l - n| \le L
\le l + n$, there is one angular element $P_{ab}(y) = \sum_M C_{abM}\, r^L
Y_{LM}(y)$; on O(3) the parities decide whether L is even or odd. C is the
invariant of three irreps, from Wigner's 3j symbols. In the rational harmonics
$R_m$ (no normalisation) C is rational: the square roots of the 3j symbol and of
the norms cancel, so that one square root for each row and column remains at the
end.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import comb, factorial, perm

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray
from pdobasis.exact.roots import ratios
from pdobasis.groups.classical import turns_space
from pdobasis.groups.group import Group
from pdobasis.operators.few import Few, coprime
from pdobasis.operators.symbols import Symbols, dense, empty, from_dense, tidy
from pdobasis.representations.harmonics import (
    AXES,
    Spherical,
    norm,
    whole_harmonics,
)
from pdobasis.representations.representation import Representation
from pdobasis.representations.terms import Determinant, Term, Trivial, Vector
from pdobasis.values import dataclass


@dataclass(frozen=True, slots=True)
class Ball:
    """An irrep of O(3) by its order, parity and basis."""

    degree: int
    parity: int
    convention: str

    @property
    def axes(self) -> tuple[int, int, int]:
        return AXES[self.convention]

    @property
    def is_rational(self) -> bool:
        """Those of order 0 and 1 have no square roots."""
        return self.degree < 2 or self.convention == "rational"

    @property
    def norms(self) -> list[Fraction]:
        """The squares of what makes the rational basis this one."""
        if self.is_rational:
            return [Fraction(1)] * (2 * self.degree + 1)
        return [norm(self.degree, m) for m in _indices(self.degree)]


def closed_form(
    rep_in: Representation, rep_out: Representation, orders: Iterable[int]
) -> list[Symbols] | None:
    """The angular element of every order, if there is one.

    None where the representations are not of this kind.
    """
    return between_balls(rep_in.group, ball(rep_in), ball(rep_out), orders)


def between_balls(
    group: Group, a: Ball | None, b: Ball | None, orders: Iterable[int]
) -> list[Symbols] | None:
    if a is None or b is None:
        return None
    if a.axes != b.axes and a.degree and b.degree:
        return None
    return [_of_order(group, a, b, order) for order in orders]


def between(
    group: Group, source: Spherical, target: Spherical, orders: Iterable[int]
) -> list[Symbols]:
    """The same between irreps that need not be made."""
    a, b = (Ball(t.degree, t.parity, t.convention) for t in (source, target))
    return [_of_order(group, a, b, order) for order in orders]


def whole_between(
    group: Group, source: Spherical, target: Spherical, order: int
) -> Few:
    """The same in whole numbers, between rational irreps; empty where there is none."""
    a, b = (Ball(t.degree, t.parity, t.convention) for t in (source, target))
    if not _is_allowed(group, a, b, order):
        return {}
    axes = a.axes if a.degree else b.axes
    return element(b.degree, a.degree, order, axes)


def _of_order(group: Group, a: Ball, b: Ball, order: int) -> Symbols:
    shape = (2 * b.degree + 1, 2 * a.degree + 1)
    if not _is_allowed(group, a, b, order):
        return empty(3, order, shape)
    axes = b.axes
    if a.degree:  # scalars have no axes of their own
        axes = a.axes
    own = element(b.degree, a.degree, order, axes)
    if a.is_rational and b.is_rational:
        return coprime([own], 3, order, shape)
    rational = dense(coprime([own], 3, order, shape))
    return tidy(from_dense(rational * _scales(b, a, own), 3, order))


def ball(rep: Representation) -> Ball | None:
    """What a representation is on SO(3) or O(3), by its formula."""
    if turns_space(rep.group) is None:
        return None
    return ball_of(rep.term)


def ball_of(term: Term | None) -> Ball | None:
    match term:
        case Trivial():
            return Ball(0, 0, "e3nn")
        case Determinant():
            return Ball(0, 1, "e3nn")
        case Vector():
            return Ball(1, 1, "e3nn")
        case Spherical(degree, parity, convention):
            return Ball(degree, parity, convention)
    return None


def _is_allowed(group: Group, a: Ball, b: Ball, order: int) -> bool:
    """The triangle inequality, and on O(3) the parity."""
    low, high = abs(a.degree - b.degree), a.degree + b.degree
    if not low <= order <= high:
        return False
    return turns_space(group) != "O" or (order + a.parity + b.parity) % 2 == 0


def _indices(degree: int) -> range:
    return range(-degree, degree + 1)


@remembered
def element(l_out: int, l_in: int, order: int, axes: tuple[int, int, int]) -> Few:
    """The element between rational bases, in whole numbers."""
    harmonics = whole_harmonics(order, axes)
    found: Few = {}
    for (row, column, c), v in invariant(l_out, l_in, order).items():
        # The first index of the invariant is raised by the norms: times 2 / norm(l, k).
        k = abs(row - l_out)
        raised = v * perm(l_out + k, 2 * k)
        if not k:
            raised *= 2
        for alpha, w in harmonics[c].items():
            place = row, column, alpha
            found[place] = found.get(place, 0) + raised * w
    return {place: found[place] for place in sorted(found) if found[place]}


def _scales(b: Ball, a: Ball, rational: Few) -> ExactArray:
    """P = N_out P_rational N_in^-1 for N = diag(sqrt(norm)), in bases that are
    orthonormal; (1, rows, columns, 1).

    Times the one square root that makes the first entry rational.
    """
    # The first entry fixes the common square root; the others follow it.
    row, column, _ = next(iter(rational))
    rows, columns = b.norms, a.norms
    unit = rows[row] / columns[column]
    return _roots(tuple(rows), tuple(columns), unit)


@remembered
def _roots(
    rows: tuple[Fraction, ...], columns: tuple[Fraction, ...], unit: Fraction
) -> ExactArray:
    table = ratios([u / unit for u in rows], columns)
    return table.reshape(1, *table.shape, 1)


@remembered
def invariant(l1: int, l2: int, l3: int) -> dict[tuple[int, int, int], int]:
    r"""C with $\sum C_{abc}\, R_a(x) R_b(y) R_c(z)$ invariant under SO(3), without its zeros, up to a factor.

    Whole numbers, at indices from -l to l that are counted from 0 on. With $Z_m = R_m + iR_{-m}$, $Z_{-m} = \bar Z_m$
    it is $\sum W_{m_1 m_2 m_3} Z_{m_1} Z_{m_2} Z_{m_3}$, whose real or imaginary part (for $l_1 + l_2 + l_3$ even or
    odd) is the whole of it.
    """
    out: dict[tuple[int, int, int], int] = {}
    odd = (l1 + l2 + l3) % 2
    for m1 in _indices(l1):
        for m2 in range(max(-l2, -l3 - m1), min(l2, l3 - m1) + 1):
            orders = (m1, m2, -m1 - m2)
            w = _weight((l1, l2, l3), orders)
            if not w:
                continue
            for (a, b, c), power in _expand(*orders):
                if power % 2 == odd:
                    # i^power, divided by i for odd sums, is 1 or -1.
                    sign = (-1) ** ((power - odd) // 2)
                    place = a + l1, b + l2, c + l3
                    out[place] = out.get(place, 0) + sign * w
    return {place: v for place, v in out.items() if v}


def _expand(*orders: int) -> list[tuple[tuple[int, ...], int]]:
    """The product of Z_m = R_|m| + i sign(m) R_-|m|: (indices, power of i)."""
    terms: list[tuple[tuple[int, ...], int]] = [((), 0)]
    for m in orders:
        options = [(abs(m), 0)]
        if m > 0:
            options.append((-m, 1))
        if m < 0:  # -i = i^3
            options.append((m, 3))
        longer = []
        for indices, power in terms:
            longer += [((*indices, i), power + p) for i, p in options]
        terms = longer
    return terms


def _weight(degrees: tuple[int, int, int], orders: tuple[int, int, int]) -> int:
    r"""$W = \begin{pmatrix} l_1 & l_2 & l_3 \\ m_1 & m_2 & m_3 \end{pmatrix}
    \prod_i (-1)^{\max(m_i, 0)} \sqrt{(l_i - |m_i|)! / (l_i + |m_i|)!}$,
    up to a common factor.

    Racah's sum with the square roots paired:
    $\sqrt{(l+m)!\,(l-m)!} \sqrt{(l - |m|)!/(l + |m|)!} = (l - |m|)!$.
    """
    factor = -1 if (degrees[0] - degrees[1] - orders[2]) % 2 else 1
    for degree, m in zip(degrees, orders, strict=True):
        # The square roots of the 3j symbol and of the norm cancel here.
        factor *= factorial(degree - abs(m)) * (-1) ** max(m, 0)
    return racah_sum(degrees, orders) * factor


def racah_sum(degrees: tuple[int, int, int], orders: tuple[int, int, int]) -> int:
    r"""The sum of Racah's formula for the 3j symbol, without square roots and sign, times a number for all orders:
    $\sum_t (-1)^t \binom{a+b-c}{t} \binom{a-b+c}{a-\alpha-t} \binom{b+c-a}{b+\beta-t}$.
    """
    (a, b, c), (alpha, beta, _) = degrees, orders
    low = max(0, b - c - alpha, a - c + beta)
    high = min(a + b - c, a - alpha, b + beta)
    total = 0
    for t in range(low, high + 1):
        own = comb(a + b - c, t) * comb(a - b + c, a - alpha - t)
        total += (-1) ** t * own * comb(b + c - a, b + beta - t)
    return total

r"""Symbolic entries: matrices of $\pm T_k$ and $\pm U_k$ whose index k is linear in m, n and N.

$T_k = r^{|k|} \cos k\varphi$ and $U_k = r^{|k|} \sin k\varphi$, so $T_{-k} = T_k$ and $U_{-k} = -U_k$.
An element stands for one symbol for every t (in Z, or in N where t and -t give the same), or for one symbol alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pdobasis.exact.array import stack
from pdobasis.operators.laplacian import times_radius
from pdobasis.operators.symbols import Symbols, empty, from_dense, join_symbols
from pdobasis.solvers.planar import circular

Pattern = tuple[tuple[tuple[int, str], ...], ...]
"""Rows of (sign, "T" or "U")."""


@dataclass(frozen=True, slots=True)
class Index:
    """k = a m + b n + (t + c) N, with t = 0 only, in Z, or in N (``range`` "", "Z", "N")."""

    a: int
    b: int
    c: Fraction
    range: str

    def values(self, m: int, n: int, rotations: int, order: int) -> Iterator[int]:
        """All k with |k| at most ``order``, by increasing |k|."""
        start = Fraction(self.a * m + self.b * n) + self.c * rotations
        if start.denominator != 1:
            raise ValueError(f"the index is not whole for N = {rotations}")
        turns = {"": range(1), "N": range(order + 1), "Z": range(-order - m - n - 1, order + m + n + 2)}[self.range]
        yield from sorted(
            (k for t in turns if abs(k := int(start) + t * rotations) <= order), key=lambda k: (abs(k), -k)
        )


@dataclass(frozen=True, slots=True)
class Symbolic:
    """One element of a cell."""

    pattern: Pattern
    index: Index

    def symbols(self, m: int, n: int, rotations: int, order: int) -> list[Symbols]:
        """The elements of every order up to ``order``, zeros left out."""
        shape = len(self.pattern), len(self.pattern[0])
        out = [empty(2, degree, shape) for degree in range(order + 1)]
        for k in self.index.values(m, n, rotations, order):
            letters = dict(zip("TU", circular(k), strict=True))
            rows = [stack([letters[letter].scale(sign) for sign, letter in row]) for row in self.pattern]
            element = stack([stack(rows)])
            if not element.is_zero:
                out[abs(k)] = join_symbols([out[abs(k)], from_dense(element, 2, abs(k))])
        return out


def span(cell: Sequence[Symbolic], shape: tuple[int, int], point: tuple[int, int, int], order: int) -> list[Symbols]:
    r"""All $r^{2j}\chi$ of each order for $\chi$ in a cell at (m, n, N): what the table claims to be a basis."""
    m, n, rotations = point
    parts = [element.symbols(m, n, rotations, order) for element in cell]
    out: list[Symbols] = []
    for degree in range(order + 1):
        lifted = [times_radius(out[degree - 2])] if degree >= 2 else []
        out.append(join_symbols([empty(2, degree, shape), *lifted, *(p[degree] for p in parts)]))
    return out


def read(values: Symbols) -> list[Pattern]:
    """Each element of one order k > 0 (or k = 0) as a pattern in T_k and U_k."""
    t, u = circular(values.order)
    known = {t.key(): (1, "T"), (-t).key(): (-1, "T")}
    if values.order:
        known |= {u.key(): (1, "U"), (-u).key(): (-1, "U")}
    out = []
    for element in range(values.size):
        rows, columns, coefficients = values.select(element)
        found = {(r, c): known[coefficients[k].key()] for k, (r, c) in enumerate(zip(rows, columns, strict=True))}
        out.append(tuple(tuple(found[r, c] for c in range(values.shape[1])) for r in range(values.shape[0])))
    return out


def opposite(pattern: Pattern) -> Pattern:
    """The pattern that has at -k the value of this one at k."""
    return tuple(tuple((sign if letter == "T" else -sign, letter) for sign, letter in row) for row in pattern)


def upright(pattern: Pattern) -> Pattern:
    """Up to a factor -1: the first T of the first column positive, else that of the first row, else U."""
    column, row = [line[0] for line in pattern], list(pattern[0])
    deciding = next(sign for sign, _ in sorted([*column, *row], key=lambda e: e[1] != "T"))
    return tuple(tuple((sign * deciding, letter) for sign, letter in line) for line in pattern)


def quarter_turn(pattern: Pattern) -> Pattern:
    r"""$J P J^{-1}$ with the quarter turn J in the fibres of size 2: from $\psi(f) = diag(1, -1)$ to $diag(-1, 1)$."""
    rows = list(pattern)
    if len(rows) == 2:
        rows = [_negated(rows[1]), rows[0]]
    if len(rows[0]) == 2:
        rows = [(_negated((row[1],))[0], row[0]) for row in rows]
    return upright(tuple(rows))


def _negated(row: tuple[tuple[int, str], ...]) -> tuple[tuple[int, str], ...]:
    return tuple((-sign, letter) for sign, letter in row)

r"""Symbolic entries: matrices of $\pm T_k$ and $\pm U_k$ whose index k is linear in m, n and N.

$T_k = r^{|k|} \cos k\varphi$ and $U_k = r^{|k|} \sin k\varphi$, so $T_{-k} = T_k$ and $U_{-k} = -U_k$.
An element stands for one symbol for every t (in Z, or in N where t and -t give the same), or for one symbol alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pdobasis.exact.array import ExactArray, stack
from pdobasis.operators.laplacian import times_radius
from pdobasis.operators.symbols import Symbols, empty, from_dense, join_symbols
from pdobasis.solvers.planar import circular

Entry = tuple[int, str]
"""(sign, "T" or "U")."""
Row = tuple[Entry, ...]
Pattern = tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Index:
    """k = a m + b n + (t + c) N, with t = 0 only, in Z, or in N (``range`` "", "Z", "N")."""

    a: int
    b: int
    c: Fraction
    range: str

    def values(self, m: int, n: int, rotations: int, order: int) -> Iterator[int]:
        """All k with |k| at most ``order``, by increasing |k|."""
        start = Fraction(self.a * m + self.b * n)
        start += self.c * rotations
        if start.denominator != 1:
            raise ValueError(f"the index is not whole for N = {rotations}")
        # |k| <= order and N >= 1 leave no t beyond these
        far = order + m + n + 1
        turns = {
            "": range(1),
            "N": range(order + 1),
            "Z": range(-far, far + 1),
        }
        reached = [int(start) + t * rotations for t in turns[self.range]]
        low = [k for k in reached if abs(k) <= order]
        yield from sorted(low, key=lambda k: (abs(k), -k))


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
            element = self.at(k)
            if element.is_zero:
                continue
            degree = abs(k)
            found = from_dense(element, 2, degree)
            out[degree] = join_symbols([out[degree], found])
        return out

    def at(self, k: int) -> ExactArray:
        """The matrix for one k: (1, rows, columns, monomials)."""
        letters = dict(zip("TU", circular(k), strict=True))
        rows = []
        for row in self.pattern:
            entries = [letters[letter].scale(sign) for sign, letter in row]
            rows.append(stack(entries))
        return stack([stack(rows)])


def span(
    cell: Sequence[Symbolic],
    shape: tuple[int, int],
    point: tuple[int, int, int],
    order: int,
) -> list[Symbols]:
    r"""All $r^{2j}\chi$ of each order for $\chi$ in a cell at (m, n, N): what the table claims to be a basis."""
    m, n, rotations = point
    parts = [element.symbols(m, n, rotations, order) for element in cell]
    out: list[Symbols] = []
    for degree in range(order + 1):
        found = [empty(2, degree, shape)]
        if degree >= 2:
            # r^2 times everything of two orders less: all higher powers follow by induction
            found.append(times_radius(out[degree - 2]))
        found += [part[degree] for part in parts]
        out.append(join_symbols(found))
    return out


def read(values: Symbols) -> list[Pattern]:
    """Each element of one order k > 0 (or k = 0) as a pattern in T_k and U_k."""
    known = _letters(values.order)
    rows, columns = values.shape
    out = []
    for element in range(values.size):
        at_rows, at_columns, coefficients = values.select(element)
        found = {}
        for k, place in enumerate(zip(at_rows, at_columns, strict=True)):
            found[place] = known[coefficients[k].key()]
        pattern = [tuple(found[r, c] for c in range(columns)) for r in range(rows)]
        out.append(tuple(pattern))
    return out


def _letters(order: int) -> dict[bytes, Entry]:
    """The polynomials T_k, -T_k, U_k, -U_k by their keys; U_0 = 0 is none."""
    t, u = circular(order)
    known = {
        t.key(): (1, "T"),
        (-t).key(): (-1, "T"),
    }
    if order:
        known[u.key()] = (1, "U")
        known[(-u).key()] = (-1, "U")
    return known


def opposite(pattern: Pattern) -> Pattern:
    """The pattern that has at -k the value of this one at k."""
    # T is even in k, U is odd
    parity = {"T": 1, "U": -1}
    return tuple(
        tuple((sign * parity[letter], letter) for sign, letter in row)
        for row in pattern
    )


def upright(pattern: Pattern) -> Pattern:
    """Up to a factor -1: the first T of the first column positive, else that of the first row, else U."""
    first_column = [row[0] for row in pattern]
    first_row = list(pattern[0])
    # sorting is stable: T before U, and in the order of the places otherwise
    ranked = sorted([*first_column, *first_row], key=lambda entry: entry[1] != "T")
    deciding, _ = ranked[0]
    return tuple(
        tuple((sign * deciding, letter) for sign, letter in row) for row in pattern
    )


def quarter_turn(pattern: Pattern) -> Pattern:
    r"""$J P J^{-1}$ with the quarter turn J in the fibres of size 2: from $\psi(f) = diag(1, -1)$ to $diag(-1, 1)$."""
    rows = list(pattern)
    # J = [[0, -1], [1, 0]] on the left: (row 1, row 2) becomes (-row 2, row 1)
    if len(rows) == 2:
        rows = [_negated(rows[1]), rows[0]]
    # and J^-1 = J^T on the right does the same to the columns
    if len(rows[0]) == 2:
        rows = [(*_negated(row[1:]), row[0]) for row in rows]
    return upright(tuple(rows))


def _negated(row: Row) -> Row:
    return tuple((-sign, letter) for sign, letter in row)

r"""Maps between irreps and sums in Python's integers: copies, projections, and $T\chi Q$.

A map is up to a positive factor, since elements are scaled at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import lcm

from pdobasis.linear.small import Independent, Row, echelon, null_vectors
from pdobasis.solvers.small_padding import Line


def independent(maps: list[Row], width: int) -> list[list[Line]]:
    """The columns of the first maps whose images are independent."""
    seen: Independent[int] = Independent()
    out = []
    for t in maps:
        columns: list[Line] = [[] for _ in range(width)]
        for u in sorted(t):
            if t[u]:
                columns[u % width].append((u // width, t[u]))
        # Schur: it adds a copy of the irrep, or nothing
        if seen.adds(dict(columns[0])):
            out.append(columns)
            for column in columns[1:]:
                seen.adds(dict(column))
    return out


def projections(
    inclusions: list[list[Line]], metric: Sequence[int], inner: Sequence[int]
) -> list[list[Line]]:
    r"""$Q = (UT)^{-1} U$ for $U = g_\psi^{-1} T^T g$, with the metrics for which both are orthogonal."""
    width = len(inclusions[0])
    common = lcm(*inner)
    back = [
        [(i, metric[i] * v * (common // c)) for i, v in line]
        for t in inclusions
        for line, c in zip(t, inner, strict=True)
    ]
    columns = [dict(line) for t in inclusions for line in t]
    gram = [
        {k: s for k, t in enumerate(columns) if (s := _product(u, t))} for u in back
    ]
    if any(len(row) > 1 for row in gram):
        back = _solved(gram, back)
    return [back[k : k + width] for k in range(0, len(back), width)]


def _product(line: Line, column: Row) -> int:
    return sum(v * column.get(i, 0) for i, v in line)


def _solved(gram: list[Row], lines: list[Line]) -> list[Line]:
    """The inverse of a matrix, up to a positive factor, times lines.

    By the solutions of m q = e, with the unknowns of e before those of q.
    """
    size = len(gram)
    rows = [
        {i: -1, **{size + k: v for k, v in row.items()}} for i, row in enumerate(gram)
    ]
    columns, _ = null_vectors(echelon(rows), 2 * size)
    out: list[Row] = [{} for _ in gram]
    for line, column in zip(lines, columns, strict=True):
        for k, v in column[1:]:
            own = out[k - size]
            for i, w in line:
                own[i] = own.get(i, 0) + v * w
    return [sorted((i, v) for i, v in own.items() if v) for own in out]


def cells_of(columns: list[Line], rows: list[Line], width: int) -> list[Line]:
    """Which entries of P every entry of chi goes to, by their numbers row by row, and with which factors."""
    return [
        [(i * width + j, t * q) for i, t in column for j, q in row]
        for column in columns
        for row in rows
    ]


def padded(chi: Iterable[tuple[int, int]], cells: list[Line], monomials: int) -> Row:
    """T chi Q: its coefficients by their numbers, from those of chi."""
    found: Row = {}
    for place, v in chi:
        if v:
            entry, alpha = divmod(place, monomials)
            for cell, factor in cells[entry]:
                to = cell * monomials + alpha
                found[to] = found.get(to, 0) + v * factor
    return found

"""Linear systems over the rationals, by FLINT."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import fmpq, fmpq_mat

Rows = list[list[Fraction]]


def echelon(rows: Rows) -> Rows:
    if not rows:
        return []
    return [[fraction(v) for v in row] for row in rational(rows).rref()[0].tolist()]


def affine_solutions(
    rows: Sequence[Sequence[fmpq]], unknowns: int, sign: int = -1
) -> tuple[fmpq_mat, fmpq_mat] | None:
    """(c0, Z) with A (c0 + Z z) = sign * b for rows [A, b]; None where there is no solution."""
    if not rows:
        return fmpq_mat(unknowns, 1), identity(unknowns)
    reduced, rank = fmpq_mat(
        len(rows), unknowns + 1, [v for row in rows for v in row]
    ).rref()
    entries = reduced.tolist()[:rank]
    pivots = [next(j for j, v in enumerate(row) if v != 0) for row in entries]
    if unknowns in pivots:
        return None
    start, others = (
        fmpq_mat(unknowns, 1),
        [j for j in range(unknowns) if j not in set(pivots)],
    )
    free = fmpq_mat(unknowns, len(others))
    for row, pivot in zip(entries, pivots, strict=True):
        start[pivot, 0] = sign * row[unknowns]
        for k, j in enumerate(others):
            free[pivot, k] = -row[j]
    for k, j in enumerate(others):
        free[j, k] = fmpq(1)
    return start, free


def identity(size: int) -> fmpq_mat:
    return fmpq_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])


def rational(rows: Rows, height: int = 0) -> fmpq_mat:
    """A matrix of rational numbers; without rows or columns it has this height."""
    if not rows:
        return fmpq_mat(height, 0)
    entries = [fmpq(v.numerator, v.denominator) for row in rows for v in row]
    return fmpq_mat(len(rows), len(rows[0]), entries)


def taken(matrix: fmpq_mat, rows: Sequence[int]) -> fmpq_mat:
    entries = matrix.tolist()
    return fmpq_mat(len(rows), matrix.ncols(), [v for i in rows for v in entries[i]])


def beside(left: fmpq_mat, right: fmpq_mat) -> fmpq_mat:
    both = [[*a, *b] for a, b in zip(left.tolist(), right.tolist(), strict=True)]
    return fmpq_mat(
        left.nrows(), left.ncols() + right.ncols(), [v for row in both for v in row]
    )


def fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))

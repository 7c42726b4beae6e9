"""The echelon form of a small matrix modulo a prime, in Python integers: done before FLINT is loaded, or filled."""

from __future__ import annotations

from collections.abc import Sequence

SMALL = 12
"""Rows and columns up to which that holds."""


def echelon(rows: Sequence[Sequence[int]], p: int) -> tuple[list[list[int]], list[int]]:
    """The rows of the reduced echelon form that are not zero, and the columns of their pivots.

    >>> echelon([[2, 4, 1], [1, 2, 1]], 7)
    ([[1, 2, 0], [0, 0, 1]], [0, 2])
    """
    left = [[v % p for v in row] for row in rows]
    out: list[list[int]] = []
    pivots: list[int] = []
    width = len(left[0]) if left else 0
    for column in range(width):
        pivot = next((row for row in left if row[column]), None)
        if pivot is None:
            continue
        left.remove(pivot)
        scale = pow(pivot[column], -1, p)
        pivot = [v * scale % p for v in pivot]
        for row in (*left, *out):
            factor = row[column]
            if factor:
                row[:] = [(v - factor * w) % p for v, w in zip(row, pivot, strict=True)]
        out.append(pivot)
        pivots.append(column)
        if not left:
            break
    return out, pivots

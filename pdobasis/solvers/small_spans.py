"""Null spaces and images of small matrices modulo one number, in reduced echelon form, in Python's integers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import mul

Vector = list[tuple[int, int]]
"""(unknown, number) of all that are not zero; the first number is 1, and no other vector has this unknown."""


def null_vectors(
    rows: Iterable[Sequence[int]], width: int, modulus: int
) -> list[Vector] | None:
    """What the equations leave; None where a number has no inverse.

    >>> null_vectors([[1, 2, 1], [2, 4, 2], [0, 3, 0]], 3, 7)
    [[(0, 1), (2, 6)]]
    """
    pivots: list[int] = []
    free = list(range(width))
    # for every free unknown what it has in each of the reduced equations, whose last unknowns are the pivots
    columns: list[list[int]] = [[] for _ in free]
    for row in rows:
        # a pivot stands in its own equation alone, so that all are taken away at once
        own = [row[c] for c in pivots]
        rest = [
            (row[f] - sum(map(mul, own, column))) % modulus
            for f, column in zip(free, columns, strict=True)
        ]
        last = max((k for k, v in enumerate(rest) if v), default=None)
        if last is None:
            continue
        try:
            scale = pow(rest.pop(last), -1, modulus)
        except ValueError:  # it has a factor in common with N
            return None
        pivots.append(free.pop(last))
        factors = columns.pop(last)
        for column, v in zip(columns, rest, strict=True):
            value = v * scale % modulus
            if value:
                column[:] = [
                    (a - value * b) % modulus
                    for a, b in zip(column, factors, strict=True)
                ]
            column.append(value)
    out = []
    for f, column in zip(free, columns, strict=True):
        pairs = zip(pivots, column, strict=True)
        out.append([(f, 1), *((c, modulus - v) for c, v in pairs if v)])
    return out


def echelon(rows: Iterable[list[int]], rank: int, modulus: int) -> list[Vector] | None:
    """What the rows span, of which so many are independent; None where a number has no inverse, or there are fewer.

    >>> echelon([[0, 2, 4], [0, 3, 6], [1, 2, 0], [5, 5, 5]], 2, 7)
    [[(0, 1), (2, 3)], [(1, 1), (2, 2)]]
    """
    # by their first unknowns, which stand in no other row
    found: dict[int, list[int]] = {}
    waiting = iter(rows)
    while len(found) < rank:
        row = next(waiting, None)
        if row is None:
            return None
        for first, factor in [(c, row[c]) for c in found]:
            if factor:
                known = found[first]
                row = [a - factor * b for a, b in zip(row, known, strict=True)]
        row = [v % modulus for v in row]
        leading = next((k for k, v in enumerate(row) if v), None)
        if leading is None:
            continue
        try:
            scale = pow(row[leading], -1, modulus)
        except ValueError:  # it has a factor in common with N
            return None
        row = [v * scale % modulus for v in row]
        for first, known in found.items():
            factor = known[leading]
            if factor:
                found[first] = [
                    (a - factor * b) % modulus for a, b in zip(known, row, strict=True)
                ]
        found[leading] = row
    return [
        [(first, 1), *((k, v) for k, v in enumerate(found[first]) if v and k != first)]
        for first in sorted(found)
    ]

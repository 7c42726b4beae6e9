"""Linear algebra over any number field, for the few unknowns of an algebra of operators."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from flint import fmpq

from pdobasis.exact.scalars import Number, plain

K = TypeVar("K", bound=Hashable)
Vector = Mapping[K, Number]


def relations(vectors: Sequence[Vector[K]]) -> list[list[Number]]:
    """A basis of the c with sum c_i v_i = 0, in reduced echelon form from the last unknown backwards.

    >>> relations([{"x": fmpq(1)}, {"x": fmpq(2)}, {"y": fmpq(1)}])
    [[-2, 1, 0]]
    """
    rows: list[tuple[K, dict[K, Number], dict[int, Number]]] = []
    out: list[list[Number]] = []
    for k, vector in enumerate(vectors):
        rest = dict(vector)
        weights: dict[int, Number] = {k: fmpq(1)}
        for pivot, row, own in rows:
            factor = rest.get(pivot)
            if factor:
                _subtract(rest, row, factor)
                _subtract(weights, own, factor)
        if not rest:
            out.append([weights.get(i, fmpq(0)) for i in range(len(vectors))])
            continue
        pivot, value = next(iter(rest.items()))
        scale = 1 / value
        rows.append((pivot, _scaled(rest, scale), _scaled(weights, scale)))
    return out


def _scaled(row: Mapping[K, Number], factor: Number) -> dict[K, Number]:
    return {key: plain(value * factor) for key, value in row.items()}


def rank(vectors: Sequence[Vector[K]]) -> int:
    return len(vectors) - len(relations(vectors))


def coordinates(vectors: Sequence[Vector[K]], target: Vector[K]) -> list[Number] | None:
    """c with sum c_i v_i = target, for independent vectors; None when the target is not in their span."""
    found = relations([*vectors, target])
    if not found:
        return None
    row = found[-1]
    if not row[-1]:
        return None
    last = row[-1]
    return [(-1) * w / last for w in row[:-1]]


def _subtract(total: dict[K, Number], row: Mapping[K, Number], factor: Number) -> None:
    for key, value in row.items():
        found = total.get(key, fmpq(0)) - factor * value
        if found:
            total[key] = plain(found)
        else:
            total.pop(key, None)

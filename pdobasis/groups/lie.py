r"""A small set that generates a Lie algebra.

What is equivariant under X and Y is equivariant under [X, Y], so a solver needs the constraint for generators only: for
so(d) these are d - 1 of d(d-1)/2 basis elements. Ranks are taken modulo a prime, which can only make the set larger.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from pdobasis.exact.primes import residues, split_prime
from pdobasis.exact.types import IntArray
from pdobasis.groups.group import Group

MAX_SEARCH = 40
"""Above this many Lie generators the search costs more than it saves."""


@cache
def generating_indices(group: Group) -> tuple[int, ...]:
    """Positions in ``group.lie`` that generate, with all brackets, everything that ``group.lie`` spans.

    >>> from pdobasis.groups.classical import special_orthogonal
    >>> generating_indices(special_orthogonal(4))
    (0, 1, 2)
    """
    if len(group.lie) > MAX_SEARCH:
        return tuple(range(len(group.lie)))
    matrices = _images(group)
    prime = split_prime(group.field, 0).prime
    whole = _Span(prime)
    for m in matrices:
        whole.add(m)
    reached = _Span(prime)
    chosen: list[int] = []
    for k, m in enumerate(matrices):
        if reached.size == whole.size:
            break
        if reached.add(m):
            chosen.append(k)
            _close(reached, whole)
    return tuple(chosen)


def _close(span: _Span, whole: _Span) -> None:
    """Add brackets until nothing new comes, or more than the whole span is reached (then every element is kept)."""
    done = 0
    while done < len(span.members) and span.size < whole.size:
        a = span.members[done]
        for b in span.members[:done]:
            span.add((a @ b - b @ a) % span.prime, within=whole)
        done += 1


class _Span:
    """Matrices modulo a prime, in echelon form."""

    def __init__(self, prime: int) -> None:
        self.prime = prime
        self.members: list[IntArray] = []
        self.rows: list[tuple[int, IntArray]] = []

    @property
    def size(self) -> int:
        return len(self.rows)

    def reduce(self, m: IntArray) -> IntArray:
        v = m.ravel() % self.prime
        for pivot, row in self.rows:
            if v[pivot]:
                v = (v - v[pivot] * row) % self.prime
        return np.asarray(v)

    def add(self, m: IntArray, within: _Span | None = None) -> bool:
        """Keep a matrix that is new (and lies within another span, if one is given)."""
        if within is not None and within.reduce(m).any():
            return False
        v = self.reduce(m)
        nonzero = np.flatnonzero(v)
        if not len(nonzero):
            return False
        pivot = int(nonzero[0])
        self.rows.append((pivot, v * pow(int(v[pivot]), -1, self.prime) % self.prime))
        self.members.append(m % self.prime)
        return True


def _images(group: Group) -> list[IntArray]:
    """The Lie generators modulo the prime, as Python integers."""
    field = group.field
    place = split_prime(field, 0)
    out = []
    for x in group.lie:
        wide = x.over(field)
        flat = wide.numerators.reshape(-1, field.degree)
        values = residues(flat, wide.denominator, place.places[0], place.prime)
        out.append(np.array(values, dtype=object).reshape(group.dim, group.dim))
    return out

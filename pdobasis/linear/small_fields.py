r"""Null spaces of small systems over a number field: :mod:`.small` with numbers packed into one integer each.

Numbers go to residues modulo one N (:mod:`pdobasis.exact.packed`), a homomorphism of $\mathbb{Z}[b_1]$. Elimination
divides by pivots that have inverses there, so that they are the images of minors that are not 0: the system has at
least the rank r that is found. The $n - r$ vectors are lifted to the field. What an equation leaves over of them has
the image 0, and coordinates so small that it is 0. So they are solutions, all there are, and in reduced row echelon
form, which is unique.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import Field
from pdobasis.exact.integers import bound
from pdobasis.exact.packed import lifted, packed
from pdobasis.linear.small import Key, rows_of
from pdobasis.linear.sparse import Sparse

Row = dict[int, int]
"""The images of the numbers of an equation, by unknowns; of a pivot's row without the pivot, which is 1."""
Vector = list[tuple[int, int]]
"""(unknown, which number)."""


def packed_null_space(stages: Sequence[Sparse], field: Field) -> Sparse | None:
    """The solutions of all stages; None for fields that are not packed, and where numbers are large.

    >>> from fractions import Fraction
    >>> from pdobasis.exact.array import concatenate, integers
    >>> from pdobasis.exact.roots import root
    >>> entries = concatenate([integers([-5]), root(Fraction(2)).reshape(1)])  # x_1 sqrt(2) = 5 x_0
    >>> system = Sparse(np.array([0, 0]), np.array([0, 1]), entries, (1, 2))
    >>> packed_null_space([system], entries.field).values
    <ExactArray [1, 5*sqrt(2)/2]>
    """
    at = packed(field)
    if at is None:
        return None
    rows: list[Row] = []
    limit = 0
    for stage in stages:
        numbers = stage.values.over(field).numerators
        rows += rows_of(stage, at.rows(numbers[None])[0])
        # no equation has more entries than there are
        limit = max(limit, len(numbers) * bound(numbers))
    unknowns = stages[0].shape[1]
    found = null_vectors(rows, unknowns, limit, field)
    if found is None:
        return None
    vectors, values = found
    lengths = [len(vector) for vector in vectors]
    entries = [entry for vector in vectors for entry in vector]
    columns, which = np.array(entries, dtype=np.int64).reshape(-1, 2).T.copy()
    return Sparse(
        np.arange(len(lengths)).repeat(lengths),
        columns,
        exact(values.numerators[which], values.denominator, field),
        (len(lengths), unknowns),
    )


def null_vectors(
    rows: list[Row], unknowns: int, limit: int, field: Field
) -> tuple[list[Vector], ExactArray] | None:
    """The solutions, in increasing order of unknowns each, and the numbers that they name; None where one is large.

    No equation has coordinates that add up to more than the ``limit``.
    """
    at = packed(field)
    if at is None:
        return None
    # short equations first: they leave little to the long ones
    rows.sort(key=len)
    pivots = echelon_modulo(rows, at.modulus)
    if pivots is None:
        return None
    # by their residues: which number it is, counted from 1 on, since number 0 is one
    numbers: dict[int, int] = {}
    vectors = {f: [(f, 0)] for f in range(unknowns) if f not in pivots}
    for c in sorted(pivots):
        # x_c = - sum_f row[f] x_f
        for f, v in pivots[c].items():
            k = numbers.setdefault(at.modulus - v, len(numbers) + 1)
            vectors[f].append((c, k))
    values = lifted(numbers, field, at)
    if values is None:
        return None
    # what an equation leaves over, times the denominator: too small for a number other than 0 with the image 0?
    largest = max(bound(values.numerators), values.denominator)
    if limit * largest * field.expansion * field.degree >= at.room:
        return None
    return list(vectors.values()), values


def first_independent_modulo(
    rows: Iterable[Mapping[Key, int]], modulus: int
) -> list[int] | None:
    """The numbers of the rows that are no combination of those before them modulo N; so they are independent over K.

    None where a number has no inverse.
    """
    pivots: dict[Key, dict[Key, int]] = {}
    out = []
    for k, given in enumerate(rows):
        known = len(pivots)
        if not _add(given, pivots, modulus):
            return None
        if len(pivots) > known:
            out.append(k)
    return out


def _add(
    given: Mapping[Key, int], pivots: dict[Key, dict[Key, int]], modulus: int
) -> bool:
    """What is new in an equation becomes a pivot; False where its number has no inverse."""
    row = {c: r for c, v in given.items() if (r := v % modulus)}
    while row:
        c = max(row)
        factor = row.pop(c)
        pivot = pivots.get(c)
        if pivot is not None:
            _take_away(row, factor, pivot, modulus)
            continue
        try:
            scale = pow(factor, -1, modulus)
        except ValueError:  # it has a factor in common with N
            return False
        pivots[c] = {k: v * scale % modulus for k, v in row.items()}
        break
    return True


def echelon_modulo(
    rows: Iterable[Row], modulus: int, rank: int | None = None
) -> dict[int, Row] | None:
    """The reduced equations by their pivots, each the last unknown of its row; None where one has no inverse.

    Where a ``rank`` is known, what follows so many independent rows is not looked at.
    """
    pivots: dict[int, Row] = {}
    for given in rows:
        if len(pivots) == rank:
            break
        if not _add(given, pivots, modulus):
            return None
    # A row has unknowns before its pivot only: what they are is known by then.
    for c in sorted(pivots):
        row = pivots[c]
        for k in [k for k in row if k in pivots]:
            _take_away(row, row.pop(k), pivots[k], modulus)
    return pivots


def _take_away(
    row: dict[Key, int], factor: int, pivot: dict[Key, int], modulus: int
) -> None:
    for k, v in pivot.items():
        rest = (row.get(k, 0) - factor * v) % modulus
        if rest:
            row[k] = rest
        else:
            row.pop(k, None)

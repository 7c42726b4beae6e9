r"""Null spaces of small systems over a number field: :mod:`.small` with numbers packed into one integer each.

Numbers go to residues modulo one N (:mod:`pdobasis.exact.packed`), a homomorphism of $\mathbb{Z}[b_1]$. Elimination
divides by pivots that have inverses there, so that they are the images of minors that are not 0: the system has at
least the rank r that is found. The $n - r$ vectors are lifted to the field. What an equation leaves over of them has
the image 0, and coordinates so small that it is 0. So they are solutions, all there are, and in reduced row echelon
form, which is unique.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import lcm

import numpy as np

from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import Field
from pdobasis.exact.integers import bound
from pdobasis.exact.packed import Packed, packed
from pdobasis.linear.sparse import Sparse

Row = dict[int, int]
"""The residues of an equation that are not 0, by unknowns; of a pivot's row without the pivot, which is 1."""
MOST = 1 << 30
"""Denominators of all numbers together."""


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
    rows = [row for stage in stages for row in _rows(stage, field, at)]
    # short equations first: they leave little to the long ones
    rows.sort(key=len)
    pivots = _echelon(rows, at.modulus)
    if pivots is None:
        return None
    found = _solutions(pivots, stages[0].shape[1], field, at)
    if found is None or not _are_solved(stages, found.values, at):
        return None
    return found


def _rows(stage: Sparse, field: Field, at: Packed) -> Iterable[Row]:
    """The equations, up to a factor; entries that meet are added up."""
    rows: dict[int, Row] = {}
    numbers = stage.values.over(field).numerators
    entries = zip(
        stage.rows.tolist(),
        stage.columns.tolist(),
        at.rows(numbers[None])[0],
        strict=True,
    )
    for r, c, v in entries:
        row = rows.get(r)
        if row is None:
            rows[r] = {c: v % at.modulus}
        else:
            row[c] = (row.get(c, 0) + v) % at.modulus
    return rows.values()


def _echelon(rows: Iterable[Row], modulus: int) -> dict[int, Row] | None:
    """The reduced equations by their pivots, each the last unknown of its row; None where one has no inverse."""
    pivots: dict[int, Row] = {}
    for row in rows:
        if 0 in row.values():
            row = {c: v for c, v in row.items() if v}
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
                return None
            pivots[c] = {k: v * scale % modulus for k, v in row.items()}
            break
    # A row has unknowns before its pivot only: what they are is known by then.
    for c in sorted(pivots):
        row = pivots[c]
        for k in [k for k in row if k in pivots]:
            _take_away(row, row.pop(k), pivots[k], modulus)
    return pivots


def _take_away(row: Row, factor: int, pivot: Row, modulus: int) -> None:
    for k, v in pivot.items():
        rest = (row.get(k, 0) - factor * v) % modulus
        if rest:
            row[k] = rest
        else:
            row.pop(k, None)


def _solutions(
    pivots: dict[int, Row], unknowns: int, field: Field, at: Packed
) -> Sparse | None:
    """e_f - sum_c row_c[f] e_c for every free unknown f, sorted by row and column; None where a number is large."""
    # by their residues: which number it is, counted from 1 on, since number 0 is one
    numbers: dict[int, int] = {}
    vectors = {f: [(f, 0)] for f in range(unknowns) if f not in pivots}
    for c in sorted(pivots):
        for f, v in pivots[c].items():
            k = numbers.setdefault(at.modulus - v, len(numbers) + 1)
            vectors[f].append((c, k))
    values = lifted(numbers, field, at)
    if values is None:
        return None
    lengths = [len(vector) for vector in vectors.values()]
    entries = [entry for vector in vectors.values() for entry in vector]
    columns, which = np.array(entries, dtype=np.int64).reshape(-1, 2).T.copy()
    return Sparse(
        np.arange(len(lengths)).repeat(lengths),
        columns,
        exact(values.numerators[which], values.denominator, field),
        (len(lengths), unknowns),
    )


def lifted(residues: Iterable[int], field: Field, at: Packed) -> ExactArray | None:
    """1, and then the numbers with these images; None where one is large."""
    found = []
    common = 1
    for residue in residues:
        number = at.lift(residue, common)
        if number is None:
            return None
        found.append(number)
        common = lcm(common, number[1])
    if common >= MOST:
        return None
    # digits are below 2^30 as well
    numerators = [[v * (common // d) for v in digits] for digits, d in found]
    one = [common, *[0] * (field.degree - 1)]
    return exact(np.array([one, *numerators], dtype=np.int64), common, field)


def _are_solved(stages: Sequence[Sparse], values: ExactArray, at: Packed) -> bool:
    """Whether coordinates of what equations leave over are too small for another number with the image 0."""
    field = values.field
    largest = max(bound(values.numerators), values.denominator)
    growth = field.expansion * field.degree * largest
    for stage in stages:
        entries = stage.values.over(field)
        # no equation has more entries than there are
        if len(stage.rows) * bound(entries.numerators) * growth >= at.room:
            return False
    return True

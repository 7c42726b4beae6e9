"""Combinations of polynomials that vanish, over any number field."""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from pdobasis.algebra.linear import relations
from pdobasis.errors import ProofError
from pdobasis.exact.scalars import Number, simplest
from pdobasis.nonlinear.echelon import combined, is_rational, matrix_of, places_of
from pdobasis.nonlinear.independent import Components, pivots

Row = list[Number]


def units(number: int) -> list[Row]:
    return [[fmpq(int(i == k)) for i in range(number)] for k in range(number)]


def weighted(every: Sequence[Components], row: Row) -> Components:
    """The sum of row[k] every[k]."""
    used = [k for k, w in enumerate(row) if w]
    if len(used) == 1 and row[used[0]] == 1:
        return every[used[0]]
    return combined([every[k] for k in used], [row[k] for k in used])


def null_vectors(images: Sequence[Components]) -> list[Row]:
    """Combinations that vanish, in reduced echelon form: the last term of each has the weight 1."""
    if is_rational(images):
        return _rational_null_vectors(images)
    # over a larger field a few places decide; what they say is checked at all of them
    places = pivots(images)
    vectors = []
    for image in images:
        own = ((place, image[place[0]].get(place[1])) for place in places)
        vectors.append({place: value for place, value in own if value})
    found = [[simplest(w) for w in row] for row in relations(vectors)]
    for row in found:
        if any(weighted(images, row)):
            raise ProofError("a null vector could not be proved (please report this)")
    return found


def _rational_null_vectors(images: Sequence[Components]) -> list[Row]:
    places = places_of(images)
    number = len(images)
    if not places:
        return units(number)
    reduced, rank = matrix_of(images, places).transpose().rref()
    leading = []
    for r in range(rank):
        leading.append(next(j for j in range(number) if reduced[r, j]))
    out = []
    for j in sorted(set(range(number)) - set(leading)):
        row: Row = [fmpq(0)] * number
        row[j] = fmpq(1)
        for r, pivot in enumerate(leading):
            row[pivot] = -reduced[r, j]
        out.append(row)
    return out

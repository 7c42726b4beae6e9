r"""$T \chi Q$ of few numbers, in Python's integers: :mod:`.padding` where calls of NumPy would be the work.

Over a field the numbers are images modulo N (:mod:`pdobasis.exact.packed`). Products and sums of images are those of
products and sums, and the coordinates of these are so small that they are read off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import RATIONALS, Field, join
from pdobasis.exact.integers import bound
from pdobasis.exact.packed import packed
from pdobasis.operators.few import Few, elements_of, images_of
from pdobasis.operators.symbols import Symbols

Maps = dict[str, list[ExactArray]]
"""Of every summand by its name, for each of its copies."""
Line = list[tuple[int, int]]
"""The numbers of a row or a column that are not zero."""


class Padding:
    """The projections Q of one side and the inclusions T of the other, taken as integers once for every field."""

    def __init__(self, projections: Maps, inclusions: Maps) -> None:
        self.projections = projections
        self.inclusions = inclusions
        self._lines: dict[tuple[str, bool, Field], list[list[Line]]] = {}
        self._growths: dict[tuple[str, bool, Field], int] = {}

    @property
    def is_rational(self) -> bool:
        both = (*self.projections.values(), *self.inclusions.values())
        return all(m.field.is_rational for own in both for m in own)

    def field(self, parts: Sequence[tuple[str, str, Symbols]]) -> Field:
        """That of all numbers of symbols between the summands a and b, when they are padded."""
        field = RATIONALS
        for a, b, part in parts:
            maps = (*self.projections[a], *self.inclusions[b])
            own = [m.field for m in maps]
            field = reduce(join, [part.coefficients.field, *own], field)
        return field

    def padded(self, a: str, b: str, part: Symbols, field: Field) -> list[Few] | None:
        """For every copy of b, then of a, every element; None where numbers are large, or have no images."""
        modulus = 0
        values = part.coefficients.over(field)
        if not field.is_rational:
            at = packed(field)
            if at is None:
                return None
            modulus = at.modulus
            largest = bound(values.numerators) * part.shape[0] * part.shape[1]
            largest *= self._growth(b, field, is_inclusion=True)
            largest *= self._growth(a, field, is_inclusion=False)
            if largest >= at.room:
                return None
        chis = elements_of(replace(part, coefficients=values))
        out = []
        for columns in self._of(b, field, is_inclusion=True):
            for rows in self._of(a, field, is_inclusion=False):
                out += [_padded(chi, columns, rows, modulus) for chi in chis]
        return out

    def _growth(self, name: str, field: Field, *, is_inclusion: bool) -> int:
        """What coordinates are multiplied by at most, for each term of a sum."""
        key = name, is_inclusion, field
        if key not in self._growths:
            maps = self.inclusions if is_inclusion else self.projections
            most = max(bound(m.over(field).numerators) for m in maps[name])
            self._growths[key] = most * field.expansion * field.degree
        return self._growths[key]

    def _of(self, name: str, field: Field, *, is_inclusion: bool) -> list[list[Line]]:
        """The columns of T, or the rows of Q, of every copy; up to the denominator, since elements are scaled."""
        key = name, is_inclusion, field
        if key not in self._lines:
            if is_inclusion:
                maps = [t.T for t in self.inclusions[name]]
            else:
                maps = self.projections[name]
            found = []
            for m in maps:
                lines = images_of(m.over(field))
                found.append([_nonzeros(line) for line in lines])
            self._lines[key] = found
        return self._lines[key]


def _nonzeros(line: list[int]) -> Line:
    return [(j, v) for j, v in enumerate(line) if v]


def _padded(chi: Few, columns: list[Line], rows: list[Line], modulus: int) -> Few:
    """T chi Q, with the columns of T and the rows of Q."""
    found: Few = {}
    for (r, c, alpha), v in chi.items():
        for i, t in columns[r]:
            for j, q in rows[c]:
                place = i, j, alpha
                found[place] = found.get(place, 0) + t * v * q
    if modulus:
        # the one next to 0 has small digits
        half = modulus // 2
        found = {k: (v + half) % modulus - half for k, v in found.items()}
    return {place: found[place] for place in sorted(found) if found[place]}

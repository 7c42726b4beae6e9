r"""Fields of a staggered grid: a field type whose channels have places in the cell.

Channel i has its samples at $\mathbb{Z}^d + s_i$ (in cells), with $s_i$ 0 or a half along every axis: velocities on the
faces of the C-grid, pressures in its middle. A symmetry of the grid moves the samples and mixes channels, so two field
types with different places are different field types, although their representations are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, overload

from pdobasis.layers.errors import LayerError
from pdobasis.question.field_type import FieldType, counted
from pdobasis.question.text import parse_field_type
from pdobasis.representations.representation import Representation
from pdobasis.stencils.staggered import Offset, check_offsets

Offsets = Sequence[Sequence[Any]] | Mapping[str, Sequence[Sequence[Any]]]
"""A place for every channel; or by the name of a summand one for each of its components, where others are at 0."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class StaggeredType(FieldType):
    """A field type and a place in the cell for each of its channels; made by `placed`.

    Invariants: one place per channel, and not all of them are 0 (that would be the field type itself).

    >>> from pdobasis import field_type, group
    >>> faces = placed(field_type("2xvector", group("D4")), {"vector": [("1/2", 0), (0, "1/2")]})
    >>> str(faces), faces == field_type("2xvector", group("D4")), faces[:1] * 2 == faces
    ('2xvector at 1/2,0; 0,1/2', False, True)
    """

    places: tuple[Offset, ...] = ()

    @property
    def plain(self) -> FieldType:
        """The representations alone."""
        return FieldType(self.terms)

    @overload
    def __getitem__(self, index: int) -> Representation: ...

    @overload
    def __getitem__(self, index: slice) -> FieldType: ...

    def __getitem__(self, index: int | slice) -> Representation | FieldType:
        if not isinstance(index, slice):
            return self.plain[index]
        channels = [s for field in self.slices[index] for s in self.places[field]]
        return with_places(self.plain[index], channels)

    def __add__(self, other: FieldType) -> FieldType:
        if not isinstance(other, FieldType):
            return NotImplemented
        whole = (*self.places, *places_of(other))
        return with_places(self.plain + without_places(other), whole)

    def __radd__(self, other: FieldType) -> FieldType:
        if not isinstance(other, FieldType):
            return NotImplemented
        whole = (*places_of(other), *self.places)
        return with_places(without_places(other) + self.plain, whole)

    def __mul__(self, count: int) -> FieldType:
        # What is no count is refused by the fields themselves.
        return with_places(self.plain * count, self.places * count)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FieldType):
            return NotImplemented
        return places_of(other) == self.places and without_places(other) == self.plain

    def __hash__(self) -> int:
        return hash((self.plain, self.places))

    def __str__(self) -> str:
        runs: list[tuple[str, tuple[Offset, ...], int]] = []
        for rep, field in zip(self, self.slices, strict=True):
            own = self.places[field]
            if runs and runs[-1][:2] == (rep.spec, own):
                runs[-1] = (rep.spec, own, runs[-1][2] + 1)
            else:
                runs.append((rep.spec, own, 1))
        return " + ".join(at(counted(spec, n), own) for spec, own, n in runs)


def placed(fields: FieldType, offsets: Offsets) -> FieldType:
    """Field types at the places that a user gives; the plain type where all are 0."""
    if isinstance(offsets, Mapping):
        given = _by_name(fields, offsets)
    else:
        given = _listed(offsets, "in_offsets and out_offsets")
    if len(given) != fields.size:
        raise LayerError(
            f"offsets have one place for each of the {fields.size} channels of {fields}, or a mapping from summands "
            f'as in {{"vector": [("1/2", 0), (0, "1/2")]}}, got {len(given)} places'
        )
    return with_places(fields, check_offsets(given, fields.group.dim))


def with_places(fields: FieldType, places: Iterable[Offset]) -> FieldType:
    """The same for places that were checked before."""
    whole = tuple(places)
    if not any(any(place) for place in whole):
        return without_places(fields)
    return StaggeredType(fields.terms, whole)


def places_of(fields: FieldType) -> tuple[Offset, ...]:
    """Of every channel; all 0 for plain fields."""
    if isinstance(fields, StaggeredType):
        return fields.places
    return ((Fraction(0),) * fields.group.dim,) * fields.size


def without_places(fields: FieldType) -> FieldType:
    if isinstance(fields, StaggeredType):
        return fields.plain
    return fields


def at(spec: str, places: Sequence[Offset]) -> str:
    """
    >>> at("vector", [(Fraction(1, 2), Fraction(0)), (Fraction(0), Fraction(1, 2))])
    'vector at 1/2,0; 0,1/2'
    """
    if not any(any(place) for place in places):
        return spec
    return f"{spec} at {'; '.join(','.join(map(str, place)) for place in places)}"


def _by_name(
    fields: FieldType, offsets: Mapping[str, Sequence[Sequence[Any]]]
) -> list[Sequence[Fraction]]:
    dim = fields.group.dim
    found: dict[Representation, list[Sequence[Fraction]]] = {}
    for text, own in offsets.items():
        for rep in parse_field_type(text, fields.group).distinct:
            places = _listed(own, f"the offsets of {text}")
            if rep not in fields.distinct:
                raise LayerError(
                    f"offsets of {text}, and {fields} has no such field: it has "
                    f"{', '.join(r.spec for r in fields.distinct)}"
                )
            if len(places) != rep.size:
                raise LayerError(
                    f"{text} has {rep.size} components, and its offsets are {len(places)} places"
                )
            found[rep] = places
    middle: list[Sequence[Fraction]] = [(Fraction(0),) * dim]
    return [p for rep in fields for p in found.get(rep, middle * rep.size)]


def _listed(places: Any, what: str) -> list[Sequence[Fraction]]:
    try:
        return [[Fraction(s) for s in place] for place in places]
    except (TypeError, ValueError, ZeroDivisionError):
        raise LayerError(
            f"{what} are places in the cell, 0 or 1/2 along every axis, as in [(1/2, 0), (0, 1/2)], got {places!r}"
        ) from None

"""What the layers are given, checked where it comes in: one line says what would have been right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pdobasis.layers.errors import LayerError, NotEquivariantError
from pdobasis.layers.placed import StaggeredType
from pdobasis.question.field_type import FieldType


def whole(value: Any, name: str, least: int) -> int:
    # True is an int in Python, and would pass for 1.
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise LayerError(
            f"{name} has to be a whole number of at least {least}, got {value!r}"
        )
    return value


def per_axis(
    value: int | Sequence[int], dim: int, name: str, least: int
) -> tuple[int, ...]:
    """One number for every array axis."""
    values: tuple[Any, ...] = (value,) * dim
    if isinstance(value, (tuple, list)):
        values = tuple(value)
    if len(values) != dim or any(
        isinstance(v, bool) or not isinstance(v, int) or v < least for v in values
    ):
        raise LayerError(
            f"{name} has to be a whole number of at least {least}, or {dim} of them in the order of the array axes, "
            f"got {value!r}"
        )
    return values


def fields_of(fields: Any, what: str, at_places: bool = False) -> FieldType:
    """A field type; one with different places in the cell only ``at_places``, where channels are not mixed."""
    if not isinstance(fields, FieldType):
        raise LayerError(
            f"{what} needs a field type, got {fields!r}: take that of a layer (layer.out_type), or "
            'pdobasis.field_type("2xregular", pdobasis.group("C8"))'
        )
    if isinstance(fields, StaggeredType) and not at_places:
        raise NotEquivariantError(
            f"{what} takes values of one point together, and the channels of {fields} lie at different places of the "
            "cell: go to fields in one place by a PDOConv first"
        )
    return fields

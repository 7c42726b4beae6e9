"""Which channels an index takes, and whether they are whole fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from pdobasis.question.field_type import FieldType

CHOICES = ("__getitem__", "index_select", "narrow", "flip", "roll", "fliplr")
"""Functions whose output consists of entries of their input."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The fields that were taken, None if one was taken apart; and whether all points stayed where they were."""

    fields: FieldType | None
    in_place: bool


def choice(func: Any, args: Any, kwargs: Any, fields: FieldType) -> Choice | None:
    """What becomes of an image, seen by numbering its entries; None where an axis is gone or nothing is left."""
    image = args[0]
    if image.is_meta or image.ndim < 2:
        return None
    points = image[0, 0].numel()
    numbers = torch.arange(image[0].numel(), device=image.device).view(image[:1].shape)
    with torch._C.DisableTorchFunction():
        found = func(numbers.expand(image.shape), *args[1:], **kwargs)
    if found.ndim != image.ndim or found.numel() == 0:
        return None
    channels = found.flatten(2) // points
    taken = channels[0, :, 0]
    if not bool((channels == taken[None, :, None]).all()):
        return Choice(None, False)
    same = found.shape[2:] == image.shape[2:]
    in_place = same and bool((found % points == numbers[:, :1]).all())
    return Choice(whole_fields(fields, taken.tolist()), in_place)


def whole_fields(fields: FieldType, channels: Sequence[int]) -> FieldType | None:
    """Fields one after the other whose channels are these, in this order; None if there are no such fields.

    >>> from pdobasis import field_type, group
    >>> two = field_type("vector + trivial", group("D4"))
    >>> whole_fields(two, [2, 0, 1]).spec, whole_fields(two, [1, 0, 2])
    ('trivial + vector', None)
    """
    starts = {piece.start: k for k, piece in enumerate(fields.slices)}
    taken: list[FieldType] = []
    at = 0
    while at < len(channels):
        k = starts.get(channels[at])
        if k is None:
            return None
        piece = range(*fields.slices[k].indices(fields.size))
        if list(channels[at : at + len(piece)]) != list(piece):
            return None
        taken.append(fields[k : k + 1])
        at += len(piece)
    return sum(taken[1:], taken[0])

r"""Staggered images: how channels at different places of the cell lie in one array.

Index n of a channel at s is the point n + s along an axis (n - s from the other end where x2 grows upwards). The whole
points 0, …, N-1 are the domain, and between them lie N-1 half points: the last entry of a channel at 1/2 is outside,
and is zero. On a torus (circular padding) it is the point between the last and the first, and is as good as the others.

A mirror takes the point p to N-1-p, so index n to N-1-n for whole points and to N-2-n, modulo N, for half ones: the
array is turned round, and for half points moved on by one. The entry that is outside stays where it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from pdobasis.layers.placed import StaggeredType, places_of
from pdobasis.nn.exact_buffers import ExactBuffers
from pdobasis.question.field_type import FieldType
from pdobasis.stencils import Layout
from pdobasis.stencils.staggered import Offset


class Inside(ExactBuffers):
    """Zero at the entries that are outside: the last of channels at half points (the first, where x2 grows upwards)."""

    def __init__(self, fields: FieldType, layout: Layout) -> None:
        super().__init__()
        dim = fields.group.dim
        # (channels, axis, whether it is the first entry that is outside)
        self.cuts: list[tuple[str, int, int]] = []
        self._halves: dict[str, NDArray[Any]] = {}
        for axis in range(dim):
            half = [bool(place[axis]) for place in places_of(fields)]
            if not any(half):
                continue
            name = f"half_{axis}"
            shape = (-1, *(1,) * dim)
            self._halves[name] = np.array(half).reshape(shape)
            before = int(layout == "image" and axis == 1)
            self.cuts.append((name, axis, before))
        self._register()

    def _sources(self) -> dict[str, NDArray[Any]]:
        return self._halves

    def forward(self, x: Tensor) -> Tensor:
        for name, axis, before in self.cuts:
            # Cut off and put back as zero; x1 is the last array axis, with which F.pad begins.
            kept = [slice(None, -1), slice(1, None)][before]
            where: tuple[Any, ...] = (..., kept, *(slice(None),) * axis)
            cut = x[where]
            back = F.pad(cut, [0, 0] * axis + [before, 1 - before])
            x = torch.where(self.get_buffer(name), back, x)
        return x


def is_staggered(*types: FieldType) -> bool:
    return any(isinstance(fields, StaggeredType) for fields in types)


def channels_at(fields: FieldType) -> dict[Offset, list[int]]:
    """The channels at every place."""
    found: dict[Offset, list[int]] = {}
    for channel, place in enumerate(places_of(fields)):
        found.setdefault(place, []).append(channel)
    return found


def moved_on(x: Tensor, flips: Sequence[int], halves: Sequence[int]) -> Tensor:
    """What was turned round along the axes ``flips`` moves on by one where its points are half ones."""
    for axis in flips:
        if axis in halves:
            x = x.roll(-1, axis)
    return x

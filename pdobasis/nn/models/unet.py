"""A steerable U-Net: fields in, fields out, such as the velocity and the pressure of a flow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import torch
from torch import Tensor, nn

from pdobasis.layers.errors import LayerError
from pdobasis.nn.conv import PDOConv2d
from pdobasis.nn.keywords import NetworkKeywords
from pdobasis.nn.nonlinear import Pointwise
from pdobasis.nn.norm import FieldBatchNorm
from pdobasis.question.field_type import FieldType
from pdobasis.question.text import parse_field_type, resolve_group


class UNet(nn.Module):
    """Regular fields inside, any fields at both ends: by default three scalars to a vector and a scalar.

    Each level has two layers; images are halved by maxima and doubled bilinearly, both symmetric where the sizes are
    multiples of 2^(levels - 1), as they have to be.

    >>> import torch
    >>> UNet("C4", fields=(1, 1), size=3)(torch.zeros(1, 3, 8, 8)).shape
    torch.Size([1, 3, 8, 8])

    Parameters
    ----------
    group : str, optional
        A finite group of the plane.
    in_rep : str or FieldType, optional
        What the input holds.
    out_rep : str or FieldType, optional
        What the output holds.
    fields : sequence of int, optional
        Regular fields of each level.
    size : int, optional
        Of the stencils, in points.
    norm : bool, optional
        Whether batches are normalised.
    **options
        Those of every layer, as `PDOConv2d` takes them.
    """

    def __init__(
        self,
        group: str = "C8",
        in_rep: str | FieldType = "3xtrivial",
        out_rep: str | FieldType = "vector + trivial",
        *,
        fields: Sequence[int] = (8, 16, 32, 32),
        size: int = 5,
        norm: bool = True,
        **options: Unpack[NetworkKeywords],
    ) -> None:
        super().__init__()
        found = resolve_group(group, 2)
        if len(fields) < 2:
            raise LayerError(f"a U-Net has at least two levels, got fields={fields!r}")
        types = [parse_field_type(f"{n}xregular", found) for n in fields]
        self.in_type: FieldType = _fields(in_rep, found)
        self.out_type: FieldType = _fields(out_rep, found)

        def pair(source: FieldType, target: FieldType) -> nn.Sequential:
            parts: list[nn.Module] = []
            for one in (source, target):
                parts.append(
                    PDOConv2d(
                        found, one, target, size=size, padding=size // 2, **options
                    )
                )
                if norm:
                    parts.append(FieldBatchNorm(target))
                parts.append(Pointwise(target))
            return nn.Sequential(*parts)

        self.down: nn.ModuleList = nn.ModuleList(
            pair(source, target)
            for source, target in zip([self.in_type, *types[:-1]], types, strict=True)
        )
        # Each level of the way up sees the level below and what the way down had there.
        self.up: nn.ModuleList = nn.ModuleList(
            pair(below + here, here)
            for below, here in zip(types[:0:-1], types[-2::-1], strict=True)
        )
        self.shrink: nn.MaxPool2d = nn.MaxPool2d(2)
        # Corners are not aligned: then each new pixel lies as far from its neighbours on one side as on the other.
        self.enlarge: nn.Upsample = nn.Upsample(
            scale_factor=2, mode="bilinear", align_corners=False
        )
        self.last: PDOConv2d = PDOConv2d(
            found, types[0], self.out_type, size=size, padding=size // 2, **options
        )

    def forward(self, x: Tensor) -> Tensor:
        """Fields on a grid to fields on the same grid."""
        self._require_levels(x)
        levels = []
        for k, part in enumerate(self.down):
            if k:
                x = self.shrink(x)
            x = part(x)
            levels.append(x)
        for part, level in zip(self.up, levels[-2::-1], strict=True):
            x = part(torch.cat([self.enlarge(x), level], 1))
        out: Tensor = self.last(x)
        return out

    def _require_levels(self, x: Tensor) -> None:
        if not isinstance(x, Tensor):  # torch.fx traces with what has no shape
            return
        step = 2 ** (len(self.down) - 1)
        if x.ndim != 4 or x.shape[2] % step or x.shape[3] % step:
            raise LayerError(
                f"images have to be (batch, {self.in_type.size}, multiples of {step}), got {tuple(x.shape)}"
            )


def _fields(fields: str | FieldType, group: Any) -> FieldType:
    if isinstance(fields, FieldType):
        return fields
    return parse_field_type(fields, group)

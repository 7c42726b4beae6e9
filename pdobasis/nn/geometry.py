"""Stride, padding and dilation, as nn.ConvNd reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from pdobasis.layers.errors import LayerError
from pdobasis.layers.warn import warn_user

MODES = ("zeros", "reflect", "replicate", "circular")


@dataclass(frozen=True, slots=True)
class Geometry:
    """One entry per array axis, as in nn.ConvNd (so x2 before x1)."""

    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...] | str
    dilation: tuple[int, ...]
    padding_mode: str

    def __post_init__(self) -> None:
        if self.padding_mode not in MODES:
            raise LayerError(
                f"unknown padding_mode {self.padding_mode!r}: one of {', '.join(MODES)}"
            )
        if isinstance(self.padding, str) and self.padding not in ("same", "valid"):
            raise LayerError(
                f"unknown padding {self.padding!r}: a number, one per axis, 'same' or 'valid'"
            )
        if self.padding == "same" and any(s != 1 for s in self.stride):
            raise LayerError(
                "padding='same' needs stride 1: give the padding in numbers"
            )

    def pads(self) -> list[tuple[int, int]]:
        """(before, after) along each axis."""
        if isinstance(self.padding, tuple):
            return [(p, p) for p in self.padding]
        if self.padding == "valid":
            return [(0, 0) for _ in self.kernel_size]
        total = [
            d * (k - 1) for d, k in zip(self.dilation, self.kernel_size, strict=True)
        ]
        # As torch does: where the two differ, the end gets more.
        return [(t // 2, t - t // 2) for t in total]

    def is_exact_on(self, shape: Sequence[int]) -> bool:
        """Whether the output samples of images of this shape lie symmetrically, so that the grid's symmetries hold."""
        axes = zip(
            shape,
            self.pads(),
            self.kernel_size,
            self.stride,
            self.dilation,
            strict=True,
        )
        # Equal pads keep the centre; then the last sample has to lie as far from its end as the first from its own.
        return all(
            a == b and (n + a + b - d * (k - 1) - 1) % s == 0
            for n, (a, b), k, s, d in axes
        )

    def warn(self) -> None:
        """Say at construction where exact equivariance on the grid cannot hold."""
        if any(a != b for a, b in self.pads()):
            warn_user(
                f"padding='same' pads a stencil of even size {self.kernel_size} on one side only, which no symmetry "
                "of the grid keeps: use an odd size, or padding in numbers"
            )
        for n, s, (a, b), d in zip(
            self.kernel_size, self.stride, self.pads(), self.dilation, strict=True
        ):
            if s > 1:
                # The strides have to end exactly at the border: (n + pads - reach - 1) divisible by s.
                rest = (d * (n - 1) + 1 - a - b) % s
                if s == 2:
                    sizes = {0: "even", 1: "odd"}[rest]
                else:
                    sizes = f"{rest} modulo {s}"
                warn_user(
                    f"with stride {s} the output is exactly equivariant on the grid only for image sizes that are "
                    f"{sizes}: others lose points on one side"
                )
                return

    def convolve(
        self, x: Tensor, filters: Tensor, bias: Tensor | None, groups: int
    ) -> Tensor:
        dim = len(self.kernel_size)
        if self.padding_mode == "zeros":
            return _CONVOLUTIONS[dim](
                x, filters, bias, self.stride, self.padding, self.dilation, groups
            )
        # Convolutions of torch pad with zeros only, so every other padding comes first.
        return _CONVOLUTIONS[dim](
            self.pad(x), filters, bias, self.stride, 0, self.dilation, groups
        )

    def pad(self, x: Tensor) -> Tensor:
        # F.pad begins with the last axis
        sides = [p for pair in reversed(self.pads()) for p in pair]
        return F.pad(x, sides, mode=self.pad_mode)

    @property
    def pad_mode(self) -> str:
        """The mode by the name that F.pad has for it."""
        if self.padding_mode == "zeros":
            return "constant"
        return self.padding_mode


_CONVOLUTIONS = {1: torch.conv1d, 2: torch.conv2d, 3: torch.conv3d}

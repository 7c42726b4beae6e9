"""Stride, padding and dilation, as nn.ConvNd reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from pdobasis.layers.errors import LayerError
from pdobasis.layers.warn import warn_user
from pdobasis.nn.tracing import is_traced

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
        # Equal pads keep the centre; then the last sample has to lie as far from its end as the first from its own.
        if len(shape) != len(self.stride):
            raise LayerError(
                f"an image of this layer has {len(self.stride)} sizes, got {tuple(shape)}"
            )
        return all(a == b for a, b in self.pads()) and all(
            self._ends(k, n) for k, n in enumerate(shape)
        )

    def _ends(self, axis: int, size: int) -> bool:
        """Whether the last stride ends where the image does."""
        a, b = self.pads()[axis]
        reach = self.dilation[axis] * (self.kernel_size[axis] - 1)
        return (size + a + b - reach - 1) % self.stride[axis] == 0

    def warn(self) -> None:
        """Say at construction where exact equivariance on the grid cannot hold."""
        if any(a != b for a, b in self.pads()):
            warn_user(
                f"padding='same' pads a stencil of even size {self.kernel_size} on one side only, which no symmetry "
                "of the grid keeps: use an odd size, or padding in numbers"
            )
        for axis, s in enumerate(self.stride):
            if s > 1:
                warn_user(
                    f"with stride {s} the output is exactly equivariant on the grid only for image sizes that are "
                    f"{self.fitting(axis)}: others lose points on one side"
                )
                return

    def fitting(self, axis: int) -> str:
        """The sizes whose last stride ends at the border: (n + pads - reach - 1) is divisible by the stride."""
        s, (a, b) = self.stride[axis], self.pads()[axis]
        rest = (self.dilation[axis] * (self.kernel_size[axis] - 1) + 1 - a - b) % s
        if s == 2:
            return {0: "even", 1: "odd"}[rest]
        return f"{rest} modulo {s}"

    def warn_on(self, shape: Sequence[int], what: str) -> None:
        """Say that images of this very shape lose points on one side."""
        if is_traced() or self.is_exact_on(shape):
            return
        n = next(k for k, size in enumerate(shape) if not self._ends(k, size))
        warn_user(
            f"{what} with stride {self.stride[n]} on {shape[n]} points leaves out some on one side, which no symmetry "
            f"of the grid keeps: use a size that is {self.fitting(n)}"
        )

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

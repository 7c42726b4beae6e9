r"""Linear interpolation between the points of the grid, such that the finer grid has the same symmetry.

``align="points"``: $n \to (n-1)f + 1$ points, the old ones among them. It goes back what a layer with stride f and odd
sizes came: 17 → 9 → 17. ``align="cells"``: $n \to nf$; each point stands for a cell that is cut into f, which goes back
what windows of size f came: 12 → 6 → 12.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pdobasis.layers.arguments import fields_of, whole
from pdobasis.layers.errors import LayerError
from pdobasis.nn.arguments import described, require_images
from pdobasis.nn.exact_buffers import fixed
from pdobasis.question.field_type import FieldType

MODES = {1: "linear", 2: "bilinear", 3: "trilinear"}
ALIGNMENTS = ("points", "cells")
_TRANSPOSED: dict[int, Any] = {
    1: nn.ConvTranspose1d,
    2: nn.ConvTranspose2d,
    3: nn.ConvTranspose3d,
}


class Upsample(nn.Module):
    """Fields of any type on a grid that is ``factor`` times as fine, by linear interpolation (see the module).

    Parameters
    ----------
    fields : FieldType
        What comes in, channel by channel.
    factor : int
        How many times finer.
    align : {"points", "cells"}
        n → 2n − 1 points, or 2n.

    Examples
    --------
    >>> from pdobasis import field_type
    >>> import torch
    >>> Upsample(field_type("vector", "D4"))(torch.randn(1, 2, 5, 5)).shape
    torch.Size([1, 2, 9, 9])
    """

    def __init__(
        self, fields: FieldType, factor: int = 2, align: str = "points"
    ) -> None:
        super().__init__()
        if align not in ALIGNMENTS:
            raise LayerError(f"unknown align {align!r}: one of {', '.join(ALIGNMENTS)}")
        self.in_type: FieldType = fields_of(fields, "Upsample")
        self.out_type: FieldType = self.in_type
        self.factor: int = whole(factor, "factor", 1)
        self.align = align

    def forward(self, x: Tensor) -> Tensor:
        """Interpolate."""
        require_images(x, self.in_type)
        sizes = [n * self.factor for n in x.shape[2:]]
        if self.align == "points":
            sizes = [(n - 1) * self.factor + 1 for n in x.shape[2:]]
        return F.interpolate(
            x, sizes, mode=MODES[x.ndim - 2], align_corners=self.align == "points"
        )

    def plain(self, like: Tensor) -> nn.Module:
        """The same as a module of torch's own."""
        dim = self.in_type.group.dim
        if self.align == "cells":
            return nn.Upsample(
                scale_factor=self.factor, mode=MODES[dim], align_corners=False
            )
        # A value is spread by the weights 1 - |k|/f along every axis: a transposed convolution, channel by channel.
        n, f = self.in_type.size, self.factor
        line = 1 - np.abs(np.arange(1 - f, f)) / f
        weight = np.ones(())
        for _ in range(dim):
            weight = weight[..., None] * line
        conv: nn.Module = _TRANSPOSED[dim](
            n, n, 2 * f - 1, stride=f, padding=f - 1, groups=n, bias=False
        )
        conv.weight = fixed(torch.tensor(weight).to(like).expand(n, 1, *weight.shape))
        return conv

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        return f"{described(self.in_type)}, factor={self.factor}, align={self.align!r}"

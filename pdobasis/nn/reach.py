r"""How far an output looks, and whether it looks alike to both sides: what windows and strides do to a grid.

Along an axis a point of some layer sees e input points, and neighbours of that layer are j input points apart. A window
of k points with spacing d makes $e + d(k-1)j$ of e, a stride s makes $sj$ of j; interpolation to a grid f times as fine
looks at two points, $e + j$ and $j/f$.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from torch import nn

from pdobasis.layers.arguments import per_axis
from pdobasis.layers.errors import LayerError
from pdobasis.nn.geometry import Geometry
from pdobasis.nn.pooling import GlobalPool
from pdobasis.nn.upsample import Upsample

_ADAPTIVE = (nn.AdaptiveAvgPool1d, nn.AdaptiveAvgPool2d, nn.AdaptiveAvgPool3d)


@dataclass(frozen=True, slots=True)
class Reach:
    """(extent, distance of neighbours) in input points along every array axis; ``whole`` if it is all of the image."""

    axes: tuple[tuple[Fraction, Fraction], ...]
    whole: bool = False

    def __str__(self) -> str:
        if self.whole:
            return "all"
        return "x".join(str(ceil(extent)) for extent, _ in self.axes)

    def behind(self, module: nn.Module) -> Reach | None:
        """Of the output of a module; None where that depends on the size of the image."""
        dim = len(self.axes)
        if isinstance(module, GlobalPool):
            return Reach(self.axes, True)
        if isinstance(module, _ADAPTIVE):
            if module.output_size not in (1, (1,) * dim):
                return None
            return Reach(self.axes, True)
        if isinstance(module, (Upsample, nn.Upsample)):
            return self._finer(module)
        window = window_of(module, dim)
        if window is None:
            return self
        axes = []
        for (extent, jump), k, s, d in zip(
            self.axes, window.kernel_size, window.stride, window.dilation, strict=True
        ):
            reach = d * (k - 1)
            if getattr(module, "transposed", False):
                # An output lies within the windows of that many inputs less one.
                axes.append((extent + (ceil((reach + 1) / s) - 1) * jump, jump / s))
            else:
                axes.append((extent + reach * jump, jump * s))
        return Reach(tuple(axes), self.whole)

    def _finer(self, module: Upsample | nn.Upsample) -> Reach | None:
        if isinstance(module, Upsample):
            factor: Any = module.factor
        else:
            factor = module.scale_factor
        if not isinstance(factor, (int, float)):
            return None
        finer = tuple((e + j, j / Fraction(factor)) for e, j in self.axes)
        return Reach(finer, self.whole)

    def joined(self, other: Reach) -> Reach:
        """Of a sum of two."""
        axes = zip(self.axes, other.axes, strict=True)
        return Reach(tuple(max(a, b) for a, b in axes), self.whole or other.whole)


def one_point(dim: int) -> Reach:
    return Reach(((Fraction(1), Fraction(1)),) * dim)


def window_of(module: Any, dim: int) -> Geometry | None:
    """Window, stride and padding of a convolution or pooling, ours or torch's."""
    own = getattr(module, "geometry", None)
    if isinstance(own, Geometry):
        return own
    if not hasattr(module, "kernel_size") or not hasattr(module, "stride"):
        return None
    padding = getattr(module, "padding", 0)
    try:
        if not isinstance(padding, str):
            padding = per_axis(padding, dim, "padding", 0)
        return Geometry(
            per_axis(module.kernel_size, dim, "kernel_size", 1),
            per_axis(module.stride, dim, "stride", 1),
            padding,
            per_axis(getattr(module, "dilation", 1), dim, "dilation", 1),
            "zeros",
        )
    except LayerError:
        return None


def is_exact_on(module: Any, shape: Sequence[int]) -> bool:
    """Whether the samples of the output lie symmetrically in images of this shape."""
    if hasattr(module, "is_exact_on"):
        return bool(module.is_exact_on(shape))
    if getattr(module, "transposed", False):
        # Around every input point as much is added on one side as on the other, but for this.
        return not any(getattr(module, "output_padding", ()))
    window = window_of(module, len(shape))
    return window is None or window.is_exact_on(shape)

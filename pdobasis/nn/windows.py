r"""Windows that move over the image: maxima, longest fields, antialiased means.

Strides keep the symmetry of the grid only where they end at the border: 12 points fall into 6 pairs, of 13 one is left
out on one side. Each module says for which sizes it is exact (`is_exact_on`), and warns where it is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from pdobasis.layers.arguments import fields_of, whole
from pdobasis.layers.errors import LayerError
from pdobasis.layers.invariants import require_orthogonal, require_permutations
from pdobasis.nn.arguments import described, require_images
from pdobasis.nn.exact_buffers import ExactBuffers, fixed
from pdobasis.nn.geometry import Geometry
from pdobasis.nn.nonlinear import field_norms, spread
from pdobasis.question.field_type import FieldType

_MAXIMA: dict[int, Any] = {1: F.max_pool1d, 2: F.max_pool2d, 3: F.max_pool3d}
_MODULES: dict[int, Any] = {1: nn.MaxPool1d, 2: nn.MaxPool2d, 3: nn.MaxPool3d}
_CONVOLUTIONS: dict[int, Any] = {1: nn.Conv1d, 2: nn.Conv2d, 3: nn.Conv3d}


class Windowed(nn.Module):
    """One window, stride and padding for all axes, since the group may exchange them."""

    def __init__(self, fields: FieldType, size: int, stride: int, padding: int) -> None:
        super().__init__()
        self.in_type: FieldType = fields_of(fields, type(self).__name__)
        self.out_type: FieldType = self.in_type
        dim = fields.group.dim
        self.geometry: Geometry = Geometry(
            (whole(size, "size", 1),) * dim,
            (whole(stride, "stride", 1),) * dim,
            (whole(padding, "padding", 0),) * dim,
            (1,) * dim,
            "zeros",
        )
        self.size: int = size
        self.stride: int = stride
        self.padding: int = padding

    def is_exact_on(self, shape: Sequence[int]) -> bool:
        """Whether the symmetries of the grid hold exactly for images of this shape."""
        return self.geometry.is_exact_on(shape)

    def _enter(self, x: Tensor) -> None:
        require_images(x, self.in_type)
        if isinstance(x, Tensor):
            self.geometry.warn_on(x.shape[2:], type(self).__name__)

    def extra_repr(self) -> str:
        return f"{described(self.in_type)}, size={self.size}, stride={self.stride}, padding={self.padding}"


class MaxPool(Windowed):
    """The largest value in a window, channel by channel: as nn.MaxPool, for permutation representations.

    Other fields have no largest channel: `NormMaxPool` takes the longest field instead.

    Parameters
    ----------
    fields : FieldType
        What comes in, channel by channel.
    size : int
        Points of a window along every axis.
    stride : int, optional
        From window to window; by default the size.
    padding : int
        Points that are added outside.

    Raises
    ------
    LayerError
        Fields for which this is not equivariant; the message says which part is.

    Examples
    --------
    >>> from pdobasis import field_type
    >>> import torch
    >>> MaxPool(field_type("regular", "C4"), 2)(torch.randn(1, 4, 8, 8)).shape
    torch.Size([1, 4, 4, 4])
    """

    def __init__(
        self, fields: FieldType, size: int, stride: int | None = None, padding: int = 0
    ) -> None:
        require_permutations(fields, "a maximum of channels", "use NormMaxPool")
        super().__init__(fields, size, _or_size(stride, size), padding)
        _require_half(size, padding)

    def forward(self, x: Tensor) -> Tensor:
        """The largest value in every window."""
        self._enter(x)
        pooled: Tensor = _MAXIMA[x.ndim - 2](x, self.size, self.stride, self.padding)
        return pooled

    def plain(self, like: Tensor) -> nn.Module:
        """The same as a module of torch's own."""
        kind = _MODULES[self.in_type.group.dim]
        module: nn.Module = kind(self.size, self.stride, self.padding)
        return module


class NormMaxPool(Windowed):
    """Of every field the longest in a window, as a whole; for orthogonal representations.

    Where two are equally long the first is taken, which depends on the orientation of the image.

    Parameters
    ----------
    fields : FieldType
        What comes in, channel by channel.
    size : int
        Points of a window along every axis.
    stride : int, optional
        From window to window; by default the size.
    padding : int
        Points that are added outside.

    Raises
    ------
    LayerError
        Fields for which this is not equivariant; the message says which part is.

    Examples
    --------
    >>> from pdobasis import field_type
    >>> import torch
    >>> NormMaxPool(field_type("vector", "D4"), 2)(torch.randn(1, 2, 8, 8)).shape
    torch.Size([1, 2, 4, 4])
    """

    def __init__(
        self, fields: FieldType, size: int, stride: int | None = None, padding: int = 0
    ) -> None:
        require_orthogonal(fields, "NormMaxPool")
        super().__init__(fields, size, _or_size(stride, size), padding)
        _require_half(size, padding)

    def forward(self, x: Tensor) -> Tensor:
        """The longest field in every window."""
        self._enter(x)
        norms = field_norms(x, self.in_type)
        # Places are counted over all of space, so that channels are taken there from the flattened image.
        longest, places = _MAXIMA[x.ndim - 2](
            norms, self.size, self.stride, self.padding, return_indices=True
        )
        taken = x.flatten(2).gather(2, spread(places, self.in_type).flatten(2))
        return torch.unflatten(taken, 2, longest.shape[2:])


class BlurPool(Windowed, ExactBuffers):
    r"""A Gaussian mean with a stride: $\sum_k w_k x(\cdot + k)$, $w_k \propto e^{-|k|^2/2\sigma^2}$, $\sum_k w_k = 1$.

    What the stride cannot represent is removed before, so that a shift by one point changes little. Behind
    ``MaxPool(fields, 3, stride=1, padding=1)`` it is an antialiased maximum. A mean commutes with every representation.

    Parameters
    ----------
    fields : FieldType
        What comes in, channel by channel.
    stride : int
        Points from output to output.
    sigma, size, padding : optional
        Of the Gaussian window; by default they fit the stride.

    Examples
    --------
    >>> from pdobasis import field_type
    >>> import torch
    >>> pool = BlurPool(field_type("2xvector", "D4"))
    >>> pool(torch.zeros(1, 4, 9, 9)).shape
    torch.Size([1, 4, 5, 5])
    """

    def __init__(
        self,
        fields: FieldType,
        stride: int = 2,
        sigma: float | None = None,
        size: int | None = None,
        padding: int | None = None,
    ) -> None:
        if sigma is None:
            sigma = whole(stride, "stride", 1) / 3
        if not isinstance(sigma, (int, float)) or not 0 < sigma < 100:
            raise LayerError(f"sigma has to be a positive number, got {sigma!r}")
        if size is None:
            size = 2 * round(3 * sigma) + 1
        if whole(size, "size", 1) % 2 == 0:
            raise LayerError(f"the size of a blur has to be odd, got {size}")
        if padding is None:
            padding = size // 2
        Windowed.__init__(self, fields, size, stride, padding)
        self.sigma = sigma
        self._register()

    def forward(self, x: Tensor) -> Tensor:
        """Smooth, and take every other point."""
        self._enter(x)
        channels = self.in_type.size
        kernel = self.get_buffer("kernel")
        # The same stencil for every channel, each by itself.
        return self.geometry.convolve(
            x, kernel.expand(channels, *kernel.shape[1:]), None, channels
        )

    def _sources(self) -> dict[str, NDArray[Any]]:
        line = np.arange(self.size) - self.size // 2
        weights = np.exp(-(line**2) / (2 * self.sigma**2))
        kernel = np.ones(())
        for _ in range(self.in_type.group.dim):
            kernel = kernel[..., None] * weights
        return {"kernel": (kernel / kernel.sum())[None, None]}

    def plain(self, like: Tensor) -> nn.Module:
        """A convolution of torch that takes every channel by itself."""
        n = self.in_type.size
        conv: nn.Module = _CONVOLUTIONS[self.in_type.group.dim](
            n, n, self.size, self.stride, self.padding, groups=n, bias=False
        )
        kernel = torch.tensor(self._sources()["kernel"]).to(like)
        conv.weight = fixed(kernel.expand(n, *kernel.shape[1:]))
        return conv

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        return f"{super().extra_repr()}, sigma={self.sigma:.3g}"


def _or_size(stride: int | None, size: int) -> int:
    """As in nn.MaxPool, windows lie side by side unless told otherwise."""
    if stride is None:
        return size
    return stride


def _require_half(size: int, padding: int) -> None:
    if 2 * padding > size:
        raise LayerError(
            f"padding {padding} is more than half of the window {size}, which could then lie outside of the image"
        )
